/*
 * Nearest points of a vertex and a triangle, and of two edges, and their continuous collision.
 *
 * A pair has four nodes: the vertex and the corners of the triangle, or the ends of the first and
 * of the second edge. Its difference vector is sum weight_i x_i, from the second feature to the
 * first; weights are +-(barycentric coordinates).
 *
 * Collision times are found by additive advancement (M. Li, D. M. Kaufman, C. Jiang 2021, ACM
 * Trans. Graph. 40(4), 170, section 5): a pair at distance d, whose nodes move by at most l_0 and
 * l_1 relative to any common translation, is apart for d/(l_0 + l_1) of the step. Distances only,
 * hence no degenerate cases (coplanar, parallel, collinear) and no roots of cubics: a result is
 * early, never late.
 */
#ifndef MO_GEOMETRY_SIMPLEX_PROXIMITY_H
#define MO_GEOMETRY_SIMPLEX_PROXIMITY_H

#include "math/vec3.h"

typedef enum mo_pair_kind { MO_VERTEX_TRIANGLE, MO_EDGE_EDGE } mo_pair_kind;

typedef struct mo_proximity {
    double distance;
    double weight[4];
    mo_vec3 normal; /* unit vector along the difference; 0 where the distance is 0 */
} mo_proximity;

mo_proximity mo_proximity_of(mo_pair_kind kind, const mo_vec3 x[4]);

/* The fraction of the displacements d, from 0 to 1, for which the pair at x stays farther apart
 * than `separation`: 1, or the time at which the difference of the two has decreased to a fifth.
 * Pairs that are not farther apart at the start give 0, unless they do not move relative to each
 * other. */
double mo_proximity_advance(mo_pair_kind kind, const mo_vec3 x[4], const mo_vec3 d[4],
                            double separation);

#endif
