/* Vectors to work with, kept from one solve to the next, and sums over them in a fixed order. */
#ifndef MO_LINEAR_WORK_H
#define MO_LINEAR_WORK_H

#include "base/memory.h"

/* `count` vectors of `numbers` each, the room for one number behind included. */
typedef struct mo_work {
    int64_t capacity;
    double *block;
} mo_work;
mote_status mo_work_vectors(mo_memory *memory, mo_work *work, int count, int64_t numbers,
                            double **vectors, mote_error *error);

/* The sum of a[k] b[k] over [first, last). */
double mo_dot_range(const double *a, const double *b, int64_t first, int64_t last);

#endif
