/*
 * Limits of the world: particles that leave are removed, reflected or stop the run, for particles,
 * bodies and fluids; particles in free fall are reported.
 */
#include "fluid_worlds.h"

#define BOX "\"domain\": {\"min\": [-1, -1, -1], \"max\": [1, 1, 1], \"outside\": \"%s\"}"
#define TWO \
    "{\"time\": {\"end\": 9, \"step\": 0.001}, " BOX ", \"integrator\": \"%s\", \"bodies\": [{" \
    "\"name\": \"pebbles\", \"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0], [0, 0, 0.9]" \
    "]}, \"velocity\": [0.2, 0, 0]}, {\"name\": \"cloth\", \"mesh\": {\"type\": \"cloth\", " \
    "\"origin\": [-0.5, 0, 0], \"u\": [1, 0, 0], \"v\": [0, 0, 0.8], \"columns\": 5, \"rows\": 5}, " \
    "\"mass\": 1, \"model\": {\"type\": \"spring\", \"k\": 50}}]}"

static int64_t rows_of(mote_world *world)
{
    return column_of(world, 0, "x").rows;
}

/* The cloth is complete until its upper edge has left too. */
static void particles_are_removed(void **state)
{
    (void)state;
    const char *const SCHEMES[] = {"velocity_verlet", "implicit_euler", "abm3"};
    for (int k = 0; k < 3; ++k) {
        mote_world *world = world_printf(1, TWO, "remove", SCHEMES[k]);
        mote_world *other = world_printf(2, TWO, "remove", SCHEMES[k]);
        assert_int_equal(rows_of(world), 27);
        advance_to(world, 0.5); /* falls by 1.23 m */
        assert_int_equal(rows_of(world), 26);
        copy_state(world, other);
        advance_to(world, 0.7);
        advance_to(other, 0.7);
        assert_int_equal(rows_of(world), 0);
        assert_int_equal(rows_of(other), 0);
        mote_world_destroy(world);
        mote_world_destroy(other);
    }
}

static void runs_stop(void **state)
{
    (void)state;
    mote_error error = {0};
    mote_world *world = world_printf(1, TWO, "stop", "velocity_verlet");
    assert_int_not_equal(mote_world_advance(world, 2, NULL, &error), MOTE_OK);
    assert_non_null(strstr(error.text, "has left the domain"));
    assert_near(mote_world_time(world), sqrt(2 / 9.81), 0.01);
    mote_world_destroy(world);
}

/* Without loss: a particle returns to its position, and energy is conserved. */
static void particles_bounce(void **state)
{
    (void)state;
    mote_world *world =
        world_printf(1,
                     "{\"time\": {\"end\": 99, \"step\": 0.001}, " BOX
                     ", \"integrator\": \"velocity_verlet\", \"bodies\": [{"
                     "\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0]]}, "
                     "\"velocity\": [1, 0, 0]}]}",
                     "bounce");
    double first = measures_of(world).kinetic + measures_of(world).potential;
    advance_to(world, 10);
    assert_near(measures_of(world).kinetic + measures_of(world).potential, first, 0.05);
    for (int c = 0; c < 3; ++c) {
        assert_true(fabs(numbers_of(world, "x")[c]) <= 1);
    }
    mote_world_destroy(world);
}

static void fluids_leave(void **state)
{
    (void)state;
#define FLUID \
    "{\"time\": {\"end\": 9, \"step\": 0.002}, " BOX \
    ", \"fluid\": {\"spacing\": 0.1, \"phases\": " \
    "[{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.4, 0.4, 0.4]}]}]}}"
    mote_world *world = world_printf(1, FLUID, "remove"), *other = world_printf(1, FLUID, "remove");
    int64_t first = rows_of(world);
    advance_to(world, 0.49); /* about half of it is below */
    assert_true(rows_of(world) > 0 && rows_of(world) < first);
    copy_state(world, other);
    step_by(world, 10);
    step_by(other, 10);
    assert_true(mote_world_state_hash(world) == mote_world_state_hash(other));
    advance_to(world, 0.7);
    assert_int_equal(rows_of(world), 0);
    mote_world_destroy(world);
    mote_world_destroy(other);
}

static int warnings_with(mote_world *world, const char *text)
{
    int count = 0;
    for (int k = 0; k < mote_world_warning_count(world); ++k) {
        mote_warning w = mote_world_warning(world, k);
        count += strstr(w.text, text) != NULL;
    }
    return count;
}

/* A particle beside the table falls; one above it does not. */
static void falling_for_ever_is_reported(void **state)
{
    (void)state;
#define TABLE \
    "{\"time\": {\"end\": 99, \"step\": 0.01}, \"colliders\": [{\"shape\": {\"type\": \"box\", " \
    "\"min\": [-1, -1, -0.1], \"max\": [1, 1, 0]}}], \"bodies\": [{\"name\": \"crumbs\", \"radius\":" \
    " 0.01, \"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 1], [%g, 0, 1]]}}]}"
    mote_world *falls = world_printf(1, TABLE, 3.0), *stays = world_printf(1, TABLE, 0.5);
    advance_to(falls, 8);
    advance_to(stays, 8);
    assert_int_equal(warnings_with(falls, "1 particles, among them some of 'crumbs'"), 1);
    assert_int_equal(warnings_with(stays, "fallen past"), 0);
    mote_world_destroy(falls);
    mote_world_destroy(stays);
    mote_world *open = world_printf(1, "{\"time\": {\"end\": 99, \"step\": 0.01}, \"bodies\": "
                                       "[{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, "
                                       "1]]}}]}");
    advance_to(open, 8);
    assert_int_equal(warnings_with(open, "the scene has no collider below them"), 1);
    mote_world_destroy(open);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_are_removed),
        cmocka_unit_test(runs_stop),
        cmocka_unit_test(particles_bounce),
        cmocka_unit_test(fluids_leave),
        cmocka_unit_test(falling_for_ever_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
