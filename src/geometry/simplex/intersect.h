/* Intersection tests of primitives: points, edges, triangles and tetrahedra against each other,
 * against rays and moving spheres. */
#ifndef MO_GEOMETRY_SIMPLEX_INTERSECT_H
#define MO_GEOMETRY_SIMPLEX_INTERSECT_H

#include "geometry/bound/bound.h"
#include "geometry/simplex/simplices.h"

/* Do two simplices of 1 to 4 corners have a point in common? By separating axes: the axes of the
 * coordinates, face normals, cross products of edges, and for coplanar, collinear and degenerate
 * ones the normals of edges within faces and the edges themselves. Simplices that touch, to the
 * rounding of a coordinate, intersect. The answer does not depend on the order of the two, nor on
 * that of the corners up to rounding. */
bool mo_simplices_intersect(const mo_vec3 *a, int corners_a, const mo_vec3 *b, int corners_b);

static inline bool mo_triangles_intersect(const mo_vec3 a[3], const mo_vec3 b[3])
{
    return mo_simplices_intersect(a, 3, b, 3);
}

/* Does a simplex have a point in common with a (bounded) box? By the separating axes of both (T.
 * Akenine-Moeller 2001, J. Graphics Tools 6, 29, for triangles). */
bool mo_simplex_meets_box(const mo_vec3 *p, int corners, const mo_box *box);

/* Two sets, whose primitives are compared: the context of mo_simplices_test, a mo_pair_test. Pairs
 * that share a corner are adjacent, not intersecting, if `apart` (both sets are the same mesh). */
typedef struct mo_simplices_pair {
    const mo_simplices *a, *b;
    bool apart;
} mo_simplices_pair;
bool mo_simplices_test(const void *sets, int32_t a, int32_t b);

/* Barycentric coordinates in a tetrahedron, w[0] = 1 - w[1] - w[2] - w[3]; false if it has no
 * volume. */
bool mo_tetrahedron_weights(const mo_vec3 corner[4], mo_vec3 x, double w[4]);

/* Is x in the closed tetrahedron? Its faces count as inside, also those of an inverted one. */
static inline bool mo_tetrahedron_contains(const double w[4])
{
    return w[0] >= 0 && w[1] >= 0 && w[2] >= 0 && w[3] >= 0;
}

/* The s at which a ray meets a triangle (T. Moeller, B. Trumbore 1997, J. Graphics Tools 2, 21);
 * infinity: not before ray->end. From both sides. w: barycentric coordinates there. */
double mo_ray_triangle(const mo_ray *ray, const mo_vec3 corner[3], double w[3]);

/* The s at which a moving sphere first touches a triangle: 0 if it does so at the start. */
double mo_sphere_cast_triangle(const mo_ray *ray, const mo_vec3 corner[3]);

#endif
