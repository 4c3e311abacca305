/*
 * Tables of observables, written and continued; wrapped positions in frames.
 */
#include "worlds.h"

#include "io/output/observations.h"
#include "io/output/wrap.h"

#include <stdlib.h>
#include <unistd.h>

static mote_world *box_world(const char *mesh)
{
    return world_printf(
        1,
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.1},"
        " \"domain\": {\"min\": [-1, 0, 0], \"max\": [1, 3, 3], \"periodic\": \"xy\"},"
        " \"bodies\": [{\"mesh\": %s, \"velocity\": [1.5, 0.1, 7]}],"
        " \"observables\": [\"mean_square_displacement\", {\"type\": \"radial_distribution\", \"range\": 0.9,"
        "   \"bins\": 3}]}",
        mesh);
}

static void read_whole(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* Four rows at once, or two and two more by a resumed run. */
static void tables_go_on(void **state)
{
    (void)state;
    char folder[] = "mote_observations_XXXXXX", base[2][64], path[256], text[2][2000];
    mo_memory memory;
    mote_error error = {0};
    mo_memory_init(&memory, NULL);
    assert_non_null(mkdtemp(folder));
    for (int run = 0; run < 2; ++run) {
        mote_world *world =
            box_world("{\"type\": \"points\", \"positions\": [[0, 0, 0], [0.5, 0, 0.3]]}");
        mo_observations o;
        snprintf(base[run], sizeof base[run], "%s/run%d", folder, run);
        assert_int_equal(mo_observations_init(&o, &memory, ".", "run", world, &error), MOTE_OK);
        for (int row = 0; row < 4; ++row) {
            if (run == 1 && row == 2) { /* one row more than is resumed */
                assert_int_equal(mo_observations_add(&o, world, 0, &error), MOTE_OK);
                assert_int_equal(mo_observations_write(&o, base[run], &error), MOTE_OK);
                mo_observations_release(&o);
                assert_int_equal(mo_observations_init(&o, &memory, ".", "run", world, &error),
                                 MOTE_OK);
                assert_int_equal(mo_observations_resume(&o, base[run], 2, &error), MOTE_OK);
            }
            assert_int_equal(mo_observations_add(&o, world, 0, &error), MOTE_OK);
            step_by(world, 1);
        }
        assert_int_equal(mo_observations_write(&o, base[run], &error), MOTE_OK);
        mo_observations_release(&o);
        mote_world_destroy(world);
    }
    static const char *const NAMES[] = {"mean_square_displacement", "radial_distribution"};
    for (int k = 0; k < 2; ++k) {
        for (int run = 0; run < 2; ++run) {
            snprintf(path, sizeof path, "%s.%s.csv", base[run], NAMES[k]);
            read_whole(path, text[run], sizeof text[run]);
            unlink(path);
        }
        assert_string_equal(text[0], text[1]);
    }
    assert_true(strncmp(text[0], "time_s,0.15,0.45,0.75\n0,", 24) == 0);
    rmdir(folder);
}

static void frames_have_wrapped_positions(void **state)
{
    (void)state;
    mo_memory memory;
    mote_error error = {0};
    mo_wrap wrap;
    mo_memory_init(&memory, NULL);
    mote_world *world =
        box_world("{\"type\": \"points\", \"positions\": [[0.2, -0.5, 9], [-7.25, 3, 0]]}");
    const double *own = numbers_of(world, "x"), *x = own;
    static const double EXPECTED[] = {0.2, 2.5, 9, 0.75, 0, 0};
    mo_wrap_init(&wrap, &memory, world, true);
    assert_int_equal(mo_wrap_positions(&wrap, world, 0, &x, &error), MOTE_OK);
    assert_true(x != own);
    for (int k = 0; k < 6; ++k) {
        assert_near(x[k], EXPECTED[k], 1e-15);
    }
    mo_wrap_release(&wrap);
    x = own;
    mo_wrap_init(&wrap, &memory, world, false);
    assert_int_equal(mo_wrap_positions(&wrap, world, 0, &x, &error), MOTE_OK);
    assert_true(x == own);
    mote_world_destroy(world);
}

/* In a box of 1e18 m the lower corner would absorb the position. */
static void positions_in_a_long_box_stay(void **state)
{
    (void)state;
    mo_memory memory;
    mote_error error = {0};
    mo_wrap wrap;
    mo_memory_init(&memory, NULL);
    mote_world *world = box_world("{\"type\": \"points\", \"positions\": [[0.2, 0, 0]]}");
    const double *x = numbers_of(world, "x");
    mo_wrap_init(&wrap, &memory, world, true);
    assert_true(wrap.domain.periodic[0]);
    wrap.domain.low[0] = -1e18;
    assert_int_equal(mo_wrap_positions(&wrap, world, 0, &x, &error), MOTE_OK);
    assert_true(x[0] == 0.2);
    mo_wrap_release(&wrap);
    mote_world_destroy(world);
}

/* An edge across the boundary would be drawn through the box. */
static void joined_particles_stay_where_they_are(void **state)
{
    (void)state;
    mo_memory memory;
    mote_error error = {0};
    mo_wrap wrap;
    mo_memory_init(&memory, NULL);
    mote_world *world = box_world("{\"type\": \"rope\", \"start\": [0, 0, 0], \"end\": [5, 0, 0]}");
    const double *own = numbers_of(world, "x"), *x = own;
    mo_wrap_init(&wrap, &memory, world, true);
    assert_int_equal(mo_wrap_positions(&wrap, world, 0, &x, &error), MOTE_OK);
    assert_true(x == own);
    mo_wrap_release(&wrap);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_go_on),
        cmocka_unit_test(frames_have_wrapped_positions),
        cmocka_unit_test(positions_in_a_long_box_stay),
        cmocka_unit_test(joined_particles_stay_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
