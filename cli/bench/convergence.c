/*
 * Primal against dual solvers of an implicit step: iterations until the positions are within 1e-3
 * of the converged ones, relative to the whole correction,
 *     e(n) = max |x_n - x*|/max |x~ - x*|,
 * x~ the prediction without elastic forces, x* the same method converged; over the ratio of
 * stiffness to inertia, E h^2/(rho l^2) with the spacing l of nodes, and over the ratio of masses
 * within the body: the nodes of one end are heavier by this factor. A bar of 120 tetrahedra, held
 * at the other end, takes one step under gravity. Methods:
 *     implicit_euler   primal: one Newton iteration, corotated; iterations of cg
 *     fast_corotated   primal: iterations of the volume part, coupling iterated
 *     xpbd             dual: strain_energy, corotated; iterations of gauss_seidel
 *     pbd              dual: distance and volume, rigid; iterations of gauss_seidel
 *     newton           both: xpbd with this solver, each iteration a factorisation
 * convergence/pbd: elongation of a hanging chain by pbd over iterations and step, in chain
 * lengths: its stiffness has no unit, and depends on both.
 */
#include "base/error.h"
#include "bench/bench.h"
#include "bench/case_world.h"
#include "plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 7, NY = 3, NODES = NX * NY * NY, MOST = 8192, POINTS = 7 };

static const double SPACING = 0.1, DENSITY = 1000, H = 0.01, ENOUGH = 1e-3;

typedef struct solver {
    const char *name;
    const char *keys;      /* before the bodies, with the iterations */
    const char *converged; /* the same for x*; NULL: with many iterations */
    const char *model;     /* with the iterations, if the keys have none, and Young's modulus */
    bool model_iterations;
} solver;

#define ENERGY \
    "{\"type\": \"xpbd\", \"thickness\": 0, \"constraints\": [{\"type\": \"strain_energy\", " \
    "\"material\": {\"type\": \"corotated\", \"young\": %g, \"poisson\": 0.3}}]}"

static const solver SOLVERS[] = {
    {"implicit_euler",
     "\"integrator\": {\"type\": \"implicit_euler\", \"iterations\": 1, \"solver\": {\"type\": "
     "\"cg\", \"iterations\": %d, \"fixed\": true}}",
     "\"integrator\": {\"type\": \"implicit_euler\", \"iterations\": 1, \"solver\": "
     "\"cholesky\"}",
     "{\"type\": \"fem\", \"material\": {\"type\": \"corotated\", \"young\": %g, \"poisson\": 0.3}}",
     false},
    {"fast_corotated", "\"gravity\": [0, 0, -9.81]", NULL,
     "{\"type\": \"fast_corotated\", \"iterations\": %d, \"tolerance\": 1e-12, \"young\": %g, "
     "\"poisson\": 0.3}",
     true},
    {"xpbd", "\"constraints\": {\"substeps\": 1, \"iterations\": %d}", NULL, ENERGY, false},
    {"pbd", "\"constraints\": {\"substeps\": 1, \"iterations\": %d}", NULL,
     "{\"type\": \"pbd\", \"thickness\": 0}", false},
    {"newton", "\"constraints\": {\"substeps\": 1, \"solver\": \"newton\", \"iterations\": %d}",
     NULL, ENERGY, false}};

enum { SOLVER_COUNT = sizeof SOLVERS / sizeof *SOLVERS };

/* Without iterations: the converged one. */
static void write_scene(const solver *s, int iterations, double young, char *text, size_t size)
{
    char keys[400], model[400];
    snprintf(keys, sizeof keys, iterations == 0 && s->converged ? s->converged : s->keys,
             iterations > 0 ? iterations : 4 * MOST);
    if (s->model_iterations) {
        snprintf(model, sizeof model, s->model, iterations > 0 ? iterations : 4 * MOST, young);
    } else {
        snprintf(model, sizeof model, s->model, young);
    }
    snprintf(text, size,
             "{\"time\": {\"end\": 1, \"step\": %g}, %s, \"bodies\": [{\"density\": %g, \"mesh\": "
             "{\"type\": \"block\", \"max\": [%g, %g, %g], \"nx\": %d, \"ny\": %d, \"nz\": %d, "
             "\"tetrahedra\": 5}, \"pins\": [{\"set\": \"x0\"}], \"model\": %s}]}",
             H, keys, DENSITY, SPACING * (NX - 1), SPACING * (NY - 1), SPACING * (NY - 1), NX, NY,
             NY, model);
}

/* Positions after one step. */
static mote_status positions_after(const solver *s, int iterations, double young, double ratio,
                                   double x[3 * NODES], mote_error *error)
{
    char text[1600];
    mote_world *world;
    write_scene(s, iterations, young, text, sizeof text);
    MO_TRY(case_world_create(text, NULL, 1, &world, error));
    double *at = case_column(world, "x"), *mass = case_column(world, "mass"),
           *inverse = case_column(world, "inverse_mass");
    for (int k = 0; k < NODES; ++k) {
        if (at[3 * k] > SPACING * (NX - 1.5)) {
            mass[k] *= ratio;
            inverse[k] /= ratio;
        }
    }
    mote_world_invalidate(world, 0);
    mote_status status = mote_world_step(world, NULL, error);
    memcpy(x, case_column(world, "x"), 3 * NODES * sizeof(double));
    mote_world_destroy(world);
    return status;
}

static double largest(const double *a, const double *b)
{
    double most = 0;
    for (int k = 0; k < 3 * NODES; ++k) {
        most = fmax(most, fabs(a[k] - b[k]));
    }
    return most;
}

/* The least number of iterations with e <= ENOUGH; NaN: more than MOST. */
static mote_status count_iterations(const solver *s, double young, double ratio, double *count,
                                    mote_error *error)
{
    double end[3 * NODES], free[3 * NODES], x[3 * NODES];
    MO_TRY(positions_after(s, 0, young, ratio, end, error));
    MO_TRY(positions_after(&SOLVERS[2], 1, 1e-9, 1, free, error)); /* no stiffness */
    double whole = largest(free, end);
    int low = 0, high = 1;
    for (;; low = high, high *= 2) {
        if (high > MOST) {
            *count = NAN;
            return MOTE_OK;
        }
        MO_TRY(positions_after(s, high, young, ratio, x, error));
        if (largest(x, end) <= ENOUGH * whole) {
            break;
        }
    }
    while (high - low > 1) {
        int middle = (low + high) / 2;
        MO_TRY(positions_after(s, middle, young, ratio, x, error));
        if (largest(x, end) <= ENOUGH * whole) {
            high = middle;
        } else {
            low = middle;
        }
    }
    *count = high;
    return MOTE_OK;
}

static void report_count(const bench *b, const char *name, const char *note, double count)
{
    bench_row row = {
        .name = name, .threads = 1, .rate = count, .unit = "iterations", .baseline = NAN};
    snprintf(row.note, sizeof row.note, "%s", note);
    bench_report(b, &row);
}

/* One sweep over a ratio. */
typedef struct sweep {
    const char *name, *label;
    bool mass;
    double values[POINTS];
} sweep;

static const sweep SWEEPS[] = {
    {"stiffness", "E h^2/(rho l^2)", false, {0.1, 1, 10, 100, 1e3, 1e4, 1e5}},
    {"mass", "mass ratio", true, {1, 3, 10, 30, 100, 300, 1000}}};

static mote_status run_sweep(const bench *b, const sweep *w, plot_panel *panel, mote_error *error)
{
    int points = b->quick ? 3 : POINTS;
    plot_set_axis(panel, PLOT_X, (plot_axis){.label = w->label, .log = true});
    plot_set_axis(panel, PLOT_Y, (plot_axis){.label = "iterations", .log = true});
    plot_set_title(panel, w->mass ? "over the ratio of masses" : "over the ratio of stiffness");
    for (int k = 0; k < SOLVER_COUNT; ++k) {
        double counts[POINTS];
        for (int n = 0; n < points; ++n) {
            char name[100], note[100];
            double stiffness = w->mass ? 100 : w->values[n],
                   young = stiffness * DENSITY * SPACING * SPACING / (H * H);
            MO_TRY(count_iterations(&SOLVERS[k], young, w->mass ? w->values[n] : 1, &counts[n],
                                    error));
            snprintf(name, sizeof name, "convergence/%s/%s", w->name, SOLVERS[k].name);
            snprintf(note, sizeof note, "%s %g%s", w->label, w->values[n],
                     isnan(counts[n]) ? ": more than 8192" : "");
            report_count(b, name, note, counts[n]);
        }
        plot_add_series(panel, SOLVERS[k].name, points, w->values, counts, PLOT_LINE | PLOT_POINTS);
    }
    return MOTE_OK;
}

static mote_status write_figure(const bench *b, plot_figure *figure, const char *name,
                                mote_error *error)
{
    char path[1000];
    if (!b->directory) {
        return MOTE_OK;
    }
    snprintf(path, sizeof path, "%s/%s", b->directory, name);
    return plot_write(figure, path, error);
}

static mote_status run_ratios(void *context, mote_error *error)
{
    const bench *b = context;
    plot_figure *figure = plot_create(2, 1, 1000, 420);
    mote_status status = MOTE_OK;
    for (int k = 0; k < 2 && status == MOTE_OK; ++k) {
        status = run_sweep(b, &SWEEPS[k], plot_panel_at(figure, k), error);
    }
    status = status == MOTE_OK ? write_figure(b, figure, "primal_dual.svg", error) : status;
    plot_destroy(figure);
    return status;
}

/* ---- stiffness of pbd ---- */

/* The elongation of a chain of 10 links with stiffness 0.5, at rest, in its length. */
static mote_status elongate(double step, int iterations, double *elongation, mote_error *error)
{
    char text[800];
    mote_world *world;
    mote_status status = MOTE_OK;
    snprintf(text, sizeof text,
             "{\"time\": {\"end\": 100, \"step\": %.17g}, \"constraints\": {\"substeps\": 1, "
             "\"iterations\": %d}, \"bodies\": [{\"mass\": 1, \"pins\": [{\"nodes\": [0]}], "
             "\"mesh\": {\"type\": \"rope\", \"start\": [0, 0, 0], \"end\": [0, 0, -1], "
             "\"segments\": 10}, \"model\": {\"type\": \"pbd\", \"thickness\": 0, \"damping\": 20, "
             "\"constraints\": [{\"type\": \"distance\", \"stiffness\": 0.5}]}}]}",
             step, iterations);
    MO_TRY(case_world_create(text, NULL, 1, &world, error));
    for (int k = 0; k * step < 5 && status == MOTE_OK; ++k) {
        status = mote_world_step(world, NULL, error);
    }
    *elongation = -1 - ((const double *)case_column(world, "x"))[32];
    mote_world_destroy(world);
    return status;
}

static mote_status run_pbd(void *context, mote_error *error)
{
    static const int ITERATIONS[] = {1, 2, 5, 10, 20, 50, 100};
    static const double RATES[] = {30, 60, 120, 240};
    const bench *b = context;
    plot_figure *figure = plot_create(1, 1, 560, 420);
    plot_panel *panel = plot_panel_at(figure, 0);
    mote_status status = MOTE_OK;
    plot_set_axis(panel, PLOT_X, (plot_axis){.label = "iterations", .log = true});
    plot_set_axis(panel, PLOT_Y, (plot_axis){.label = "elongation", .unit = "m", .log = true});
    plot_set_title(panel, "chain of 1 m, pbd, stiffness 0.5");
    for (int k = 0; k < 4 && status == MOTE_OK; ++k) {
        double x[7], y[7];
        char name[60];
        for (int n = 0; n < 7 && status == MOTE_OK; ++n) {
            bench_row row = {
                .name = "convergence/pbd", .threads = 1, .unit = "mm", .baseline = NAN};
            x[n] = ITERATIONS[n];
            status = elongate(1 / RATES[k], ITERATIONS[n], &y[n], error);
            row.rate = 1e3 * y[n];
            snprintf(row.note, sizeof row.note, "elongation of 1 m, step 1/%g s, %d iterations",
                     RATES[k], ITERATIONS[n]);
            bench_report(b, &row);
        }
        snprintf(name, sizeof name, "step 1/%g s", RATES[k]);
        plot_add_series(panel, name, 7, x, y, PLOT_LINE | PLOT_POINTS);
    }
    status = status == MOTE_OK ? write_figure(b, figure, "pbd_stiffness.svg", error) : status;
    plot_destroy(figure);
    return status;
}

static const suite_case CASES[] = {
    {"convergence/ratios", "Iterations over the ratios of stiffness and of masses.", run_ratios},
    {"convergence/pbd", "Stiffness of pbd over iterations and step.", run_pbd},
    {0}};

const suite_group bench_convergence = {
    "convergence", "Primal against dual solvers: iterations to a given error.", CASES};
