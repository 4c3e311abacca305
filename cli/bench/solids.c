/*
 * Finite element bodies: cost of implicit steps, its growth with the number of elements, and static
 * and modal solves compared with CalculiX. On one thread, CPU time, best of the repeats.
 *
 * solids/step: a lattice of 16^3 nodes with five tetrahedra per cell (16,875), 1 m, 1000 kg/m^3, E
 * 1e5 Pa, nu 0.3, corotational, fixed at its bottom; steps of 49 ms of implicit_euler, one Newton
 * iteration, cg to a residual of 1e-4, including assembly; the mean of the first 20 steps, in which
 * the body sags and oscillates. solids/growth: the same for lattices of 8^3 to 40^3 nodes, and the
 * exponent of the cost in the number of elements by least squares of the logarithms. CG iterations
 * grow at most with the nodes along an edge, n^(1/3): hence 4/3.
 *
 * solids/linear, solids/nonlinear, solids/modes: a cantilever of 1 m x 0.1 m x 0.1 m, 19,840
 * tetrahedra, E 1e7 Pa, with a tip load of 1 N (linear) and of 300 N, which displaces it by 0.7 m
 * (stvk; CalculiX's NLGEOM is the same material), and its three lowest frequencies. The creation of
 * the world with its mesh is included, as CalculiX reads its input. mote converges to 1e-8 of the
 * load, CalculiX, with its settings, below 0.5 % (0.1 % here, after 8 iterations in one increment).
 */
#include "analysis/static.h"
#include "base/error.h"
#include "bench/bench.h"
#include "bench/case_world.h"
#include "geometry/generate/generate.h"
#include "peer/calculix.h"
#include "system/forces/state.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

static const char LATTICE[] =
    "{\"time\": {\"end\": 1000, \"step\": 0.049},"
    " \"integrator\": {\"type\": \"implicit_euler\", \"solver\": {\"type\": \"cg\", \"tolerance\": 1e-4}},"
    " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"nx\": %d, \"ny\": %d, \"nz\": %d,"
    "   \"tetrahedra\": 5}, \"model\": {\"type\": \"fem\", \"material\": {\"type\": \"corotated\", "
    "\"young\": 1e5,"
    "   \"poisson\": 0.3}}, \"pins\": [{\"set\": \"z0\"}]}]}";

static const char BEAM[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001},"
    " \"integrator\": {\"type\": \"implicit_euler\", \"solver\": \"cholesky\"},"
    " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"max\": [1, 0.1, 0.1], \"nx\": 63,"
    "   \"ny\": 9, \"nz\": 9, \"tetrahedra\": 5}, \"model\": {\"type\": \"fem\", \"material\": {\"type\": "
    "\"%s\","
    "   \"young\": 1e7, \"poisson\": 0.3}},"
    "  \"pins\": [{\"set\": \"x0\"}], \"loads\": [{\"set\": \"x1\", \"force\": [0, 0, -%g]}]}]}";

enum { STEPS = 20, FREQUENCIES = 3 };

static double processor_seconds(int who)
{
    struct rusage use;
    getrusage(who, &use);
    return (double)use.ru_utime.tv_sec + 1e-6 * (double)use.ru_utime.tv_usec +
           (double)use.ru_stime.tv_sec + 1e-6 * (double)use.ru_stime.tv_usec;
}

/* ---- steps ---- */

/* fast_corotated bodies need no integrator. */
static const char FAST[] =
    "{\"time\": {\"end\": 1000, \"step\": 0.049},"
    " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"nx\": %d, \"ny\": %d, \"nz\": %d,"
    "   \"tetrahedra\": 5}, \"model\": {\"type\": \"fast_corotated\", \"young\": 1e5, \"poisson\": %g, "
    "\"coupling\": \"%s\"}, \"pins\": [{\"set\": \"z0\"}]}]}";

typedef struct lattice_cost {
    double seconds, elements, iterations; /* per step */
} lattice_cost;

/* `warm`: one step before the timed ones, which factors a constant matrix. */
static mote_status time_scene(const char *text, bool warm, int nodes, int repeats,
                              lattice_cost *cost, mote_error *error)
{
    cost->seconds = INFINITY;
    cost->elements = 5 * pow(nodes - 1, 3);
    for (int k = 0; k < repeats; ++k) {
        mote_world *world;
        mote_step_report report;
        mote_status status = MOTE_OK;
        MO_TRY(case_world_create(text, NULL, 1, &world, error));
        status = warm ? mote_world_step(world, NULL, error) : MOTE_OK;
        cost->iterations = 0;
        double start = processor_seconds(RUSAGE_SELF);
        for (int n = 0; n < STEPS && status == MOTE_OK; ++n) {
            status = mote_world_step(world, &report, error);
            cost->iterations += (double)report.linear_iterations / STEPS;
        }
        cost->seconds = fmin(cost->seconds, (processor_seconds(RUSAGE_SELF) - start) / STEPS);
        mote_world_destroy(world);
        MO_TRY(status);
    }
    return MOTE_OK;
}

static mote_status time_lattice(int nodes, int repeats, lattice_cost *cost, mote_error *error)
{
    char text[sizeof LATTICE + 40];
    snprintf(text, sizeof text, LATTICE, nodes, nodes, nodes);
    return time_scene(text, false, nodes, repeats, cost, error);
}

static mote_status run_step(void *context, mote_error *error)
{
    const bench *b = context;
    bench_row row = {.name = "solids/step", .threads = 1, .unit = "steps/s", .baseline = NAN};
    lattice_cost cost;
    MO_TRY(time_lattice(16, b->repeats, &cost, error));
    row.seconds = cost.seconds;
    row.rate = 1 / cost.seconds;
    snprintf(
        row.note, sizeof row.note,
        "%.2f ms a step with %.1f iterations; asked for: 15 ms on a core of 100 GFLOP/s and 25 GB/s",
        1e3 * cost.seconds, cost.iterations);
    bench_report(b, &row);
    return MOTE_OK;
}

/* 17^3 nodes, 20,480 tetrahedra: fast_corotated beside implicit_euler with corotated, at the same
 * step. */
static mote_status run_fast(void *context, mote_error *error)
{
    static const struct {
        const char *name, *coupling;
        double poisson;
    } KINDS[] = {{"solids/fast_corotated/iterated", "iterated", 0.3},
                 {"solids/fast_corotated/weak", "weak", 0.3},
                 {"solids/fast_corotated/stretch", "iterated", 0}};
    enum { NODES = 17 };
    const bench *b = context;
    lattice_cost fem, fast;
    for (int k = 0; k < 3; ++k) {
        char text[sizeof FAST + 100];
        bench_row row = {.name = KINDS[k].name, .threads = 1, .unit = "steps/s"};
        snprintf(text, sizeof text, FAST, NODES, NODES, NODES, KINDS[k].poisson, KINDS[k].coupling);
        MO_TRY(time_lattice(NODES, b->repeats, &fem, error));
        MO_TRY(time_scene(text, true, NODES, b->repeats, &fast, error));
        row.seconds = fast.seconds;
        row.rate = 1 / fast.seconds;
        row.baseline = 1 / fem.seconds;
        snprintf(row.note, sizeof row.note,
                 "%.2f ms a step, implicit_euler with corotated, cg to 1e-4: %.2f ms; a ratio of 3 "
                 "is asked for",
                 1e3 * fast.seconds, 1e3 * fem.seconds);
        bench_report(b, &row);
    }
    return MOTE_OK;
}

static mote_status run_growth(void *context, mote_error *error)
{
    static const int NODES[] = {8, 12, 16, 24, 32, 40};
    const bench *b = context;
    int count = b->quick ? 3 : 6;
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int k = 0; k < count; ++k) {
        char name[40];
        lattice_cost cost;
        snprintf(name, sizeof name, "solids/growth/%d", NODES[k]);
        bench_row row = {.name = name, .threads = 1, .unit = "element-steps/s", .baseline = NAN};
        MO_TRY(time_lattice(NODES[k], NODES[k] > 20 ? 1 : b->repeats, &cost, error));
        row.seconds = cost.seconds;
        row.rate = cost.elements / cost.seconds;
        snprintf(row.note, sizeof row.note, "%.0f elements, %.2f ms a step, %.1f iterations",
                 cost.elements, 1e3 * cost.seconds, cost.iterations);
        bench_report(b, &row);
        double u = log(cost.elements), v = log(cost.seconds);
        x += u / count;
        y += v / count;
        xx += u * u / count;
        xy += u * v / count;
    }
    bench_row row = {
        .name = "solids/growth", .threads = 1, .unit = "exponent", .baseline = 4.0 / 3};
    row.rate = (xy - x * y) / (xx - x * x);
    snprintf(row.note, sizeof row.note,
             "cost of a step ~ elements^%.3f; no more than 4/3 is asked for", row.rate);
    bench_report(b, &row);
    return MOTE_OK;
}

/* ---- CalculiX ---- */

static mote_status solve(calculix_kind kind, mote_world *world, mote_static_report *report,
                         mote_error *error)
{
    double omega[FREQUENCIES];
    return kind == CALCULIX_FREQUENCIES ? mote_world_modes(world, FREQUENCIES, omega, NULL, error)
                                        : mote_world_solve_static(world, NULL, report, error);
}

static void text_of(calculix_kind kind, char *text, size_t size)
{
    snprintf(text, size, BEAM, kind == CALCULIX_NONLINEAR ? "stvk" : "linear",
             kind == CALCULIX_NONLINEAR ? 300.0 : 1.0);
}

static mote_status time_ours(const bench *b, calculix_kind kind, double *seconds,
                             mote_static_report *report, mote_error *error)
{
    char text[sizeof BEAM + 40];
    text_of(kind, text, sizeof text);
    *seconds = INFINITY;
    for (int k = 0; k < b->repeats; ++k) {
        mote_world *world;
        double start = processor_seconds(RUSAGE_SELF);
        MO_TRY(case_world_create(text, NULL, 1, &world, error));
        mote_status status = solve(kind, world, report, error);
        *seconds = fmin(*seconds, processor_seconds(RUSAGE_SELF) - start);
        mote_world_destroy(world);
        MO_TRY(status);
    }
    return MOTE_OK;
}

/* The nodal loads of the scene: the forces on the undeformed body. */
static mote_status find_load(mote_world *world, double *f, mote_error *error)
{
    mo_system *system;
    MO_TRY(mo_static_system(world, &system, error));
    MO_TRY(system->type->evaluate(system, 0, error));
    for (int64_t k = 0; k < 3 * mote_world_rows(world, 0); ++k) {
        f[k] = mo_f64(system->columns.mass)[k / 3] * mo_f64(system->columns.a)[k];
    }
    return MOTE_OK;
}

static mote_status time_job(const bench *b, calculix_job *job, double *seconds, mote_error *error)
{
    *seconds = INFINITY;
    for (int k = 0; k < (b->repeats < 2 ? 1 : 2); ++k) {
        double start = processor_seconds(RUSAGE_CHILDREN);
        MO_TRY(calculix_run(job, NULL, error));
        *seconds = fmin(*seconds, processor_seconds(RUSAGE_CHILDREN) - start);
    }
    return MOTE_OK;
}

static mote_status time_calculix(const bench *b, calculix_kind kind, double *seconds,
                                 mote_error *error)
{
    char text[sizeof BEAM + 40];
    mote_world *world;
    mo_mesh mesh;
    text_of(kind, text, sizeof text);
    MO_TRY(case_world_create(text, NULL, 1, &world, error));
    mote_status status = mo_mesh_generate(((const mo_body_def *)world->def.bodies.items)->mesh,
                                          &world->memory, &mesh, error);
    if (status == MOTE_OK) {
        double *f = malloc((size_t)(3 * mesh.node_count) * sizeof *f);
        calculix_job job = {&mesh, f, kind, .frequency_count = FREQUENCIES};
        status = f ? find_load(world, f, error) : mo_fail_memory(error, sizeof *f);
        status = status == MOTE_OK ? time_job(b, &job, seconds, error) : status;
        free(f);
        mo_mesh_release(&mesh);
    }
    mote_world_destroy(world);
    return status;
}

static mote_status run_beside(const bench *b, calculix_kind kind, const char *name,
                              mote_error *error)
{
    bench_row row = {.name = name, .threads = 1, .unit = "solves/s", .baseline = NAN};
    double peer = 0;
    mote_static_report report = {0};
    char of[80] = "";
    MO_TRY(time_ours(b, kind, &row.seconds, &report, error));
    row.rate = 1 / row.seconds;
    if (kind != CALCULIX_FREQUENCIES) {
        snprintf(of, sizeof of, " (%lld corrections to %.1g of the load)",
                 (long long)report.iterations, report.residual);
    }
    if (peer_is_installed("ccx")) {
        MO_TRY(time_calculix(b, kind, &peer, error));
        row.baseline = 1 / peer;
        snprintf(row.note, sizeof row.note, "%.3f s%s, CalculiX %.2f s in the same run",
                 row.seconds, of, peer);
    } else {
        snprintf(row.note, sizeof row.note, "%.3f s%s; CalculiX (ccx) is not installed",
                 row.seconds, of);
    }
    bench_report(b, &row);
    return MOTE_OK;
}

static mote_status run_linear(void *context, mote_error *error)
{
    return run_beside(context, CALCULIX_LINEAR, "solids/linear", error);
}

static mote_status run_nonlinear(void *context, mote_error *error)
{
    return run_beside(context, CALCULIX_NONLINEAR, "solids/nonlinear", error);
}

static mote_status run_modes(void *context, mote_error *error)
{
    return run_beside(context, CALCULIX_FREQUENCIES, "solids/modes", error);
}

static const suite_case CASES[] = {
    {"solids/step", "Implicit steps of a body of 16,875 tetrahedra.", run_step},
    {"solids/fast_corotated", "Steps of fast_corotated beside implicit_euler.", run_fast},
    {"solids/growth", "Scaling with the number of elements.", run_growth},
    {"solids/linear", "State of rest of a beam under a small load, beside CalculiX.", run_linear},
    {"solids/nonlinear", "The same bent far.", run_nonlinear},
    {"solids/modes", "Its three lowest frequencies.", run_modes},
    {0}};

const suite_group bench_solids = {"solids", "Finite elements: steps, growth, rest, frequencies.",
                                  CASES};
