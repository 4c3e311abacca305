/*
 * 4 x 4 matrices of doubles, by value, in column-major order as in OpenGL: m[4 * column + row].
 */
#ifndef MO_VIEW_PICTURE_MATRIX_H
#define MO_VIEW_PICTURE_MATRIX_H

#include "math/vec3.h"

typedef struct mo_mat4 {
    double m[16];
} mo_mat4;

static inline mo_mat4 mo_mat4_product(mo_mat4 a, mo_mat4 b)
{
    mo_mat4 c;
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            double sum = 0;
            for (int k = 0; k < 4; ++k) {
                sum += a.m[4 * k + row] * b.m[4 * column + k];
            }
            c.m[4 * column + row] = sum;
        }
    }
    return c;
}

/* From the world to a frame with these axes (orthonormal) at `eye`. */
static inline mo_mat4 mo_mat4_into(mo_vec3 right, mo_vec3 up, mo_vec3 back, mo_vec3 eye)
{
    return (mo_mat4){{right.x, up.x, back.x, 0, right.y, up.y, back.y, 0, right.z, up.z, back.z, 0,
                      -mo_dot(right, eye), -mo_dot(up, eye), -mo_dot(back, eye), 1}};
}

/* The inverse of a matrix of mo_mat4_into. */
static inline mo_mat4 mo_mat4_rigid_inverse(mo_mat4 a)
{
    const double *m = a.m;
    mo_mat4 b = {{m[0], m[4], m[8], 0, m[1], m[5], m[9], 0, m[2], m[6], m[10], 0, 0, 0, 0, 1}};
    for (int row = 0; row < 3; ++row) {
        b.m[12 + row] = -(b.m[row] * m[12] + b.m[4 + row] * m[13] + b.m[8 + row] * m[14]);
    }
    return b;
}

/* Perspective projection along -z with `slope` = tan(half the vertical angle). */
static inline mo_mat4 mo_mat4_perspective(double slope, double aspect, double near, double far)
{
    return (mo_mat4){{1 / (slope * aspect), 0, 0, 0, 0, 1 / slope, 0, 0, 0, 0,
                      (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0}};
}

/* Parallel projection along -z, 2 half_width wide, 2 half_height high. */
static inline mo_mat4 mo_mat4_parallel(double half_width, double half_height, double near,
                                       double far)
{
    return (mo_mat4){{1 / half_width, 0, 0, 0, 0, 1 / half_height, 0, 0, 0, 0, 2 / (near - far), 0,
                      0, 0, (far + near) / (near - far), 1}};
}

static inline mo_vec3 mo_mat4_direction(mo_mat4 a, mo_vec3 v)
{
    const double *m = a.m;
    return (mo_vec3){m[0] * v.x + m[4] * v.y + m[8] * v.z, m[1] * v.x + m[5] * v.y + m[9] * v.z,
                     m[2] * v.x + m[6] * v.y + m[10] * v.z};
}

static inline mo_vec3 mo_mat4_point(mo_mat4 a, mo_vec3 v)
{
    return mo_add(mo_mat4_direction(a, v), mo_vec3_make(a.m[12], a.m[13], a.m[14]));
}

static inline void mo_mat4_store(float *to, mo_mat4 a)
{
    for (int i = 0; i < 16; ++i) {
        to[i] = (float)a.m[i];
    }
}

#endif
