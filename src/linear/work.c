#include "linear/work.h"

#include "math/wide.h"

mote_status mo_work_vectors(mo_memory *memory, mo_work *work, int count, int64_t numbers,
                            double **vectors, mote_error *error)
{
    int64_t stride = (numbers + 7) / 8 * 8; /* vectors are aligned to cache lines */
    void *block = work->block;
    mote_status status =
        mo_grow(memory, &block, &work->capacity, count * stride, sizeof(double), error);
    work->block = block;
    MO_TRY(status);
    for (int k = 0; k < count; ++k) {
        vectors[k] = work->block + k * stride;
    }
    return MOTE_OK;
}

double mo_dot_range(const double *a, const double *b, int64_t first, int64_t last)
{
    mo_d4 sum = mo_d4_set(0), more = sum;
    int64_t k = first;
    for (; k + 8 <= last; k += 8) {
        sum += mo_d4_load(a + k) * mo_d4_load(b + k);
        more += mo_d4_load(a + k + 4) * mo_d4_load(b + k + 4);
    }
    sum += more;
    double rest = 0;
    for (; k < last; ++k) {
        rest += a[k] * b[k];
    }
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}
