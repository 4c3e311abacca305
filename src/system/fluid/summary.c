/* Statistics of a fluid over a run: in the public interface and in report.json. */
#include "system/fluid/fluid.h"

#include <math.h>
#include <string.h>

static mo_fluid_system *fluid_of(const mote_world *world)
{
    const mo_system *system = mo_world_system(world, &mo_system_fluid);
    return system ? system->state : NULL;
}

static mote_fluid_summary summary_of(const mo_fluid_system *fluid)
{
    mote_fluid_summary summary = fluid->summary;
    summary.particles = mo_store_owned(fluid->system->store);
    summary.boundary = fluid->fluid.walls.count;
    return summary;
}

/* Of the current positions. */
static mote_status measure_density(mo_fluid_system *fluid, double time, double *mean, double *max,
                                   mote_error *error)
{
    *mean = *max = 0;
    if (mo_store_owned(fluid->system->store) == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_fluid_update(&fluid->fluid, time, error));
    return mo_fluid_measure_density(&fluid->fluid, mean, max, error);
}

mote_fluid_summary mote_world_fluid(const mote_world *world)
{
    MO_NEED_OR(world, (mote_fluid_summary){0});
    const mo_fluid_system *fluid = fluid_of(world);
    return fluid ? summary_of(fluid) : (mote_fluid_summary){0};
}

mote_status mote_world_density_error(mote_world *world, double *mean, double *max,
                                     mote_error *error)
{
    MO_NEED(world);
    mo_fluid_system *fluid = fluid_of(world);
    double unused;
    mean = mean ? mean : &unused;
    max = max ? max : &unused;
    *mean = *max = 0;
    return fluid ? measure_density(fluid, mote_world_time(world), mean, max, error) : MOTE_OK;
}

/* ---- report.json ---- */

/* Errors and iterations over the steps of this run. Density errors are measured after each of these
 * steps. */
static int fluid_report_numbers(const mo_system *system, double time, mo_report_number *out)
{
    mo_fluid_system *fluid = system->state;
    mote_fluid_summary s = summary_of(fluid);
    double mean, most, steps = s.steps > 0 ? (double)s.steps : 1;
    if (measure_density(fluid, time, &mean, &most, NULL) != MOTE_OK) {
        mean = most = (double)NAN; /* the density cannot be evaluated */
    }
    const mo_report_number numbers[] = {
        {"density_error_avg", (s.density_error_sum + mean) / (double)(s.states + 1), false},
        {"density_error_max", s.density_error_max > most ? s.density_error_max : most, false},
        {"iterations_avg", (double)s.iterations / steps, false},
        {"divergence_iterations_avg", (double)s.divergence_iterations / steps, false},
        {"iterations_max", s.iterations_max, true},
        {"unconverged_steps", (double)s.unconverged, true},
        {"divergence_unconverged_steps", (double)s.divergence_unconverged, true},
        {"residual_max", s.residual_max, false},
        {"divergence_residual_max", s.divergence_residual_max, false},
        {"emitted", (double)s.emitted, true},
        {"removed", (double)s.removed, true},
        {"penetrations", (double)s.penetrations, true},
        {"culled", (double)s.culled, true}};
    memcpy(out, numbers, sizeof numbers);
    return sizeof numbers / sizeof *numbers;
}

static const char *const KINDS[] = {"fluid", "boundary", NULL};

static void count_kinds(const mo_system *system, const mo_world_def *def, int64_t *counts)
{
    mote_fluid_summary s = summary_of(system->state);
    (void)def;
    counts[0] = mo_store_rows(system->store);
    counts[1] = s.boundary;
}

const mo_report_hooks mo_fluid_system_reported = {
    .summary = fluid_report_numbers, .kinds = KINDS, .count = count_kinds};
