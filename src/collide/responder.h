/*
 * Responders: two-way coupling of a pressure solve with free bodies.
 *
 * Weak coupling, which treats a free body as prescribed and moves it by the reaction afterwards, is
 * unstable for light bodies: the added mass of the fluid must be part of the solve. In every
 * iteration the solve passes the wrenches of the current pressures to the owner of the bodies,
 * which returns their accelerations. The owner may have joints and contacts between bodies; the
 * response must be linear and symmetric, a = A w with A = A^T positive semidefinite. Prescribed
 * colliders have no responder: their response is zero.
 *
 * A preconditioner of the solve requires the response of bodies with more inertia, that of the
 * fluid beside them: a = (A^-1 + S)^-1 w.
 */
#ifndef MO_COLLIDE_RESPONDER_H
#define MO_COLLIDE_RESPONDER_H

#include "collide/reactions.h"
#include "geometry/motion/motion.h"

/* Velocity of the centre and angular velocity, or their rates. */
typedef struct mo_twist {
    mo_vec3 linear, angular;
} mo_twist;

static inline double mo_wrench_dot(mo_wrench w, mo_twist t)
{
    return mo_dot(w.force, t.linear) + mo_dot(w.torque, t.angular);
}

static inline mo_twist mo_twist_add_scaled(mo_twist t, double h, mo_twist a)
{
    return (mo_twist){mo_add_scaled(t.linear, h, a.linear), mo_add_scaled(t.angular, h, a.angular)};
}

typedef struct mo_free_body {
    int collider;            /* whose boundary moves with it */
    double inverse_mass;     /* 0: infinite mass */
    mo_mat3 inverse_inertia; /* about the centre, in the frame of the world */
} mo_free_body;

/* Symmetric inertia of the fluid beside the bodies: a 6 x 6 block (translation, rotation) for each
 * body, and for pairs of bodies that share fluid. */
enum { MO_INERTIA = 36 };
typedef struct mo_added_inertia {
    const double *block;    /* of body b at MO_INERTIA b */
    const uint8_t *changed; /* bodies whose block differs from that of the last call */
    int64_t pair_count;
    const int32_t *pair;      /* two bodies each */
    const double *pair_block; /* row of the first, column of the second */
} mo_added_inertia;

typedef struct mo_responder {
    void *context;
    int count;
    const mo_free_body *bodies; /* of this step */
    /* The pose of a body's collider at a time within the step, with its current velocity, and
     * the reference point of wrenches. */
    void (*pose)(void *context, int body, double time, mo_pose *pose, mo_vec3 *center);
    /* The accelerations of bodies by everything but the fluid, which act where the fluid's own
     * external forces do. NULL: the owner has applied them. */
    void (*accelerate)(void *context, mo_twist *acceleration);
    /* The accelerations due to these wrenches about the centres, one per body, with the inertia of
     * the bodies and `added` (NULL: none). */
    void (*respond)(void *context, const mo_added_inertia *added, const mo_wrench *wrench,
                    mo_twist *acceleration);
    /* Applies accelerations for a time h, those of `wrench` (NULL: of the bodies' own forces). */
    void (*kick)(void *context, const mo_wrench *wrench, const mo_twist *acceleration, double h);
} mo_responder;

#endif
