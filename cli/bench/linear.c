/*
 * Linear algebra of implicit steps, for mass-spring bodies: a lattice of n^3 nodes connected along
 * the axes and diagonals of the cells, 1 m, 1000 kg, stiff enough that the step of 49 ms is far
 * beyond the stability limit of explicit schemes.
 *
 * linear/product/n: one matrix-vector product. Its minimum traffic is 76 bytes per block (nine
 * values and a column) and 64 bytes per row (the vectors, the row start); the baseline is that at
 * the triad's bandwidth in main memory, which matrices within the caches exceed.
 *
 * linear/cg/n: one iteration of conjugate gradients, assembled and matrix-free; linear/assembly/n:
 * assembly; linear/step/n: a full step of implicit_euler with a residual of 1e-4.
 */
#include "base/error.h"
#include "bench/bench.h"
#include "bench/calibrate.h"
#include "mote/mote.h"
#include "system/forces/state.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

enum { BYTES_BLOCK = 76, BYTES_ROW = 64, SIZES = 2 };

static const int SIZE[SIZES] = {16, 48};

static const char SCENE[] =
    "{\"time\": {\"end\": 1, \"step\": 0.049}, \"integrator\": {\"type\": "
    "\"implicit_euler\", \"matrix_free\": %s,"
    " \"solver\": {\"type\": \"cg\", \"tolerance\": %s, \"iterations\": %d, "
    "\"fixed\": %s}}, \"bodies\": [{\"mass\": 1000,"
    " \"mesh\": {\"type\": \"block\", \"nx\": %d, \"ny\": %d, \"nz\": %d}, "
    "\"model\": {\"type\": \"spring\", \"k\": %g},"
    " \"pins\": [{\"set\": \"z0\"}]}]}";

typedef struct body {
    mote_world *world;
    mo_newton *newton;
    mo_force_args args;
    mo_system_weights weights;
    double *p, *y;
    int turns;
    mote_status status;
    mote_error error;
} body;

typedef struct setup {
    int size, threads;
    bool matrix_free;
    int fixed; /* iterations; 0: to 1e-4 */
} setup;

static mote_status open_body(const setup *s, body *b, mote_error *error)
{
    char text[800];
    mote_scene *scene;
    mote_config config = mote_config_default();
    config.threads = s->threads;
    /* k is per strain and edge: a layer has n^2 edges with a total stiffness of 1e5 Pa on 1 m^2 */
    double k = 1e5 / ((double)s->size * s->size);
    snprintf(text, sizeof text, SCENE, s->matrix_free ? "true" : "false", "1e-4",
             s->fixed ? s->fixed : 1000, s->fixed ? "true" : "false", s->size, s->size, s->size, k);
    *b = (body){0};
    MO_TRY(mote_scene_parse(text, &scene, error));
    mote_status status = mote_world_create(scene, &config, &b->world, error);
    mote_scene_destroy(scene);
    for (int k2 = 0; k2 < 3 && status == MOTE_OK; ++k2) {
        status = mote_world_step(b->world, NULL, error);
    }
    if (status != MOTE_OK) {
        mote_world_destroy(b->world);
        return status;
    }
    mo_forces *forces = b->world->systems[0].state;
    b->newton = forces->newton;
    b->args = mo_forces_arguments(forces, 0, MO_X, MO_V);
    b->weights =
        (mo_system_weights){.inertia = 1 / (0.049 * 0.049), .damping = 1 / 0.049, .definite = true};
    b->p = mo_f64(forces->integration.aux[0][0]);
    b->y = mo_f64(forces->integration.aux[0][1]);
    return MOTE_OK;
}

static void multiply(void *context)
{
    body *b = context;
    for (int k = 0; k < b->turns; ++k) {
        mo_block_matrix_multiply(&b->newton->jacobian.matrix, b->world->pool, b->p, b->y);
    }
}

static void assemble(void *context)
{
    body *b = context;
    for (int k = 0; k < b->turns; ++k) {
        mo_jacobian_fill(&b->newton->jacobian, &b->args, &b->weights);
    }
}

static void step(void *context)
{
    body *b = context;
    for (int k = 0; k < b->turns && b->status == MOTE_OK; ++k) {
        b->status = mote_world_step(b->world, NULL, &b->error);
    }
}

/* Best seconds of one call. */
static double time_of(const bench *b, body *on, void (*function)(void *context), int turns)
{
    on->turns = turns;
    function(on);
    return bench_best_seconds(b, function, on) / turns;
}

static void report_product(const bench *b, body *on, int threads, const char *name)
{
    const mo_block_matrix *m = &on->newton->jacobian.matrix;
    bench_row row = {.name = name, .threads = threads, .unit = "blocks/s", .baseline = NAN};
    row.seconds = time_of(b, on, multiply, m->rows > 50000 ? 5 : 50);
    double bandwidth = calibrate_memory_bandwidth(threads);
    double bytes = BYTES_BLOCK * (double)m->blocks + BYTES_ROW * (double)m->rows;
    row.rate = (double)m->blocks / row.seconds;
    row.baseline = bandwidth > 0 ? (double)m->blocks / (bytes / bandwidth) : NAN;
    snprintf(row.note, sizeof row.note,
             "%lld rows, %lld blocks, %.1f MB; %.2f GB/s, the memory's triad %.2f",
             (long long)m->rows, (long long)m->blocks, 1e-6 * bytes, 1e-9 * bytes / row.seconds,
             1e-9 * bandwidth);
    bench_report(b, &row);
}

static void report_assembly(const bench *b, body *on, int threads, const char *name)
{
    const mo_block_matrix *m = &on->newton->jacobian.matrix;
    const int32_t *edges;
    double springs = (double)mote_world_edges(on->world, 0, &edges);
    bench_row row = {.name = name, .threads = threads, .unit = "springs/s", .baseline = NAN};
    row.seconds = time_of(b, on, assemble, m->rows > 50000 ? 3 : 20);
    row.rate = springs / row.seconds;
    snprintf(row.note, sizeof row.note, "%.0f springs: %.1f ns each", springs,
             1e9 * row.seconds / springs);
    bench_report(b, &row);
}

/* From the difference between steps with many and with few iterations. */
static mote_status time_iteration(const bench *b, const setup *base, double *seconds,
                                  mote_error *error)
{
    double time[2];
    const int fixed[2] = {5, 45};
    for (int k = 0; k < 2; ++k) {
        setup s = *base;
        body on;
        s.fixed = fixed[k];
        MO_TRY(open_body(&s, &on, error));
        time[k] = time_of(b, &on, step, base->size > 40 ? 1 : 5);
        mote_world_destroy(on.world);
        if (on.status != MOTE_OK) {
            return mo_fail(error, on.status, "%s", on.error.text);
        }
    }
    *seconds = (time[1] - time[0]) / (fixed[1] - fixed[0]);
    return MOTE_OK;
}

static mote_status report_cg(const bench *b, int size, int threads, const char *name,
                             mote_error *error)
{
    setup s = {.size = size, .threads = threads};
    double with, without;
    MO_TRY(time_iteration(b, &s, &with, error));
    s.matrix_free = true;
    MO_TRY(time_iteration(b, &s, &without, error));
    bench_row row = {.name = name,
                     .threads = threads,
                     .seconds = with,
                     .rate = 1 / with,
                     .unit = "iterations/s"};
    row.baseline = 1 / without;
    snprintf(row.note, sizeof row.note,
             "with the matrix %.1f us, matrix-free (the baseline) %.1f us", 1e6 * with,
             1e6 * without);
    bench_report(b, &row);
    return MOTE_OK;
}

static mote_status report_step(const bench *b, int size, int threads, const char *name,
                               mote_error *error)
{
    setup s = {.size = size, .threads = threads};
    mote_step_report report;
    body on;
    MO_TRY(open_body(&s, &on, error));
    bench_row row = {.name = name, .threads = threads, .unit = "steps/s", .baseline = NAN};
    row.seconds = time_of(b, &on, step, size > 40 ? 1 : 5);
    row.rate = 1 / row.seconds;
    mote_status status = mote_world_step(on.world, &report, error);
    snprintf(row.note, sizeof row.note, "%.2f ms a step, %lld iterations, residual %.1e",
             1e3 * row.seconds, (long long)report.linear_iterations, report.linear_residual);
    bench_report(b, &row);
    mote_world_destroy(on.world);
    return status;
}

static mote_status run_size(const bench *b, int size, int threads, mote_error *error)
{
    char name[40];
    body on;
    setup s = {.size = size, .threads = threads};
    MO_TRY(open_body(&s, &on, error));
    snprintf(name, sizeof name, "linear/product/%d", size);
    if (suite_selects(b->wanted, name)) {
        report_product(b, &on, threads, name);
    }
    snprintf(name, sizeof name, "linear/assembly/%d", size);
    if (suite_selects(b->wanted, name)) {
        report_assembly(b, &on, threads, name);
    }
    mote_world_destroy(on.world);
    snprintf(name, sizeof name, "linear/cg/%d", size);
    if (suite_selects(b->wanted, name)) {
        MO_TRY(report_cg(b, size, threads, name, error));
    }
    snprintf(name, sizeof name, "linear/step/%d", size);
    return suite_selects(b->wanted, name) ? report_step(b, size, threads, name, error) : MOTE_OK;
}

static mote_status run(void *context, mote_error *error)
{
    const bench *b = context;
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(b, threads);
    for (int size = 0; size < (b->quick ? 1 : SIZES); ++size) {
        for (int k = 0; k < count; ++k) {
            MO_TRY(run_size(b, SIZE[size], threads[k], error));
        }
    }
    return MOTE_OK;
}

static const suite_case CASES[] = {
    {"linear/", "Products, assembly, iterations and implicit steps of bodies of springs.", run},
    {0}};

const suite_group bench_linear = {"linear", "Linear algebra of implicit steps.", CASES};
