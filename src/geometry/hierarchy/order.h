/*
 * The order of primitives in a hierarchy of eight children a node. Nodes are implicit: node b of a
 * layer has the nodes 8 b .. 8 b + 7 of the layer below, so a tree is nothing but an order of the
 * primitives, and is balanced by construction: all leaves are in the lowest layer, and every node
 * but the last of a layer is full.
 */
#ifndef MO_GEOMETRY_HIERARCHY_ORDER_H
#define MO_GEOMETRY_HIERARCHY_ORDER_H

#include "base/radix.h"
#include "math/vec3.h"

/* Sorts order[0 .. count), numbers of primitives, by cutting them again and again at a middle along
 * the axis in which their middles extend most; cuts are where nodes end. The same order for the
 * same middles, whatever the order before. */
void mo_order_by_medians(int32_t *order, int64_t count, const mo_vec3 *middle);

/* Along Morton's curve: parallel, in linear time, and looser. `size` is the extent of each
 * primitive: those of more than eight times the median come apart from the others, since a large
 * primitive makes a large node. Primitives far outside, or with infinite middles or sizes, do not
 * coarsen the curve of the others. Equal keys are in the order of indices. `radix` has room
 * for `count`; `centre` is in the middle of most of them. */
void mo_order_by_morton(int32_t *order, int64_t count, const mo_vec3 *middle, const double *size,
                        mo_vec3 centre, mo_radix *radix, mo_pool *pool);

/* The median extent, of a sample; a centre that neither large nor far primitives move. */
double mo_order_typical_size(int64_t count, const double *size);
mo_vec3 mo_order_centre(int64_t count, const mo_vec3 *middle, const double *size);

#endif
