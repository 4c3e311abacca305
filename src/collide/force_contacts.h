/*
 * The contacts of particles with the colliders whose law is a force (law/law.h): found anew in
 * every evaluation, at any positions, velocities and time, with the forces that act in them.
 *
 * A contact is a record of a contact set (contact_set.h), a vertex on a point of a collider, and
 * the data of its law beside it. Two passes over batches of rows: the first counts contacts, the
 * second, over the batches that have any, writes them. So the contacts of a batch are consecutive,
 * their order is that of rows and colliders, and nothing depends on the number of threads. The
 * colliders are copies with poses of their own, since a stage of an integrator stands at another
 * time than the step.
 *
 * In a periodic domain a particle is in contact with the image of a collider that it is deepest in,
 * one at a time. The friction anchor of a contact (anchors.h) is fixed during a step and dragged
 * along once after it, by mo_force_contacts_drag.
 */
#ifndef MO_COLLIDE_FORCE_CONTACTS_H
#define MO_COLLIDE_FORCE_CONTACTS_H

#include "collide/anchors.h"
#include "collide/contact_set.h"
#include "collide/law.h"
#include "collide/rows.h"

/* What the law keeps of a contact, beside its record. The force on the collider acts at the
   position of the particle's image that it is tested with: particles do not rotate, and so angular
   momentum is conserved. */
typedef struct mo_force_contact {
    int32_t law;    /* index in `laws` */
    bool anchored;  /* it has an anchor from the step before: */
    mo_vec3 anchor; /* in the collider's frame */
    mo_vec3 w, s;   /* velocity, and displacement from the anchor across the normal (law.h) */
    mo_contact_response response;
} mo_force_contact;

/* A collider with a force law. */
typedef struct mo_force_collider {
    int32_t index; /* in `colliders` */
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
    double h;       /* the step that Jacobians are for; 0: none */
    double time;    /* of the last evaluation */
    double begin;   /* anchors are those of this time; infinite: of any */
    bool broad;     /* some collider may be skipped by the box of a batch */
    int64_t *start; /* contacts of batch b are [start[b], start[b + 1]) */
    mo_contact_set set;
    mo_force_contact *list; /* of each contact of the set */
    mo_anchor *dragged;
    int64_t start_room, list_room, dragged_room;
} mo_force_contacts;

/* Fills `laws`; the owner tunes them. */
mote_status mo_force_contacts_create(mo_force_contacts *contacts, mo_memory *memory,
                                     mo_colliders *colliders, mote_error *error);
/* All but the store of the anchors, which belongs to the coupling. */
void mo_force_contacts_release(mo_force_contacts *contacts);

/* All contacts of these rows at `time`, and the forces in them. */
mote_status mo_force_contacts_find(mo_force_contacts *contacts, const mo_contact_rows *rows,
                                   double time, mote_error *error);

/* The contacts of the rows [first, last), whole batches. */
static inline int64_t mo_force_contacts_of(const mo_force_contacts *contacts, int64_t row)
{
    int64_t batch = (row + MO_CONTACT_BATCH - 1) / MO_CONTACT_BATCH;
    return contacts->start ? contacts->start[batch] : 0;
}

/* Drags the anchors of the contacts found last (the return map), after a step of h; contacts that
   began in it are anchored where they began. */
mote_status mo_force_contacts_drag(mo_force_contacts *contacts, double h, mote_error *error);

#endif
