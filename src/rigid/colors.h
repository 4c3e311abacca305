/*
 * Colours of the contact graph: contacts of one colour share no movable body, so that a sweep may
 * treat them in any order, several at a time.
 *
 * Greedy in the order of contacts: the smallest colour that neither body has. It depends on the
 * graph alone. A body with more contacts than there are colours puts the rest into the last one,
 * the overflow, whose contacts are solved one after the other.
 */
#ifndef MO_RIGID_COLORS_H
#define MO_RIGID_COLORS_H

#include "base/pool.h"

enum { MO_COLORS = 64, MO_COLOR_OVERFLOW = MO_COLORS - 1 };

typedef struct mo_rigid_colors {
    mo_memory *memory;
    uint64_t *used; /* colours of a body, a bit each */
    uint8_t *color; /* of an item */
    int64_t body_capacity, item_capacity;
    int colors; /* that are in use, without the overflow */
} mo_rigid_colors;

mote_status mo_rigid_colors_begin(mo_rigid_colors *colors, int64_t bodies, int64_t items,
                                  mote_error *error);
void mo_rigid_colors_release(mo_rigid_colors *colors);

/* Colours item k between two bodies; a negative body does not count. */
void mo_rigid_colors_add(mo_rigid_colors *colors, int64_t k, int32_t first, int32_t second);

/* Items in the order of colours, and blocks of `lanes` of them that share no body. */
typedef struct mo_rigid_order {
    int32_t *item;
    int64_t capacity;
    int64_t first[MO_COLORS + 1]; /* items of colour c: item[first[c]] to item[first[c + 1] - 1] */
    int64_t start[MO_COLORS + 1]; /* blocks of colour c: [start[c], start[c + 1]) */
} mo_rigid_order;

/* Sorts the items with use[k] != 0 by colour, keeping their order. */
mote_status mo_rigid_order_find(mo_rigid_order *order, const mo_rigid_colors *colors, int64_t items,
                                const uint8_t *use, int lanes, mote_error *error);

/* The item of a lane of a block of a colour; -1: none. The overflow has one item to a block. */
int32_t mo_rigid_order_item(const mo_rigid_order *order, int color, int64_t block, int lane,
                            int lanes);

static inline int64_t mo_rigid_order_blocks(const mo_rigid_order *order)
{
    return order->start[MO_COLORS];
}

/* Calls a range function for the blocks of each colour in turn: `offset` is the first of them.
 * Those of the overflow are one range. */
void mo_rigid_order_run(const mo_rigid_order *order, mo_pool *pool, mo_range_fn *function,
                        void *context, int64_t *offset);

#endif
