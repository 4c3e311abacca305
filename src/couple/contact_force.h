/*
 * The force of contacts with colliders whose law is a force (collide/law.h), with its Jacobian,
 * energy and stability bounds: what the coupling collider_force attaches to a system that sums
 * forces.
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
    bool solving;  /* a static solve */
    mo_reactions reactions;
} mo_contact_force;

/* The particles of the system, without velocities where these are no momentum. */
mo_contact_rows mo_contact_force_rows(const mo_contact_force *force);

/* The force; the coupling that owns the instance outlives it. */
mo_force mo_contact_force_make(mo_contact_force *force);

/* After a step of h that ends at `time`: the contacts there, whose anchors are dragged along. */
mote_status mo_contact_force_drag(mo_contact_force *force, double time, double h,
                                  mote_error *error);

/* The reactions of the contacts found last, at the end of the step: stages of an integrator have
 * others. */
mote_status mo_contact_force_react(mo_contact_force *force, double time, mote_error *error);

#endif
