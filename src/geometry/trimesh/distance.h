/*
 * The exact signed distance of a closed triangle mesh: negative inside.
 *
 * The nearest point is found in a bounding volume hierarchy of boxes, eight per node, tested at
 * once; leaves are single triangles. The sign is given by the pseudonormal of the nearest feature:
 * a triangle's normal, the sum of both normals at an edge, the sum weighted by angles at a vertex
 * (Baerentzen, Aanaes 2005, with proof).
 *
 * The proof needs a manifold without degenerate triangles. Degenerate ones are excluded from the
 * tree, and next to those, at edges with more than two triangles and at vertices where sheets meet,
 * the winding number decides, a sum over all triangles: slow, exact and rare. Where a surface
 * intersects itself, inside and outside are those of the nearest sheet.
 *
 * Boxes are stored as floats, which halves the memory traffic; distances to triangles use doubles.
 * The answer does not depend on the order of queries: of triangles at the same distance the lowest
 * index is used, and boxes are pruned with a margin for rounding.
 *
 * All arrays are in the arena that the tree was built in, and the tree does not change: queries are
 * thread-safe.
 */
#ifndef MO_GEOMETRY_TRIMESH_DISTANCE_H
#define MO_GEOMETRY_TRIMESH_DISTANCE_H

#include "geometry/trimesh/trimesh.h"
#include "math/vec3.h"

enum { MO_TREE_WIDTH = 8 };

typedef struct mo_tree_node {
    /* relative to the tree's centre, rounded outward */
    float low[3][MO_TREE_WIDTH], high[3][MO_TREE_WIDTH];
    int32_t child[MO_TREE_WIDTH]; /* a node, or ~(index of a triangle) */
    int32_t count;
} mo_tree_node;

/* The nearest feature of a triangle. */
enum { MO_NEAR_FACE = 0, MO_NEAR_EDGE = 1, MO_NEAR_VERTEX = 4, MO_NEAR_KINDS = 7 };

typedef struct mo_tree_triangle {
    mo_vec3 a, ab, ac;
} mo_tree_triangle;

typedef struct mo_trimesh_distance {
    mo_vec3 low, high, middle; /* bounds, and the origin of the boxes */
    double size;               /* half their diagonal */
    int64_t nodes, triangles;
    mo_tree_node *node;               /* the first is the root */
    mo_tree_triangle *triangle;       /* as in the mesh */
    mo_vec3 (*normal)[MO_NEAR_KINDS]; /* face, three edges from corner k to k + 1, three vertices */
    uint8_t *doubtful;                /* bit k: the normal of kind k is unreliable */
} mo_trimesh_distance;

/* Fails if the mesh is not closed (mo_trimesh_check with MO_TRIMESH_HARMLESS allowed) unless
 * `open`, for unsigned distances. `name` is for messages. The mesh may be released afterwards. */
mote_status mo_trimesh_distance_build(const mo_trimesh *mesh, const char *name, bool open,
                                      mo_arena *arena, mo_trimesh_distance *tree,
                                      mote_error *error);

typedef struct mo_trimesh_near {
    int64_t triangle; /* the nearest; of several the lowest */
    int kind;         /* feature, MO_NEAR_... */
    mo_vec3 point;    /* its nearest point */
    double square;    /* of the distance */
} mo_trimesh_near;

/* The nearest point of the surface. `hint` is a nearby triangle (the last answer), or -1; it
 * affects the time, not the answer. */
mo_trimesh_near mo_trimesh_nearest(const mo_trimesh_distance *tree, mo_vec3 x, int64_t hint);

/* The signed distance, and its gradient (may be NULL). */
double mo_trimesh_signed(const mo_trimesh_distance *tree, mo_vec3 x, const mo_trimesh_near *near,
                         mo_vec3 *normal);

/* Signed distances and normals (may be NULL) of many points. */
void mo_trimesh_distances(const mo_trimesh_distance *tree, int64_t count, const double *points,
                          double *distance, double *normal);

/* The winding number: 1 inside, 0 outside of a simple closed surface. */
double mo_trimesh_winding(const mo_trimesh_distance *tree, mo_vec3 x);

/* The nearest point of one triangle, and its feature. */
mo_vec3 mo_triangle_nearest(const mo_tree_triangle *t, mo_vec3 x, int *kind);

#endif
