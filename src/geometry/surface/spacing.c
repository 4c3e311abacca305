/* Estimates the particle spacing. */
#include "geometry/surface/surface.h"

#include "math/vec3.h"

#include <stdlib.h>

enum { SAMPLE = 255 };

typedef struct sampling {
    int64_t count, sample;
    const double *x;
    double nearest[SAMPLE]; /* squares */
} sampling;

/* Brute-force distances for a sample of fixed size: linear cost without a length scale. */
static void nearest_range(void *context, int64_t first, int64_t last)
{
    sampling *s = context;
    for (int64_t k = first; k < last; ++k) {
        int64_t row = k * (s->count / s->sample);
        mo_vec3 p = mo_vec3_load(s->x + 3 * row);
        double nearest = INFINITY;
        for (int64_t other = 0; other < s->count; ++other) {
            mo_vec3 d = mo_sub(mo_vec3_load(s->x + 3 * other), p);
            double square = mo_dot(d, d);
            nearest = square > 0 && square < nearest ? square : nearest;
        }
        s->nearest[k] = nearest;
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

mote_status mo_spacing_estimate(int64_t count, const double *x, mo_pool *pool, double *spacing,
                                mote_error *error)
{
    sampling s = {.count = count, .sample = count < SAMPLE ? count : SAMPLE, .x = x};
    mo_parallel_for(pool, s.sample, 1, nearest_range, &s);
    qsort(s.nearest, (size_t)s.sample, sizeof *s.nearest, compare);
    *spacing = s.sample > 0 ? sqrt(s.nearest[s.sample / 2]) : INFINITY;
    if (!isfinite(*spacing)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "surface: the spacing of %lld particles cannot be estimated from their positions; give "
            "one (--spacing)",
            (long long)count);
    }
    return MOTE_OK;
}
