/*
 * Contact by penetration: surface nodes in tetrahedra, with the consistent depth and direction of
 * B. Heidelberger, M. Teschner, R. Keiser, M. Mueller, M. Gross 2004, "Consistent penetration depth
 * estimation for deformable collision response", VMV, 339.
 *   1. Nodes in tetrahedra of other bodies, or of their own, are found by a search over primitives
 *      (hashing as in M. Teschner et al. 2003 by default), and barycentric coordinates.
 *   2. Surface edges from such a node p to one outside cut the other surface at x_i with normal
 * n_i.
 *   3. With w_i = 1/|x_i - p|^2: depth d(p) = sum w_i (x_i - p).n_i / sum w_i, direction r(p) =
 *      sum w_i n_i, normalised (their equations 1 to 4).
 *   4. From layer to layer inward, with m_j = 1/|p_j - p|^2 over the neighbours p_j known already:
 *      d(p) = sum m_j ((p_j - p).r(p_j) + d(p_j)) / sum m_j, r(p) = sum m_j r(p_j) (5 and 6).
 * The force acts on the node and on the triangle that the line from p along r meets, so that
 * momentum and angular momentum are conserved. Bodies that are deep in each other, or thinner than
 * a step, are still separated, unlike with the nearest triangle; contact begins with overlap.
 * Departs from the paper: surface nodes only; the reaction is on the surface triangle, not on the
 * tetrahedron; a body's own tetrahedra near a node in the rest shape do not count.
 */
#include "geometry/simplex/intersect.h"
#include "solid/contact/state.h"

#include <math.h>
#include <string.h>

extern const mo_contact_detection_type mo_contact_detection_heidelberger2004;

typedef struct parameters {
    mo_method search;
} parameters;

static const mo_param PARAMS[] = {
    {"search", MO_METHOD, MO_FIELD(parameters, search), .initial = MO_SUBDIVISION_DEFAULT_JSON,
     .family = &mo_subdivisions,
     .doc = "Search for tetrahedra around nodes; all searches give the same contacts."},
    {0}};

void mo_penetrations_init(mo_penetrations *p, mo_memory *memory)
{
    *p = (mo_penetrations){.memory = memory};
    mo_pair_search_init(&p->pairs, memory);
    mo_hierarchy_init(&p->surface, &mo_bound_aabb, memory);
}

void mo_penetrations_release(mo_penetrations *p)
{
    void *parts[] = {p->tetrahedra, p->active, p->active_rows,   p->queries, p->query_points,
                     p->start,      p->near,   p->triangle_rows, p->list};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
        mo_release(p->memory, parts[k]);
    }
    if (p->ready) {
        mo_subdivision_release(&p->search);
    }
    mo_pair_search_release(&p->pairs);
    mo_hierarchy_release(&p->surface);
}

mote_status mo_penetrations_add(mo_penetrations *p, int32_t body, const int32_t *tetrahedra,
                                int64_t count, const double *x, mote_error *error)
{
    MO_TRY(mo_reserve(p->memory, &p->tetrahedra, &p->capacity, p->count + count,
                      sizeof *p->tetrahedra, error));
    for (int64_t t = 0; t < count; ++t) {
        mo_contact_tetrahedron *to = &p->tetrahedra[p->count++];
        *to = (mo_contact_tetrahedron){.body = body};
        for (int k = 0; k < 4; ++k) {
            to->row[k] = tetrahedra[4 * t + k];
            to->rest = mo_add_scaled(to->rest, 0.25, mo_vec3_load(x + 3 * (int64_t)to->row[k]));
        }
    }
    return MOTE_OK;
}

void mo_penetrations_remap(mo_penetrations *p, const int64_t *map)
{
    int64_t kept = 0;
    for (int64_t t = 0; t < p->count; ++t) {
        mo_contact_tetrahedron own = p->tetrahedra[t];
        bool whole = true;
        for (int k = 0; k < 4; ++k) {
            own.row[k] = (int32_t)map[own.row[k]];
            whole = whole && own.row[k] >= 0;
        }
        if (whole) {
            p->tetrahedra[kept++] = own;
        }
    }
    p->count = kept;
    p->linked = 0;
}

/* ---- surface edges ---- */

/* Both directions of every side of every triangle; an edge of two triangles is there twice, which
 * changes nothing but the weight of its neighbours alike. */
static mote_status link_points(mo_body_contacts *c, mote_error *error)
{
    mo_penetrations *p = &c->penetrations;
    MO_TRY(mo_reserve(c->memory, &p->start, &p->start_capacity, c->point_count + 1,
                      sizeof *p->start, error));
    MO_TRY(mo_reserve(c->memory, &p->near, &p->near_capacity, 6 * c->triangle_count,
                      sizeof *p->near, error));
    memset(p->start, 0, (size_t)(c->point_count + 1) * sizeof *p->start);
    for (int64_t t = 0; t < c->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            p->start[c->triangles[t].point[k]] += 2;
        }
    }
    for (int64_t k = 0; k < c->point_count; ++k) {
        p->start[k + 1] += p->start[k];
    }
    for (int64_t t = c->triangle_count - 1; t >= 0; --t) {
        const int32_t *point = c->triangles[t].point;
        for (int k = 0; k < 3; ++k) {
            p->near[--p->start[point[k]]] = point[(k + 1) % 3];
            p->near[--p->start[point[k]]] = point[(k + 2) % 3];
        }
    }
    p->linked = c->point_count;
    return MOTE_OK;
}

/* ---- nodes in tetrahedra ---- */

static mote_status gather_active(mo_body_contacts *c, const double *x, mote_error *error)
{
    mo_penetrations *p = &c->penetrations;
    MO_TRY(
        mo_reserve(c->memory, &p->active, &p->active_capacity, p->count, sizeof(int32_t), error));
    MO_TRY(mo_reserve(c->memory, &p->active_rows, &p->active_rows_capacity, 4 * p->count,
                      sizeof(int32_t), error));
    MO_TRY(mo_reserve(c->memory, &p->queries, &p->query_capacity, c->point_count, sizeof(int32_t),
                      error));
    MO_TRY(mo_reserve(c->memory, &p->query_points, &p->query_point_capacity, c->point_count,
                      sizeof(int32_t), error));
    p->active_count = p->query_count = 0;
    for (int64_t t = 0; t < p->count; ++t) {
        const mo_contact_tetrahedron *own = &p->tetrahedra[t];
        if (c->def.self || c->bodies[own->body].near_count > 0) {
            memcpy(p->active_rows + 4 * p->active_count, own->row, sizeof own->row);
            p->active[p->active_count++] = (int32_t)t;
        }
    }
    for (int64_t k = 0; k < c->point_count; ++k) {
        mo_vec3 at = mo_vec3_load(x + 3 * (int64_t)c->points[k].row);
        if (mo_contact_is_near_other(c, c->points[k].body, at, at)) {
            p->query_points[p->query_count] = (int32_t)k;
            p->queries[p->query_count++] = c->points[k].row;
        }
    }
    return MOTE_OK;
}

typedef struct finding {
    mo_body_contacts *c;
    const double *x;
} finding;

/* Own tetrahedra around a node, and those next to them, overlap with it where a body is compressed.
 */
static bool are_neighbours(const mo_body_contacts *c, int64_t point,
                           const mo_contact_tetrahedron *t)
{
    static const double EDGES = 2;
    mo_vec3 r = mo_sub(c->points[point].rest, t->rest);
    return mo_length(r) < EDGES * c->mean_edge;
}

static bool is_inside(const void *context, int32_t query, int32_t active)
{
    const finding *f = context;
    const mo_body_contacts *c = f->c;
    const mo_penetrations *p = &c->penetrations;
    const mo_contact_tetrahedron *t = &p->tetrahedra[p->active[active]];
    int32_t point = p->query_points[query];
    mo_vec3 corner[4];
    double w[4];
    if (t->body == c->points[point].body && (!c->def.self || are_neighbours(c, point, t))) {
        return false;
    }
    for (int k = 0; k < 4; ++k) {
        corner[k] = mo_vec3_load(f->x + 3 * (int64_t)t->row[k]);
    }
    mo_vec3 x = mo_vec3_load(f->x + 3 * (int64_t)c->points[point].row);
    return mo_tetrahedron_weights(corner, x, w) && mo_tetrahedron_contains(w);
}

static mote_status make_search(mo_body_contacts *c, mote_error *error)
{
    mo_penetrations *p = &c->penetrations;
    const parameters *params = c->def.detection.params;
    if (!p->ready) {
        MO_TRY(mo_subdivision_init(&p->search, params->search, c->memory, error));
        p->ready = true;
    }
    return MOTE_OK;
}

/* The list of nodes and the bodies that they are in: each once, in order. */
static mote_status find_nodes(const finding *f, mo_pool *pool, mote_error *error)
{
    mo_body_contacts *c = f->c;
    mo_penetrations *p = &c->penetrations;
    mo_simplices solids = {
        .count = p->active_count, .corners = 4, .corner = p->active_rows, .x = f->x};
    mo_simplices nodes = {.count = p->query_count, .corners = 1, .corner = p->queries, .x = f->x};
    MO_TRY(make_search(c, error));
    MO_TRY(mo_subdivision_build(&p->search, &solids, pool, error));
    MO_TRY(mo_subdivision_find(&p->search, &nodes, is_inside, f, &p->pairs, pool, error));
    for (int64_t k = 0; k < p->pairs.count; ++k) { /* to points and bodies */
        mo_index_pair *pair = &p->pairs.pairs[k];
        *pair = (mo_index_pair){p->query_points[pair->a], p->tetrahedra[p->active[pair->b]].body};
    }
    MO_TRY(mo_pair_search_sort(&p->pairs, false, error));
    MO_TRY(
        mo_reserve(c->memory, &p->list, &p->list_capacity, p->pairs.count, sizeof *p->list, error));
    p->list_count = 0;
    for (int64_t k = 0; k < p->pairs.count; ++k) {
        mo_index_pair pair = p->pairs.pairs[k];
        const mo_penetration *last = &p->list[p->list_count > 0 ? p->list_count - 1 : 0];
        if (p->list_count == 0 || last->point != pair.a || last->body != pair.b) {
            p->list[p->list_count++] =
                (mo_penetration){.point = pair.a, .body = pair.b, .layer = -1};
        }
    }
    return MOTE_OK;
}

/* Where a node in a body is in the list; -1: it is not in that body. */
static int64_t index_of(const mo_penetrations *p, int32_t point, int32_t body)
{
    int64_t low = 0, high = p->list_count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        const mo_penetration *at = &p->list[middle];
        if (at->point < point || (at->point == point && at->body < body)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool there = low < p->list_count && p->list[low].point == point && p->list[low].body == body;
    return there ? low : -1;
}

/* ---- lines through the surface ---- */

typedef struct crossing {
    const finding *f;
    int32_t body, point, other; /* triangles of these two points do not count */
} crossing;

static void load_corners(const finding *f, int32_t triangle, mo_vec3 corner[3])
{
    for (int k = 0; k < 3; ++k) {
        corner[k] = mo_vec3_load(f->x + 3 * (int64_t)f->c->triangles[triangle].row[k]);
    }
}

static bool counts(const crossing *q, int32_t triangle)
{
    const mo_contact_triangle *t = &q->f->c->triangles[triangle];
    bool own = false;
    for (int k = 0; k < 3; ++k) {
        own = own || t->point[k] == q->point || t->point[k] == q->other;
    }
    return t->body == q->body && !own;
}

static double cross_triangle(const void *context, int32_t triangle, const mo_ray *ray)
{
    const crossing *q = context;
    mo_vec3 corner[3];
    double w[3];
    if (!counts(q, triangle)) {
        return (double)INFINITY;
    }
    load_corners(q->f, triangle, corner);
    return mo_ray_triangle(ray, corner, w);
}

static mo_vec3 triangle_normal(const finding *f, int32_t triangle)
{
    mo_vec3 corner[3], zero = {0, 0, 0};
    load_corners(f, triangle, corner);
    return mo_unit(mo_cross(mo_sub(corner[1], corner[0]), mo_sub(corner[2], corner[0])), zero);
}

static mote_status build_surface(const finding *f, mo_pool *pool, mote_error *error)
{
    mo_body_contacts *c = f->c;
    mo_penetrations *p = &c->penetrations;
    MO_TRY(mo_reserve(c->memory, &p->triangle_rows, &p->triangle_row_capacity,
                      3 * c->triangle_count, sizeof(int32_t), error));
    for (int64_t t = 0; t < c->triangle_count; ++t) {
        memcpy(p->triangle_rows + 3 * t, c->triangles[t].row, sizeof c->triangles[t].row);
    }
    mo_simplices set = {
        .count = c->triangle_count, .corners = 3, .corner = p->triangle_rows, .x = f->x};
    return mo_hierarchy_build(&p->surface, &set, MO_HIERARCHY_MORTON, pool, error);
}

/* ---- depth and direction ---- */

typedef struct average {
    double weight, depth;
    mo_vec3 direction;
} average;

static void add_sample(average *a, double square, double depth, mo_vec3 direction)
{
    double weight = square > 0 ? 1 / square : 0;
    a->weight += weight;
    a->depth += weight * depth;
    a->direction = mo_add_scaled(a->direction, weight, direction);
}

static bool settle(const average *a, int32_t layer, mo_penetration *own)
{
    double length = mo_length(a->direction);
    if (!(a->weight > 0 && length > 1e-12 * a->weight)) {
        return false;
    }
    own->layer = layer;
    own->depth = a->depth / a->weight;
    own->direction = mo_scale(1 / length, a->direction);
    return true;
}

/* Stages 2 and 3. */
static bool find_at_border(const finding *f, mo_penetration *own)
{
    mo_penetrations *p = &f->c->penetrations;
    mo_vec3 at = mo_vec3_load(f->x + 3 * (int64_t)f->c->points[own->point].row);
    average a = {0};
    for (int32_t k = p->start[own->point]; k < p->start[own->point + 1]; ++k) {
        int32_t other = p->near[k];
        if (index_of(p, other, own->body) >= 0) {
            continue;
        }
        mo_vec3 out = mo_vec3_load(f->x + 3 * (int64_t)f->c->points[other].row);
        mo_ray ray = {.origin = at, .direction = mo_sub(out, at), .end = 1};
        crossing q = {f, own->body, own->point, other};
        mo_hit hit = mo_hierarchy_cast(&p->surface, &ray, cross_triangle, &q);
        if (hit.primitive >= 0) {
            mo_vec3 d = mo_scale(hit.distance, ray.direction);
            mo_vec3 n = triangle_normal(f, hit.primitive);
            add_sample(&a, mo_dot(d, d), mo_dot(d, n), n);
        }
    }
    return settle(&a, 0, own);
}

/* Stage 4, from the layer before. */
static bool propagate(const finding *f, mo_penetration *own, int32_t layer)
{
    mo_penetrations *p = &f->c->penetrations;
    mo_vec3 at = mo_vec3_load(f->x + 3 * (int64_t)f->c->points[own->point].row);
    average a = {0};
    for (int32_t k = p->start[own->point]; k < p->start[own->point + 1]; ++k) {
        int64_t index = index_of(p, p->near[k], own->body);
        if (index < 0 || p->list[index].layer < 0 || p->list[index].layer >= layer) {
            continue;
        }
        const mo_penetration *other = &p->list[index];
        mo_vec3 there = mo_vec3_load(f->x + 3 * (int64_t)f->c->points[other->point].row);
        mo_vec3 d = mo_sub(there, at);
        add_sample(&a, mo_dot(d, d), mo_dot(d, other->direction) + other->depth, other->direction);
    }
    return settle(&a, layer, own);
}

static void find_depths(const finding *f)
{
    mo_penetrations *p = &f->c->penetrations;
    int64_t known = 0, before = -1;
    for (int64_t k = 0; k < p->list_count; ++k) {
        known += find_at_border(f, &p->list[k]);
    }
    for (int32_t layer = 1; known > before && known < p->list_count; ++layer) {
        before = known;
        for (int64_t k = 0; k < p->list_count; ++k) {
            if (p->list[k].layer < 0) {
                known += propagate(f, &p->list[k], layer);
            }
        }
    }
}

/* ---- contacts ---- */

/* The triangle that the line from a node along its direction meets. */
static bool find_triangle(const finding *f, const mo_penetration *own, mo_contact_found *found)
{
    mo_body_contacts *c = f->c;
    mo_vec3 corner[3];
    double reach = 4 * own->depth + c->reach;
    mo_ray ray = {.origin = mo_vec3_load(f->x + 3 * (int64_t)c->points[own->point].row),
                  .direction = own->direction,
                  .end = reach};
    crossing q = {f, own->body, own->point, own->point};
    mo_hit hit = mo_hierarchy_cast(&c->penetrations.surface, &ray, cross_triangle, &q);
    if (hit.primitive < 0) {
        return false;
    }
    *found = (mo_contact_found){
        .triangle = hit.primitive, .body = own->body, .distance = -own->depth, .n = own->direction};
    load_corners(f, hit.primitive, corner);
    mo_ray_triangle(&ray, corner, found->weight);
    return true;
}

static void list_found(const finding *f)
{
    mo_body_contacts *c = f->c;
    mo_penetrations *p = &c->penetrations;
    for (int64_t k = 0; k < MO_CONTACT_BODIES * c->point_count; ++k) {
        c->found[k].body = -1;
    }
    for (int64_t k = 0; k < p->list_count; ++k) {
        const mo_penetration *own = &p->list[k];
        mo_contact_found *to = c->found + MO_CONTACT_BODIES * (int64_t)own->point, found;
        int slot = 0;
        while (slot < MO_CONTACT_BODIES && to[slot].body >= 0) {
            ++slot;
        }
        if (slot < MO_CONTACT_BODIES && own->layer >= 0 && own->depth > 0 &&
            find_triangle(f, own, &found)) {
            to[slot] = found;
        }
    }
}

static mote_status heidelberger2004_find(mo_body_contacts *c, const double *x, mo_pool *pool,
                                         mote_error *error)
{
    finding f = {c, x};
    mo_penetrations *p = &c->penetrations;
    MO_TRY(mo_contact_find_boxes(c, x, error));
    if (p->linked != c->point_count || p->linked == 0) {
        MO_TRY(link_points(c, error));
    }
    MO_TRY(gather_active(c, x, error));
    MO_TRY(find_nodes(&f, pool, error));
    if (p->list_count > 0) {
        MO_TRY(build_surface(&f, pool, error));
        find_depths(&f);
    }
    list_found(&f);
    return MOTE_OK;
}

const mo_contact_detection_type mo_contact_detection_heidelberger2004 = {
    .base = {.name = "heidelberger2004",
             .summary = "Nodes in tetrahedra, with consistent penetration depth and direction: "
                        "finds the way out of deep overlaps.",
             .citation = "B. Heidelberger, M. Teschner, R. Keiser, M. Mueller, M. Gross 2004, VMV, "
                         "339",
             .departs = "Surface nodes only; the reaction acts on the surface triangle in the "
                        "direction of penetration, not on the tetrahedron.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(parameters),
             .params = PARAMS},
    .volumes = true,
    .find = heidelberger2004_find,
};
