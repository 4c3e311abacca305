/*
 * B-spline assignment functions (cardinal splines of order P: P = 2 is cloud-in-cell, 3 triangular
 * shaped cloud, 4 piecewise cubic spline). Point j of a particle at u = x/h is mesh point floor(u)
 * - P + 1 + j, with the weight M_P(u - point); the shift by P/2 points is the same in assignment
 * and interpolation, and cancels. M_1 = 1 on [0, 1),  M_n+1(t) = (t M_n(t) + (n + 1 - t) M_n(t -
 * 1))/n, M'_n(t) = M_n-1(t) - M_n-1(t - 1).
 */
#ifndef MO_PARTICLE_LONG_RANGE_SPLINE_H
#define MO_PARTICLE_LONG_RANGE_SPLINE_H

#include "math/wide.h"
#include "neighbor/domain.h"

/* The first mesh points of a particle, weights along x for eight points (zero beyond P), and
 * weights of all axes in lanes. */
typedef struct mo_spline {
    int first[3];
    mo_d8 x, slope_x;     /* along x */
    mo_d4 w[8], slope[8]; /* lanes x, y, z; slopes are by u */
    mo_d4 part;           /* u - floor(u) */
} mo_spline;

/* w[j] = M_P(part + P - 1 - j). */
MO_INLINE void mo_spline_weights(mo_d4 part, int order, mo_spline *s)
{
    mo_d4 v[9] = {mo_d4_set(1)}; /* M_n(part + k) */
    for (int n = 1; n < order; ++n) {
        if (n == order - 1) {
            for (int k = 0; k < order; ++k) {
                mo_d4 before = k > 0 ? v[k - 1] : mo_d4_set(0);
                s->slope[order - 1 - k] = (k < order - 1 ? v[k] : mo_d4_set(0)) - before;
            }
        }
        double by_n = 1.0 / n;
        v[n] = mo_d4_set(0);
        for (int k = n; k > 0; --k) {
            v[k] = ((part + k) * v[k] + ((n + 1 - k) - part) * v[k - 1]) * by_n;
        }
        v[0] = part * v[0] * by_n;
    }
    for (int k = 0; k < order; ++k) {
        s->w[order - 1 - k] = v[k];
    }
}

MO_INLINE mo_d8 mo_spline_along_x(const mo_d4 *w, int order)
{
    double x[8] = {0};
    for (int k = 0; k < order; ++k) {
        x[k] = w[k][0];
    }
    return mo_d8_load(x);
}

/* The position of a particle on a mesh of n points along each axis; 1/h in inverse_spacing. */
MO_INLINE mo_d4 mo_spline_base(const mo_domain *domain, const int n[3],
                               const double inverse_spacing[3], int order, const double *x,
                               int first[3])
{
    mo_d4 part = {0, 0, 0, 0};
    for (int k = 0; k < 3; ++k) {
        double u = mo_domain_wrap(domain, k, x[k]) - domain->low[k];
        u *= inverse_spacing[k];
        double cell = floor(u);
        int at = (int)cell - order + 1;
        part[k] = u - cell;
        at += at < 0 ? n[k] : 0;
        first[k] = at >= n[k] ? at - n[k] : at;
    }
    return part;
}

#endif
