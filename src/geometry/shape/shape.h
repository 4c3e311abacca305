/*
 * Shapes, as exact signed distances: what colliders are made of and what picks nodes or fills
 * fluid. Negative inside. The normal points out of the shape and has length one everywhere, also
 * inside. Evaluation is by batches, so that the choice of shape costs one call for many points.
 */
#ifndef MO_GEOMETRY_SHAPE_H
#define MO_GEOMETRY_SHAPE_H

#include "base/param.h"
#include "math/vec3.h"

struct mo_sampling;
struct mo_samples;
struct mo_trimesh;

typedef struct mo_shape_type {
    mo_descriptor base;
    /* distance[k] and normal[3 * k ...] of `count` points; normal may be NULL */
    void (*distances)(const void *params, int64_t count, const double *points, double *distance,
                      double *normal);
    /* The box around the shape; false if it has no end. */
    bool (*bounds)(const void *params, mo_vec3 *min, mo_vec3 *max);
    /* Of a convex shape: where the line from + t direction enters and leaves it, t from -inf to
     * inf; false if it misses. NULL: not known. */
    bool (*chord)(const void *params, mo_vec3 from, mo_vec3 direction, double *enter,
                  double *leave);
    /* Boundary particles of its surface (sampling.h), normals outward; NULL: by its distances. */
    mote_status (*sample)(const void *params, const struct mo_sampling *how,
                          struct mo_samples *samples, mote_error *error);
    /* Its triangles, if it is made of such; NULL: it is not. */
    const struct mo_trimesh *(*surface)(const void *params);
} mo_shape_type;

extern const mo_family mo_shapes;

/* The same through a scene's mo_method. */
void mo_shape_distances(mo_method shape, int64_t count, const double *points, double *distance,
                        double *normal);
bool mo_shape_contains(mo_method shape, mo_vec3 point);

#endif
