/*
 * Surface velocities of colliders: equivalent to a collider in uniform tangential motion, for
 * contacts of each law, implicit steps and fluids.
 */
#include "fluid_worlds.h"

/* ---- a particle on a belt ---- */

#define BELT \
    "{\"time\": {\"end\": 9, \"step\": 0.0005}, \"integrator\": \"%s\", \"bodies\": [{\"radius\": " \
    "0.05, \"mass\": 1, \"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0.05]]}}], " \
    "\"colliders\": [{\"shape\": {\"type\": \"box\", \"min\": [-50, -5, -1], \"max\": [50, 5, " \
    "0]}, \"friction\": 0.3, \"contact\": %s, %s}]}"

static const char SLIDES[] = "\"surface_velocity\": [2, 0, 0]";
static const char MOVES[] = "\"motion\": {\"type\": \"translate\", \"velocity\": [2, 0, 0]}";

/* mu g until it has the speed of the belt, 2 m/s after 0.68 s; then it moves with the belt. */
static void check_ride(const char *integrator, const char *contact, double allowed)
{
    mote_world *slides = world_printf(1, BELT, integrator, contact, SLIDES);
    mote_world *moves = world_printf(1, BELT, integrator, contact, MOVES);
    for (double t = 0.2; t < 1.5; t += 0.2) {
        advance_to(slides, t);
        advance_to(moves, t);
        double ideal = fmin(2, 0.3 * 9.81 * mote_world_time(slides));
        double v = numbers_of(slides, "v")[0], other = numbers_of(moves, "v")[0];
        double x = numbers_of(slides, "x")[0], there = numbers_of(moves, "x")[0];
        if (!(fabs(v - ideal) < 0.02 && fabs(v - other) < allowed && fabs(x - there) < allowed)) {
            fail_msg("%s, %s at t = %g: v = %g, ideal %g; moving belt v = %g; x = %g and %g",
                     integrator, contact, t, v, ideal, other, x, there);
        }
    }
    assert_near(numbers_of(slides, "x")[2], 0.05, 0.002);
    mote_world_destroy(slides);
    mote_world_destroy(moves);
}

static void conveyor_belts_transport_bodies(void **state)
{
    (void)state;
    check_ride("velocity_verlet", "\"bounce\"", 1e-9);
    check_ride("symplectic_euler", "\"bounce\"", 1e-9);
    check_ride("implicit_euler", "\"bounce\"", 1e-6);
    check_ride("velocity_verlet", "{\"type\": \"penalty\", \"stiffness\": 1e5}", 1e-6);
    /* linearised: the belt has moved, the particle has not, where forces are evaluated */
    check_ride("implicit_euler", "{\"type\": \"penalty\", \"stiffness\": 1e5}", 1e-6);
    check_ride("bdf2", "{\"type\": \"penalty\", \"stiffness\": 1e5}", 1e-6);
}

/* Moving anchors are part of the state. */
static void belts_go_on_after_a_restart(void **state)
{
    (void)state;
    const char *contact = "{\"type\": \"penalty\", \"stiffness\": 1e5}";
    mote_world *world = world_printf(1, BELT, "velocity_verlet", contact, SLIDES);
    mote_world *other = world_printf(1, BELT, "velocity_verlet", contact, SLIDES);
    step_by(world, 1501);
    copy_state(world, other);
    step_by(world, 500);
    step_by(other, 500);
    assert_true(mote_world_state_hash(world) == mote_world_state_hash(other));
    mote_world_destroy(world);
    mote_world_destroy(other);
}

/* Only the tangential part acts: bodies on a wedge are not lifted. */
static void only_the_part_along_the_surface_acts(void **state)
{
    (void)state;
    mote_world *world =
        world_printf(1, BELT, "velocity_verlet", "\"bounce\"", "\"surface_velocity\": [1, 0, 5]");
    advance_to(world, 1);
    assert_near(numbers_of(world, "v")[0], 1, 1e-6);
    assert_near(numbers_of(world, "x")[2], 0.05, 1e-6);
    mote_world_destroy(world);
}

/* ---- fluids ---- */

#define COUETTE \
    "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.002}, \"domain\": " \
    "{\"min\": [0, -1, -1], \"max\": [0.4, 1, 1], \"periodic\": \"x\"}, \"fluid\": " \
    "{\"dimension\": 2, \"spacing\": 0.04, \"viscosity\": 0.02, \"boundary\": \"%s\", " \
    "\"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, -0.2, -1], \"max\": [0.4, 0.2, " \
    "1]}]}]}, \"colliders\": [{\"shape\": {\"type\": \"plane\", \"point\": [0, -0.2, 0], " \
    "\"normal\": [0, 1, 0]}}, {\"shape\": {\"type\": \"plane\", \"point\": [0, 0.2, 0], " \
    "\"normal\": [0, -1, 0]}, %s}]}"

static void lids_drive_fluids(void **state)
{
    (void)state;
    static const char *const BOUNDARIES[] = {"continuum", "samples", "fluid_layers"};
    for (size_t k = 0; k < sizeof BOUNDARIES / sizeof *BOUNDARIES; ++k) {
        mote_world *slides =
            world_printf(1, COUETTE, BOUNDARIES[k], "\"surface_velocity\": [0.1, 0, 0]");
        mote_world *moves =
            world_printf(1, COUETTE, BOUNDARIES[k],
                         "\"motion\": {\"type\": \"translate\", \"velocity\": [0.1, 0, 0]}");
        advance_to(slides, 0.5);
        advance_to(moves, 0.5);
        int64_t rows = mo_store_owned(fluid_of(slides)->store);
        double sum = 0, other = 0;
        for (int64_t row = 0; row < rows; ++row) {
            sum += numbers_of(slides, "v")[3 * row];
            other += numbers_of(moves, "v")[3 * row];
        }
        assert_true(sum / (double)rows > 0.01); /* it is entrained */
        assert_near(sum, other, 0.03 * other);
        mote_world_destroy(slides);
        mote_world_destroy(moves);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conveyor_belts_transport_bodies),
        cmocka_unit_test(belts_go_on_after_a_restart),
        cmocka_unit_test(only_the_part_along_the_surface_acts),
        cmocka_unit_test(lids_drive_fluids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
