/*
 * The lattice of isosurface stuffing: its points with their distances, and the cuts of its edges.
 * Used by stuffing.c only.
 */
#ifndef MO_GEOMETRY_MESH_STUFFING_LATTICE_H
#define MO_GEOMETRY_MESH_STUFFING_LATTICE_H

#include "geometry/mesh/stuffing.h"

enum { MO_STUFF_NEIGHBORS = 14 };

/* The intersection of an edge with the surface. */
typedef struct mo_cut {
    int64_t inside, outside; /* its ends */
    mo_vec3 at;
    double part; /* fraction of the edge, from the inside end */
} mo_cut;

/* Corners of nx ny nz cubes come first, then their centres. */
typedef struct mo_stuffing {
    mo_memory *memory;
    mo_distance_fn *distances;
    const void *context;
    mo_vec3 origin;
    double edge;  /* of a cube */
    int64_t n[3]; /* cubes */
    int64_t corners, points;
    double *depth;  /* of each point: positive inside, 0 on the surface; exact only near it */
    int32_t *moved; /* the cut that a point was moved to; -1: none */
    mo_cut *cuts;
    int64_t cut_count;
    int64_t *table; /* cut + 1 by its edge */
    uint64_t table_size;
} mo_stuffing;

mote_status mo_stuffing_make(mo_stuffing *s, mo_vec3 min, mo_vec3 max, mote_error *error);
void mo_stuffing_release(mo_stuffing *s);

/* The point's cube or corner indices along the axes; `center` distinguishes them. */
bool mo_stuffing_index(const mo_stuffing *s, int64_t point, int64_t at[3]);
int64_t mo_stuffing_corner(const mo_stuffing *s, int64_t i, int64_t j, int64_t k);
int64_t mo_stuffing_center(const mo_stuffing *s, int64_t i, int64_t j, int64_t k);
mo_vec3 mo_stuffing_position(const mo_stuffing *s, int64_t point); /* its lattice position */

/* The cut of the edge between two points; -1: none. */
int64_t mo_stuffing_cut(const mo_stuffing *s, int64_t a, int64_t b);

#endif
