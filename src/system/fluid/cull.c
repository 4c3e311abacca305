/*
 * Which of the particles that a shape is filled with stay: not those whose centre is inside a
 * solid, not those inside a shape that was filled before, and not those that are nearer than half a
 * spacing to a particle that is there. So the mass is that of the volume outside of solids, to a
 * layer of cells. Particles that stay and are nearer to a solid than half a spacing, as along
 * curved and slanted faces, are moved away from it before the start (relax.c).
 */
#include "geometry/shape/shape.h"
#include "system/fluid/fluid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BATCH = 256 };

/* A lattice that just touches a wall stays. */
static const double SLACK = 1e-3;

static int64_t mark_in_solid(const mo_collider *c, double radius, int64_t count, const double *x,
                             uint8_t *gone, bool *near)
{
    double gap[BATCH];
    int64_t marked = 0;
    for (int64_t first = 0; first < count; first += BATCH) {
        int64_t n = count - first < BATCH ? count - first : BATCH;
        mo_collider_gaps(c, n, x + 3 * first, gap, NULL);
        for (int64_t k = 0; k < n; ++k) {
            bool inside = gap[k] <= 0 && !gone[first + k];
            *near = *near || (gap[k] > 0 && gap[k] < radius * (1 - SLACK));
            gone[first + k] |= inside;
            marked += inside;
        }
    }
    return marked;
}

static int64_t mark_in_shape(mo_method shape, int64_t count, const double *x, uint8_t *gone)
{
    double distance[BATCH];
    int64_t marked = 0;
    for (int64_t first = 0; first < count; first += BATCH) {
        int64_t n = count - first < BATCH ? count - first : BATCH;
        mo_shape_distances(shape, n, x + 3 * first, distance, NULL);
        for (int64_t k = 0; k < n; ++k) {
            bool inside = distance[k] < 0 && !gone[first + k];
            gone[first + k] |= inside;
            marked += inside;
        }
    }
    return marked;
}

/* Those near to a row that is there. */
static mote_status mark_near(mo_fluid *f, int64_t count, const double *x, uint8_t *gone,
                             int64_t *marked, mote_error *error)
{
    mo_search *search;
    mo_search_set there = {mo_store_owned(f->store), mo_f64(f->columns.x)};
    int set;
    if (there.rows == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_search_create((mo_method){0}, &f->domain, f->memory, &search, error));
    mote_status status = mo_search_add_set(search, 0.5 * f->spacing, &set, error);
    status = status == MOTE_OK ? mo_search_build(search, &there, f->pool, error) : status;
    for (int64_t k = 0; status == MOTE_OK && k < count; ++k) {
        bool near =
            !gone[k] && mo_search_exists(search, set, mo_vec3_load(x + 3 * k), 0.5 * f->spacing);
        gone[k] |= near;
        *marked += near;
    }
    mo_search_destroy(search);
    return status;
}

/* The shapes that were filled before shape `last` of phase `phase`. */
static int64_t mark_filled(const mo_fluid_def *def, int64_t phase, int64_t last, int64_t count,
                           const double *x, uint8_t *gone)
{
    const mo_phase_def *phases = def->phases.items;
    int64_t marked = 0;
    for (int64_t p = 0; p <= phase; ++p) {
        const mo_method *shapes = phases[p].fill.items;
        for (int64_t k = 0; k < (p < phase ? phases[p].fill.count : last); ++k) {
            marked += mark_in_shape(shapes[k], count, x, gone);
        }
    }
    return marked;
}

typedef struct filled {
    mo_warner warner;
    int64_t phase, fill, count;
    const char *name;
} filled;

/* `removed` particles; `by` numbers why, which the rest of the text says with its remedy. */
static void tell(const filled *f, int64_t removed, int64_t by, const char *why)
{
    char kind[32];
    snprintf(kind, sizeof kind, "culled %d %d %d", (int16_t)f->phase, (int16_t)f->fill,
             (int16_t)by);
    if (removed > 0) {
        mo_warn(
            f->warner.warnings, f->warner.log, 0, kind,
            "fluid.phases[%lld].fill[%lld]: removed %lld of %lld particles of '%.60s' at start: %s",
            (long long)f->phase, (long long)f->fill, (long long)removed, (long long)f->count,
            f->name, why);
    }
}

static void tell_of_collider(const filled *f, int64_t removed, int64_t collider, const char *name)
{
    char why[256];
    snprintf(why, sizeof why, "inside collider '%.60s'", name);
    tell(f, removed, collider, why);
}

mote_status mo_fluid_cull(mo_fluid_system *fluid, int64_t phase, int64_t fill, int64_t *count,
                          double *x, mote_error *error)
{
    const mo_fluid_def *def = fluid->fluid.def;
    const mo_phase_def *p = (const mo_phase_def *)def->phases.items + phase;
    const mo_colliders *colliders = fluid->system->host->colliders;
    filled f = {fluid->warner, phase, fill, *count, p->name ? p->name : "fluid"};
    int64_t kept = 0, near = 0;
    void *block;
    MO_TRY(mo_allocate_array(fluid->fluid.memory, *count, 1, &block, error));
    uint8_t *gone = block;
    for (int64_t c = 0; c < colliders->count; ++c) {
        int64_t inside = mark_in_solid(&colliders->list[c], 0.5 * def->spacing, *count, x, gone,
                                       &fluid->near_solids);
        tell_of_collider(&f, inside, c, colliders->list[c].name);
    }
    near = mark_filled(def, phase, fill, *count, x, gone);
    mote_status status = mark_near(&fluid->fluid, *count, x, gone, &near, error);
    tell(
        &f, near, -1,
        "inside a fill that comes before it, or closer than half a spacing to its particles; move one of "
        "them if "
        "they are not meant to overlap");
    for (int64_t k = 0; k < *count; ++k) {
        if (!gone[k]) {
            memmove(x + 3 * kept++, x + 3 * k, 3 * sizeof *x);
        }
    }
    fluid->summary.culled += *count - kept;
    *count = kept;
    mo_release(fluid->fluid.memory, block);
    return status;
}

/* Openings are not moved out of solids; what comes out of one there is put back by the nearest
 * wall, somewhere. */
mote_status mo_fluid_check_nozzles(mo_fluid_system *fluid, mote_error *error)
{
    const mo_colliders *colliders = fluid->system->host->colliders;
    for (int k = 0; k < fluid->emitters.count; ++k) {
        const mo_nozzle *n = &fluid->emitters.nozzles[k];
        for (int64_t c = 0; c < colliders->count; ++c) {
            void *block;
            char kind[32];
            MO_TRY(mo_allocate_array(fluid->fluid.memory, n->count, 1, &block, error));
            bool near = false;
            int64_t inside =
                mark_in_solid(&colliders->list[c], 0, n->count, n->points, block, &near);
            mo_release(fluid->fluid.memory, block);
            snprintf(kind, sizeof kind, "emitter %d in %d", (int16_t)k, (int16_t)c);
            if (inside > 0) {
                mo_warn(
                    fluid->warner.warnings, fluid->warner.log, 0, kind,
                    "fluid.emitters[%d]: %lld of the %lld particles of its opening begin inside the "
                    "solid '%s'; "
                    "move its center, or make it smaller",
                    k, (long long)inside, (long long)n->count, colliders->list[c].name);
            }
        }
    }
    return MOTE_OK;
}
