/*
 * Contact on both sides of a surface: the triangles of open surfaces, and those of a body in
 * contact with itself.
 *
 * A node stays on one side of a triangle: forces act along its distance on that side, also where it
 * has crossed the triangle by less than `gap`. The side follows from the normal when the node comes
 * within `side_range`, and is remembered, triangle by triangle, until it leaves that range (a
 * column of the system, so that resumed runs have the same bits). Sides are recorded once a step,
 * in its first evaluation, so that all stages and iterations of a step see the same ones.
 *
 * A node may go around an edge: beyond a border of the surface, and in the plane of a triangle that
 * is near it in the rest shape as well, its side is undefined. There the distance has no sign and
 * nothing is remembered.
 *
 * A body in contact with itself leaves out the triangles that a node belongs to, and those within
 * `gap` of it in the rest shape (R. Bridson, R. Fedkiw, J. Anderson 2002, SIGGRAPH 594, section 7,
 * leave out neighbours by topology alone). Of the other triangles the nearest on either side of the
 * node's own surface acts: a node between two layers is in contact with both. The least distance is
 * a continuous function of the positions, and so is the energy; a sum over all triangles nearby
 * would be stiffer above edges and vertices.
 */
#include "geometry/simplex/nearest.h"
#include "solid/contact/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SHALLOW = 0.5; /* sine of the elevation below which a side may be undefined */

bool mo_contact_is_two_sided(const mo_body_contacts *c, int32_t own, int32_t triangle)
{
    int32_t body = c->triangles[triangle].body;
    return body == own || c->bodies[body].open;
}

/* ---- the rest shape ---- */

static bool belongs(const mo_contact_triangle *t, int64_t point)
{
    return t->point[0] == point || t->point[1] == point || t->point[2] == point;
}

static double rest_distance(const mo_body_contacts *c, int64_t point, int32_t triangle)
{
    mo_vec3 corner[3], nearest = {0, 0, 0}, p = c->points[point].rest;
    double weight[3];
    for (int k = 0; k < 3; ++k) {
        corner[k] = c->points[c->triangles[triangle].point[k]].rest;
    }
    mo_triangle_nearest_weights(corner, p, weight);
    for (int k = 0; k < 3; ++k) {
        nearest = mo_add_scaled(nearest, weight[k], corner[k]);
    }
    return mo_length(mo_sub(p, nearest));
}

bool mo_contact_may_meet(const mo_body_contacts *c, int64_t point, int32_t triangle)
{
    const mo_contact_triangle *t = &c->triangles[triangle];
    return t->body != c->points[point].body ||
           (c->def.self && !belongs(t, point) && rest_distance(c, point, triangle) >= c->gap);
}

/* ---- sides ---- */

static int remembered_side(const mo_body_contacts *c, int64_t point, int32_t triangle)
{
    if (!c->sides) {
        return 0;
    }
    const int32_t *entry =
        (const int32_t *)c->sides->data + MO_CONTACT_SIDES * (int64_t)c->points[point].row;
    int32_t name = c->triangles[triangle].number + 1;
    for (int k = 0; k < MO_CONTACT_SIDES && entry[k]; ++k) {
        if (abs(entry[k]) == name) {
            return entry[k] > 0 ? 1 : -1;
        }
    }
    return 0;
}

/* Whether the nearest point lies on a border of the surface. */
static bool is_on_border(const mo_contact_triangle *t, const double weight[3])
{
    for (int k = 0; k < 3; ++k) {
        int next = (k + 1) % 3, last = (k + 2) % 3;
        if ((weight[last] == 0 && (t->border >> k & 1)) ||
            (weight[next] == 0 && weight[last] == 0 && (t->border >> (3 + k) & 1))) {
            return true;
        }
    }
    return false;
}

static bool is_undefined(const mo_body_contacts *c, const mo_contact_found *found,
                         bool near_at_rest)
{
    const double *w = found->weight;
    double up = fabs(mo_dot(found->n, found->surface_normal));
    bool inside = w[0] > 0 && w[1] > 0 && w[2] > 0,
         shallow = up < SHALLOW * mo_length(found->surface_normal);
    return !inside && shallow && (near_at_rest || is_on_border(&c->triangles[found->triangle], w));
}

/* Inserts it by its rank; of too many the farthest is dropped. */
void mo_contact_add_candidate(const mo_body_contacts *c, int64_t point, mo_contact_found found,
                              mo_contact_candidates *candidates)
{
    if (found.rank > c->side_range) {
        return;
    }
    found.rank -= mo_contact_hysteresis(c, point, found.triangle);
    int at = candidates->count < MO_CONTACT_SIDES ? candidates->count++ : MO_CONTACT_SIDES;
    for (; at > 0 && found.rank < candidates->list[at - 1].rank; --at) {
        if (at < MO_CONTACT_SIDES) {
            candidates->list[at] = candidates->list[at - 1];
        }
    }
    if (at < MO_CONTACT_SIDES) {
        candidates->list[at] = found;
    }
}

/* Whether the nearest point of a triangle lies on an edge or vertex that it shares with another. */
static bool is_shared(const mo_body_contacts *c, const mo_contact_found *found,
                      const mo_contact_found *other)
{
    const mo_contact_triangle *t = &c->triangles[found->triangle];
    int corners = 0, shared = 0;
    for (int k = 0; k < 3; ++k) {
        corners += found->weight[k] > 0;
        shared += found->weight[k] > 0 && belongs(&c->triangles[other->triangle], t->point[k]);
    }
    return corners < 3 && shared == corners;
}

/* The candidate before k that shares the nearest point of k; -1: none. */
static int sharer_of(const mo_body_contacts *c, const mo_contact_candidates *candidates, int k)
{
    for (int other = 0; other < k; ++other) {
        if (candidates->list[other].body == candidates->list[k].body &&
            is_shared(c, &candidates->list[k], &candidates->list[other])) {
            return other;
        }
    }
    return -1;
}

/* A triangle whose nearest point belongs to a nearer one, too, has no say: the sign of its distance
 * is that of the other. It takes over the side, which it has when the node slides on to it. */
static int side_of(const mo_body_contacts *c, int64_t point,
                   const mo_contact_candidates *candidates, int k, int sharer)
{
    const mo_contact_found *found = &candidates->list[k];
    bool own = found->body == c->points[point].body;
    int side = remembered_side(c, point, found->triangle);
    if (side && side * found->distance >= -c->gap) {
        return side;
    }
    if (sharer >= 0) {
        return candidates->list[sharer].side;
    }
    bool near_at_rest = own && rest_distance(c, point, found->triangle) < 2 * c->reach;
    return is_undefined(c, found, near_at_rest) ? 0 : found->distance < 0 ? -1 : 1;
}

/* Distances with the signs of their sides. nearest_on makes n point to the side of the normal. */
static void find_sides(const mo_body_contacts *c, int64_t point, mo_contact_candidates *candidates)
{
    for (int k = 0; k < candidates->count; ++k) {
        mo_contact_found *found = &candidates->list[k];
        int sharer = sharer_of(c, candidates, k);
        found->side = side_of(c, point, candidates, k, sharer);
        found->acts = sharer < 0;
    }
    for (int k = 0; k < candidates->count; ++k) {
        mo_contact_found *found = &candidates->list[k];
        int side = found->side ? found->side : found->distance < 0 ? -1 : 1;
        found->n = mo_scale(side, found->n);
        found->distance *= side;
    }
}

static void record_sides(mo_body_contacts *c, int64_t point,
                         const mo_contact_candidates *candidates)
{
    int32_t *entry = (int32_t *)c->sides->data + MO_CONTACT_SIDES * (int64_t)c->points[point].row;
    int count = 0;
    memset(entry, 0, MO_CONTACT_SIDES * sizeof *entry);
    for (int k = 0; k < candidates->count; ++k) {
        const mo_contact_found *found = &candidates->list[k];
        if (found->side) {
            entry[count++] = found->side * (c->triangles[found->triangle].number + 1);
        }
    }
}

void mo_contact_choose(mo_body_contacts *c, int64_t point, mo_contact_candidates *candidates,
                       mo_contact_found *list)
{
    int count = 0;
    find_sides(c, point, candidates);
    while (count < MO_CONTACT_BODIES && list[count].body >= 0) {
        count++;
    }
    for (int k = 0; k < candidates->count && count < MO_CONTACT_BODIES; ++k) {
        const mo_contact_found *found = &candidates->list[k];
        bool above = mo_dot(found->n, c->normals[point]) > 0,
             differs = found->acts && found->distance < c->gap;
        for (int other = 0; other < count; ++other) {
            bool same = list[other].body == found->body &&
                        (mo_dot(list[other].n, c->normals[point]) > 0) == above;
            differs = differs && !same;
        }
        if (differs) {
            list[count++] = *found;
        }
    }
    if (c->recording && c->sides) {
        record_sides(c, point, candidates);
    }
}

/* ---- borders ---- */

typedef struct half_edge {
    int32_t low, high;
    int64_t triangle;
    int edge;
} half_edge;

static int compare_edges(const void *a, const void *b)
{
    const half_edge *p = a, *q = b;
    if (p->low != q->low) {
        return p->low < q->low ? -1 : 1;
    }
    return (p->high > q->high) - (p->high < q->high);
}

mote_status mo_contact_mark_borders(mo_body_contacts *c, int64_t first, mote_error *error)
{
    int64_t count = 3 * (c->triangle_count - first);
    void *block, *flags;
    MO_TRY(mo_allocate_array(c->memory, count, sizeof(half_edge), &block, error));
    mote_status status = mo_allocate_array(c->memory, c->point_count, 1, &flags, error);
    if (status != MOTE_OK) {
        mo_release(c->memory, block);
        return status;
    }
    half_edge *edges = block;
    uint8_t *is_border = flags; /* of points */
    for (int64_t e = 0; e < count; ++e) {
        const int32_t *point = c->triangles[first + e / 3].point;
        int32_t a = point[e % 3], b = point[(e + 1) % 3];
        edges[e] = (half_edge){a < b ? a : b, a < b ? b : a, first + e / 3, (int)(e % 3)};
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    for (int64_t e = 0; e < count; ++e) {
        bool shared = (e > 0 && compare_edges(&edges[e - 1], &edges[e]) == 0) ||
                      (e + 1 < count && compare_edges(&edges[e + 1], &edges[e]) == 0);
        if (!shared) {
            c->triangles[edges[e].triangle].border |= (uint8_t)(1 << edges[e].edge);
            is_border[edges[e].low] = is_border[edges[e].high] = 1;
        }
    }
    for (int64_t k = 0; k < count; ++k) {
        mo_contact_triangle *t = &c->triangles[first + k / 3];
        t->border |= (uint8_t)(is_border[t->point[k % 3]] << (3 + k % 3));
    }
    mo_release(c->memory, edges);
    mo_release(c->memory, flags);
    return MOTE_OK;
}
