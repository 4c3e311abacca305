/*
 * Angles of four lanes at once, by + - * / and sqrt alone.
 *
 * atan2(y, x) is 4 atan(u), u = tan(theta/4) = y/(s + sqrt(2 r s)) with r = |(x, y)| and s = r +
 * |x|, and beyond a right angle pi minus that. |u| <= tan(pi/8), where the twelfth convergent of
 * the continued fraction of the arc tangent, z/(1 + z^2/(3 + 4 z^2/(5 + ...))) (C. F. Gauss 1813),
 * has a relative error of 2.3e-17.
 */
#ifndef MO_MATH_ANGLE_WIDE_H
#define MO_MATH_ANGLE_WIDE_H

#include "math/wide.h"

/* c[0] + c[1] w + ... + c[n - 1] w^(n - 1) */
MO_INLINE mo_d4 mo_d4_polynomial(const double *c, int n, mo_d4 w)
{
    mo_d4 sum = mo_d4_set(c[n - 1]);
    for (int k = n - 2; k >= 0; --k) {
        sum = sum * w + mo_d4_set(c[k]);
    }
    return sum;
}

/* atan(u) for |u| <= tan(pi/8) */
MO_INLINE mo_d4 mo_d4_atan_small(mo_d4 u)
{
    static const double
        P[] = {1, 175.0 / 69, 1866.0 / 805, 14018.0 / 15295, 68239.0 / 468027, 76555.0 / 12012693},
        Q[] = {1, 66.0 / 23, 495.0 / 161, 660.0 / 437, 2475.0 / 7429, 198.0 / 7429, 33.0 / 96577};
    mo_d4 w = u * u;
    return u * mo_d4_polynomial(P, 6, w) / mo_d4_polynomial(Q, 7, w);
}

/* The angles in [-pi, pi] of the points (x, y); 0 at the origin. Those within pi/8 of the axis
 * x > 0 are not divided. */
MO_INLINE mo_d4 mo_d4_atan2(mo_d4 y, mo_d4 x)
{
    const mo_d4 zero = mo_d4_set(0), one = mo_d4_set(1), pi = mo_d4_set(3.14159265358979323846);
    mo_l4 small = mo_d4_abs(y) < 0.41421356 * x;
    mo_d4 below = x, times = one;
    if (mo_l4_any(~small)) {
        mo_d4 r = mo_d4_sqrt(x * x + y * y), s = r + mo_d4_abs(x);
        below = mo_d4_select(small, x, s + mo_d4_sqrt(2 * r * s));
        times = mo_d4_select(small, one, mo_d4_set(4));
    }
    mo_l4 there = below > zero;
    mo_d4 angle =
        times * mo_d4_atan_small(mo_d4_select(there, y, zero) / mo_d4_select(there, below, one));
    mo_d4 beyond = mo_d4_select(y < zero, -pi, pi) - angle;
    return mo_d4_select(x < zero, beyond, angle);
}

#endif
