/* The nearest points of edges and triangles, as barycentric coordinates. */
#ifndef MO_GEOMETRY_SIMPLEX_NEAREST_H
#define MO_GEOMETRY_SIMPLEX_NEAREST_H

#include "math/vec3.h"

/* The barycentric coordinate of b in the nearest point of the edge from a to b. */
static inline double mo_edge_nearest_weight(mo_vec3 a, mo_vec3 b, mo_vec3 p)
{
    mo_vec3 edge = mo_sub(b, a);
    double square = mo_dot(edge, edge);
    return square > 0 ? fmin(fmax(mo_dot(mo_sub(p, a), edge) / square, 0), 1) : 0;
}

/* The barycentric coordinates of the point of a triangle nearest to p: of its projection onto the
 * plane if that lies inside, else of the nearest edge. */
static inline void mo_triangle_nearest_weights(const mo_vec3 corner[3], mo_vec3 p, double weight[3])
{
    mo_vec3 a = mo_sub(corner[1], corner[0]), b = mo_sub(corner[2], corner[0]),
            d = mo_sub(p, corner[0]);
    double aa = mo_dot(a, a), ab = mo_dot(a, b), bb = mo_dot(b, b), da = mo_dot(d, a),
           db = mo_dot(d, b);
    double det = aa * bb - ab * ab, u = bb * da - ab * db, v = aa * db - ab * da,
           best = (double)INFINITY;
    if (det > 1e-14 * aa * bb && u >= 0 && v >= 0 && u + v <= det) {
        weight[1] = u / det;
        weight[2] = v / det;
        weight[0] = 1 - weight[1] - weight[2];
        return;
    }
    weight[0] = 1; /* where nothing compares: a NaN */
    weight[1] = weight[2] = 0;
    for (int e = 0; e < 3; ++e) {
        int from = e, to = (e + 1) % 3;
        double t = mo_edge_nearest_weight(corner[from], corner[to], p);
        mo_vec3 c = mo_add_scaled(mo_scale(1 - t, corner[from]), t, corner[to]), r = mo_sub(p, c);
        if (mo_dot(r, r) < best) {
            best = mo_dot(r, r);
            weight[0] = weight[1] = weight[2] = 0;
            weight[from] = 1 - t;
            weight[to] = t;
        }
    }
}

#endif
