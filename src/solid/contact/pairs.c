/*
 * The pairs of surface nodes and triangles that may be in contact: a list with a margin, the skin,
 * which stays valid until a node has moved by half of it (L. Verlet 1967, Phys. Rev. 159, 98).
 * Displacements count relative to their mean, since contacts do not depend on a common translation.
 *
 * The list holds every pair within the range of contact, in the order of the triangles, and
 * contacts are chosen by their distances alone: results do not depend on when it was made.
 *
 * Triangles are found in a hashed grid (M. Teschner, B. Heidelberger, M. Mueller, D. Pomeranets, M.
 * Gross 2003, VMV 47).
 */
#include "solid/contact/state.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 256 };

typedef struct pair_search {
    mo_body_contacts *c;
    const double *x;
    bool write; /* else pairs are counted */
} pair_search;

static void triangle_box(const mo_contact_triangle *t, const double *x, mo_vec3 *low, mo_vec3 *high)
{
    *low = *high = mo_vec3_load(x + 3 * (int64_t)t->row[0]);
    mo_contact_box_grow(low, high, mo_vec3_load(x + 3 * (int64_t)t->row[1]));
    mo_contact_box_grow(low, high, mo_vec3_load(x + 3 * (int64_t)t->row[2]));
}

/* ---- the grid ---- */

static int64_t bucket_of(const mo_body_contacts *c, int64_t i, int64_t j, int64_t k)
{
    uint64_t h = (uint64_t)i * 73856093u ^ (uint64_t)j * 19349663u ^ (uint64_t)k * 83492791u;
    return (int64_t)(h & (uint64_t)(c->buckets - 1));
}

static int64_t cell_of(const mo_body_contacts *c, double x)
{
    return (int64_t)floor(fmax(fmin(x / c->cell, 1e15), -1e15));
}

/* Visits the buckets of the cells within reach of a triangle: counts, or inserts it. Cells are
 * at least a quarter of the longest edge; a triangle that covers more belongs to a diverged body
 * and is truncated. */
static void enter(mo_body_contacts *c, int64_t t, const double *x, bool write)
{
    enum { SPAN = 16 };
    mo_vec3 low, high;
    double margin = c->reach + c->skin;
    triangle_box(&c->triangles[t], x, &low, &high);
    if (!mo_contact_is_near_other(c, c->triangles[t].body, low, high)) {
        return;
    }
    int64_t from[3] = {cell_of(c, low.x - margin), cell_of(c, low.y - margin),
                       cell_of(c, low.z - margin)};
    int64_t to[3] = {cell_of(c, high.x + margin), cell_of(c, high.y + margin),
                     cell_of(c, high.z + margin)};
    for (int k = 0; k < 3; ++k) {
        to[k] = to[k] - from[k] < SPAN ? to[k] : from[k] + SPAN;
    }
    for (int64_t i = from[0]; i <= to[0]; ++i) {
        for (int64_t j = from[1]; j <= to[1]; ++j) {
            for (int64_t k = from[2]; k <= to[2]; ++k) {
                int64_t bucket = bucket_of(c, i, j, k);
                if (write) {
                    c->cell_entries[--c->cell_start[bucket]] = (int32_t)t;
                } else {
                    c->cell_start[bucket]++;
                }
            }
        }
    }
}

/* Counts, sums up, and inserts backwards, the last triangle first: each bucket has its triangles
 * in order. */
static mote_status fill_grid(mo_body_contacts *c, const double *x, mote_error *error)
{
    void *start = c->cell_start, *entries = c->cell_entries;
    c->buckets = 64;
    while (c->buckets < 2 * c->triangle_count) {
        c->buckets *= 2;
    }
    mote_status status =
        mo_grow(c->memory, &start, &c->cell_capacity, c->buckets + 1, sizeof(int64_t), error);
    c->cell_start = start;
    MO_TRY(status);
    memset(c->cell_start, 0, (size_t)(c->buckets + 1) * sizeof(int64_t));
    for (int64_t t = 0; t < c->triangle_count; ++t) {
        enter(c, t, x, false);
    }
    for (int64_t b = 0; b < c->buckets; ++b) {
        c->cell_start[b + 1] += c->cell_start[b];
    }
    status = mo_grow(c->memory, &entries, &c->cell_entry_capacity, c->cell_start[c->buckets],
                     sizeof(int32_t), error);
    c->cell_entries = entries;
    MO_TRY(status);
    for (int64_t t = c->triangle_count - 1; t >= 0; --t) {
        enter(c, t, x, true);
    }
    return MOTE_OK;
}

/* ---- the list ---- */

/* Whether p is within the range of the box of a triangle. */
static bool is_near(const pair_search *s, int32_t own, mo_vec3 p, int32_t triangle)
{
    const mo_body_contacts *c = s->c;
    mo_vec3 low, high;
    double range = (mo_contact_is_two_sided(c, own, triangle) ? c->side_range : c->reach) + c->skin;
    triangle_box(&c->triangles[triangle], s->x, &low, &high);
    return p.x >= low.x - range && p.x <= high.x + range && p.y >= low.y - range &&
           p.y <= high.y + range && p.z >= low.z - range && p.z <= high.z + range;
}

/* Cells of a triangle may share a bucket: it is then inserted several times in succession. */
static void list_range(void *context, int64_t first, int64_t last)
{
    const pair_search *s = context;
    mo_body_contacts *c = s->c;
    for (int64_t point = first; point < last; ++point) {
        int32_t own = c->points[point].body, last_triangle = -1;
        mo_vec3 p = mo_vec3_load(s->x + 3 * (int64_t)c->points[point].row);
        int64_t count = 0, at = s->write ? c->pair_start[point] : 0;
        int64_t bucket = bucket_of(c, cell_of(c, p.x), cell_of(c, p.y), cell_of(c, p.z));
        bool near = mo_contact_is_near_other(c, own, p, p);
        for (int64_t e = c->cell_start[bucket]; near && e < c->cell_start[bucket + 1]; ++e) {
            int32_t t = c->cell_entries[e];
            if (t != last_triangle && (c->triangles[t].body != own || c->def.self) &&
                is_near(s, own, p, t) && mo_contact_may_meet(c, point, t)) {
                if (s->write) {
                    c->pairs[at + count] = t;
                }
                count++;
            }
            last_triangle = t;
        }
        if (!s->write) {
            c->pair_start[point + 1] = count;
        }
    }
}

static mote_status list_pairs(mo_body_contacts *c, const double *x, mo_pool *pool,
                              mote_error *error)
{
    pair_search s = {c, x, false};
    void *start = c->pair_start, *pairs = c->pairs;
    mote_status status = mo_grow(c->memory, &start, &c->pair_start_capacity, c->point_count + 1,
                                 sizeof(int64_t), error);
    c->pair_start = start;
    MO_TRY(status);
    c->pair_start[0] = 0;
    mo_parallel_for(pool, c->point_count, GRAIN, list_range, &s);
    for (int64_t p = 0; p < c->point_count; ++p) {
        c->pair_start[p + 1] += c->pair_start[p];
    }
    status = mo_grow(c->memory, &pairs, &c->pair_capacity, c->pair_start[c->point_count],
                     sizeof(int32_t), error);
    c->pairs = pairs;
    MO_TRY(status);
    s.write = true;
    mo_parallel_for(pool, c->point_count, GRAIN, list_range, &s);
    return MOTE_OK;
}

/* Whether all pairs in contact at x are in the list. */
static bool is_valid(const mo_body_contacts *c, const double *x)
{
    mo_vec3 mean = {0, 0, 0};
    double limit = 0.25 * c->skin * c->skin;
    if (c->listed_count != c->point_count || c->point_count == 0) {
        return false;
    }
    for (int64_t p = 0; p < c->point_count; ++p) {
        mean = mo_add(mean, mo_sub(mo_vec3_load(x + 3 * (int64_t)c->points[p].row), c->listed[p]));
    }
    mean = mo_scale(1.0 / (double)c->point_count, mean);
    for (int64_t p = 0; p < c->point_count; ++p) {
        mo_vec3 moved = mo_sub(mo_vec3_load(x + 3 * (int64_t)c->points[p].row), c->listed[p]);
        mo_vec3 u = mo_sub(moved, mean);
        if (!(mo_dot(u, u) < limit)) {
            return false;
        }
    }
    return true;
}

mote_status mo_contact_find_pairs(mo_body_contacts *c, const double *x, mo_pool *pool,
                                  mote_error *error)
{
    if (is_valid(c, x)) {
        return MOTE_OK;
    }
    c->listed_count = 0;
    void *listed = c->listed;
    mote_status status = mo_grow(c->memory, &listed, &c->listed_capacity, c->point_count + 1,
                                 sizeof(mo_vec3), error);
    c->listed = listed;
    MO_TRY(status);
    MO_TRY(mo_contact_find_boxes(c, x, error));
    MO_TRY(fill_grid(c, x, error));
    MO_TRY(list_pairs(c, x, pool, error));
    for (int64_t p = 0; p < c->point_count; ++p) {
        c->listed[p] = mo_vec3_load(x + 3 * (int64_t)c->points[p].row);
    }
    c->listed_count = c->point_count;
    return MOTE_OK;
}
