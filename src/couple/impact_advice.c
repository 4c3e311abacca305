#include "couple/impact_advice.h"

#include "collide/law.h"
#include "integrate/integrator.h"

#include <math.h>
#include <stdio.h>

static const double LEAST_REBOUND = 0.8, STEPS_AN_IMPACT = 5;

/* The system's implicit scheme; NULL: it is explicit, or has none. */
static const mo_integrator_type *implicit_scheme(const mo_system *system)
{
    const mo_stability_hooks *hooks = system->type->stability;
    const mo_integrator_type *type =
        hooks && hooks->integrator ? (const mo_integrator_type *)hooks->integrator(system).type
                                   : NULL;
    return type && type->base.capabilities & MO_IMPLICIT ? type : NULL;
}

/* The part of the speed that a scheme leaves to the rebound. */
static double rebound(const mo_integrator_type *type, double duration, double h)
{
    return type->amplification ? pow(type->amplification(M_PI * h / duration), duration / h) : 1;
}

void mo_advise_on_impact(const mo_coupling *coupling, const mo_collider *collider, const char *what,
                         double duration, double h)
{
    const mo_integrator_type *type = implicit_scheme(coupling->a);
    double left = type && duration > 0 ? rebound(type, duration, h) : 1;
    bool coarse = type && h > duration / STEPS_AN_IMPACT;
    if (left >= LEAST_REBOUND && !coarse) {
        return;
    }
    double step = duration / STEPS_AN_IMPACT; /* and short enough for the damping */
    while (rebound(type, duration, step) < 0.9) {
        step *= 0.8;
    }
    char loss[96];
    snprintf(loss, sizeof loss,
             left < LEAST_REBOUND ? "leave about %.0f %% of the rebound's speed"
                                  : "do not resolve it, and the rebound may gain energy",
             100 * left);
    mo_host_warn(coupling->host, 0, "rebound",
                 "colliders: '%.60s' has restitution %.3g, but the impact of %.80s lasts about "
                 "%.2g s, and steps of %.2g s with '%s' %s; use steps below %.1g s or an explicit "
                 "integrator such as velocity_verlet",
                 collider->name, collider->restitution, what, duration, h, type->base.name, loss,
                 step);
}

/* ---- elastic bodies ---- */

/* Twice the height of a body over the speed of pressure waves in it. The latter follows from the
 * bound of the frequency of its nodes: omega is about 4.5 c/spacing in regular tetrahedral meshes.
 */
static double impact_duration(const mo_system *s, const mote_body *body, const double *bound)
{
    const mo_contact_rows rows = mo_system_contact_rows(s);
    mo_vec3 up = mo_unit(s->host->gravity, mo_vec3_make(0, 0, 1));
    double low = INFINITY, high = -INFINITY, speed = 0;
    int64_t moving = 0;
    for (int64_t row = body->first; row < body->first + body->count; ++row) {
        double height = mo_dot(mo_vec3_load(rows.x + 3 * row), up), w = rows.inverse_mass[row];
        double stiffness = (bound[3 * row] + bound[3 * row + 1] + bound[3 * row + 2]) / 3;
        low = fmin(low, height);
        high = fmax(high, height);
        if (w > 0 && rows.inverse_diameter[row] > 0) {
            speed += sqrt(stiffness * w) / (4.5 * rows.inverse_diameter[row]);
            moving++;
        }
    }
    return speed > 0 ? 2 * (high - low) * (double)moving / speed : 0;
}

static const mo_collider *restituting(const mo_colliders *colliders)
{
    for (int64_t k = 0; k < colliders->count; ++k) {
        const mo_collider *c = &colliders->list[k];
        if (c->restitution > 0 && !mo_force_law_of(c)) {
            return c;
        }
    }
    return NULL;
}

mote_status mo_impact_advice_bounces(mo_coupling *coupling, double h, mote_error *error)
{
    mo_system *s = coupling->a;
    const mo_collider *collider = restituting(s->host->colliders);
    void *bound;
    if (!collider || !implicit_scheme(s) || !s->type->force_hooks || !s->bodies.surfaces) {
        return MOTE_OK;
    }
    MO_TRY(mo_allocate_array(s->host->memory, mo_store_owned(s->store), 3 * sizeof(double), &bound,
                             error));
    mote_status status = s->type->force_hooks->bound_stiffness(s, bound, error);
    double shortest = INFINITY;
    int64_t which = -1;
    for (int64_t b = 0; b < s->bodies.scene_count && status == MOTE_OK; ++b) {
        double duration =
            s->bodies.surfaces[b].solid ? impact_duration(s, &s->bodies.list[b], bound) : 0;
        if (duration > 0 && duration < shortest) {
            shortest = duration;
            which = b;
        }
    }
    if (which >= 0) {
        mo_advise_on_impact(coupling, collider, s->bodies.list[which].name, shortest, h);
    }
    mo_release(s->host->memory, bound);
    return status;
}
