/*
 * The forces of rigid bodies that a system expects in its solve.
 *
 * Bodies of constraints and of `fast_corotated` are corrected by contacts with rigid bodies after
 * their own solve. Without a force in the solve they fall in every step, their contact nodes alone
 * are pushed back, and they never rest. So the force F of the last step acts on each node in
 * contact through the next solve. The guest of the node (rigid_particle.c) has the acceleration
 * -F/m, so the contact finds the whole impulse P of the step, of which the node has had h F: it
 * receives P - h F. At rest this is 0. Momenta are conserved, since nodes and bodies receive P.
 *
 * Positions are corrected gradually: the substeps of a position-based solver turn the whole
 * correction of a step into the velocity of one substep, and stiff bodies gain energy.
 */
#ifndef MO_COUPLE_EXPECTED_FORCE_H
#define MO_COUPLE_EXPECTED_FORCE_H

#include "host/system.h"

typedef struct mo_expected_force {
    mo_system *system;
    mo_column *force; /* three components per row, part of every snapshot */
} mo_expected_force;

/* Declares the column and attaches the force to the system. */
mote_status mo_expected_force_create(mo_expected_force *expected, mo_system *system,
                                     mote_error *error);

/* The acceleration of a row by the force. */
mo_vec3 mo_expected_force_acceleration(const mo_expected_force *expected, int64_t row);

/* At the end of a step of h: takes the impulses of the forces back. */
void mo_expected_force_revoke(mo_expected_force *expected, double h);

/* An impulse of the step on a row, which is expected in the next one too, and the correction of
 * its position. */
void mo_expected_force_apply(mo_expected_force *expected, int64_t row, mo_vec3 impulse,
                             mo_vec3 shift, double h);

#endif
