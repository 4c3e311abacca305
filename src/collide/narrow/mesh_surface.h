/*
 * Concave surfaces: triangles found in the tree of the mesh's signed distance, without contacts at
 * internal edges.
 *
 * A sphere that rolls over a floor of triangles is nearest to an edge of the next triangle, and the
 * direction from there would stop it (a ghost contact). A triangle only accepts normals within its
 * Voronoi region: at a convex edge those between its normal and its neighbour's; at a flat or
 * concave edge its own. Other directions are replaced by its normal, and its contact area is the
 * part of the other shape above it.
 */
#ifndef MO_COLLIDE_MESH_SURFACE_H
#define MO_COLLIDE_MESH_SURFACE_H

#include "collide/narrow/manifolds.h"
#include "geometry/trimesh/distance.h"

/* Of a body, in its frame. */
typedef struct mo_mesh_surface {
    mo_trimesh_distance tree;
    int64_t points; /* its vertices, and points along its edges, for contact with another mesh */
    mo_vec3 *point;
    double reach; /* of the farthest vertex from the body's origin */
} mo_mesh_surface;

mote_status mo_mesh_surface_make(const mo_trimesh *mesh, const char *name, mo_arena *arena,
                                 mo_mesh_surface *surface, mote_error *error);

/* A surface with its pose. */
typedef struct mo_mesh_side {
    const mo_trimesh_distance *tree;
    const mo_pose *pose;
    bool inside; /* a container: the inner side of the triangles */
} mo_mesh_side;

/* Points of contact of a convex part, up to the margin, with normals from the mesh to it. */
void mo_mesh_contact(const mo_posed *part, const mo_mesh_side *mesh, double margin,
                     mo_scatter *scatter);

/* The time of impact of a moving part (mo_convex_impact) with any triangle. */
double mo_mesh_impact(const mo_convex *part, const mo_pose *pose, const mo_mesh_side *mesh,
                      double h, double target);

/* Points of one mesh within the signed distance of another, with normals towards the first. */
void mo_narrow_mesh_points(const mo_mesh_surface *points, const mo_pose *pose,
                           const mo_mesh_side *mesh, double margin, mo_scatter *scatter);

#endif
