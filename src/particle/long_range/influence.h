/*
 * The optimal influence function of a mesh (R. W. Hockney, J. W. Eastwood 1988, 8-22; with analytic
 * differentiation V. Ballenegger, J. J. Cerda, C. Holm 2012, J. Chem. Theory Comput. 8, 936), for
 * B-spline assignment of order P and the reference field of Gaussian clouds,
 *     R(k) = -i k g(k),  g(k) = 4 pi/k^2 exp(-k^2/4a^2),
 * and the RMS force error that it leaves. With k_m = k + 2 pi m/h and U(k) = prod sinc^P(k h/2):
 *     ik  G = sum_m U^2 k.k_m g(k_m) / (k^2 (sum_m U^2)^2)
 *     ad  G = sum_m U^2 k_m^2 g(k_m) / (sum_m U^2  sum_m k_m^2 U^2)
 *     Q   = 1/V^2 sum_k [sum_m k_m^2 g^2 - (numerator of G)^2/(denominator ...)]
 * and the error of the force on a particle of charge q among others is q sqrt(sum q^2 Q).
 */
#ifndef MO_PARTICLE_LONG_RANGE_INFLUENCE_H
#define MO_PARTICLE_LONG_RANGE_INFLUENCE_H

#include "base/memory.h"

enum { MO_SPLINE_MIN = 2, MO_SPLINE_MAX = 7 };

typedef struct mo_influence_def {
    double period[3];
    int n[3];
    int order;
    bool ad;
    double alpha;
} mo_influence_def;

typedef struct mo_influence {
    double *g;           /* [z][y][x], x up to n/2: G/V */
    double square_error; /* Q [1/m^4] */
    double self;         /* 1/V sum_k G sum_m U^2: twice the mean energy of a unit charge's cloud */
    double reference;    /* 1/V sum_k g over all waves: the same without a mesh */
} mo_influence;

/* g: room for (n[0]/2 + 1) n[1] n[2] numbers. */
mote_status mo_influence_fill(const mo_influence_def *def, mo_memory *memory,
                              mo_influence *influence, mote_error *error);

/* Q V/a of an infinite box: a function of h a, order and scheme alone. */
double mo_influence_limit(int order, bool ad, double spacing_alpha);

/* sinc^P(x), sinc x = sin(x)/x. */
double mo_spline_transform(int order, double x);

#endif
