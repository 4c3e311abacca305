/*
 * The workload of D. Tonnesen's thesis (University of Toronto 1998, section 7.3.5): 1000 particles
 * that fill a volume, Lennard-Jones pairs with a weighting from r0 to 1.4 r0, viscous damping
 * between the same pairs and point damping. An SGI O2 computed 18,978 pairs per second, at 5,940
 * pairs per step, with code that was "not optimized, but rather written for generality"; the gain
 * by profiling was estimated as 4 to 8 times.
 *
 * The arrangement of the particles is not given. A hexagonal lattice at the spacing r0 is in
 * equilibrium and has 5,130 pairs; randomly displaced as in the second test (section 7.3.3) it has
 * about 5,900, and then contracts. Both are timed, the second with steps small enough to prevent
 * motion.
 *
 * A pair counts once, though its force is computed from both sides. The thesis searched neighbours
 * every 10 steps; here every step does, which is part of the time.
 */
#include "base/error.h"
#include "bench/bench.h"
#include "bench/case_world.h"

#include <math.h>

static const double RANGE = 1.4; /* [m] */
static const double THESIS_PAIRS_A_SECOND = 18978;

static const char SCENE[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1e-4}, \"integrator\": \"leapfrog\","
    " \"bodies\": [{\"mesh\": {\"type\": \"hexagonal\", \"nx\": 10, \"ny\": 10, \"nz\": 10, \"spacing\": 1},"
    "              \"mass\": 1000}],"
    " \"forces\": [{\"type\": \"lennard_jones\", \"n\": 4, \"m\": 2, \"r0\": 1, \"e\": 1, \"r_a\": 1,"
    "              \"r_b\": 1.4},"
    "             {\"type\": \"damping_viscous\", \"g\": 0.125, \"range\": 1.4},"
    "             {\"type\": \"damping_point\", \"g\": 0.25}]}";

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* By brute force, independent of the engine's lists. */
static int64_t count_pairs(const mote_world *world)
{
    mote_column x;
    int64_t pairs = 0;
    if (!mote_world_column_find(world, 0, "x", &x)) {
        return 0;
    }
    for (int64_t i = 0; i < x.rows; ++i) {
        for (int64_t j = 0; j < i; ++j) {
            const double *at = x.data;
            pairs += distance(at + 3 * i, at + 3 * j) <= RANGE;
        }
    }
    return pairs;
}

static mote_status time_pairs(const bench *b, mote_world *world, const char *name,
                              mote_error *error)
{
    bench_row row = {.name = name, .threads = 1, .unit = "pairs/s", .baseline = NAN};
    case_stepping s = {.world = world, .steps = b->quick ? 10 : 100};
    case_take_steps(&s); /* untimed: allocates memory */
    int64_t before = count_pairs(world);
    row.seconds = bench_best_seconds(b, case_take_steps, &s) / s.steps;
    int64_t after = count_pairs(world);
    if (s.status != MOTE_OK) {
        return mo_fail(error, s.status, "%s", s.error.text);
    }
    row.rate = 0.5 * (double)(before + after) / row.seconds;
    snprintf(
        row.note, sizeof row.note,
        "%lld pairs a step, %lld at the end; the thesis: %.0f pairs/s, 5940 a step, on an SGI O2 of 1998",
        (long long)before, (long long)after, THESIS_PAIRS_A_SECOND);
    bench_report(b, &row);
    return MOTE_OK;
}

static mote_status run_positions(const bench *b, const char *name, const char *displacement,
                                 mote_error *error)
{
    mote_world *world;
    case_change change[] = {{"bodies[0].mesh.displacement", displacement}, {0}};
    MO_TRY(case_world_create(SCENE, change, 1, &world, error));
    mote_status status = time_pairs(b, world, name, error);
    mote_world_destroy(world);
    return status;
}

static mote_status run_grid(void *context, mote_error *error)
{
    return run_positions(context, "thesis/grid", "0", error);
}

static mote_status run_displaced(void *context, mote_error *error)
{
    return run_positions(context, "thesis/displaced", "0.05", error);
}

static const suite_case CASES[] = {
    {"thesis/grid", "Pairs a second of 1000 particles on a hexagonal grid.", run_grid},
    {"thesis/displaced", "The same, slightly displaced.", run_displaced},
    {0}};

const suite_group bench_thesis = {"thesis", "The workload of D. Tonnesen's thesis (1998).", CASES};
