/*
 * The force of contacts with colliders whose law is a force (collide/law.h), with its Jacobian,
 * energy and stability bounds, attached to a system by the coupling collider_force.
 */
#ifndef MO_COUPLE_CONTACT_FORCE_H
#define MO_COUPLE_CONTACT_FORCE_H

#include "collide/force_contacts.h"
#include "host/coupling.h"

typedef struct mo_contact_force {
    mo_force_contacts contacts;
    mo_host *host;
    mo_system *system;
    int64_t count; /* of contacts after the last step */
    double time;   /* of the last evaluation */
    bool solving;  /* in a static solve */
    bool implicit; /* the system's integrator is */
    mo_reactions reactions;
} mo_contact_force;

/* The particles of the system, without velocities in first-order dynamics. */
mo_contact_rows mo_contact_force_rows(const mo_contact_force *force);

/* The force; the coupling that owns the instance outlives it. */
mo_force mo_contact_force_make(mo_contact_force *force);

/* After a step of h that ends at `time`: finds the contacts and updates their anchors. */
mote_status mo_contact_force_drag(mo_contact_force *force, double time, double h,
                                  mote_error *error);

/* The reactions of the contacts found last, at the end of the step. */
mote_status mo_contact_force_react(mo_contact_force *force, double time, mote_error *error);

#endif
