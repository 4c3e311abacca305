/*
 * Surface reconstruction through the public interface, with a custom allocator, also when it fails.
 */
#include "test.h"

#include "unit/failing_allocator.h"

#include <math.h>
#include <mote/mote.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 9, COUNT = SIDE * SIDE * SIDE };

static void make_block(double *x)
{
    for (int k = 0; k < COUNT; ++k) {
        x[3 * k] = 0.1 * (k % SIDE);
        x[3 * k + 1] = 0.1 * (k / SIDE % SIDE);
        x[3 * k + 2] = 0.1 * (k / SIDE / SIDE);
    }
}

static void points_become_a_mesh(void **state)
{
    (void)state;
    double x[3 * COUNT], heat[COUNT];
    mote_error error = {0};
    mote_surface *surface;
    make_block(x);
    for (int k = 0; k < COUNT; ++k) {
        heat[k] = 7;
    }
    mote_column column = {"heat", "K", MOTE_F64, 1, COUNT, heat};
    mote_surface_options options = mote_surface_options_default();
    options.method = "{\"type\": \"metaball\", \"cell\": 0.4}";
    options.field_count = 1;
    options.fields = &column;
    options.config.threads = 2;
    assert_int_equal(mote_surface_create(COUNT, x, &options, &surface, &error), MOTE_OK);
    mote_surface_mesh mesh = mote_surface_get(surface);
    assert_true(mesh.closed);
    assert_int_equal(mesh.euler, 2);
    assert_true(fabs(mesh.spacing - 0.1) < 1e-12 && fabs(mesh.cell - 0.04) < 1e-12);
    assert_true(fabs(mesh.volume - COUNT * 1e-3) < 0.06 * COUNT * 1e-3);
    assert_int_equal(mesh.vertices - mesh.triangles / 2, 2);
    assert_int_equal(mesh.field_count, 1);
    assert_int_equal(mesh.fields[0].rows, mesh.vertices);
    for (int64_t k = 0; k < mesh.vertices; ++k) {
        assert_true(fabs(((const double *)mesh.fields[0].data)[k] - 7) < 1e-12);
    }
    mote_surface_destroy(surface);
}

static void meshes_are_written_by_their_ending(void **state)
{
    (void)state;
    double x[3 * COUNT];
    mote_error error = {0};
    mote_surface *surface;
    make_block(x);
    assert_int_equal(mote_surface_create(COUNT, x, NULL, &surface, &error), MOTE_OK);
    const char *const good[] = {"surface_api.vtp", "surface_api.ply", "surface_api.obj"};
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(mote_surface_write(surface, good[k], 1.5, &error), MOTE_OK);
        assert_int_equal(access(good[k], R_OK), 0);
        unlink(good[k]);
    }
    assert_int_equal(mote_surface_write(surface, "surface_api", 0, &error), MOTE_ERROR_INPUT);
    assert_int_equal(mote_surface_write(surface, "surface_api.stl", 0, &error), MOTE_ERROR_INPUT);
    assert_says(error.text, "ply");
    mote_surface_destroy(surface);
}

static void nothing_is_an_empty_mesh(void **state)
{
    (void)state;
    mote_error error = {0};
    mote_surface *surface;
    assert_int_equal(mote_surface_create(0, NULL, NULL, &surface, &error), MOTE_OK);
    mote_surface_mesh mesh = mote_surface_get(surface);
    assert_int_equal(mesh.vertices, 0);
    assert_int_equal(mesh.triangles, 0);
    assert_true(mesh.closed);
    assert_int_equal(mote_surface_write(surface, "surface_empty.vtp", 0, &error), MOTE_OK);
    unlink("surface_empty.vtp");
    mote_surface_destroy(surface);
    mote_surface_destroy(NULL);
}

static void misuse_is_reported(void **state)
{
    (void)state;
    double x[6] = {0, 0, 0, 1, 1, (double)NAN};
    mote_error error = {0};
    mote_surface *surface = (mote_surface *)1;
    mote_surface_options options = mote_surface_options_default();
    assert_int_equal(mote_surface_create(-1, x, NULL, &surface, &error), MOTE_ERROR_USAGE);
    assert_null(surface);
    assert_int_equal(mote_surface_create(2, NULL, NULL, &surface, &error), MOTE_ERROR_USAGE);
    assert_int_equal(mote_surface_create(2, x, NULL, &surface, &error), MOTE_ERROR_INPUT);
    assert_says(error.text, "particle 1");
    options.method = "cubes";
    assert_int_equal(mote_surface_create(1, x, &options, &surface, &error), MOTE_ERROR_INPUT);
    assert_says(error.text, "anisotropic");
    options.method = NULL;
    options.spacing = -1;
    assert_int_equal(mote_surface_create(1, x, &options, &surface, NULL), MOTE_ERROR_USAGE);
    mote_column column = {"short", "1", MOTE_F64, 1, 1, x};
    options.spacing = 1;
    options.field_count = 1;
    options.fields = &column;
    x[5] = 1;
    assert_int_equal(mote_surface_create(2, x, &options, &surface, &error), MOTE_ERROR_USAGE);
    assert_says(error.text, "short");
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    double x[3 * COUNT];
    make_block(x);
    mote_column column = {"x", "m", MOTE_F64, 3, COUNT, x};
    for (int64_t fail_at = 0;; ++fail_at) {
        failing_allocator a = {.fail_at = fail_at};
        mote_surface *surface;
        mote_surface_options options = mote_surface_options_default();
        options.config.allocator = (mote_allocator){failing_allocate, failing_release, &a};
        options.config.threads = 1;
        options.method = "{\"type\": \"anisotropic\", \"centers\": 0.5, \"smooth\": 2}";
        options.field_count = 1;
        options.fields = &column;
        mote_status status = mote_surface_create(COUNT, x, &options, &surface, NULL);
        assert_int_equal(status, has_failed(&a) ? MOTE_ERROR_MEMORY : MOTE_OK);
        mote_surface_destroy(surface);
        assert_int_equal(a.live, 0);
        assert_false(a.misused);
        if (status == MOTE_OK) {
            assert_true(fail_at > 20);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_become_a_mesh),
        cmocka_unit_test(meshes_are_written_by_their_ending),
        cmocka_unit_test(nothing_is_an_empty_mesh),
        cmocka_unit_test(misuse_is_reported),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
