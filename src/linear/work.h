/* Work vectors, reused between solves, and sums over them in a fixed order. */
#ifndef MO_LINEAR_WORK_H
#define MO_LINEAR_WORK_H

#include "base/memory.h"

/* `count` vectors of `numbers` each, including one value of padding. */
typedef struct mo_work {
    int64_t capacity;
    double *block;
} mo_work;
mote_status mo_work_vectors(mo_memory *memory, mo_work *work, int count, int64_t numbers,
                            double **vectors, mote_error *error);

/* The sum of a[k] b[k] over [first, last). */
double mo_dot_range(const double *a, const double *b, int64_t first, int64_t last);

#endif
