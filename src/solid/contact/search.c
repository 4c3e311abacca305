/*
 * Finds the surface nodes close to triangles.
 */
#include "base/hash.h"
#include "geometry/simplex/nearest.h"
#include "solid/contact/state.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 256 };

static mo_vec3 position_of(const double *x, int64_t row)
{
    return mo_vec3_load(x + 3 * row);
}

static mote_status find_normals(mo_body_contacts *c, const double *x, mote_error *error)
{
    void *normals = c->normals;
    mote_status status = mo_grow(c->memory, &normals, &c->normal_capacity, c->point_count + 1,
                                 sizeof(mo_vec3), error);
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
    mo_triangle_nearest_weights(corner, p, found.weight);
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
    found.surface_normal = normal;
    found.n = length > 1e-9 * s->c->reach ? mo_scale(side / length, r) : mo_unit(face, normal);
    return found;
}

/* In a static solve a node keeps its triangle until another is clearly nearer; otherwise
 * contacts would alternate between two triangles at equal distance. */
double mo_contact_hysteresis(const mo_body_contacts *c, int64_t point, int32_t triangle)
{
    for (int k = 0; c->solving && k < MO_CONTACT_BODIES; ++k) {
        const mo_contact_slip *slip = &c->slips[MO_CONTACT_BODIES * point + k];
        if (slip->body >= 0 && slip->triangle == triangle) {
            return 0.1 * c->gap;
        }
    }
    return 0;
}

/* Keeps the nearest per body. */
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

/* A triangle that may be near p, the position of `point`. */
static void search_triangle(const search *s, int64_t point, mo_vec3 p, int32_t t,
                            mo_contact_found *list, mo_contact_candidates *candidates)
{
    const mo_body_contacts *c = s->c;
    int32_t own = c->points[point].body;
    if (mo_contact_is_two_sided(c, own, t)) {
        mo_contact_add_candidate(c, point, nearest_on(s, p, t), candidates);
    } else {
        mo_contact_found found = nearest_on(s, p, t);
        found.rank -= mo_contact_hysteresis(c, point, t);
        if (fabs(found.distance) <= c->reach) {
            keep_nearest(list, found);
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
        mo_contact_candidates candidates;
        candidates.count = 0;
        for (int k = 0; k < MO_CONTACT_BODIES; ++k) {
            list[k].body = -1;
        }
        for (int64_t e = c->pair_start[point]; e < c->pair_start[point + 1]; ++e) {
            search_triangle(s, point, p, c->pairs[e], list, &candidates);
        }
        mo_contact_choose(c, point, &candidates, list);
    }
}

static mote_status surface_find(mo_body_contacts *c, const double *x, mo_pool *pool,
                                mote_error *error)
{
    search s = {c, x};
    MO_TRY(mo_contact_find_pairs(c, x, pool, error));
    MO_TRY(find_normals(c, x, error));
    mo_parallel_for(pool, c->point_count, GRAIN, search_range, &s);
    c->recording = false;
    return MOTE_OK;
}

static const mo_param PARAMS[] = {{0}};

const mo_contact_detection_type mo_contact_detection_surface = {
    .base = {.name = "surface",
             .summary = "The nearest triangle of each surface around a node, from the distance "
                        "`gap` on: contact before bodies overlap, also with cloth.",
             .capabilities = MO_PORTABLE,
             .params = PARAMS},
    .find = surface_find,
};

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
                           .depth = c->onset - found->distance,
                           .k = fmin(c->bodies[found->body].k, c->points[point].k)};
    for (int j = 0; j < 3; ++j) {
        contact.side[1].row[j] = t->row[j];
        contact.side[1].weight[j] = found->weight[j];
        law.point[1 + j] = t->point[j];
    }
    MO_TRY(mo_contact_set_append(&c->set, &contact, error));
    MO_TRY(mo_reserve(c->memory, &c->laws, &c->law_capacity, c->set.count, sizeof law, error));
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
            if (found->body >= 0 && found->distance < c->onset) {
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
        mo_grow(c->memory, &start, &c->start_capacity, c->point_count + 1, sizeof(int64_t), error);
    c->start = start;
    MO_TRY(status);
    int64_t nodes = MO_BODY_NODES * c->set.count;
    status = mo_grow(c->memory, &entries, &c->entry_capacity, nodes, sizeof(int32_t), error);
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
    const mo_contact_detection_type *type =
        (const mo_contact_detection_type *)c->def.detection.type;
    void *found = c->found;
    mote_status status = mo_grow(c->memory, &found, &c->found_capacity, c->point_count,
                                 MO_CONTACT_BODIES * sizeof(mo_contact_found), error);
    c->found = found;
    MO_TRY(status);
    MO_TRY(type->find(c, x, pool, error));
    MO_TRY(list_contacts(c, error));
    return sort_contacts(c, error);
}
