#include "geometry/shape/volume.h"

#include <math.h>

enum { HALVINGS = 3, GRAIN = 64 };

typedef struct region {
    mo_region_fn *distance;
    const void *context;
    double low[3], side[3]; /* of the blocks */
    int64_t count[3];
    int dimension;
} region;

/* The fraction of a block about x that is inside. */
static double part_inside(const region *r, const double x[3], const double side[3], int halvings)
{
    mo_vec3 n;
    double d = r->distance(r->context, mo_vec3_load(x), &n), square = 0, half[3] = {0}, sum = 0;
    for (int c = 0; c < r->dimension; ++c) {
        half[c] = 0.5 * side[c];
        square += half[c] * half[c];
    }
    if (d * d >= square) {
        return d < 0 ? 1 : 0;
    }
    if (halvings == 0) {
        double across = fabs(n.x) * side[0] + fabs(n.y) * side[1] + fabs(n.z) * side[2];
        return fmin(1, fmax(0, across > 0 ? 0.5 - d / across : d < 0));
    }
    int parts = 1 << r->dimension;
    for (int k = 0; k < parts; ++k) {
        const double at[3] = {x[0] + (k & 1 ? 0.5 : -0.5) * half[0],
                              x[1] + (k & 2 ? 0.5 : -0.5) * half[1],
                              x[2] + (k & 4 ? 0.5 : -0.5) * half[2]};
        sum += part_inside(r, at, half, halvings - 1);
    }
    return sum / parts;
}

/* partial: volume of the blocks inside */
static void sum_blocks(void *context, int64_t first, int64_t last, double *partial)
{
    const region *r = context;
    *partial = 0;
    for (int64_t k = first; k < last; ++k) {
        const int64_t at[3] = {k % r->count[0], k / r->count[0] % r->count[1],
                               k / (r->count[0] * r->count[1])};
        double x[3] = {0};
        for (int c = 0; c < r->dimension; ++c) {
            x[c] = r->low[c] + ((double)at[c] + 0.5) * r->side[c];
        }
        double coarse = part_inside(r, x, r->side, HALVINGS - 1);
        double fine = part_inside(r, x, r->side, HALVINGS);
        *partial += fine + (fine - coarse) / 3; /* the error is of second order in the leaf */
    }
}

mote_status mo_region_volume(mo_region_fn *distance, const void *context, mo_vec3 low, mo_vec3 high,
                             int dimension, double leaf, mo_pool *pool, double *volume,
                             mote_error *error)
{
    region r = {.distance = distance, .context = context, .dimension = dimension};
    double block = 1, sum;
    int64_t blocks = 1;
    mo_vec3_store(r.low, low);
    for (int c = 0; c < 3; ++c) {
        double length = mo_vec3_at(high, c) - mo_vec3_at(low, c);
        r.count[c] = c < dimension ? (int64_t)fmax(1, ceil(length / (leaf * (1 << HALVINGS)))) : 1;
        r.side[c] = c < dimension ? length / (double)r.count[c] : 0;
        block *= c < dimension ? r.side[c] : 1;
        blocks *= r.count[c];
    }
    MO_TRY(mo_parallel_reduce(pool, blocks, GRAIN, MO_SUM, 1, sum_blocks, &r, &sum, error));
    *volume = sum * block;
    return MOTE_OK;
}
