#include "system/fluid/cavity.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096, BATCH = 128, HALVINGS = 6, TRACE_STEPS = 100 };

#define CELLS_MOST 5e8

/* Relative tolerance of lengths, in spacings. */
static const double SAME = 1e-6;

/* State of a lattice point. */
enum { SOLID, FREE, JOINED, ENCLOSED };

typedef struct lattice {
    double origin[3], step[3];
    int64_t count[3];
    int64_t cells;
} lattice;

typedef struct work {
    const mo_cavity_fill *fill;
    const mo_collider *vessel;
    double low[3], high[3]; /* of the vessel */
    lattice lattice;
    mo_memory *memory;
    uint8_t *state;
    double *gap;      /* minimum over all colliders */
    int64_t *stack;   /* points of the current component */
    int64_t enclosed; /* points in closed cavities */
    bool leaks;       /* a component extends beyond its box */
    mote_error *error;
} work;

static void point_of(const lattice *l, int64_t cell, double x[3])
{
    int64_t at[3] = {cell % l->count[0], cell / l->count[0] % l->count[1],
                     cell / (l->count[0] * l->count[1])};
    for (int c = 0; c < 3; ++c) {
        x[c] = l->origin[c] + l->step[c] * (double)at[c];
    }
}

static double gap_at(const work *w, const double x[3])
{
    const mo_colliders *all = w->fill->colliders;
    double least = INFINITY;
    for (int64_t k = 0; k < all->count; ++k) {
        least = fmin(least, mo_collider_gap(&all->list[k], mo_vec3_load(x), NULL));
    }
    return least;
}

static double level_of(const work *w)
{
    double level = w->fill->def->level;
    return isnan(level) ? w->high[w->fill->up] : level;
}

/* ---- lattices ---- */

/* Half a step from low and high, with steps fitted between them if the change is small; over the
 * box of the vessel and a row beyond. */
static mote_status set_lattice(work *w, const double low[3], const double high[3])
{
    lattice *l = &w->lattice;
    double spacing = w->fill->spacing, cells = 1;
    for (int c = 0; c < 3; ++c) {
        double step = mo_fill_step(high[c] - low[c], spacing);
        bool flat = c == 2 && w->fill->dimension == 2;
        double first = low[c] + 0.5 * step, before = ceil((first - w->low[c]) / step),
               after = ceil((w->high[c] - first) / step);
        double count = flat ? 1 : before + after + 1;
        l->step[c] = flat ? spacing : step;
        l->origin[c] = flat ? 0 : first - before * step;
        l->count[c] = count < 1e9 ? (int64_t)count : 1000000000;
        cells *= count;
    }
    if (!(cells < CELLS_MOST)) {
        return mo_fail(w->error, MOTE_ERROR_INPUT,
                       "the box around collider '%.60s' has %.3g cells of the fluid's spacing, "
                       "allowed: %.3g; use a larger spacing",
                       w->vessel->name, cells, CELLS_MOST);
    }
    l->cells = (int64_t)cells;
    return MOTE_OK;
}

static void mark_range(void *context, int64_t first, int64_t last)
{
    const work *w = context;
    const mo_colliders *all = w->fill->colliders;
    double limit = level_of(w) + SAME * w->fill->spacing;
    for (int64_t begin = first; begin < last; begin += BATCH) {
        int64_t count = last - begin < BATCH ? last - begin : BATCH;
        double x[3 * BATCH], gap[BATCH];
        for (int64_t k = 0; k < count; ++k) {
            point_of(&w->lattice, begin + k, x + 3 * k);
            w->gap[begin + k] = INFINITY;
        }
        for (int64_t c = 0; c < all->count; ++c) {
            mo_collider_gaps(&all->list[c], count, x, gap, NULL);
            for (int64_t k = 0; k < count; ++k) {
                w->gap[begin + k] = fmin(w->gap[begin + k], gap[k]);
            }
        }
        for (int64_t k = 0; k < count; ++k) {
            bool below = x[3 * k + w->fill->up] < limit;
            w->state[begin + k] = below && w->gap[begin + k] > 0 ? FREE : SOLID;
        }
    }
}

/* ---- connected components ---- */

/* Whether two points with these gaps are connected: the gap is 1-Lipschitz. */
static bool is_open(const work *w, const double a[3], double gap_a, const double b[3], double gap_b,
                    int halvings)
{
    double way = 0, middle[3];
    for (int c = 0; c < 3; ++c) {
        middle[c] = 0.5 * (a[c] + b[c]);
        way += (b[c] - a[c]) * (b[c] - a[c]);
    }
    if (gap_a + gap_b > sqrt(way) || halvings == 0) {
        return true;
    }
    double gap = gap_at(w, middle);
    return gap > 0 && is_open(w, a, gap_a, middle, gap, halvings - 1) &&
           is_open(w, middle, gap, b, gap_b, halvings - 1);
}

/* Beyond the box of the vessel, other than above. */
static bool is_beyond(const work *w, const double x[3])
{
    bool beyond = false;
    double slack = SAME * w->fill->spacing;
    for (int c = 0; c < w->fill->dimension; ++c) {
        beyond =
            beyond || x[c] <= w->low[c] + slack || (x[c] >= w->high[c] - slack && c != w->fill->up);
    }
    return beyond;
}

static void join_neighbor(work *w, int64_t from, int64_t to, int64_t *top)
{
    double a[3], b[3];
    if (w->state[to] != FREE) {
        return;
    }
    point_of(&w->lattice, from, a);
    point_of(&w->lattice, to, b);
    if (is_open(w, a, w->gap[from], b, w->gap[to], HALVINGS)) {
        w->state[to] = JOINED;
        w->stack[(*top)++] = to;
    }
}

/* Flood fill of the component of a point, kept on the stack. Returns its size, and whether it stays
 * within the box. */
static int64_t join_part(work *w, int64_t seed, bool *enclosed)
{
    const lattice *l = &w->lattice;
    int64_t top = 0, stride[3] = {1, l->count[0], l->count[0] * l->count[1]};
    *enclosed = true;
    w->state[seed] = JOINED;
    w->stack[top++] = seed;
    for (int64_t k = 0; k < top; ++k) {
        int64_t cell = w->stack[k];
        double x[3];
        point_of(l, cell, x);
        *enclosed = *enclosed && !is_beyond(w, x);
        for (int c = 0; c < w->fill->dimension; ++c) {
            int64_t at = cell / stride[c] % l->count[c];
            if (at > 0) {
                join_neighbor(w, cell, cell - stride[c], &top);
            }
            if (at + 1 < l->count[c]) {
                join_neighbor(w, cell, cell + stride[c], &top);
            }
        }
    }
    return top;
}

/* Whether the component contains the requested point to within a step. */
static bool has_point(const work *w, int64_t count)
{
    mo_vec3 point = w->fill->def->point;
    double reach = 0;
    for (int c = 0; c < w->fill->dimension; ++c) {
        reach += w->lattice.step[c] * w->lattice.step[c];
    }
    for (int64_t k = 0; k < count; ++k) {
        double x[3];
        point_of(&w->lattice, w->stack[k], x);
        mo_vec3 way = mo_sub(mo_vec3_load(x), point);
        if (mo_dot(way, way) < reach) {
            return true;
        }
    }
    return isnan(point.x);
}

static mote_status find_enclosed(work *w)
{
    w->enclosed = 0;
    w->leaks = false;
    mo_parallel_for(w->fill->pool, w->lattice.cells, GRAIN, mark_range, w);
    for (int64_t cell = 0; cell < w->lattice.cells; ++cell) {
        bool enclosed;
        if (w->state[cell] != FREE) {
            continue;
        }
        int64_t count = join_part(w, cell, &enclosed);
        w->leaks = w->leaks || !enclosed;
        if (enclosed && has_point(w, count)) {
            w->enclosed += count;
            for (int64_t k = 0; k < count; ++k) {
                w->state[w->stack[k]] = ENCLOSED;
            }
        }
    }
    return MOTE_OK;
}

static mote_status reserve(work *w)
{
    int64_t cells = w->lattice.cells;
    void *state = NULL, *gap = NULL, *stack = NULL;
    mote_status status = mo_allocate_array(w->memory, cells, sizeof *w->state, &state, w->error);
    status = status == MOTE_OK ? mo_allocate_array(w->memory, cells, sizeof *w->gap, &gap, w->error)
                               : status;
    status = status == MOTE_OK
                 ? mo_allocate_array(w->memory, cells, sizeof *w->stack, &stack, w->error)
                 : status;
    w->state = state;
    w->gap = gap;
    w->stack = stack;
    return status;
}

static void release(work *w)
{
    mo_release(w->memory, w->state);
    mo_release(w->memory, w->gap);
    mo_release(w->memory, w->stack);
    w->state = NULL;
    w->gap = NULL;
    w->stack = NULL;
}

static mote_status flood(work *w, const double low[3], const double high[3])
{
    MO_TRY(set_lattice(w, low, high));
    MO_TRY(reserve(w));
    return find_enclosed(w);
}

/* ---- extent of the cavity ---- */

/* Distance of the surface from a point along an axis, by sphere tracing; at most two spacings. */
static double way_to_wall(const work *w, const double from[3], int axis, double sign)
{
    double at = 0, most = 2 * w->fill->spacing, x[3] = {from[0], from[1], from[2]};
    for (int k = 0; k < TRACE_STEPS && at < most; ++k) {
        double gap = gap_at(w, x);
        if (gap < SAME * w->fill->spacing) {
            return at + fmax(gap, 0);
        }
        at += gap;
        x[axis] = from[axis] + sign * at;
    }
    return fmin(at, most);
}

/* The bounding box of the cavity: from its outermost points to the surfaces behind them. */
static void find_extent(const work *w, double low[3], double high[3])
{
    const lattice *l = &w->lattice;
    for (int c = 0; c < 3; ++c) {
        low[c] = INFINITY;
        high[c] = -INFINITY;
    }
    for (int64_t cell = 0; cell < l->cells; ++cell) {
        double x[3];
        if (w->state[cell] != ENCLOSED) {
            continue;
        }
        point_of(l, cell, x);
        for (int c = 0; c < w->fill->dimension; ++c) {
            if (x[c] < low[c] + 2 * l->step[c]) {
                low[c] = fmin(low[c], x[c] - way_to_wall(w, x, c, -1));
            }
            if (x[c] > high[c] - 2 * l->step[c]) {
                high[c] = fmax(high[c], x[c] + way_to_wall(w, x, c, 1));
            }
        }
    }
    high[w->fill->up] = fmin(high[w->fill->up], level_of(w));
    if (w->fill->dimension == 2) {
        low[2] = high[2] = 0;
    }
}

/* ---- the fill ---- */

static mote_status fail_empty(const work *w)
{
    const mo_cavity_def *def = w->fill->def;
    char axis = (char)('x' + w->fill->up);
    if (!isnan(def->point.x)) {
        return mo_fail(w->error, MOTE_ERROR_INPUT,
                       "point: collider '%.60s' has no closed cavity there below %c = %g m",
                       w->vessel->name, axis, level_of(w));
    }
    return mo_fail(w->error, MOTE_ERROR_INPUT,
                   "level: collider '%.60s' has no closed cavity below %c = %g "
                   "m%s",
                   w->vessel->name, axis, level_of(w),
                   w->leaks ? ": the space is connected to the outside; is the level above its rim?"
                            : ", or none wider than a spacing");
}

static mote_status collect(work *w, mo_fill_points *points)
{
    int64_t total = points->count + w->enclosed;
    MO_TRY(mo_grow(points->memory, (void **)&points->x, &points->capacity, total + 1,
                   3 * sizeof *points->x, w->error));
    for (int64_t cell = 0; cell < w->lattice.cells; ++cell) {
        if (w->state[cell] == ENCLOSED) {
            point_of(&w->lattice, cell, points->x + 3 * points->count++);
        }
    }
    points->cell = w->lattice.step[0] * w->lattice.step[1] *
                   (w->fill->dimension == 2 ? 1 : w->lattice.step[2]);
    return MOTE_OK;
}

static mote_status fill(work *w, mo_fill_points *points)
{
    double low[3], high[3];
    MO_TRY(flood(w, w->low, w->high));
    if (w->enclosed == 0) {
        return fail_empty(w);
    }
    find_extent(w, low, high);
    release(w);
    MO_TRY(flood(w, low, high));
    return w->enclosed > 0 ? collect(w, points) : fail_empty(w);
}

mote_status mo_fill_cavity(const mo_cavity_fill *f, mo_fill_points *points, mote_error *error)
{
    work w = {.fill = f,
              .vessel = &f->colliders->list[f->def->collider.index],
              .memory = points->memory,
              .error = error};
    if (!mo_collider_bounds(w.vessel, w.low, w.high)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "collider: '%.60s' is unbounded and has no cavity; use a bounded shape",
                       w.vessel->name);
    }
    mote_status status = fill(&w, points);
    release(&w);
    return status;
}
