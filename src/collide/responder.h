/*
 * Responders: how a pressure solve feels bodies that are free to move.
 *
 * A solver that treats a free body as if it were prescribed, and moves it by the reaction
 * afterwards, is unstable for light bodies: the fluid that a body sets in motion (its added mass)
 * has to be part of the solve. So in every iteration the solve hands the wrench of the pressures so
 * far to the owner of the bodies and gets their acceleration back. The owner may have joints and
 * contacts between bodies: all that is asked for is that the response is linear and symmetric, a =
 * A w with A = A^T positive semidefinite. Prescribed colliders have no responder: they respond with
 * zero, at no cost.
 *
 * A table of one inverse mass matrix for each body instead would be simpler and would rule joints
 * out.
 */
#ifndef MO_COLLIDE_RESPONDER_H
#define MO_COLLIDE_RESPONDER_H

#include "collide/reactions.h"
#include "geometry/motion/motion.h"

/* Velocity of the centre and angular velocity, or the rates of both. */
typedef struct mo_twist {
    mo_vec3 linear, angular;
} mo_twist;

static inline double mo_wrench_dot(mo_wrench w, mo_twist t)
{
    return mo_dot(w.force, t.linear) + mo_dot(w.torque, t.angular);
}

typedef struct mo_free_body {
    int collider;            /* whose boundary particles move with it */
    double inverse_mass;     /* its own, for the diagonal of pressure solves; 0: infinitely heavy */
    mo_mat3 inverse_inertia; /* about the centre, in the frame of the world */
} mo_free_body;

typedef struct mo_responder {
    void *context;
    int count;
    const mo_free_body *bodies; /* of this step */
    /* The pose of a body's collider at a time within the step, with its velocity as it is now, and
       the centre that wrenches are about. */
    void (*place)(void *context, int body, double time, mo_pose *pose, mo_vec3 *center);
    /* The accelerations by these wrenches about the centres, one for each body. */
    void (*respond)(void *context, const mo_wrench *wrench, mo_twist *acceleration);
    /* Accelerations have acted for a time h. */
    void (*kick)(void *context, const mo_twist *acceleration, double h);
} mo_responder;

#endif
