#include "geometry/hierarchy/hierarchy.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 64, POINT_GRAIN = 1024 }; /* blocks of eight volumes, primitives */

void mo_hierarchy_init(mo_hierarchy *h, const mo_bound_type *bound, mo_memory *memory)
{
    *h = (mo_hierarchy){.memory = memory, .bound = bound};
    mo_radix_init(&h->radix, memory);
}

void mo_hierarchy_release(mo_hierarchy *h)
{
    mo_release(h->memory, h->block);
    mo_release(h->memory, h->order);
    mo_release(h->memory, h->middle);
    mo_release(h->memory, h->size);
    mo_release(h->memory, h->point);
    mo_radix_release(&h->radix);
    mo_hierarchy_init(h, h->bound, h->memory);
}

/* ---- volumes, layer by layer ---- */

typedef struct fitting {
    mo_hierarchy *h;
    int layer;
    int64_t span; /* primitives below a lane of this layer */
} fitting;

static int64_t items_of(const mo_hierarchy *h, int layer)
{
    return layer == 0 ? h->count : mo_hierarchy_blocks(h, layer - 1);
}

static float *block_at(const mo_hierarchy *h, int layer, int64_t block)
{
    return h->block + (h->first[layer] + block) * h->bound->scalars * MO_BOUND_LANES;
}

static void clear_lanes(const mo_hierarchy *h, float *block, int from)
{
    for (int k = 0; k < h->bound->scalars; ++k) {
        for (int lane = from; lane < MO_BOUND_LANES; ++lane) {
            block[MO_BOUND_LANES * k + lane] = NAN;
        }
    }
}

static void fit_leaf(mo_hierarchy *h, int64_t slot)
{
    double points[3 * MO_SIMPLEX_POINTS_MAX], volume[MO_BOUND_SCALARS_MAX];
    int32_t primitive = h->order[slot];
    int count = mo_simplex_points(&h->set, primitive, h->origin, points);
    if (h->set.boxes && h->bound == &mo_bound_aabb) { /* two opposite corners are enough */
        memcpy(points + 3, points + 21, 3 * sizeof *points);
        count = 2;
    }
    h->bound->enclose(count, points, volume);
    if (h->set.margin > 0) {
        h->bound->inflate(volume, h->set.margin);
    }
    h->bound->store(volume, block_at(h, 0, slot / MO_BOUND_LANES), (int)(slot % MO_BOUND_LANES));
}

/* A volume of a layer from those of the layer below. */
static void join_children(mo_hierarchy *h, int layer, int64_t child)
{
    double children[MO_BOUND_LANES * MO_BOUND_SCALARS_MAX], volume[MO_BOUND_SCALARS_MAX];
    float *block = block_at(h, layer, child / MO_BOUND_LANES);
    int count = mo_hierarchy_lanes(h, layer - 1, child), lane = (int)(child % MO_BOUND_LANES);
    for (int k = 0; k < count; ++k) {
        h->bound->load(block_at(h, layer - 1, child), k, children + h->bound->scalars * k);
    }
    h->bound->load(block, lane, volume);
    h->bound->join(count, children, volume);
    h->bound->store(volume, block, lane);
}

static void fit_leaves(void *context, int64_t first, int64_t last)
{
    const fitting *f = context;
    for (int64_t b = first; b < last; ++b) {
        int lanes = mo_hierarchy_lanes(f->h, 0, b);
        for (int lane = 0; lane < lanes; ++lane) {
            fit_leaf(f->h, MO_BOUND_LANES * b + lane);
        }
        clear_lanes(f->h, block_at(f->h, 0, b), lanes);
    }
}

static void join_layer(void *context, int64_t first, int64_t last)
{
    const fitting *f = context;
    for (int64_t b = first; b < last; ++b) {
        int lanes = mo_hierarchy_lanes(f->h, f->layer, b);
        for (int lane = 0; lane < lanes; ++lane) {
            join_children(f->h, f->layer, MO_BOUND_LANES * b + lane);
        }
        clear_lanes(f->h, block_at(f->h, f->layer, b), lanes);
    }
}

/* The same from the points of all primitives below. */
static void enclose_all(void *context, int64_t first, int64_t last)
{
    const fitting *f = context;
    mo_hierarchy *h = f->h;
    int points = mo_simplex_point_count(&h->set);
    double volume[MO_BOUND_SCALARS_MAX];
    for (int64_t b = first; b < last; ++b) {
        float *block = block_at(h, f->layer, b);
        int lanes = mo_hierarchy_lanes(h, f->layer, b);
        for (int lane = 0; lane < lanes; ++lane) {
            int64_t from = (MO_BOUND_LANES * b + lane) * f->span;
            int64_t count = h->count - from < f->span ? h->count - from : f->span;
            h->bound->enclose(count * points, h->point + 3 * from * points, volume);
            if (h->set.margin > 0) {
                h->bound->inflate(volume, h->set.margin);
            }
            h->bound->store(volume, block, lane);
        }
        clear_lanes(h, block, lanes);
    }
}

static void gather_points(void *context, int64_t first, int64_t last)
{
    mo_hierarchy *h = context;
    int points = mo_simplex_point_count(&h->set);
    double own[3 * MO_SIMPLEX_POINTS_MAX];
    for (int64_t k = first; k < last; ++k) {
        mo_simplex_points(&h->set, h->order[k], h->origin, own);
        memcpy(h->point + 3 * k * points, own, 3 * (size_t)points * sizeof *own);
    }
}

static void fit(mo_hierarchy *h, bool from_points, mo_pool *pool)
{
    fitting f = {.h = h, .span = 1};
    if (h->count == 0) {
        return;
    }
    mo_parallel_for(pool, mo_hierarchy_blocks(h, 0), GRAIN, fit_leaves, &f);
    for (f.layer = 1; f.layer < h->layers; ++f.layer) {
        f.span *= MO_BOUND_LANES;
        mo_parallel_for(pool, mo_hierarchy_blocks(h, f.layer), from_points ? 1 : GRAIN,
                        from_points ? enclose_all : join_layer, &f);
    }
}

/* ---- building ---- */

mote_status mo_hierarchy_reserve(mo_hierarchy *h, int64_t count, mote_error *error)
{
    int64_t items = count, sum = 0;
    if (count > INT32_MAX / MO_BOUND_LANES) {
        return mo_fail(error, MOTE_ERROR_INPUT, "a hierarchy has at most %d primitives",
                       INT32_MAX / MO_BOUND_LANES);
    }
    h->count = count;
    h->layers = 0;
    for (bool top = count == 0; !top;) {
        int64_t blocks = (items + MO_BOUND_LANES - 1) / MO_BOUND_LANES;
        top = items == 1 && h->layers > 0;
        sum += blocks;
        h->first[++h->layers] = sum;
        items = blocks;
    }
    MO_TRY(mo_reserve(h->memory, &h->order, &h->order_capacity, count, sizeof *h->order, error));
    return mo_reserve(h->memory, &h->block, &h->block_capacity,
                      sum * h->bound->scalars * MO_BOUND_LANES, sizeof *h->block, error);
}

static void find_middles(void *context, int64_t first, int64_t last)
{
    mo_hierarchy *h = context;
    for (int64_t k = first; k < last; ++k) {
        mo_box box = mo_simplex_box(&h->set, k);
        double x[3], size = 0;
        for (int axis = 0; axis < 3; ++axis) {
            x[axis] = 0.5 * box.low[axis] + 0.5 * box.high[axis];
            double extent = box.high[axis] - box.low[axis];
            size = extent > size ? extent : size;
        }
        h->middle[k] = mo_vec3_load(x);
        h->size[k] = size;
        h->order[k] = (int32_t)k;
    }
}

static mote_status put_in_order(mo_hierarchy *h, mo_hierarchy_order order, mo_pool *pool,
                                mote_error *error)
{
    int64_t count = h->set.count;
    MO_TRY(mo_hierarchy_reserve(h, count, error));
    MO_TRY(mo_reserve(h->memory, &h->middle, &h->middle_capacity, count, sizeof *h->middle, error));
    MO_TRY(mo_reserve(h->memory, &h->size, &h->size_capacity, count, sizeof *h->size, error));
    mo_parallel_for(pool, count, POINT_GRAIN, find_middles, h);
    mo_vec3 centre = mo_order_centre(count, h->middle, h->size);
    h->origin = h->keep_origin ? h->origin : centre;
    if (order == MO_HIERARCHY_MEDIAN) {
        mo_order_by_medians(h->order, count, h->middle);
        return MOTE_OK;
    }
    MO_TRY(mo_radix_resize(&h->radix, count, error));
    mo_order_by_morton(h->order, count, h->middle, h->size, centre, &h->radix, pool);
    return MOTE_OK;
}

mote_status mo_hierarchy_build(mo_hierarchy *h, const mo_simplices *set, mo_hierarchy_order order,
                               mo_pool *pool, mote_error *error)
{
    h->set = *set;
    if (order != MO_HIERARCHY_GIVEN) {
        MO_TRY(put_in_order(h, order, pool, error));
    }
    if (!h->bound->joins_tight) {
        int64_t points = h->count * mo_simplex_point_count(set);
        MO_TRY(mo_reserve(h->memory, &h->point, &h->point_capacity, 3 * points, sizeof *h->point,
                          error));
        mo_parallel_for(pool, h->count, POINT_GRAIN, gather_points, h);
    }
    fit(h, !h->bound->joins_tight, pool);
    return MOTE_OK;
}

void mo_hierarchy_refit(mo_hierarchy *h, const mo_simplices *set, mo_pool *pool)
{
    h->set = *set;
    fit(h, false, pool);
}

void mo_hierarchy_refit_one(mo_hierarchy *h, int64_t slot)
{
    fit_leaf(h, slot);
    for (int layer = 1; layer < h->layers; ++layer) {
        slot /= MO_BOUND_LANES;
        join_children(h, layer, slot);
    }
}

/* ---- quality ---- */

mo_hierarchy_quality mo_hierarchy_examine(const mo_hierarchy *h)
{
    mo_hierarchy_quality q = {.layers = h->layers, .depth_min = h->layers, .depth_max = h->layers};
    double volume[MO_BOUND_SCALARS_MAX], sum = 0;
    int64_t inner = 0, blocks = 0;
    for (int layer = 1; layer < h->layers; ++layer) {
        for (int64_t k = 0; k < items_of(h, layer); ++k) {
            double children = 0;
            h->bound->load(block_at(h, layer, k / MO_BOUND_LANES), (int)(k % MO_BOUND_LANES),
                           volume);
            q.volume = h->bound->measure(volume);
            for (int lane = 0; lane < mo_hierarchy_lanes(h, layer - 1, k); ++lane) {
                double child[MO_BOUND_SCALARS_MAX];
                h->bound->load(block_at(h, layer - 1, k), lane, child);
                children += h->bound->measure(child);
            }
            sum += q.volume > 0 ? children / q.volume : 0;
            ++inner;
        }
    }
    blocks = h->layers > 0 ? h->first[h->layers] : 0;
    if (h->count > 0) {
        q.fill = (double)(h->count + inner) / (double)(MO_BOUND_LANES * blocks);
        q.redundancy = (double)inner / (double)h->count;
        q.overlap = sum / (double)inner;
    }
    return q;
}
