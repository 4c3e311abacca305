/*
 * Boolean combinations of shapes (constructive solid geometry). With signs s_k and o, each of them
 * is
 *     D = o max_k s_k d_k:    union s = o = -1,  intersection s = o = 1,  difference s = 1, -1, -1
 * The sign of D and its zero set are exact, and |D| never exceeds the distance (J. C. Hart 1996,
 * Vis. Comput. 12, 527): a union is exact outside, an intersection inside, and elsewhere D
 * underestimates the distance near edges where surfaces of two shapes meet, by a factor of up to
 * sqrt(2) at a right angle. Offsets of such edges are sharp instead of round.
 */
#ifndef MO_GEOMETRY_SHAPE_CSG_H
#define MO_GEOMETRY_SHAPE_CSG_H

#include "geometry/shape/shape.h"

typedef struct mo_csg {
    int64_t count;
    const mo_method *shapes;
    double sign, other_sign; /* of the first shape and of all others */
    double outer;            /* o */
} mo_csg;

void mo_csg_distances(const mo_csg *csg, int64_t count, const double *points, double *distance,
                      double *normal);

/* The union of these shapes, which must stay where they are. */
mo_method mo_csg_union(const mo_list *shapes);

/* See mo_shape_type. */
int mo_csg_intervals(const mo_csg *csg, mo_vec3 from, mo_vec3 direction, mo_interval *list);

/* The parts of each surface in the result, clipped along the intersection curves. */
mote_status mo_csg_facets(const mo_csg *csg, const mo_shape_region *region,
                          struct mo_facets *facets, mote_error *error);

#endif
