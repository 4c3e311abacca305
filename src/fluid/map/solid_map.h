/*
 * The boundary density L of a solid (half_space.h) as a field around it, in the solid's frame.
 *
 * L is stored as the equivalent distance s: that of the half space with the same L. For a plane s
 * is the signed distance itself, so planes are exact at any position in the grid, without
 * corrugation. Around edges, corners and curved surfaces s differs from the distance by the
 * deviation from the tangent half space.
 *
 * L at a node is an average over directions: along a ray the solid occupies intervals of the
 * radius, each weighted by the integral of F. The intervals are found from the signed distance. Of
 * the sum only the difference from the tangent half space is used, whose own integral is exact. The
 * region behind a plate also counts as solid, weighted by the opposition of the plate's faces: a
 * plate thinner than the support would be permeable otherwise.
 *
 * Nodes are half a spacing apart, in blocks around the surface found by a hash; blocks near a
 * single plane store that plane instead of nodes. Between nodes s is a tensor product of
 * Catmull-Rom splines with continuous gradients, and the force uses the exact derivative of the
 * interpolated value. An unbounded plane is one block.
 */
#ifndef MO_FLUID_MAP_SOLID_MAP_H
#define MO_FLUID_MAP_SOLID_MAP_H

#include "base/pool.h"
#include "fluid/map/half_space.h"
#include "geometry/grid/sparse_grid.h"
#include "math/vec3.h"

/* Gaps of `count` points of the solid's frame, positive in the fluid, and (unless NULL) unit
 * normals along which they grow. */
typedef void mo_gap_fn(const void *context, int64_t count, const double *x, double *gap,
                       double *normal);

/* The interval of the line x + t u inside a convex shape; false if it misses. */
typedef bool mo_chord_fn(const void *context, mo_vec3 x, mo_vec3 u, double *enter, double *leave);

/* All intervals of the line inside the shape, ascending pairs of t, up to MO_MAP_INTERVALS_MOST;
 * their number, -1: unknown. */
enum { MO_MAP_INTERVALS_MOST = 16 };
typedef int mo_intervals_fn(const void *context, mo_vec3 x, mo_vec3 u, double *ends);

typedef struct mo_map_solid {
    mo_gap_fn *gap;
    mo_chord_fn *chord;         /* NULL: unknown */
    mo_intervals_fn *intervals; /* likewise, for shapes without a chord */
    const void *context;
    bool inside; /* the complement of the convex shape */
    bool bounded;
    mo_vec3 low, high; /* of a bounded one */
} mo_map_solid;

typedef struct mo_solid_map_block {
    int64_t first; /* of its nodes, -1: a plane, gap = normal . x - offset */
    mo_vec3 normal;
    double offset;
} mo_solid_map_block;

typedef struct mo_solid_map {
    mo_memory *memory;
    int dimension;
    double support, width; /* of the kernel, and between nodes */
    double reach;          /* of F: beyond it s is the distance itself */
    bool unbounded;        /* a plane: the one block */
    mo_sparse_grid grid;   /* indices of blocks */
    mo_solid_map_block *block;
    float *node; /* s in supports */
    int64_t block_capacity, node_capacity;
} mo_solid_map;

/* `reach`: the distance from the surface up to which s is needed. */
mote_status mo_solid_map_build(mo_solid_map *map, const mo_map_solid *solid,
                               const mo_half_space *half_space, int dimension, double support,
                               double spacing, double reach, mo_memory *memory, mo_pool *pool,
                               mote_error *error);
void mo_solid_map_release(mo_solid_map *map);

/* s at x in supports, and its gradient by x in supports/m; infinite without gradient beyond the
 * reach of the solid. */
float mo_solid_map_at(const mo_solid_map *map, mo_vec3 x, float gradient[3]);

#endif
