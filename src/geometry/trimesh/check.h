/*
 * Validation of a surface that bounds a solid.
 *
 * A surface is closed if every edge is traversed equally often in both directions: only then is the
 * inside defined. Optional requirements: a manifold (two triangles at every edge, one ring at every
 * vertex), no degenerate triangles, outward orientation.
 */
#ifndef MO_GEOMETRY_TRIMESH_CHECK_H
#define MO_GEOMETRY_TRIMESH_CHECK_H

#include "geometry/trimesh/trimesh.h"

typedef enum mo_trimesh_fault {
    MO_TRIMESH_RANGE = 1 << 0, /* a corner refers to a missing point */
    /* a coordinate is not finite, or so large that its square is not */
    MO_TRIMESH_FINITE = 1 << 1,
    MO_TRIMESH_REPEATED = 1 << 2, /* two corners of a triangle coincide */
    MO_TRIMESH_OPEN = 1 << 3,     /* an edge has a triangle on one side only */
    /* neighbours traverse their edge in the same direction: one of them is reversed */
    MO_TRIMESH_DIRECTION = 1 << 4,
    MO_TRIMESH_FLAT = 1 << 5,             /* a triangle has no area */
    MO_TRIMESH_NONMANIFOLD_EDGE = 1 << 6, /* more than two triangles at an edge */
    MO_TRIMESH_PINCHED = 1 << 7,          /* sheets meet in a vertex */
    MO_TRIMESH_INSIDE_OUT = 1 << 8,       /* the volume is negative */
} mo_trimesh_fault;

/* Faults tolerated by a signed distance, see distance.h. */
enum {
    MO_TRIMESH_HARMLESS =
        MO_TRIMESH_REPEATED | MO_TRIMESH_FLAT | MO_TRIMESH_NONMANIFOLD_EDGE | MO_TRIMESH_PINCHED
};

/* Fails with the first fault that is not in `allowed`, in a message with `name` (such as a file),
 * the triangle or edge and its position (indices from 0), the count and the remedy. */
mote_status mo_trimesh_check(const mo_trimesh *mesh, const char *name, unsigned allowed,
                             mote_error *error);

/* Number of triangles that traverse an edge from a to b, and from b to a. */
typedef struct mo_edge_use {
    int32_t forward, backward;
    int32_t twin; /* a corner where a triangle traverses from b to a; -1: none */
} mo_edge_use;
mo_edge_use mo_trimesh_edge(const mo_trimesh *mesh, const mo_fans *fans, int32_t a, int32_t b);

/* Whether a triangle is degenerate: its height is below 1e-10 of its longest side. */
bool mo_trimesh_is_flat(const mo_trimesh *mesh, int64_t triangle);

/* The enclosed volume of a closed surface. */
double mo_trimesh_volume(const mo_trimesh *mesh);

#endif
