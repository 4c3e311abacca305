/*
 * Joints: constraints between two rigid bodies, or a body and the fixed frame of the world.
 *
 *   ball      the points coincide (3 constraints)
 *   hinge     and the axes too: all but rotation about z is prevented (5)
 *   slider    no rotation, all but displacement along z is prevented (5)
 *   fixed     no relative motion (6)
 *   distance  of the two points: a rod, a rope (upper limit only) or a spring (1)
 *
 * Each body has a frame of the joint: a point and a rotation in the frame of its principal axes (in
 * the frame of the world for body -1). The joint's axis is z of these frames. The coordinate of a
 * joint is the angle of body 0 against body 1 about it (hinge; continued beyond pi), the
 * displacement of body 0 along it (slider), or the distance. Limits, motor and spring act on the
 * coordinate; a spring of a ball or fixed joint softens the joint itself.
 *
 * Springs are given as frequency f and damping ratio z: stiffness m (2 pi f)^2 and damping 2 z m (2
 * pi f) with the effective mass m of the constraint. They are integrated implicitly: stable at any
 * step.
 */
#ifndef MO_RIGID_JOINT_H
#define MO_RIGID_JOINT_H

#include "math/quat.h"

#include <stdbool.h>

typedef enum mo_rigid_joint_kind {
    MO_JOINT_BALL,
    MO_JOINT_HINGE,
    MO_JOINT_SLIDER,
    MO_JOINT_FIXED,
    MO_JOINT_DISTANCE
} mo_rigid_joint_kind;

/* Impulses of a joint: its constraints from 0 on, and the rows that act on its coordinate. */
enum { MO_JOINT_LIMIT = 5, MO_JOINT_MOTOR, MO_JOINT_SPRING, MO_JOINT_ROWS };

typedef struct mo_rigid_joint {
    mo_rigid_joint_kind kind;
    int32_t body[2];  /* rows; -1: the fixed frame of the world */
    mo_vec3 point[2]; /* of the joint in either body's frame [m] */
    mo_quat frame[2]; /* its axes in either body's frame; z is the joint's axis */

    bool limited;         /* hinge, slider, distance: the coordinate stays in [lower, upper] */
    double lower, upper;  /* [rad] or [m] */
    bool motor;           /* hinge, slider: drives the coordinate's rate */
    double motor_speed;   /* [rad/s] or [m/s] */
    double motor_maximum; /* largest torque or force [N m] or [N] */
    double frequency;     /* of the spring; 0: none [1/s] */
    double damping_ratio; /* of the spring; 1 is critical */
    double rest;          /* rest coordinate of the spring; length of a rod */
    bool rope;            /* distance: no rod; only limits and spring act */
    bool collide;         /* whether the bodies of the joint may be in contact: for the caller */

    double impulse[MO_JOINT_ROWS]; /* of the last substep: state, the initial guess of the next */
    double angle;                  /* of a hinge, followed beyond pi: state */

    mo_vec3 force;  /* on body 0 at its point, mean over the step, in the frame of the world [N] */
    mo_vec3 torque; /* on body 0 about its point [N m] */
    double coordinate;  /* at the end of the step [rad] or [m] */
    double error;       /* distance of the points (across the axis of a slider) [m] */
    double angle_error; /* of the axes [rad] */
} mo_rigid_joint;

/* One equation of a joint: rate of change = linear . (v0 - v1) + angular[0] . w0 - angular[1] .
 * w1 of the quantity `error`, which is to be 0 (constraints), not negative (limits), or drives a
 * spring. */
typedef struct mo_rigid_joint_row {
    int slot; /* in joint->impulse */
    mo_vec3 linear, angular[2];
    double error;
    double sign; /* limits: -1 of the upper one, whose impulse is kept as a negative number */
} mo_rigid_joint_row;

/* The equations of a joint with its bodies at x and q; returns their number, at most
 * MO_JOINT_ROWS. Follows the angle of a hinge. */
int mo_rigid_joint_rows(mo_rigid_joint *joint, const mo_vec3 x[2], const mo_quat q[2],
                        mo_rigid_joint_row row[MO_JOINT_ROWS]);

/* Coordinate and errors at the end of a step. */
void mo_rigid_joint_measure(mo_rigid_joint *joint, const mo_vec3 x[2], const mo_quat q[2]);

/* A joint at a point and along an axis of the world at the current poses: fills body, point and
 * frame and, of a distance joint, `rest` with the distance of `point` and `other`. Positions and
 * rotations of the two bodies: those of body -1 are 0 and the identity. */
mo_rigid_joint mo_rigid_joint_make(mo_rigid_joint_kind kind, const int32_t body[2],
                                   const mo_vec3 x[2], const mo_quat q[2], mo_vec3 point,
                                   mo_vec3 other, mo_vec3 axis);

#endif
