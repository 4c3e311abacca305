/*
 * Spheres and capsules: closed forms. For coincident centres the normal is an axis of the other
 * shape.
 */
#include "collide/convex/pairs.h"

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Two balls around p (of a) and q (of b). */
static int balls(mo_vec3 p, double r, mo_vec3 q, double s, mo_vec3 otherwise, double margin,
                 uint32_t key, mo_manifold *m)
{
    mo_vec3 way = mo_sub(p, q);
    double square = mo_dot(way, way), limit = r + s + margin;
    if (square > limit * limit) {
        return 0;
    }
    mo_vec3 n = mo_unit(way, otherwise);
    return mo_manifold_single(m, n, mo_add_scaled(q, s, n), sqrt(square) - r - s, key);
}

int mo_sphere_sphere(const mo_posed *a, const mo_posed *b, double margin, mo_manifold *m)
{
    return balls(a->p, a->shape->radius[0], b->p, b->shape->radius[0], mo_vec3_make(0, 0, 1),
                 margin, 0, m);
}

int mo_sphere_capsule(const mo_posed *a, const mo_posed *b, double margin, mo_manifold *m)
{
    mo_vec3 z = mo_posed_axis(b, 2);
    double half = b->shape->half.z, s = clamp(mo_dot(mo_sub(a->p, b->p), z), -half, half);
    return balls(a->p, a->shape->radius[0], mo_add_scaled(b->p, s, z), b->shape->radius[0],
                 mo_posed_axis(b, 0), margin, 0, m);
}

int mo_sphere_box(const mo_posed *a, const mo_posed *b, double margin, mo_manifold *m)
{
    mo_vec3 x = mo_mat3_apply_transposed(b->R, mo_sub(a->p, b->p)), half = b->shape->half;
    double r = a->shape->radius[0];
    mo_vec3 near = mo_vec3_make(clamp(x.x, -half.x, half.x), clamp(x.y, -half.y, half.y),
                                clamp(x.z, -half.z, half.z));
    mo_vec3 way = mo_sub(x, near);
    double square = mo_dot(way, way);
    if (square > (r + margin) * (r + margin)) {
        return 0;
    }
    if (square > 0) {
        double distance = sqrt(square);
        mo_vec3 n = mo_mat3_apply(b->R, mo_scale(1 / distance, way));
        return mo_manifold_single(m, n, mo_add(b->p, mo_mat3_apply(b->R, near)), distance - r, 0);
    }
    /* the centre is inside: out through the nearest face */
    double out[3] = {half.x - fabs(x.x), half.y - fabs(x.y), half.z - fabs(x.z)};
    int axis = out[0] <= out[1] ? (out[0] <= out[2] ? 0 : 2) : (out[1] <= out[2] ? 1 : 2);
    double side = mo_vec3_at(x, axis) < 0 ? -1 : 1;
    mo_vec3 n = mo_scale(side, mo_posed_axis(b, axis));
    return mo_manifold_single(m, n, mo_add_scaled(a->p, out[axis], n), -out[axis] - r, 0);
}

/* Ericson 2005, Real-Time Collision Detection, 5.1.9, with centred segments. */
void mo_segments_nearest(mo_vec3 p, mo_vec3 d, mo_vec3 q, mo_vec3 e, double *s, double *t)
{
    mo_vec3 r = mo_sub(p, q);
    double a = mo_dot(d, d), b = mo_dot(d, e), c = mo_dot(e, e), f = mo_dot(d, r), g = mo_dot(e, r),
           det = a * c - b * b;
    *s = det > 1e-14 * a * c ? clamp((b * g - c * f) / det, -1, 1) : 0;
    *t = c > 0 ? (b * *s + g) / c : 0;
    if (*t < -1 || *t > 1) {
        *t = clamp(*t, -1, 1);
        *s = a > 0 ? clamp((b * *t - f) / a, -1, 1) : 0;
    }
}

/* Both ends of the overlap of two nearly parallel segments, as long as both are within the margin:
 * a capsule lies on a capsule with two points. Capsules are parallel below 1/100 rad. */
static const double PARALLEL = 1e-4;

static int parallel_capsules(const mo_posed *a, const mo_posed *b, mo_vec3 d, mo_vec3 e,
                             double margin, mo_manifold *m)
{
    double r = a->shape->radius[0], s = b->shape->radius[0], limit = r + s + margin;
    double square = mo_dot(e, e), middle = mo_dot(mo_sub(a->p, b->p), e) / square;
    double reach = mo_dot(d, e) / square;
    double low = fmax(middle - fabs(reach), -1), high = fmin(middle + fabs(reach), 1);
    if (!(high - low > 1e-3)) {
        return 0;
    }
    double at[2] = {low, high}, half = 0.5 * (low + high);
    mo_vec3 q = mo_add_scaled(b->p, half, e);
    mo_vec3 p = mo_add_scaled(a->p, clamp((half - middle) / reach, -1, 1), d);
    mo_vec3 n = mo_unit(mo_sub(p, q), mo_posed_axis(b, 0));
    m->normal = n;
    m->count = 0;
    for (uint32_t k = 0; k < 2; ++k) {
        mo_vec3 on_b = mo_add_scaled(b->p, at[k], e);
        mo_vec3 on_a = mo_add_scaled(a->p, clamp((at[k] - middle) / reach, -1, 1), d);
        double distance = mo_dot(mo_sub(on_a, on_b), n);
        if (distance <= limit) {
            m->point[m->count++] = (mo_manifold_point){
                {mo_add_scaled(on_a, -r, n), mo_add_scaled(on_b, s, n)}, distance - r - s, 1 + k};
        }
    }
    return m->count;
}

int mo_capsule_capsule(const mo_posed *a, const mo_posed *b, double margin, mo_manifold *m)
{
    mo_vec3 x = mo_posed_axis(a, 2), y = mo_posed_axis(b, 2), across = mo_cross(x, y);
    mo_vec3 d = mo_scale(a->shape->half.z, x), e = mo_scale(b->shape->half.z, y);
    double s, t;
    mo_segments_nearest(a->p, d, b->p, e, &s, &t);
    mo_vec3 p = mo_add_scaled(a->p, s, d), q = mo_add_scaled(b->p, t, e);
    double square = mo_dot(across, across);
    int count = balls(p, a->shape->radius[0], q, b->shape->radius[0],
                      mo_unit(across, mo_posed_axis(b, 0)), margin, 0, m);
    if (count > 0 && square < PARALLEL) {
        mo_manifold pair;
        /* lying along each other, not end to end */
        if (parallel_capsules(a, b, d, e, margin, &pair) == 2 && fabs(mo_dot(m->normal, y)) < 0.1) {
            *m = pair;
            return 2;
        }
    }
    return count;
}
