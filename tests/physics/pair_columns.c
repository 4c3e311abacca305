/*
 * Columns for looking at interacting particles: numbers of neighbours in a crystal, and energies
 * whose sum is that of the world.
 */
#include "worlds.h"

/* fcc with a cell of 1.7: 12 neighbours at 1.20, 6 at 1.70, 24 at 2.08. */
static mote_world *crystal(const char *force)
{
    return world_printf(
        2,
        "{\"gravity\": [0, 0, 0], \"boltzmann\": 1, \"time\": {\"end\": 1, \"step\": 0.001},"
        " \"domain\": {\"min\": [0, 0, 0], \"max\": [8.5, 8.5, 8.5]},"
        " \"bodies\": [{\"mesh\": {\"type\": \"lattice\", \"nx\": 5, \"ny\": 5, \"nz\": 5, \"spacing\": 1.7},"
        "   \"temperature\": 0.5}], \"forces\": [%s]}",
        force);
}

static void neighbors_are_those_within_the_range(void **state)
{
    (void)state;
    static const struct {
        const char *force;
        int count;
    } CASES[] = {{"{\"type\": \"lennard_jones\", \"e\": 1, \"sigma\": 1, \"r_b\": 1.3}", 12},
                 {"{\"type\": \"lennard_jones\", \"e\": 1, \"sigma\": 1, \"r_b\": 1.8}", 18},
                 {"{\"type\": \"lennard_jones\", \"e\": 1, \"sigma\": 1, \"r_b\": 2.2}", 42}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
        mote_world *world = crystal(CASES[k].force);
        mote_column column;
        mote_world_derive(world);
        assert_true(mote_world_column_find(world, 0, "neighbors", &column));
        for (int64_t row = 0; row < column.rows; ++row) {
            assert_int_equal(((const int32_t *)column.data)[row], CASES[k].count);
        }
        mote_world_destroy(world);
    }
}

static void energies_sum_to_the_total(void **state)
{
    (void)state;
    mote_world *world =
        crystal("{\"type\": \"lennard_jones\", \"e\": 1, \"sigma\": 1, \"r_b\": 2.5}");
    mote_measures m;
    mote_error error;
    double sum = 0;
    step_by(world, 20);
    uint64_t hash = mote_world_state_hash(world);
    mote_world_derive(world);
    const double *energy = numbers_of(world, "energy");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        sum += energy[row];
    }
    assert_int_equal(mote_world_measure(world, &m, &error), MOTE_OK);
    assert_near(sum / (m.kinetic + m.potential), 1, 1e-12);
    assert_true(hash == mote_world_state_hash(world));
    mote_world_destroy(world);
}

static void systems_without_pair_potentials_have_none(void **state)
{
    (void)state;
    mote_world *world = crystal("{\"type\": \"damping_point\", \"g\": 1}");
    assert_false(mote_world_column_find(world, 0, "neighbors", NULL));
    assert_false(mote_world_column_find(world, 0, "energy", NULL));
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbors_are_those_within_the_range),
        cmocka_unit_test(energies_sum_to_the_total),
        cmocka_unit_test(systems_without_pair_potentials_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
