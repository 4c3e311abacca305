/*
 * Implicit incompressible SPH: M. Ihmsen, J. Cornelis, B. Solenthaler, C. Horvath, M. Teschner
 * 2014, IEEE Trans. Vis. Comput. Graph. 20, 426. A step:
 *     forces              v* = v + h a
 *     pressure            s_i = 1 - delta_i - h D delta*_i/Dt   (their eq. 4)
 *     v = v* + h a(k),    x := x + h v
 * with the system of solve.h: relaxed Jacobi iterations, omega 0.5, started from half the pressures
 * of the last step (algorithm 1). The diagonal is that of the paper with corrected signs and
 * masses,
 *     a_ii = -(h/rho_i^2) (|sum_j m_j grad W_ij|^2 + m_i sum_j m_j |grad W_ij|^2),
 * written with volumes and boundaries in fluid.h; unknowns are k = p/delta^2.
 *
 * The variant `ihmsen2014` is this. Departs from the paper by default, variant `accelerated`:
 * Nesterov acceleration, outer iterations at the new positions (densities are not linear in
 * positions), and relaxation of the density error that a step begins with (solve.h).
 */
#include "fluid/pressure/solve.h"

#include <string.h>

/* The solve is linear, but the densities at the new positions are not: it converges further than
 * the tolerance by this factor, so that the measured error is within the tolerance. */
#define MARGIN 0.5

typedef struct iisph {
    const char *variant;
    double tolerance, omega, warm_start;
    int64_t min_iterations, max_iterations, max_corrections;
} iisph;

static const mo_param PARAMS[] = {
    {"variant", MO_STRING, MO_FIELD(iisph, variant), .initial = "\"accelerated\"",
     .choices = "accelerated|ihmsen2014",
     .doc = "ihmsen2014: relaxed Jacobi iteration that corrects all of the density error in every "
            "step, as published. accelerated: Nesterov acceleration, relaxation of the initial "
            "density error, outer iterations."},
    {"tolerance", MO_REAL, MO_FIELD(iisph, tolerance), .initial = "1e-3", .range = "(0, 1)",
     .doc = "Average relative density error at which the solver stops."},
    {"min_iterations", MO_INT, MO_FIELD(iisph, min_iterations), .initial = "2",
     .range = "[1, 1000]", .doc = "Minimum number of iterations."},
    {"max_iterations", MO_INT, MO_FIELD(iisph, max_iterations), .initial = "100",
     .range = "[1, 10000]", .doc = "Maximum number of iterations."},
    {"omega", MO_REAL, MO_FIELD(iisph, omega), .initial = "0.5", .range = "(0, 1]",
     .doc = "Relaxation factor of the Jacobi iteration."},
    {"warm_start", MO_REAL, MO_FIELD(iisph, warm_start), .initial = "0.5", .range = "[0, 1]",
     .doc = "Fraction of the previous step's pressure used as the initial guess."},
    {"max_corrections", MO_INT, MO_FIELD(iisph, max_corrections), .initial = "3",
     .range = "[0, 100]",
     .doc = "Maximum number of outer (nonlinear) iterations: further solves at the new positions, "
            "while the average density error there exceeds the tolerance, or the maximum one 20 "
            "tolerances and 1 %."},
    {0}};

static const mo_preset PRESETS[] = {{"ihmsen2014", "max_corrections", "0"}, {0}};

enum { PRESSURE, MORE, TARGET };
static const mo_column_spec COLUMNS[] = {
    {"iisph_k", MOTE_F32, 1, MO_STATE, "Pa", "pressure / (density / rest density)^2"},
    {"iisph_more", MOTE_F32, 1, MO_DERIVED, "Pa", "the same of an outer iteration"},
    {"iisph_target", MOTE_F32, 1, MO_DERIVED, "1",
     "target density of the step, relative to the rest density"},
    {0}};

static mote_status iisph_step(mo_instance *self, mo_fluid *f, const mo_fluid_step *now,
                              mote_error *error)
{
    const iisph *p = self->method.params;
    bool published = strcmp(p->variant, "ihmsen2014") == 0;
    mo_density_def def = {
        .solve = {.tolerance = (published ? 1 : MARGIN) * p->tolerance,
                  .omega = p->omega,
                  .least = (int)p->min_iterations,
                  .most = (int)p->max_iterations,
                  .accelerated = published ? 0 : MO_SOLVE_SMOOTH},
        .name = "the solve",
        .tolerance = p->tolerance,
        .corrections = p->max_corrections,
        .warm = (float)p->warm_start,
        .at_once = published,
    };
    mo_density_columns columns = {self->columns[PRESSURE]->data, NULL, self->columns[TARGET]->data,
                                  self->columns[MORE]->data};
    MO_TRY(mo_fluid_update(f, now->time, error));
    mo_stage_end(now->stages, now->stage->neighbors);
    MO_TRY(mo_terms_apply(f, now->time, now->h, false, error));
    mo_fluid_pack_velocities(f);
    mo_stage_end(now->stages, now->stage->forces);
    return mo_density_step(f, &def, now, &columns, error);
}

const mo_pressure_type mo_pressure_iisph = {
    .base =
        {.name = "iisph",
         .summary = "Implicit incompressible SPH: one implicit solve per step for constant "
                    "density.",
         .citation =
             "Ihmsen, Cornelis, Solenthaler, Horvath, Teschner 2014, IEEE Trans. Vis. Comput. "
             "Graph. 20, "
             "426",
         .departs =
             "By default Nesterov acceleration of the Jacobi iteration, outer iterations at the "
             "new positions, and relaxation of the density error that a step begins with; the "
             "variant ihmsen2014 has none of these. The relaxation factor is halved where the "
             "residual grows, closed domains are gauged by their least pressure, and boundaries "
             "are those of the boundary method.",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(iisph),
         .params = PARAMS,
         .preset = "variant",
         .presets = PRESETS,
         .columns = COLUMNS},
    .step = iisph_step,
    .moves_bodies = true,
    .gains_by_shifting = true,
};
