/* Four vectors of three components, a lane each; velocities of four bodies. */
#ifndef MO_RIGID_WIDE_VEC3_H
#define MO_RIGID_WIDE_VEC3_H

#include "math/wide.h"
#include "rigid/motion.h"

enum { MO_LANES = 4 };

MO_INLINE mo_d4 mo_w3_dot(const mo_d4 a[3], const mo_d4 b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

MO_INLINE void mo_w3_cross(const mo_d4 a[3], const mo_d4 b[3], mo_d4 c[3])
{
    mo_d4 x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
    c[0] = x;
    c[1] = y;
}

/* a += s b */
MO_INLINE void mo_w3_add(mo_d4 a[3], mo_d4 s, const mo_d4 b[3])
{
    a[0] += s * b[0];
    a[1] += s * b[1];
    a[2] += s * b[2];
}

/* I a with a symmetric tensor xx yy zz xy xz yz */
MO_INLINE void mo_w3_turn(const mo_d4 i[6], const mo_d4 a[3], mo_d4 b[3])
{
    mo_d4 x = i[0] * a[0] + i[3] * a[1] + i[4] * a[2];
    mo_d4 y = i[3] * a[0] + i[1] * a[1] + i[5] * a[2];
    b[2] = i[4] * a[0] + i[5] * a[1] + i[2] * a[2];
    b[0] = x;
    b[1] = y;
}

/* Velocities, or displacements, of one side of a block. */
typedef struct mo_w3_twist {
    mo_d4 v[3], mass, w[3], rest;
} mo_w3_twist;

MO_INLINE void mo_w3_load(const double *packed, const int32_t row[MO_LANES], mo_w3_twist *t)
{
    const double *p[MO_LANES];
    mo_d4 out[4];
    for (int k = 0; k < MO_LANES; ++k) {
        p[k] = packed + MO_PACK * (int64_t)row[k];
    }
    mo_d4_transpose(mo_d4_load(p[0]), mo_d4_load(p[1]), mo_d4_load(p[2]), mo_d4_load(p[3]), out);
    t->v[0] = out[0], t->v[1] = out[1], t->v[2] = out[2], t->mass = out[3];
    mo_d4_transpose(mo_d4_load(p[0] + 4), mo_d4_load(p[1] + 4), mo_d4_load(p[2] + 4),
                    mo_d4_load(p[3] + 4), out);
    t->w[0] = out[0], t->w[1] = out[1], t->w[2] = out[2], t->rest = out[3];
}

/* Only rows that move are written: others may be read by several threads. */
MO_INLINE void mo_w3_store(double *packed, const int32_t row[MO_LANES], int32_t moves,
                           const mo_w3_twist *t)
{
    mo_d4 first[4], second[4];
    mo_d4_transpose(t->v[0], t->v[1], t->v[2], t->mass, first);
    mo_d4_transpose(t->w[0], t->w[1], t->w[2], t->rest, second);
    for (int k = 0; k < MO_LANES; ++k) {
        if (moves >> k & 1) {
            double *p = packed + MO_PACK * (int64_t)row[k];
            mo_d4_store(p, first[k]);
            mo_d4_store(p + 4, second[k]);
        }
    }
}

/* v += sign/m impulse, w += sign I^-1 angular */
MO_INLINE void mo_w3_apply(mo_w3_twist *t, const mo_d4 inertia[6], mo_d4 sign_mass,
                           const mo_d4 impulse[3], mo_d4 sign, const mo_d4 angular[3])
{
    mo_d4 turned[3];
    mo_w3_add(t->v, sign_mass, impulse);
    mo_w3_turn(inertia, angular, turned);
    mo_w3_add(t->w, sign, turned);
}

#endif
