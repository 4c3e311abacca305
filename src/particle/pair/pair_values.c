#include "particle/pair/pair_values.h"

enum { GRAIN = 4096 };

typedef struct copy {
    double *data;
    const mo_pairs *pairs;
    const double *scalar;
} copy;

static void copy_all(void *context, int64_t first, int64_t last)
{
    const copy *c = context;
    for (int64_t k = first; k < last; ++k) {
        const double *x = c->pairs->x + 3 * k;
        double *out = c->data + 4 * k;
        out[0] = x[0];
        out[1] = x[1];
        out[2] = x[2];
        out[3] = c->scalar[mo_pairs_row(c->pairs, (int32_t)k)];
    }
}

static void copy_scalars(void *context, int64_t first, int64_t last)
{
    const copy *c = context;
    for (int64_t k = first; k < last; ++k) {
        c->data[4 * k + 3] = c->scalar[mo_pairs_row(c->pairs, (int32_t)k)];
    }
}

mote_status mo_pair_values_fill(mo_pair_values *values, const mo_pairs *pairs, const double *scalar,
                                mo_pool *pool, mo_memory *memory, mote_error *error)
{
    MO_TRY(mo_reserve(memory, &values->data, &values->capacity, 4 * pairs->particles,
                      sizeof *values->data, error));
    copy c = {values->data, pairs, scalar};
    mo_parallel_for(pool, pairs->particles, GRAIN, copy_all, &c);
    return MOTE_OK;
}

void mo_pair_values_update(const mo_pair_values *values, const mo_pairs *pairs,
                           const double *scalar, mo_pool *pool)
{
    copy c = {values->data, pairs, scalar};
    mo_parallel_for(pool, pairs->particles, GRAIN, copy_scalars, &c);
}

void mo_pair_values_release(mo_pair_values *values, mo_memory *memory)
{
    mo_release(memory, values->data);
    *values = (mo_pair_values){0};
}
