/*
 * Impacts with restitution, at the time at which they happen.
 *
 * At the start of a substep bodies are on their parabolas. The time at which a contact closes
 * follows from its gap, velocity and acceleration; impacts are resolved in the order of time, since
 * one may cause or prevent others (Newton's cradle). An impulse at the time t changes the velocity
 * by dv and the position of the parabola's start by -t dv: from t on both agree with the new
 * motion. Plain restitution at the end of a step, the alternative, errs by the distance of a step.
 *
 * The law of a single impact is Newton's, with Coulomb friction, in closed form for finite masses:
 * normal impulse (1 + e) u / K, friction up to the impulse that stops sliding, limited by mu times
 * the normal one. The points of a manifold that meet together are solved together.
 */
#ifndef MO_RIGID_IMPACT_H
#define MO_RIGID_IMPACT_H

#include "rigid/contact.h"
#include "rigid/motion.h"

typedef struct mo_rigid_impacts {
    mo_memory *memory;
    mo_rigid_motion *motion;
    mo_rigid_contact *contacts;
    int64_t count;            /* contacts with restitution */
    int32_t *contact;         /* their numbers */
    double *time;             /* a tournament: leaves from `leaves` on, the earliest at 1 */
    int32_t *number;          /* impacts of a contact in this substep */
    int32_t *first, *of_body; /* contacts of a body, as lists */
    int64_t leaves, contact_capacity, time_capacity, number_capacity, first_capacity,
        of_body_capacity;
    double slowest; /* speed below which there is no restitution [m/s] */
} mo_rigid_impacts;

void mo_rigid_impacts_release(mo_rigid_impacts *impacts);

/* The contacts of a step that have restitution. */
mote_status mo_rigid_impacts_begin(mo_rigid_impacts *impacts, mo_rigid_motion *motion,
                                   mo_rigid_contact *contacts, int64_t count, mote_error *error);

/* The impacts of a substep of a step h; returns their number. */
int64_t mo_rigid_impacts_resolve(mo_rigid_impacts *impacts, double substep, double h);

#endif
