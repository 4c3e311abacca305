/*
 * The volume of a region given by a bound of its signed distance: intersections of shapes and
 * complements.
 *
 * The bounding box is subdivided into blocks: a distance larger than half a block's diagonal
 * decides for the whole block. The smallest blocks, `leaf` wide, contribute a fraction linear in
 * the distance, which is exact for axis-aligned planes and unbiased for others; the curvature error
 * of order (leaf/radius)^2 is removed by Richardson extrapolation from two leaf sizes.
 */
#ifndef MO_GEOMETRY_SHAPE_VOLUME_H
#define MO_GEOMETRY_SHAPE_VOLUME_H

#include "base/pool.h"
#include "math/vec3.h"

/* Negative inside, with a magnitude of at most the distance to the region's surface; the normal
 * is its gradient. */
typedef double mo_region_fn(const void *context, mo_vec3 x, mo_vec3 *normal);

/* In two dimensions the area in the plane z = 0. */
mote_status mo_region_volume(mo_region_fn *region, const void *context, mo_vec3 low, mo_vec3 high,
                             int dimension, double leaf, mo_pool *pool, double *volume,
                             mote_error *error);

#endif
