#include "fluid/pressure/solve.h"

#include "fluid/pressure/layer_solve.h"
#include "fluid/sph/corrected_rates.h"
#include "fluid/sph/free_surface.h"
#include "fluid/sph/response.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096, EDGES = 16, ROUNDS = 3 };

/* Pressures below this are set to 0 [Pa], to avoid denormal numbers. */
#define LEAST 1e-18f

/* Of the squared kernel gradient sum: at most 0.2^2 in full domains, at least 0.7^2 at a
 * surface. */
static const double GRADIENT_SUM_MAX = 0.25;

/* Below this relative density a row has a free surface for any gradient: a drop of few
 * particles, or a single one, has hardly any. Full domains have at least 0.95. */
#define LOOSE 0.8f

typedef struct sweep {
    mo_fluid *fluid;
    const float *source, *rate;
    float *k, *last, *guess; /* current and previous pressures, and the extrapolated point */
    float span, omega;
    float lift;     /* the increase of every k in the last step, which was subtracted */
    float momentum; /* of the extrapolation */
    float excess;   /* the incompatible part of -s */
    bool growing;
    bool pressed, guess_pressed; /* some k, and some guess, is not 0 */
    const float *correction;     /* of the residuals, by free bodies (sph/response.h); NULL: none */
} sweep;

enum { RESIDUAL, EXCESS, VOLUME, TURN, UNPRESSED, SUMS };

/* One projected Jacobi step of these rows from the guess. partial: the sum of their residuals
 * there, the signed integral of h^n L - s and the volume, the sum of (guess - k)(k - last) in the
 * norm of the diagonal, which is positive where the step opposes the previous one, and the number
 * of rows with k = 0. */
static void relax_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const sweep *s = context;
    const mo_fluid *f = s->fluid;
    for (int k = 0; k < SUMS; ++k) {
        partial[k] = 0;
    }
    for (int64_t row = first; row < last; ++row) {
        float over = s->span * s->rate[row] - s->source[row] - s->excess;
        float unit = s->span * f->diagonal[row] * f->specific[row],
              rest = s->correction ? over - s->correction[row] : over,
              more = unit > 0 && !(s->growing && over < 0) ? s->omega * rest / unit : 0;
        float guess = s->guess[row], before = s->k[row];
        float k = guess + more > LEAST ? guess + more : 0;
        s->last[row] = before;
        s->k[row] = k;
        partial[RESIDUAL] += over > 0 ? (double)over : 0;
        partial[EXCESS] += (double)(over * f->volume[row]);
        partial[VOLUME] += (double)f->volume[row];
        partial[TURN] += (double)(unit * (guess - k)) * (double)(k - before);
        partial[UNPRESSED] += k > 0 ? 0 : 1;
    }
}

static void extrapolate_rows(void *context, int64_t first, int64_t last)
{
    const sweep *s = context;
    float *packed = s->fluid->packed;
    for (int64_t row = first; row < last; ++row) {
        float guess = s->k[row] + s->momentum * (s->k[row] - s->last[row]);
        s->guess[row] = guess;
        packed[4 * row + 3] = guess;
    }
}

/* The packed start of the next step; *weight is t of solve.h, `was_pressed` belongs to `last`. */
static void extrapolate(sweep *s, bool restart, bool was_pressed, double *weight)
{
    double t = restart ? 1 : *weight, next = 0.5 * (1 + sqrt(1 + 4 * t * t));
    s->momentum = (float)((t - 1) / next);
    s->guess_pressed = s->pressed || (was_pressed && s->momentum != 0);
    *weight = next;
    mo_parallel_for(s->fluid->pool, s->fluid->rows, GRAIN, extrapolate_rows, s);
    mo_fluid_pack_image_numbers(s->fluid, s->guess);
}

/* ---- the gauge ---- */

static void find_least(void *context, int64_t first, int64_t last, double *partial)
{
    const float *k = context;
    float least = INFINITY;
    for (int64_t row = first; row < last; ++row) {
        least = k[row] < least ? k[row] : least;
    }
    *partial = -(double)least;
}

static void find_gradient_sum_max(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_fluid *f = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        double gradient_sum = f->density[row] < LOOSE ? INFINITY : (double)f->gradient_sum[row];
        *partial = gradient_sum > *partial ? gradient_sum : *partial;
    }
}

typedef struct lowering {
    float *k, by;
} lowering;

static void lower_rows(void *context, int64_t first, int64_t last)
{
    const lowering *l = context;
    for (int64_t row = first; row < last; ++row) {
        l->k[row] -= l->by;
    }
}

mote_status mo_solve_lower(mo_fluid *f, float *k, float *by, mote_error *error)
{
    double least = 0;
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_MAX, 1, find_least, k, &least, error));
    lowering l = {k, (float)-least};
    double gradient_sum_max = 0;
    *by = 0;
    if (l.by > 0 && isfinite(l.by)) {
        MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_MAX, 1, find_gradient_sum_max, f,
                                  &gradient_sum_max, error));
        if (gradient_sum_max > GRADIENT_SUM_MAX) {
            return MOTE_OK;
        }
        *by = l.by;
        mo_parallel_for(f->pool, f->rows, GRAIN, lower_rows, &l);
        mo_layers_lower(f, l.by);
    }
    return MOTE_OK;
}

static void find_worst(void *context, int64_t first, int64_t last, double *partial)
{
    const float *source = context;
    float worst = 0;
    for (int64_t row = first; row < last; ++row) {
        worst = -source[row] > worst ? -source[row] : worst;
    }
    *partial = (double)worst;
}

mote_status mo_solve_worst(mo_fluid *f, const float *source, double *worst, mote_error *error)
{
    return mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_MAX, 1, find_worst, (void *)source, worst,
                              error);
}

/* ---- the iteration ---- */

static bool any_pressed(const float *k, int64_t rows)
{
    for (int64_t row = 0; row < rows; ++row) {
        if (k[row] != 0) {
            return true;
        }
    }
    return false;
}

/* Pressures that are 0 everywhere, as in free fall, need no pair sums, unless samples have their
 * own. */
static bool needs_sums(const mo_fluid *f, bool pressed)
{
    return pressed || f->walls.layers.lists;
}

static void find_rates(const sweep *s)
{
    mo_fluid *f = s->fluid;
    if (needs_sums(f, s->guess_pressed)) {
        mo_fluid_accelerate(f, s->guess);
        mo_fluid_rates(f, f->acceleration, false, f->rate);
        mo_fluid_respond(f, s->guess, f->rate);
    } else {
        memset(f->rate, 0, (size_t)f->rows * sizeof *f->rate);
    }
}

/* Sums over the rows of one step from the packed guess, and its gauge: only without a row of
 * zero pressure, since k is lowered by its minimum. */
static mote_status relax(sweep *s, double sum[SUMS], mote_error *error)
{
    mo_fluid *f = s->fluid;
    find_rates(s);
    s->correction =
        mo_response_precondition(f, &(mo_jacobi_step){f->rate, s->source, s->guess, s->span,
                                                      s->omega, s->excess, s->growing});
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, SUMS, relax_rows, s, sum, error));
    s->pressed = sum[UNPRESSED] < (double)f->rows;
    mo_layers_relax(f, (double)s->span, (double)s->omega);
    s->lift = 0;
    if (sum[UNPRESSED] == 0) {
        MO_TRY(mo_solve_lower(f, s->k, &s->lift, error));
    }
    if (s->lift > 0) { /* the gauge is not extrapolated */
        lowering l = {s->last, s->lift};
        mo_parallel_for(f->pool, f->rows, GRAIN, lower_rows, &l);
    }
    return MOTE_OK;
}

mote_status mo_solve_pressure(mo_fluid *f, const mo_solve_def *def, const float *source,
                              double span, float *k, mo_solve_result *result, mote_error *error)
{
    sweep s = {.fluid = f,
               .source = source,
               .rate = f->rate,
               .k = k,
               .last = f->last,
               .guess = f->guess,
               .span = (float)span,
               .omega = (float)def->omega,
               .growing = def->growing};
    double least = INFINITY, rows = f->rows > 0 ? (double)f->rows : 1, weight = 1;
    bool settled = false;
    /* consecutive: a domain is closed if there are many, a single one may be an overshoot */
    int lifts = 0;
    *result = (mo_solve_result){0};
    mo_layers_start(f, k);
    MO_TRY(mo_solve_worst(f, source, &result->worst, error));
    memcpy(f->guess, k, (size_t)f->rows * sizeof *k);
    mo_fluid_pack_numbers(f, f->guess);
    s.pressed = s.guess_pressed = any_pressed(k, f->rows);
    while (!settled && result->iterations < def->most) {
        double sum[SUMS];
        bool was_pressed = s.pressed;
        MO_TRY(relax(&s, sum, error));
        result->iterations++;
        result->residual = sum[RESIDUAL] / rows + result->hopeless;
        result->begun = result->iterations == 1 ? result->residual : result->begun;
        /* in narrow corners of a boundary neighbours exceed the diagonal: the step is reduced
         * where the residual grows */
        bool grows = result->residual > 1.5 * least;
        s.omega *= grows ? 0.5f : 1;
        least = grows || result->residual < least ? result->residual : least;
        settled = result->residual - result->hopeless <= def->tolerance &&
                  result->iterations >= def->least;
        bool plain = def->accelerated == 0 || result->iterations < def->accelerated;
        lifts = s.lift > 0 ? lifts + 1 : 0;
        if (lifts > MO_SOLVE_LIFTS && sum[EXCESS] > 0) {
            s.excess += (float)(sum[EXCESS] / sum[VOLUME]);
            result->hopeless = (double)s.excess;
            lifts = 0;
        }
        if (!settled) {
            extrapolate(&s, plain || grows || sum[TURN] > 0, was_pressed, &weight);
        }
    }
    mo_fluid_pack_numbers(f, k);
    if (needs_sums(f, s.pressed)) {
        mo_fluid_accelerate(f, k);
    } else {
        mo_fluid_clear_accelerations(f);
    }
    return MOTE_OK;
}

/* ---- reports ---- */

void mo_solve_note(mo_fluid *f, const char *solve, bool divergence, int iterations, double residual,
                   double tolerance)
{
    mo_fluid_report *r = &f->report;
    r->iterations_most = iterations > r->iterations_most ? iterations : r->iterations_most;
    if (residual <= tolerance) { /* NaN counts as above */
        return;
    }
    r->divergence_unsolved = r->divergence_unsolved || divergence;
    if (!r->unsolved.solve ||
        !(residual / tolerance <= r->unsolved.residual / r->unsolved.tolerance)) {
        r->unsolved = (mo_fluid_unsolved){solve, divergence, iterations, residual, tolerance};
    }
}

void mo_solve_note_result(mo_fluid *f, const char *solve, bool divergence,
                          const mo_solve_result *result, double unit, double tolerance)
{
    double residual = unit * result->residual;
    f->report.over_filled =
        fmax(f->report.over_filled, result->hopeless > 0 && residual > tolerance ? residual : 0);
    mo_solve_note(f, solve, divergence, result->iterations,
                  unit * (result->residual - result->hopeless), tolerance);
}

/* ---- relaxation of the initial density error ---- */

/* Fractions of the pace at which the error of a single particle and of all of them is relaxed,
 * and of the square of the Courant number. */
static const double SINGLE = 0.3, ALL = 0.01, CURVED = 0.02;

/* Tolerances above which compression is relaxed slowly, and its maximum considered. */
static const double MATTERS = 2, MOST = 0.256;

/* Tolerances above which the compression of a closed domain is left out. */
static const double CLOSED = 0.5;

/* The fraction of particles for uniform compression. */
static const double EVERYWHERE = 0.6;

static void fastest_square(void *context, int64_t first, int64_t last, double *partial)
{
    const float *v = context;
    float most = 0;
    for (int64_t row = first; row < last; ++row) {
        const float *u = v + 4 * row;
        float square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        most = square > most ? square : most;
    }
    *partial = (double)most;
}

typedef struct counting {
    const float *density;
    double low, width; /* of the first edge, and between edges */
} counting;

/* partial[k]: particles compressed by at least low + k width */
static void count_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const counting *c = context;
    int64_t in[EDGES] = {0};
    for (int64_t row = first; row < last; ++row) {
        double bin = ((double)c->density[row] - 1 - c->low) / c->width;
        if (bin >= 0) {
            in[bin < EDGES ? (int)bin : EDGES - 1]++;
        }
    }
    for (int k = EDGES - 1, above = 0; k >= 0; --k) {
        above += (int)in[k];
        partial[k] = above;
    }
}

/* The compression exceeded by EVERYWHERE of the particles, a lower bound. */
static mote_status find_surplus(mo_fluid *f, const float *density, double *surplus,
                                mote_error *error)
{
    counting c = {density, 0, MOST / EDGES};
    for (int round = 0; round < ROUNDS; ++round) {
        double above[EDGES];
        int edge = -1;
        MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, EDGES, count_rows, &c, above,
                                  error));
        while (edge + 1 < EDGES && above[edge + 1] >= EVERYWHERE * (double)f->rows) {
            ++edge;
        }
        if (edge < 0) {
            break;
        }
        c = (counting){density, c.low + edge * c.width, c.width / EDGES};
    }
    *surplus = c.low;
    return MOTE_OK;
}

typedef struct averaging {
    const mo_fluid *fluid;
    const float *density;
} averaging;

enum { COMPRESSION, WHOLE, OPEN, AVERAGES };

/* partial: the integral of the compression, the volume, and the number of surface rows. */
static void average_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const averaging *c = context;
    const mo_fluid *f = c->fluid;
    partial[COMPRESSION] = partial[WHOLE] = partial[OPEN] = 0;
    for (int64_t row = first; row < last; ++row) {
        double volume = (double)f->volume[row];
        partial[COMPRESSION] += volume * ((double)c->density[row] - 1);
        partial[WHOLE] += volume;
        partial[OPEN] +=
            f->density[row] < LOOSE || (double)f->gradient_sum[row] > GRADIENT_SUM_MAX ? 1 : 0;
    }
}

/* The average compression of a closed domain, which no pressure can correct. A few rows beside
 * voids of the flow do not open it. */
static mote_status find_overfill(mo_fluid *f, const float *density, double *overfill,
                                 mote_error *error)
{
    averaging c = {f, density};
    double sum[AVERAGES];
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, AVERAGES, average_rows, &c, sum,
                              error));
    *overfill = mo_confined_part(f, sum[OPEN]) * fmax(0, sum[COMPRESSION] / sum[WHOLE]);
    return MOTE_OK;
}

mote_status mo_recovery_pace(mo_fluid *f, double time, double *pace, double *speed,
                             mote_error *error)
{
    double square = 0, falling = sqrt(mo_length(mo_fluid_gravity(f, time)) / f->spacing);
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_MAX, 1, fastest_square, f->velocity,
                              &square, error));
    *speed = sqrt(square);
    *pace = fmax(falling > 0 ? falling : fmax(0.03 * *speed / f->spacing, 1), f->pace);
    return MOTE_OK;
}

mote_status mo_recovery_find(mo_fluid *f, const mo_fluid_step *now, const float *density,
                             double mean, mo_recovery *r, mote_error *error)
{
    double pace, speed, surplus = 0, closed = 0;
    MO_TRY(mo_recovery_pace(f, now->time, &pace, &speed, error));
    double courant = speed * now->h / f->spacing;
    if (mean > MATTERS * r->tolerance) {
        MO_TRY(find_surplus(f, density, &surplus, error));
    } else if (mean > CLOSED * r->tolerance) {
        MO_TRY(find_overfill(f, density, &closed, error));
    }
    r->surplus = surplus > 0 ? (float)fmax(0, mean - ALL * pace * now->h) : (float)closed;
    f->report.over_filled = (double)r->surplus;
    r->most = (float)(SINGLE * pace * now->h + CURVED * courant * courant);
    /* little is corrected in a step, so the solve must leave less than that */
    r->tolerance = mean > (double)r->most || r->surplus > 0 ? 0.5 * ALL * pace * now->h : INFINITY;
    return MOTE_OK;
}

/* ---- the solve ---- */

typedef struct sourcing {
    const mo_fluid *fluid;
    float h, *k, *target;
    const mo_density_def *def;
    mo_recovery recovery;
} sourcing;

/* The predicted density error at the end positions, and the initial guess. `target` has the
 * plain rate minus the corrected one, a change of the density sum that is no compression. */
static void source_rows(void *context, int64_t first, int64_t last)
{
    const sourcing *s = context;
    const mo_fluid *f = s->fluid;
    for (int64_t row = first; row < last; ++row) {
        float back = mo_recovery_source(&s->recovery, f->density[row]);
        float source = back - s->h * f->rate[row];
        f->source[row] = source;
        s->target[row] = f->density[row] + back + s->h * s->target[row];
        s->k[row] *= source < 0 || !s->def->warm_where_compressed ? s->def->warm : 0;
    }
}

static mote_status solve_density(mo_fluid *f, const mo_density_def *def, const mo_fluid_step *now,
                                 const mo_density_columns *c, mo_solve_result *result,
                                 mote_error *error)
{
    double h = now->h;
    mo_solve_def solve = def->solve;
    sourcing s = {f, (float)h, c->k, c->target, def, {0, 0, def->tolerance}};
    if (def->at_once) {
        s.recovery = (mo_recovery){0, INFINITY, INFINITY};
    } else {
        MO_TRY(mo_recovery_find(f, now, f->density, f->report.density_error, &s.recovery, error));
    }
    solve.tolerance = fmin(solve.tolerance, s.recovery.tolerance);
    if (def->corrected) {
        mo_fluid_corrected_rates(f, f->velocity, f->rate, c->target);
    } else {
        mo_fluid_rates(f, f->velocity, true, f->rate);
        memset(c->target, 0, (size_t)f->rows * sizeof *c->target);
    }
    mo_parallel_for(f->pool, f->rows, GRAIN, source_rows, &s);
    mo_layers_source_density(f, h, &s.recovery);
    MO_TRY(mo_solve_pressure(f, &solve, f->source, h * h, c->k, result, error));
    mo_fluid_kick_by_pressure(f, h);
    MO_TRY(mo_fluid_react(f, c->k, h, error));
    f->report.iterations = result->iterations;
    f->report.residual = result->residual;
    mo_solve_note_result(f, def->name, false, result, 1, def->tolerance);
    mo_fluid_store_pressure(f, c->k, c->other);
    return MOTE_OK;
}

/* ---- outer iterations ---- */

/* Lists of the initial positions miss a few pairs at the new ones. */
static const double ENOUGH = 0.9;

/* Initial residual below which a solve has little to do, in tolerances of the mean and of the
 * maximum. */
static const double SETTLED = 0.5, SETTLED_WORST = 30;

/* Allowed density error of a single particle: in tolerances, and absolute. Spray hits a boundary
 * within one step. */
static const double WORST = 20, WORST_LEAST = 0.01;

typedef struct correcting {
    const mo_fluid *fluid;
    const float *target;
    float *more;
} correcting;

/* s_i = target_i - delta_i, and pressures from 0; *partial is the sum of the density errors. */
static void begin_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const correcting *c = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        float source = c->target[row] - c->fluid->density[row];
        c->fluid->source[row] = source;
        c->more[row] = 0;
        *partial += source < 0 ? -(double)source : 0;
    }
}

/* Updates everything for the positions in the store, and the boundary at a time. */
static void update_all(mo_fluid *f, double time)
{
    mo_fluid_repack_walls(f, time);
    mo_fluid_repack(f);
    mo_fluid_refresh(f);
}

/* Densities only, which suffice to detect convergence. Shifting reads pairs after the step,
 * which must be those of the positions: then everything. */
static void update_densities(mo_fluid *f, double time)
{
    mo_fluid_repack_walls(f, time);
    mo_fluid_repack(f);
    if (f->shifts) {
        mo_fluid_refresh(f);
    } else {
        mo_fluid_densities(f);
    }
}

static mote_status correct_positions(mo_fluid *f, const mo_density_def *def,
                                     const mo_fluid_step *now, const mo_solve_result *first,
                                     const float *target, float *more, mote_error *error)
{
    correcting c = {f, target, more};
    double most = fmax(WORST * def->tolerance, WORST_LEAST);
    bool needed =
        first->begun > SETTLED * def->tolerance || first->worst > SETTLED_WORST * def->tolerance;
    int64_t rounds = needed && !f->contacts ? def->corrections : 0;
    for (int64_t round = 0; round < rounds; ++round) {
        mo_solve_result result;
        double sum, worst;
        update_densities(f, now->time + now->h);
        MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, 1, begin_rows, &c, &sum, error));
        MO_TRY(mo_solve_worst(f, f->source, &worst, error));
        if (sum <= ENOUGH * def->tolerance * (double)f->rows && worst <= most) {
            break;
        }
        mo_fluid_drift(f,
                       /* reverts the step, then repeats it with the corrected velocities */
                       -now->h);
        if (f->walls.piece_count == 0) {
            update_all(f, now->time); /* forces along the pairs at the start of the step */
        } else if (!f->shifts) {
            mo_fluid_refresh(f); /* forces at the new, packed positions */
        }
        mo_layers_source_target(f);
        MO_TRY(mo_solve_pressure(f, &def->solve, f->source, now->h * now->h, more, &result, error));
        mo_fluid_kick_by_pressure(f, now->h);
        MO_TRY(mo_fluid_react(f, more, now->h, error));
        mo_fluid_drift(f, now->h);
        f->report.iterations += result.iterations;
        f->report.residual = result.residual;
        mo_solve_note_result(f, "an outer iteration at the new positions", false, &result, 1,
                             def->tolerance);
    }
    return MOTE_OK;
}

mote_status mo_density_step(mo_fluid *f, const mo_density_def *def, const mo_fluid_step *now,
                            const mo_density_columns *c, mote_error *error)
{
    mo_solve_result result;
    MO_TRY(solve_density(f, def, now, c, &result, error));
    mo_stage_end(now->stages, now->stage->pressure);
    mo_fluid_drift(f, now->h);
    mo_stage_end(now->stages, now->stage->advance);
    MO_TRY(correct_positions(f, def, now, &result, c->target, c->more, error));
    mo_stage_end(now->stages, now->stage->pressure);
    return MOTE_OK;
}
