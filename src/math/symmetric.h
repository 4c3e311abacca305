/*
 * Symmetric tensors as six components: 11 22 33 12 13 23.
 */
#ifndef MO_MATH_SYMMETRIC_H
#define MO_MATH_SYMMETRIC_H

#include <math.h>

/* The equivalent stress (R. von Mises 1913): sqrt(3/2 d : d) with the deviatoric stress d. */
static inline double mo_von_mises(const double s[6])
{
    double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/* An upper bound of the largest eigenvalue of a tensor in 3D, or of its x-y part (dimension 2),
 * exceeding it by at most 2 % of the trace, where the two largest are equal. In 3D the largest
 * root y of y^3 - J2 y - J3 = 0, J2 and J3 the invariants of the deviator, by Newton's method
 * from the bound 2 sqrt(J2/3) (H. Wolkowicz, G. Styan 1980, Linear Algebra Appl. 29, 471),
 * monotonically from above. Without trigonometric functions, hence portable. */
static inline double mo_symmetric_largest(const double s[6], int dimension)
{
    enum { ITERATIONS = 4 };
    if (dimension == 2) {
        double half = 0.5 * (s[0] - s[1]);
        return 0.5 * (s[0] + s[1]) + sqrt(half * half + s[3] * s[3]);
    }
    double mean = (s[0] + s[1] + s[2]) / 3, a = s[0] - mean, b = s[1] - mean, c = s[2] - mean;
    double d = s[3] * s[3], e = s[4] * s[4], f = s[5] * s[5];
    double j2 = 0.5 * (a * a + b * b + c * c) + d + e + f;
    double j3 = a * b * c + 2 * s[3] * s[4] * s[5] - a * f - b * e - c * d, y = 2 * sqrt(j2 / 3);
    for (int k = 0; k < ITERATIONS && j2 > 0; ++k) {
        double slope = 3 * y * y - j2;
        y = slope > 0 ? (2 * y * y * y + j3) / slope : y;
    }
    return mean + y;
}

/* The corresponding lower bound of the smallest eigenvalue. */
static inline double mo_symmetric_least(const double s[6], int dimension)
{
    double negative[6];
    for (int k = 0; k < 6; ++k) {
        negative[k] = -s[k];
    }
    return -mo_symmetric_largest(negative, dimension);
}

/* Of an invertible tensor. */
static inline void mo_symmetric_inverse(const double s[6], double out[6])
{
    double a = s[1] * s[2] - s[5] * s[5], b = s[4] * s[5] - s[3] * s[2],
           c = s[3] * s[5] - s[4] * s[1];
    double scale = 1 / (s[0] * a + s[3] * b + s[4] * c);
    out[0] = scale * a;
    out[1] = scale * (s[0] * s[2] - s[4] * s[4]);
    out[2] = scale * (s[0] * s[1] - s[3] * s[3]);
    out[3] = scale * b;
    out[4] = scale * c;
    out[5] = scale * (s[3] * s[4] - s[0] * s[5]);
}

/* s w = l of a positive semidefinite tensor, by elimination; directions with a pivot below `part`
 * of the trace are omitted. */
static inline void mo_symmetric_solve_above(double part, const double s[6], const double l[3],
                                            double w[3])
{
    const double least = part * (s[0] + s[1] + s[2]);
    double i0 = s[0] > least ? 1 / s[0] : 0, l10 = s[3] * i0, l20 = s[4] * i0;
    double d1 = s[1] - l10 * s[3], i1 = d1 > least ? 1 / d1 : 0, l21 = (s[5] - l20 * s[3]) * i1;
    double d2 = s[2] - l20 * s[4] - l21 * l21 * d1, i2 = d2 > least ? 1 / d2 : 0;
    double y0 = l[0], y1 = l[1] - l10 * y0, y2 = l[2] - l20 * y0 - l21 * y1;
    w[2] = y2 * i2;
    w[1] = y1 * i1 - l21 * w[2];
    w[0] = y0 * i0 - l10 * w[1] - l20 * w[2];
}

/* The same; undetermined directions are 0. */
static inline void mo_symmetric_solve(const double s[6], const double l[3], double w[3])
{
    mo_symmetric_solve_above(1e-6, s, l, w);
}

#endif
