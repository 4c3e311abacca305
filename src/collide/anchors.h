/*
 * Friction anchors: attachment points of the tangential springs of contacts. A small store with a
 * row for each contact, sorted by particle id and collider, part of every snapshot. Anchors are
 * positions of the particle's centre in the collider's frame and move with it. Lookup is by id, so
 * that rows may be sorted or removed.
 */
#ifndef MO_COLLIDE_ANCHORS_H
#define MO_COLLIDE_ANCHORS_H

#include "base/radix.h"
#include "collide/contact.h"
#include "store/store.h"

typedef struct mo_anchors {
    mo_store *store; /* NULL: no friction, no state */
    mo_column *id, *particle, *collider, *position;
    int64_t colliders; /* of the world */
    mo_radix radix;
} mo_anchors;

/* An anchor to be stored. */
typedef struct mo_anchor {
    mo_contact_key key; /* a vertex on a collider */
    mo_vec3 position;
} mo_anchor;

mote_status mo_anchors_create(mo_memory *memory, int64_t colliders, mo_anchors *anchors,
                              mote_error *error);
/* Except the store, which belongs to the coupling. */
void mo_anchors_release(mo_anchors *anchors);

/* The anchor of a contact of a vertex with a collider; false: there is none. */
bool mo_anchors_find(const mo_anchors *anchors, mo_contact_key key, mo_vec3 *position);

/* Replaces all anchors by those of a list in any order. */
mote_status mo_anchors_replace(mo_anchors *anchors, const mo_anchor *list, int64_t count,
                               mo_pool *pool, mote_error *error);

#endif
