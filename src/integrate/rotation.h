/*
 * Rotations as a second-order system of four components, so that every scheme applies: with the
 * angular velocity w and acceleration b in the body frame,
 *     q' = 1/2 q (0, w),    q'' = 1/2 q (0, b) - 1/4 |w|^2 q,    w = 2 q* q'.
 */
#ifndef MO_INTEGRATE_ROTATION_H
#define MO_INTEGRATE_ROTATION_H

#include "integrate/dynamics.h"
#include "math/quat.h"

/* w of a quaternion and its rate; q need not be normalised. */
static inline mo_vec3 mo_rotation_speed(mo_quat q, mo_quat rate)
{
    mo_quat p = mo_quat_product(mo_quat_conjugate(q), rate);
    double s = 2 / mo_quat_dot(q, q);
    return mo_vec3_make(s * p.x, s * p.y, s * p.z);
}

static inline mo_quat mo_rotation_rate(mo_quat q, mo_vec3 w)
{
    mo_quat p = mo_quat_times_vec3(q, w);
    return (mo_quat){0.5 * p.w, 0.5 * p.x, 0.5 * p.y, 0.5 * p.z};
}

/* q'' of b and w. */
static inline mo_quat mo_rotation_acceleration(mo_quat q, mo_vec3 w, mo_vec3 b)
{
    return mo_quat_add_scaled(mo_rotation_rate(q, b), -0.25 * mo_dot(w, w), q);
}

/* b of q'' and w. */
static inline mo_vec3 mo_rotation_turning(mo_quat q, mo_vec3 w, mo_quat acceleration)
{
    return mo_rotation_speed(q, mo_quat_add_scaled(acceleration, 0.25 * mo_dot(w, w), q));
}

/* Rotation update: quaternion components like other values, or the exponential map of a rotation
 * vector (D. Tonnesen 1998, section 7.3.3). The shared parameter and its struct. */
typedef struct mo_rotation_choice {
    const char *rotation;
} mo_rotation_choice;

#define MO_ROTATION_PARAM \
    { \
        "rotation", MO_STRING, MO_FIELD(mo_rotation_choice, rotation), \
            .initial = "\"quaternion\"", .choices = "quaternion|exponential", \
            .doc = \
                "Rotation update of oriented particles: quaternion components with normalisation, or the " \
                "exponential map (which uses sine and cosine and is not portable)." \
    }

static inline bool mo_rotation_exponential(const mo_segment *segment, const void *params)
{
    return segment->rotation && ((const mo_rotation_choice *)params)->rotation[0] == 'e';
}

/* One row of the exponential map: rotates q by theta and sets the angular velocity w. */
static inline void mo_rotation_turn_row(double *q, double *rate, mo_vec3 theta, mo_vec3 w)
{
    mo_quat turned =
        mo_quat_normalize(mo_quat_product(mo_quat_load(q), mo_quat_exponential(theta)));
    mo_quat_store(q, turned);
    mo_quat_store(rate, mo_rotation_rate(turned, w));
}

/* Moments of inertia are sums such as m (y^2 + z^2): each is at most the sum of the other two. */
static inline bool mo_inertia_possible(mo_vec3 i)
{
    double slack = 1 + 1e-9;
    return i.x <= slack * (i.y + i.z) && i.y <= slack * (i.z + i.x) && i.z <= slack * (i.x + i.y);
}

#endif
