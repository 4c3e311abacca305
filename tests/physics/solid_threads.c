/*
 * Bitwise identical on any number of threads: every linear solver, consistent masses, contact
 * between bodies, on several blocks of rows. (bits/solid_threads tests every implicit integrator on
 * 53,240 elements; it takes longer.)
 */
#include "worlds.h"

#include <inttypes.h>

#define BLOCK(low, high, mass) \
    "{\"density\": 1000, \"velocity\": [0, 0.1, -0.5], \"mesh\": {\"type\": \"block\", \"min\": " low \
    ", \"max\": " high \
    ", \"nx\": 13, \"ny\": 13, \"nz\": 13, \"tetrahedra\": 5}, \"model\": {\"type\": " \
    "\"fem\", \"mass\": \"" mass \
    "\", \"damping_stiffness\": 0.001, \"material\": {\"type\": \"corotated\"," \
    " \"young\": 1e5, \"poisson\": 0.3}}}"

static const char SCENE[] =
    "{\"time\": {\"end\": 1, \"step\": 0.004}, \"integrator\": {\"type\": \"%s\", \"iterations\": 2, "
    "\"solver\": %s},"
    " \"body_contact\": {\"stiffness\": 1, \"friction\": 0.3},"
    " \"colliders\": [{\"shape\": {\"type\": \"plane\"}, \"friction\": 0.3}],"
    " \"bodies\": [" BLOCK("[0, 0, 0]", "[1, 1, 1]", "lumped") ", " BLOCK(
        "[0.1, 0.07, 1.003]", "[1.1, 1.07, 2]", "consistent") "]}";

static uint64_t hash_with(const char *integrator, const char *solver, int threads, int64_t *busy)
{
    mote_world *world = world_printf(threads, SCENE, integrator, solver);
    step_by(world, 2);
    uint64_t hash = mote_world_state_hash(world);
    *busy = mote_world_worker_blocks(world, 0);
    mote_world_destroy(world);
    return hash;
}

static void solvers_do_not_mind_threads(void **state)
{
    static const struct {
        const char *integrator, *solver;
    } CASES[] = {{"implicit_euler", "\"cholesky\""},
                 {"implicit_euler", "{\"type\": \"gauss_seidel\", \"iterations\": 40}"},
                 {"newmark", "{\"type\": \"jacobi\", \"iterations\": 40}"},
                 {"bdf2", "\"cg\""}};
    static const int THREADS[] = {1, 2, 3, 8};
    (void)state;
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; ++c) {
        uint64_t first = 0;
        for (int k = 0; k < 4; ++k) {
            int64_t busy;
            uint64_t hash = hash_with(CASES[c].integrator, CASES[c].solver, THREADS[k], &busy);
            first = k == 0 ? hash : first;
            assert_true(busy > 0);
            assert_true(hash == first);
        }
        print_message("%s, %s: %016" PRIx64 "\n", CASES[c].integrator, CASES[c].solver, first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(solvers_do_not_mind_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
