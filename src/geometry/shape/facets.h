/*
 * Triangles that approximate the surface of a shape, for rendering and boundary particles. Curved
 * shapes are surfaces of revolution: a profile in the half plane (rho, z), rotated about an axis.
 */
#ifndef MO_GEOMETRY_SHAPE_FACETS_H
#define MO_GEOMETRY_SHAPE_FACETS_H

#include "geometry/trimesh/trimesh.h"
#include "math/vec3.h"

#define MO_PI 3.14159265358979323846

typedef struct mo_facets {
    mo_memory *memory;
    int64_t vertices, triangles;
    double *x;       /* three per vertex, with a padding row */
    int32_t *corner; /* three per triangle, counter-clockwise from outside */
    int64_t x_capacity, corner_capacity;
} mo_facets;

void mo_facets_init(mo_facets *facets, mo_memory *memory);
void mo_facets_release(mo_facets *facets);

/* Adds a vertex; vertices are numbered in the order of insertion. */
mote_status mo_facets_vertex(mo_facets *facets, mo_vec3 x, mote_error *error);
mote_status mo_facets_triangle(mo_facets *facets, int64_t a, int64_t b, int64_t c,
                               mote_error *error);

/* The same arrays as a mesh without normals; they are still owned by the facets. */
mo_trimesh mo_facets_mesh(const mo_facets *facets);

typedef struct mo_profile_point {
    double rho, z;
} mo_profile_point;

/* Steps along an arc of this angle and radius with edges of about `edge`; at least 32 per turn, so
 * that no edge is classified as a crease, and at most 65,536. */
int64_t mo_arc_steps(double radius, double angle, double edge);

/* Adds a surface of revolution. The profile runs upward along the outer side; points with rho =
 * 0 are poles. `closed`: its last point is connected to the first. */
mote_status mo_facets_revolve(mo_facets *facets, mo_vec3 origin, mo_vec3 axis,
                              const mo_profile_point *profile, int64_t count, bool closed,
                              int64_t segments, mote_error *error);

#endif
