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

#include "base/memory.h"

enum { MO_COLORS = 64, MO_COLOR_OVERFLOW = MO_COLORS - 1 };

typedef struct mo_rigid_colors {
    mo_memory *memory;
    uint64_t *used; /* colours of a body, a bit each */
    uint8_t *color; /* of an item */
    int64_t body_capacity, item_capacity;
    int64_t start[MO_COLORS + 1]; /* items of colour c: [start[c], start[c + 1]) of a sorted list */
    int colors;                   /* that are in use, without the overflow */
} mo_rigid_colors;

mote_status mo_rigid_colors_begin(mo_rigid_colors *colors, int64_t bodies, int64_t items,
                                  mote_error *error);
void mo_rigid_colors_release(mo_rigid_colors *colors);

/* Colours item k between two bodies; a negative body does not count. */
void mo_rigid_colors_add(mo_rigid_colors *colors, int64_t k, int32_t first, int32_t second);

#endif
