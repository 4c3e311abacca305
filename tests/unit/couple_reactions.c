/*
 * Reactions of contacts on colliders: equal and opposite to the momentum change of particles, for a
 * thousand colliders, bitwise identical on any number of threads, and part of a snapshot.
 */
#include "worlds.h"

#include "world/reactions.h"

#include <math.h>

enum { SIDE = 10, COLLIDERS = SIDE * SIDE * SIDE, LENGTH = 1 << 18 };

#define BOUNCE "\"bounce\""
/* soft enough for the step to resolve a contact */
#define PENALTY "{\"type\": \"penalty\", \"penetration\": 1}"

/* A lattice of 1,000 spheres, and particles falling through it. */
static mote_world *rain(const char *contact, int threads)
{
    char *text = malloc(LENGTH);
    int used =
        snprintf(text, LENGTH,
                 "{\"time\": {\"end\": 1, \"step\": 0.002}, \"integrator\": \"velocity_verlet\","
                 " \"bodies\": [{\"radius\": 0.02, \"mass\": 64, \"velocity\": [0.5, 0.3, -2],"
                 "   \"mesh\": {\"type\": \"lattice\", \"kind\": \"sc\", \"nx\": 20, \"ny\": 20,"
                 "   \"nz\": 20, \"spacing\": 0.0517, \"origin\": [0.03, 0.02, 0.04]}}],"
                 " \"observables\": [{\"type\": \"collider_load\"},"
                 "   {\"type\": \"collider_load\", \"collider\": \"c555\", \"about\": [1, 2, 3]}],"
                 " \"colliders\": [");
    for (int k = 0; k < COLLIDERS; ++k) {
        used += snprintf(
            text + used, (size_t)(LENGTH - used),
            "%s{\"name\": \"c%d\", \"restitution\": 0.5, \"friction\": 0.2, \"contact\": %s,"
            " \"shape\": {\"type\": \"sphere\", \"center\": [%g, %g, %g], \"radius\": 0.03}}",
            k ? "," : "", k, contact, 0.05 + 0.1 * (k % SIDE), 0.05 + 0.1 * (k / SIDE % SIDE),
            0.05 + 0.1 * (k / SIDE / SIDE));
    }
    snprintf(text + used, (size_t)(LENGTH - used), "]}");
    mote_world *world = world_of(text, threads);
    free(text);
    return world;
}

/* The change of angular momentum about the origin by gravity in a step of velocity Verlet: h (x
 * + h v/2) cross g, summed with the masses. */
static void add_moment_of_gravity(const mote_world *world, double h, double sum[3])
{
    const double *x = numbers_of(world, "x"), *v = numbers_of(world, "v"),
                 *m = numbers_of(world, "mass");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        sum[0] -= 9.81 * h * m[row] * (x[3 * row + 1] + 0.5 * h * v[3 * row + 1]);
        sum[1] += 9.81 * h * m[row] * (x[3 * row] + 0.5 * h * v[3 * row]);
    }
}

/* Force and torque on all colliders equal the rates of momentum and angular momentum by gravity
 * minus those of the particles: impulses, friction and projections together. */
static void contacts_balance_momentum(void **state)
{
    static const double H = 0.002;
    (void)state;
    mote_world *world = rain(BOUNCE, 2);
    double worst = 0, largest = 0;
    for (int step = 0; step < 40; ++step) {
        mote_measures before = measures_of(world);
        double load[6], lost[6] = {0, 0, -9.81 * 64 * H, 0, 0, 0};
        add_moment_of_gravity(world, H, lost + 3);
        step_by(world, 1);
        mote_measures after = measures_of(world);
        observe(world, 0, load);
        for (int k = 0; k < 3; ++k) {
            lost[k] -= after.momentum[k] - before.momentum[k];
            lost[k + 3] -= after.angular_momentum[k] - before.angular_momentum[k];
        }
        for (int k = 0; k < 6; ++k) {
            worst = fmax(worst, fabs(lost[k] / H - load[k]));
            largest = fmax(largest, fabs(load[k]));
        }
    }
    assert_true(largest > 100); /* N: contacts occurred */
    assert_true(worst < 1e-9 * largest);
    mote_world_destroy(world);
}

static void check_threads(const char *contact)
{
    static const int THREADS[] = {1, 2, 3, 8};
    double first[12], load[12];
    for (int k = 0; k < 4; ++k) {
        mote_world *world = rain(contact, THREADS[k]);
        step_by(world, 15);
        observe(world, 0, load);
        observe(world, 1, load + 6);
        if (k == 0) {
            memcpy(first, load, sizeof load);
        }
        assert_memory_equal(first, load, sizeof load);
        mote_world_destroy(world);
    }
    assert_true(fabs(first[2]) > 1);
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    check_threads(BOUNCE);
    check_threads(PENALTY);
}

static void check_snapshot(const char *contact)
{
    mote_world *world = rain(contact, 1), *other = rain(contact, 1);
    double load[6], again[6];
    step_by(world, 25);
    observe(world, 0, load);
    copy_state(world, other);
    observe(other, 0, again);
    assert_memory_equal(load, again, sizeof load);
    step_by(world, 1);
    step_by(other, 1);
    observe(world, 0, load);
    observe(other, 0, again);
    assert_memory_equal(load, again, sizeof load);
    mote_world_destroy(world);
    mote_world_destroy(other);
}

static void reactions_are_part_of_a_snapshot(void **state)
{
    (void)state;
    check_snapshot(BOUNCE);
    check_snapshot(PENALTY);
}

/* In a world of rigid bodies only: the stored wrench of a moving plate is about its own centre at
 * the end of the step. */
static void reactions_are_about_the_moving_collider(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 0.005},"
        " \"bodies\": [{\"model\": \"rigid\", \"shape\": {\"type\": \"box\","
        "   \"min\": [0.4, -0.1, 0], \"max\": [0.6, 0.1, 0.2]}, \"mass\": 3,"
        "   \"velocity\": [1, 0, 0]}],"
        " \"observables\": [{\"type\": \"collider_load\"}],"
        " \"colliders\": [{\"shape\": {\"type\": \"box\", \"min\": [-2, -1, -0.2],"
        "   \"max\": [4, 1, 0]}, \"motion\": {\"type\": \"translate\", \"velocity\": [1, 0, 0]}}]}",
        1);
    step_by(world, 100);
    const double *origin = mo_f64(mo_store_find(world->reactions, "origin")),
                 *force = mo_f64(mo_store_find(world->reactions, "force")),
                 *torque = mo_f64(mo_store_find(world->reactions, "torque"));
    assert_near(origin[0], mote_world_time(world), 1e-12);
    assert_near(force[2], -3 * 9.81, 1e-6);
    /* the box is at 0.5 m from the origin; contacts are found at the start of the step */
    assert_near(torque[1], 0.5 * 3 * 9.81, 1.01 * 0.005 * 3 * 9.81);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_balance_momentum),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(reactions_are_part_of_a_snapshot),
        cmocka_unit_test(reactions_are_about_the_moving_collider),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
