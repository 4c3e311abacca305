/*
 * Squared distances of edges, and of vertices and triangles, eight at a time, in single precision
 * and without branches.
 *
 * Those of edges are the least of the values at the ends and at the interior extremum of
 *     |r + s a - t b|^2,      r from the start of the second to that of the first,
 * those of a vertex and a triangle the least of the three edges' and of the projection onto the
 * plane, if that lies inside. Of nearly parallel edges (a sine below 0.01) and of slender triangles
 * there is no interior extremum; the ends are then at most 0.01 edges farther.
 * MO_FEATURE_MARGIN covers that and rounding.
 */
#ifndef MO_SYSTEM_CONSTRAINTS_FEATURE_DISTANCE_H
#define MO_SYSTEM_CONSTRAINTS_FEATURE_DISTANCE_H

#include "math/wide.h"

#define MO_FEATURE_MARGIN 0.02f /* of the longest edge */
#define MO_FEATURE_FLAT 1e-4f   /* squared sine */

typedef struct mo_feature_distance {
    mo_f8 square, longest; /* squared distance, and squared length of the longest edge */
} mo_feature_distance;

MO_INLINE mo_f8 mo_f8_dot3(const mo_f8 a[3], const mo_f8 b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

MO_INLINE mo_f8 mo_f8_inverse(mo_f8 square)
{
    return 1 / mo_f8_max(square, mo_f8_set(1e-30f));
}

/* The least of |r|^2 - 2 t (r . e) + t^2 |e|^2 for t from 0 to 1: re = r . e, inverse = 1/|e|^2. */
MO_INLINE mo_f8 mo_f8_to_edge(mo_f8 rr, mo_f8 re, mo_f8 ee, mo_f8 inverse)
{
    mo_f8 t = mo_f8_min(mo_f8_max(re * inverse, mo_f8_set(0)), mo_f8_set(1));
    return rr - t * (2 * re - t * ee);
}

MO_INLINE mo_feature_distance mo_edge_edge_distance(const mo_f8 r[3], const mo_f8 a[3],
                                                    const mo_f8 b[3])
{
    mo_f8 aa = mo_f8_dot3(a, a), bb = mo_f8_dot3(b, b), ab = mo_f8_dot3(a, b),
          ar = mo_f8_dot3(a, r), br = mo_f8_dot3(b, r), rr = mo_f8_dot3(r, r),
          inverse_a = mo_f8_inverse(aa), inverse_b = mo_f8_inverse(bb);
    mo_f8 best = mo_f8_to_edge(rr, br, bb, inverse_b); /* s = 0, then 1; t = 0, 1 */
    best = mo_f8_min(mo_f8_to_edge(rr + 2 * ar + aa, br + ab, bb, inverse_b), best);
    best = mo_f8_min(mo_f8_to_edge(rr, -ar, aa, inverse_a), best);
    best = mo_f8_min(mo_f8_to_edge(rr - 2 * br + bb, ab - ar, aa, inverse_a), best);
    mo_f8 det = aa * bb - ab * ab, one_by = mo_f8_inverse(det);
    mo_f8 s = (ab * br - bb * ar) * one_by, t = (aa * br - ab * ar) * one_by;
    mo_i8 inside =
        (det > MO_FEATURE_FLAT * aa * bb) & (s >= 0.0f) & (s <= 1.0f) & (t >= 0.0f) & (t <= 1.0f);
    mo_f8 inner = rr + s * (s * aa + 2 * ar) + t * (t * bb - 2 * br - 2 * s * ab);
    best = mo_f8_select(inside, mo_f8_min(inner, best), best);
    return (mo_feature_distance){best, mo_f8_max(aa, bb)};
}

/* d from the first corner to the vertex, e and f to the other corners. */
MO_INLINE mo_feature_distance mo_vertex_triangle_distance(const mo_f8 d[3], const mo_f8 e[3],
                                                          const mo_f8 f[3])
{
    mo_f8 aa = mo_f8_dot3(e, e), ab = mo_f8_dot3(e, f), bb = mo_f8_dot3(f, f),
          da = mo_f8_dot3(d, e), db = mo_f8_dot3(d, f), dd = mo_f8_dot3(d, d),
          cc = aa + bb - 2 * ab;
    mo_f8 best = mo_f8_to_edge(dd, da, aa, mo_f8_inverse(aa));
    best = mo_f8_min(mo_f8_to_edge(dd, db, bb, mo_f8_inverse(bb)), best);
    best =
        mo_f8_min(mo_f8_to_edge(dd - 2 * da + aa, db - da - ab + aa, cc, mo_f8_inverse(cc)), best);
    mo_f8 det = aa * bb - ab * ab, u = bb * da - ab * db, v = aa * db - ab * da;
    mo_i8 inside = (det > MO_FEATURE_FLAT * aa * bb) & (u >= 0.0f) & (v >= 0.0f) & (u + v <= det);
    mo_f8 plane = dd - (u * da + v * db) * mo_f8_inverse(det);
    best = mo_f8_select(inside, mo_f8_min(plane, best), best);
    return (mo_feature_distance){best, mo_f8_max(aa, mo_f8_max(bb, cc))};
}

#endif
