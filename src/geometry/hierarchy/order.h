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

/* Along Morton's curve through the box of the middles: parallel, in linear time, and looser.
 * Equal places are in the order of their numbers. `radix` has room for `count`. */
void mo_order_by_morton(int32_t *order, int64_t count, const mo_vec3 *middle, mo_radix *radix,
                        mo_pool *pool);

#endif
