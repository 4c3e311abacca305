/*
 * Rigid bodies as arrays, one row each: the input of the solver of contacts and joints.
 *
 * The arrays belong to the caller (columns of a store, or plain arrays in a test). Positions are
 * those of centres of mass; q rotates the principal axes of inertia to the world frame, so that the
 * inertia tensor is diagonal in the body's frame. Velocity v and angular velocity w are in the
 * frame of the world.
 *
 * A row with inverse mass 0 is fixed or kinematic: it moves at its v and w, no impulse changes
 * them, and the solver leaves x and q to the caller. Moving colliders enter a step as such rows. An
 * inverse moment of 0 prevents rotation about that axis: bodies of a two-dimensional world have
 * inverse moments (0, 0, 1/I).
 *
 * The accelerations and torques of a step are constant in it. Mass times acceleration instead of a
 * force, so that gravity is exact whatever the mass is.
 */
#ifndef MO_RIGID_BODIES_H
#define MO_RIGID_BODIES_H

#include "math/quat.h"

#include <stdbool.h>

typedef struct mo_rigid_bodies {
    int64_t count;
    double *x;                     /* 3: centre of mass [m] */
    double *q;                     /* 4: (w, x, y, z), from principal axes to the world */
    double *v;                     /* 3 [m/s] */
    double *w;                     /* 3: in the frame of the world [rad/s] */
    const double *inverse_mass;    /* 1: 0 of fixed and kinematic bodies [1/kg] */
    const double *inverse_moments; /* 3: about the principal axes [1/(kg m^2)] */
    const double *acceleration;    /* 3: of all forces but those of contacts and joints [m/s^2] */
    const double *torque;          /* 3: of all forces but those, in the frame of the world [N m] */
} mo_rigid_bodies;

static inline bool mo_rigid_movable(const mo_rigid_bodies *bodies, int64_t row)
{
    return row >= 0 && bodies->inverse_mass[row] > 0;
}

/* R diag(d) R^T */
static inline mo_mat3 mo_rigid_turned_diagonal(mo_mat3 rotation, mo_vec3 d)
{
    const double *r = rotation.m;
    mo_mat3 t;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            t.m[3 * i + j] = r[3 * i] * d.x * r[3 * j] + r[3 * i + 1] * d.y * r[3 * j + 1] +
                             r[3 * i + 2] * d.z * r[3 * j + 2];
        }
    }
    return t;
}

/* The inverse inertia tensor in the frame of the world. */
static inline mo_mat3 mo_rigid_inverse_inertia(const mo_rigid_bodies *bodies, int64_t row)
{
    return mo_rigid_turned_diagonal(mo_quat_matrix(mo_quat_load(bodies->q + 4 * row)),
                                    mo_vec3_load(bodies->inverse_moments + 3 * row));
}

/*
 * Torque-free rotation over h: symplectic, time-reversible, and the angular momentum is conserved
 * to rounding. Rotations about the principal axes in turn, x y z y x (A. Dullweber, B. Leimkuhler,
 * R. McLachlan 1997, J. Chem. Phys. 107, 5840), each by the angle 2 atan(h L_k / 2 I_k): the Cayley
 * map, which needs no sine and stays the flow of a function of L_k alone.
 */
static inline void mo_rigid_rotate_free(mo_quat *q, mo_vec3 *w, mo_vec3 inverse_moments, double h)
{
    if (inverse_moments.x == inverse_moments.y && inverse_moments.y == inverse_moments.z) {
        double t = 0.5 * h; /* about any axis */
        mo_quat turn = {1, t * w->x, t * w->y, t * w->z};
        *q = mo_quat_normalize(mo_quat_product(turn, *q));
        return;
    }
    mo_mat3 rotation = mo_quat_matrix(*q);
    mo_vec3 spin = mo_mat3_apply_transposed(rotation, *w);
    double inverse[3] = {inverse_moments.x, inverse_moments.y, inverse_moments.z};
    double l[3] = {spin.x, spin.y, spin.z}, turn[4] = {q->w, q->x, q->y, q->z};
    for (int k = 0; k < 3; ++k) {
        l[k] = inverse[k] > 0 ? l[k] / inverse[k] : 0;
    }
    static const int axes[5] = {0, 1, 2, 1, 0};
    static const double parts[5] = {0.25, 0.25, 0.5, 0.25, 0.25};
    for (int k = 0; k < 5; ++k) {
        int i = axes[k], j = (i + 1) % 3, n = (i + 2) % 3;
        double t = parts[k] * h * l[i] * inverse[i]; /* the tangent of half the angle */
        double s = 1 / (1 + t * t), cosine = (1 - t * t) * s, sine = 2 * t * s;
        double lj = l[j], ln = l[n];
        l[j] = cosine * lj + sine * ln;
        l[n] = cosine * ln - sine * lj;
        double a = turn[0], b = turn[1 + i], c = turn[1 + j], d = turn[1 + n];
        turn[0] = a - t * b;
        turn[1 + i] = b + t * a;
        turn[1 + j] = c + t * d;
        turn[1 + n] = d - t * c;
    }
    *q = mo_quat_normalize((mo_quat){turn[0], turn[1], turn[2], turn[3]});
    *w = mo_quat_rotate(*q, mo_vec3_make(l[0] * inverse[0], l[1] * inverse[1], l[2] * inverse[2]));
}

#endif
