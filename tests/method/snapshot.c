/*
 * Every method there is: what it needs between two steps is in declared columns. A run goes on for a while,
 * is put back to a snapshot of the columns and the clock, and goes on again: the same bits, or something is
 * kept elsewhere.
 */
#include "method/sample.h"

#include "world/world.h"

enum { BEFORE = 7, AFTER = 9 };

static void check_method(const mo_family *family, const mo_descriptor *method)
{
    mote_world *world = sample_world(family, method, 1);
    mote_error error = {0};
    mo_snapshot *snapshot;
    take_steps(world, BEFORE, method->name);
    mo_clock_state clock = world->clock;
    mo_step_state rates = world->rates;
    assert_int_equal(mo_snapshot_take(world->systems[0].store, &snapshot, &error), MOTE_OK);
    take_steps(world, AFTER, method->name);
    uint64_t expected = mote_world_state_hash(world);
    assert_int_equal(mo_snapshot_restore(snapshot, world->systems[0].store, &error), MOTE_OK);
    world->clock = clock;
    world->rates = rates;
    take_steps(world, AFTER, method->name);
    if (mote_world_state_hash(world) != expected) {
        fail_msg("%s '%s' remembers something that is not in its columns", family->name, method->name);
    }
    mo_snapshot_destroy(snapshot);
    mote_world_destroy(world);
}

static void all_memory_is_in_columns(void **state)
{
    (void)state;
    for_every_method(check_method);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_memory_is_in_columns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
