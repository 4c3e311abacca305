/*
 * Queries of a hierarchy: the nearest primitive, the first one that a ray or a moving sphere
 * meets, all in a box. Distances of volumes only decide what is looked at; the given function
 * decides about primitives. Of primitives that are equally near the one with the lowest number is
 * the answer, so it does not depend on the bounding volume or on the order of the tree.
 *
 * Queries change nothing and may run in parallel.
 */
#ifndef MO_GEOMETRY_HIERARCHY_QUERY_H
#define MO_GEOMETRY_HIERARCHY_QUERY_H

#include "geometry/hierarchy/hierarchy.h"

typedef struct mo_hit {
    int32_t primitive; /* -1: none */
    double distance;   /* or the parameter s of a ray */
} mo_hit;

/* The distance of a primitive from x; of the first point on a ray, infinity: none. */
typedef double mo_distance_fn(const void *context, int32_t primitive, mo_vec3 x);
typedef double mo_cast_fn(const void *context, int32_t primitive, const mo_ray *ray);

/* The nearest primitive that is not farther than `limit`. */
mo_hit mo_hierarchy_nearest(const mo_hierarchy *h, mo_vec3 x, double limit,
                            mo_distance_fn *distance, const void *context);

mo_hit mo_hierarchy_cast(const mo_hierarchy *h, const mo_ray *ray, mo_cast_fn *cast,
                         const void *context);

/* The primitives (not boxes) that have a point in common with a bounded box: writes the first
 * `capacity`, returns their number. */
int64_t mo_hierarchy_in_box(const mo_hierarchy *h, const mo_box *box, int32_t *out,
                            int64_t capacity);

/* For triangles: the context is the mo_simplices of the hierarchy. */
double mo_triangle_distance_fn(const void *simplices, int32_t triangle, mo_vec3 x);
double mo_triangle_cast_fn(const void *simplices, int32_t triangle, const mo_ray *ray);

#endif
