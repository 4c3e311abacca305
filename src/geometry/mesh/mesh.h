/*
 * Meshes: nodes, edges, triangles and tetrahedra of a body in its rest shape, for all models.
 *
 * A mesh also has named node sets ("u0", "start", "all") for pins, each node's share of the length,
 * area or volume for lumped masses, and the distance between neighbours.
 *
 * A tetrahedron a b c d is positively oriented if (b - a) x (c - a) . (d - a) > 0: seen from d, a b
 * c run counter-clockwise. The triangles of a mesh with tetrahedra are its outer faces,
 * counter-clockwise from outside, and its edges are those of the tetrahedra, each once. Generators
 * add nodes and tetrahedra and call mo_mesh_finish_volume (volume.h), which computes the rest; the
 * exception is a block without tetrahedra, a lattice of springs with a surface.
 */
#ifndef MO_GEOMETRY_MESH_H
#define MO_GEOMETRY_MESH_H

#include "base/memory.h"
#include "base/param.h"
#include "geometry/trimesh/trimesh.h"
#include "math/vec3.h"

/* Kinds of edges; models may give each kind its own stiffness. */
typedef enum mo_edge_kind {
    MO_EDGE_STRETCH,
    MO_EDGE_SHEAR,
    MO_EDGE_BEND,
    MO_EDGE_KINDS
} mo_edge_kind;

typedef struct mo_node_set {
    char name[48]; /* longer names are truncated, and still found */
    int64_t count, capacity;
    int32_t *nodes;
} mo_node_set;

enum { MO_NODE_SETS_MAX = 32 };

typedef struct mo_mesh {
    mo_memory *memory;
    int64_t node_count, edge_count, triangle_count, tetrahedron_count;
    int64_t node_capacity, share_capacity, edge_capacity, kind_capacity, triangle_capacity,
        tetrahedron_capacity;
    double *nodes;       /* x y z */
    double *shares;      /* of the mesh's length, area or volume; 1 for single points */
    int32_t *edges;      /* pairs of nodes */
    uint8_t *edge_kind;  /* mo_edge_kind */
    int32_t *triangles;  /* triples of nodes */
    int32_t *tetrahedra; /* four nodes each */
    int dimension;       /* 0 points, 1 lines, 2 surfaces, 3 volumes */
    double spacing;      /* typical distance between neighbours; 0 if there is none */
    mo_trimesh skin;     /* the surface that was filled, to be embedded in the tetrahedra; empty:
                          * none */
    int set_count;
    mo_node_set sets[MO_NODE_SETS_MAX];
} mo_mesh;

void mo_mesh_release(mo_mesh *mesh);

/* For generators. Nodes are numbered in the order they are added. */
mote_status mo_mesh_reserve(mo_mesh *mesh, int64_t nodes, int64_t edges, int64_t triangles,
                            mote_error *error);
mote_status mo_mesh_add_node(mo_mesh *mesh, mo_vec3 x, double share, mote_error *error);
mote_status mo_mesh_add_edge(mo_mesh *mesh, int64_t a, int64_t b, mo_edge_kind kind,
                             mote_error *error);
mote_status mo_mesh_add_triangle(mo_mesh *mesh, int64_t a, int64_t b, int64_t c, mote_error *error);
mote_status mo_mesh_reserve_tetrahedra(mo_mesh *mesh, int64_t tetrahedra, mote_error *error);
mote_status mo_mesh_add_tetrahedron(mo_mesh *mesh, int64_t a, int64_t b, int64_t c, int64_t d,
                                    mote_error *error);
mote_status mo_mesh_add_to_set(mo_mesh *mesh, const char *name, int64_t node, mote_error *error);
const mo_node_set *mo_mesh_set(const mo_mesh *mesh, const char *name);

/* Generators count nodes in 64 bits; row indices are 32-bit. */
mote_status mo_mesh_check_size(const char *what, double nodes, mote_error *error);

#endif
