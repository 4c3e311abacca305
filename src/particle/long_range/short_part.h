/*
 * The short part of an erfc split, U = q_i q_j erfc(a r)/r within a cutoff, over neighbour lists.
 *
 * With u = (a r)^2 both functions are 1/r and an entire function of u,
 *     erfc(a r)/r = 1/r - a e(u),                    e(u) = erf(sqrt u)/sqrt u,
 *     -U'/r       = 1/r^3 - a^3 h(u),                h(u) = (erf(t) - 2 t/sqrt(pi) exp(-t^2))/t^3,
 * so that a polynomial in u, fitted on [0, (a cutoff)^2], replaces tables, exponentials and their
 * gathers. With softening, r^2 + softening^2 replaces r^2 in the short part.
 */
#ifndef MO_PARTICLE_LONG_RANGE_SHORT_PART_H
#define MO_PARTICLE_LONG_RANGE_SHORT_PART_H

#include "particle/long_range/long_range.h"

enum { MO_SHORT_TERMS_MAX = 40 };

/* sum of c[k] z^k, z = 2 u/u_max - 1; an even number of terms. */
typedef struct mo_short_series {
    int terms;
    double c[MO_SHORT_TERMS_MAX];
} mo_short_series;

typedef struct mo_short_part {
    mo_memory *memory;
    double alpha, cutoff, soft_square, u_max;
    mo_short_series force, energy;
    double *packed; /* x, y, z, charge of local and ghost particles */
    int64_t capacity;
} mo_short_part;

/* Fits the series; the force of a pair is accurate to `error` [1/m^2] for unit charges. */
mote_status mo_short_part_init(mo_short_part *part, double alpha, double cutoff, double softening,
                               double error_of_pair, mo_memory *memory, mote_error *error);
void mo_short_part_release(mo_short_part *part);

/* Adds forces; with in->measure also energy, virial and gradient. */
mote_status mo_short_part_add(mo_short_part *part, const mo_long_range_input *in,
                              mo_long_range_output *out, mo_pool *pool, mote_error *error);

#endif
