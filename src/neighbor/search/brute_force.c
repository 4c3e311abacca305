/*
 * Tests all points: the reference for the other structures. Neighbour lists cost rows^2 distances.
 * A template for a new structure.
 */
#include "neighbor/search/search.h"

static const mo_param PARAMS[] = {{0}};

static mote_status brute_force_build(void *instance, const mo_search_points *points, mo_pool *pool,
                                     mote_error *error)
{
    mo_structure *all = instance;
    (void)pool;
    (void)error;
    all->points = *points;
    return MOTE_OK;
}

static int64_t brute_force_near(const void *instance, mo_vec3 position, double radius, int32_t *out,
                                int64_t capacity)
{
    const mo_structure *all = instance;
    int64_t found = 0;
    for (int64_t row = 0; row < all->points.rows; ++row) {
        if (mo_search_within(all->points.x + 3 * row, position, radius * radius)) {
            if (found < capacity) {
                out[found] = (int32_t)row;
            }
            ++found;
        }
    }
    return found;
}

/* There is no structure besides the array. */
static mote_status brute_force_insert(void *instance, const mo_search_points *points,
                                      mote_error *error)
{
    return brute_force_build(instance, points, NULL, error);
}

static mote_status brute_force_remove(void *instance, const mo_search_points *points, int64_t row,
                                      mote_error *error)
{
    mo_search_points fewer = *points;
    (void)row; /* the last row replaces it */
    fewer.rows--;
    return brute_force_build(instance, &fewer, NULL, error);
}

const mo_search_type mo_search_brute_force = {
    .base = {.name = "brute_force",
             .summary = "Tests all pairs: slow, the reference for the other structures.",
             .capabilities = MO_SEARCH_INSERTS | MO_SEARCH_DELETES | MO_PORTABLE,
             .params = PARAMS},
    .layout = {.size = sizeof(mo_structure)},
    .build = brute_force_build,
    .near = brute_force_near,
    .insert = brute_force_insert,
    .remove = brute_force_remove,
};
