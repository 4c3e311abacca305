/*
 * Contact of convex solids: sphere, box, capsule, frustum (cylinder, cone), convex hull, triangle.
 *
 * Pairs with closed forms have them (spheres and capsules, spheres on boxes). Polytopes (boxes,
 * hulls, triangles) are tested by the separating axis theorem: all face normals, and the cross
 * products of those pairs of edges whose arcs intersect on the Gauss map (Gregorius 2013); the
 * contact area is the incident face clipped at the sides of the reference face. Pairs with a
 * frustum, and capsules on polytopes, use the distance of their cores (Gilbert, Johnson, Keerthi
 * 1988) and, where the cores overlap, the expanding polytope (van den Bergen 2001); the manifold
 * then is that of the two support features across the normal.
 *
 * In double precision, by + - * / sqrt alone. Functions have no state: a hint of the last step is
 * passed as an argument.
 */
#ifndef MO_COLLIDE_CONVEX_H
#define MO_COLLIDE_CONVEX_H

#include "collide/manifold.h"
#include "geometry/hull/hull.h"
#include "geometry/motion/motion.h"
#include "geometry/shape/primitive.h"

typedef enum mo_convex_kind {
    MO_CONVEX_SPHERE,
    MO_CONVEX_BOX,
    MO_CONVEX_CAPSULE,
    MO_CONVEX_FRUSTUM,
    MO_CONVEX_HULL,
    MO_CONVEX_KINDS,
    MO_CONVEX_TRIANGLE = MO_CONVEX_KINDS /* of a mesh: two-sided, without volume */
} mo_convex_kind;

/* In the frame of a body: a point X of the shape's frame is at center + axes X. */
typedef struct mo_convex {
    mo_convex_kind kind;
    mo_vec3 center;
    mo_mat3 axes;
    mo_vec3 half;          /* see mo_primitive */
    double radius[2];      /* see mo_primitive */
    const mo_hull *hull;   /* its vertices are relative to `center` */
    const mo_vec3 *corner; /* three of a triangle, relative to `center` */
    double reach;          /* radius of the sphere about `center` around it */
    double inner;          /* radius of a sphere about `center` within it */
} mo_convex;

mo_convex mo_convex_of_primitive(const mo_primitive *primitive);
mo_convex mo_convex_of_hull(const mo_hull *hull);

/* A triangle; `corner` is made relative to its centre, and must outlive it. */
mo_convex mo_convex_of_triangle(mo_vec3 corner[3]);

/* A shape at the pose of its body: a point X of the shape's frame is at p + R X. */
typedef struct mo_posed {
    const mo_convex *shape;
    mo_mat3 R;
    mo_vec3 p;
} mo_posed;

mo_posed mo_convex_at(const mo_convex *shape, const mo_pose *body);

/* The point farthest along a direction, which need not have length 1. */
mo_vec3 mo_convex_support(const mo_posed *posed, mo_vec3 direction);

/* The smallest axis-aligned box around it. */
void mo_convex_bounds(const mo_posed *posed, double low[3], double high[3]);

/* The manifold of two solids whose gap is at most `margin`; the number of its points. `axis` is
 * the hint of the last step, 0 without. hint.part is not set. */
int mo_convex_collide(const mo_posed *a, const mo_posed *b, double margin, uint32_t axis,
                      mo_manifold *manifold);

/* The distance of two solids, negative (the depth of penetration) if they overlap, the nearest
 * points, and the unit normal from b to a. */
typedef struct mo_convex_near {
    double distance;
    mo_vec3 point[2], normal;
} mo_convex_near;
mo_convex_near mo_convex_distance(const mo_posed *a, const mo_posed *b);

/* The pose of a body with constant velocities after a time. */
mo_pose mo_pose_after(const mo_pose *pose, double time);

/* The time of impact: the first within h at which two moving solids are at most `target` apart,
 * found by conservative advancement; infinite if there is none. A search that has not converged
 * ends before the impact. */
double mo_convex_impact(const mo_convex *a, const mo_pose *pose_a, const mo_convex *b,
                        const mo_pose *pose_b, double h, double target);

#endif
