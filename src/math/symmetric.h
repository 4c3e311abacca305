/* Symmetric tensors as six numbers: 11 22 33 12 13 23. */
#ifndef MO_MATH_SYMMETRIC_H
#define MO_MATH_SYMMETRIC_H

#include <math.h>

/* The equivalent stress (R. von Mises 1913): the root of 3/2 d : d, d what is left of s without its mean pressure. */
static inline double mo_von_mises(const double s[6])
{
    double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

#endif
