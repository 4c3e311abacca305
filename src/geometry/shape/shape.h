/*
 * Shapes as signed distances, for colliders, node selections and fluid volumes. Negative inside.
 * The normal points out of the shape and has length one everywhere, also inside. Evaluation is by
 * batches, so that the choice of shape costs one call for many points.
 *
 * Distances are exact for shapes with the capability `exact`. Those of boolean combinations (csg.h)
 * have the right sign and zero set and never exceed the distance in magnitude, as needed by sphere
 * tracing, block bisection and rays.
 */
#ifndef MO_GEOMETRY_SHAPE_H
#define MO_GEOMETRY_SHAPE_H

#include "base/param.h"
#include "math/vec3.h"

struct mo_sampling;
struct mo_samples;
struct mo_trimesh;
struct mo_trimesh_distance;
struct mo_facets;
struct mo_primitive;
struct mo_volume_moments;

enum { MO_SHAPE_EXACT = 1u << 0 }; /* capability: distances are exact */

/* An interval of a line inside a shape. */
typedef struct mo_interval {
    double from, to;
} mo_interval;
enum { MO_INTERVALS_MOST = 16 };

/* Requested triangulation: edge length, and the clipping box of unbounded shapes. */
typedef struct mo_shape_region {
    mo_vec3 low, high;
    double edge; /* approximate maximum edge length on curved surfaces [m] */
    bool coarse; /* triangles of combinations are clipped at their corners only, for wireframes */
} mo_shape_region;

typedef struct mo_shape_type {
    mo_descriptor base;
    /* distance[k] and normal[3 * k ...] of `count` points; normal may be NULL */
    void (*distances)(const void *params, int64_t count, const double *points, double *distance,
                      double *normal);
    /* The bounding box; false if unbounded. */
    bool (*bounds)(const void *params, mo_vec3 *min, mo_vec3 *max);
    /* Of a convex shape: the interval of the line from + t direction inside, t from -inf to inf;
     * false if it misses. NULL: unknown. */
    bool (*chord)(const void *params, mo_vec3 from, mo_vec3 direction, double *enter,
                  double *leave);
    /* Whether `chord` is available for these parameters; NULL: for all. */
    bool (*has_chord)(const void *params);
    /* The intervals of the line inside any shape, ascending, up to MO_INTERVALS_MOST; returns
     * their number, -1: unknown, or more. NULL: that of the chord. */
    int (*intervals)(const void *params, mo_vec3 from, mo_vec3 direction, mo_interval *list);
    /* Boundary particles of its surface (sampling.h), normals outward; NULL: by its distances. */
    mote_status (*sample)(const void *params, const struct mo_sampling *how,
                          struct mo_samples *samples, mote_error *error);
    /* Volume, centroid and second moment (moments.h), exact; NULL: not known, or without end. */
    void (*moments)(const void *params, struct mo_volume_moments *moments);
    /* Its triangles, if it is a mesh; else NULL. */
    const struct mo_trimesh *(*surface)(const void *params);
    /* The tree of these triangles. */
    const struct mo_trimesh_distance *(*tree)(const void *params);
    /* Adds triangles that approximate its surface (facets.h), for rendering and sampling. */
    mote_status (*facets)(const void *params, const mo_shape_region *region,
                          struct mo_facets *facets, mote_error *error);
    /* Whether it is a solid with closed forms (primitive.h), and which; NULL: it is not. */
    bool (*primitive)(const void *params, struct mo_primitive *primitive);
} mo_shape_type;

extern const mo_family mo_shapes;

/* The same for a mo_method of a scene. */
void mo_shape_distances(mo_method shape, int64_t count, const double *points, double *distance,
                        double *normal);
bool mo_shape_contains(mo_method shape, mo_vec3 point);
bool mo_shape_bounds(mo_method shape, mo_vec3 *min, mo_vec3 *max);
bool mo_shape_has_chord(mo_method shape);
bool mo_shape_chord(mo_method shape, mo_vec3 from, mo_vec3 direction, double *enter, double *leave);
int mo_shape_intervals(mo_method shape, mo_vec3 from, mo_vec3 direction, mo_interval *list);
mote_status mo_shape_facets(mo_method shape, const mo_shape_region *region,
                            struct mo_facets *facets, mote_error *error);

/* Volume, centroid and second moment; false if they are not known. */
bool mo_shape_moments(mo_method shape, struct mo_volume_moments *moments);

/* Whether it or one of its operands is a mesh: its distances are expensive. */
bool mo_shape_has_mesh(mo_method shape);

/* Whether it is a half space; returns a point of its plane and the outward normal. */
bool mo_shape_half_space(mo_method shape, mo_vec3 *point, mo_vec3 *normal);

#endif
