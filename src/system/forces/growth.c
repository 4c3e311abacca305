#include "system/forces/growth.h"

#include "geometry/surface/stars.h"
#include "host/orientation.h"
#include "math/portable.h"
#include "neighbor/search.h"
#include "system/forces/state.h"

#include <stdlib.h>

/* The slope of lines to neighbours, squared sine of 45 degrees; insertions in one pass. */
static const double SLOPE_SQUARE = 0.5;
enum { INSERTED_MAX = 1000 };

static const mo_param PARAMS[] = {
    {"spacing", MO_REAL, MO_FIELD(mo_growth_def, spacing), .unit = "m", .range = "(0, inf)",
     .doc = "Distance of neighbours on the surface; enables growth. Only the last body of "
            "particles can grow, and it must be oriented."},
    {"gap", MO_REAL, MO_FIELD(mo_growth_def, gap), .initial = "0.72", .range = "[0.6, 5]",
     .doc = "Radius of the smallest empty circle on the surface that gets a new particle, in "
            "spacings.",
     .needs = "spacing"},
    {"reach", MO_REAL, MO_FIELD(mo_growth_def, reach), .initial = "1.5", .range = "[0.6, 5]",
     .doc = "Radius of the largest circle that gets one, in spacings; larger gaps are tears and "
            "stay open.",
     .needs = "spacing"},
    {"merge", MO_REAL, MO_FIELD(mo_growth_def, merge), .initial = "0.5", .range = "[0, 0.6)",
     .doc = "Of two particles closer than this, in spacings, the younger is removed.",
     .needs = "spacing"},
    {"angle", MO_REAL, MO_FIELD(mo_growth_def, angle), .unit = "deg", .initial = "60",
     .range = "(0, 90]", .doc = "Largest angle between the axes of neighbours on the surface.",
     .needs = "spacing"},
    {"every", MO_INT, MO_FIELD(mo_growth_def, every), .initial = "10", .range = "[1, 1e9]",
     .doc = "Steps between two examinations.", .needs = "spacing"},
    {"max_particles", MO_INT, MO_FIELD(mo_growth_def, max_particles), .initial = "100000",
     .range = "[1, 1e9]", .doc = "Largest number of particles of the body.", .needs = "spacing"},
    {0}};

const mo_section mo_growth_section = {"growth", "Growth of a surface of oriented particles.",
                                      sizeof(mo_growth_def), .params = PARAMS};

/* A circle through three particles. */
typedef struct gap {
    double square; /* of its radius */
    int32_t corner[3];
} gap;

struct mo_growth {
    mo_growth_def def;
    mo_system *system;
    mo_memory *memory;
    mo_search *search;
    mo_star_points points;
    int64_t first; /* row of the body's first particle */
    int64_t axis_capacity, x_capacity, star_capacity, gap_capacity, mark_capacity;
    double *x, *axes; /* of the body */
    mo_star *star;
    gap *gaps;
    uint8_t *removed; /* per row of the system */
};

mote_status mo_growth_create(const mo_growth_def *def, mo_system *system, mo_growth **growth,
                             mote_error *error)
{
    double sine;
    int set;
    mo_growth *g = mo_allocate(system->host->memory, sizeof *g);
    if (!g) {
        return mo_fail_memory(error, sizeof *g);
    }
    *growth = g;
    *g = (mo_growth){.def = *def, .system = system, .memory = system->host->memory};
    g->points.radius = def->reach * def->spacing;
    g->points.slope_square = SLOPE_SQUARE;
    mo_turn(def->angle / 360, &g->points.axis_cosine, &sine);
    MO_TRY(mo_search_create((mo_method){0}, NULL, g->memory, &g->search, error));
    MO_TRY(mo_search_add_set(g->search, 2 * g->points.radius, &set, error));
    return mo_search_ask(g->search, set, set, MO_LISTS_FULL, error);
}

void mo_growth_destroy(mo_growth *g)
{
    if (!g) {
        return;
    }
    mo_search_destroy(g->search);
    mo_release(g->memory, g->x);
    mo_release(g->memory, g->axes);
    mo_release(g->memory, g->star);
    mo_release(g->memory, g->gaps);
    mo_release(g->memory, g->removed);
    mo_release(g->memory, g);
}

/* ---- the surface now ---- */

static void find_stars(void *context, int64_t first, int64_t last)
{
    mo_growth *g = context;
    for (int64_t row = first; row < last; ++row) {
        g->star[row] = mo_star_at(&g->points, row);
    }
}

/* Positions, axes, neighbours and stars of the body. */
static mote_status examine(mo_growth *g, mote_error *error)
{
    const mote_body *body = &g->system->bodies.list[g->system->bodies.count - 1];
    const mo_particle_columns *c = &g->system->columns;
    int64_t count = body->count, rows = mo_store_owned(g->system->store);
    g->first = body->first;
    MO_TRY(mo_reserve(g->memory, &g->x, &g->x_capacity, 3 * count + 3, sizeof *g->x, error));
    MO_TRY(
        mo_reserve(g->memory, &g->axes, &g->axis_capacity, 3 * count + 3, sizeof *g->axes, error));
    MO_TRY(mo_reserve(g->memory, &g->star, &g->star_capacity, count, sizeof *g->star, error));
    MO_TRY(mo_reserve(g->memory, &g->removed, &g->mark_capacity, rows, 1, error));
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 z = {0, 0, 1};
        mo_quat q = mo_quat_normalize(mo_quat_load(mo_f64(c->q) + 4 * (g->first + k)));
        mo_vec3_store(g->x + 3 * k, mo_vec3_load(mo_f64(c->x) + 3 * (g->first + k)));
        mo_vec3_store(g->axes + 3 * k, mo_quat_rotate(q, z));
    }
    mo_search_set rows_now = {count, g->x};
    MO_TRY(mo_search_build(g->search, &rows_now, g->system->host->pool, error));
    const mo_lists *lists = mo_search_lists(g->search, 0, 0);
    g->points.count = count;
    g->points.x = g->x;
    g->points.normal = g->axes;
    g->points.start = lists->start;
    g->points.near_count = lists->count;
    g->points.near = lists->index;
    mo_parallel_for(g->system->host->pool, count, MO_STAR_GRAIN, find_stars, g);
    return MOTE_OK;
}

/* ---- removal ---- */

static bool is_free(const mo_growth *g, int64_t k)
{
    return mo_f64(g->system->columns.inverse_mass)[g->first + k] > 0;
}

/* Marks the younger of two particles of the surface that are too close. */
static int64_t mark_close(mo_growth *g)
{
    const int64_t *id = mo_i64(g->system->columns.id) + g->first;
    double limit = g->def.merge * g->def.spacing;
    int64_t count = 0;
    for (int64_t row = 0; row < mo_store_owned(g->system->store); ++row) {
        g->removed[row] = 0;
    }
    for (int64_t k = 0; k < g->points.count; ++k) {
        const int32_t *near = g->points.near + g->points.start[k];
        for (int32_t n = 0; n < g->points.near_count[k] && !g->removed[g->first + k]; ++n) {
            int32_t j = near[n];
            mo_vec3 r = mo_sub(mo_vec3_load(g->x + 3 * (int64_t)j), mo_vec3_load(g->x + 3 * k));
            bool close = id[j] > id[k] && mo_dot(r, r) < limit * limit && is_free(g, j) &&
                         mo_dot(mo_vec3_load(g->axes + 3 * (int64_t)j),
                                mo_vec3_load(g->axes + 3 * k)) >= g->points.axis_cosine;
            if (close && !g->removed[g->first + j]) {
                g->removed[g->first + j] = 1;
                ++count;
            }
        }
    }
    return count;
}

/* ---- insertion ---- */

static mo_vec3 at(const mo_growth *g, int32_t k)
{
    return mo_vec3_load(g->x + 3 * (int64_t)k);
}

/* The position of a new particle in the plane of a triangle, and the square of its distance to
 * the nearest corner. */
static mo_vec3 position_in(const mo_growth *g, const int32_t corner[3], double *square)
{
    mo_vec3 p[3], best = {0, 0, 0};
    double side[3], weight[3], sum = 0;
    for (int k = 0; k < 3; ++k) {
        p[k] = at(g, corner[k]);
    }
    for (int k = 0; k < 3; ++k) {
        mo_vec3 opposite = mo_sub(p[(k + 1) % 3], p[(k + 2) % 3]);
        side[k] = mo_dot(opposite, opposite);
    }
    for (int k = 0; k < 3; ++k) { /* barycentric: a^2 (b^2 + c^2 - a^2) */
        weight[k] = side[k] * (side[(k + 1) % 3] + side[(k + 2) % 3] - side[k]);
    }
    for (int k = 0; k < 3; ++k) { /* obtuse at k: the middle of the opposite side */
        if (weight[k] < 0) {
            weight[k] = 0;
            weight[(k + 1) % 3] = weight[(k + 2) % 3] = 1;
        }
    }
    *square = INFINITY;
    for (int k = 0; k < 3; ++k) {
        sum += weight[k];
        best = mo_add_scaled(best, weight[k], p[k]);
    }
    best = mo_scale(sum > 0 ? 1 / sum : 0, best);
    for (int k = 0; k < 3; ++k) {
        mo_vec3 r = mo_sub(p[k], best);
        *square = fmin(*square, mo_dot(r, r));
    }
    return best;
}

static int compare_gaps(const void *left, const void *right)
{
    const gap *a = left, *b = right;
    if (a->square != b->square) {
        return a->square > b->square ? -1 : 1;
    }
    return (a->corner[0] > b->corner[0]) - (a->corner[0] < b->corner[0]);
}

/* Lists the triangles of all three stars with room for a particle, the largest first. */
static mote_status find_gaps(mo_growth *g, int64_t *count, mote_error *error)
{
    double least = g->def.gap * g->def.spacing;
    *count = 0;
    for (int32_t row = 0; row < g->points.count; ++row) {
        const mo_star *star = &g->star[row];
        for (int k = 0; k < star->count; ++k) {
            int32_t end = star->end[k], next = star->end[k + 1 < star->count ? k + 1 : 0];
            gap found = {0, {row, end, next}};
            if (!(star->triangles >> k & 1) || end < row || next < row ||
                mo_star_find(&g->star[end], next, row) < 0 ||
                mo_star_find(&g->star[next], row, end) < 0) {
                continue;
            }
            position_in(g, found.corner, &found.square);
            bool open = found.square >= least * least;
            for (int c = 0; c < 3; ++c) {
                open = open && !g->removed[g->first + found.corner[c]];
            }
            if (open) {
                MO_TRY(mo_reserve(g->memory, &g->gaps, &g->gap_capacity, *count + 1,
                                  sizeof *g->gaps, error));
                g->gaps[(*count)++] = found;
            }
        }
    }
    if (*count > 0) {
        qsort(g->gaps, (size_t)*count, sizeof *g->gaps, compare_gaps);
    }
    return MOTE_OK;
}

/* The free corner whose columns a new particle takes; -1: all are prescribed. */
static int64_t parent_of(const mo_growth *g, const gap *hole)
{
    for (int k = 0; k < 3; ++k) {
        if (is_free(g, hole->corner[k])) {
            return g->first + hole->corner[k];
        }
    }
    return -1;
}

/* The shortest rotation that takes the z axis of q to n, after q. */
static mo_quat turned_to(mo_quat q, mo_vec3 n)
{
    mo_vec3 z = mo_quat_rotate(q, mo_vec3_make(0, 0, 1)), axis = mo_cross(z, n);
    mo_quat turn = {1 + mo_dot(z, n), axis.x, axis.y, axis.z};
    return mo_quat_normalize(mo_quat_product(mo_quat_normalize(turn), q));
}

static void fill_row(mo_growth *g, int64_t row, int64_t parent, const gap *hole, mo_vec3 x)
{
    mo_forces *forces = g->system->state;
    const mo_particle_columns *c = &g->system->columns;
    mo_vec3 v = {0, 0, 0}, n = {0, 0, 0};
    double offset = 0;
    for (int k = 0; k < 3; ++k) {
        int64_t other = g->first + hole->corner[k];
        v = mo_add_scaled(v, 1.0 / 3, mo_vec3_load(mo_f64(c->v) + 3 * other));
        n = mo_add(n, mo_vec3_load(g->axes + 3 * (int64_t)hole->corner[k]));
    }
    n = mo_unit(n, mo_vec3_make(0, 0, 1));
    for (int k = 0; k < 3; ++k) {
        mo_vec3 sum = mo_add(n, mo_vec3_load(g->axes + 3 * (int64_t)hole->corner[k]));
        offset += mo_dot(sum, mo_sub(at(g, hole->corner[k]), x)) / (3 * mo_dot(n, sum));
    }
    mo_system_copy_row(g->system, parent, row);
    mo_quat q = turned_to(mo_quat_normalize(mo_quat_load(mo_f64(c->q) + 4 * parent)), n);
    mo_vec3_store(mo_f64(c->x) + 3 * row, mo_add_scaled(x, offset, n));
    mo_vec3_store(mo_f64(c->v) + 3 * row, v);
    mo_orientation_set(g->system, row, q, mo_vec3_make(0, 0, 0),
                       mo_vec3_load(mo_f64(c->inertia) + 3 * parent));
    ((uint8_t *)c->age->data)[row] = 0;
    if (forces->source.age) {
        ((int32_t *)forces->source.age->data)[row] = 0; /* no list has it */
    }
}

/* Particles of one pass. */
typedef struct inserted {
    int64_t count, first; /* first: their first row */
    mo_vec3 x[INSERTED_MAX];
    int64_t parent[INSERTED_MAX], gap[INSERTED_MAX];
} inserted;

/* Whether a position keeps its distance from those inserted before. */
static bool is_apart(const inserted *in, mo_vec3 x, double distance)
{
    for (int64_t k = 0; k < in->count; ++k) {
        mo_vec3 r = mo_sub(in->x[k], x);
        if (mo_dot(r, r) < distance * distance) {
            return false;
        }
    }
    return true;
}

static void choose(const mo_growth *g, int64_t gaps, int64_t most, inserted *in)
{
    in->count = 0;
    for (int64_t k = 0; k < gaps && in->count < most; ++k) {
        double square;
        mo_vec3 x = position_in(g, g->gaps[k].corner, &square);
        int64_t parent = parent_of(g, &g->gaps[k]);
        if (parent >= 0 && is_apart(in, x, g->def.gap * g->def.spacing)) {
            in->x[in->count] = x;
            in->parent[in->count] = parent;
            in->gap[in->count++] = k;
        }
    }
}

static void fill_rows(mo_growth *g, const inserted *in)
{
    for (int64_t k = 0; k < in->count; ++k) {
        fill_row(g, in->first + k, in->parent[k], &g->gaps[in->gap[k]], in->x[k]);
    }
}

/* Forces initialise their columns of new rows; those of the neighbours replace these values. */
static mote_status insert(mo_growth *g, int64_t gaps, int64_t *count, mote_error *error)
{
    mo_system *s = g->system;
    mote_body *body = &s->bodies.list[s->bodies.count - 1];
    int64_t most = g->def.max_particles - body->count;
    inserted in;
    choose(g, gaps, most < INSERTED_MAX ? most : INSERTED_MAX, &in);
    *count = in.count;
    if (in.count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_store_add(s->store, in.count, &in.first, error));
    fill_rows(g, &in);
    MO_TRY(s->type->edit->added(s, in.first, error));
    fill_rows(g, &in);
    body->count += in.count;
    s->grown_from = s->grown_from < 0 || in.first < s->grown_from ? in.first : s->grown_from;
    return MOTE_OK;
}

mote_status mo_growth_apply(mo_growth *g, const mo_step_time *now, bool *changed, mote_error *error)
{
    int64_t gaps, added = 0;
    *changed = false;
    if ((now->step + 1) % g->def.every != 0) {
        return MOTE_OK;
    }
    MO_TRY(examine(g, error));
    int64_t close = mark_close(g);
    MO_TRY(find_gaps(g, &gaps, error));
    if (close > 0) {
        /* rows change: gaps are examined again at the next opportunity */
        MO_TRY(mo_system_remove(g->system, g->removed, error));
    } else {
        MO_TRY(insert(g, gaps, &added, error));
    }
    *changed = close > 0 || added > 0;
    return MOTE_OK;
}
