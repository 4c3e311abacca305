/*
 * fast_corotated against `corotated` finite elements on the same mesh: a cantilever of 1 m x 0.2 m
 * x 0.2 m, E 1e6 Pa, under its own weight.
 *
 * The allowed error is 0.5 %: with nu = 0, and with iterated coupling at any nu, the
 * equilibria are the same up to the tolerances of the solvers, and periods up to the first order
 * in h. Weak coupling is too stiff at large steps; its table is bounded from above only.
 */
#include "base/error.h"
#include "bench/case_world.h"
#include "mote/mote.h"
#include "validate/validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char BAR[] =
    "{%s\"time\": {\"end\": 10, \"step\": %.17g}, \"bodies\": [{\"density\": 1000, \"mesh\": "
    "{\"type\": \"block\", \"max\": [1, 0.2, 0.2], \"nx\": 11, \"ny\": 3, \"nz\": 3, "
    "\"tetrahedra\": 5}, \"model\": %s, \"pins\": [{\"set\": \"x0\"}]}]}";

enum { ROWS = 99 };

typedef struct bar {
    bool fast;
    double poisson, h, damping;
    const char *integrator, *more; /* of the fem body; more keys of the fast one */
} bar;

static mote_status bar_world(const bar *b, mote_world **world, mote_error *error)
{
    char model[400], integrator[200] = "", text[1200];
    if (b->fast) {
        snprintf(model, sizeof model,
                 "{\"type\": \"fast_corotated\", \"young\": 1e6, \"poisson\": %g, "
                 "\"damping_mass\": %g, \"tolerance\": 1e-6%s}",
                 b->poisson, b->damping, b->more);
    } else {
        snprintf(model, sizeof model,
                 "{\"type\": \"fem\", \"material\": {\"type\": \"corotated\", \"young\": 1e6, "
                 "\"poisson\": %g}, \"damping_mass\": %g}",
                 b->poisson, b->damping);
        snprintf(integrator, sizeof integrator, "\"integrator\": %s, ", b->integrator);
    }
    snprintf(text, sizeof text, BAR, integrator, b->h, model);
    return case_world_create(text, NULL, 1, world, error);
}

/* The mean deflection of the nodes. */
static double deflection(const mote_world *world)
{
    const double *x = case_column(world, "x");
    double sum = 0;
    for (int k = 0; k < ROWS; ++k) {
        sum -= x[3 * k + 2] / ROWS;
    }
    return sum + 0.1;
}

static mote_status advance(mote_world *world, double end, mote_error *error)
{
    while (mote_world_time(world) < end - 1e-9) {
        MO_TRY(mote_world_step(world, NULL, error));
    }
    return MOTE_OK;
}

/* ---- equilibrium ---- */

static mote_status static_deflection(double poisson, double *value, mote_error *error)
{
    mote_world *world;
    mote_static_report report;
    const bar b = {.poisson = poisson, .h = 0.01, .integrator = "\"implicit_euler\""};
    MO_TRY(bar_world(&b, &world, error));
    mote_status status = mote_world_solve_static(world, NULL, &report, error);
    *value = deflection(world);
    mote_world_destroy(world);
    return status;
}

static mote_status settled_deflection(const bar *b, double *value, mote_error *error)
{
    mote_world *world;
    MO_TRY(bar_world(b, &world, error));
    mote_status status = advance(world, 5, error);
    *value = deflection(world);
    mote_world_destroy(world);
    return status;
}

static mote_status run_equilibrium(void *context, mote_error *error)
{
    static const double RATIOS[] = {0, 0.3, 0.45}, STEPS[] = {1.0 / 60, 1.0 / 240};
    for (int n = 0; n < 3; ++n) {
        double reference, value;
        MO_TRY(static_deflection(RATIOS[n], &reference, error));
        for (int k = 0; k < 2; ++k) {
            for (int weak = n == 0; weak < 2; ++weak) {
                char name[100];
                const bar b = {.fast = true,
                               .poisson = RATIOS[n],
                               .h = STEPS[k],
                               .damping = 10,
                               .more = weak ? ", \"coupling\": \"weak\""
                                            : ", \"coupling\": \"iterated\""};
                MO_TRY(settled_deflection(&b, &value, error));
                snprintf(name, sizeof name, "deflection, nu %g, h 1/%.0f s, %s, relative",
                         RATIOS[n], 1 / STEPS[k], weak ? "weak" : "iterated");
                if (weak && n > 0) {
                    validate_at_most(context, "fast_corotated/equilibrium", name, value / reference,
                                     1, 0.005);
                } else {
                    validate_relative(context, "fast_corotated/equilibrium", name,
                                      value / reference, 1, 0.005);
                }
            }
        }
    }
    return MOTE_OK;
}

/* ---- period ---- */

/* The time of the largest deflection after the release, half a period, by a parabola. */
static mote_status half_period(const bar *b, double *time, mote_error *error)
{
    mote_world *world;
    double last[3] = {0, 0, 0};
    mote_status status = MOTE_OK;
    MO_TRY(bar_world(b, &world, error));
    while (status == MOTE_OK && !(last[1] > last[0] && last[1] > last[2])) {
        status = mote_world_step(world, NULL, error);
        last[0] = last[1];
        last[1] = last[2];
        last[2] = deflection(world);
    }
    double bend = last[0] - 2 * last[1] + last[2];
    *time = mote_world_time(world) - b->h * (1 - 0.5 * (last[0] - last[2]) / bend);
    mote_world_destroy(world);
    return status;
}

static mote_status run_period(void *context, mote_error *error)
{
    static const double RATIOS[] = {0, 0.3, 0.45};
    for (int n = 0; n < 3; ++n) {
        double reference, value;
        char name[100];
        const bar fem = {.poisson = RATIOS[n], .h = 0.002, .integrator = "\"implicit_midpoint\""};
        const bar fast = {.fast = true,
                          .poisson = RATIOS[n],
                          .h = 0.00025,
                          .more = ", \"coupling\": \"iterated\""};
        MO_TRY(half_period(&fem, &reference, error));
        MO_TRY(half_period(&fast, &value, error));
        snprintf(name, sizeof name, "half a period, nu %g, h 1/4000 s [s]", RATIOS[n]);
        validate_relative(context, "fast_corotated/period", name, value, reference, 0.005);
    }
    return MOTE_OK;
}

/* ---- implicit Euler ---- */

/* Repeated updates of the rotations converge to implicit Euler with `corotated`. */
static mote_status run_updates(void *context, mote_error *error)
{
    double value[2];
    for (int k = 0; k < 2; ++k) {
        mote_world *world;
        const bar b = {.fast = k == 1,
                       .poisson = 0.3,
                       .h = 1.0 / 240,
                       .integrator = "{\"type\": \"implicit_euler\", \"iterations\": 20, "
                                     "\"tolerance\": 1e-8}",
                       .more = ", \"coupling\": \"iterated\", \"rotation_updates\": 30"};
        MO_TRY(bar_world(&b, &world, error));
        mote_status status = advance(world, 0.2, error);
        value[k] = deflection(world);
        mote_world_destroy(world);
        MO_TRY(status);
    }
    validate_relative(context, "fast_corotated/updates",
                      "deflection after 0.2 s, 30 rotation updates, to implicit_euler [m]",
                      value[1], value[0], 1e-5);
    return MOTE_OK;
}

/* ---- momenta ---- */

static mote_status run_momenta(void *context, mote_error *error)
{
    static const char SPINNING[] =
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 10, \"step\": 0.01}, \"bodies\": "
        "[{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"max\": [1, 0.5, 0.2], \"nx\": 6, "
        "\"ny\": 4, \"nz\": 3, \"tetrahedra\": 5}, \"model\": {\"type\": \"fast_corotated\", "
        "\"young\": 1e6, \"poisson\": 0.3}, \"velocity\": [1, 2, 3], \"flow\": {\"type\": "
        "\"rotation\", \"angular_velocity\": [0.5, 1, 2], \"center\": [0.5, 0.25, 0.1]}}]}";
    mote_world *world;
    mote_measures first, last;
    MO_TRY(case_world_create(SPINNING, NULL, 1, &world, error));
    mote_status status = mote_world_measure(world, &first, error);
    status = status == MOTE_OK ? advance(world, 1, error) : status;
    status = status == MOTE_OK ? mote_world_measure(world, &last, error) : status;
    mote_world_destroy(world);
    MO_TRY(status);
    for (int k = 0; k < 3; ++k) {
        char name[60];
        snprintf(name, sizeof name, "momentum %c after 100 steps [kg m/s]", "xyz"[k]);
        validate_relative(context, "fast_corotated/momenta", name, last.momentum[k],
                          first.momentum[k], 1e-9);
        snprintf(name, sizeof name, "angular momentum %c after 100 steps [kg m^2/s]", "xyz"[k]);
        validate_relative(context, "fast_corotated/momenta", name, last.angular_momentum[k],
                          first.angular_momentum[k], 1e-9);
    }
    return MOTE_OK;
}

static const suite_case CASES[] = {
    {"fast_corotated/equilibrium", "Deflection of a cantilever, by step and Poisson's ratio.",
     run_equilibrium},
    {"fast_corotated/period", "Half a period of its oscillation.", run_period},
    {"fast_corotated/updates", "Rotation updates converge to implicit Euler.", run_updates},
    {"fast_corotated/momenta", "Momenta of a free body.", run_momenta},
    {0}};

const suite_group validate_fast_corotated = {
    "fast_corotated", "fast_corotated solids, compared with corotated finite elements.", CASES};
