/*
 * Friction anchors: where on a collider the tangential spring of a contact is attached. A small
 * store with a row for each contact, sorted by particle id and collider, which the owner makes part
 * of every snapshot. Anchors are positions of the particle's centre in the collider's own frame, so
 * that they move and turn with it. Lookup is by id: rows may be sorted or removed without telling
 * anybody.
 */
#ifndef MO_COLLIDE_ANCHORS_H
#define MO_COLLIDE_ANCHORS_H

#include "base/radix.h"
#include "collide/contact.h"
#include "store/store.h"

typedef struct mo_anchors {
    mo_store *store; /* NULL: no friction, nothing to remember */
    mo_column *id, *particle, *collider, *position;
    int64_t colliders; /* in all */
    mo_radix radix;
} mo_anchors;

/* An anchor on its way into the store. */
typedef struct mo_anchor {
    mo_contact_key key; /* a vertex on a collider */
    mo_vec3 position;
} mo_anchor;

mote_status mo_anchors_create(mo_memory *memory, int64_t colliders, mo_anchors *anchors,
                              mote_error *error);
/* All but the store, which belongs to the coupling. */
void mo_anchors_release(mo_anchors *anchors);

/* The anchor of a contact of a vertex with a collider; false: it has none. */
bool mo_anchors_find(const mo_anchors *anchors, mo_contact_key key, mo_vec3 *position);

/* Replaces all anchors by those of a list in any order. */
mote_status mo_anchors_replace(mo_anchors *anchors, const mo_anchor *list, int64_t count,
                               mo_pool *pool, mote_error *error);

#endif
