/* Torque-free rotation of four bodies, a lane each: mo_rigid_rotate_free with the same bits. */
#ifndef MO_RIGID_WIDE_ROTATION_H
#define MO_RIGID_WIDE_ROTATION_H

#include "rigid/wide_vec3.h"

/* R of a rotation, row-major. */
MO_INLINE void mo_w3_matrix(const mo_d4 q[4], mo_d4 m[9])
{
    mo_d4 w = q[0], x = q[1], y = q[2], z = q[3];
    m[0] = 1 - 2 * (y * y + z * z), m[1] = 2 * (x * y - w * z), m[2] = 2 * (x * z + w * y);
    m[3] = 2 * (x * y + w * z), m[4] = 1 - 2 * (x * x + z * z), m[5] = 2 * (y * z - w * x);
    m[6] = 2 * (x * z - w * y), m[7] = 2 * (y * z + w * x), m[8] = 1 - 2 * (x * x + y * y);
}

MO_INLINE void mo_w3_normalize(mo_d4 q[4])
{
    mo_d4 length = mo_d4_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; ++k) {
        q[k] /= length;
    }
}

/* A turn about principal axis i: its quarter or half of the step. */
MO_INLINE void mo_w3_turn_about(mo_d4 q[4], mo_d4 l[3], mo_d4 inverse, double part, const int i)
{
    const int j = (i + 1) % 3, n = (i + 2) % 3;
    mo_d4 t = part * l[i] * inverse;
    mo_d4 s = 1 / (1 + t * t), cosine = (1 - t * t) * s, sine = 2 * t * s;
    mo_d4 lj = l[j], ln = l[n], a = q[0], b = q[1 + i], c = q[1 + j], d = q[1 + n];
    l[j] = cosine * lj + sine * ln;
    l[n] = cosine * ln - sine * lj;
    q[0] = a - t * b;
    q[1 + i] = b + t * a;
    q[1 + j] = c + t * d;
    q[1 + n] = d - t * c;
}

/* Bodies with three different moments. */
MO_INLINE void mo_w3_rotate_solid(mo_d4 q[4], mo_d4 w[3], const mo_d4 inverse[3], double h)
{
    mo_d4 m[9], l[3], zero = mo_d4_set(0), one = mo_d4_set(1);
    mo_w3_matrix(q, m);
    for (int k = 0; k < 3; ++k) {
        mo_d4 spin = m[k] * w[0] + m[3 + k] * w[1] + m[6 + k] * w[2];
        mo_l4 turns = inverse[k] > zero;
        l[k] = mo_d4_select(turns, spin / mo_d4_select(turns, inverse[k], one), zero);
    }
    mo_w3_turn_about(q, l, inverse[0], 0.25 * h, 0);
    mo_w3_turn_about(q, l, inverse[1], 0.25 * h, 1);
    mo_w3_turn_about(q, l, inverse[2], 0.5 * h, 2);
    mo_w3_turn_about(q, l, inverse[1], 0.25 * h, 1);
    mo_w3_turn_about(q, l, inverse[0], 0.25 * h, 0);
    mo_w3_normalize(q);
    mo_w3_matrix(q, m);
    for (int k = 0; k < 3; ++k) {
        l[k] *= inverse[k];
    }
    for (int k = 0; k < 3; ++k) {
        w[k] = m[3 * k] * l[0] + m[3 * k + 1] * l[1] + m[3 * k + 2] * l[2];
    }
}

/* Bodies with equal moments rotate about a fixed axis. */
MO_INLINE void mo_w3_rotate_ball(mo_d4 q[4], const mo_d4 w[3], double h)
{
    mo_d4 t = mo_d4_set(0.5 * h), x = t * w[0], y = t * w[1], z = t * w[2];
    const mo_d4 a[4] = {q[0], q[1], q[2], q[3]};
    q[0] = a[0] - x * a[1] - y * a[2] - z * a[3];
    q[1] = a[1] + x * a[0] + y * a[3] - z * a[2];
    q[2] = a[2] - x * a[3] + y * a[0] + z * a[1];
    q[3] = a[3] + x * a[2] - y * a[1] + z * a[0];
    mo_w3_normalize(q);
}

MO_INLINE void mo_w3_rotate_free(mo_d4 q[4], mo_d4 w[3], const mo_d4 inverse[3], double h)
{
    mo_l4 ball = (inverse[0] == inverse[1]) & (inverse[1] == inverse[2]);
    mo_d4 turned[4] = {q[0], q[1], q[2], q[3]};
    if (mo_l4_any(ball)) {
        mo_w3_rotate_ball(turned, w, h);
    }
    if (mo_l4_any(~ball)) {
        mo_d4 solid[4] = {q[0], q[1], q[2], q[3]}, spin[3] = {w[0], w[1], w[2]};
        mo_w3_rotate_solid(solid, spin, inverse, h);
        for (int k = 0; k < 4; ++k) {
            turned[k] = mo_d4_select(ball, turned[k], solid[k]);
        }
        for (int k = 0; k < 3; ++k) {
            w[k] = mo_d4_select(ball, w[k], spin[k]);
        }
    }
    memcpy(q, turned, sizeof turned);
}

#endif
