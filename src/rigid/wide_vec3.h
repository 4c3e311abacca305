/* Four vectors of three components, a lane each. */
#ifndef MO_RIGID_WIDE_VEC3_H
#define MO_RIGID_WIDE_VEC3_H

#include "math/wide.h"

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

#endif
