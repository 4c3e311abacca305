#include "particle/long_range/scaled.h"

#include "math/wide.h"

enum { GRAIN = 4096 };

void mo_scaled_release(mo_scaled *s)
{
    mo_release(s->memory, s->block);
}

/* Maxima of x, y, z, -x, -y, -z. */
static void find_extent(void *context, int64_t first, int64_t last, double *partial)
{
    const double *x = context;
    for (int k = 0; k < 6; ++k) {
        partial[k] = -INFINITY;
    }
    for (int64_t row = first; row < last; ++row) {
        for (int k = 0; k < 3; ++k) {
            double a = x[3 * row + k];
            partial[k] = !(a <= partial[k]) ? a : partial[k];
            partial[k + 3] = !(-a <= partial[k + 3]) ? -a : partial[k + 3];
        }
    }
}

mote_status mo_scaled_fit(mo_scaled *s, int64_t rows, const double *x, mo_pool *pool,
                          mote_error *error)
{
    double most[6], half = 0;
    MO_TRY(mo_parallel_reduce(pool, rows, GRAIN, MO_MAX, 6, find_extent, (void *)x, most, error));
    for (int k = 0; k < 3; ++k) {
        s->center[k] = 0.5 * (most[k] - most[k + 3]);
        half = fmax(half, 0.5 * (most[k] + most[k + 3]));
    }
    if (!isfinite(half)) {
        return mo_fail(error, MOTE_ERROR_NUMERIC, "the position of a particle is not finite");
    }
    int exponent = 0;
    frexp(half, &exponent);
    s->scale = half > 0 ? ldexp(1, -exponent) : 1;
    s->rows = rows;
    return MOTE_OK;
}

typedef struct filling {
    mo_scaled *scaled;
    const double *x, *charge;
    const int32_t *order;
} filling;

static void fill_rows(void *context, int64_t first, int64_t last)
{
    const filling *f = context;
    mo_scaled *s = f->scaled;
    for (int64_t k = first; k < last; ++k) {
        int64_t row = f->order ? f->order[k] : k;
        s->x[k] = (f->x[3 * row] - s->center[0]) * s->scale;
        s->y[k] = (f->x[3 * row + 1] - s->center[1]) * s->scale;
        s->z[k] = (f->x[3 * row + 2] - s->center[2]) * s->scale;
        s->q[k] = f->charge[row];
    }
}

mote_status mo_scaled_fill(mo_scaled *s, const double *x, const double *charge,
                           const int32_t *order, mo_pool *pool, mote_error *error)
{
    s->padded = (s->rows + MO_WIDE - 1) / MO_WIDE * MO_WIDE;
    MO_TRY(mo_reserve(s->memory, &s->block, &s->capacity, 4 * s->padded, sizeof(double), error));
    s->x = s->block;
    s->y = s->x + s->padded;
    s->z = s->y + s->padded;
    s->q = s->z + s->padded;
    for (int64_t k = s->rows; k < s->padded; ++k) {
        s->x[k] = s->y[k] = s->z[k] = s->q[k] = 0;
    }
    filling f = {s, x, charge, order};
    mo_parallel_for(pool, s->rows, GRAIN, fill_rows, &f);
    return MOTE_OK;
}
