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
 * A table of inverse mass matrices per body would be simpler but would exclude joints.
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

typedef struct mo_free_body {
    int collider;            /* whose boundary particles move with it */
    double inverse_mass;     /* for the diagonal of pressure solves; 0: infinite mass */
    mo_mat3 inverse_inertia; /* about the centre, in the frame of the world */
} mo_free_body;

typedef struct mo_responder {
    void *context;
    int count;
    const mo_free_body *bodies; /* of this step */
    /* The pose of a body's collider at a time within the step, with its current velocity, and
     * the reference point of wrenches. */
    void (*pose)(void *context, int body, double time, mo_pose *pose, mo_vec3 *center);
    /* The accelerations due to these wrenches about the centres, one per body. */
    void (*respond)(void *context, const mo_wrench *wrench, mo_twist *acceleration);
    /* Applies accelerations for a time h. */
    void (*kick)(void *context, const mo_twist *acceleration, double h);
} mo_responder;

#endif
