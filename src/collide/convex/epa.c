/*
 * The expanding polytope: from a tetrahedron in A - B around the origin, the face nearest to the
 * origin is pushed out to the support point beyond it, until there is none. Its normal is the
 * direction of least penetration.
 *
 * The result is the direction of least support among all faces examined: its depth is exact for
 * that direction even where rounding, or the limit of vertices on curved surfaces, ends the search
 * early. A flat difference (two segments, coplanar features) has depth 0 across it.
 */
#include "collide/convex/gjk.h"

enum { VERTICES_MOST = 96, FACES_MOST = 2 * VERTICES_MOST, EDGES_MOST = 3 * FACES_MOST };
static const double PRECISION = 1e-10, FLAT = 1e-9;

typedef struct epa_face {
    int v[3];
    mo_vec3 normal;
    double distance;
} epa_face;

typedef struct epa {
    const mo_posed *a, *b;
    double size;
    int vertices, faces;
    mo_simplex_vertex vertex[VERTICES_MOST];
    epa_face face[FACES_MOST];
} epa;

/* ---- the first tetrahedron ---- */

static mo_vec3 axis_of(int k)
{
    return mo_vec3_make(k == 0, k == 1, k == 2);
}

/* The part of r, a difference from the first vertex, across the line or plane of the vertices so
 * far; `side` is the side of a degenerate plane. */
static mo_vec3 part_across(const epa *e, mo_vec3 r, mo_vec3 side)
{
    if (e->vertices == 2) {
        mo_vec3 u = mo_sub(e->vertex[1].w, e->vertex[0].w);
        return mo_add_scaled(r, -mo_dot(r, u) / mo_dot(u, u), u);
    }
    if (e->vertices == 3) {
        mo_vec3 n = mo_unit(mo_cross(mo_sub(e->vertex[1].w, e->vertex[0].w),
                                     mo_sub(e->vertex[2].w, e->vertex[0].w)),
                            side);
        return mo_scale(mo_dot(r, n), n);
    }
    return r;
}

/* Adds the support point along +-d if it is outside of the affine hull of the vertices so far. */
static bool add_off(epa *e, mo_vec3 d)
{
    for (int side = 0; side < 2; ++side, d = mo_scale(-1, d)) {
        mo_simplex_vertex w = mo_difference_support(e->a, e->b, d);
        mo_vec3 r = part_across(e, mo_sub(w.w, e->vertex[0].w), d);
        if (mo_dot(r, r) > FLAT * FLAT * e->size * e->size) {
            e->vertex[e->vertices++] = w;
            return true;
        }
    }
    return false;
}

/* Fills up to four vertices; otherwise `flat` is a direction across the difference. */
static bool fill(epa *e, mo_vec3 *flat)
{
    bool found = true;
    if (e->vertices == 1) {
        found = add_off(e, axis_of(0)) || add_off(e, axis_of(1)) || add_off(e, axis_of(2));
        *flat = axis_of(2);
    }
    if (found && e->vertices == 2) {
        mo_vec3 u = mo_unit(mo_sub(e->vertex[1].w, e->vertex[0].w), axis_of(0));
        mo_vec3 p = mo_perpendicular(u);
        found = add_off(e, p) || add_off(e, mo_cross(u, p));
        *flat = p;
    }
    if (found && e->vertices == 3) {
        mo_vec3 n = mo_unit(mo_cross(mo_sub(e->vertex[1].w, e->vertex[0].w),
                                     mo_sub(e->vertex[2].w, e->vertex[0].w)),
                            axis_of(2));
        found = add_off(e, n);
        *flat = n;
    }
    return found;
}

/* Drops repeated and collinear vertices of the simplex where the distance search ended. */
static void take_simplex(epa *e, const mo_simplex *s)
{
    e->vertices = 0;
    for (int k = 0; k < s->count; ++k) {
        mo_vec3 r = e->vertices > 0 ? mo_sub(s->v[k].w, e->vertex[0].w) : mo_vec3_make(1, 0, 0);
        double limit = FLAT * e->size, square = e->vertices > 0 ? limit * limit : 0;
        r = part_across(e, r, r);
        if (mo_dot(r, r) > square) {
            e->vertex[e->vertices++] = s->v[k];
        }
    }
}

/* ---- faces ---- */

static bool add_face(epa *e, int i, int j, int k)
{
    mo_vec3 p = e->vertex[i].w, q = e->vertex[j].w, r = e->vertex[k].w;
    mo_vec3 n = mo_cross(mo_sub(q, p), mo_sub(r, p));
    double length = mo_length(n);
    if (!(length > 1e-20 * e->size * e->size) || e->faces == FACES_MOST) {
        return false;
    }
    n = mo_scale(1 / length, n);
    double distance = fmax(fmax(mo_dot(n, p), mo_dot(n, q)), mo_dot(n, r));
    e->face[e->faces++] = (epa_face){{i, j, k}, n, distance};
    return true;
}

static bool start(epa *e)
{
    mo_vec3 u = mo_sub(e->vertex[1].w, e->vertex[0].w), v = mo_sub(e->vertex[2].w, e->vertex[0].w);
    bool left = mo_dot(mo_cross(u, v), mo_sub(e->vertex[3].w, e->vertex[0].w)) > 0;
    int i = left ? 1 : 0, j = left ? 0 : 1;
    e->faces = 0;
    return add_face(e, i, j, 2) && add_face(e, j, i, 3) && add_face(e, i, 2, 3) &&
           add_face(e, 2, j, 3);
}

/* The edges around the faces that see the new vertex. */
typedef struct epa_horizon {
    int count;
    int edge[EDGES_MOST][2];
} epa_horizon;

static void add_edge(epa_horizon *h, int from, int to)
{
    for (int x = 0; x < h->count; ++x) {
        if (h->edge[x][0] == to && h->edge[x][1] == from) { /* between two visible faces */
            --h->count;
            h->edge[x][0] = h->edge[h->count][0], h->edge[x][1] = h->edge[h->count][1];
            return;
        }
    }
    h->edge[h->count][0] = from, h->edge[h->count++][1] = to;
}

static void remove_face(epa *e, epa_horizon *h, int f)
{
    for (int k = 0; k < 3; ++k) {
        add_edge(h, e->face[f].v[k], e->face[f].v[(k + 1) % 3]);
    }
    e->face[f] = e->face[--e->faces];
}

/* The face on the other side of an edge. */
static int face_beyond(const epa *e, int from, int to)
{
    for (int f = 0; f < e->faces; ++f) {
        const int *v = e->face[f].v;
        for (int k = 0; k < 3; ++k) {
            if (v[k] == to && v[(k + 1) % 3] == from) {
                return f;
            }
        }
    }
    return -1;
}

/* Replaces the faces that see the last vertex by a fan from their horizon: those connected with the
 * nearest face only, since rounding would find others among nearly coplanar ones. */
static bool expand(epa *e, int nearest)
{
    epa_horizon h = {0};
    int apex = e->vertices - 1;
    mo_vec3 w = e->vertex[apex].w;
    remove_face(e, &h, nearest);
    for (int x = 0; x < h.count;) {
        int f = face_beyond(e, h.edge[x][0], h.edge[x][1]);
        if (f < 0 || h.count > EDGES_MOST - 4) {
            return false;
        }
        if (mo_dot(e->face[f].normal, w) - e->face[f].distance > 1e-14 * e->size) {
            remove_face(e, &h, f);
            x = 0;
        } else {
            ++x;
        }
    }
    for (int x = 0; x < h.count; ++x) {
        if (!add_face(e, h.edge[x][0], h.edge[x][1], apex)) {
            return false;
        }
    }
    return h.count > 0;
}

/* The point of a face below the origin, on both shapes. */
static void witness(const epa *e, const epa_face *face, mo_convex_near *near)
{
    const mo_simplex_vertex *p = &e->vertex[face->v[0]], *q = &e->vertex[face->v[1]],
                            *r = &e->vertex[face->v[2]];
    mo_vec3 n = face->normal, x = mo_scale(face->distance, n);
    double wp = mo_dot(mo_cross(mo_sub(q->w, x), mo_sub(r->w, x)), n),
           wq = mo_dot(mo_cross(mo_sub(r->w, x), mo_sub(p->w, x)), n),
           wr = mo_dot(mo_cross(mo_sub(p->w, x), mo_sub(q->w, x)), n);
    wp = fmax(wp, 0), wq = fmax(wq, 0), wr = fmax(wr, 0);
    double sum = wp + wq + wr;
    if (!(sum > 0)) {
        wp = sum = 1;
    }
    mo_vec3 a = mo_scale(wp / sum, p->a), b = mo_scale(wp / sum, p->b);
    near->point[0] = mo_add_scaled(mo_add_scaled(a, wq / sum, q->a), wr / sum, r->a);
    near->point[1] = mo_add_scaled(mo_add_scaled(b, wq / sum, q->b), wr / sum, r->b);
    /* of a face that has not converged: as far apart as the depth */
    double missing = mo_dot(n, mo_sub(near->point[0], near->point[1])) + near->distance;
    near->point[0] = mo_add_scaled(near->point[0], -0.5 * missing, n);
    near->point[1] = mo_add_scaled(near->point[1], 0.5 * missing, n);
}

static void flat_difference(const epa *e, mo_vec3 across, mo_convex_near *near)
{
    near->distance = 0;
    near->normal = mo_dot(across, mo_sub(e->a->p, e->b->p)) < 0 ? mo_scale(-1, across) : across;
    near->point[0] = e->vertex[0].a;
    near->point[1] = e->vertex[0].b;
}

void mo_epa(const mo_posed *a, const mo_posed *b, const mo_simplex *simplex, mo_convex_near *near)
{
    epa e = {.a = a, .b = b, .size = a->shape->reach + b->shape->reach};
    mo_vec3 across = {0, 0, 1};
    take_simplex(&e, simplex);
    if (!fill(&e, &across) || !start(&e)) {
        flat_difference(&e, across, near);
        return;
    }
    double least = (double)INFINITY;
    for (;;) {
        int best = 0;
        for (int f = 1; f < e.faces; ++f) {
            best = e.face[f].distance < e.face[best].distance ? f : best;
        }
        epa_face face = e.face[best];
        mo_simplex_vertex w = mo_difference_support(a, b, face.normal);
        double reach = mo_dot(face.normal, w.w);
        bool converged = reach - face.distance <= PRECISION * e.size;
        if (reach < least || (converged && reach <= least + PRECISION * e.size)) {
            least = reach;
            near->distance = -reach;
            near->normal = mo_scale(-1, face.normal);
            witness(&e, &face, near);
        }
        if (converged || e.vertices == VERTICES_MOST) {
            return;
        }
        e.vertex[e.vertices++] = w;
        if (!expand(&e, best)) {
            return;
        }
    }
}
