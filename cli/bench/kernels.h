/* Pair loops over neighbour lists with the kernel computed or looked up, for `mote bench
 * kernels`. */
#ifndef MOTE_CLI_BENCH_KERNELS_H
#define MOTE_CLI_BENCH_KERNELS_H

#include "fluid/kernel/kernel.h"
#include "fluid/kernel/lookup.h"
#include "neighbor/pairs.h"

typedef struct bench_pairs {
    mo_pairs pairs;
    const float *x; /* four a row, the fourth is not used */
    mo_kernel kernel;
    mo_lookup table;
    float *out; /* four a row */
} bench_pairs;

/* This file is compiled with AVX2 where the compiler has it; whether the machine has it, too. */
bool bench_pairs_can_run(void);

/* out = sum W over the list, and sum grad W. */
void bench_pairs_w(bench_pairs *p, bool lookup);
void bench_pairs_g(bench_pairs *p, bool lookup);

#endif
