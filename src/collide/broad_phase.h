/*
 * The broad phase: overlapping pairs of many moving boxes.
 *
 * The result of an update is the set of pairs (a < b) of boxes that overlap (touching counts) and
 * are not of the same group, sorted by a, then by b. It is exact and a function of the boxes and
 * groups of that update alone: independent of threads and earlier updates, so it is not part of a
 * snapshot. Temporal coherence only saves time: each box has a fat one around it, and pairs of fat
 * boxes stay valid until a box leaves its fat box (as in the AABB trees of Box2D and Bullet).
 *
 * Boxes should enclose the motion of the step (and the speculative margin), since a pair that is
 * not reported is not tested. They may be infinite (a plane), empty (never reported) or of very
 * different sizes; the index of a box is its identity between updates, and any number of them may
 * change, appear or disappear between two updates.
 *
 *     mo_broad_phase broad;
 *     mo_broad_phase_init(&broad, memory);
 *     MO_TRY(mo_broad_phase_update(&broad, count, boxes, group, pool, error));
 *     for (int64_t k = 0; k < broad.pair_count; ++k) { ... broad.pairs[k].a ... }
 *     mo_broad_phase_release(&broad);
 */
#ifndef MO_COLLIDE_BROAD_PHASE_H
#define MO_COLLIDE_BROAD_PHASE_H

#include "geometry/hierarchy/pairs.h"

typedef mo_index_pair mo_box_pair; /* a < b */

typedef struct mo_broad_phase {
    mo_memory *memory;
    int64_t pair_count;
    mo_box_pair *pairs; /* of the last update */
    /* statistics of the last update */
    int64_t moved; /* boxes that had left their fat boxes */
    bool rebuilt;  /* the tree was rebuilt */
    /* inside */
    int64_t box_count, near_count;
    int64_t moved_since; /* boxes that have moved since the tree was built */
    mo_box *fat;
    int32_t *group;                /* of the last update */
    uint8_t *has_moved;            /* of a box, in this update */
    int32_t *where;                /* the index of a box in the tree's order */
    mo_box_pair *near, *near_next; /* pairs of fat boxes, sorted */
    uint8_t *is_pair;              /* whether the boxes of such a pair overlap */
    int64_t *block_count;
    int32_t *moved_list, *moved_corner;
    mo_hierarchy tree, moved_tree;
    mo_pair_search search;
    int64_t pair_capacity, fat_capacity, group_capacity, has_moved_capacity, where_capacity,
        near_capacity, near_next_capacity;
    int64_t is_pair_capacity, block_capacity, moved_list_capacity, moved_corner_capacity;
} mo_broad_phase;

void mo_broad_phase_init(mo_broad_phase *broad, mo_memory *memory);
void mo_broad_phase_release(mo_broad_phase *broad);

/* Reserves memory for updates of this many boxes with up to `pairs` pairs of fat boxes. */
mote_status mo_broad_phase_reserve(mo_broad_phase *broad, int64_t boxes, int64_t pairs,
                                   mote_error *error);

/* `group` (may be NULL): boxes of the same group, except of group -1, are not paired. The parts
 * of a body share a group, and so do all static boxes. At most INT32_MAX boxes. */
mote_status mo_broad_phase_update(mo_broad_phase *broad, int64_t count, const mo_box *boxes,
                                  const int32_t *group, mo_pool *pool, mote_error *error);

#endif
