/*
 * Pair loops over neighbour lists with the kernel computed or tabulated, for `mote bench kernels`.
 */
#ifndef MOTE_CLI_BENCH_KERNELS_H
#define MOTE_CLI_BENCH_KERNELS_H

#include "fluid/kernel/kernel.h"
#include "fluid/kernel/lookup.h"
#include "neighbor/pairs.h"

typedef struct bench_pairs {
    mo_pairs pairs;
    const float *x; /* four per row, the fourth is unused */
    mo_kernel kernel;
    mo_lookup table;
    float *out; /* four per row */
} bench_pairs;

/* Whether the machine supports AVX2, if this file is compiled for it. */
bool bench_pairs_can_run(void);

/* out = sum W over the list, and sum grad W. */
void bench_pairs_w(bench_pairs *p, bool lookup);
void bench_pairs_g(bench_pairs *p, bool lookup);

#endif
