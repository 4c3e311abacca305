/*
 * Every method: bitwise identical on 1, 2, 3 and 8 threads, with enough particles for several
 * blocks.
 */
#define SAMPLE_SPLITS
#include "method/sample.h"

/* a few steps suffice for the thread sanitizer */
#if SANITIZED
enum { STEPS = 4 };
static const int THREADS[] = {1, 3};
#else
enum { STEPS = 6 };
static const int THREADS[] = {1, 2, 3, 8};
#endif

static void check_method(const mo_family *family, const mo_descriptor *method)
{
    uint64_t expected = 0;
    for (size_t k = 0; k < sizeof THREADS / sizeof *THREADS; ++k) {
        mote_world *world = sample_world(family, method, THREADS[k]);
        take_steps(world, STEPS, method->name);
        uint64_t hash = mote_world_state_hash(world);
        expected = k == 0 ? hash : expected;
        if (hash != expected) {
            fail_msg("%s '%s': %d threads give other bits than one", family->name, method->name,
                     THREADS[k]);
        }
        mote_world_destroy(world);
    }
}

static void same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    for_every_method(check_method);
}

/* Both of two threads must have run blocks eventually. */
static void work_is_shared(void **state)
{
    (void)state;
    mo_catalog catalog;
    mo_catalog_collect(&catalog);
    const mo_family *family = catalog.families[0];
    mote_world *world = sample_world(family, mo_family_at(family, 0), 2);
    for (int k = 0;
         k < 10000 && !(mote_world_worker_blocks(world, 0) && mote_world_worker_blocks(world, 1));
         ++k) {
        take_steps(world, 1, "sharing");
    }
    assert_true(mote_world_worker_blocks(world, 0) > 0);
    assert_true(mote_world_worker_blocks(world, 1) > 0);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits_on_any_number_of_threads),
                                       cmocka_unit_test(work_is_shared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
