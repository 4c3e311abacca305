#include "geometry/filling.h"

#include <string.h>

enum { GRAIN = 256, BATCH = 128 };

/* A point this near to a limit (in spacings) is at it. */
static const double SLACK = 1e-6;

mo_filling mo_filling_make(double spacing, int dimension)
{
    return (mo_filling){.spacing = spacing, .dimension = dimension, .offset = {0.5, 0.5, 0.5}};
}

void mo_points_init(mo_points *points, mo_memory *memory)
{
    *points = (mo_points){.memory = memory};
}

void mo_points_release(mo_points *points)
{
    mo_release(points->memory, points->x);
    mo_points_init(points, points->memory);
}

/* ---- lattices ---- */

/* Dense ones: in 2D rows of step a, a sqrt(3)/2 apart, every second shifted by a/2; in 3D layers of squares of side a,
   a/sqrt(2) apart, every second shifted by a/2 along both sides: that is the face-centred cubic lattice, turned. */
typedef struct lattice {
    double origin[3], step[3];
    int64_t count[3];
    bool dense, flat;
} lattice;

/* The distance of neighbours that gives each point the volume spacing^dimension. */
static void set_steps(lattice *l, const mo_filling *how)
{
    double d = how->spacing;
    if (how->lattice == MO_FILL_CUBIC) {
        l->step[0] = l->step[1] = l->step[2] = d;
    } else if (l->flat) { /* a * a sqrt(3)/2 = d^2 */
        l->step[0] = d * sqrt(2 / sqrt(3.0));
        l->step[1] = l->step[0] * sqrt(3.0) / 2;
        l->step[2] = d;
    } else { /* squares of side a, a/sqrt(2) apart: a^3/sqrt(2) = d^3 */
        l->step[0] = l->step[1] = d * cbrt(sqrt(2.0));
        l->step[2] = l->step[0] / sqrt(2.0);
    }
}

static mo_vec3 lattice_point(const lattice *l, int64_t i, int64_t j, int64_t k)
{
    double shift_x = 0, shift_y = 0;
    if (l->dense && l->flat) {
        shift_x = j & 1 ? 0.5 : 0;
    } else if (l->dense) {
        shift_x = shift_y = k & 1 ? 0.5 : 0;
    }
    return mo_vec3_make(l->origin[0] + l->step[0] * ((double)i + shift_x),
                        l->origin[1] + l->step[1] * ((double)j + shift_y),
                        l->flat ? 0 : l->origin[2] + l->step[2] * (double)k);
}

/* Whether a shape's bounds are the shape: all their corners are on its surface. */
static bool fills_its_bounds(mo_method shape, mo_vec3 low, mo_vec3 high, const mo_filling *how)
{
    for (int k = 0; k < 8; ++k) {
        double x[3] = {k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z}, distance;
        mo_shape_distances(shape, 1, x, &distance, NULL);
        if (!(fabs(distance) <= SLACK * how->spacing)) {
            return false;
        }
    }
    return true;
}

static void place_lattice(lattice *l, mo_method shape, mo_vec3 low, mo_vec3 high, const mo_filling *how)
{
    bool box = fills_its_bounds(shape, low, high, how);
    set_steps(l, how);
    for (int axis = 0; axis < 3; ++axis) {
        double from = mo_vec3_at(low, axis), to = mo_vec3_at(high, axis);
        double steps = floor((to - from) / l->step[axis] + SLACK);
        double rest = box ? 0 : 0.5 * (to - from - steps * l->step[axis]);
        l->origin[axis] = from + rest + mo_vec3_at(how->offset, axis) * l->step[axis];
        l->count[axis] = steps < 0x1p31 ? (int64_t)steps : INT64_C(1) << 31;
        if (!box) { /* the rest may hold points too */
            l->origin[axis] -= l->step[axis];
            l->count[axis] += 2;
        }
    }
    if (l->flat) {
        l->count[2] = low.z <= 0 && high.z >= 0;
    }
}

/* ---- what is inside ---- */

typedef struct filling {
    mo_method shape;
    const mo_filling *how;
    const lattice *lattice;
    int64_t *found; /* of each row, and then where its points go */
    double *x;      /* NULL: only count */
} filling;

/* A distance tells of more than one point: within it nothing changes sides. So points are asked for one by one, and as many
   of the next as are surely on the same side are not. */
static void fill_row(const filling *f, int64_t row)
{
    const lattice *l = f->lattice;
    int64_t j = row % l->count[1], k = row / l->count[1], found = 0;
    double limit = SLACK * f->how->spacing - f->how->margin;
    for (int64_t i = 0; i < l->count[0];) {
        double x[3], distance;
        mo_vec3_store(x, lattice_point(l, i, j, k));
        mo_shape_distances(f->shape, 1, x, &distance, NULL);
        double same = floor((1 - 1e-9) * fabs(distance - limit) / l->step[0]); /* so many after this one */
        int64_t rest = l->count[0] - i, run = same < (double)rest - 1 ? (int64_t)same + 1 : rest;
        for (int64_t n = 0; n < run && f->x && distance <= limit; ++n) {
            mo_vec3_store(f->x + 3 * (f->found[row] + found + n), lattice_point(l, i + n, j, k));
        }
        found += distance <= limit ? run : 0;
        i += run;
    }
    if (!f->x) {
        f->found[row] = found;
    }
}

static void fill_range(void *context, int64_t first, int64_t last)
{
    for (int64_t row = first; row < last; ++row) {
        fill_row(context, row);
    }
}

/* Counts, makes room, fills: each row knows where its points go. */
static mote_status fill_rows(filling *f, mo_points *points, mote_error *error)
{
    int64_t rows = f->lattice->count[1] * f->lattice->count[2], total = points->count;
    void *found;
    MO_TRY(mo_allocate_array(points->memory, rows, sizeof *f->found, &found, error));
    f->found = found;
    mo_parallel_for(f->how->pool, rows, GRAIN, fill_range, f);
    for (int64_t row = 0; row < rows; ++row) {
        int64_t count = f->found[row];
        f->found[row] = total;
        total += count;
    }
    mote_status status =
        mo_grow(points->memory, (void **)&points->x, &points->room, total + 1, 3 * sizeof *points->x, error);
    if (status == MOTE_OK) {
        f->x = points->x;
        mo_parallel_for(f->how->pool, rows, GRAIN, fill_range, f);
        points->count = total;
    }
    mo_release(points->memory, found);
    return status;
}

mote_status mo_fill_shape(mo_method shape, const mo_filling *how, mo_points *points, mote_error *error)
{
    mo_vec3 low, high;
    if (!(how->spacing > 0) || !isfinite(how->spacing)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "fill: points need a spacing above 0, not %g", how->spacing);
    }
    if (!((const mo_shape_type *)shape.type)->bounds(shape.params, &low, &high)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "fill: a %s has no end and cannot be filled; take a box, a sphere or a mesh",
                       shape.type->name);
    }
    lattice l = {.dense = how->lattice == MO_FILL_DENSE, .flat = how->dimension == 2};
    place_lattice(&l, shape, low, high, how);
    double cells = (double)l.count[0] * (double)l.count[1] * (double)l.count[2];
    if (cells > 16.0 * INT32_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "fill: %.3g points of the lattice would be looked at, with a spacing of %g; allowed: "
                       "%.3g; take a "
                       "larger spacing",
                       cells, how->spacing, 16.0 * INT32_MAX);
    }
    filling f = {.shape = shape, .how = how, .lattice = &l};
    return fill_rows(&f, points, error);
}

/* ---- solids in the way ---- */

typedef struct culling {
    const mo_points *points;
    int64_t first;
    const mo_fill_solid *solids;
    int64_t solid_count;
    double limit;
    bool *gone;
} culling;

static void cull_batch(const culling *c, const mo_fill_solid *solid, int64_t first, int64_t count)
{
    double local[3 * BATCH] = {0}, distance[BATCH];
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 x = mo_vec3_load(c->points->x + 3 * (c->first + first + k));
        mo_vec3_store(local + 3 * k, mo_pose_undo(&solid->pose, x));
    }
    mo_shape_distances(solid->shape, count, local, distance, NULL);
    for (int64_t k = 0; k < count; ++k) {
        c->gone[first + k] = c->gone[first + k] || (solid->inside ? -distance[k] : distance[k]) < c->limit;
    }
}

static void cull_range(void *context, int64_t first, int64_t last)
{
    const culling *c = context;
    for (int64_t k = first; k < last; k += BATCH) {
        int64_t count = last - k < BATCH ? last - k : BATCH;
        for (int64_t s = 0; s < c->solid_count; ++s) {
            cull_batch(c, &c->solids[s], k, count);
        }
    }
}

mote_status mo_fill_cull(mo_points *points, int64_t first, const mo_fill_solid *solids, int64_t count,
                         double clearance, mo_pool *pool, int64_t *culled, mote_error *error)
{
    int64_t rows = points->count - first, kept = first;
    void *gone;
    *culled = 0;
    MO_TRY(mo_allocate_array(points->memory, rows, sizeof(bool), &gone, error));
    culling c = {.points = points,
                 .first = first,
                 .solids = solids,
                 .solid_count = count,
                 .limit = clearance * (1 - SLACK), /* rounding does not cull what is just far enough */
                 .gone = gone};
    mo_parallel_for(pool, rows, (int64_t)GRAIN * BATCH, cull_range, &c);
    for (int64_t k = 0; k < rows; ++k) {
        if (!c.gone[k]) {
            memmove(points->x + 3 * kept++, points->x + 3 * (first + k), 3 * sizeof *points->x);
        }
    }
    *culled = points->count - kept;
    points->count = kept;
    mo_release(points->memory, gone);
    return MOTE_OK;
}
