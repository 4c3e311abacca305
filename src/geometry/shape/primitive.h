/*
 * Convex solids with closed forms for mass and contact, in one frame. The axes of the solid are the
 * columns of `axes`; a point X of the frame is at center + axes X.
 *
 *   sphere   radius[0]
 *   box      half extents
 *   capsule  the segment from -half.z to half.z along the third axis, radius[0]
 *   frustum  a cylinder or a (truncated) cone: from -half.z, where it has radius[0], to half.z,
 *            where it has radius[1]
 */
#ifndef MO_GEOMETRY_SHAPE_PRIMITIVE_H
#define MO_GEOMETRY_SHAPE_PRIMITIVE_H

#include "geometry/shape/shape.h"
#include "math/mat3.h"

typedef enum mo_primitive_kind {
    MO_PRIMITIVE_SPHERE,
    MO_PRIMITIVE_BOX,
    MO_PRIMITIVE_CAPSULE,
    MO_PRIMITIVE_FRUSTUM
} mo_primitive_kind;

typedef struct mo_primitive {
    mo_primitive_kind kind;
    mo_vec3 center;
    mo_mat3 axes;     /* a rotation */
    mo_vec3 half;     /* half extents; see above */
    double radius[2]; /* see above */
} mo_primitive;

/* Whether a shape is one of these, also within a `transform`, and which. */
bool mo_shape_primitive(mo_method shape, mo_primitive *primitive);

/* The shapes that a `union` is made of, which may be handled one by one; otherwise the shape
 * itself. */
int64_t mo_shape_union_parts(const mo_method *shape, const mo_method **parts);

/* A capsule or frustum between two points of its axis. */
mo_primitive mo_primitive_along(mo_primitive_kind kind, mo_vec3 start, mo_vec3 end, double low,
                                double high);

#endif
