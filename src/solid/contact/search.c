/* Finds the surface nodes that are near triangles of other bodies. */
#include "base/hash.h"
#include "solid/contact/state.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 256 };

static mo_vec3 position_of(const double *x, int64_t row)
{
    return mo_vec3_load(x + 3 * row);
}

static void triangle_box(const mo_contact_triangle *t, const double *x, mo_vec3 *low, mo_vec3 *high)
{
    *low = *high = position_of(x, t->row[0]);
    mo_contact_box_grow(low, high, position_of(x, t->row[1]));
    mo_contact_box_grow(low, high, position_of(x, t->row[2]));
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

/* Visits the buckets of the cells that a triangle may be felt in: counts, or enters it. Cells are
 * no smaller than a quarter of the longest edge, so a triangle that reaches further is of a body
 * torn apart, and is cut off. */
static void enter(mo_body_contacts *c, int64_t t, const double *x, bool write)
{
    enum { SPAN = 16 };
    mo_vec3 low, high;
    triangle_box(&c->triangles[t], x, &low, &high);
    if (!mo_contact_is_near_other(c, c->triangles[t].body, low, high)) {
        return;
    }
    int64_t from[3] = {cell_of(c, low.x - c->reach), cell_of(c, low.y - c->reach),
                       cell_of(c, low.z - c->reach)};
    int64_t to[3] = {cell_of(c, high.x + c->reach), cell_of(c, high.y + c->reach),
                     cell_of(c, high.z + c->reach)};
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

/* Counts, sums up, and enters from the back, the last triangle first: each bucket has its triangles
 * in order. */
static mote_status fill_grid(mo_body_contacts *c, const double *x, mote_error *error)
{
    void *start = c->cell_start, *entries = c->cell_entries;
    c->buckets = 64;
    while (c->buckets < 2 * c->triangle_count) {
        c->buckets *= 2;
    }
    mote_status status =
        mo_grow(c->memory, &start, &c->cell_room, c->buckets + 1, sizeof(int64_t), error);
    c->cell_start = start;
    MO_TRY(status);
    memset(c->cell_start, 0, (size_t)(c->buckets + 1) * sizeof(int64_t));
    for (int64_t t = 0; t < c->triangle_count; ++t) {
        enter(c, t, x, false);
    }
    for (int64_t b = 0; b < c->buckets; ++b) {
        c->cell_start[b + 1] += c->cell_start[b];
    }
    status = mo_grow(c->memory, &entries, &c->cell_entry_room, c->cell_start[c->buckets],
                     sizeof(int32_t), error);
    c->cell_entries = entries;
    MO_TRY(status);
    for (int64_t t = c->triangle_count - 1; t >= 0; --t) {
        enter(c, t, x, true);
    }
    return MOTE_OK;
}

static mote_status find_normals(mo_body_contacts *c, const double *x, mote_error *error)
{
    void *normals = c->normals;
    mote_status status =
        mo_grow(c->memory, &normals, &c->normal_room, c->point_count + 1, sizeof(mo_vec3), error);
    c->normals = normals;
    MO_TRY(status);
    memset(c->normals, 0, (size_t)c->point_count * sizeof(mo_vec3));
    for (int64_t t = 0; t < c->triangle_count; ++t) {
        const mo_contact_triangle *f = &c->triangles[t];
        mo_vec3 o = position_of(x, f->row[0]),
                area = mo_cross(mo_sub(position_of(x, f->row[1]), o),
                                mo_sub(position_of(x, f->row[2]), o));
        mo_vec3 n = mo_unit(area, mo_vec3_make(0, 0, 0));
        for (int k = 0; k < 3; ++k) {
            c->normals[f->point[k]] = mo_add(c->normals[f->point[k]], n);
        }
    }
    return MOTE_OK;
}

/* ---- the nearest point of a triangle ---- */

/* The barycentric coordinate of b in the nearest point of the edge from a to b. */
static double along_edge(mo_vec3 a, mo_vec3 b, mo_vec3 p)
{
    mo_vec3 edge = mo_sub(b, a);
    double square = mo_dot(edge, edge);
    return square > 0 ? fmin(fmax(mo_dot(mo_sub(p, a), edge) / square, 0), 1) : 0;
}

/* The barycentric coordinates of the point of a triangle nearest to p: of its projection onto the
 * plane if that lies inside, else of the nearest edge. */
static void nearest_weights(const mo_vec3 corner[3], mo_vec3 p, double weight[3])
{
    mo_vec3 a = mo_sub(corner[1], corner[0]), b = mo_sub(corner[2], corner[0]),
            d = mo_sub(p, corner[0]);
    double aa = mo_dot(a, a), ab = mo_dot(a, b), bb = mo_dot(b, b), da = mo_dot(d, a),
           db = mo_dot(d, b);
    double det = aa * bb - ab * ab, u = bb * da - ab * db, v = aa * db - ab * da, best = INFINITY;
    if (det > 1e-14 * aa * bb && u >= 0 && v >= 0 && u + v <= det) {
        weight[1] = u / det;
        weight[2] = v / det;
        weight[0] = 1 - weight[1] - weight[2];
        return;
    }
    for (int e = 0; e < 3; ++e) {
        int from = e, to = (e + 1) % 3;
        double t = along_edge(corner[from], corner[to], p);
        mo_vec3 c = mo_add_scaled(mo_scale(1 - t, corner[from]), t, corner[to]), r = mo_sub(p, c);
        if (mo_dot(r, r) < best) {
            best = mo_dot(r, r);
            weight[0] = weight[1] = weight[2] = 0;
            weight[from] = 1 - t;
            weight[to] = t;
        }
    }
}

typedef struct search {
    mo_body_contacts *c;
    const double *x;
} search;

static mo_contact_found nearest_on(const search *s, mo_vec3 p, int32_t triangle)
{
    const mo_contact_triangle *t = &s->c->triangles[triangle];
    mo_vec3 corner[3], normal = mo_vec3_make(0, 0, 0);
    mo_contact_found found = {.triangle = triangle, .body = t->body};
    for (int k = 0; k < 3; ++k) {
        corner[k] = position_of(s->x, t->row[k]);
    }
    nearest_weights(corner, p, found.weight);
    mo_vec3 c = mo_vec3_make(0, 0, 0);
    for (int k = 0; k < 3; ++k) {
        c = mo_add_scaled(c, found.weight[k], corner[k]);
        normal = mo_add_scaled(normal, found.weight[k], s->c->normals[t->point[k]]);
    }
    mo_vec3 r = mo_sub(p, c),
            face = mo_cross(mo_sub(corner[1], corner[0]), mo_sub(corner[2], corner[0]));
    double length = mo_length(r), side = mo_dot(r, normal) < 0 ? -1 : 1;
    found.distance = side * length;
    found.rank = length;
    found.n = length > 1e-9 * s->c->reach ? mo_scale(side / length, r) : mo_unit(face, normal);
    return found;
}

/* In a static solve a node stays with its triangle until another is clearly nearer: where two
 * are equally near the force would jump from one to the other for ever. */
static double hysteresis(const mo_body_contacts *c, int64_t point, int32_t triangle)
{
    for (int k = 0; c->solving && k < MO_CONTACT_BODIES; ++k) {
        const mo_contact_slip *slip = &c->slips[MO_CONTACT_BODIES * point + k];
        if (slip->body >= 0 && slip->triangle == triangle) {
            return 0.1 * c->gap;
        }
    }
    return 0;
}

/* Keeps the nearest of each body. */
static void keep_nearest(mo_contact_found *list, mo_contact_found found)
{
    for (int k = 0; k < MO_CONTACT_BODIES; ++k) {
        if (list[k].body < 0 || list[k].body == found.body) {
            if (list[k].body < 0 || found.rank < list[k].rank) {
                list[k] = found;
            }
            return;
        }
    }
}

static void search_range(void *context, int64_t first, int64_t last)
{
    const search *s = context;
    mo_body_contacts *c = s->c;
    for (int64_t point = first; point < last; ++point) {
        const mo_contact_point *own = &c->points[point];
        mo_contact_found *list = c->found + MO_CONTACT_BODIES * point;
        mo_vec3 p = position_of(s->x, own->row);
        for (int k = 0; k < MO_CONTACT_BODIES; ++k) {
            list[k].body = -1;
        }
        if (!mo_contact_is_near_other(c, own->body, p, p)) {
            continue;
        }
        int64_t bucket = bucket_of(c, cell_of(c, p.x), cell_of(c, p.y), cell_of(c, p.z));
        for (int64_t e = c->cell_start[bucket]; e < c->cell_start[bucket + 1]; ++e) {
            int32_t t = c->cell_entries[e];
            if (c->triangles[t].body != own->body) {
                mo_contact_found found = nearest_on(s, p, t);
                found.rank -= hysteresis(c, point, t);
                if (fabs(found.distance) <= c->reach) {
                    keep_nearest(list, found);
                }
            }
        }
    }
}

/* ---- the list ---- */

static mote_status append(mo_body_contacts *c, int64_t point, const mo_contact_found *found,
                          mote_error *error)
{
    const mo_contact_triangle *t = &c->triangles[found->triangle];
    mo_contact contact = {
        .side = {mo_contact_vertex(c->system, c->points[point].row),
                 {.rows = 3, .system = c->system}},
        .normal = found->n,
        .gap = found->distance,
        .key = mo_contact_key_of(mo_feature_of(MO_FEATURE_VERTEX, 0, c->points[point].id),
                                 mo_feature_of(MO_FEATURE_TRIANGLE, c->system, t->number))};
    mo_body_contact law = {.triangle = found->triangle,
                           .point = {(int32_t)point},
                           .depth = c->gap - found->distance,
                           .k = fmin(c->bodies[found->body].k, c->points[point].k)};
    for (int j = 0; j < 3; ++j) {
        contact.side[1].row[j] = t->row[j];
        contact.side[1].weight[j] = found->weight[j];
        law.point[1 + j] = t->point[j];
    }
    MO_TRY(mo_contact_set_append(&c->set, &contact, error));
    MO_TRY(mo_make_room(c->memory, &c->laws, &c->law_room, c->set.count, sizeof law, error));
    c->laws[c->set.count - 1] = law;
    return MOTE_OK;
}

static mote_status list_contacts(mo_body_contacts *c, mote_error *error)
{
    uint64_t signature = 0;
    c->set.count = 0;
    for (int64_t point = 0; point < c->point_count; ++point) {
        for (int k = 0; k < MO_CONTACT_BODIES; ++k) {
            const mo_contact_found *found = &c->found[MO_CONTACT_BODIES * point + k];
            if (found->body >= 0 && found->distance < c->gap) {
                MO_TRY(append(c, point, found, error));
                signature =
                    mo_hash_word(signature, (uint64_t)point << 32 | (uint32_t)found->triangle);
            }
        }
    }
    c->number += signature != c->signature;
    c->signature = signature;
    return MOTE_OK;
}

/* The contacts of each point. */
static mote_status sort_contacts(mo_body_contacts *c, mote_error *error)
{
    void *start = c->start, *entries = c->entries;
    mote_status status =
        mo_grow(c->memory, &start, &c->start_room, c->point_count + 1, sizeof(int64_t), error);
    c->start = start;
    MO_TRY(status);
    int64_t nodes = MO_BODY_NODES * c->set.count;
    status = mo_grow(c->memory, &entries, &c->entry_room, nodes, sizeof(int32_t), error);
    c->entries = entries;
    MO_TRY(status);
    memset(c->start, 0, (size_t)(c->point_count + 1) * sizeof(int64_t));
    for (int64_t e = 0; e < nodes; ++e) {
        c->start[c->laws[e / MO_BODY_NODES].point[e % MO_BODY_NODES]]++;
    }
    for (int64_t p = 0; p < c->point_count; ++p) {
        c->start[p + 1] += c->start[p];
    }
    for (int64_t e = nodes - 1; e >= 0; --e) {
        c->entries[--c->start[c->laws[e / MO_BODY_NODES].point[e % MO_BODY_NODES]]] = (int32_t)e;
    }
    return MOTE_OK;
}

mote_status mo_body_contacts_search(mo_body_contacts *c, const double *x, mo_pool *pool,
                                    mote_error *error)
{
    search s = {c, x};
    void *found = c->found;
    mote_status status = mo_grow(c->memory, &found, &c->found_room, c->point_count,
                                 MO_CONTACT_BODIES * sizeof(mo_contact_found), error);
    c->found = found;
    MO_TRY(status);
    MO_TRY(mo_contact_find_boxes(c, x, error));
    MO_TRY(find_normals(c, x, error));
    MO_TRY(fill_grid(c, x, error));
    mo_parallel_for(pool, c->point_count, GRAIN, search_range, &s);
    MO_TRY(list_contacts(c, error));
    return sort_contacts(c, error);
}
