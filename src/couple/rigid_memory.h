/*
 * Data of rigid contacts between steps, in a store: impulses for warm starting and the hints of the
 * narrow phase. One row per manifold, sorted by pair (contacts of two bodies first, then those with
 * colliders) and part, so that a contact is found by bisection.
 */
#ifndef MO_COUPLE_RIGID_MEMORY_H
#define MO_COUPLE_RIGID_MEMORY_H

#include "collide/manifold.h"
#include "geometry/motion/motion.h"
#include "rigid/contact.h"
#include "store/store.h"

/* Ids of two bodies, or of a body and a collider: second = -1 - its number. */
typedef struct mo_rigid_key {
    int64_t first, second;
} mo_rigid_key;

typedef struct mo_rigid_memory {
    mo_store *store;
    mo_column *first, *second, *hint, *count, *key, *normal, *impulse, *friction, *point, *substep;
} mo_rigid_memory;

mote_status mo_couple_rigid_memory_open(mo_rigid_memory *memory, mo_memory *allocator,
                                        mote_error *error);

/* The rows of a pair: the first, and their number; fastest where the guess is near the first. */
int64_t mo_couple_rigid_memory_find(const mo_rigid_memory *memory, mo_rigid_key key, int64_t guess,
                                    int64_t *count);

/* The hint of a row; a point in the frame of the first body; the stored contact, and the length
 * of its substep. */
mo_manifold_hint mo_couple_rigid_memory_hint(const mo_rigid_memory *memory, int64_t row);
mo_vec3 mo_couple_rigid_memory_point(const mo_rigid_memory *memory, int64_t row, int point);
double mo_couple_rigid_memory_load(const mo_rigid_memory *memory, int64_t row,
                                   mo_rigid_contact *contact);

/* Clears the store and reserves `count` rows, to be stored in ascending order. */
mote_status mo_couple_rigid_memory_resize(mo_rigid_memory *memory, int64_t count,
                                          mote_error *error);
void mo_couple_rigid_memory_store(mo_rigid_memory *memory, int64_t row, mo_rigid_key key,
                                  mo_manifold_hint hint, const mo_rigid_contact *contact,
                                  const mo_pose *pose, double substep);

#endif
