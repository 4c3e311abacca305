#include "collide/convex/gjk.h"

/* The distance is found to this part of it, and cores nearer than this part of their size
 * overlap. */
static const double PRECISION = 1e-11, OVERLAP = 1e-9;
/* A tetrahedron of less height is flat, relative to the size: the directions of its faces have
 * errors of rounding/height, which decide on which side of it the origin is. */
static const double FLAT = 3e-8;
/* Where rounding ends the search this far from the distance, and nearly in contact, the polytope
 * decides; as parts of the size. */
static const double UNSURE = 1e-8, NEARLY = 1e-4;
enum { ITERATIONS = 100 };

double mo_core_radius(const mo_convex *shape)
{
    bool round = shape->kind == MO_CONVEX_SPHERE || shape->kind == MO_CONVEX_CAPSULE;
    return round ? shape->radius[0] : 0;
}

mo_vec3 mo_core_support(const mo_posed *posed, mo_vec3 direction)
{
    if (posed->shape->kind == MO_CONVEX_SPHERE) {
        return posed->p;
    }
    if (posed->shape->kind == MO_CONVEX_CAPSULE) {
        mo_vec3 z = mo_vec3_make(posed->R.m[2], posed->R.m[5], posed->R.m[8]);
        double half = posed->shape->half.z;
        return mo_add_scaled(posed->p, mo_dot(z, direction) < 0 ? -half : half, z);
    }
    return mo_convex_support(posed, direction);
}

mo_simplex_vertex mo_difference_support(const mo_posed *a, const mo_posed *b, mo_vec3 direction)
{
    mo_vec3 p = mo_core_support(a, direction), q = mo_core_support(b, mo_scale(-1, direction));
    return (mo_simplex_vertex){mo_sub(p, q), p, q};
}

/* ---- the point of a simplex nearest to the origin ---- */

/* Keeps the vertices in `order` with their weights. */
static void keep(mo_simplex *s, int count, const int *order, const double *weight)
{
    mo_simplex old = *s;
    s->count = count;
    for (int k = 0; k < count; ++k) {
        s->v[k] = old.v[order[k]];
        s->weight[k] = weight[k];
    }
}

/* Barycentric weights of the nearest point on a segment; the vertices needed. */
static int on_segment(mo_vec3 p, mo_vec3 q, int order[2], double weight[2])
{
    mo_vec3 d = mo_sub(q, p);
    double t = -mo_dot(p, d), square = mo_dot(d, d);
    if (t <= 0 || !(square > 0)) {
        order[0] = 0, weight[0] = 1;
        return 1;
    }
    if (t >= square) {
        order[0] = 1, weight[0] = 1;
        return 1;
    }
    order[0] = 0, order[1] = 1;
    weight[1] = t / square, weight[0] = 1 - weight[1];
    return 2;
}

/* Regions of a triangle (Ericson 2005, 5.1.5). */
static int on_triangle(mo_vec3 p, mo_vec3 q, mo_vec3 r, int order[3], double weight[3])
{
    mo_vec3 u = mo_sub(q, p), v = mo_sub(r, p), n = mo_cross(u, v);
    double area = mo_dot(n, n);
    double wr = mo_dot(mo_cross(p, q), n), wp = mo_dot(mo_cross(q, r), n),
           wq = mo_dot(mo_cross(r, p), n);
    if (area > 0 && wp > 0 && wq > 0 && wr > 0) {
        double sum = wp + wq + wr;
        for (int k = 0; k < 3; ++k) {
            order[k] = k;
        }
        weight[0] = wp / sum, weight[1] = wq / sum, weight[2] = wr / sum;
        return 3;
    }
    /* beside it: the nearest of the three edges */
    const mo_vec3 x[3] = {p, q, r};
    int best = 0;
    double least = (double)INFINITY;
    for (int e = 0; e < 3; ++e) {
        int i[2], count;
        double w[2];
        count = on_segment(x[e], x[(e + 1) % 3], i, w);
        mo_vec3 near = mo_scale(w[0], x[(e + i[0]) % 3]);
        near = count > 1 ? mo_add_scaled(near, w[1], x[(e + i[1]) % 3]) : near;
        if (mo_dot(near, near) < least) {
            least = mo_dot(near, near);
            best = count;
            for (int k = 0; k < count; ++k) {
                order[k] = (e + i[k]) % 3;
                weight[k] = w[k];
            }
        }
    }
    return best;
}

/* True if the origin is inside. */
static bool on_tetrahedron(mo_simplex *s, double flat_height)
{
    static const int FACE[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    double least = (double)INFINITY, weight[3];
    int count = 0, order[3];
    for (int f = 0; f < 4; ++f) {
        mo_vec3 p = s->v[FACE[f][0]].w, q = s->v[FACE[f][1]].w, r = s->v[FACE[f][2]].w;
        mo_vec3 n = mo_cross(mo_sub(q, p), mo_sub(r, p));
        mo_vec3 up = mo_sub(s->v[FACE[f][3]].w, p);
        double apex = mo_dot(n, up), origin = -mo_dot(n, p);
        bool flat = apex * apex <= flat_height * flat_height * mo_dot(n, n);
        if (apex * origin > 0 && !flat) {
            continue; /* the origin is on the inner side of this face */
        }
        int i[3];
        double w[3];
        int here = on_triangle(p, q, r, i, w);
        mo_vec3 near = {0, 0, 0};
        for (int k = 0; k < here; ++k) {
            near = mo_add_scaled(near, w[k], s->v[FACE[f][i[k]]].w);
        }
        if (mo_dot(near, near) < least) {
            least = mo_dot(near, near);
            count = here;
            for (int k = 0; k < here; ++k) {
                order[k] = FACE[f][i[k]];
                weight[k] = w[k];
            }
        }
    }
    if (count == 0) {
        return true;
    }
    keep(s, count, order, weight);
    return false;
}

/* Reduces the simplex to the vertices that the nearest point needs; true if the origin is in it. */
static bool reduce(mo_simplex *s, double flat_height)
{
    int order[3] = {0, 0, 0};
    double weight[3] = {1, 0, 0};
    int count = 1;
    if (s->count == 4) {
        return on_tetrahedron(s, flat_height);
    }
    if (s->count == 2) {
        count = on_segment(s->v[0].w, s->v[1].w, order, weight);
    } else if (s->count == 3) {
        count = on_triangle(s->v[0].w, s->v[1].w, s->v[2].w, order, weight);
    }
    keep(s, count, order, weight);
    return false;
}

static mo_vec3 nearest(const mo_simplex *s)
{
    mo_vec3 v = {0, 0, 0};
    for (int k = 0; k < s->count; ++k) {
        v = mo_add_scaled(v, s->weight[k], s->v[k].w);
    }
    return v;
}

static bool repeats(const mo_simplex *s, mo_vec3 w)
{
    for (int k = 0; k < s->count; ++k) {
        mo_vec3 d = mo_sub(s->v[k].w, w);
        if (mo_dot(d, d) == 0) {
            return true;
        }
    }
    return false;
}

bool mo_gjk(const mo_posed *a, const mo_posed *b, mo_simplex *s, mo_convex_near *near)
{
    mo_vec3 v = mo_sub(a->p, b->p);
    double size = a->shape->reach + b->shape->reach, overlap = OVERLAP * size;
    if (mo_dot(v, v) == 0) {
        v.x = 1;
    }
    s->count = 1;
    s->weight[0] = 1;
    s->v[0] = mo_difference_support(a, b, mo_scale(-1, v));
    v = s->v[0].w;
    mo_simplex last = *s;
    double certain = 0; /* the distance along v, below which the true one is not */
    for (int k = 0; k < ITERATIONS; ++k) {
        double square = mo_dot(v, v);
        if (square <= overlap * overlap) {
            return false;
        }
        mo_simplex_vertex w = mo_difference_support(a, b, mo_scale(-1, v));
        certain = mo_dot(v, w.w) / sqrt(square);
        if (square - mo_dot(v, w.w) <= PRECISION * square || repeats(s, w.w)) {
            break;
        }
        last = *s;
        s->v[s->count++] = w;
        if (reduce(s, FLAT * size)) {
            return false;
        }
        mo_vec3 next = nearest(s);
        if (!(mo_dot(next, next) < square)) { /* no progress beyond rounding */
            *s = last;
            break;
        }
        v = next;
    }
    double distance = mo_length(v);
    if (distance - certain > UNSURE * size && distance < NEARLY * size) {
        return false;
    }
    near->distance = distance;
    near->normal = mo_scale(1 / distance, v);
    near->point[0] = near->point[1] = mo_vec3_make(0, 0, 0);
    for (int k = 0; k < s->count; ++k) {
        near->point[0] = mo_add_scaled(near->point[0], s->weight[k], s->v[k].a);
        near->point[1] = mo_add_scaled(near->point[1], s->weight[k], s->v[k].b);
    }
    return true;
}
