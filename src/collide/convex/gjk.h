/*
 * Distance of convex sets by their support points (Gilbert, Johnson, Keerthi 1988), and depth of
 * overlap by the expanding polytope (van den Bergen 2001), both on the Minkowski difference
 * A - B of the cores.
 *
 * The core of a sphere is its centre, that of a capsule its segment, that of any other shape the
 * shape itself; shallow contact of round shapes never needs the expanding polytope.
 */
#ifndef MO_COLLIDE_GJK_H
#define MO_COLLIDE_GJK_H

#include "collide/convex/convex.h"

typedef struct mo_simplex_vertex {
    mo_vec3 w, a, b; /* w = a - b */
} mo_simplex_vertex;

typedef struct mo_simplex {
    int count;
    mo_simplex_vertex v[4];
    double weight[4]; /* of the point nearest to the origin */
} mo_simplex;

double mo_core_radius(const mo_convex *shape);
mo_vec3 mo_core_support(const mo_posed *posed, mo_vec3 direction);

/* The distance of the cores; false if they overlap, or touch within rounding: then `near` is not
 * set. */
bool mo_gjk(const mo_posed *a, const mo_posed *b, mo_simplex *simplex, mo_convex_near *near);

/* The depth of overlapping cores, as a negative distance; from the simplex where mo_gjk ended. It
 * may be slightly positive for cores that touch. */
void mo_epa(const mo_posed *a, const mo_posed *b, const mo_simplex *simplex, mo_convex_near *near);

/* A support point of the difference. */
mo_simplex_vertex mo_difference_support(const mo_posed *a, const mo_posed *b, mo_vec3 direction);

#endif
