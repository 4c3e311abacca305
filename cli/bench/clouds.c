#include "bench/clouds.h"

#include "base/error.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLUSTER = 1000 };

static void fill_volume(bench_cloud *c)
{
    int64_t side = (int64_t)ceil(cbrt((double)c->rows) - 1e-9);
    for (int64_t row = 0; row < c->rows; ++row) {
        mo_vec3 lattice = {(double)(row % side), (double)(row / side % side),
                           (double)(row / side / side)};
        mo_vec3_store(c->x + 3 * row,
                      mo_add_scaled(lattice, 0.2, mo_random_cube(1, 0, (uint64_t)row, 0)));
    }
}

static mo_vec3 normal_vector(uint64_t id, uint32_t stream)
{
    double a[2], b[2];
    mo_random_normal(1, stream, id, 0, a);
    mo_random_normal(1, stream, id, 1, b);
    return mo_vec3_make(a[0], a[1], b[0]);
}

static void fill_surface(bench_cloud *c)
{
    double radius = sqrt((double)c->rows / (4 * 3.14159265358979323846));
    for (int64_t row = 0; row < c->rows; ++row) {
        mo_vec3 unit = mo_unit(normal_vector((uint64_t)row, 1), mo_vec3_make(1, 0, 0));
        mo_vec3_store(c->x + 3 * row, mo_scale(radius, unit));
    }
}

static void fill_clustered(bench_cloud *c)
{
    /* (2 pi)^(3/2) */
    double half = 2 * cbrt((double)c->rows), sigma = cbrt(CLUSTER / 15.749609945722419);
    for (int64_t row = 0; row < c->rows; ++row) {
        mo_vec3 middle = mo_scale(half, mo_random_cube(1, 2, (uint64_t)(row / CLUSTER), 0));
        mo_vec3_store(c->x + 3 * row,
                      mo_add_scaled(middle, sigma, normal_vector((uint64_t)row, 3)));
    }
}

const bench_distribution BENCH_DISTRIBUTIONS[BENCH_DISTRIBUTION_COUNT] = {
    {"volume", fill_volume, false},
    {"shuffled", fill_volume, true},
    {"surface", fill_surface, false},
    {"clustered", fill_clustered, false}};

/* Random permutation (Fisher, Yates). */
static void shuffle(bench_cloud *c)
{
    for (int64_t row = c->rows - 1; row > 0; --row) {
        int64_t other = mo_random_words(1, 4, (uint64_t)row, 0).word[0] % (row + 1);
        mo_vec3 a = mo_vec3_load(c->x + 3 * row), b = mo_vec3_load(c->x + 3 * other);
        mo_vec3_store(c->x + 3 * row, b);
        mo_vec3_store(c->x + 3 * other, a);
    }
}

static mote_status sort_rows(bench_cloud *c, double width, mo_memory *memory, mo_pool *pool,
                             mote_error *error)
{
    int64_t *order = malloc((size_t)c->rows * sizeof *order);
    double *sorted = malloc((3 * (size_t)c->rows + 1) * sizeof *sorted);
    mote_status status = MOTE_ERROR_MEMORY;
    if (order && sorted) {
        status = mo_search_order(memory, c->rows, c->x, width, pool, order, error);
    }
    for (int64_t row = 0; status == MOTE_OK && row < c->rows; ++row) {
        memcpy(sorted + 3 * row, c->x + 3 * order[row], 3 * sizeof *sorted);
    }
    free(c->x);
    free(order);
    c->x = sorted;
    return status;
}

mote_status bench_cloud_make(bench_cloud *c, const bench_distribution *d, int64_t rows,
                             double width, mo_memory *memory, mo_pool *pool, mote_error *error)
{
    *c = (bench_cloud){rows, malloc((3 * (size_t)rows + 1) * sizeof(double))};
    if (!c->x) {
        return mo_fail_memory(error, 24 * (size_t)rows);
    }
    d->fill(c);
    if (d->shuffled) {
        shuffle(c);
        return MOTE_OK;
    }
    return sort_rows(c, width, memory, pool, error);
}
