/*
 * What can be wrong with a surface that is to bound a solid, found and named.
 *
 * A surface is closed if every edge is run as often one way as the other: only then is there an
 * inside. That is the one thing nobody can do without. The rest is asked for by some: that two
 * triangles meet at every edge and one ring of them at every vertex (a manifold), that each has an
 * area, that the outside is outside.
 */
#ifndef MO_GEOMETRY_TRIMESH_CHECK_H
#define MO_GEOMETRY_TRIMESH_CHECK_H

#include "geometry/trimesh/trimesh.h"

typedef enum mo_trimesh_fault {
    MO_TRIMESH_RANGE = 1 << 0, /* a corner names a point that is not there */
    /* a coordinate is not finite, or so large that its square is not */
    MO_TRIMESH_FINITE = 1 << 1,
    MO_TRIMESH_REPEATED = 1 << 2, /* two corners of a triangle are one point */
    MO_TRIMESH_OPEN = 1 << 3,     /* an edge has a triangle on one side only */
    /* neighbours run their edge the same way: one of them is turned over */
    MO_TRIMESH_DIRECTION = 1 << 4,
    MO_TRIMESH_FLAT = 1 << 5,       /* a triangle has no area */
    MO_TRIMESH_CROWDED = 1 << 6,    /* more than two triangles at an edge */
    MO_TRIMESH_PINCHED = 1 << 7,    /* sheets touch in a vertex */
    MO_TRIMESH_INSIDE_OUT = 1 << 8, /* the volume is negative */
} mo_trimesh_fault;

/* What a signed distance bears, see trimesh_distance.h. */
enum {
    MO_TRIMESH_HARMLESS =
        MO_TRIMESH_REPEATED | MO_TRIMESH_FLAT | MO_TRIMESH_CROWDED | MO_TRIMESH_PINCHED
};

/* Fails with the first fault that is not in `allowed`, in words that name `name` (a file, say), the
 * triangle or edge with its place (numbers from 0), how many there are, and the remedy. */
mote_status mo_trimesh_check(const mo_trimesh *mesh, const char *name, unsigned allowed,
                             mote_error *error);

/* How many triangles run an edge from a to b, and from b to a. */
typedef struct mo_edge_use {
    int32_t forward, backward;
    int32_t twin; /* a corner at which a triangle runs from b to a; -1: none */
} mo_edge_use;
mo_edge_use mo_trimesh_edge(const mo_trimesh *mesh, const mo_fans *fans, int32_t a, int32_t b);

/* Whether a triangle is as good as a line: its height below 1e-10 of its longest side. */
bool mo_trimesh_is_flat(const mo_trimesh *mesh, int64_t triangle);

/* The volume within, of a closed surface. */
double mo_trimesh_volume(const mo_trimesh *mesh);

#endif
