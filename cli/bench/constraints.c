/*
 * Position-based bodies: cost of a constraint and iteration, of an xpbd iteration beside a pbd
 * one, its growth with the number of constraints, of the solvers, and of contact of a cloth with
 * itself. On one thread, CPU time. The cost of an iteration is the difference of steps with few
 * and with many iterations, least of the repeats, so that prediction, residuals and contacts
 * cancel.
 *
 * Figures of others, one core of an AMD EPYC (Zen 3): Bullet 15 ns per link and iteration; the
 * PositionBasedDynamics library 71 ns per constraint and iteration (xpbd, distance and bending),
 * and 30 ms per step of 5 iterations of 43,200 tetrahedra with the strain energy, 139 ns each.
 */
#include "base/error.h"
#include "bench/bench.h"
#include "bench/case_world.h"
#include "system/constraints/state.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum { FEW = 2, MANY = 42, STEPS = 3 };

static const char CLOTH[] =
    "{\"time\": {\"end\": 1000, \"step\": 0.005}, \"constraints\": {\"substeps\": 1, \"iterations\": %d},"
    " \"bodies\": [{\"density\": 0.3, \"mesh\": {\"type\": \"cloth\", \"columns\": %d, \"rows\": %d},"
    " \"pins\": [{\"set\": \"v0\"}], \"model\": {\"type\": \"%s\", \"thickness\": 0, \"constraints\": [%s]}}]}";

static const char BLOCK[] =
    "{\"time\": {\"end\": 1000, \"step\": 0.005}, \"constraints\": {\"substeps\": 1, \"iterations\": %d},"
    " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"nx\": %d, \"ny\": %d, \"nz\": 11,"
    " \"tetrahedra\": 5}, \"pins\": [{\"set\": \"z0\"}], \"model\": {\"type\": \"%s\", \"thickness\": 0,"
    " \"constraints\": [%s]}}]}";

static double processor_seconds(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)use.ru_utime.tv_sec + 1e-6 * (double)use.ru_utime.tv_usec +
           (double)use.ru_stime.tv_sec + 1e-6 * (double)use.ru_stime.tv_usec;
}

/* The constraints of a world, those of groups by their rows. */
static double count_constraints(mote_world *world)
{
    const mo_constraint_system *c =
        world->systems[mote_world_system_find(world, "constraints")].state;
    double count = 0;
    for (int64_t k = 0; k < c->set_count; ++k) {
        count += c->sets[k].type->group ? (double)mo_store_owned(c->system->store)
                                        : (double)c->sets[k].count;
    }
    return count;
}

/* CPU seconds of a step, and the number of constraints. */
static mote_status time_text(const bench *b, const char *text, int steps, double *seconds,
                             double *count, mote_error *error)
{
    mote_world *world;
    *seconds = INFINITY;
    MO_TRY(case_world_create(text, NULL, 1, &world, error));
    *count = count_constraints(world);
    mote_status status = mote_world_step(world, NULL, error);
    for (int k = 0; k < b->repeats && status == MOTE_OK; ++k) {
        double start = processor_seconds();
        for (int n = 0; n < steps && status == MOTE_OK; ++n) {
            status = mote_world_step(world, NULL, error);
        }
        *seconds = fmin(*seconds, (processor_seconds() - start) / steps);
    }
    mote_world_destroy(world);
    return status;
}

/* Seconds of a constraint and iteration. */
static mote_status time_iteration(const bench *b, const char *scene, int nx, int ny,
                                  const char *model, const char *constraints, double *seconds,
                                  double *count, mote_error *error)
{
    char text[1500];
    double few, many;
    snprintf(text, sizeof text, scene, FEW, nx, ny, model, constraints);
    MO_TRY(time_text(b, text, STEPS, &few, count, error));
    snprintf(text, sizeof text, scene, MANY, nx, ny, model, constraints);
    MO_TRY(time_text(b, text, STEPS, &many, count, error));
    *seconds = (many - few) / ((MANY - FEW) * *count);
    return MOTE_OK;
}

static void report_cost(const bench *b, const char *name, double seconds, double count,
                        double baseline, const char *note)
{
    bench_row row = {.name = name,
                     .threads = 1,
                     .seconds = seconds,
                     .rate = 1 / seconds,
                     .unit = "constraints/s",
                     .baseline = baseline};
    snprintf(row.note, sizeof row.note, "%.1f ns a constraint and iteration, %.0f constraints%s%s",
             1e9 * seconds, count, *note ? "; " : "", note);
    bench_report(b, &row);
}

/* ---- each constraint ---- */

typedef struct kind {
    const char *name, *constraints, *note;
    bool cloth;
} kind;

static const kind KINDS[] = {
    {"constraints/each/distance", "{\"type\": \"distance\", \"compliance\": 1e-7}",
     "asked for: 10 ns", true},
    {"constraints/each/bend_dihedral", "{\"type\": \"bend_dihedral\", \"compliance\": 1e5}",
     "asked for: 24 ns, a third of PositionBasedDynamics", true},
    {"constraints/each/bend_isometric", "{\"type\": \"bend_isometric\", \"compliance\": 1e5}",
     "asked for: 24 ns, a third of PositionBasedDynamics", true},
    {"constraints/each/cloth", "\"distance\", {\"type\": \"bend_isometric\", \"compliance\": 1e5}",
     "distance and bending, asked for: 24 ns, a third of PositionBasedDynamics", true},
    {"constraints/each/area", "{\"type\": \"area\", \"compliance\": 1e-7}", "", true},
    {"constraints/each/volume", "{\"type\": \"volume\", \"compliance\": 1e-9}", "", false},
    {"constraints/each/strain", "{\"type\": \"strain\", \"compliance\": 1e-5}",
     "six functions each", false},
    {"constraints/each/strain_energy",
     "{\"type\": \"strain_energy\", \"material\": {\"type\": \"stvk\", \"young\": 1e5}}",
     "asked for: 46 ns, a third of PositionBasedDynamics", false},
    {"constraints/each/neo_hookean_pair", "\"neo_hookean_pair\"", "two functions each", false},
    {"constraints/each/shape_match", "{\"type\": \"shape_match\", \"region\": 0.3}",
     "by node, in overlapping clusters", false}};

enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

static mote_status run_each(void *context, mote_error *error)
{
    const bench *b = context;
    for (int k = 0; k < KIND_COUNT; ++k) {
        double seconds, count;
        if (!suite_selects(b->wanted, KINDS[k].name) &&
            !suite_selects(b->wanted, "constraints/each")) {
            continue;
        }
        int n = KINDS[k].cloth ? 100 : 16;
        MO_TRY(time_iteration(b, KINDS[k].cloth ? CLOTH : BLOCK, n, n, "xpbd", KINDS[k].constraints,
                              &seconds, &count, error));
        report_cost(b, KINDS[k].name, seconds, count, NAN, KINDS[k].note);
    }
    return MOTE_OK;
}

/* ---- xpbd beside pbd ---- */

static mote_status run_pbd(void *context, mote_error *error)
{
    static const struct {
        const char *name, *constraints;
        bool cloth;
    } PAIRS[] = {{"constraints/pbd/distance", "\"distance\"", true},
                 {"constraints/pbd/bend_isometric", "\"bend_isometric\"", true},
                 {"constraints/pbd/volume", "\"volume\"", false}};
    const bench *b = context;
    for (int k = 0; k < 3; ++k) {
        double plain, extended, count;
        const char *scene = PAIRS[k].cloth ? CLOTH : BLOCK;
        int n = PAIRS[k].cloth ? 100 : 16;
        MO_TRY(time_iteration(b, scene, n, n, "pbd", PAIRS[k].constraints, &plain, &count, error));
        MO_TRY(
            time_iteration(b, scene, n, n, "xpbd", PAIRS[k].constraints, &extended, &count, error));
        report_cost(b, PAIRS[k].name, extended, count, 1 / plain,
                    "of xpbd, beside pbd in the same run");
    }
    return MOTE_OK;
}

/* ---- growth ---- */

static mote_status run_growth(void *context, mote_error *error)
{
    static const int NODES[] = {50, 100, 200, 400};
    const bench *b = context;
    int sizes = b->quick ? 3 : 4;
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int k = 0; k < sizes; ++k) {
        char name[60];
        double seconds, count;
        snprintf(name, sizeof name, "constraints/growth/%d", NODES[k]);
        MO_TRY(time_iteration(b, CLOTH, NODES[k], NODES[k], "xpbd", "\"distance\"", &seconds,
                              &count, error));
        report_cost(b, name, seconds, count, NAN, "");
        double u = log(count), v = log(seconds * count);
        x += u / sizes;
        y += v / sizes;
        xx += u * u / sizes;
        xy += u * v / sizes;
    }
    bench_row row = {.name = "constraints/growth", .threads = 1, .unit = "exponent", .baseline = 1};
    row.rate = (xy - x * y) / (xx - x * x);
    snprintf(row.note, sizeof row.note, "cost of an iteration ~ constraints^%.3f", row.rate);
    bench_report(b, &row);
    return MOTE_OK;
}

/* ---- solvers ---- */

static mote_status run_solvers(void *context, mote_error *error)
{
    static const char SCENE[] =
        "{\"time\": {\"end\": 1000, \"step\": 0.01}, \"constraints\": {\"substeps\": %d, "
        "\"solver\": \"%s\"}, \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", "
        "\"nx\": 11, \"ny\": 11, \"nz\": 11, \"tetrahedra\": 5}, \"pins\": [{\"set\": \"x0\"}], "
        "\"model\": {\"type\": \"xpbd\", \"thickness\": 0}}]}";
    static const char *const SOLVERS[] = {"gauss_seidel", "jacobi", "newton_gauss_seidel",
                                          "newton"};
    const bench *b = context;
    for (int k = 0; k < 4; ++k) {
        char text[1000], name[80];
        double seconds, count;
        int substeps = k == 3 ? 1 : 10;
        snprintf(text, sizeof text, SCENE, substeps, SOLVERS[k]);
        snprintf(name, sizeof name, "constraints/solvers/%s", SOLVERS[k]);
        MO_TRY(time_text(b, text, STEPS, &seconds, &count, error));
        bench_row row = {.name = name,
                         .threads = 1,
                         .seconds = seconds,
                         .rate = 1 / seconds,
                         .unit = "steps/s",
                         .baseline = NAN};
        snprintf(row.note, sizeof row.note,
                 "%.2f ms a step of %.0f tetrahedra, neo_hookean_pair, %d substep%s with default "
                 "iterations",
                 1e3 * seconds, count, substeps, substeps > 1 ? "s" : "");
        bench_report(b, &row);
    }
    return MOTE_OK;
}

/* ---- contact with itself ---- */

/* Seconds of a step after 0.3 s, when a cloth has fallen on a sphere and folds. */
static mote_status time_fall(const char *model, int columns, double *seconds, mote_error *error)
{
    char text[1000];
    mote_world *world;
    mote_status status = MOTE_OK;
    snprintf(
        text, sizeof text,
        "{\"time\": {\"end\": 1000, \"step\": 0.01}, \"bodies\": [{\"density\": 0.3, \"mesh\": "
        "{\"type\": \"cloth\", \"origin\": [-0.5, -0.5, 0.7], \"columns\": %d, \"rows\": %d}, "
        "\"model\": {\"type\": \"xpbd\"%s}}], \"colliders\": [{\"name\": \"ball\", \"shape\": "
        "{\"type\": \"sphere\", \"center\": [0, 0, 0.4], \"radius\": 0.25}, \"friction\": 0.3}]}",
        columns, columns, model);
    MO_TRY(case_world_create(text, NULL, 1, &world, error));
    for (int k = 0; k < 30 && status == MOTE_OK; ++k) {
        status = mote_world_step(world, NULL, error);
    }
    double start = processor_seconds();
    for (int k = 0; k < 5 && status == MOTE_OK; ++k) {
        status = mote_world_step(world, NULL, error);
    }
    *seconds = (processor_seconds() - start) / 5;
    mote_world_destroy(world);
    return status;
}

static mote_status run_self(void *context, mote_error *error)
{
    const bench *b = context;
    int columns = b->quick ? 31 : 61;
    double with, without, none;
    MO_TRY(time_fall("", columns, &with, error));
    MO_TRY(time_fall(", \"self\": false", columns, &without, error));
    MO_TRY(time_fall(", \"thickness\": 0", columns, &none, error));
    bench_row row = {.name = "constraints/self",
                     .threads = 1,
                     .seconds = with,
                     .rate = 1 / with,
                     .unit = "steps/s",
                     .baseline = 1 / without};
    snprintf(row.note, sizeof row.note,
             "cloth of %d triangles that has fallen on a sphere, %.1f ms a step; without contact "
             "with itself %.1f ms, without contact of surfaces %.1f ms; at most twice is asked for",
             2 * (columns - 1) * (columns - 1), 1e3 * with, 1e3 * without, 1e3 * none);
    bench_report(b, &row);
    return MOTE_OK;
}

static const suite_case CASES[] = {
    {"constraints/each/", "Cost of every constraint and iteration.", run_each},
    {"constraints/pbd", "An iteration of xpbd beside one of pbd.", run_pbd},
    {"constraints/growth", "Cost of an iteration over the number of constraints.", run_growth},
    {"constraints/solvers", "A step with each solver.", run_solvers},
    {"constraints/self", "A cloth step with and without contact with itself.", run_self},
    {0}};

const suite_group bench_constraints = {
    "constraints", "Position-based bodies: cost per constraint, solvers and contact.", CASES};
