#include "geometry/surface/splat_field.h"

#include "math/vec3.h"
#include "math/wide.h"

#include <string.h>

enum { SPLAT_GRAIN = 4096, HOME_GRAIN = 64, BLOCK_GRAIN = 8, POINT_GRAIN = 256, CHANNELS = 4 };

/* Maximum number of grid nodes (8 GiB of values). */
static const int64_t NODES_MAX = INT64_C(1) << 31;

void mo_splat_field_release(mo_splat_field *field)
{
    mo_sparse_grid_release(&field->grid);
    mo_release(field->memory, field->splat);
    mo_release(field->memory, field->row);
    mo_release(field->memory, field->start);
    mo_release(field->memory, field->box);
    *field = (mo_splat_field){.memory = field->memory};
}

/* ---- splats by block ---- */

typedef struct sorting {
    mo_splat_field *field;
    const mo_splat *from;
    double scale; /* spacings to cells */
    int64_t *slot;
    int32_t *home;
} sorting;

static mo_grid_block block_at(const double cells[3])
{
    mo_grid_block b;
    for (int k = 0; k < 3; ++k) {
        b.at[k] = mo_grid_block_of((int64_t)floor(cells[k]));
    }
    return b;
}

/* One thread numbers the blocks, in the order of the particles. */
static mote_status find_homes(sorting *s, int64_t count, mote_error *error)
{
    mo_grid_block last = {{0}};
    int64_t home = -1;
    for (int64_t k = 0; k < count; ++k) {
        const double cells[3] = {s->from[k].x[0] * s->scale, s->from[k].x[1] * s->scale,
                                 s->from[k].x[2] * s->scale};
        mo_grid_block here = block_at(cells);
        if (home < 0 || memcmp(&here, &last, sizeof here) != 0) {
            MO_TRY(mo_sparse_grid_add(&s->field->grid, here, &home, error));
            last = here;
        }
        s->home[k] = (int32_t)home;
    }
    s->field->homes = s->field->grid.count;
    return MOTE_OK;
}

static mote_status sort_splats(sorting *s, int64_t count, mote_error *error)
{
    void *start;
    int64_t homes = s->field->homes;
    MO_TRY(mo_allocate_array(s->field->memory, homes + 2, sizeof *s->field->start, &start, error));
    s->field->start = start;
    int64_t *next = s->field->start + 1;
    for (int64_t k = 0; k < count; ++k) {
        ++next[s->home[k] + 1];
    }
    for (int64_t h = 1; h <= homes; ++h) {
        next[h] += next[h - 1];
    }
    for (int64_t k = 0; k < count; ++k) {
        s->slot[k] = next[s->home[k]]++;
    }
    return MOTE_OK;
}

static void move_range(void *context, int64_t first, int64_t last)
{
    sorting *s = context;
    double shape_scale = 1 / (s->scale * s->scale);
    for (int64_t k = first; k < last; ++k) {
        mo_splat splat = s->from[k];
        for (int a = 0; a < 3; ++a) {
            splat.x[a] *= s->scale;
            splat.half[a] = (float)(splat.half[a] * s->scale);
        }
        for (int a = 0; a < 6; ++a) {
            splat.shape[a] = (float)(splat.shape[a] * shape_scale);
        }
        s->field->splat[s->slot[k]] = splat;
        s->field->row[s->slot[k]] = (int32_t)k;
    }
}

static mote_status sort(sorting *s, int64_t count, mo_pool *pool, mote_error *error)
{
    void *home, *slot, *splat, *row;
    mo_memory *memory = s->field->memory;
    MO_TRY(mo_allocate_array(memory, count, sizeof *s->home, &home, error));
    s->home = home;
    MO_TRY(mo_allocate_array(memory, count, sizeof *s->slot, &slot, error));
    s->slot = slot;
    MO_TRY(mo_allocate_array(memory, count, sizeof *s->field->splat, &splat, error));
    s->field->splat = splat;
    MO_TRY(mo_allocate_array(memory, count, sizeof *s->field->row, &row, error));
    s->field->row = row;
    MO_TRY(find_homes(s, count, error));
    MO_TRY(sort_splats(s, count, error));
    mo_parallel_for(pool, count, SPLAT_GRAIN, move_range, s);
    return MOTE_OK;
}

/* ---- overlapped blocks ---- */

static void box_range(void *context, int64_t first, int64_t last)
{
    mo_splat_field *field = context;
    for (int64_t h = first; h < last; ++h) {
        mo_splat_box box = {{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN, INT32_MIN}};
        for (int64_t k = field->start[h]; k < field->start[h + 1]; ++k) {
            const mo_splat *s = &field->splat[k];
            for (int a = 0; a < 3; ++a) {
                int32_t low = mo_grid_block_of((int64_t)ceil(s->x[a] - s->half[a]) - 1);
                int32_t high = mo_grid_block_of((int64_t)floor(s->x[a] + s->half[a]) + 1);
                box.low[a] = low < box.low[a] ? low : box.low[a];
                box.high[a] = high > box.high[a] ? high : box.high[a];
            }
        }
        field->box[h] = box;
    }
}

static void widen_range(mo_splat_field *field, int64_t h)
{
    for (int a = 0; a < 3; ++a) {
        int32_t at = field->grid.block[h].at[a];
        int32_t low = at - field->box[h].low[a], high = field->box[h].high[a] - at;
        int32_t most = low > high ? low : high;
        field->range[a] = most > field->range[a] ? most : field->range[a];
    }
}

static mote_status add_box(mo_splat_field *field, mo_splat_box box, mote_error *error)
{
    int64_t unused;
    for (int32_t z = box.low[2]; z <= box.high[2]; ++z) {
        for (int32_t y = box.low[1]; y <= box.high[1]; ++y) {
            for (int32_t x = box.low[0]; x <= box.high[0]; ++x) {
                MO_TRY(
                    mo_sparse_grid_add(&field->grid, (mo_grid_block){{x, y, z}}, &unused, error));
            }
        }
    }
    if (field->grid.count * MO_GRID_NODES > NODES_MAX) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "surface: the particles cover more than %lld cells of width %g m; use a larger cell or "
            "a larger spacing",
            (long long)NODES_MAX, field->grid.width);
    }
    return MOTE_OK;
}

static mote_status add_blocks(mo_splat_field *field, mo_pool *pool, mote_error *error)
{
    void *box;
    MO_TRY(mo_allocate_array(field->memory, field->homes, sizeof *field->box, &box, error));
    field->box = box;
    mo_parallel_for(pool, field->homes, HOME_GRAIN, box_range, field);
    for (int64_t h = 0; h < field->homes; ++h) {
        widen_range(field, h);
        MO_TRY(add_box(field, field->box[h], error));
    }
    return MOTE_OK;
}

/* ---- the sums ---- */

typedef struct sums {
    mo_f8 row[CHANNELS][MO_GRID_ROWS];
} sums;

static int at_least(double value, int least)
{
    return value > least ? (int)ceil(value) : least;
}

static int at_most(double value, int most)
{
    return value < most ? (int)floor(value) : most;
}

/* The rows of a block within a splat, and its offset from the block's first node. */
typedef struct footprint {
    float dx, dy, dz;
    int j0, j1, k0, k1;
} footprint;

static inline bool reaches(const mo_splat *s, const double first[3], footprint *f)
{
    double x = first[0] - s->x[0], y = first[1] - s->x[1], z = first[2] - s->x[2];
    if (x > s->half[0] || x + (MO_GRID_X - 1) < -s->half[0] || y > s->half[1] ||
        y + (MO_GRID_Y - 1) < -s->half[1] || z > s->half[2] || z + (MO_GRID_Z - 1) < -s->half[2]) {
        return false;
    }
    *f = (footprint){(float)x,
                     (float)y,
                     (float)z,
                     at_least(-s->half[1] - y, 0),
                     at_most(s->half[1] - y, MO_GRID_Y - 1),
                     at_least(-s->half[2] - z, 0),
                     at_most(s->half[2] - z, MO_GRID_Z - 1)};
    return true;
}

static const mo_f8 STEPS = {0, 1, 2, 3, 4, 5, 6, 7};

/* (1 - q)^3 where q < 1, along a row: q = xx dx^2 + b dx + c. */
static inline mo_f8 kernel(mo_f8 dx, float xx, float b, float c)
{
    mo_f8 w = 1 - ((xx * dx + b) * dx + c);
    w = (mo_f8)((mo_i8)w & (w > 0));
    return w * w * w;
}

/* `mean` is a compile-time constant of the caller, so that each rule gets its own loop. */
static inline __attribute__((always_inline)) void add_splat(const mo_splat *s, const footprint *f,
                                                            bool mean, sums *out)
{
    mo_f8 dx = STEPS + f->dx;
    const float *a = s->shape;
    float reach = 4 * a[0]; /* a row whose nearest point has q = 1 */
    for (int k = f->k0; k <= f->k1; ++k) {
        float dz = f->dz + (float)k;
        for (int j = f->j0; j <= f->j1; ++j) {
            float dy = f->dy + (float)j;
            float b = 2 * (a[3] * dy + a[4] * dz);
            float c = a[1] * dy * dy + a[2] * dz * dz + 2 * a[5] * dy * dz;
            if ((c - 1) * reach >= b * b) {
                continue;
            }
            int row = k * MO_GRID_Y + j;
            mo_f8 w = kernel(dx, a[0], b, c);
            if (mean) {
                out->row[0][row] += w;
                out->row[1][row] += w * dx;
                out->row[2][row] += w * dy;
                out->row[3][row] += w * dz;
            } else {
                out->row[0][row] += s->weight * w;
            }
        }
    }
}

static void add_home(const mo_splat_field *field, int64_t h, const double first[3], sums *out)
{
    footprint f;
    for (int64_t k = field->start[h]; k < field->start[h + 1]; ++k) {
        const mo_splat *s = &field->splat[k];
        if (reaches(s, first, &f)) {
            if (field->rule == MO_SPLAT_MEAN) {
                add_splat(s, &f, true, out);
            } else {
                add_splat(s, &f, false, out);
            }
        }
    }
}

static bool box_contains(const mo_splat_box *box, mo_grid_block at)
{
    for (int a = 0; a < 3; ++a) {
        if (at.at[a] < box->low[a] || at.at[a] > box->high[a]) {
            return false;
        }
    }
    return true;
}

/* Iterates over the home blocks whose splats may overlap the block. */
#define FOR_HOMES(field, at, home) \
    for (int32_t mz = -(field)->range[2]; mz <= (field)->range[2]; ++mz) \
        for (int32_t my = -(field)->range[1]; my <= (field)->range[1]; ++my) \
            for (int32_t mx = -(field)->range[0]; mx <= (field)->range[0]; ++mx) \
                if (((home) = home_near(field, at, mx, my, mz)) >= 0)

static int64_t home_near(const mo_splat_field *field, mo_grid_block at, int32_t x, int32_t y,
                         int32_t z)
{
    mo_grid_block there = {{at.at[0] + x, at.at[1] + y, at.at[2] + z}};
    int64_t home = mo_sparse_grid_find(&field->grid, there);
    return home < field->homes && home >= 0 && box_contains(&field->box[home], at) ? home : -1;
}

static void store_values(const mo_splat_field *field, const sums *total, float *value)
{
    for (int node = 0; node < MO_GRID_NODES; ++node) {
        int row = node / MO_GRID_X, i = node % MO_GRID_X;
        float weight = total->row[0][row][i];
        if (field->rule == MO_SPLAT_SUM) {
            value[node] = weight - (float)field->level;
            continue;
        }
        double x = total->row[1][row][i], y = total->row[2][row][i], z = total->row[3][row][i];
        double distance = sqrt(x * x + y * y + z * z);
        value[node] = weight > 0 ? (float)(field->level - distance / weight) : field->grid.outside;
    }
}

static void sum_range(void *context, int64_t first, int64_t last)
{
    mo_splat_field *field = context;
    for (int64_t b = first; b < last; ++b) {
        mo_grid_block at = field->grid.block[b];
        double node[3];
        int64_t home;
        sums total;
        memset(&total, 0, sizeof total);
        for (int a = 0; a < 3; ++a) {
            node[a] = (double)mo_grid_first_node(at.at[a]);
        }
        FOR_HOMES(field, at, home)
        {
            add_home(field, home, node, &total);
        }
        store_values(field, &total, field->grid.value + b * MO_GRID_NODES);
    }
}

/* ---- assembly ---- */

static void measure_reach(mo_splat_field *field)
{
    for (int64_t k = 0; k < field->count; ++k) {
        for (int a = 0; a < 3; ++a) {
            field->reach = fmax(field->reach, field->splat[k].half[a]);
        }
    }
    field->grid.outside =
        (float)(field->rule == MO_SPLAT_SUM ? -field->level : field->level - field->reach);
}

static mote_status make(mo_splat_field *field, sorting *s, mo_pool *pool, mote_error *error)
{
    MO_TRY(sort(s, field->count, pool, error));
    measure_reach(field);
    MO_TRY(add_blocks(field, pool, error));
    MO_TRY(mo_sparse_grid_reserve_values(&field->grid, error));
    mo_parallel_for(pool, field->grid.count, BLOCK_GRAIN, sum_range, field);
    return MOTE_OK;
}

mote_status mo_splat_field_make(mo_splat_field *field, mo_memory *memory, mo_pool *pool,
                                int64_t count, const mo_splat *splat, mo_splat_rule rule,
                                double level, double width, double spacing, mote_error *error)
{
    double scale = spacing / width;
    *field = (mo_splat_field){.memory = memory, .rule = rule, .count = count};
    field->level = rule == MO_SPLAT_MEAN ? level * scale : level;
    mo_sparse_grid_init(&field->grid, memory, width);
    sorting s = {.field = field, .from = splat, .scale = scale};
    mote_status status = make(field, &s, pool, error);
    mo_release(memory, s.home);
    mo_release(memory, s.slot);
    if (status != MOTE_OK) {
        mo_splat_field_release(field);
    }
    return status;
}

/* ---- columns interpolated to vertices ---- */

typedef struct interpolation {
    const mo_splat_field *field;
    const double *x;
    const mote_column *column;
    double *out;
} interpolation;

double mo_surface_number(const mote_column *column, int64_t k)
{
    switch (column->type) {
    case MOTE_F64:
        return ((const double *)column->data)[k];
    case MOTE_F32:
        return ((const float *)column->data)[k];
    case MOTE_I64:
        return (double)((const int64_t *)column->data)[k];
    case MOTE_I32:
        return ((const int32_t *)column->data)[k];
    case MOTE_U8:
        return ((const uint8_t *)column->data)[k];
    }
    return 0;
}

/* Adds a block's splats to the sums at a position: components, followed by the weight. The radius
 * is a cell diagonal larger than the largest splat, so that every vertex has a neighbour. */
static void add_interpolated(const interpolation *c, int64_t home, const double at[3],
                             double *total)
{
    const mo_splat_field *field = c->field;
    double radius = field->reach + 2, inverse = 1 / (radius * radius);
    int components = c->column->components;
    for (int64_t k = field->start[home]; k < field->start[home + 1]; ++k) {
        const double *y = field->splat[k].x;
        double d[3] = {at[0] - y[0], at[1] - y[1], at[2] - y[2]};
        double w = 1 - (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * inverse;
        if (w > 0) {
            w = w * w * w;
            total[components] += w;
            for (int a = 0; a < components; ++a) {
                total[a] +=
                    w * mo_surface_number(c->column, (int64_t)field->row[k] * components + a);
            }
        }
    }
}

static void interpolate_range(void *context, int64_t first, int64_t last)
{
    const interpolation *c = context;
    int components = c->column->components;
    for (int64_t v = first; v < last; ++v) {
        double total[MO_SURFACE_COMPONENTS_MAX + 1] = {0}, at[3];
        int64_t home;
        for (int a = 0; a < 3; ++a) {
            at[a] = c->x[3 * v + a] / c->field->grid.width;
        }
        mo_grid_block block = block_at(at);
        FOR_HOMES(c->field, block, home)
        {
            add_interpolated(c, home, at, total);
        }
        for (int a = 0; a < components; ++a) {
            c->out[v * components + a] = total[components] > 0 ? total[a] / total[components] : 0;
        }
    }
}

void mo_splat_field_interpolate(const mo_splat_field *field, mo_pool *pool, int64_t points,
                                const double *x, const mote_column *column, double *out)
{
    interpolation c = {field, x, column, out};
    MOTE_ASSERT(column->components <= MO_SURFACE_COMPONENTS_MAX);
    mo_parallel_for(pool, points, POINT_GRAIN, interpolate_range, &c);
}
