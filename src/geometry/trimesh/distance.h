/*
 * The exact signed distance of a closed triangle mesh: negative inside.
 *
 * The nearest point comes from a tree of boxes, eight to a node, whose distances are taken at once;
 * at the leaves stand single triangles. Whether the point is inside is told by the pseudonormal of
 * what is nearest: a triangle's normal, the sum of both normals at an edge, the sum weighted by
 * angles at a vertex (Baerentzen, Aanaes 2005, who prove that its side is the side of the surface).
 *
 * The proof needs a manifold without flat triangles. Flat ones are left out of the tree (their
 * points belong to their neighbours too), and next to those, at edges with more than two triangles
 * and at vertices where sheets touch, the winding number decides, a sum over all triangles: slow,
 * exact and rare. Where a surface intersects itself, inside and outside are those of the nearest
 * sheet.
 *
 * Boxes are kept as floats, which halves what has to be fetched; distances to triangles are taken
 * in doubles. The answer does not depend on the order of questions: among the triangles at the same
 * distance the one of the lowest number counts, and no box is passed over unless it is farther by
 * more than what rounding can do.
 *
 * All arrays are in the arena that the tree was built in, and the tree does not change: any number
 * of threads may ask.
 */
#ifndef MO_GEOMETRY_TRIMESH_DISTANCE_H
#define MO_GEOMETRY_TRIMESH_DISTANCE_H

#include "geometry/trimesh/trimesh.h"
#include "math/vec3.h"

enum { MO_TREE_WIDTH = 8 };

typedef struct mo_tree_node {
    /* from the tree's middle, rounded outward */
    float low[3][MO_TREE_WIDTH], high[3][MO_TREE_WIDTH];
    int32_t child[MO_TREE_WIDTH]; /* a node, or ~(number of a triangle) */
    int32_t count;
} mo_tree_node;

/* What of a triangle is nearest. */
enum { MO_NEAR_FACE = 0, MO_NEAR_EDGE = 1, MO_NEAR_VERTEX = 4, MO_NEAR_KINDS = 7 };

typedef struct mo_tree_triangle {
    mo_vec3 a, ab, ac;
} mo_tree_triangle;

typedef struct mo_trimesh_distance {
    mo_vec3 low, high, middle; /* bounds, and what boxes are relative to */
    double size;               /* half their diagonal */
    int64_t nodes, triangles;
    mo_tree_node *node;               /* the first is the root */
    mo_tree_triangle *triangle;       /* as in the mesh */
    mo_vec3 (*normal)[MO_NEAR_KINDS]; /* face, three edges from corner k to k + 1, three vertices */
    uint8_t *doubtful;                /* bit k: the normal of kind k may be wrong */
} mo_trimesh_distance;

/* Fails if the mesh is not closed (mo_trimesh_check with MO_TRIMESH_HARMLESS allowed) unless `open`
 * says that signs do not matter. `name` is for messages. The mesh is not needed afterwards. */
mote_status mo_trimesh_distance_build(const mo_trimesh *mesh, const char *name, bool open,
                                      mo_arena *arena, mo_trimesh_distance *tree,
                                      mote_error *error);

typedef struct mo_trimesh_near {
    int64_t triangle; /* the nearest; of several the lowest */
    int kind;         /* what of it, MO_NEAR_... */
    mo_vec3 point;    /* its nearest point */
    double square;    /* of the distance */
} mo_trimesh_near;

/* The nearest point of the surface. `hint` is a triangle that is likely near (the last answer), or
 * -1; it changes the time, not the answer. */
mo_trimesh_near mo_trimesh_nearest(const mo_trimesh_distance *tree, mo_vec3 x, int64_t hint);

/* The signed distance, and the unit vector along which it grows (may be NULL). */
double mo_trimesh_signed(const mo_trimesh_distance *tree, mo_vec3 x, const mo_trimesh_near *near,
                         mo_vec3 *normal);

/* Signed distances and normals (may be NULL) of many points. */
void mo_trimesh_distances(const mo_trimesh_distance *tree, int64_t count, const double *points,
                          double *distance, double *normal);

/* How often the surface winds around a place: 1 inside, 0 outside of a simple closed surface. */
double mo_trimesh_winding(const mo_trimesh_distance *tree, mo_vec3 x);

/* The nearest point of one triangle, and what of it that is. */
mo_vec3 mo_triangle_nearest(const mo_tree_triangle *t, mo_vec3 x, int *kind);

#endif
