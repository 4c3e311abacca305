/*
 * Implicit incompressible SPH: M. Ihmsen, J. Cornelis, B. Solenthaler, C. Horvath, M. Teschner
 * 2014, IEEE Trans. Vis. Comput. Graph. 20, 426. A step:
 *     forces              v* = v + h a
 *     pressure            s_i = 1 - delta_i - h D delta*_i/Dt, the compression that v* would lead
 *                         to   (their eq. 4)
 *     v = v* + h push,    x := x + h v
 *     while the new places are compressed more than the tolerance: the system again there, s_i = 1
 *         - delta_i
 * with the system of solve.h: relaxed Jacobi steps, omega 0.5, started from half the pressures of
 * the step before (algorithm 1). The diagonal is theirs with its signs and masses right,
 *     a_ii = -(h/rho_i^2) (|sum_j m_j grad W_ij|^2 + m_i sum_j m_j |grad W_ij|^2),
 * written with volumes and walls in fluid.h. Departs from the paper: the corrections at the new
 * places, since densities are not linear in the places; compression that is there already is taken
 * back no faster than recovery.h says; pressures stand as k = p/delta^2; walls are those of
 * walls.h; the mean over all particles of the predicted compression decides when to stop.
 */
#include "fluid/pressure/correct.h"
#include "fluid/pressure/layer_solve.h"
#include "fluid/pressure/pressure.h"
#include "fluid/pressure/recovery.h"
#include "fluid/pressure/solve.h"

#include <math.h>

enum { GRAIN = 4096 };

/* The solve is linear, and the densities at the new places are not: it goes this much further than
 * it was asked to, so that what is measured there is within the tolerance. */
#define MARGIN 0.5

typedef struct iisph {
    double tolerance, omega, warm_start;
    int64_t min_iterations, max_iterations, max_corrections;
} iisph;

static const mo_param PARAMS[] = {
    {"tolerance", MO_REAL, MO_FIELD(iisph, tolerance), .initial = "1e-3", .range = "(0, 1)",
     .doc = "Mean compression that is left, as a part of the density."},
    {"min_iterations", MO_INT, MO_FIELD(iisph, min_iterations), .initial = "2",
     .range = "[1, 1000]", .doc = "Iterations at least."},
    {"max_iterations", MO_INT, MO_FIELD(iisph, max_iterations), .initial = "100",
     .range = "[1, 10000]", .doc = "Iterations at most."},
    {"omega", MO_REAL, MO_FIELD(iisph, omega), .initial = "0.5", .range = "(0, 1]",
     .doc = "Relaxation of the Jacobi steps."},
    {"warm_start", MO_REAL, MO_FIELD(iisph, warm_start), .initial = "0.5", .range = "[0, 1]",
     .doc = "The part of the last step's pressures to start from."},
    {"max_corrections", MO_INT, MO_FIELD(iisph, max_corrections), .initial = "3",
     .range = "[0, 100]",
     .doc =
         "Outer iterations at most: further solves at the new positions, while the average density error "
         "there is above the tolerance, or that of one particle above 20 tolerances and 1 %."},
    {0}};

enum { PRESSURE, MORE, TARGET };
static const mo_column_spec COLUMNS[] = {
    {"iisph_k", MOTE_F32, 1, MO_STATE, "Pa", "pressure / (density / rest density)^2"},
    {"iisph_more", MOTE_F32, 1, MO_DERIVED, "Pa", "the same, of a correction"},
    {"iisph_target", MOTE_F32, 1, MO_DERIVED, "1",
     "density that the step aims at, in rest densities"},
    {0}};

typedef struct sourcing {
    const mo_fluid *fluid;
    float h, warm, *k;
    mo_recovery recovery;
    float *target;
} sourcing;

static void source_rows(void *context, int64_t first, int64_t last)
{
    const sourcing *s = context;
    const mo_fluid *f = s->fluid;
    for (int64_t row = first; row < last; ++row) {
        float back = mo_recovery_source(&s->recovery, f->density[row]);
        f->source[row] = back - s->h * f->rate[row];
        s->target[row] = f->density[row] + back;
        s->k[row] *= s->warm;
    }
}

static mote_status solve(const iisph *p, const mo_instance *self, mo_fluid *f,
                         const mo_fluid_step *now, mo_solve_result *result, mote_error *error)
{
    mo_solve_def def = {MARGIN * p->tolerance, p->omega, (int)p->min_iterations,
                        (int)p->max_iterations, MO_SOLVE_SMOOTH};
    double h = now->h;
    sourcing s = {f,
                  (float)h,
                  (float)p->warm_start,
                  self->columns[PRESSURE]->data,
                  {0, 0, p->tolerance},
                  self->columns[TARGET]->data};
    MO_TRY(mo_recovery_find(f, now, f->density, f->report.density_error, &s.recovery, error));
    def.tolerance = fmin(def.tolerance, s.recovery.tolerance);
    mo_fluid_rates(f, f->velocity, true, f->rate);
    mo_parallel_for(f->pool, f->rows, GRAIN, source_rows, &s);
    mo_layers_source_density(f, h, &s.recovery);
    MO_TRY(mo_solve_pressure(f, &def, f->source, h * h, s.k, result, error));
    f->report.iterations = result->iterations;
    f->report.residual = result->residual;
    mo_solve_note_result(f, "the solve", false, result, 1, p->tolerance);
    mo_fluid_show_pressure(f, s.k, NULL);
    MO_TRY(mo_fluid_react(f, s.k, h, error));
    return MOTE_OK;
}

static mote_status iisph_step(mo_instance *self, mo_fluid *f, const mo_fluid_step *now,
                              mote_error *error)
{
    const iisph *p = self->method.params;
    mo_solve_def again = {MARGIN * p->tolerance, p->omega, (int)p->min_iterations,
                          (int)p->max_iterations, MO_SOLVE_SMOOTH};
    mo_correction_def correction = {again, p->tolerance, p->max_corrections};
    mo_solve_result result;
    MO_TRY(mo_fluid_update(f, now->time, error));
    mo_stage_end(now->stages, now->stage->neighbors);
    MO_TRY(mo_terms_apply(f, now->time, now->h, false, error));
    mo_fluid_pack_velocities(f);
    mo_stage_end(now->stages, now->stage->forces);
    MO_TRY(solve(p, self, f, now, &result, error));
    mo_fluid_kick_by_push(f, now->h);
    mo_stage_end(now->stages, now->stage->pressure);
    mo_fluid_drift(f, now->h);
    mo_stage_end(now->stages, now->stage->advance);
    MO_TRY(mo_correct_places(f, &correction, now, &result, self->columns[TARGET]->data,
                             self->columns[MORE]->data, error));
    mo_stage_end(now->stages, now->stage->pressure);
    return MOTE_OK;
}

const mo_pressure_type mo_pressure_iisph = {
    .base =
        {.name = "iisph",
         .summary = "Implicit; places do not compress. One solve a step.",
         .citation =
             "Ihmsen, Cornelis, Solenthaler, Horvath, Teschner 2014, IEEE Trans. Vis. Comput. Graph. 20, "
             "426",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(iisph),
         .params = PARAMS,
         .columns = COLUMNS},
    .step = iisph_step,
    .gains_by_shifting = true,
};
