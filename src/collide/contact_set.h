/*
 * A contact set: the contacts of a step, or of the last evaluation within it, in one array. Whoever
 * finds contacts fills a set of its own, in an order that follows from rows and colliders alone;
 * the set turns the forces in it into reactions on colliders, for all of them in the same way.
 */
#ifndef MO_COLLIDE_CONTACT_SET_H
#define MO_COLLIDE_CONTACT_SET_H

#include "collide/collider.h"
#include "collide/contact.h"
#include "collide/reactions.h"

typedef struct mo_contact_set {
    mo_memory *memory;
    int64_t count, room;
    mo_contact *list;
} mo_contact_set;

void mo_contact_set_init(mo_contact_set *set, mo_memory *memory);
void mo_contact_set_release(mo_contact_set *set);

/* So many contacts; those that are new are not filled. */
mote_status mo_contact_set_resize(mo_contact_set *set, int64_t count, mote_error *error);

/* One contact more. */
mote_status mo_contact_set_append(mo_contact_set *set, const mo_contact *contact,
                                  mote_error *error);

/* The reactions of a step that ends at `time` become those of the contacts of this set with
   colliders, about the origins of the colliders where they stand. */
mote_status mo_contact_set_react(const mo_contact_set *set, const mo_colliders *colliders,
                                 double time, mo_reactions *reactions, mote_error *error);

#endif
