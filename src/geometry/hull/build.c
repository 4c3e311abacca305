/*
 * Convex hull of points by Quickhull (Barber, Dobkin, Huhdanpaa 1996): the point farthest from the
 * polytope so far is added, the triangles that it sees are replaced by a fan from their horizon.
 * Always the farthest point of all, so that a hull with a limited number of vertices is the best
 * that greedy choice gives. Among points equally far from a triangle the one farthest from the
 * centre is taken: it is a vertex of the hull, and no triangle of the fan is degenerate.
 *
 * Points within 1e-10 of the size from a triangle count as on it. Coplanar triangles are merged
 * afterwards (merge.c).
 */
#include "geometry/hull/builder.h"

#include <string.h>

static const double COPLANAR =
    1e-8; /* thinner than this part of its size, a set of points is flat */

static mo_vec3 point_of(const mo_hull_builder *b, int64_t k)
{
    return mo_sub(mo_vec3_load(b->points + 3 * k), b->center);
}

/* ---- triangles ---- */

static int32_t take_triangle(mo_hull_builder *b)
{
    int32_t t = b->free_count > 0 ? b->free[--b->free_count] : b->used++;
    MOTE_ASSERT(t < MO_HULL_TRIANGLES);
    b->triangle[t] = (mo_hull_triangle){.live = true};
    return t;
}

static void set_triangle(mo_hull_builder *b, int32_t t, int32_t p, int32_t q, int32_t r)
{
    mo_hull_triangle *tri = &b->triangle[t];
    mo_vec3 x = b->vertex[p], y = b->vertex[q], z = b->vertex[r];
    mo_vec3 n = mo_cross(mo_sub(y, x), mo_sub(z, x));
    tri->v[0] = p, tri->v[1] = q, tri->v[2] = r;
    tri->area = mo_length(n);
    tri->normal = mo_unit(n, mo_vec3_make(0, 0, 1));
    tri->offset =
        fmax(fmax(mo_dot(tri->normal, x), mo_dot(tri->normal, y)), mo_dot(tri->normal, z));
}

static double height(const mo_hull_builder *b, int32_t t, mo_vec3 x)
{
    return mo_dot(b->triangle[t].normal, x) - b->triangle[t].offset;
}

/* The triangle of a list that a point is farthest outside of. */
static void assign(mo_hull_builder *b, int64_t k, const int32_t *list, int32_t count)
{
    mo_vec3 x = point_of(b, k);
    b->sees[k] = -1;
    b->far[k] = b->epsilon;
    for (int32_t i = 0; i < count; ++i) {
        double d = height(b, list[i], x);
        if (d > b->far[k]) {
            b->far[k] = d;
            b->sees[k] = list[i];
        }
    }
}

/* ---- the first tetrahedron ---- */

/* The point that is farthest by a measure: from a point, a line or a plane. */
static int64_t farthest(const mo_hull_builder *b, int known, const mo_vec3 *x, double *distance)
{
    int64_t best = 0;
    *distance = -1;
    mo_vec3 line = known > 1 ? mo_unit(mo_sub(x[1], x[0]), mo_vec3_make(1, 0, 0)) : x[0];
    mo_vec3 plane = known > 2 ? mo_unit(mo_cross(line, mo_sub(x[2], x[0])), line) : x[0];
    for (int64_t k = 0; k < b->count; ++k) {
        mo_vec3 r = mo_sub(point_of(b, k), x[0]);
        double d = known == 1   ? mo_length(r)
                   : known == 2 ? mo_length(mo_cross(line, r))
                                : fabs(mo_dot(plane, r));
        if (d > *distance) {
            *distance = d;
            best = k;
        }
    }
    return best;
}

static mote_status start(mo_hull_builder *b, const char *name, mote_error *error)
{
    static const char *const WHAT[] = {"", "one point", "a line", "a plane"};
    mo_vec3 x[4] = {{0, 0, 0}};
    double distance;
    x[0] = point_of(b, farthest(b, 1, x, &distance));
    b->size = distance;
    for (int known = 1; known < 4; ++known) {
        x[known] = point_of(b, farthest(b, known, x, &distance));
        if (!(distance > COPLANAR * b->size)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "%s: its %lld points lie in %s; a convex hull needs a volume", name,
                           (long long)b->count, WHAT[known]);
        }
    }
    if (mo_dot(mo_cross(mo_sub(x[1], x[0]), mo_sub(x[2], x[0])), mo_sub(x[3], x[0])) > 0) {
        mo_vec3 swap = x[0];
        x[0] = x[1];
        x[1] = swap;
    }
    memcpy(b->vertex, x, sizeof x);
    b->vertices = 4;
    b->epsilon = 1e-10 * b->size;
    /* triangle t is opposite to vertex t; its neighbours are those opposite to its corners */
    static const int32_t corner[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
    int32_t all[4] = {0, 1, 2, 3};
    for (int32_t t = 0; t < 4; ++t) {
        take_triangle(b);
        set_triangle(b, t, corner[t][0], corner[t][1], corner[t][2]);
        for (int k = 0; k < 3; ++k) { /* across the edge k, k + 1: opposite to corner k + 2 */
            b->triangle[t].next[k] = corner[t][(k + 2) % 3];
        }
    }
    for (int64_t k = 0; k < b->count; ++k) {
        assign(b, k, all, 4);
    }
    return MOTE_OK;
}

/* ---- adding a point ---- */

static int64_t choose(const mo_hull_builder *b)
{
    int64_t best = -1;
    double most = 0, radius = 0;
    for (int64_t k = 0; k < b->count; ++k) {
        if (b->sees[k] < 0 || b->far[k] < most - b->epsilon) {
            continue;
        }
        mo_vec3 x = point_of(b, k);
        double square = mo_dot(x, x);
        if (b->far[k] > most + b->epsilon || square > radius) {
            most = fmax(most, b->far[k]);
            radius = square;
            best = k;
        }
    }
    return best;
}

/* Marks the triangles that see a point, from one of them on; their number. */
static int32_t flood(mo_hull_builder *b, int32_t from, mo_vec3 x)
{
    int32_t count = 0;
    b->visible[count++] = from;
    b->triangle[from].visible = true;
    for (int32_t k = 0; k < count; ++k) {
        const mo_hull_triangle *t = &b->triangle[b->visible[k]];
        for (int i = 0; i < 3; ++i) {
            int32_t next = t->next[i];
            if (!b->triangle[next].visible && height(b, next, x) > b->epsilon) {
                b->triangle[next].visible = true;
                b->visible[count++] = next;
            }
        }
    }
    return count;
}

/* The horizon: edge[v] is the triangle beyond the edge that starts at v, and next vertex. False
 * unless it is one loop. */
static bool horizon(mo_hull_builder *b, int32_t seen, int32_t *from, int32_t *length)
{
    int32_t edges = 0;
    for (int32_t v = 0; v < b->vertices; ++v) {
        b->loop[v] = -1;
    }
    for (int32_t k = 0; k < seen; ++k) {
        const mo_hull_triangle *t = &b->triangle[b->visible[k]];
        for (int i = 0; i < 3; ++i) {
            if (!b->triangle[t->next[i]].visible) {
                if (b->loop[t->v[i]] >= 0) {
                    return false;
                }
                b->loop[t->v[i]] = t->v[(i + 1) % 3];
                b->beyond[t->v[i]] = t->next[i];
                *from = t->v[i];
                ++edges;
            }
        }
    }
    int32_t v = *from;
    *length = 0;
    do {
        v = b->loop[v];
        ++*length;
    } while (v >= 0 && v != *from && *length <= edges);
    return v == *from && *length == edges;
}

static void link_beyond(mo_hull_builder *b, int32_t beyond, int32_t p, int32_t q, int32_t t)
{
    mo_hull_triangle *o = &b->triangle[beyond];
    for (int i = 0; i < 3; ++i) {
        if (o->v[i] == q && o->v[(i + 1) % 3] == p) {
            o->next[i] = t;
        }
    }
}

static void fan(mo_hull_builder *b, int32_t from, int32_t length, int32_t apex)
{
    int32_t v = from;
    for (int32_t k = 0; k < length; ++k) {
        b->fan[k] = take_triangle(b);
    }
    for (int32_t k = 0; k < length; ++k) {
        int32_t q = b->loop[v], t = b->fan[k];
        set_triangle(b, t, v, q, apex);
        b->triangle[t].next[0] = b->beyond[v];
        b->triangle[t].next[1] = b->fan[(k + 1) % length];
        b->triangle[t].next[2] = b->fan[(k + length - 1) % length];
        link_beyond(b, b->beyond[v], v, q, t);
        v = q;
    }
}

static void add(mo_hull_builder *b, int64_t k)
{
    mo_vec3 x = point_of(b, k);
    int32_t seen = flood(b, b->sees[k], x), from = 0, length = 0;
    bool simple = horizon(b, seen, &from, &length);
    for (int32_t i = 0; i < seen; ++i) {
        b->triangle[b->visible[i]].visible = !simple ? false : true;
    }
    if (!simple) { /* rounding has torn the visible part: the point is as good as on the hull */
        b->sees[k] = -1;
        return;
    }
    b->vertex[b->vertices] = x;
    b->vertices++;
    fan(b, from, length, b->vertices - 1);
    for (int64_t j = 0; j < b->count; ++j) {
        if (b->sees[j] >= 0 && b->triangle[b->sees[j]].visible) {
            assign(b, j, b->fan, length);
        }
    }
    for (int32_t i = 0; i < seen; ++i) {
        b->triangle[b->visible[i]].live = false;
        b->triangle[b->visible[i]].visible = false;
        b->free[b->free_count++] = b->visible[i];
    }
    b->sees[k] = -1;
}

/* ---- all of it ---- */

static mote_status build(mo_hull_builder *b, const char *name, mo_arena *arena, mo_hull *hull,
                         double *lost, mote_error *error)
{
    MO_TRY(start(b, name, error));
    while (b->vertices < MO_HULL_VERTICES_MOST) {
        int64_t k = choose(b);
        if (k < 0) {
            break;
        }
        add(b, k);
    }
    if (lost) {
        int64_t k = choose(b);
        *lost = k < 0 ? 0 : b->far[k];
    }
    return mo_hull_merge(b, arena, hull, error);
}

mote_status mo_hull_build(int64_t count, const double *points, const char *name, mo_arena *arena,
                          mo_hull *hull, double *lost, mote_error *error)
{
    mo_hull_builder *b = NULL;
    double low[3], high[3];
    if (count < 4) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "%s: a convex hull needs at least 4 points, not %lld", name,
                       (long long)count);
    }
    for (int64_t k = 0; k < 3 * count; ++k) {
        if (!isfinite(points[k]) || fabs(points[k]) > 1e100) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "%s: point %lld is not finite, or huge: no convex hull", name,
                           (long long)(k / 3));
        }
        low[k % 3] = k < 3 ? points[k] : fmin(low[k % 3], points[k]);
        high[k % 3] = k < 3 ? points[k] : fmax(high[k % 3], points[k]);
    }
    size_t bytes = sizeof *b + (size_t)count * (sizeof *b->far + sizeof *b->sees);
    b = mo_allocate(arena->memory, bytes);
    if (!b) {
        return mo_fail_memory(error, bytes);
    }
    b->count = count;
    b->points = points;
    b->far = (double *)(b + 1);
    b->sees = (int32_t *)(b->far + count);
    b->center = mo_scale(0.5, mo_add(mo_vec3_load(low), mo_vec3_load(high)));
    mote_status status = build(b, name, arena, hull, lost, error);
    mo_release(arena->memory, b);
    return status;
}
