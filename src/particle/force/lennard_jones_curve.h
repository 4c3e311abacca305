/*
 * The generalised Lennard-Jones potential with integer exponents n > m and its minimum -e at r0 (J.
 * E. Jones 1924; in this form D. Tonnesen 1998, chapter 7):
 *     phi(r)  = e/(n - m) [ m (r0/r)^n - n (r0/r)^m ]
 *     phi'(r) = e n m/(n - m) [ (r0/r)^m - (r0/r)^n ]/r
 * It is zero at sigma = r0 (m/n)^(1/(n - m)). With n = 12 and m = 6 it is the standard 4 e [
 * (sigma/r)^12 - (sigma/r)^6 ].
 *
 * The truncated potential is U = w (phi - shift): the switching function w is 1 below r_a, 0 above
 * r_b and between them
 *     w(s) = 2 s^3 - 3 s^2 + 1,  s = (r - r_a)/(r_b - r_a),
 * and shift is phi(r_b) or 0. The force is -U', including w', so that energy is conserved. With r_a
 * = r_b the potential is truncated, and a pair that crosses r_b gains or loses its value there.
 *
 * Below a distance r_low the force is constant, -U'(r_low), and U is extrapolated linearly. With
 * `clip` that is sigma; without, it is where (r0/r)^(n + 2) reaches 1e100, so that powers never
 * overflow. Coincident particles have no force.
 *
 * Four pairs at a time; powers are products, so there is no call of pow.
 */
#ifndef MO_PARTICLE_FORCE_LENNARD_JONES_CURVE_H
#define MO_PARTICLE_FORCE_LENNARD_JONES_CURVE_H

#include "math/wide.h"

/* One kind of pair. U = w (repulsion q^n - attraction q^m - shift), q = r0/r. */
typedef struct mo_lj_pair {
    double r0, repulsion, attraction, slope, shift;
    double r_low, r_a, inverse_span; /* 1/(r_b - r_a); 0: no weight */
    double end;                      /* the square of r_b */
} mo_lj_pair;

/* Four kinds in lanes. */
typedef struct mo_lj_pairs {
    mo_d4 r0, repulsion, attraction, slope, shift, r_low, r_a, inverse_span, end;
} mo_lj_pairs;

/* U, U'/r and U'' of four pairs; zero beyond r_b and for coincident particles. */
typedef struct mo_lj_curve {
    mo_d4 value, slope_over_r, second;
} mo_lj_curve;

/* By repeated squaring, the same products in all lanes. */
MO_INLINE mo_d4 mo_lj_power(mo_d4 q, int64_t exponent)
{
    mo_d4 product = mo_d4_set(1);
    for (; exponent; exponent >>= 1, q *= q) {
        if (exponent & 1) {
            product *= q;
        }
    }
    return product;
}

MO_INLINE mo_d4 mo_lj_choose(mo_l4 condition, mo_d4 a, mo_d4 b)
{
    return (mo_d4)((condition & (mo_l4)a) | (~condition & (mo_l4)b));
}

MO_INLINE mo_lj_pairs mo_lj_same(const mo_lj_pair *p)
{
    return (mo_lj_pairs){mo_d4_set(p->r0),    mo_d4_set(p->repulsion),    mo_d4_set(p->attraction),
                         mo_d4_set(p->slope), mo_d4_set(p->shift),        mo_d4_set(p->r_low),
                         mo_d4_set(p->r_a),   mo_d4_set(p->inverse_span), mo_d4_set(p->end)};
}

/* Lane k has the kind table[kind[k]]. */
MO_INLINE mo_lj_pairs mo_lj_gather(const mo_lj_pair *table, const int32_t kind[4])
{
    const mo_lj_pair *a = table + kind[0], *b = table + kind[1], *c = table + kind[2],
                     *d = table + kind[3];
#define LANES_OF(field) (mo_d4){a->field, b->field, c->field, d->field}
    mo_lj_pairs p = {LANES_OF(r0),    LANES_OF(repulsion),    LANES_OF(attraction),
                     LANES_OF(slope), LANES_OF(shift),        LANES_OF(r_low),
                     LANES_OF(r_a),   LANES_OF(inverse_span), LANES_OF(end)};
#undef LANES_OF
    return p;
}

/* The weight and its first and second derivative. */
MO_INLINE void mo_lj_weigh(const mo_lj_pairs *p, mo_d4 r, mo_d4 w[3])
{
    mo_d4 zero = mo_d4_set(0), one = mo_d4_set(1), k = p->inverse_span;
    mo_d4 s = (r - p->r_a) * k;
    mo_l4 fading = s > zero;
    s = mo_lj_choose(s < one, mo_lj_choose(fading, s, zero), one);
    w[0] = 1 + s * s * (2 * s - 3);
    w[1] = 6 * s * (s - 1) * k;
    w[2] = mo_lj_choose(fading, (12 * s - 6) * k * k, zero);
}

MO_INLINE mo_lj_curve mo_lj_curve_at(const mo_lj_pairs *p, int64_t n, int64_t m, mo_d4 square)
{
    mo_d4 zero = mo_d4_set(0);
    mo_l4 acts = (square > zero) & (square <= p->end);
    mo_d4 r = mo_d4_sqrt(mo_lj_choose(acts, square, p->r0 * p->r0));
    mo_l4 free = r > p->r_low;
    mo_d4 clamped = mo_lj_choose(free, r, p->r_low), inverses = 1 / (r * clamped),
          inverse = inverses * r;
    mo_d4 q = p->r0 * inverse, qm = mo_lj_power(q, m);
    mo_d4 qn = qm * (n == 2 * m ? qm : mo_lj_power(q, n - m));
    mo_d4 phi = p->repulsion * qn - p->attraction * qm - p->shift;
    mo_d4 phi1 = p->slope * (qm - qn) * inverse;
    mo_d4 phi2 = p->slope * ((double)(n + 1) * qn - (double)(m + 1) * qm) * inverse * inverse;
    mo_d4 w[3];
    mo_lj_weigh(p, clamped, w);
    mo_d4 u1 = w[0] * phi1 + w[1] * phi, u2 = w[0] * phi2 + 2 * w[1] * phi1 + w[2] * phi;
    return (mo_lj_curve){mo_lj_choose(acts, w[0] * phi + u1 * (r - clamped), zero),
                         mo_lj_choose(acts, u1 * (inverses * clamped), zero),
                         mo_lj_choose(acts & free, u2, zero)};
}

/*
 * U'/r of a truncated potential with even exponents, without square root and switching. Below r_low
 * (without clamping) the force decreases linearly to 0 instead of being constant, so that
 * coincident pairs, and a row with itself, need no test.
 */
MO_INLINE mo_d4 mo_lj_plain_derivative(const mo_lj_pairs *p, int64_t n, int64_t m, mo_d4 square)
{
    mo_d4 inverse = 1 / mo_d4_max(square, p->r_low * p->r_low), q = p->r0 * p->r0 * inverse;
    mo_d4 qm = mo_lj_power(q, m / 2);
    mo_d4 qn = qm * (n == 2 * m ? qm : mo_lj_power(q, (n - m) / 2));
    mo_d4 slope = p->slope * inverse * (qm - qn);
    return (mo_d4)((mo_l4)slope & (mo_l4)(square <= p->end));
}

/* U of the same, without the part below r_low, which no pair reaches. */
MO_INLINE mo_d4 mo_lj_plain_value(const mo_lj_pairs *p, int64_t n, int64_t m, mo_d4 square)
{
    mo_d4 q = p->r0 * p->r0 / mo_d4_max(square, p->r_low * p->r_low);
    mo_d4 qm = mo_lj_power(q, m / 2);
    mo_d4 qn = qm * (n == 2 * m ? qm : mo_lj_power(q, (n - m) / 2));
    mo_d4 value = p->repulsion * qn - p->attraction * qm - p->shift;
    return (mo_d4)((mo_l4)value & (mo_l4)(square <= p->end) & (mo_l4)(square > mo_d4_set(0)));
}

#endif
