/*
 * `mote bench`: how fast the parts are, beside what the machine or a peer can do.
 *
 * Each group of benchmarks is one file that ends with a `const suite_group bench_<name>`, and one
 * line in cases.def. Machines are noisy, so a figure is the best of several repeats, and what it is
 * compared with is measured in the same run. Figures from other machines stand in the note, with
 * their machine, and make no ratio.
 */
#ifndef MOTE_CLI_BENCH_H
#define MOTE_CLI_BENCH_H

#include "bench/suite.h"

/* What a benchmark is asked for: the `context` of its run function. */
typedef struct bench {
    const char *wanted;    /* NULL: all */
    const char *directory; /* for plots; NULL: none */
    int threads;           /* this many only; 0: one, and one for each core */
    int repeats;
    bool json, quick, listed;
} bench;

enum { BENCH_THREAD_COUNTS_MAX = 2 };

/* The numbers of threads to measure with; returns how many there are. */
int bench_thread_counts(const bench *b, int counts[BENCH_THREAD_COUNTS_MAX]);

/* The least seconds that any of b->repeats calls of `function` took. */
double bench_best_seconds(const bench *b, void (*function)(void *context), void *context);

typedef struct bench_row {
    const char *name; /* "springs/2" */
    int threads;
    double seconds; /* of what is counted once in the rate */
    double rate;    /* the more the better */
    const char *unit;
    /* what the rate is compared with, in the same unit: measured in the same run, or independent of
       the machine; NaN: nothing */
    double baseline;
    char note[448];
} bench_row;

void bench_report(const bench *b, const bench_row *row);

#endif
