/*
 * Balanced binary trees over an array: a range of items is split at its median by some key,
 * recursively. The tree is implicit: the middle of a range is its root, and nodes are numbered from
 * 1, the children of k being 2 k and 2 k + 1. The depth is logarithmic for any points; equal keys
 * are ordered by row.
 *
 * Ranges of the first levels are split in parallel, then complete subtrees.
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
    int64_t leaf;     /* ranges up to this length are leaves */
    bool skip_middle; /* the middle item is the node and belongs to neither half */
    /* Sets the keys of item[low .. high) of a node. */
    void (*prepare)(void *context, int64_t node, mo_half_item *item, int64_t low, int64_t high);
    /* The items of [low, middle) are before those of [middle, high). May be NULL. */
    void (*done)(void *context, int64_t node, const mo_half_item *item, int64_t low, int64_t middle,
                 int64_t high);
    void *context;
} mo_halving;

/* Halves the points of a structure in h->item, which has sufficient size, and packs them. */
void mo_halve(const mo_halving *h, mo_packed *packed, mo_pool *pool);

/* A range during descent, and its node. */
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

/* Node indices are below this. */
int64_t mo_half_nodes(int64_t count, int64_t leaf);

enum { MO_HALF_DEPTH = 40 };

#endif
