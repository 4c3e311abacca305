/*
 * A contact set: the contacts of a step, or of the last evaluation within it, in one array. Each
 * contact search fills its own set, in an order determined by rows and colliders alone; the set
 * converts its forces to reactions on colliders.
 */
#ifndef MO_COLLIDE_CONTACT_SET_H
#define MO_COLLIDE_CONTACT_SET_H

#include "collide/collider.h"
#include "collide/contact.h"
#include "collide/reactions.h"

typedef struct mo_contact_set {
    mo_memory *memory;
    int64_t count, capacity;
    mo_contact *list;
} mo_contact_set;

void mo_contact_set_init(mo_contact_set *set, mo_memory *memory);
void mo_contact_set_release(mo_contact_set *set);

/* Sets the number of contacts; new ones are not initialised. */
mote_status mo_contact_set_resize(mo_contact_set *set, int64_t count, mote_error *error);

/* Appends a contact. */
mote_status mo_contact_set_append(mo_contact_set *set, const mo_contact *contact,
                                  mote_error *error);

/* Sets the reactions of a step that ends at `time` to those of the contacts of this set with
 * colliders, about the current origins of the colliders. */
mote_status mo_contact_set_react(const mo_contact_set *set, const mo_colliders *colliders,
                                 double time, mo_reactions *reactions, mote_error *error);

#endif
