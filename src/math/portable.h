/*
 * Elementary functions by + - * / and sqrt alone: bitwise identical with any C library. For
 * initialisation; accurate to a few units in the last place.
 */
#ifndef MO_MATH_PORTABLE_H
#define MO_MATH_PORTABLE_H

#include <math.h>

/* x^n for n >= 0. */
static inline double mo_power(double x, int n)
{
    double power = 1;
    for (int k = 0; k < n; ++k) {
        power *= x;
    }
    return power;
}

/* Cosine and sine of 2 pi turns, by their series about the nearest multiple of pi/2. */
static inline void mo_turn(double turns, double *cosine, double *sine)
{
    double part = turns - floor(turns), quarter = floor(4 * part + 0.5);
    double a = 6.283185307179586477 * (part - 0.25 * quarter), c = 1, s = 1;
    for (int k = 20; k > 0; k -= 2) { /* 1 - a^2/(1 2) (1 - a^2/(3 4) (...)), and the same of a */
        c = 1 - a * a / ((k - 1) * k) * c;
        s = 1 - a * a / (k * (k + 1)) * s;
    }
    s *= a;
    int number = (int)quarter & 3;
    *cosine = number == 0 ? c : number == 1 ? -s : number == 2 ? -c : s;
    *sine = number == 0 ? s : number == 1 ? c : number == 2 ? -s : -c;
}

/* The arc cosine of 0 <= x <= 1: acos x = 2 atan t, t^2 = (1 - x)/(1 + x), and the angle halved
 * twice by tan(b/2) = tan b/(1 + sqrt(1 + tan^2 b)), so that the series of atan is short. */
static inline double mo_acos(double x)
{
    double t = sqrt((1 - x) / (1 + x)), sum = 0;
    t /= 1 + sqrt(1 + t * t);
    t /= 1 + sqrt(1 + t * t);
    for (int k = 25; k > 0; k -= 2) {
        sum = 1.0 / k - t * t * sum;
    }
    return 8 * t * sum;
}

#endif
