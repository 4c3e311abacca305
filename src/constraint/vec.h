/* Vectors of four lanes. */
#ifndef MO_CONSTRAINT_VEC_H
#define MO_CONSTRAINT_VEC_H

#include "math/wide.h"

MO_INLINE void mo_w3_sub(const mo_d4 a[3], const mo_d4 b[3], mo_d4 out[3])
{
    for (int k = 0; k < 3; ++k) {
        out[k] = a[k] - b[k];
    }
}

MO_INLINE mo_d4 mo_w3_dot(const mo_d4 a[3], const mo_d4 b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

MO_INLINE void mo_w3_cross(const mo_d4 a[3], const mo_d4 b[3], mo_d4 out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

MO_INLINE void mo_w3_scale(mo_d4 s, const mo_d4 a[3], mo_d4 out[3])
{
    for (int k = 0; k < 3; ++k) {
        out[k] = s * a[k];
    }
}

MO_INLINE mo_d4 mo_w3_length(const mo_d4 a[3])
{
    return mo_d4_sqrt(mo_w3_dot(a, a));
}

/* 1/s, or 0 where s is not above 0. */
MO_INLINE mo_d4 mo_w_inverse(mo_d4 s)
{
    mo_l4 positive = s > mo_d4_set(0);
    return mo_d4_select(positive, mo_d4_set(1) / mo_d4_select(positive, s, mo_d4_set(1)),
                        mo_d4_set(0));
}

/* The gradient of node 0 of a function of differences: minus the sum of the others. */
MO_INLINE void mo_w3_balance(mo_d4 g[][3], int nodes)
{
    for (int k = 0; k < 3; ++k) {
        g[0][k] = mo_d4_set(0);
        for (int n = 1; n < nodes; ++n) {
            g[0][k] -= g[n][k];
        }
    }
}

#endif
