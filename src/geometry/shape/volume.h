/*
 * The volume of a region given by a bound of its signed distance: intersections of shapes and of
 * what is outside of others.
 *
 * The box around it is cut into blocks, and these are halved: a distance larger than half a block's
 * diagonal decides for all of it. Of the smallest blocks, `leaf` wide, the part behind the tangent
 * plane counts, taken as linear in the distance. That is exact for planes along the axes and right
 * on average for others; what it leaves of curved surfaces, of the order of (leaf/radius)^2, is
 * extrapolated from leaves of two sizes.
 */
#ifndef MO_GEOMETRY_SHAPE_VOLUME_H
#define MO_GEOMETRY_SHAPE_VOLUME_H

#include "base/pool.h"
#include "math/vec3.h"

/* Negative inside, nowhere larger in size than the distance from the region's surface; the normal
 * is its gradient. */
typedef double mo_region_fn(const void *context, mo_vec3 x, mo_vec3 *normal);

/* In two dimensions the area in the plane z = 0. */
mote_status mo_region_volume(mo_region_fn *region, const void *context, mo_vec3 low, mo_vec3 high,
                             int dimension, double leaf, mo_pool *pool, double *volume,
                             mote_error *error);

#endif
