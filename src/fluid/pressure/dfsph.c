/*
 * Divergence-free SPH: J. Bender, D. Koschier 2015 and 2017 (IEEE Trans. Vis. Comput. Graph. 23,
 * 1193). A step:
 *     divergence-free solve   s_i = -D delta_i/Dt: velocities no longer compress
 *                             (algorithm 2)
 *     forces                  v* = v + h a
 *     constant-density solve  s_i = 1 - delta_i - h D delta*_i/Dt: places will not compress
 *                             (algorithm 3)
 *     x := x + h v
 * Both are the system of solve.h, on velocities and on places, started from what came out of the
 * step before. Departs from the papers: pressures are updated by accelerated Jacobi steps (omega
 * 0.5) on the diagonal of the system instead of the factors alpha, so that the stopping criterion
 * and the walls are those of solve.h. A positive s_i stays, it is room that pressures of others may
 * fill: cut off at 0, as published for velocities, particles that expand must go on to, and
 * vortices around a void gained 5 % of their energy; compression that is there already is limited
 * by solve.h. Particles with few neighbours, or less than half of their density, may come nearer
 * to each other: in spray density grows without anything being compressed. For them s_i = 0 in the
 * divergence-free solve, so that the pressures of others press them no further. SPlisHSPlasH counts
 * neighbours only; with wide kernels that is not enough, a drop then hovers above its floor, among
 * many samples of it.
 */
#include "fluid/pressure/layer_solve.h"
#include "fluid/pressure/solve.h"

#include <math.h>

enum { GRAIN = 4096 };

typedef struct dfsph {
    double tolerance, divergence_tolerance, omega;
    int64_t min_iterations, max_iterations, max_divergence_iterations, max_corrections;
    double warm_start;
    bool divergence;
} dfsph;

static const mo_param PARAMS[] = {
    {"tolerance", MO_REAL, MO_FIELD(dfsph, tolerance), .initial = "1e-3", .range = "(0, 1)",
     .doc = "Average relative density error at which the constant-density solve stops."},
    {"divergence_tolerance", MO_REAL, MO_FIELD(dfsph, divergence_tolerance), .initial = "1e-3",
     .range = "(0, 1)",
     .doc = "Average relative density change per step at which the divergence-free solve stops."},
    {"min_iterations", MO_INT, MO_FIELD(dfsph, min_iterations), .initial = "2",
     .range = "[1, 1000]", .doc = "Minimum number of iterations of the constant-density solve."},
    {"max_iterations", MO_INT, MO_FIELD(dfsph, max_iterations), .initial = "100",
     .range = "[1, 10000]", .doc = "Maximum number of iterations of the constant-density solve."},
    {"max_divergence_iterations", MO_INT, MO_FIELD(dfsph, max_divergence_iterations),
     .initial = "100", .range = "[1, 10000]",
     .doc = "Maximum number of iterations of the divergence-free solve."},
    {"omega", MO_REAL, MO_FIELD(dfsph, omega), .initial = "0.5", .range = "(0, 1]",
     .doc = "Relaxation factor of the Jacobi iteration."},
    {"divergence", MO_BOOL, MO_FIELD(dfsph, divergence), .initial = "true",
     .doc = "Perform the divergence-free solve."},
    {"warm_start", MO_REAL, MO_FIELD(dfsph, warm_start), .initial = "0.8", .range = "[0, 1]",
     .doc =
         "Fraction of the previous step's pressure used as the initial guess of both solves; "
         "reduced automatically in quiescent fluid. Values near 1 need the fewest iterations but "
         "let the density fall below the rest density."},
    {"max_corrections", MO_INT, MO_FIELD(dfsph, max_corrections), .initial = "3",
     .range = "[0, 100]",
     .doc = "Maximum number of outer (nonlinear) iterations: further solves at the new positions, "
            "while the average density error there exceeds the tolerance, or the maximum one 20 "
            "tolerances and 1 %."},
    {0}};

/* The solve is linear, and the densities at the new places are not: it goes this much further than
 * it was asked to, so that what is measured there is within the tolerance. */
#define MARGIN 0.7

/* Density tolerances that the divergence-free solve may leave, whatever is asked for: beyond, the
 * constant-density solve makes more iterations for what is left than it would have taken here, and
 * takes energy from the flow. A dam break of 50k particles to 1 s with tolerances of 1e-4 and 1e-3
 * made 7.1 + 1.2 iterations without it, 4.4 + 1.7 with 5, 3.5 + 2.2 with 3. */
#define DIVERGENCE 3

/* The part of its density below which a particle is spray. */
#define LOOSE 0.5f

enum { PLACES, VELOCITIES, MORE, TARGET };
static const mo_column_spec COLUMNS[] = {
    {"dfsph_k", MOTE_F32, 1, MO_STATE, "Pa",
     "pressure / (density / rest density)^2 of the constant-density solve"},
    {"dfsph_kv", MOTE_F32, 1, MO_STATE, "Pa", "the same of the divergence-free solve"},
    {"dfsph_more", MOTE_F32, 1, MO_DERIVED, "Pa", "the same of an outer iteration"},
    {"dfsph_target", MOTE_F32, 1, MO_DERIVED, "1",
     "target density of the step, relative to the rest density"},
    {0}};

typedef struct sourcing {
    const mo_fluid *fluid;
    float *k, warm;
    int few; /* neighbours below which the divergence is left alone */
} sourcing;

/* How fast it grows now. */
static void divergence_source(void *context, int64_t first, int64_t last)
{
    const sourcing *s = context;
    const mo_fluid *f = s->fluid;
    for (int64_t row = first; row < last; ++row) {
        const float *wall = f->wall + 4 * row;
        bool solid = wall[0] != 0 || wall[1] != 0 || wall[2] != 0;
        bool few = f->lists->count[row] < s->few && !solid;
        float rate = few || f->density[row] < LOOSE ? 0 : f->rate[row];
        f->source[row] = -rate;
        s->k[row] *= rate > 0 ? s->warm : 0;
    }
}

/* Warm-starting with nearly all of the previous pressure puts the initial residual below the
 * tolerance, so that successive solves stop at different residuals and excite a quiescent fluid.
 * Where the root mean square of the speed is below CALM sqrt(g spacing) solves start from
 * CALM_START of it. */
#define CALM 0.2
#define CALM_START 0.3

/* partial: the sum of the squares of speeds */
static void add_squares(void *context, int64_t first, int64_t last, double *partial)
{
    const float *v = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        const float *u = v + 4 * row;
        *partial += (double)(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    }
}

static mote_status is_calm(mo_fluid *f, double time, bool *calm, mote_error *error)
{
    double sum, fall = mo_length(mo_fluid_gravity(f, time)) * f->spacing;
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, 1, add_squares, f->velocity, &sum,
                              error));
    *calm = sum < CALM * CALM * fall * (double)f->rows;
    return MOTE_OK;
}

static float warm_start_of(const dfsph *p, bool calm)
{
    return (float)fmin(p->warm_start, calm ? CALM_START : 1);
}

static mote_status solve_divergence(const dfsph *p, const mo_instance *self, mo_fluid *f, double h,
                                    bool calm, mote_error *error)
{
    mo_solve_def def = {fmin(p->divergence_tolerance, DIVERGENCE * p->tolerance) / h, p->omega, 1,
                        (int)p->max_divergence_iterations, 1};
    sourcing s = {f, self->columns[VELOCITIES]->data, warm_start_of(p, calm),
                  f->dimension == 3 ? 20 : 7};
    mo_solve_result result;
    mo_fluid_rates(f, f->velocity, true, f->rate);
    mo_parallel_for(f->pool, f->rows, GRAIN, divergence_source, &s);
    mo_layers_source_divergence(f);
    MO_TRY(mo_solve_pressure(f, &def, f->source, h, s.k, &result, error));
    mo_fluid_kick_by_push(f, h);
    MO_TRY(mo_fluid_react(f, s.k, h, error));
    mo_fluid_pack_velocities(f);
    f->report.divergence_iterations = result.iterations;
    f->report.divergence_residual = result.residual * h;
    mo_solve_note_result(f, "the divergence-free solve", true, &result, h, p->divergence_tolerance);
    return MOTE_OK;
}

static mote_status step_density(const dfsph *p, const mo_instance *self, mo_fluid *f,
                                const mo_fluid_step *now, bool calm, mote_error *error)
{
    mo_density_def def = {
        .solve = {MARGIN * p->tolerance, p->omega, (int)p->min_iterations, (int)p->max_iterations,
                  calm ? MO_SOLVE_SMOOTH : 1},
        .name = "the constant-density solve",
        .tolerance = p->tolerance,
        .corrections = p->max_corrections,
        .warm = warm_start_of(p, calm),
        .warm_where_compressed = true,
    };
    mo_density_columns columns = {self->columns[PLACES]->data,
                                  p->divergence ? self->columns[VELOCITIES]->data : NULL,
                                  self->columns[TARGET]->data, self->columns[MORE]->data};
    return mo_density_step(f, &def, now, &columns, error);
}

static mote_status dfsph_step(mo_instance *self, mo_fluid *f, const mo_fluid_step *now,
                              mote_error *error)
{
    const dfsph *p = self->method.params;
    bool calm;
    MO_TRY(mo_fluid_update(f, now->time, error));
    MO_TRY(is_calm(f, now->time, &calm, error));
    mo_stage_end(now->stages, now->stage->neighbors);
    if (p->divergence) {
        MO_TRY(solve_divergence(p, self, f, now->h, calm, error));
        mo_stage_end(now->stages, now->stage->divergence);
    }
    MO_TRY(mo_terms_apply(f, now->time, now->h, false, error));
    mo_fluid_pack_velocities(f);
    mo_stage_end(now->stages, now->stage->forces);
    return step_density(p, self, f, now, calm, error);
}

const mo_pressure_type mo_pressure_dfsph = {
    .base =
        {.name = "dfsph",
         .summary = "Divergence-free SPH: implicit solves for constant density and zero "
                    "divergence. The fastest at large steps.",
         .citation =
             "Bender, Koschier 2015, Symp. Computer Animation; 2017, IEEE Trans. Vis. Comput. Graph. 23, "
             "1193",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(dfsph),
         .params = PARAMS,
         .columns = COLUMNS},
    .step = dfsph_step,
};
