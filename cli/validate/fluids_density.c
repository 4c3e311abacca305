/*
 * Density error of implicit solvers: a column of 12^3 particles in a larger tank falls, hits the
 * walls and settles, with CFL steps. Measured is the average relative density error by a new
 * summation at the positions after each step, not the solver's residual; the maximum over all steps
 * is compared with the tolerance.
 */
#include "validate/fluids.h"

#include "base/error.h"
#include "bench/case_world.h"

#include <math.h>

static const char COLUMN[] =
    "{\"time\": {\"end\": 9, \"step\": {\"type\": \"cfl\", \"factor\": 0.4, \"max\": 0.004}},"
    " \"fluid\": {\"spacing\": 0.04, \"mass_scale\": 0.9, \"pressure\": {\"type\": \"%s\", \"tolerance\": "
    "%g, "
    "\"max_iterations\": 1000},"
    "   \"viscosity\": {\"type\": \"laplacian\", \"nu\": 0.01, \"wall\": 0},"
    "   \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0.02, 0.02, 0.02], \"max\": [0.5, 0.5, "
    "0.5]}]}]},"
    " \"colliders\": [{\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.64, "
    "0.52, "
    "0.9]}}]}";

static mote_status run_column(const char *solver, double tolerance, double *mean, double *worst,
                              mote_error *error)
{
    char text[sizeof COLUMN + 40];
    mote_world *world;
    double now, most;
    int steps = 0;
    snprintf(text, sizeof text, COLUMN, solver, tolerance);
    MO_TRY(case_world_create(text, NULL, 0, &world, error));
    mote_status status = MOTE_OK;
    *mean = *worst = 0;
    while (status == MOTE_OK && mote_world_time(world) < 1) {
        status = mote_world_step(world, NULL, error);
        status = status == MOTE_OK ? mote_world_density_error(world, &now, &most, error) : status;
        *worst = status == MOTE_OK ? fmax(*worst, now) : *worst;
        *mean += status == MOTE_OK ? now : 0;
        ++steps;
    }
    *mean /= steps;
    mote_world_destroy(world);
    return status;
}

mote_status fluids_density(void *context, mote_error *error)
{
    static const struct {
        const char *solver;
        double tolerance;
    } CASES[] = {{"dfsph", 1e-3}, {"iisph", 1e-3}, {"pbf", 1e-3}, {"dfsph", 1e-4}, {"iisph", 1e-4}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
        char quantity[100];
        double mean, worst;
        MO_TRY(run_column(CASES[k].solver, CASES[k].tolerance, &mean, &worst, error));
        snprintf(quantity, sizeof quantity, "%s, %g %%: compression, mean", CASES[k].solver,
                 100 * CASES[k].tolerance);
        validate_at_most(context, "fluids/density", quantity, mean, CASES[k].tolerance, 0);
        snprintf(quantity, sizeof quantity, "%s, %g %%: compression, worst step", CASES[k].solver,
                 100 * CASES[k].tolerance);
        validate_at_most(context, "fluids/density", quantity, worst, CASES[k].tolerance, 0);
    }
    return MOTE_OK;
}
