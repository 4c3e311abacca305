#include "particle/long_range/split.h"

enum { GRAIN = 4096 };

void mo_split_release(mo_split *s)
{
    mo_release(s->memory, s->block);
}

static void find_largest(void *context, int64_t first, int64_t last, double *partial)
{
    const double *q = context;
    partial[0] = 0;
    for (int64_t row = first; row < last; ++row) {
        partial[0] = fmax(partial[0], fabs(q[row]));
    }
}

typedef struct splitting {
    mo_split *split;
    const mo_scaled *points;
} splitting;

static void split_rows(void *context, int64_t first, int64_t last)
{
    const splitting *c = context;
    mo_split *s = c->split;
    const mo_scaled *p = c->points;
    const double *x[3] = {p->x, p->y, p->z};
    for (int64_t row = first; row < last; ++row) {
        for (int k = 0; k < 3; ++k) {
            s->hi[k][row] = (float)x[k][row];
            s->lo[k][row] = (float)(x[k][row] - (double)s->hi[k][row]);
        }
        s->q[row] = (float)(p->q[row] / s->charge);
    }
}

mote_status mo_split_fill(mo_split *s, const mo_scaled *points, mo_pool *pool, mote_error *error)
{
    int64_t count = points->padded;
    double largest;
    int exponent = 0;
    MO_TRY(mo_parallel_reduce(pool, points->rows, GRAIN, MO_MAX, 1, find_largest, points->q,
                              &largest, error));
    frexp(largest, &exponent);
    s->charge = largest > 0 ? ldexp(1, exponent) : 1;
    MO_TRY(mo_reserve(s->memory, &s->block, &s->capacity, 7 * count, sizeof(float), error));
    for (int k = 0; k < 3; ++k) {
        s->hi[k] = s->block + k * count;
        s->lo[k] = s->block + (3 + k) * count;
    }
    s->q = s->block + 6 * count;
    s->padded = count;
    splitting c = {s, points};
    mo_parallel_for(pool, count, GRAIN, split_rows, &c);
    return MOTE_OK;
}
