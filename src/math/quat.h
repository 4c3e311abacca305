/* Unit quaternions (w, x, y, z) as rotations from the body's frame to the world's. */
#ifndef MO_MATH_QUAT_H
#define MO_MATH_QUAT_H

#include "math/mat3.h"

typedef struct mo_quat {
    double w, x, y, z;
} mo_quat;

static inline mo_quat mo_quat_identity(void)
{
    return (mo_quat){1, 0, 0, 0};
}

static inline mo_quat mo_quat_product(mo_quat a, mo_quat b)
{
    return (mo_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                     a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                     a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline mo_quat mo_quat_conjugate(mo_quat a)
{
    return (mo_quat){a.w, -a.x, -a.y, -a.z};
}

static inline mo_quat mo_quat_normalize(mo_quat a)
{
    double length = sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
    if (!(length > 0)) {
        return mo_quat_identity();
    }
    return (mo_quat){a.w / length, a.x / length, a.y / length, a.z / length};
}

/* A rotation by `angle` [rad] about a unit axis. */
static inline mo_quat mo_quat_turn(mo_vec3 axis, double angle)
{
    double s = sin(angle / 2);
    return (mo_quat){cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
}

static inline mo_quat mo_quat_load(const double *p)
{
    return (mo_quat){p[0], p[1], p[2], p[3]};
}

static inline void mo_quat_store(double *p, mo_quat a)
{
    p[0] = a.w;
    p[1] = a.x;
    p[2] = a.y;
    p[3] = a.z;
}

static inline double mo_quat_dot(mo_quat a, mo_quat b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

/* a + s b */
static inline mo_quat mo_quat_add_scaled(mo_quat a, double s, mo_quat b)
{
    return (mo_quat){a.w + s * b.w, a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/* a (0, v) */
static inline mo_quat mo_quat_times_vec3(mo_quat a, mo_vec3 v)
{
    return mo_quat_product(a, (mo_quat){0, v.x, v.y, v.z});
}

/* The rotation by the vector theta [rad]: (cos |theta|/2, theta/|theta| sin |theta|/2). */
static inline mo_quat mo_quat_exponential(mo_vec3 theta)
{
    double angle = mo_length(theta);
    return mo_quat_turn(mo_unit(theta, mo_vec3_make(0, 0, 1)), angle);
}

/* The vector of a rotation, at most pi long [rad]: the inverse of the exponential. */
static inline mo_vec3 mo_quat_logarithm(mo_quat a)
{
    double sign = a.w < 0 ? -1 : 1;
    mo_vec3 v = mo_vec3_make(sign * a.x, sign * a.y, sign * a.z);
    double sine = mo_length(v);
    return mo_scale(sine > 0 ? 2 * atan2(sine, sign * a.w) / sine : 2, v);
}

static inline mo_mat3 mo_quat_matrix(mo_quat q)
{
    double w = q.w, x = q.x, y = q.y, z = q.z;
    return (mo_mat3){{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                      2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                      2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
}

/* The quaternion of a rotation matrix (Shepperd 1978): the largest of the four is found first. */
static inline mo_quat mo_quat_of_matrix(mo_mat3 a)
{
    const double *r = a.m;
    double square[4] = {1 + r[0] + r[4] + r[8], 1 + r[0] - r[4] - r[8], 1 - r[0] + r[4] - r[8],
                        1 - r[0] - r[4] + r[8]};
    int most = 0;
    for (int k = 1; k < 4; ++k) {
        most = square[k] > square[most] ? k : most;
    }
    double w = sqrt(square[most]) / 2, s = 1 / (4 * w);
    double yz = (r[7] - r[5]) * s, zx = (r[2] - r[6]) * s, xy = (r[3] - r[1]) * s;
    double pxy = (r[1] + r[3]) * s, pzx = (r[2] + r[6]) * s, pyz = (r[5] + r[7]) * s;
    switch (most) {
    case 0:
        return (mo_quat){w, yz, zx, xy};
    case 1:
        return (mo_quat){yz, w, pxy, pzx};
    case 2:
        return (mo_quat){zx, pxy, w, pyz};
    default:
        return (mo_quat){xy, pzx, pyz, w};
    }
}

static inline mo_vec3 mo_quat_rotate(mo_quat q, mo_vec3 v)
{
    return mo_mat3_apply(mo_quat_matrix(q), v);
}

#endif
