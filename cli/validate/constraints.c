/* Position-based bodies against closed forms. */
#include "base/error.h"
#include "bench/case_world.h"
#include "math/vec3.h"
#include "mote/mote.h"
#include "validate/validate.h"

#include <math.h>
#include <stdio.h>

static const double G = 9.81;

static double *column_of(const mote_world *world, const char *name)
{
    mote_column column;
    int system = mote_world_system_find(world, "constraints");
    return mote_world_column_find(world, system, name, &column) ? column.data : NULL;
}

static mote_status run_until(mote_world *world, double end, mote_error *error)
{
    while (mote_world_time(world) < end) {
        MO_TRY(mote_world_step(world, NULL, error));
    }
    return MOTE_OK;
}

/* ---- a hanging chain ---- */

enum { LINKS = 10 };

/* The elongation of a chain after it has come to rest, over that of its links under the weight
 * below them: sum of compliance g (mass below). */
static mote_status elongation(double step, int substeps, int iterations, double *ratio,
                              mote_error *error)
{
    const double compliance = 1e-3;
    char text[1000];
    mote_world *world;
    snprintf(text, sizeof text,
             "{\"time\": {\"end\": 10, \"step\": %g}, \"constraints\": {\"substeps\": %d, "
             "\"iterations\": %d}, \"bodies\": [{\"mass\": 1, \"pins\": [{\"nodes\": [0]}], "
             "\"mesh\": {\"type\": \"rope\", \"start\": [0, 0, 0], \"end\": [0, 0, -1], "
             "\"segments\": %d}, \"model\": {\"type\": \"xpbd\", \"damping\": 20, "
             "\"constraints\": [{\"type\": \"distance\", \"compliance\": %g}]}}]}",
             step, substeps, iterations, LINKS, compliance);
    MO_TRY(case_world_create(text, NULL, 1, &world, error));
    const double *x = column_of(world, "x"), *mass = column_of(world, "mass");
    double below = 0, sum = 0;
    for (int k = LINKS; k > 0; --k) {
        below += mass[k];
        sum += compliance * G * below;
    }
    mote_status status = run_until(world, 8, error);
    *ratio = (-1 - x[3 * LINKS + 2]) / sum;
    mote_world_destroy(world);
    return status;
}

/* Once converged, the elongation depends neither on the step nor on the substeps. */
static mote_status constraints_chain(void *context, mote_error *error)
{
    static const struct {
        double step;
        int substeps, iterations;
    } RUNS[] = {{0.01, 1, 300}, {0.01, 10, 50}, {0.002, 1, 100}, {0.02, 20, 20}};
    for (size_t k = 0; k < sizeof RUNS / sizeof *RUNS; ++k) {
        double ratio;
        char quantity[100];
        MO_TRY(elongation(RUNS[k].step, RUNS[k].substeps, RUNS[k].iterations, &ratio, error));
        snprintf(quantity, sizeof quantity, "elongation, step %g s, %d substeps of %d iterations",
                 RUNS[k].step, RUNS[k].substeps, RUNS[k].iterations);
        validate_relative(context, "constraints/chain", quantity, ratio, 1, 0.01);
    }
    return MOTE_OK;
}

/* ---- momenta ---- */

static double worst_change(const double a[3], const double b[3])
{
    double worst = 0;
    for (int k = 0; k < 3; ++k) {
        worst = fmax(worst, fabs(a[k] - b[k]));
    }
    return worst;
}

/* The changes of the momenta of a free block that turns, in 0.5 s. */
static mote_status change_momenta(const char *constraint, double step, double *linear,
                                  double *angular, mote_error *error)
{
    char text[1000];
    mote_world *world;
    mote_measures before, after;
    snprintf(text, sizeof text,
             "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": %g}, \"bodies\": "
             "[{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"min\": [0, 0, 0], "
             "\"max\": [0.3, 0.2, 0.2], \"nx\": 4, \"ny\": 3, \"nz\": 3, \"tetrahedra\": 5}, "
             "\"flow\": {\"type\": \"rotation\", \"angular_velocity\": [1, 5, 2]}, "
             "\"model\": {\"type\": \"xpbd\", \"constraints\": [%s]}}]}",
             step, constraint);
    MO_TRY(case_world_create(text, NULL, 1, &world, error));
    mote_status status = mote_world_measure(world, &before, error);
    status = status == MOTE_OK ? run_until(world, 0.5 - 0.5 * step, error) : status;
    status = status == MOTE_OK ? mote_world_measure(world, &after, error) : status;
    mote_world_destroy(world);
    MO_TRY(status);
    *linear = worst_change(before.momentum, after.momentum);
    *angular = worst_change(before.angular_momentum, after.angular_momentum);
    return MOTE_OK;
}

/* Linear momentum is conserved to rounding. The angular one is not: x x v of an implicit Euler step
 * has v of its end and x of its start, so that its change is proportional to the step. */
static mote_status constraints_momenta(void *context, mote_error *error)
{
    static const char *const CONSTRAINTS[] = {"distance", "volume", "strain_energy"};
    for (size_t k = 0; k < sizeof CONSTRAINTS / sizeof *CONSTRAINTS; ++k) {
        char constraint[64], quantity[100];
        double linear, coarse, fine;
        snprintf(constraint, sizeof constraint, "\"%s\"", CONSTRAINTS[k]);
        MO_TRY(change_momenta(constraint, 0.01, &linear, &coarse, error));
        snprintf(quantity, sizeof quantity, "%s: change of linear momentum [kg m/s]",
                 CONSTRAINTS[k]);
        validate_absolute(context, "constraints/momenta", quantity, linear, 0, 1e-9);
        MO_TRY(change_momenta(constraint, 0.0025, &linear, &fine, error));
        snprintf(quantity, sizeof quantity, "%s: order of the change of angular momentum",
                 CONSTRAINTS[k]);
        validate_absolute(context, "constraints/momenta", quantity, log2(coarse / fine) / 2, 1,
                          0.2);
    }
    return MOTE_OK;
}

static const suite_case CASES[] = {
    {"constraints/chain", "Elongation of a hanging chain: compliance times load per link.",
     constraints_chain},
    {"constraints/momenta", "Momenta of a free block.", constraints_momenta},
    {0}};

const suite_group validate_constraints = {
    "constraints", "Position-based bodies: elongation under load and momenta.", CASES};
