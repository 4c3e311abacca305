/*
 * Islands: sets of movable bodies that are connected by contacts and joints. Fixed and kinematic
 * bodies do not connect. Islands are numbered in the order of their first bodies, and bodies,
 * contacts and joints of an island are listed in their order: nothing depends on threads.
 */
#ifndef MO_RIGID_ISLANDS_H
#define MO_RIGID_ISLANDS_H

#include "rigid/contact.h"
#include "rigid/joint.h"
#include "rigid/motion.h"

/* Items of island k: item[start[k]] to item[start[k + 1] - 1]. */
typedef struct mo_rigid_lists {
    int32_t *item;
    int64_t *start;
    int64_t item_capacity, start_capacity;
} mo_rigid_lists;

typedef struct mo_rigid_islands {
    mo_memory *memory;
    int32_t *island; /* of a body; -1: it has no constraint */
    int64_t island_capacity, count;
    mo_rigid_lists bodies, contacts, joints;
} mo_rigid_islands;

/* Of the bodies that motion->active marks; contacts with use[k] == 0 do not count. */
mote_status mo_rigid_islands_find(mo_rigid_islands *islands, const mo_rigid_motion *motion,
                                  const mo_rigid_contact *contacts, int64_t contact_count,
                                  const uint8_t *use, const mo_rigid_joint *joints,
                                  int64_t joint_count, mote_error *error);
mote_status mo_rigid_islands_reserve(mo_rigid_islands *islands, int64_t bodies, int64_t contacts,
                                     mote_error *error);
void mo_rigid_islands_release(mo_rigid_islands *islands);

#endif
