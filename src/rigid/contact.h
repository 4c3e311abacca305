/*
 * Contacts between rigid bodies, the input of the solver: a manifold of up to four points with one
 * normal, the materials of the pair, and the impulses by which the next step starts.
 *
 * The normal points from body 1 to body 0, as in collide/contact.h. Gaps may be positive: a contact
 * within the speculative margin acts only if the bodies would meet in this step, so the margin must
 * be at least the distance by which the bodies can approach in a step.
 *
 * Impulses are kept between steps. `normal_impulse`, `friction` and `twist` are those of the last
 * substep: the initial guess of the next step (mo_rigid_contact_continue). They are part of the
 * state of a simulation. `force` and `torque` are results: the mean wrench of the step on body 0,
 * the torque about the manifold's centre.
 */
#ifndef MO_RIGID_CONTACT_H
#define MO_RIGID_CONTACT_H

#include "math/vec3.h"

#include <stdbool.h>

enum { MO_RIGID_POINTS = 4 };

typedef struct mo_rigid_contact {
    int32_t body[2];                      /* rows; -1: the fixed frame of the world */
    int32_t count;                        /* points; a contact without points is ignored */
    mo_vec3 normal;                       /* unit vector from body 1 to body 0 */
    mo_vec3 position[MO_RIGID_POINTS][2]; /* on the surfaces of body 0 and 1, in the world [m] */
    double gap[MO_RIGID_POINTS];          /* along the normal; negative: penetration [m] */
    uint32_t key[MO_RIGID_POINTS];        /* feature of a point, the same from step to step */

    bool curved; /* the normal turns as the bodies move (curvature.h) */
    double
        bend[MO_RIGID_POINTS]; /* deviation of a gap from its linear prediction, by the substep */

    double friction_coefficient, restitution;
    double rolling_friction;  /* length: the largest rolling moment is this times the force [m] */
    mo_vec3 surface_velocity; /* of body 1's surface relative to its body: conveyor belts [m/s] */

    double normal_impulse[MO_RIGID_POINTS]; /* on body 0, along the normal [N s] */
    mo_vec3 friction;                       /* impulse on body 0 across the normal [N s] */
    double twist;                           /* angular impulse on body 0 about the normal [N m s] */
    mo_vec3 rolling;                        /* angular impulse on body 0 [N m s] */

    mo_vec3 force;  /* on body 0, mean over the step [N] */
    mo_vec3 torque; /* on body 0 about the manifold's centre, mean over the step [N m] */
} mo_rigid_contact;

/* The mean of its points on the surface of a body: where friction acts. */
static inline mo_vec3 mo_rigid_contact_center(const mo_rigid_contact *contact, int side)
{
    mo_vec3 sum = {0, 0, 0};
    for (int i = 0; i < contact->count; ++i) {
        sum = mo_add_scaled(sum, 1.0 / contact->count, contact->position[i][side]);
    }
    return sum;
}

/* Initial guess of a contact from the contact of the same pair in the previous step: impulses of
 * points with the same key, and friction projected on the new tangent plane. `ratio` is that of
 * the new substep to the old one: impulses of a resting contact are proportional to it. */
void mo_rigid_contact_continue(mo_rigid_contact *contact, const mo_rigid_contact *before,
                               double ratio);

#endif
