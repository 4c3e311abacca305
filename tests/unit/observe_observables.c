/*
 * Observables: counts in shells, normalisation, species, displacements; labels; misuse.
 */
#include "worlds.h"

static double shell_volume(int bin, double width)
{
    double low = bin * width, high = low + width;
    return 4.0 / 3 * 3.14159265358979323846 * (high * high * high - low * low * low);
}

/* A crystal of two species (rock salt): each has 6 of the other at 1, 12 of its own at sqrt 2, 8
 * of the other at sqrt 3. */
static void species_are_distinguished(void **state)
{
    (void)state;
    static const char SCENE[] =
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.1},"
        " \"domain\": {\"min\": [0, 0, 0], \"max\": [8, 8, 8]}, \"species\": [{\"name\": \"na\"}, {\"name\": "
        "\"cl\"}],"
        " \"bodies\": [{\"mesh\": {\"type\": \"lattice\", \"nx\": 4, \"ny\": 4, \"nz\": 4, \"spacing\": 2}},"
        "  {\"species\": \"cl\", \"mesh\": {\"type\": \"lattice\", \"nx\": 4, \"ny\": 4, \"nz\": 4, "
        "\"spacing\": 2,"
        "   \"origin\": [1, 8, -16]}}],"
        " \"observables\": [{\"type\": \"radial_distribution\", \"range\": 1.8, \"bins\": 9, \"between\": "
        "[\"na\", \"cl\"]},"
        "  {\"type\": \"radial_distribution\", \"range\": 1.8, \"bins\": 9, \"between\": [\"cl\"]},"
        "  {\"type\": \"radial_distribution\", \"range\": 1.8, \"bins\": 9}]}";
    /* at 1, 1.41 and 1.73 */
    static const double EXPECTED[3][3] = {{6, 0, 8}, {0, 12, 0}, {6, 12, 8}};
    static const double OTHERS[3] = {256, 255, 511};
    for (int threads = 1; threads < 4; threads += 2) {
        mote_world *world = world_of(SCENE, threads);
        assert_int_equal(mote_world_observable_count(world), 3);
        assert_string_equal(mote_world_observable_name(world, 0), "radial_distribution");
        assert_string_equal(mote_world_observable_name(world, 2), "radial_distribution3");
        for (int k = 0; k < 3; ++k) {
            double g[9];
            observe(world, k, g);
            for (int bin = 0; bin < 9; ++bin) {
                double found = g[bin] * OTHERS[k] / 512 * shell_volume(bin, 0.2);
                const double *shells = EXPECTED[k];
                assert_near(found,
                            bin == 5   ? shells[0]
                            : bin == 7 ? shells[1]
                            : bin == 8 ? shells[2]
                                       : 0,
                            1e-11);
            }
        }
        mote_world_destroy(world);
    }
}

/* An ideal gas in a periodic box: g is 1 within counting statistics. */
static void a_gas_has_no_order(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.1},"
        " \"domain\": {\"min\": [0, 0, 0], \"max\": [10, 10, 10]},"
        " \"bodies\": [{\"mesh\": {\"type\": \"lattice\", \"nx\": 10, \"ny\": 10, \"nz\": 10,"
        "   \"spacing\": 1, \"jitter\": 20}}],"
        " \"observables\": [{\"type\": \"radial_distribution\", \"range\": 2, \"bins\": 8}]}",
        1);
    double g[8];
    observe(world, 0, g);
    for (int bin = 0; bin < 8; ++bin) {
        double pairs = 0.5 * 4000 * 4 * shell_volume(bin, 0.25); /* independent ones */
        assert_near(g[bin], 1, 5 / sqrt(pairs));
    }
    mote_world_destroy(world);
}

/* Without a volume, the mean over the ball is 1. */
static void a_free_cluster_is_normalised_by_itself(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.1},"
        " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0], [1, 0, 0], [0, "
        "2.5, 0]]}}],"
        " \"observables\": [{\"type\": \"radial_distribution\", \"range\": 3, \"bins\": 3}]}",
        1);
    double g[3], sum = 0;
    observe(world, 0, g); /* distances 1, 2.5, 2.69: 0, 1 and 2 pairs */
    for (int bin = 0; bin < 3; ++bin) {
        sum += g[bin] * shell_volume(bin, 1) / (36 * 3.14159265358979323846);
    }
    assert_near(sum, 1, 1e-12);
    assert_near(g[0], 0, 0);
    assert_near(g[2] * shell_volume(2, 1), 2 * g[1] * shell_volume(1, 1), 1e-9);
    char label[40];
    mote_world_observable_label(world, 0, 1, label, sizeof label);
    assert_string_equal(label, "1.5");
    mote_world_observable_label(world, 0, 3, label, sizeof label);
    assert_string_equal(label, "");
    mote_world_destroy(world);
}

/* Positions are unwrapped: a particle that crosses the box five times is displaced by five
 * periods. */
static void ways_go_on_beyond_the_box(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.1},"
        " \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]}, \"species\": [{\"name\": \"a\"}, {\"name\": "
        "\"b\"}],"
        " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0], [0.5, 0, 0]]},"
        "   \"velocity\": [3, 4, 0]}, {\"species\": \"b\", \"mesh\": {\"type\": \"points\","
        "   \"positions\": [[0, 0.5, 0]]}, \"velocity\": [0, 0, 2]},"
        "  {\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0.2, 0]]}, \"pins\": [{\"nodes\": [0]}]}],"
        " \"observables\": [\"mean_square_displacement\","
        "  {\"type\": \"mean_square_displacement\", \"species\": \"b\"}]}",
        1);
    double all[4], some[4];
    step_by(world, 20);
    observe(world, 0, all);
    observe(world, 1, some);
    assert_near(all[0], (100 + 100 + 16) / 3.0, 1e-9); /* pinned particles are excluded */
    assert_near(all[1], 72 / 3.0, 1e-9);
    assert_near(all[3], 16 / 3.0, 1e-9);
    assert_near(some[0], 16, 1e-9);
    mote_world_destroy(world);
}

/* A restored state restores removed particles: the system is rebuilt, observables find their
 * columns in it, and the initial positions are those of the snapshot. */
static void observables_survive_a_restoration(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.1}, \"species\": [{\"name\": \"a\"}],"
        " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0], [1, 0, 0], [3, 0, 0]]},"
        "   \"velocity\": [1, 0, 0]}],"
        " \"observables\": [\"mean_square_displacement\","
        "  {\"type\": \"mean_square_displacement\", \"species\": \"a\"},"
        "  {\"type\": \"radial_distribution\", \"range\": 4, \"bins\": 4, \"between\": [\"a\"]}]}",
        1);
    static const int SIZES[] = {4, 4, 4};
    double before[3][4], after[3][4];
    const uint8_t gone[3] = {0, 1, 0};
    mote_snapshot *snapshot = NULL;
    step_by(world, 1);
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(mote_world_observable_size(world, k), SIZES[k]);
        observe(world, k, before[k]);
    }
    assert_near(before[0][0], 0.01, 1e-15);
    snapshot = snapshot_of(world);
    step_by(world, 3);
    assert_int_equal(mote_world_remove(world, 0, gone, NULL), MOTE_OK);
    observe(world, 0, after[0]);
    assert_near(after[0][0], 0.16, 1e-15);
    assert_int_equal(mote_world_restore(world, snapshot, NULL), MOTE_OK);
    for (int k = 0; k < 3; ++k) {
        observe(world, k, after[k]);
    }
    assert_memory_equal(after, before, sizeof before);
    step_by(world, 1);
    observe(world, 0, after[0]);
    assert_near(after[0][0], 0.04, 1e-15);
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(world);
}

/* The torque of this density about this point overflows. */
static void numbers_out_of_range_are_errors(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"up\": \"y\", \"time\": {\"end\": 1, \"step\": 1e-15}, \"fluid\": {\"dimension\": 2, "
        "\"spacing\": 0.1, \"viscosity\": {\"type\": \"laplacian\", \"nu\": 1e11}, \"phases\": "
        "[{\"density\": 1e149, \"velocity\": [1, 1, 0], \"fill\": [{\"type\": \"box\","
        "  \"min\": [0.1, 0.1, -1], \"max\": [0.6, 0.6, 1]}]}]},"
        " \"colliders\": [{\"shape\": {\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [1, 1, 1]},"
        "  \"inside\": true}], \"observables\": [{\"type\": \"collider_load\", \"about\": [1e150, 0, 0]}]}",
        1);
    mote_error error = {0};
    double load[6];
    observe(world, 0, load);
    step_by(world, 2);
    assert_int_equal(mote_world_observe(world, 0, load, &error), MOTE_ERROR_NUMERIC);
    assert_says(error.text, "torque_z_Nm of the observable 'collider_load'");
    mote_world_destroy(world);
}

static void misuse_is_answered(void **state)
{
    (void)state;
    mote_error error = {0};
    double value;
    mote_world *world = world_of("{\"time\": {\"end\": 1, \"step\": 0.1}}", 1);
    assert_int_equal(mote_world_observable_count(world), 0);
    assert_null(mote_world_observable_name(world, 0));
    assert_int_equal(mote_world_observable_size(world, -1), 0);
    assert_int_equal(mote_world_observe(world, 0, &value, &error), MOTE_ERROR_USAGE);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(species_are_distinguished),
        cmocka_unit_test(a_gas_has_no_order),
        cmocka_unit_test(a_free_cluster_is_normalised_by_itself),
        cmocka_unit_test(ways_go_on_beyond_the_box),
        cmocka_unit_test(observables_survive_a_restoration),
        cmocka_unit_test(numbers_out_of_range_are_errors),
        cmocka_unit_test(misuse_is_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
