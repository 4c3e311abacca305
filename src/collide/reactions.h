/*
 * Reactions: the wrench (force and torque) and the heat flow that a system exerts on each collider
 * or body during a step.
 *
 * One record for each collider, summed in double. A column for each collider costs memory and time
 * for every pair of row and collider; atomics on floats give other bits from run to run. Here rows
 * are cut into blocks, and a block has a slot for each collider that its rows act on: contributions
 * are added to slots, block by block and in the order of rows, and slots are folded into the
 * totals, collider by collider, in a binary tree that depends on their number alone. So the bits
 * are the same on any number of threads, and the cost is that of the contributions, however many
 * colliders there are.
 *
 * Slots are laid out beforehand where lists of neighbours say who acts on whom (a fluid's boundary
 * particles), or taken as contributions arise (contacts). In the second case a block adds up its
 * contributions in batches. Only the calling thread allocates, so a block that runs out of slots
 * drops the batch and repeats it once there is more room. Room is kept from step to step.
 *
 * Torques are about a centre that the owner sets before a step: the centre of mass of a body, the
 * origin of the pose of a prescribed collider. mo_wrench_about shifts them, exactly, to any other
 * point.
 *
 * `time` says which step they are of, or which static equilibrium. The world keeps those of its
 * last step (world/reactions.h).
 */
#ifndef MO_COLLIDE_REACTIONS_H
#define MO_COLLIDE_REACTIONS_H

#include "base/memory.h"
#include "collide/collider.h"
#include "math/vec3.h"

#include <string.h>

typedef struct mo_wrench {
    mo_vec3 force, torque; /* N, N m */
} mo_wrench;

/* A force that acts at `arm` from the centre. */
static inline void mo_wrench_add_force(mo_wrench *w, mo_vec3 force, mo_vec3 arm)
{
    w->force = mo_add(w->force, force);
    w->torque = mo_add(w->torque, mo_cross(arm, force));
}

static inline mo_wrench mo_wrench_add(mo_wrench a, mo_wrench b)
{
    return (mo_wrench){mo_add(a.force, b.force), mo_add(a.torque, b.torque)};
}

/* A wrench about `from`, about `to`. */
static inline mo_wrench mo_wrench_about(mo_wrench w, mo_vec3 from, mo_vec3 to)
{
    return (mo_wrench){w.force, mo_add(w.torque, mo_cross(mo_sub(from, to), w.force))};
}

typedef struct mo_reaction {
    mo_wrench wrench;
    double heat; /* W, into the collider */
} mo_reaction;

typedef struct mo_reactions {
    mo_memory *memory;
    double time;    /* the end of the step that they belong to, or */
    bool is_static; /* the time of the static equilibrium */
    int count;      /* of colliders */
    mo_vec3 *center;
    mo_reaction *total, *last; /* of the step, and of the last fold */

    /* slots: those of block b are [block[b], block[b + 1]) */
    int64_t blocks, slots;
    int64_t *block;
    int32_t *collider; /* of a slot */
    mo_reaction *slot;
    /* slots by collider and block; where each collider begins there */
    int64_t *order, *first;
    int64_t *seen_block, *seen_slot; /* of a collider, while slots are laid out */
    int64_t width;                   /* where slots are taken as needed: of each block, at most, */
    /* how many it has taken, and how many of them before this batch */
    int32_t *used, *kept;
    int64_t center_capacity, total_capacity, last_capacity, block_capacity, collider_capacity,
        slot_capacity, order_capacity, first_capacity, seen_block_capacity, seen_slot_capacity,
        used_capacity, kept_capacity;
} mo_reactions;

void mo_reactions_init(mo_reactions *reactions, mo_memory *memory);
void mo_reactions_release(mo_reactions *reactions);

/* So many colliders, all reactions and centres 0; slots have to be laid out anew. */
mote_status mo_reactions_resize(mo_reactions *reactions, int colliders, mote_error *error);

/* Reactions of a step that ends at `time` begin with 0. */
void mo_reactions_clear(mo_reactions *reactions, double time);

/* The layout, by one thread: begin, then for each block in their order its colliders (each as often
   as convenient), then end. */
mote_status mo_reactions_layout_begin(mo_reactions *reactions, int64_t blocks, mote_error *error);
void mo_reactions_layout_block(mo_reactions *reactions, int64_t block);
mote_status mo_reactions_layout_slot(mo_reactions *reactions, int64_t block, int collider,
                                     int64_t *slot, mote_error *error);
mote_status mo_reactions_layout_end(mo_reactions *reactions, mote_error *error);

/* Contributions: each block sets its own slots to 0 and adds to them; the fold adds all to the
   totals. */
static inline void mo_reactions_begin_block(mo_reactions *r, int64_t block)
{
    int64_t count = r->block[block + 1] - r->block[block];
    if (count > 0) {
        memset(r->slot + r->block[block], 0, (size_t)count * sizeof *r->slot);
    }
}
void mo_reactions_fold(mo_reactions *reactions);

/* Slots taken as needed, in `blocks` blocks. `begin`: the reactions on these colliders in a step
 * that ends at `time` are 0, about their origins where they stand. Then, by one thread for each
 * block: the slot of a collider in the batch (NULL: no more room), `keep` at the end of a batch, or
 * `drop` if it is to be repeated. `widen`, by the calling thread, gives every block more room.
 * `end` folds the sums into the totals. */
mote_status mo_reactions_begin(mo_reactions *reactions, const mo_colliders *colliders, double time,
                               int64_t blocks, mote_error *error);
mo_reaction *mo_reactions_slot(mo_reactions *reactions, int64_t block, int32_t collider);
void mo_reactions_keep(mo_reactions *reactions, int64_t block);
void mo_reactions_drop(mo_reactions *reactions, int64_t block);
mote_status mo_reactions_widen(mo_reactions *reactions, mote_error *error);
/* Whether a block may run out of slots. */
bool mo_reactions_may_run_out(const mo_reactions *reactions);
mote_status mo_reactions_end(mo_reactions *reactions, mote_error *error);

/* Of one collider, about its centre; 0 of one that nothing acts on. */
mo_reaction mo_reactions_of(const mo_reactions *reactions, int collider);

/* The wrench on one collider, or on all of them (-1), about a point. */
mo_wrench mo_reactions_wrench(const mo_reactions *reactions, int collider, mo_vec3 about);

#endif
