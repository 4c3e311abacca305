/*
 * Volumes of regions by subdivision, compared with closed forms.
 */
#include "test.h"

#include "failing_allocator.h"
#include "geometry/shape/volume.h"
#include "numbers.h"

#include <math.h>

#define PI 3.14159265358979323846

static const double RADIUS = 0.3;

static double ball(const void *context, mo_vec3 x, mo_vec3 *normal)
{
    (void)context;
    double length = mo_length(x);
    *normal = length > 0 ? mo_scale(1 / length, x) : mo_vec3_make(1, 0, 0);
    return length - RADIUS;
}

/* The part of the ball above z = 0.1. */
static double cap(const void *context, mo_vec3 x, mo_vec3 *normal)
{
    double distance = ball(context, x, normal), below = 0.1 - x.z;
    if (below > distance) {
        *normal = mo_vec3_make(0, 0, -1);
    }
    return fmax(distance, below);
}

static double nothing(const void *context, mo_vec3 x, mo_vec3 *normal)
{
    (void)context, (void)x;
    *normal = mo_vec3_make(0, 0, 0);
    return -INFINITY;
}

static double volume_of(mo_region_fn *region, int dimension, double leaf)
{
    mo_vec3 low = {-0.37, -0.41, -0.33}, high = {0.39, 0.35, 0.43};
    failing_allocator allocator;
    mo_memory memory = failing_memory(&allocator, -1);
    mo_pool *pool;
    double volume;
    assert_int_equal(mo_pool_create(&memory, 2, &pool, NULL), MOTE_OK);
    assert_int_equal(
        mo_region_volume(region, NULL, low, high, dimension, leaf, pool, &volume, NULL), MOTE_OK);
    mo_pool_destroy(pool);
    return volume;
}

static void curved_regions_have_their_volume(void **state)
{
    (void)state;
    double sphere = 4 * PI / 3 * RADIUS * RADIUS * RADIUS, disc = PI * RADIUS * RADIUS;
    assert_true(fabs(volume_of(ball, 3, 0.0125) / sphere - 1) < 2e-4);
    assert_true(fabs(volume_of(ball, 3, 0.025) / sphere - 1) < 2e-3);
    assert_true(fabs(volume_of(ball, 2, 0.01) / disc - 1) < 1e-4);
    assert_true(fabs(volume_of(cap, 3, 0.0125) / (PI * 0.04 * (RADIUS - 0.2 / 3)) - 1) < 1e-3);
}

/* An unbounded region is the box. */
static void boxes_are_exact(void **state)
{
    (void)state;
    assert_near(volume_of(nothing, 3, 0.1), 0.76 * 0.76 * 0.76, 1e-12);
    assert_near(volume_of(nothing, 2, 0.1), 0.76 * 0.76, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(curved_regions_have_their_volume),
                                       cmocka_unit_test(boxes_are_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
