/*
 * 3 x 3 matrices, by value, row-major: m[3 * row + column].
 */
#ifndef MO_MATH_MAT3_H
#define MO_MATH_MAT3_H

#include "math/vec3.h"

typedef struct mo_mat3 {
    double m[9];
} mo_mat3;

static inline mo_mat3 mo_mat3_identity(void)
{
    return (mo_mat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

static inline mo_vec3 mo_mat3_row(mo_mat3 a, int row)
{
    return mo_vec3_load(a.m + 3 * row);
}

static inline mo_vec3 mo_mat3_apply(mo_mat3 a, mo_vec3 v)
{
    return (mo_vec3){mo_dot(mo_mat3_row(a, 0), v), mo_dot(mo_mat3_row(a, 1), v),
                     mo_dot(mo_mat3_row(a, 2), v)};
}

static inline mo_mat3 mo_mat3_transpose(mo_mat3 a)
{
    return (mo_mat3){{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}

/* a^T v */
static inline mo_vec3 mo_mat3_apply_transposed(mo_mat3 a, mo_vec3 v)
{
    return mo_mat3_apply(mo_mat3_transpose(a), v);
}

static inline mo_mat3 mo_mat3_product(mo_mat3 a, mo_mat3 b)
{
    mo_mat3 c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            c.m[3 * i + j] =
                a.m[3 * i] * b.m[j] + a.m[3 * i + 1] * b.m[3 + j] + a.m[3 * i + 2] * b.m[6 + j];
        }
    }
    return c;
}

static inline double mo_mat3_determinant(mo_mat3 a)
{
    return mo_dot(mo_mat3_row(a, 0), mo_cross(mo_mat3_row(a, 1), mo_mat3_row(a, 2)));
}

/* The inverse; the determinant must not be zero. */
static inline mo_mat3 mo_mat3_inverse(mo_mat3 a)
{
    mo_vec3 r0 = mo_mat3_row(a, 0), r1 = mo_mat3_row(a, 1), r2 = mo_mat3_row(a, 2);
    mo_vec3 c0 = mo_cross(r1, r2), c1 = mo_cross(r2, r0), c2 = mo_cross(r0, r1);
    double s = 1 / mo_dot(r0, c0);
    return (mo_mat3){
        {s * c0.x, s * c1.x, s * c2.x, s * c0.y, s * c1.y, s * c2.y, s * c0.z, s * c1.z, s * c2.z}};
}

#endif
