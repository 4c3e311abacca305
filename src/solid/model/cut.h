/* Plane sections of elements: where a plane cuts them, and the forces that they transmit there. */
#ifndef MO_SOLID_MODEL_CUT_H
#define MO_SOLID_MODEL_CUT_H

#include "math/vec3.h"

#include <stdbool.h>

/* `add` receives for each element that is cut the area of its section, 0 of edges and triangles
 * without a thickness, and the force [N] of the part on the side of the normal on the other one. */
typedef struct mo_cut {
    mo_vec3 point, normal; /* a unit vector */
    void (*add)(void *context, double area, mo_vec3 force);
    void *context;
} mo_cut;

/* The area of the section of a tetrahedron; 0: it is not cut. A node in the plane belongs to the
 * side of the normal. */
double mo_cut_area(const mo_cut *cut, const mo_vec3 x[4]);

/* The length of the section of a triangle, and the unit vector in its plane that is normal to it,
 * towards the side of the normal. */
double mo_cut_length(const mo_cut *cut, const mo_vec3 x[3], mo_vec3 *across);

/* Whether an edge is cut, and its direction towards the side of the normal. */
bool mo_cut_edge(const mo_cut *cut, const mo_vec3 x[2], mo_vec3 *along);

#endif
