#include "world/health.h"

#include "world/extremes.h"
#include "world/step_bound.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A particle and its system; row -1: none. */
typedef struct particle {
    const mo_system *system;
    int index; /* of the system */
    int64_t row;
} particle;

static int64_t id_of(particle p)
{
    return p.row >= 0 ? mo_i64(p.system->columns.id)[p.row] : -1;
}

/* The fastest particle of all systems, in its own diameters per second. */
static particle find_fastest(const mote_world *world)
{
    particle fastest = {.index = -1, .row = -1};
    double most = 0;
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        const double *v = mo_f64(s->columns.v), *w = mo_f64(s->columns.inverse_diameter);
        for (int64_t row = 0; row < mo_store_owned(s->store); ++row) {
            mo_vec3 u = mo_vec3_load(v + 3 * row);
            double square = mo_dot(u, u) * (w[row] * w[row]);
            if (square > most) {
                most = square;
                fastest = (particle){s, k, row};
            }
        }
    }
    return fastest;
}

static bool in_range(const double *vector)
{
    return mo_length(mo_vec3_load(vector)) < MO_RANGE;
}

/* The collider whose surface is as far from the row's previous position as the row moved; -1:
 * none. */
static int64_t far_collider(const mote_world *world, particle p)
{
    const mo_column *before = p.system->columns.contact_x;
    for (int64_t c = 0; before && c < world->colliders.count; ++c) {
        mo_vec3 x = mo_vec3_load(mo_f64(before) + 3 * p.row);
        double depth = -mo_collider_gap(&world->colliders.list[c], x, NULL);
        if (isnan(depth) || depth > MO_RANGE) {
            return c;
        }
    }
    return -1;
}

static void explain(const mote_world *world, particle p, double h, char *cause, size_t size)
{
    const mo_system *s = p.system;
    int64_t collider = h > 0 ? far_collider(world, p) : -1;
    const mo_column *temperature = s->columns.temperature;
    bool moved =
        !in_range(mo_f64(s->columns.x) + 3 * p.row) || !in_range(mo_f64(s->columns.v) + 3 * p.row);
    if (!(h > 0)) {
        snprintf(cause, size,
                 "it was set by the caller; write finite numbers, within 1e18 m and m/s");
    } else if (moved && collider >= 0) {
        snprintf(
            cause, size,
            "contact with colliders[%lld] at a penetration depth above 1e18 m; give its shape a "
            "position near the particles",
            (long long)collider);
    } else if (!moved && temperature &&
               !(fabs(mo_f64(temperature)[p.row]) < MO_RANGE_TEMPERATURE)) {
        snprintf(cause, size,
                 "a temperature of %g K; give heat a larger specific_heat or less power",
                 mo_f64(temperature)[p.row]);
    } else if (!moved && s->columns.w) {
        snprintf(cause, size,
                 "the change of its orientation in a step of %g s is too large; try a smaller "
                 "time.step, a larger inertia, or damping",
                 h);
    } else {
        snprintf(cause, size, "the step of %g s is too large for %s", h, s->type->remedy);
    }
}

mote_status mo_health_fail(const mote_world *world, double h, mote_error *error)
{
    for (int k = 0; k < 2 * world->system_count; ++k) {
        int index = k % world->system_count;
        const mo_system *s = &world->systems[index];
        particle p = {s, index, mo_extremes_row(s, k >= world->system_count)};
        if (p.row < 0) {
            continue;
        }
        const double *x = mo_f64(s->columns.x) + 3 * p.row, *v = mo_f64(s->columns.v) + 3 * p.row;
        const mo_column *start = s->columns.contact_x;
        const double *before = start ? mo_f64(start) + 3 * p.row : NULL;
        char name[MO_PARTICLE_NAME], cause[400], from[100] = "";
        mo_particle_name(p.system, p.row, name);
        explain(world, p, h, cause, sizeof cause);
        if (before && h > 0) {
            snprintf(from, sizeof from, " (before the step: [%g, %g, %g] m)", before[0], before[1],
                     before[2]);
        }
        return mo_fail(
            error, MOTE_ERROR_NUMERIC,
            "step %lld, t = %g s: %s: the state is not finite: x = [%g, %g, %g] m%s, v = [%g, %g, "
            "%g] m/s. Likely cause: %s",
            (long long)world->clock.steps, world->clock.time, name, x[0], x[1], x[2], from, v[0],
            v[1], v[2], cause);
    }
    return mo_fail(error, MOTE_ERROR_NUMERIC, "step %lld, t = %g s: the state is not finite",
                   (long long)world->clock.steps, world->clock.time);
}

/* Where the forces are not finite, their evaluation names the particle. */
static mote_status check_forces(mote_world *world, mote_error *error)
{
    for (int k = 0; k < world->system_count; ++k) {
        MO_TRY(world->systems[k].type->evaluate(&world->systems[k], world->clock.time, error));
    }
    return MOTE_OK;
}

mote_status mo_health_check_measures(mote_world *world, const mote_measures *m, mote_error *error)
{
    const struct {
        const char *name;
        double value;
    } sums[] = {{"kinetic energy", m->kinetic},
                {"potential energy", m->potential},
                {"elastic energy", m->elastic},
                {"momentum", m->momentum[0] + m->momentum[1] + m->momentum[2]},
                {"angular momentum",
                 m->angular_momentum[0] + m->angular_momentum[1] + m->angular_momentum[2]}};
    for (size_t k = 0; k < sizeof sums / sizeof *sums; ++k) {
        if (!isfinite(sums[k].value)) {
            MO_TRY(check_forces(world, error));
            return mo_fail(
                error, MOTE_ERROR_NUMERIC,
                "step %lld, t = %g s: the %s is not finite. Likely cause: masses, stiffnesses or "
                "speeds whose sum is too large, or a time.step too large for them",
                (long long)world->clock.steps, world->clock.time, sums[k].name);
        }
    }
    return MOTE_OK;
}

void mo_health_check_courant(mote_world *world, double courant, mote_step_report *report)
{
    if (!(courant > 1)) {
        return;
    }
    particle fastest = find_fastest(world);
    char name[MO_PARTICLE_NAME];
    mo_particle_name(fastest.system, fastest.row, name);
    report->courant_id = id_of(fastest);
    report->courant_system = fastest.index;
    mo_warn(
        &world->warnings, &world->log, world->clock.time, "courant",
        "Courant number %.3g: %s moves more than its diameter in one step and may tunnel through "
        "obstacles; use a smaller %s",
        courant, name,
        world->def.time.step.type->capabilities & MO_STEP_VARIES
            ? "time.step.factor or time.step.max"
            : "time.step, or {\"type\": \"cfl\"}");
}

/* Names the fastest particle of the world. */
static void warn_least(mote_world *world, const char *kind, const char *text)
{
    bool said = mo_warned(&world->warnings, kind);
    particle fastest = said ? (particle){.row = -1} : find_fastest(world);
    const double zero[3] = {0},
                 *x = fastest.row >= 0 ? mo_f64(fastest.system->columns.x) + 3 * fastest.row : zero;
    char name[MO_PARTICLE_NAME];
    mo_particle_name(fastest.system, fastest.row, name);
    mo_warn(&world->warnings, &world->log, world->clock.time, kind,
            "%s; the fastest is %s at [%g, %g, %g] m", text, name, x[0], x[1], x[2]);
}

void mo_health_check_step(mote_world *world, const mo_step_choice *choice)
{
    if (!choice->warning) {
        world->steps_at_min = 0;
        return;
    }
    warn_least(world, "min", choice->warning);
    if (++world->steps_at_min == MO_STEPS_AT_MIN) {
        warn_least(
            world, "collapse",
            "the step has been at time.step.min for 500 consecutive steps: progress is slow and "
            "the results are unreliable; look for initial overlaps, raise time.step.min, or reduce "
            "the highest speeds");
    }
}

void mo_health_warn_outliers(mote_world *world, const mo_outlier_count *outliers)
{
    bool said = mo_warned(&world->warnings, "strays");
    particle fastest = said ? (particle){.row = -1} : find_fastest(world);
    const char *remedy = fastest.row >= 0 ? fastest.system->type->slow_remedy : NULL;
    mo_vec3 x = {0, 0, 0}, v = {0, 0, 0};
    char name[MO_PARTICLE_NAME];
    if (fastest.row >= 0) {
        x = mo_vec3_load(mo_f64(fastest.system->columns.x) + 3 * fastest.row);
        v = mo_vec3_load(mo_f64(fastest.system->columns.v) + 3 * fastest.row);
    }
    mo_particle_name(fastest.system, fastest.row, name);
    mo_warn(&world->warnings, &world->log, world->clock.time, "strays",
            "%.0f of %.0f particles are so much faster than the others that the step has been %.2g "
            "times shorter than those need, for %d steps; the fastest is %s at [%g, %g, %g] m with "
            "%.3g m/s; this is fine if the speed is intended, otherwise %s or set time.step.min",
            outliers->count, outliers->rows, outliers->factor, outliers->steps, name, x.x, x.y, x.z,
            mo_length(v), remedy ? remedy : "bound its speed");
}
