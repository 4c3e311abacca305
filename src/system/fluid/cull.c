/*
 * Removes particles of a fill whose centre is inside a solid or an earlier fill, or closer than
 * half a spacing to an existing particle. Remaining particles closer to a solid than half a
 * spacing, as along curved and oblique faces, are relaxed before the start (relax.c).
 *
 * Counting centres at a curved solid gives a mass error of some percent of a layer, which
 * over-fills closed domains. So where solids intersect a fill, or are closer to it than half a
 * spacing, the particle mass is set from the volume outside solids and earlier fills.
 */
#include "geometry/shape/filling.h"
#include "geometry/shape/volume.h"
#include "system/fluid/fluid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BATCH = 256 };

/* Tolerance for a lattice at exactly the clearance. */
static const double SLACK = 1e-3;

/* Whether all of these points are farther than `reach` from the solid, by its bounds. */
static bool are_apart(const mo_collider *c, double reach, int64_t count, const double *x)
{
    bool apart = false;
    for (int axis = 0; c->bounded && !c->inside && axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t k = 0; k < count; ++k) {
            low = fmin(low, x[3 * k + axis]);
            high = fmax(high, x[3 * k + axis]);
        }
        apart = apart || low > c->high[axis] + reach || high < c->low[axis] - reach;
    }
    return apart;
}

static int64_t mark_in_solid(const mo_collider *c, double radius, int64_t count, const double *x,
                             uint8_t *removed, bool *near)
{
    double gap[BATCH];
    int64_t marked = 0;
    for (int64_t first = 0; first < count; first += BATCH) {
        int64_t n = count - first < BATCH ? count - first : BATCH;
        if (are_apart(c, radius, n, x + 3 * first)) {
            continue;
        }
        mo_collider_gaps(c, n, x + 3 * first, gap, NULL);
        for (int64_t k = 0; k < n; ++k) {
            bool inside = gap[k] <= 0 && !removed[first + k];
            *near = *near || (gap[k] > 0 && gap[k] < radius * (1 - SLACK));
            removed[first + k] |= inside;
            marked += inside;
        }
    }
    return marked;
}

static int64_t mark_in_shape(mo_method shape, int64_t count, const double *x, uint8_t *removed)
{
    double distance[BATCH];
    int64_t marked = 0;
    for (int64_t first = 0; first < count; first += BATCH) {
        int64_t n = count - first < BATCH ? count - first : BATCH;
        mo_shape_distances(shape, n, x + 3 * first, distance, NULL);
        for (int64_t k = 0; k < n; ++k) {
            bool inside = distance[k] < 0 && !removed[first + k];
            removed[first + k] |= inside;
            marked += inside;
        }
    }
    return marked;
}

/* Points close to an existing row. */
static mote_status mark_near(mo_fluid *f, int64_t count, const double *x, uint8_t *removed,
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
            !removed[k] && mo_search_exists(search, set, mo_vec3_load(x + 3 * k), 0.5 * f->spacing);
        removed[k] |= near;
        *marked += near;
    }
    mo_search_destroy(search);
    return status;
}

/* The shapes that were filled before shape `last` of phase `phase`. */
static int64_t mark_filled(const mo_fluid_def *def, int64_t phase, int64_t last, int64_t count,
                           const double *x, uint8_t *removed)
{
    const mo_phase_def *phases = def->phases.items;
    int64_t marked = 0;
    for (int64_t p = 0; p <= phase; ++p) {
        const mo_method *shapes = phases[p].fill.items;
        for (int64_t k = 0; k < (p < phase ? phases[p].fill.count : last); ++k) {
            marked += mark_in_shape(shapes[k], count, x, removed);
        }
    }
    return marked;
}

/* ---- remaining volume ---- */

typedef struct left {
    const mo_fluid_def *def;
    const mo_colliders *colliders;
    mo_method shape; /* no type: all of the bounds */
    int64_t phase, fill;
} left;

static void intersect(double distance, mo_vec3 normal, double sign, double *most, mo_vec3 *n)
{
    if (sign * distance > *most) {
        *most = sign * distance;
        *n = mo_scale(sign, normal);
    }
}

static void intersect_shape(mo_method shape, mo_vec3 x, double sign, double *most, mo_vec3 *n)
{
    double at[3], distance, normal[3];
    mo_vec3_store(at, x);
    mo_shape_distances(shape, 1, at, &distance, normal);
    intersect(distance, mo_vec3_load(normal), sign, most, n);
}

/* Inside the shape, outside solids and earlier fills. */
static double distance_from_left(const void *context, mo_vec3 x, mo_vec3 *n)
{
    const left *l = context;
    const mo_phase_def *phases = l->def->phases.items;
    double most = -INFINITY;
    *n = mo_vec3_make(0, 0, 0);
    if (l->shape.type) {
        intersect_shape(l->shape, x, 1, &most, n);
    }
    for (int64_t c = 0; c < l->colliders->count; ++c) {
        mo_vec3 normal;
        double gap = mo_collider_gap(&l->colliders->list[c], x, &normal);
        intersect(gap, normal, -1, &most, n);
    }
    for (int64_t p = 0; p <= l->phase; ++p) {
        const mo_method *shapes = phases[p].fill.items;
        for (int64_t k = 0; k < (p < l->phase ? phases[p].fill.count : l->fill); ++k) {
            intersect_shape(shapes[k], x, -1, &most, n);
        }
    }
    return most;
}

/* Cells of the integral, in spacings; and the limits of a particle's volume relative to its
 * cell. */
static const double LEAF = 0.25, SMALLEST = 0.5, LARGEST = 1.25;

/* The integral evaluates every solid at every point; with more solids than this particles keep
 * their lattice cells. */
static const int64_t MOST_SOLIDS = 64;

static mote_status share_volume(mo_fluid_system *fluid, int64_t phase, int64_t fill,
                                mo_fill_points *points, mote_error *error)
{
    const mo_fluid_def *def = fluid->fluid.def;
    const mo_phase_def *p = (const mo_phase_def *)def->phases.items + phase;
    left l = {def, fluid->system->host->colliders, {0}, phase, fill};
    double volume;
    if (!points->tiled) {
        l.shape = ((const mo_method *)p->fill.items)[fill];
    }
    MO_TRY(mo_region_volume(distance_from_left, &l, points->low, points->high, (int)def->dimension,
                            LEAF * def->spacing, fluid->fluid.pool, &volume, error));
    double each = points->count > 0 ? volume / (double)points->count : 0;
    if (each > SMALLEST * points->cell && each < LARGEST * points->cell) {
        points->cell = each;
    }
    return MOTE_OK;
}

/* ---- messages ---- */

typedef struct filled {
    mo_warner warner;
    const mo_fluid_fill *fill;
    int64_t count;
    const char *name;
} filled;

/* `removed` particles; `by` identifies the reason, which the text states with its remedy. */
static void report_removal(const filled *f, int64_t removed, int64_t by, const char *why)
{
    char kind[40];
    snprintf(kind, sizeof kind, "culled %s %d %d %d", f->fill->key, (int16_t)f->fill->phase,
             (int16_t)f->fill->number, (int16_t)by);
    if (removed > 0) {
        mo_warn(
            f->warner.warnings, f->warner.log, 0, kind,
            "fluid.phases[%lld].%s[%lld]: removed %lld of %lld particles of '%.60s' at start: %s",
            (long long)f->fill->phase, f->fill->key, (long long)f->fill->number, (long long)removed,
            (long long)f->count, f->name, why);
    }
}

static void warn_about_collider(const filled *f, int64_t removed, int64_t collider,
                                const char *name)
{
    char why[256];
    snprintf(why, sizeof why, "inside collider '%.60s'", name);
    report_removal(f, removed, collider, why);
}

mote_status mo_fluid_system_cull(mo_fluid_system *fluid, const mo_fluid_fill *fill,
                                 mo_fill_points *points, mote_error *error)
{
    const mo_fluid_def *def = fluid->fluid.def;
    const mo_phase_def *p = (const mo_phase_def *)def->phases.items + fill->phase;
    const mo_colliders *colliders = fluid->system->host->colliders;
    int64_t count = points->count, kept = 0, near = 0, inside = 0;
    double *x = points->x;
    filled f = {fluid->warner, fill, count, p->name ? p->name : "fluid"};
    bool near_solids = false;
    void *block;
    MO_TRY(mo_allocate_array(fluid->fluid.memory, count, 1, &block, error));
    uint8_t *removed = block;
    for (int64_t c = 0; c < colliders->count; ++c) {
        int64_t own =
            mark_in_solid(&colliders->list[c], 0.5 * def->spacing, count, x, removed, &near_solids);
        warn_about_collider(&f, own, c, colliders->list[c].name);
        inside += own;
    }
    near = mark_filled(def, fill->phase, fill->shapes_first, count, x, removed);
    mote_status status = mark_near(&fluid->fluid, count, x, removed, &near, error);
    report_removal(
        &f, near, -1,
        "inside an earlier fill, or closer than half a spacing to its particles; move one of them "
        "if the overlap is not intended");
    for (int64_t k = 0; k < count; ++k) {
        if (!removed[k]) {
            memmove(x + 3 * kept++, x + 3 * k, 3 * sizeof *x);
        }
    }
    fluid->summary.culled += count - kept;
    fluid->near_solids = fluid->near_solids || near_solids;
    points->count = kept;
    mo_release(fluid->fluid.memory, block);
    bool shape = strcmp(fill->key, "fill") == 0;
    if (status == MOTE_OK && shape && colliders->count <= MOST_SOLIDS &&
        (near_solids || inside > 0)) {
        status = share_volume(fluid, fill->phase, fill->number, points, error);
    }
    return status;
}

/* Openings are not moved out of solids; particles emitted inside one are projected to the nearest
 * surface. */
mote_status mo_fluid_system_check_nozzles(mo_fluid_system *fluid, mote_error *error)
{
    const mo_colliders *colliders = fluid->system->host->colliders;
    for (int k = 0; k < fluid->emitters.count; ++k) {
        mo_nozzle *n = &fluid->emitters.nozzles[k];
        mo_nozzle_position_layer(n, 0, 0);
        for (int64_t c = 0; c < colliders->count; ++c) {
            void *block;
            char kind[32];
            MO_TRY(mo_allocate_array(fluid->fluid.memory, n->count, 1, &block, error));
            bool near = false;
            int64_t inside = mark_in_solid(&colliders->list[c], 0, n->count, n->x, block, &near);
            mo_release(fluid->fluid.memory, block);
            snprintf(kind, sizeof kind, "emitter %d in %d", (int16_t)k, (int16_t)c);
            if (inside > 0) {
                mo_warn(
                    fluid->warner.warnings, fluid->warner.log, 0, kind,
                    "fluid.emitters[%d]: %lld of the %lld particles of its opening start inside "
                    "collider '%s'; move its opening, or make it smaller",
                    k, (long long)inside, (long long)n->count, colliders->list[c].name);
            }
        }
    }
    return MOTE_OK;
}
