#include "geometry/sample/sample_features.h"

#include "geometry/trimesh/check.h"

#include <stdlib.h>
#include <string.h>

static const double CREASE = 0.8660254037844386; /* cos 30 degrees */
static const double APART = 0.62;

/* A crease or border between two vertices; stored twice, once from either end. */
typedef struct side {
    int32_t from, to;
} side;

typedef struct features {
    const mo_trimesh *mesh;
    const mo_trimesh_distance *tree;
    double spacing;
    mo_point_grid *grid;
    mo_memory *memory;
    mote_error *error;
    side *side; /* by their ends */
    bool *walked;
    int32_t *start; /* of a vertex's sides */
    int64_t sides, side_capacity;
    int32_t *path; /* vertices of a crease from corner to corner */
    int64_t path_length, path_capacity;
} features;

static mo_vec3 point(const features *f, int32_t vertex)
{
    return mo_vec3_load(f->mesh->x + 3 * (int64_t)vertex);
}

/* ---- finding them ---- */

static bool is_flat(const features *f, int64_t triangle)
{
    mo_vec3 n = f->tree->normal[triangle][MO_NEAR_FACE];
    return mo_dot(n, n) == 0;
}

/* Degenerate triangles are ignored. */
static bool is_feature(const features *f, mo_edge_use use, int64_t triangle)
{
    bool twin = use.twin >= 0 && !is_flat(f, use.twin / 3), own = !is_flat(f, triangle);
    if (use.forward != 1 || use.backward != 1) {
        return own || twin;
    }
    return own && twin &&
           mo_dot(f->tree->normal[triangle][MO_NEAR_FACE],
                  f->tree->normal[use.twin / 3][MO_NEAR_FACE]) < CREASE;
}

static mote_status add_side(features *f, int32_t from, int32_t to)
{
    MO_TRY(mo_grow(f->memory, (void **)&f->side, &f->side_capacity, f->sides + 2, sizeof *f->side,
                   f->error));
    f->side[f->sides++] = (side){from, to};
    f->side[f->sides++] = (side){to, from};
    return MOTE_OK;
}

static int compare_sides(const void *a, const void *b)
{
    const side *p = a, *q = b;
    int by_from = (p->from > q->from) - (p->from < q->from);
    return by_from ? by_from : (p->to > q->to) - (p->to < q->to);
}

static mote_status find_sides(features *f)
{
    mo_fans fans;
    mote_status status = mo_fans_make(f->mesh, &fans, f->error);
    for (int64_t k = 0; k < 3 * f->mesh->triangles && status == MOTE_OK; ++k) {
        int32_t a = f->mesh->corner[k], b = f->mesh->corner[k % 3 == 2 ? k - 2 : k + 1];
        if (a != b) {
            mo_edge_use use = mo_trimesh_edge(f->mesh, &fans, a, b);
            bool mine = a < b || use.backward == 0; /* visited once per triangle of an edge */
            status = mine && is_feature(f, use, k / 3) ? add_side(f, a, b) : MOTE_OK;
        }
    }
    mo_fans_release(&fans);
    return status;
}

/* Sorts, removes duplicates, and stores the first entry of each vertex. */
static mote_status order_sides(features *f)
{
    void *start, *walked;
    int64_t kept = 0;
    if (f->sides > 0) {
        qsort(f->side, (size_t)f->sides, sizeof *f->side, compare_sides);
    }
    for (int64_t k = 0; k < f->sides; ++k) {
        if (k == 0 || compare_sides(&f->side[k], &f->side[k - 1]) != 0) {
            f->side[kept++] = f->side[k];
        }
    }
    f->sides = kept;
    MO_TRY(mo_allocate_array(f->memory, f->mesh->vertices + 1, sizeof *f->start, &start, f->error));
    f->start = start;
    MO_TRY(mo_allocate_array(f->memory, f->sides, sizeof *f->walked, &walked, f->error));
    f->walked = walked;
    for (int64_t k = 0; k < f->sides; ++k) {
        f->start[f->side[k].from + 1]++;
    }
    for (int64_t v = 0; v < f->mesh->vertices; ++v) {
        f->start[v + 1] += f->start[v];
    }
    return MOTE_OK;
}

/* Corners: where creases end, meet or bend. */
static bool is_corner(const features *f, int32_t v)
{
    int32_t first = f->start[v];
    if (f->start[v + 1] - first != 2) {
        return f->start[v + 1] > first;
    }
    mo_vec3 x = point(f, v), zero = {0, 0, 0};
    mo_vec3 a = mo_unit(mo_sub(point(f, f->side[first].to), x), zero);
    mo_vec3 b = mo_unit(mo_sub(point(f, f->side[first + 1].to), x), zero);
    return mo_dot(a, b) > -CREASE;
}

/* ---- sampling ---- */

static mote_status add_point(features *f, mo_vec3 x)
{
    return mo_point_grid_nearest(f->grid, x, APART * f->spacing, NULL) < 0
               ? mo_point_grid_add(f->grid, x, f->error)
               : MOTE_OK;
}

static mote_status extend(features *f, int32_t vertex)
{
    MO_TRY(mo_grow(f->memory, (void **)&f->path, &f->path_capacity, f->path_length + 1,
                   sizeof *f->path, f->error));
    f->path[f->path_length++] = vertex;
    return MOTE_OK;
}

static void mark(features *f, int32_t from, int32_t to)
{
    for (int32_t k = f->start[from]; k < f->start[from + 1]; ++k) {
        f->walked[k] = f->walked[k] || f->side[k].to == to;
    }
}

/* Follows a side to the next corner, or back to the start. */
static mote_status walk(features *f, int64_t first)
{
    int64_t at = first;
    f->path_length = 0;
    MO_TRY(extend(f, f->side[first].from));
    while (at >= 0) {
        int32_t from = f->side[at].from, to = f->side[at].to;
        mark(f, from, to);
        mark(f, to, from);
        MO_TRY(extend(f, to));
        at = -1;
        for (int32_t k = f->start[to]; !is_corner(f, to) && k < f->start[to + 1]; ++k) {
            at = f->walked[k] ? at : k;
        }
    }
    return MOTE_OK;
}

/* Points along the path, evenly spaced; including its ends if they coincide. */
static mote_status sample_path(features *f)
{
    double length = 0, gone = 0;
    for (int64_t k = 0; k + 1 < f->path_length; ++k) {
        length += mo_length(mo_sub(point(f, f->path[k + 1]), point(f, f->path[k])));
    }
    int64_t steps = mo_sample_steps(length, f->spacing),
            next = f->path[0] == f->path[f->path_length - 1] ? 0 : 1;
    for (int64_t k = 0; k + 1 < f->path_length; ++k) {
        mo_vec3 a = point(f, f->path[k]), way = mo_sub(point(f, f->path[k + 1]), a);
        double part = mo_length(way);
        for (; next < steps && length * (double)next / (double)steps <= gone + part; ++next) {
            double s = part > 0 ? (length * (double)next / (double)steps - gone) / part : 0;
            MO_TRY(add_point(f, mo_add_scaled(a, s, way)));
        }
        gone += part;
    }
    return MOTE_OK;
}

static mote_status sample_sides(features *f)
{
    for (int32_t v = 0; v < f->mesh->vertices; ++v) {
        if (is_corner(f, v)) {
            MO_TRY(add_point(f, point(f, v)));
        }
    }
    for (int rings = 0; rings < 2; ++rings) { /* from corners, then closed ones */
        for (int64_t k = 0; k < f->sides; ++k) {
            if (!f->walked[k] && (rings || is_corner(f, f->side[k].from))) {
                MO_TRY(walk(f, k));
                MO_TRY(sample_path(f));
            }
        }
    }
    return MOTE_OK;
}

mote_status mo_sample_features(const mo_trimesh *mesh, const mo_trimesh_distance *tree,
                               double spacing, mo_point_grid *grid, mote_error *error)
{
    features f = {.mesh = mesh,
                  .tree = tree,
                  .spacing = spacing,
                  .grid = grid,
                  .memory = grid->memory,
                  .error = error};
    mote_status status = find_sides(&f);
    if (status == MOTE_OK) {
        status = order_sides(&f);
    }
    if (status == MOTE_OK) {
        status = sample_sides(&f);
    }
    mo_release(f.memory, f.side);
    mo_release(f.memory, f.walked);
    mo_release(f.memory, f.start);
    mo_release(f.memory, f.path);
    return status;
}
