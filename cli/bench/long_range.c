/*
 * Long-range forces: one evaluation of each method over the number of particles, 300 to 1e6 (D.
 * Tonnesen 1998, 7.1.5), at equal density; and direct summation in floating-point operations, 20
 * per pair (three differences, the squared distance, 1/r, q/r^3, three sums).
 *
 * Neighbour lists are built beforehand: they are shared with other pair forces and reused over
 * steps. CPU seconds of the process are measured, so that other load disturbs little.
 */
#include "validate/long_range.h"
#include "base/error.h"
#include "bench/bench.h"
#include "plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

extern const mo_long_range_type mo_long_range_particle_mesh, mo_long_range_limited_range;

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* CPU seconds of one evaluation, the best of the repeats. */
static mote_status time_method(const bench *b, charges *c, const mo_long_range_type *type,
                               const void *params, double *seconds, mote_error *error)
{
    charges_session session;
    MO_TRY(charges_open(c, type, params, 1, &session, error));
    mote_status status = charges_run(&session, false, error); /* allocations */
    *seconds = INFINITY;
    for (int k = 0; k < b->repeats && status == MOTE_OK; ++k) {
        double start = processor_seconds();
        status = charges_run(&session, false, error);
        *seconds = fmin(*seconds, processor_seconds() - start);
    }
    charges_close(&session);
    return status;
}

enum { DIRECT, SINGLE, TREE, P3M, MESH, RANGE, METHOD_COUNT, SIZE_COUNT = 8 };

static const char *const NAMES[METHOD_COUNT] = {"direct", "direct_single", "tree",
                                                "p3m",    "particle_mesh", "limited_range"};

/* Direct summation of more particles takes minutes. */
static const int64_t DIRECT_MAX = 30000;

/* CPU seconds by method and number of particles; NaN: not measured. */
typedef struct sweep {
    int sizes;
    double count[SIZE_COUNT], seconds[METHOD_COUNT][SIZE_COUNT];
} sweep;

static void report(const bench *b, int method, int64_t rows, double seconds)
{
    char label[80];
    snprintf(label, sizeof label, "long_range/%s/%lld", NAMES[method], (long long)rows);
    bench_row row = {.name = label,
                     .threads = 1,
                     .seconds = seconds,
                     .rate = 1e-6 * (double)rows / seconds,
                     .unit = "million particles/s",
                     .baseline = NAN};
    if (method <= SINGLE) {
        snprintf(row.note, sizeof row.note, "%.2f GFLOP/s at 20 operations a pair",
                 2e-8 * (double)rows * (double)rows / seconds);
    }
    bench_report(b, &row);
}

static mote_status measure(const bench *b, int method, int64_t rows, double *seconds,
                           mote_error *error)
{
    static const mo_p3m_params ACCURACY = {1e-4, NAN, MO_ABSENT_INT, MO_ABSENT_INT, "ad"};
    static const mo_direct_params SINGLE_PRECISION = {"single"};
    static const mo_tree_params ANGLE = {0.5};
    static const mo_limited_range_params REACH = {2, 2.5};
    int64_t cells = (int64_t)ceil(cbrt((double)rows));
    mo_particle_mesh_params mesh = {cells < 8 ? 8 : cells, "pcs", "ik", 1.25};
    const mo_long_range_type *const types[METHOD_COUNT] = {
        &mo_long_range_direct, &mo_long_range_direct,        &mo_long_range_tree,
        &mo_long_range_p3m,    &mo_long_range_particle_mesh, &mo_long_range_limited_range};
    const void *const params[METHOD_COUNT] = {NULL,  &SINGLE_PRECISION, &ANGLE, &ACCURACY, &mesh,
                                              &REACH};
    bool periodic = method >= P3M;
    double edge = cbrt((double)rows);
    const double period[3] = {edge, edge, edge};
    charges c;
    MO_TRY(charges_create(rows, period, periodic, !periodic, &c, error));
    mote_status status = time_method(b, &c, types[method], params[method], seconds, error);
    charges_release(&c);
    return status;
}

/* The number of particles from which the second method is faster, between two measured ones by
 * interpolation of the logarithms; NaN: the order does not change. */
static double crossing(const sweep *s, int first, int second, double *seconds)
{
    for (int k = 1; k < s->sizes; ++k) {
        double before = log(s->seconds[second][k - 1] / s->seconds[first][k - 1]);
        double after = log(s->seconds[second][k] / s->seconds[first][k]);
        if (before > 0 && after <= 0) {
            double part = before / (before - after);
            *seconds = s->seconds[first][k - 1] *
                       pow(s->seconds[first][k] / s->seconds[first][k - 1], part);
            return s->count[k - 1] * pow(s->count[k] / s->count[k - 1], part);
        }
    }
    return NAN;
}

static void report_crossings(const bench *b, const sweep *s)
{
    static const int PAIRS[][2] = {{DIRECT, TREE}, {DIRECT, P3M}, {TREE, P3M}, {P3M, TREE}};
    for (size_t k = 0; k < sizeof PAIRS / sizeof *PAIRS; ++k) {
        char label[80];
        double seconds, count = crossing(s, PAIRS[k][0], PAIRS[k][1], &seconds);
        if (isnan(count)) {
            continue;
        }
        snprintf(label, sizeof label, "long_range/crossing/%s/%s", NAMES[PAIRS[k][0]],
                 NAMES[PAIRS[k][1]]);
        bench_row row = {.name = label,
                         .threads = 1,
                         .seconds = seconds,
                         .rate = count,
                         .unit = "particles",
                         .baseline = NAN};
        snprintf(row.note, sizeof row.note, "%s is faster from here on", NAMES[PAIRS[k][1]]);
        bench_report(b, &row);
    }
}

static mote_status draw(const bench *b, const sweep *s, mote_error *error)
{
    char path[600];
    if (!b->directory) {
        return MOTE_OK;
    }
    plot_figure *figure = plot_create(1, 1, 640, 420);
    plot_panel *panel = plot_panel_at(figure, 0);
    plot_set_title(panel, "one evaluation, one core");
    plot_set_axis(panel, PLOT_X, (plot_axis){.label = "particles", .log = true});
    plot_set_axis(panel, PLOT_Y, (plot_axis){.label = "CPU time", .unit = "s", .log = true});
    for (int method = 0; method < METHOD_COUNT; ++method) {
        plot_add_series(panel, NAMES[method], s->sizes, s->count, s->seconds[method],
                        PLOT_LINE | PLOT_POINTS);
    }
    snprintf(path, sizeof path, "%.500s/long_range.svg", b->directory);
    mote_status status = plot_write(figure, path, error);
    plot_destroy(figure);
    return status;
}

static mote_status run(void *context, mote_error *error)
{
    static const int64_t SIZES[SIZE_COUNT] = {300,   1000,   3000,   10000,
                                              30000, 100000, 300000, 1000000};
    const bench *b = context;
    sweep s = {.sizes = b->quick ? 4 : SIZE_COUNT};
    for (int k = 0; k < s.sizes; ++k) {
        s.count[k] = (double)SIZES[k];
        for (int method = 0; method < METHOD_COUNT; ++method) {
            s.seconds[method][k] = NAN;
            if (method > SINGLE || SIZES[k] <= DIRECT_MAX) {
                MO_TRY(measure(b, method, SIZES[k], &s.seconds[method][k], error));
                report(b, method, SIZES[k], s.seconds[method][k]);
            }
        }
    }
    report_crossings(b, &s);
    return draw(b, &s, error);
}

static const suite_case CASES[] = {
    {"long_range/", "One evaluation of each method over the number of particles.", run}, {0}};

const suite_group bench_long_range = {"long_range", "Long-range forces of charges and masses.",
                                      CASES};
