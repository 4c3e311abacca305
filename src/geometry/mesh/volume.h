/*
 * Data derived from the tetrahedra of a mesh or the triangles of a surface: edges, outer faces,
 * nodal shares.
 *
 * Edges and faces are found by bucketing under the lowest node and sorting. The order depends on
 * the elements alone.
 */
#ifndef MO_GEOMETRY_MESH_VOLUME_H
#define MO_GEOMETRY_MESH_VOLUME_H

#include "geometry/mesh/mesh.h"

/* The faces of a tetrahedron, counter-clockwise from outside; face k is opposite to corner k. */
extern const uint8_t mo_tetrahedron_face[4][3];

static inline double mo_tetrahedron_volume(mo_vec3 a, mo_vec3 b, mo_vec3 c, mo_vec3 d)
{
    return mo_dot(mo_cross(mo_sub(b, a), mo_sub(c, a)), mo_sub(d, a)) / 6;
}

static inline double mo_mesh_triangle_area(const mo_mesh *mesh, const int32_t *triangle)
{
    mo_vec3 a = mo_vec3_load(mesh->nodes + 3 * (int64_t)triangle[0]);
    mo_vec3 u = mo_sub(mo_vec3_load(mesh->nodes + 3 * (int64_t)triangle[1]), a);
    mo_vec3 v = mo_sub(mo_vec3_load(mesh->nodes + 3 * (int64_t)triangle[2]), a);
    return 0.5 * mo_length(mo_cross(u, v));
}

static inline double mo_mesh_volume(const mo_mesh *mesh, int64_t tetrahedron)
{
    const int32_t *t = mesh->tetrahedra + 4 * tetrahedron;
    return mo_tetrahedron_volume(mo_vec3_load(mesh->nodes + 3 * (int64_t)t[0]),
                                 mo_vec3_load(mesh->nodes + 3 * (int64_t)t[1]),
                                 mo_vec3_load(mesh->nodes + 3 * (int64_t)t[2]),
                                 mo_vec3_load(mesh->nodes + 3 * (int64_t)t[3]));
}

/* Adds a tetrahedron, reoriented if it is inverted. */
mote_status mo_mesh_add_tetrahedron_oriented(mo_mesh *mesh, int64_t a, int64_t b, int64_t c,
                                             int64_t d, mote_error *error);

/* Adds every edge of the tetrahedra, or of the triangles if there are none, once. */
mote_status mo_mesh_find_edges(mo_mesh *mesh, mote_error *error);

/* Adds the faces of exactly one tetrahedron to the triangles. A face of three tetrahedra is an
 * error that names them, by their `names` if there are any. */
mote_status mo_mesh_find_faces(mo_mesh *mesh, const int64_t *names, mote_error *error);

/* Shares: a quarter of each tetrahedron, or a third of each triangle if there are none. */
void mo_mesh_lump(mo_mesh *mesh);

/* For a mesh with nodes and triangles (or tetrahedra and outer faces): computes edges, shares,
 * and the spacing, if it is 0, as the mean edge length. */
mote_status mo_mesh_finish_edges(mo_mesh *mesh, mote_error *error);

/* The same for a mesh with nodes and tetrahedra: also outer faces. */
mote_status mo_mesh_finish_volume(mo_mesh *mesh, mote_error *error);

/* The set "surface", the nodes of the triangles, unless there is one; and "all". */
mote_status mo_mesh_add_default_sets(mo_mesh *mesh, mote_error *error);

#endif
