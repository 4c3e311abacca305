/*
 * Contacts of particles with colliders whose law is a force (collide/law.h): found in every
 * evaluation, at any positions, velocities and time, with their forces.
 *
 * A contact is a record of a contact set (contact_set.h), a vertex on a point of a collider, with
 * the data of its law in a parallel array. Two passes over batches of rows: the first counts
 * contacts, the second writes those of the batches that have any. The contacts of a batch are
 * therefore consecutive, in the order of rows and colliders, independent of the number of threads.
 * The colliders are copies with their own poses, since a stage of an integrator is at another time
 * than the step.
 *
 * In a periodic domain a particle is in contact with one image of a collider, that of largest
 * depth. The friction anchor of a contact (anchors.h) is fixed during a step and updated after it
 * by mo_force_contacts_drag.
 */
#ifndef MO_COLLIDE_FORCE_CONTACTS_H
#define MO_COLLIDE_FORCE_CONTACTS_H

#include "collide/anchors.h"
#include "collide/contact_set.h"
#include "collide/law.h"
#include "collide/rows.h"

/* Data of the law for a contact. The force on the collider acts at the position of the tested
 * image of the particle: particles do not rotate, so angular momentum is conserved. */
typedef struct mo_force_contact {
    int32_t law;    /* index in `laws` */
    bool anchored;  /* it has an anchor from the previous step: */
    mo_vec3 anchor; /* in the collider's frame */
    mo_vec3 w, s;   /* relative velocity, and tangential displacement from the anchor (law.h) */
    mo_contact_response response;
} mo_force_contact;

/* A collider with a force law. */
typedef struct mo_force_collider {
    int32_t index; /* index in `colliders` */
    const mo_contact_force_law *law;
    mo_contact_tuning tuning;
    mo_collider posed; /* at the time of the evaluation */
} mo_force_collider;

typedef struct mo_force_contacts {
    mo_memory *memory;
    mo_colliders *colliders;
    int64_t law_count;
    mo_force_collider *laws;
    mo_anchors anchors;
    mo_contact_rows rows;
    double h;     /* the step of Jacobians; 0: none */
    double time;  /* of the last evaluation */
    double begin; /* time of the anchors; infinite: any */
    /* positions at `begin` in an implicit scheme, which linearises there: three components per row;
     * NULL: none */
    const double *x_begin;
    bool broad;     /* colliders may be skipped by the bounding box of a batch */
    int64_t *start; /* contacts of batch b are [start[b], start[b + 1]) */
    mo_contact_set set;
    mo_force_contact *list; /* per contact of the set */
    mo_anchor *dragged;
    int64_t start_capacity, list_capacity, dragged_capacity;
} mo_force_contacts;

/* Fills `laws`; the owner determines their constants. */
mote_status mo_force_contacts_create(mo_force_contacts *contacts, mo_memory *memory,
                                     mo_colliders *colliders, mote_error *error);
/* Except the store of the anchors, which belongs to the coupling. */
void mo_force_contacts_release(mo_force_contacts *contacts);

/* All contacts of these rows at `time`, with their forces. */
mote_status mo_force_contacts_find(mo_force_contacts *contacts, const mo_contact_rows *rows,
                                   double time, mote_error *error);

/* The contacts of the rows [first, last), complete batches. */
static inline int64_t mo_force_contacts_of(const mo_force_contacts *contacts, int64_t row)
{
    int64_t batch = (row + MO_CONTACT_BATCH - 1) / MO_CONTACT_BATCH;
    return contacts->start ? contacts->start[batch] : 0;
}

/* Return map of the anchors of the contacts found last, after a step of h; contacts that began
 * in it are anchored at their first position. */
mote_status mo_force_contacts_drag(mo_force_contacts *contacts, double h, mote_error *error);

#endif
