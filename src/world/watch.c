#include "world/watch.h"

#include "geometry/shape/shape.h"
#include "world/fluid_system.h"
#include "world/forces_state.h"
#include "world/step_bound.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* |w|^2 of a row, 0 if the system has no orientations. */
static double turning_of(const mo_system *s, int64_t row)
{
    mo_vec3 w = s->columns.w ? mo_vec3_load(mo_f64(s->columns.w) + 3 * row) : mo_vec3_make(0, 0, 0);
    return mo_dot(w, w);
}

int64_t mo_watch_find(const mo_system *s, bool lost)
{
    const double *x = mo_f64(s->columns.x), *v = mo_f64(s->columns.v),
                 *w = mo_f64(s->columns.inverse_diameter);
    int64_t found = -1;
    double most = 0;
    for (int64_t row = 0; row < mo_store_rows(s->store); ++row) {
        mo_vec3 u = mo_vec3_load(v + 3 * row);
        double square = mo_dot(u, u) * (w[row] * w[row]);
        double all = mo_dot(u, u) + mo_dot(mo_vec3_load(x + 3 * row), mo_vec3_load(x + 3 * row));
        bool within = all < MO_RANGE * MO_RANGE && square < MO_RANGE_RATE * MO_RANGE_RATE;
        if (lost ? !within || !isfinite(turning_of(s, row)) : square > most) {
            most = square;
            found = row;
            if (lost) {
                return row;
            }
        }
    }
    return found;
}

/* What to do when its numbers have run away. */
static const char *remedy_of(const mo_system *s)
{
    return strcmp(s->type->name, "fluid") == 0
               ? "how fast the fluid is; try {\"type\": \"cfl\"} as time.step with a smaller max or factor, "
                 "or more viscosity"
               : "the stiffest force, damping of springs and stiffness damping included (`mote check` shows "
                 "what "
                 "schemes bear); try a smaller time.step or an implicit integrator";
}

mote_status mo_watch_fail(const mote_world *world, double h, mote_error *error)
{
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        int64_t row = mo_watch_find(s, true);
        if (row < 0) {
            continue;
        }
        const double *x = mo_f64(s->columns.x) + 3 * row, *v = mo_f64(s->columns.v) + 3 * row;
        int32_t body = ((const int32_t *)s->columns.body->data)[row];
        if (!isfinite(turning_of(s, row))) {
            return mo_fail(
                error, MOTE_ERROR_NUMERIC,
                "step %lld, t = %g s: the orientation of particle %lld of '%s' has left the range of "
                "numbers. Likely cause: it turns too far in a step of %g s; try a smaller time.step, "
                "a larger inertia, or damping",
                (long long)world->clock.steps, world->clock.time, (long long)mo_i64(s->columns.id)[row],
                s->bodies[body].name, h);
        }
        return mo_fail(
            error, MOTE_ERROR_NUMERIC,
            "step %lld, t = %g s: particle %lld of '%s' has left the range of numbers: x = [%g, %g, %g] m, v "
            "= [%g, %g, %g] m/s. Likely cause: the step of %g s is too large for %s",
            (long long)world->clock.steps, world->clock.time, (long long)mo_i64(s->columns.id)[row],
            s->bodies[body].name, x[0], x[1], x[2], v[0], v[1], v[2], h, remedy_of(s));
    }
    return mo_fail(error, MOTE_ERROR_NUMERIC, "step %lld, t = %g s: something has left the range of numbers",
                   (long long)world->clock.steps, world->clock.time);
}

/* The particle of all systems that travels the most diameters a second. */
typedef struct fastest {
    int system; /* -1: nothing moves */
    int64_t row, id;
} fastest;

static fastest find_fastest(const mote_world *world)
{
    fastest found = {-1, -1, -1};
    double most = 0;
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        int64_t row = mo_watch_find(s, false);
        double speed = row < 0 ? 0
                               : mo_length(mo_vec3_load(mo_f64(s->columns.v) + 3 * row)) *
                                     mo_f64(s->columns.inverse_diameter)[row];
        if (speed > most) {
            most = speed;
            found = (fastest){k, row, mo_i64(s->columns.id)[row]};
        }
    }
    return found;
}

void mo_watch_courant(mote_world *world, double courant, mote_step_report *report)
{
    if (!(courant > 1)) {
        return;
    }
    fastest f = find_fastest(world);
    report->courant_id = f.id;
    report->courant_system = f.system;
    mo_warn(&world->warnings, &world->log, world->clock.time, "courant",
            "Courant number %.3g: particle %lld of '%s' travels further than its own diameter in one step "
            "and may pass "
            "through things; use a smaller %s",
            courant, (long long)f.id, f.system >= 0 ? world->systems[f.system].type->name : "?",
            world->def.time.step.type->capabilities & MO_STEP_VARIES ? "time.step.factor or time.step.max"
                                                                     : "time.step, or {\"type\": \"cfl\"}");
}

/* The collider whose surface is nearest to a place; NULL if there is none. */
static const mo_collider_def *nearest_collider(const mote_world *world, mo_vec3 x)
{
    const mo_collider_def *found = NULL;
    double least = INFINITY;
    for (int64_t c = 0; c < world->contacts.count; ++c) {
        double place[3], distance;
        mo_vec3_store(place, mo_pose_undo(&world->contacts.poses[c], x));
        mo_shape_distances(world->contacts.colliders[c].shape, 1, place, &distance, NULL);
        if (fabs(distance) < least) {
            least = fabs(distance);
            found = &world->contacts.colliders[c];
        }
    }
    return found;
}

/* Rows that touched nothing are older than 0. */
static int64_t first_touched(const mo_system *s)
{
    const uint8_t *age = s->columns.age->data;
    int64_t row = 0;
    while (row < mo_store_rows(s->store) && age[row] > 0) {
        row++;
    }
    return row < mo_store_rows(s->store) ? row : -1;
}

/* The part of a fluid that may be behind its walls after a step, as fast drops are, before they do not hold it at all. */
#define BREACH 0.25

void mo_watch_walls(mote_world *world, const mo_system *s, mote_step_report *report)
{
    if (!s->touches_late || s->crossings == 0) {
        return;
    }
    report->caught += s->crossings;
    long long crossed = s->crossings, rows = mo_store_rows(s->store);
    int64_t row = mo_warned(&world->warnings, "leak") ? -1 : first_touched(s);
    mo_vec3 x = row >= 0 ? mo_vec3_load(mo_f64(s->columns.x) + 3 * row) : mo_vec3_make(0, 0, 0);
    const mo_collider_def *collider = nearest_collider(world, x);
    mo_warn(
        &world->warnings, &world->log, world->clock.time, "leak",
        "%lld of %lld fluid particles (%.2g %%) penetrated the boundary of '%.60s' in one step and were put "
        "back inside, the first is particle %lld at [%g, %g, %g] m; use a smaller time.step (or factor of "
        "cfl), a smaller tolerance of the pressure solver, or a smaller fluid.spacing",
        crossed, rows, 100 * (double)crossed / (double)rows,
        collider && collider->name ? collider->name : "collider",
        (long long)(row >= 0 ? mo_i64(s->columns.id)[row] : -1), x.x, x.y, x.z);
    if ((double)crossed > BREACH * (double)rows) {
        char limit[120] = "";
        mo_step_bound bound = mo_world_step_bound(world);
        if (bound.size > 0 && report->dt > bound.size) {
            snprintf(limit, sizeof limit, "the step of %.3g s is above the stability limit of %.3g s, ",
                     report->dt, bound.size);
        }
        mo_warn(&world->warnings, &world->log, world->clock.time, "breach",
                "%lld of %lld fluid particles (%.2g %%) left their container in one step: the result is "
                "wrong from "
                "here on; %suse {\"type\": \"cfl\"} as time.step, with a smaller factor or max if it is that",
                crossed, rows, 100 * (double)crossed / (double)rows, limit);
    }
}

void mo_watch_emitters(mote_world *world)
{
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        if (s->type == &mo_fluid_system_type && ((const mo_fluid_system *)s->state)->emitters.full) {
            mo_warn(&world->warnings, &world->log, world->clock.time, "full",
                    "there are %lld fluid particles and no room for another layer below fluid.max_particles: "
                    "emitters "
                    "pause; raise it, or take fluid away with fluid.remove",
                    (long long)mo_store_rows(s->store));
        }
    }
}

/* Names the fastest particle, if this kind of warning is a new one. */
static void warn_least(mote_world *world, const char *kind, const char *text)
{
    const double zero[3] = {0};
    fastest f = mo_warned(&world->warnings, kind) ? (fastest){-1, -1, -1} : find_fastest(world);
    const double *x = f.system >= 0 ? mo_f64(world->systems[f.system].columns.x) + 3 * f.row : zero;
    mo_warn(&world->warnings, &world->log, world->clock.time, kind,
            "%s; the fastest is particle %lld at [%g, %g, %g] m", text, (long long)f.id, x[0], x[1], x[2]);
}

void mo_watch_step(mote_world *world, const mo_step_choice *choice)
{
    if (!choice->warning) {
        world->steps_at_min = 0;
        return;
    }
    warn_least(world, "min", choice->warning);
    if (++world->steps_at_min == MO_STEPS_AT_MIN) {
        warn_least(
            world, "collapse",
            "the step has been at time.step.min for 500 steps on end: the run crawls, and what it gives is "
            "not "
            "to be trusted; look for overlaps at the start, raise time.step.min, or calm what is so fast");
    }
}

/* The row of a plane body that is fastest across the plane; -1: none is. */
static int64_t leaves_plane(const mo_system *s, const mo_forces *forces, uint8_t *flat)
{
    const double *v = mo_f64(s->columns.v);
    int64_t found = -1;
    double most = 0;
    for (int k = 0; k < forces->force_count; ++k) {
        if (forces->forces[k].flatten) {
            forces->forces[k].flatten(forces->forces[k].instance, flat);
        }
    }
    for (int64_t row = 0; row < mo_store_rows(s->store); ++row) {
        double across = flat[row] ? fabs(v[3 * row + 2]) : 0;
        if (across > most && across > 1e-6 * mo_length(mo_vec3_load(v + 3 * row))) {
            most = across;
            found = row;
        }
    }
    return found;
}

mote_status mo_watch_planes(mote_world *world, mote_error *error)
{
    mo_system *s;
    void *flat;
    mote_error none;
    if (world->clock.steps != 1 || mo_world_find_forces(world, &s, &none) != MOTE_OK) {
        return MOTE_OK;
    }
    MO_TRY(mo_allocate_array(&world->memory, mo_store_rows(s->store), 1, &flat, error));
    int64_t row = leaves_plane(s, s->state, flat);
    if (row >= 0) {
        mo_warn(&world->warnings, &world->log, world->clock.time, "plane",
                "'%s', a plane body, is moved across the x-y plane, with %.3g m/s after the first step. It "
                "knows nothing "
                "but that plane, and nothing in it resists; gravity along y, perhaps?",
                s->bodies[((const int32_t *)s->columns.body->data)[row]].name,
                mo_f64(s->columns.v)[3 * row + 2]);
    }
    mo_release(&world->memory, flat);
    return MOTE_OK;
}
