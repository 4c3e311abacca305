/*
 * Maxwell-Boltzmann velocities: exact temperature, without drift, independent of threads.
 */
#include "worlds.h"

static mote_world *gas(const char *body, int threads)
{
    return world_printf(
        threads,
        "{\"gravity\": [0, 0, 0], \"boltzmann\": 0.5, \"time\": {\"end\": 1, \"step\": 1e-3}, "
        "\"bodies\": [{%s}]}",
        body);
}

#define CUBE \
    "\"mesh\": {\"type\": \"lattice\", \"kind\": \"sc\", \"nx\": 30, \"ny\": 30, \"nz\": 30, \"spacing\": " \
    "1}"

static void temperature_is_exact_and_nothing_drifts(void **state)
{
    (void)state;
    mote_world *world = gas(CUBE ", \"temperature\": 300, \"mass\": 54000, \"seed\": 5", 0);
    mote_measures m = measures_of(world);
    double speed = sqrt(3 * 0.5 * 300 / 2), rows = 27000;
    assert_near(m.temperature, 300, 300 * 1e-12);
    assert_near(m.kinetic, 1.5 * (rows - 1) * 0.5 * 300, 1e-9 * m.kinetic);
    for (int k = 0; k < 3; ++k) {
        assert_near(m.momentum[k], 0, 1e-12 * rows * speed);
    }
    mote_world_destroy(world);
}

/* n normal numbers: the mean of the squares is 1 within 5 sqrt(2/n), that of the fourth powers 3
 * within 5 sqrt(96/n); axes are independent. */
static void velocities_are_normal(void **state)
{
    (void)state;
    mote_world *world = gas(CUBE ", \"temperature\": 2, \"seed\": 9", 0);
    const double *v = numbers_of(world, "v");
    double n = 27000, second[3] = {0}, fourth[3] = {0}, mixed[3] = {0};
    for (int64_t row = 0; row < 27000; ++row) {
        for (int k = 0; k < 3; ++k) {
            double u = v[3 * row + k]; /* kB T/m = 1 */
            second[k] += u * u / n;
            fourth[k] += u * u * u * u / n;
            mixed[k] += u * v[3 * row + (k + 1) % 3] / n;
        }
    }
    for (int k = 0; k < 3; ++k) {
        assert_near(second[k], 1, 5 * sqrt(2 / n));
        assert_near(fourth[k], 3, 5 * sqrt(96 / n));
        assert_near(mixed[k], 0, 5 / sqrt(n));
    }
    mote_world_destroy(world);
}

static void seeds_and_threads(void **state)
{
    (void)state;
    mote_world *one = gas(CUBE ", \"temperature\": 2", 1),
               *three = gas(CUBE ", \"temperature\": 2", 3),
               *other = gas(CUBE ", \"temperature\": 2, \"seed\": 1", 1);
    assert_same_state(one, three);
    assert_true(mote_world_state_hash(one) != mote_world_state_hash(other));
    mote_world_destroy(one);
    mote_world_destroy(three);
    mote_world_destroy(other);
}

/* Added to `velocity`; pinned particles are fixed; light particles are faster. */
static void on_top_of_a_velocity(void **state)
{
    (void)state;
    mote_world *world = gas(
        CUBE ", \"temperature\": 2, \"velocity\": [10, 0, 0], \"pins\": [{\"nodes\": [0, 26999]}]",
        0);
    const double *v = numbers_of(world, "v");
    double mean = 0;
    for (int64_t row = 0; row < 27000; ++row) {
        mean += v[3 * row] / 26998;
    }
    assert_near(mean, 10, 1e-12);
    for (int k = 0; k < 3; ++k) {
        assert_near(v[k], 0, 0);
        assert_near(v[3 * 26999 + k], 0, 0);
    }
    mote_world_destroy(world);
}

static void a_single_particle_keeps_what_it_drew(void **state)
{
    (void)state;
    mote_world *world = gas(
        "\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0]]}, \"temperature\": 2, \"seed\": 3",
        1);
    const double *v = numbers_of(world, "v");
    double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    assert_true(square > 1e-3 && square < 30);
    assert_near(measures_of(world).temperature, 0, 0);
    mote_world_destroy(world);
}

#define BATH "\"gravity\": [0, 0, 0], \"boltzmann\": 1, \"time\": {\"end\": 9, \"step\": 0.01}"
#define DROP(name, x, more) \
    "{\"name\": \"" name \
    "\", \"mass\": 8, \"temperature\": 3, \"velocity\": [1, 0, 0], \"mesh\": {\"type\": " \
    "\"lattice\", \"kind\": \"sc\", \"nx\": 2, \"ny\": 2, \"nz\": 2, \"spacing\": 1, \"origin\": [" x \
    ", 0, 0]}" more "}"

/* Scaling acts on the motion relative to the mean of its bodies: momentum is conserved, others
 * keep their velocities to the last bit. The temperature of a moving target is reached exactly. */
static void thermostats_act_on_their_bodies(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{" BATH ", \"bodies\": [" DROP("a", "0", "") ", " DROP(
            "b", "9",
            ", \"seed\": 1") "], "
                             "\"thermostats\": [{\"type\": \"rescale\", \"temperature\": [[0, 1], [1, 5]], \"bodies\": "
                             "[\"b\"]}]}",
        2);
    double before[48], drift[3] = {0}, twice = 0;
    memcpy(before, numbers_of(world, "v"), sizeof before);
    step_by(world, 50);
    const double *v = numbers_of(world, "v");
    for (int k = 0; k < 48; ++k) {
        assert_true(k >= 24 || v[k] == before[k]);
        drift[k % 3] += k < 24 ? 0 : v[k] / 8;
    }
    for (int k = 24; k < 48; ++k) {
        twice += (v[k] - drift[k % 3]) * (v[k] - drift[k % 3]);
    }
    assert_near(drift[0], 1, 1e-14);
    assert_near(drift[1], 0, 1e-14);
    assert_near(twice / 21, 3, 1e-12); /* 1 + 4 t at t = 0.5 */
    mote_world_destroy(world);
}

/* The same random velocities on any number of threads and after a restart. */
static void random_velocities_are_repeated(void **state)
{
    (void)state;
    static const char SCENE[] =
        "{" BATH ", \"bodies\": [{" CUBE ", \"temperature\": 3}], \"thermostats\": [{\"type\": "
        "\"langevin\", \"temperature\": 1, \"time\": 0.2}]}";
    mote_world *one = world_of(SCENE, 1), *three = world_of(SCENE, 3);
    step_by(one, 8);
    step_by(three, 5);
    mote_world *resumed = world_of(SCENE, 2);
    copy_state(three, resumed);
    step_by(resumed, 3);
    assert_same_state(one, resumed);
    mote_world_destroy(one);
    mote_world_destroy(three);
    mote_world_destroy(resumed);
}

static void particles_at_rest_are_reported(void **state)
{
    (void)state;
    mote_world *world = world_of("{" BATH ", \"bodies\": [{" CUBE "}], \"thermostats\": [300]}", 1);
    need_warning(world, "all particles are at rest");
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(temperature_is_exact_and_nothing_drifts),
        cmocka_unit_test(velocities_are_normal),
        cmocka_unit_test(seeds_and_threads),
        cmocka_unit_test(on_top_of_a_velocity),
        cmocka_unit_test(a_single_particle_keeps_what_it_drew),
        cmocka_unit_test(thermostats_act_on_their_bodies),
        cmocka_unit_test(random_velocities_are_repeated),
        cmocka_unit_test(particles_at_rest_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
