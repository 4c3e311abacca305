/*
 * Position based fluids: M. Macklin, M. Mueller 2013, ACM Trans. Graph. 32, 104. A step:
 *     prediction     v* = v + h g,  x* = x + h v*; neighbours and boundaries at x* (algorithm 1)
 *     density        C_i = delta_i - 1 <= 0 by position corrections, with current densities
 *     velocity       v = (x_new - x_old)/h, then viscosity and vorticity confinement
 * Corrections with inverse masses as weights, m_i dx_i = sum_j V_i V_j (l_i + l_j) grad W_ij, l_i =
 * -C_i rho0/diagonal_i, are eqs. 8 to 12 for any mass and rest density: l V is their lambda, and
 * pair corrections are equal and opposite. They are h^2 times the acceleration of a pressure k =
 * -l/h^2, so that pass and boundaries are those of the other solvers, and the sum of all k of a
 * step is its pressure.
 *
 * The variant `macklin2013` has equality constraints C_i = 0, a fixed number of iterations, each
 * with its own l softened by `epsilon` (eq. 11), and the artificial pressure of eq. 13 in every
 * iteration. Departs from the paper by default, variant `accumulated`: l is summed over the
 * iterations with a non-negative sum, so that overshoot is corrected; warm start; relaxation by a
 * factor; a tolerance of the density error; relaxation of the initial density error (solve.h);
 * artificial pressure once per step, in spacing^2, epsilon in 1/spacing^2: m_i dx_i = -sum_j V_i
 * V_j tensile spacing^2 (W_ij/W(0.2 R))^4 grad W_ij rho0. XSPH (eq. 17) is a separate viscosity.
 * Angular momentum is conserved for small corrections.
 */
#include "fluid/kernel/lanes.h"
#include "fluid/pressure/layer_solve.h"
#include "fluid/pressure/pressure.h"
#include "fluid/pressure/solve.h"
#include "fluid/vorticity/confinement.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096 };

typedef struct pbf {
    const char *variant;
    double tolerance, omega, epsilon, warm_start, tensile;
    mo_confinement confinement;
    int64_t min_iterations, max_iterations;
} pbf;

static const mo_param PARAMS[] = {
    {"variant", MO_STRING, MO_FIELD(pbf, variant), .initial = "\"accumulated\"",
     .choices = "accumulated|macklin2013",
     .doc =
         "macklin2013: equality constraints with multipliers of their own in every iteration, and "
         "artificial pressure in every iteration, as published. accumulated: multipliers are "
         "summed over a step and kept non-negative, the initial density error is relaxed."},
    {"tolerance", MO_REAL, MO_FIELD(pbf, tolerance), .initial = "1e-3", .range = "(0, 1)",
     .doc = "Average relative density error at which the solver stops."},
    {"min_iterations", MO_INT, MO_FIELD(pbf, min_iterations), .initial = "2", .range = "[1, 1000]",
     .doc = "Minimum number of iterations, the warm start included."},
    {"max_iterations", MO_INT, MO_FIELD(pbf, max_iterations), .initial = "100",
     .range = "[1, 10000]", .doc = "Maximum number of iterations."},
    {"omega", MO_REAL, MO_FIELD(pbf, omega), .initial = "0.5", .range = "(0, 1]",
     .doc = "Relaxation factor of the position corrections."},
    {"epsilon", MO_REAL, MO_FIELD(pbf, epsilon), .initial = "0", .range = "[0, inf)",
     .doc =
         "Constraint relaxation epsilon of the denominator, in units of 1/spacing^2: softens the "
         "constraints and leaves a density error."},
    {"warm_start", MO_REAL, MO_FIELD(pbf, warm_start), .initial = "0.5", .range = "[0, 1]",
     .doc = "Fraction of the previous step's pressure used as the initial guess."},
    {"tensile", MO_REAL, MO_FIELD(pbf, tensile), .initial = "0", .range = "[0, inf)",
     .doc = "Coefficient k of the artificial pressure against clustering at free surfaces; "
            "typically 0.1."},
    {"vorticity", MO_REAL, MO_FIELD(pbf, confinement.strength), .unit = "m/s", .initial = "0",
     .range = "[0, inf)",
     .doc =
         "Coefficient of vorticity confinement against numerical decay of eddies; it adds energy."},
    {0}};

static const mo_preset PRESETS[] = {
    {"macklin2013", "tolerance", "0.02"},   {"macklin2013", "min_iterations", "4"},
    {"macklin2013", "max_iterations", "4"}, {"macklin2013", "omega", "1"},
    {"macklin2013", "epsilon", "2"},        {"macklin2013", "warm_start", "0"},
    {"macklin2013", "tensile", "0.1"},      {0}};

static bool is_published(const pbf *p)
{
    return strcmp(p->variant, "macklin2013") == 0;
}

enum { PRESSURE, BEFORE };
static const mo_column_spec COLUMNS[] = {
    {"pbf_k", MOTE_F32, 1, MO_STATE, "Pa", "pressure / (density / rest density)^2"},
    {"pbf_x", MOTE_F64, 3, MO_DERIVED, "m", "position before the step"},
    {0}};

static mote_status pbf_add_terms(const void *params, mo_fluid *f, mote_error *error)
{
    const pbf *p = params;
    mo_method confinement = {&mo_vorticity_confinement.base, &p->confinement};
    return p->confinement.strength > 0 ? mo_terms_add(f, "pressure.vorticity", confinement, error)
                                       : MOTE_OK;
}

/* ---- prediction, and velocities from positions ---- */

typedef struct motion {
    double *x, *v, *before;
    mo_vec3 gravity;
    double h;
} motion;

static motion motion_of(const mo_instance *self, const mo_fluid *f, const mo_fluid_step *now)
{
    return (motion){mo_f64(f->columns.x), mo_f64(f->columns.v), mo_f64(self->columns[BEFORE]),
                    mo_fluid_gravity(f, now->time), now->h};
}

static void predict_rows(void *context, int64_t first, int64_t last)
{
    const motion *m = context;
    const double g[3] = {m->gravity.x, m->gravity.y, m->gravity.z};
    memcpy(m->before + 3 * first, m->x + 3 * first, (size_t)(last - first) * 3 * sizeof(double));
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        m->v[k] += m->h * g[k % 3];
        m->x[k] += m->h * m->v[k];
    }
}

static void find_velocities(void *context, int64_t first, int64_t last)
{
    const motion *m = context;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        m->v[k] = (m->x[k] - m->before[k]) / m->h;
    }
}

/* ---- existing compression ---- */

typedef struct looking {
    const mo_fluid *fluid;
    mo_recovery recovery;
} looking;

/* source = the final density of the last step; *partial is the sum of compressions */
static void recall_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_fluid *f = ((const looking *)context)->fluid;
    const float *density = f->columns.step_density->data;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        float delta = density[row] * f->specific[row];
        f->source[row] = delta;
        *partial += delta > 1 ? (double)(delta - 1) : 0;
    }
}

/* source = the density error that this step need not correct (solve.h); *partial is its sum */
static void excuse_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const looking *l = context;
    float *source = l->fluid->source;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        float over = source[row] - 1, back = -mo_recovery_source(&l->recovery, source[row]);
        source[row] = over > 0 && over > back ? over - (back > 0 ? back : 0) : 0;
        *partial += (double)source[row];
    }
}

/* The minimum fraction of the tolerance for new compression, whatever the existing one. */
static const double STRICTEST = 0.1;

static mote_status excuse(mo_fluid *f, const mo_fluid_step *now, bool at_once, double *tolerance,
                          mote_error *error)
{
    looking l = {f, {0, 0, *tolerance}};
    double sum;
    if (at_once) {
        memset(f->source, 0, (size_t)f->rows * sizeof *f->source);
        return MOTE_OK;
    }
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, 1, recall_rows, &l, &sum, error));
    MO_TRY(mo_recovery_find(f, now, f->source, sum / (double)f->rows, &l.recovery, error));
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, 1, excuse_rows, &l, &sum, error));
    /* existing compression counts: the total mean must be within the tolerance */
    double rest = fmax(*tolerance - sum / (double)f->rows, STRICTEST * *tolerance);
    *tolerance = fmin(rest, l.recovery.tolerance);
    return MOTE_OK;
}

typedef struct showing {
    const mo_fluid *fluid;
} showing;

static void store_rows(void *context, int64_t first, int64_t last)
{
    const mo_fluid *f = ((const showing *)context)->fluid;
    float *density = f->columns.step_density->data;
    for (int64_t row = first; row < last; ++row) {
        density[row] = f->density[row] / f->specific[row];
    }
}

/* The initial densities of a step, where they differ from the final ones of the last: at the
 * start of a run, and after shifting. */
static mote_status measure_first(mo_fluid *f, const mo_fluid_step *now, mote_error *error)
{
    showing s = {f};
    if (now->step > 0 && !f->shifts) {
        return MOTE_OK;
    }
    MO_TRY(mo_fluid_update(f, now->time, error));
    mo_parallel_for(f->pool, f->rows, GRAIN, store_rows, &s);
    return MOTE_OK;
}

/* ---- the artificial pressure ---- */

typedef struct parting {
    mo_fluid *fluid;
    float strength, inverse_center; /* 1/W(0.2 R) */
} parting;

/* Adds to the accelerations. */
MO_INLINE void part_rows(mo_kernel_form form, const parting *c, int64_t first, int64_t last)
{
    const mo_fluid *f = c->fluid;
    mo_kernel kernel = f->kernel;
    float inverse_square = (float)(1 / (f->support * f->support));
    for (int64_t row = first; row < last; ++row) {
        mo_f8 sum[3] = {{0}};
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8 r2 = p.x * p.x + p.y * p.y + p.z * p.z;
            mo_f8 part = mo_form_w8(form, &kernel, r2 * inverse_square) * c->inverse_center;
            mo_f8 strength = c->strength * (part * part) * (part * part) * p.gradient_factor;
            sum[0] += strength * p.x;
            sum[1] += strength * p.y;
            sum[2] += strength * p.z;
        }
        for (int k = 0; k < 3; ++k) {
            f->acceleration[4 * row + k] -= mo_f8_sum(sum[k]);
        }
    }
}

static void part_range(void *context, int64_t first, int64_t last)
{
    const parting *c = context;
    MO_KERNEL_CALL(c->fluid->kernel.form, part_rows, c, first, last);
}

/* Accelerations that move positions by `square` times themselves. */
static parting parting_of(const pbf *p, mo_fluid *f, double square)
{
    return (parting){f, (float)(p->tensile * f->spacing * f->spacing / square),
                     (float)(1 / mo_kernel_w(&f->kernel, 0.2))};
}

/* ---- the constraints ---- */

typedef struct correction {
    mo_fluid *fluid;
    float *k; /* the sum over the step */
    float strength, warm;
    float excess;      /* the incompatible part of density errors in a closed domain (solve.h) */
    double *x, square; /* h^2 */
    double h;
    float epsilon;   /* [1/m^2] */
    bool equality;   /* l of both signs, independent in each iteration */
    parting parting; /* in every iteration; strength 0: none */
} correction;

enum { RESIDUAL, EXCESS, VOLUME, SUMS };

/* rate = the increment of k; partial: the sum of the compressions to be corrected, the integral of
 * signed density errors, and the volume */
static void relax_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const correction *c = context;
    const mo_fluid *f = c->fluid;
    partial[RESIDUAL] = partial[EXCESS] = partial[VOLUME] = 0;
    for (int64_t row = first; row < last; ++row) {
        float over = f->density[row] - 1 - f->source[row] - c->excess;
        float diagonal = f->diagonal[row] + c->epsilon;
        float more = diagonal > 0 ? c->strength * over / (diagonal * f->specific[row]) : 0;
        f->rate[row] = c->equality || more > -c->k[row] ? more : -c->k[row];
        partial[RESIDUAL] += over > 0 ? (double)over : 0;
        partial[EXCESS] += (double)(over * f->volume[row]);
        partial[VOLUME] += (double)f->volume[row];
    }
}

static void start_rows(void *context, int64_t first, int64_t last)
{
    const correction *c = context;
    for (int64_t row = first; row < last; ++row) {
        c->fluid->rate[row] = c->k[row] * c->warm;
        c->k[row] = 0;
    }
}

static void add_rows(void *context, int64_t first, int64_t last)
{
    const correction *c = context;
    for (int64_t row = first; row < last; ++row) {
        c->fluid->rate[row] += c->k[row];
    }
}

static void subtract_rows(void *context, int64_t first, int64_t last)
{
    const correction *c = context;
    for (int64_t row = first; row < last; ++row) {
        c->fluid->rate[row] -= c->k[row];
    }
}

static void move_rows(void *context, int64_t first, int64_t last)
{
    const correction *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        c->k[row] += f->rate[row];
        for (int axis = 0; axis < 3; ++axis) {
            c->x[3 * row + axis] += c->square * (double)f->acceleration[4 * row + axis];
        }
    }
}

/* Moves all rows by the pressures in `rate`, and computes the densities there. */
static mote_status correct(const correction *c, mote_error *error)
{
    mo_fluid *f = c->fluid;
    mo_fluid_pack_numbers(f, f->rate);
    mo_fluid_accelerate(f, f->rate);
    if (c->parting.strength > 0) {
        mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, part_range, (void *)&c->parting);
    }
    /* h^2 times the acceleration in position is h times it in velocity */
    MO_TRY(mo_fluid_react(f, f->rate, c->h, error));
    mo_parallel_for(f->pool, f->rows, GRAIN, move_rows, (void *)c);
    mo_fluid_repack(f);
    mo_fluid_refresh(f);
    return MOTE_OK;
}

/* Accumulates k and subtracts its minimum from the increment: see solve.h on closed domains. */
static mote_status lower(const correction *c, float *by, mote_error *error)
{
    mo_fluid *f = c->fluid;
    mo_parallel_for(f->pool, f->rows, GRAIN, add_rows, (void *)c);
    MO_TRY(mo_solve_lower(f, f->rate, by, error));
    mo_parallel_for(f->pool, f->rows, GRAIN, subtract_rows, (void *)c);
    return MOTE_OK;
}

/* Neighbours are those of the predicted positions; pairs that approach during the iterations are
 * missing. */
#define MARGIN 0.9

static mote_status solve(const pbf *p, const mo_instance *self, mo_fluid *f,
                         const mo_fluid_step *now, mote_error *error)
{
    bool published = is_published(p);
    double h = now->h, tolerance = (published ? 1 : MARGIN) * p->tolerance;
    correction c = {.fluid = f,
                    .k = self->columns[PRESSURE]->data,
                    .strength = (float)(p->omega / (h * h)),
                    .warm = (float)p->warm_start,
                    .x = mo_f64(f->columns.x),
                    .square = h * h,
                    .h = h,
                    .epsilon = (float)(p->epsilon / (f->spacing * f->spacing)),
                    .equality = published};
    if (published) {
        c.parting = parting_of(p, f, c.square);
    }
    MO_TRY(excuse(f, now, published, &tolerance, error));
    mo_parallel_for(f->pool, f->rows, GRAIN, start_rows, &c);
    mo_layers_start_positions(f, f->rate);
    if (p->warm_start > 0) {
        MO_TRY(correct(&c, error));
        f->report.iterations++;
    }
    double least = INFINITY;
    for (int lifts = 0;;) {
        double sum[SUMS];
        float lift;
        MO_TRY(
            mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, SUMS, relax_rows, &c, sum, error));
        f->report.residual = sum[RESIDUAL] / (double)f->rows;
        /* with wide supports neighbours weigh more than the diagonal: smaller steps, as in
         * solve.c */
        bool grows = !published && f->report.residual > 1.5 * least;
        c.strength *= grows ? 0.5f : 1;
        least = grows || f->report.residual < least ? f->report.residual : least;
        bool enough = f->report.residual <= tolerance && f->report.iterations >= p->min_iterations;
        if (enough || f->report.iterations == p->max_iterations) {
            mo_solve_note(f, "the solve", false, f->report.iterations, f->report.residual,
                          p->tolerance);
            return MOTE_OK;
        }
        if (!published) {
            MO_TRY(lower(&c, &lift, error));
            lifts = lift > 0 ? lifts + 1 : 0;
        }
        if (lifts > MO_SOLVE_LIFTS) {
            c.excess += fmaxf(0, (float)(sum[EXCESS] / sum[VOLUME]));
        }
        mo_layers_relax_positions(f, (double)c.strength);
        MO_TRY(correct(&c, error));
        f->report.iterations++;
    }
}

/* ---- artificial pressure, once per step ---- */

static void part(const pbf *p, const mo_instance *self, mo_fluid *f)
{
    parting c = parting_of(p, f, 1);
    correction move = {
        .fluid = f, .k = self->columns[PRESSURE]->data, .x = mo_f64(f->columns.x), .square = 1};
    memset(f->acceleration, 0, (size_t)f->rows * 4 * sizeof *f->acceleration);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, part_range, &c);
    memset(f->rate, 0, (size_t)f->rows * sizeof *f->rate);
    mo_parallel_for(f->pool, f->rows, GRAIN, move_rows, &move);
    mo_fluid_repack(f);
    mo_fluid_refresh(f);
}

/* ---- the step ---- */

static mote_status pbf_step(mo_instance *self, mo_fluid *f, const mo_fluid_step *now,
                            mote_error *error)
{
    const pbf *p = self->method.params;
    MO_TRY(measure_first(f, now, error));
    motion m = motion_of(self, f, now);
    mo_parallel_for(f->pool, mo_store_owned(f->store), GRAIN, predict_rows, &m);
    MO_TRY(mo_fluid_update(f, now->time + now->h, error));
    mo_stage_end(now->stages, now->stage->neighbors);
    if (p->tensile > 0 && !is_published(p)) {
        part(p, self, f);
    }
    MO_TRY(solve(p, self, f, now, error));
    mo_fluid_store_pressure(f, self->columns[PRESSURE]->data, NULL);
    MO_TRY(
        mo_fluid_measure_density(f, &f->report.density_error, &f->report.density_error_max, error));
    mo_stage_end(now->stages, now->stage->pressure);
    mo_parallel_for(f->pool, f->rows, GRAIN, find_velocities, &m);
    mo_fluid_pack_velocities(f);
    MO_TRY(mo_terms_apply(f, now->time, now->h, true, error));
    mo_stage_end(now->stages, now->stage->forces);
    return MOTE_OK;
}

const mo_pressure_type mo_pressure_pbf = {
    .base = {.name = "pbf",
             .summary = "Position based fluids: iterative position corrections of the density "
                        "constraints.",
             .citation = "Macklin, Mueller 2013, ACM Trans. Graph. 32, 104",
             .departs =
                 "By default multipliers are accumulated over the iterations and kept "
                 "non-negative, with a warm start and a relaxation factor, iterations end at a "
                 "tolerance, the density error that a step begins with is relaxed, and the "
                 "artificial pressure acts once a step; the variant macklin2013 does as published: "
                 "epsilon, a fixed number of iterations, equality constraints, artificial pressure "
                 "in every iteration. epsilon and k are made dimensionless with the spacing; XSPH "
                 "is chosen as a viscosity.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(pbf),
             .params = PARAMS,
             .preset = "variant",
             .presets = PRESETS,
             .columns = COLUMNS},
    .step = pbf_step,
    .add_terms = pbf_add_terms,
    .keeps_density = true,
    .gains_by_shifting = true,
};
