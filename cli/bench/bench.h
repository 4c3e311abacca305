/*
 * `mote bench`: speed of the components, compared with the limits of the machine or another
 * program.
 *
 * Each group of benchmarks is one file that ends with a `const suite_group bench_<name>`, and one
 * line in cases.def. To reduce noise a figure is the best of several repeats, and its baseline is
 * measured in the same run. Figures from other machines are given in the note, with the machine,
 * and without a ratio.
 */
#ifndef MOTE_CLI_BENCH_H
#define MOTE_CLI_BENCH_H

#include "bench/suite.h"

/* The parameters of a benchmark: the `context` of its run function. */
typedef struct bench {
    const char *wanted;    /* NULL: all */
    const char *directory; /* for plots; NULL: none */
    int threads;           /* this number only; 0: one, and one per core */
    int repeats;
    bool json, quick, listed;
} bench;

enum { BENCH_THREAD_COUNTS_MAX = 2 };

/* The numbers of threads to measure with; returns their count. */
int bench_thread_counts(const bench *b, int counts[BENCH_THREAD_COUNTS_MAX]);

/* The minimum time of b->repeats calls of `function`. */
double bench_best_seconds(const bench *b, void (*function)(void *context), void *context);

typedef struct bench_row {
    const char *name; /* "springs/2" */
    int threads;
    double seconds; /* per unit of the rate */
    double rate;    /* higher is better */
    const char *unit;
    /* reference of the rate, in the same unit: measured in the same run, or independent of the
     * machine; NaN: none */
    double baseline;
    char note[448];
} bench_row;

void bench_report(const bench *b, const bench_row *row);

#endif
