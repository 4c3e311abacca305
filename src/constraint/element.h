/* Rest shapes of triangles and tetrahedra of a mesh, for constraints. */
#ifndef MO_CONSTRAINT_ELEMENT_H
#define MO_CONSTRAINT_ELEMENT_H

#include "geometry/mesh/mesh.h"
#include "math/mat3.h"

static inline mo_vec3 mo_mesh_node(const mo_mesh *mesh, int32_t node)
{
    return mo_vec3_load(mesh->nodes + 3 * (int64_t)node);
}

static inline double mo_triangle_area(const mo_mesh *mesh, const int32_t node[3])
{
    mo_vec3 a = mo_mesh_node(mesh, node[0]);
    return 0.5 * mo_length(mo_cross(mo_sub(mo_mesh_node(mesh, node[1]), a),
                                    mo_sub(mo_mesh_node(mesh, node[2]), a)));
}

static inline double mo_tetrahedron_volume(const mo_mesh *mesh, const int32_t node[4])
{
    mo_vec3 a = mo_mesh_node(mesh, node[0]);
    return mo_dot(mo_cross(mo_sub(mo_mesh_node(mesh, node[1]), a),
                           mo_sub(mo_mesh_node(mesh, node[2]), a)),
                  mo_sub(mo_mesh_node(mesh, node[3]), a)) /
           6;
}

/* The inverse of the matrix of rest edges, Dm^-1: shape[3 k + i] is the derivative of the shape
 * function of node k + 1 along material axis i. Of a triangle: 3 x 2 numbers, in the frame of
 * `along` (projected onto its plane) and the normal to it. Returns the volume or area; 0: the
 * element is degenerate. */
double mo_rest_tetrahedron(const mo_mesh *mesh, const int32_t node[4], double shape[9]);
double mo_rest_triangle(const mo_mesh *mesh, const int32_t node[3], mo_vec3 along, double shape[4]);

#endif
