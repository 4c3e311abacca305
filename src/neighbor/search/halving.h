/*
 * Balanced binary trees over an array: a stretch of items is parted about its median by some key,
 * then both parts likewise, until they are short. The tree needs no pointers: the middle of a
 * stretch is its root, and nodes are numbered from 1, the children of k being 2 k and 2 k + 1.
 * Halves are equal in number, so the depth is the logarithm of the number whatever the points;
 * equal keys are ordered by row.
 *
 * Stretches of the first levels are parted in parallel, then whole subtrees.
 */
#ifndef MO_NEIGHBOR_SEARCH_HALVING_H
#define MO_NEIGHBOR_SEARCH_HALVING_H

#include "neighbor/search/packed.h"

typedef struct mo_half_item {
    double x[3], key;
    int64_t row;
} mo_half_item;

typedef struct mo_halving {
    mo_half_item *item;
    int64_t count;
    int64_t leaf;     /* stretches up to this long are left as they are */
    bool skip_middle; /* the item in the middle is the node's own and belongs to neither half */
    /* Sets the keys of item[low .. high) of a node. */
    void (*prepare)(void *context, int64_t node, mo_half_item *item, int64_t low, int64_t high);
    /* The items of [low, middle) are before those of [middle, high). May be NULL. */
    void (*done)(void *context, int64_t node, const mo_half_item *item, int64_t low, int64_t middle,
                 int64_t high);
    void *context;
} mo_halving;

/* Halves the points of a structure in h->item, which has room for them, and packs them so. */
void mo_halve(const mo_halving *h, mo_packed *packed, mo_pool *pool);

/* A stretch on the way down, and its node. */
typedef struct mo_half {
    int64_t node, low, high;
} mo_half;

static inline mo_half mo_half_lower(mo_half h)
{
    return (mo_half){2 * h.node, h.low, h.low + (h.high - h.low) / 2};
}

static inline mo_half mo_half_upper(mo_half h, bool skip_middle)
{
    return (mo_half){2 * h.node + 1, h.low + (h.high - h.low) / 2 + skip_middle, h.high};
}

/* Numbers of nodes are below this. */
int64_t mo_half_nodes(int64_t count, int64_t leaf);

enum { MO_HALF_DEPTH = 40 };

#endif
