/*
 * Reactions: the wrench (force and torque) and the heat flow of a system on each collider or body
 * during a step.
 *
 * Rows are divided into blocks, and a block has a slot for each collider its rows act on:
 * contributions are added to slots in the order of rows, and slots are summed in double, collider
 * by collider, in a binary tree that depends on their number alone. The result is bitwise
 * independent of the number of threads, and the cost is that of the contributions, for any number
 * of colliders. (An array of all pairs of row and collider would be too large; atomic additions are
 * not reproducible.)
 *
 * Slots are laid out in advance from neighbour lists (boundary particles of a fluid), or taken as
 * contributions arise (contacts), in batches: only the calling thread allocates, so a block that
 * runs out of slots drops the batch and repeats it after more memory was reserved.
 *
 * Torques are about a centre set by the owner before a step: the centre of mass of a body, the
 * origin of a prescribed collider. mo_wrench_about shifts them to any other point. `time`
 * identifies the step, or the static equilibrium. The world stores those of its last step
 * (world/reactions.h).
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

/* A force acting at `arm` from the centre. */
static inline void mo_wrench_add_force(mo_wrench *w, mo_vec3 force, mo_vec3 arm)
{
    w->force = mo_add(w->force, force);
    w->torque = mo_add(w->torque, mo_cross(arm, force));
}

static inline mo_wrench mo_wrench_add(mo_wrench a, mo_wrench b)
{
    return (mo_wrench){mo_add(a.force, b.force), mo_add(a.torque, b.torque)};
}

/* A wrench about `from`, shifted to `to`. */
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
    double time;    /* the end of the step, or */
    bool is_static; /* the time of the static equilibrium */
    int count;      /* of colliders */
    mo_vec3 *center;
    mo_reaction *total, *last; /* of the step, and of the last reduction */

    /* slots: those of block b are [block[b], block[b + 1]) */
    int64_t blocks, slots;
    int64_t *block;
    int32_t *collider; /* of a slot */
    mo_reaction *slot;
    /* slots by collider and block; first slot of each collider */
    int64_t *order, *first;
    int64_t *seen_block, *seen_slot; /* per collider, during the layout */
    int64_t width;                   /* slots on demand: maximum per block, */
    /* slots used, and those used before this batch */
    int32_t *used, *kept;
    int64_t center_capacity, total_capacity, last_capacity, block_capacity, collider_capacity,
        slot_capacity, order_capacity, first_capacity, seen_block_capacity, seen_slot_capacity,
        used_capacity, kept_capacity;
} mo_reactions;

void mo_reactions_init(mo_reactions *reactions, mo_memory *memory);
void mo_reactions_release(mo_reactions *reactions);

/* Sets the number of colliders, with all reactions and centres 0; slots have to be laid out
 * again. */
mote_status mo_reactions_resize(mo_reactions *reactions, int colliders, mote_error *error);

/* Resets the reactions of a step that ends at `time`. */
void mo_reactions_clear(mo_reactions *reactions, double time);

/* The layout, by one thread: begin, then for each block in order its colliders (repetitions are
 * allowed), then end. */
mote_status mo_reactions_layout_begin(mo_reactions *reactions, int64_t blocks, mote_error *error);
void mo_reactions_layout_block(mo_reactions *reactions, int64_t block);
mote_status mo_reactions_layout_slot(mo_reactions *reactions, int64_t block, int collider,
                                     int64_t *slot, mote_error *error);
mote_status mo_reactions_layout_end(mo_reactions *reactions, mote_error *error);

/* Contributions: each block resets its slots and adds to them; the reduction adds all to the
 * totals. */
static inline void mo_reactions_begin_block(mo_reactions *r, int64_t block)
{
    int64_t count = r->block[block + 1] - r->block[block];
    if (count > 0) {
        memset(r->slot + r->block[block], 0, (size_t)count * sizeof *r->slot);
    }
}
void mo_reactions_fold(mo_reactions *reactions);

/* Slots on demand, in `blocks` blocks. `begin`: resets the reactions on these colliders in a
 * step that ends at `time`, about their origins at that time. Then, by one thread per block: the
 * slot of a collider in the batch (NULL: none free), `keep` at the end of a batch, or `drop` if it
 * is to be repeated. `widen`, by the calling thread, adds slots to every block. `end` adds the
 * sums to the totals. */
mote_status mo_reactions_begin(mo_reactions *reactions, const mo_colliders *colliders, double time,
                               int64_t blocks, mote_error *error);
mo_reaction *mo_reactions_slot(mo_reactions *reactions, int64_t block, int32_t collider);
void mo_reactions_keep(mo_reactions *reactions, int64_t block);
void mo_reactions_drop(mo_reactions *reactions, int64_t block);
mote_status mo_reactions_widen(mo_reactions *reactions, mote_error *error);
/* Whether a block may run out of slots. */
bool mo_reactions_may_run_out(const mo_reactions *reactions);
mote_status mo_reactions_end(mo_reactions *reactions, mote_error *error);

/* Of one collider, about its centre; 0 without contributions. */
mo_reaction mo_reactions_of(const mo_reactions *reactions, int collider);

#endif
