#include "world/health/watch.h"

#include "geometry/shape/shape.h"
#include "system/fluid/fluid.h"
#include "system/forces/state.h"
#include "world/health/extremes.h"
#include "world/health/step_bound.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A particle, and where it belongs; row -1: none. */
typedef struct particle {
    const mo_system *system;
    int index; /* of the system */
    int64_t row;
} particle;

static const char *body_of(const mo_system *s, int64_t row)
{
    return s->bodies[((const int32_t *)s->columns.body->data)[row]].name;
}

static int64_t id_of(particle p)
{
    return p.row >= 0 ? mo_i64(p.system->columns.id)[p.row] : -1;
}

/* As messages name it: ids are those of a system's own particles, so the body and the system are
   part of the name. */
enum { NAME_SIZE = 160 };
static void name_particle(particle p, char *name)
{
    if (p.row < 0) {
        snprintf(name, NAME_SIZE, "no particle");
        return;
    }
    snprintf(name, NAME_SIZE, "particle %lld of '%.80s' (system %s)", (long long)id_of(p),
             body_of(p.system, p.row), p.system->type->name);
}

/* The fastest of all systems, in its own diameters a second. */
static particle find_fastest(const mote_world *world)
{
    particle fastest = {.index = -1, .row = -1};
    double most = 0;
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        const double *v = mo_f64(s->columns.v), *w = mo_f64(s->columns.inverse_diameter);
        for (int64_t row = 0; row < mo_store_rows(s->store); ++row) {
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

/* What to do when its numbers have run away. */
static const char *remedy_of(const mo_system *s)
{
    return strcmp(s->type->name, "fluid") == 0
               ? "how fast the fluid is; try {\"type\": \"cfl\"} as time.step with a smaller max or factor, "
                 "or more viscosity"
               : "the stiffest force or the strongest damping (`mote check` shows the largest stable steps); "
                 "try a smaller time.step or an implicit integrator";
}

static bool in_range(const double *vector)
{
    return mo_length(mo_vec3_load(vector)) < MO_RANGE;
}

/* The collider that took a row out of the range: its surface is that far from where the row was;
   -1: none did. */
static int64_t far_collider(const mote_world *world, particle p)
{
    for (int64_t c = 0; c < world->contacts.count; ++c) {
        double local[3], distance;
        const double *x = mo_f64(p.system->columns.contact_x) + 3 * p.row;
        mo_vec3_store(local, mo_pose_undo(&world->contacts.poses[c], mo_vec3_load(x)));
        mo_shape_distances(world->contacts.colliders[c].shape, 1, local, &distance, NULL);
        double depth = world->contacts.colliders[c].inside ? distance : -distance;
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
    const mo_column *temperature = mo_store_find(s->store, "temperature");
    bool moved = !in_range(mo_f64(s->columns.x) + 3 * p.row) || !in_range(mo_f64(s->columns.v) + 3 * p.row);
    if (!(h > 0)) {
        snprintf(cause, size, "it was written from outside; write finite numbers, within 1e18 m and m/s");
    } else if (moved && collider >= 0) {
        snprintf(cause, size,
                 "the contact with colliders[%lld], which it is more than 1e18 m inside of; give its shape a "
                 "position near the particles",
                 (long long)collider);
    } else if (!moved && temperature && !(fabs(mo_f64(temperature)[p.row]) < MO_RANGE_TEMPERATURE)) {
        snprintf(cause, size, "a temperature of %g K; give heat a larger specific_heat or less power",
                 mo_f64(temperature)[p.row]);
    } else if (!moved && s->columns.w) {
        snprintf(
            cause, size,
            "its orientation turns too far in a step of %g s; try a smaller time.step, a larger inertia, "
            "or damping",
            h);
    } else {
        snprintf(cause, size, "the step of %g s is too large for %s", h, remedy_of(s));
    }
}

mote_status mo_watch_fail(const mote_world *world, double h, mote_error *error)
{
    for (int k = 0; k < 2 * world->system_count; ++k) {
        int index = k % world->system_count;
        const mo_system *s = &world->systems[index];
        particle p = {s, index, mo_extremes_row(s, k >= world->system_count)};
        if (p.row < 0) {
            continue;
        }
        const double *x = mo_f64(s->columns.x) + 3 * p.row, *v = mo_f64(s->columns.v) + 3 * p.row;
        const double *before = s->columns.contact_x ? mo_f64(s->columns.contact_x) + 3 * p.row : NULL;
        char name[NAME_SIZE], cause[400], from[100] = "";
        name_particle(p, name);
        explain(world, p, h, cause, sizeof cause);
        if (before && h > 0) {
            snprintf(from, sizeof from, " (before the step: [%g, %g, %g] m)", before[0], before[1],
                     before[2]);
        }
        return mo_fail(
            error, MOTE_ERROR_NUMERIC,
            "step %lld, t = %g s: %s has left the range of numbers: x = [%g, %g, %g] m%s, v = [%g, "
            "%g, %g] m/s. Likely cause: %s",
            (long long)world->clock.steps, world->clock.time, name, x[0], x[1], x[2], from, v[0], v[1], v[2],
            cause);
    }
    return mo_fail(error, MOTE_ERROR_NUMERIC, "step %lld, t = %g s: something has left the range of numbers",
                   (long long)world->clock.steps, world->clock.time);
}

/* Where the forces are not finite, their evaluation says whose. */
static mote_status check_forces(mote_world *world, mote_error *error)
{
    for (int k = 0; k < world->system_count; ++k) {
        MO_TRY(world->systems[k].type->evaluate(&world->systems[k], world->clock.time, error));
    }
    return MOTE_OK;
}

mote_status mo_watch_measures(mote_world *world, const mote_measures *m, mote_error *error)
{
    const struct {
        const char *name;
        double value;
    } sums[] = {
        {"kinetic energy", m->kinetic},
        {"potential energy", m->potential},
        {"elastic energy", m->elastic},
        {"momentum", m->momentum[0] + m->momentum[1] + m->momentum[2]},
        {"angular momentum", m->angular_momentum[0] + m->angular_momentum[1] + m->angular_momentum[2]}};
    for (size_t k = 0; k < sizeof sums / sizeof *sums; ++k) {
        if (!isfinite(sums[k].value)) {
            MO_TRY(check_forces(world, error));
            return mo_fail(
                error, MOTE_ERROR_NUMERIC,
                "step %lld, t = %g s: the %s has left the range of numbers. Likely cause: masses, "
                "stiffnesses or speeds that are too large in sum, or a time.step too large for them",
                (long long)world->clock.steps, world->clock.time, sums[k].name);
        }
    }
    return MOTE_OK;
}

void mo_watch_courant(mote_world *world, double courant, mote_step_report *report)
{
    if (!(courant > 1)) {
        return;
    }
    particle fastest = find_fastest(world);
    char name[NAME_SIZE];
    name_particle(fastest, name);
    report->courant_id = id_of(fastest);
    report->courant_system = fastest.index;
    mo_warn(&world->warnings, &world->log, world->clock.time, "courant",
            "Courant number %.3g: %s travels further than its own diameter in one step and may pass through "
            "things; use a smaller %s",
            courant, name,
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

/* The part of a fluid that may be behind its walls after a step, as fast drops are, before they do
   not hold it at all. */
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

/* With the fastest particle of the world. */
static void warn_least(mote_world *world, const char *kind, const char *text)
{
    bool said = mo_warned(&world->warnings, kind);
    particle fastest = said ? (particle){.row = -1} : find_fastest(world);
    const double zero[3] = {0},
                 *x = fastest.row >= 0 ? mo_f64(fastest.system->columns.x) + 3 * fastest.row : zero;
    char name[NAME_SIZE];
    name_particle(fastest, name);
    mo_warn(&world->warnings, &world->log, world->clock.time, kind, "%s; the fastest is %s at [%g, %g, %g] m",
            text, name, x[0], x[1], x[2]);
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

void mo_watch_strays(mote_world *world, const mo_strays *strays)
{
    bool said = mo_warned(&world->warnings, "strays");
    particle fastest = said ? (particle){.row = -1} : find_fastest(world);
    bool fluid = fastest.row >= 0 && strcmp(fastest.system->type->name, "fluid") == 0;
    mo_vec3 x = {0, 0, 0}, v = {0, 0, 0};
    char name[NAME_SIZE];
    if (fastest.row >= 0) {
        x = mo_vec3_load(mo_f64(fastest.system->columns.x) + 3 * fastest.row);
        v = mo_vec3_load(mo_f64(fastest.system->columns.v) + 3 * fastest.row);
    }
    name_particle(fastest, name);
    mo_warn(
        &world->warnings, &world->log, world->clock.time, "strays",
        "%.0f of %.0f particles are so much faster than the others that the step has been %.2g times shorter "
        "than those need, for %d steps; the fastest is %s at [%g, %g, %g] m with %.3g m/s; "
        "nothing is wrong if it is to be so fast, else %s or set time.step.min",
        strays->count, strays->rows, strays->factor, strays->steps, name, x.x, x.y, x.z, mo_length(v),
        fluid ? "remove it by fluid.remove" : "bound its speed by speed_limit");
}

/* The row of a plane body that is fastest across the plane; -1: none is. */
static int64_t leaves_plane(const mo_system *s, const mo_forces *forces, uint8_t *flat)
{
    const double *v = mo_f64(s->columns.v);
    int64_t found = -1;
    double most = 0;
    for (int k = 0; k < forces->force_count; ++k) {
        const mo_force *force = &forces->forces[k];
        if (force->type->statics && force->type->statics->mark_planar) {
            force->type->statics->mark_planar(force->instance, flat);
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
                body_of(s, row), mo_f64(s->columns.v)[3 * row + 2]);
    }
    mo_release(&world->memory, flat);
    return MOTE_OK;
}
