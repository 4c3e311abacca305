#include "fluid/pressure/solve.h"

#include "fluid/pressure/layer_solve.h"
#include "fluid/sph/response.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096, LIFTS = 10 };

/* Less than this is none [Pa]: what fades step by step would end as numbers too small for fast
 * arithmetic. */
#define LEAST 1e-18f

/* Of mo_fluid's `bare`: 0.2^2 is the most in tanks that are full, 0.7^2 the least at a surface. */
static const double BARE = 0.25;

/* What has less than this of its density has a surface whatever its gradients are: a drop of few
 * particles, or one alone on its way, has next to none. Full tanks have 0.95 and more. */
#define LOOSE 0.8f

typedef struct sweep {
    mo_fluid *fluid;
    const float *source, *rate;
    float *k, *last, *guess; /* pressures now and before, and the point that a step starts from */
    float span, omega;
    float lift;     /* what the last step raised every k by, and what was taken back */
    float momentum; /* of the extrapolation */
} sweep;

enum { RESIDUAL, SURPLUS, TURN, SUMS };

/* One projected Jacobi step of these rows from the guess. partial: the sum of their residuals
 * there, of the part of them that no k can change, and of (guess - k)(k - last) in the norm of the
 * diagonal, which is positive where the step goes against the one before. */
static void relax_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const sweep *s = context;
    const mo_fluid *f = s->fluid;
    partial[RESIDUAL] = partial[SURPLUS] = partial[TURN] = 0;
    for (int64_t row = first; row < last; ++row) {
        float over = s->span * s->rate[row] - s->source[row];
        float unit = s->span * f->diagonal[row] * f->specific[row],
              more = unit > 0 ? s->omega * over / unit : 0;
        float guess = s->guess[row], before = s->k[row], surplus = s->lift * unit / s->omega;
        float k = guess + more > LEAST ? guess + more : 0;
        s->last[row] = before;
        s->k[row] = k;
        partial[RESIDUAL] += over > 0 ? (double)over : 0;
        partial[SURPLUS] += over > 0 ? (double)(over < surplus ? over : surplus) : 0;
        partial[TURN] += (double)(unit * (guess - k)) * (double)(k - before);
    }
}

static void extrapolate_rows(void *context, int64_t first, int64_t last)
{
    const sweep *s = context;
    for (int64_t row = first; row < last; ++row) {
        s->guess[row] = s->k[row] + s->momentum * (s->k[row] - s->last[row]);
    }
}

/* The point that the next step starts from; *weight is t of solve.h. */
static void extrapolate(sweep *s, bool restart, double *weight)
{
    double t = restart ? 1 : *weight, next = 0.5 * (1 + sqrt(1 + 4 * t * t));
    s->momentum = (float)((t - 1) / next);
    *weight = next;
    mo_parallel_for(s->fluid->pool, s->fluid->rows, GRAIN, extrapolate_rows, s);
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

static void find_barest(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_fluid *f = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        double bare = f->density[row] < LOOSE ? INFINITY : (double)f->bare[row];
        *partial = bare > *partial ? bare : *partial;
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
    double barest = 0;
    *by = 0;
    if (l.by > 0 && isfinite(l.by)) {
        MO_TRY(
            mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_MAX, 1, find_barest, f, &barest, error));
        if (barest > BARE) {
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

/* Sums over the rows of one step, and the gauge of what came out. */
static mote_status relax(sweep *s, double sum[SUMS], mote_error *error)
{
    mo_fluid *f = s->fluid;
    mo_fluid_pack_numbers(f, s->guess);
    mo_fluid_push(f, s->guess);
    mo_fluid_rates(f, f->push, false, f->rate);
    mo_fluid_respond(f, s->guess, f->rate);
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, SUMS, relax_rows, s, sum, error));
    mo_layers_relax(f, (double)s->span, (double)s->omega);
    MO_TRY(mo_solve_lower(f, s->k, &s->lift, error));
    if (s->lift > 0) { /* the gauge is no progress to extrapolate */
        lowering l = {s->last, s->lift};
        mo_parallel_for(f->pool, f->rows, GRAIN, lower_rows, &l);
    }
    return MOTE_OK;
}

mote_status mo_solve_pressure(mo_fluid *f, const mo_solve_def *def, const float *source,
                              double span, float *k, mo_solve_result *result, mote_error *error)
{
    sweep s = {f, source, f->rate, k, f->last, f->guess, (float)span, (float)def->omega, 0, 0};
    double least = INFINITY, rows = f->rows > 0 ? (double)f->rows : 1, weight = 1;
    bool settled = false;
    int lifts = 0; /* in a row: a tank is closed if there are many, one may be an overshoot */
    *result = (mo_solve_result){0};
    mo_layers_start(f, k);
    MO_TRY(mo_solve_worst(f, source, &result->worst, error));
    memcpy(f->guess, k, (size_t)f->rows * sizeof *k);
    while (!settled && result->iterations < def->most) {
        double sum[SUMS];
        MO_TRY(relax(&s, sum, error));
        result->iterations++;
        result->residual = sum[RESIDUAL] / rows;
        result->begun = result->iterations == 1 ? result->residual : result->begun;
        /* in narrow corners of a boundary neighbours weigh more than the diagonal: where the
         * residual grows steps get smaller */
        bool grows = result->residual > 1.5 * least;
        s.omega *= grows ? 0.5f : 1;
        least = grows || result->residual < least ? result->residual : least;
        lifts = s.lift > 0 ? lifts + 1 : 0;
        result->hopeless = lifts > LIFTS ? sum[SURPLUS] / rows : 0;
        settled = result->residual - result->hopeless <= def->tolerance &&
                  result->iterations >= def->least;
        bool plain = def->accelerated == 0 || result->iterations < def->accelerated;
        extrapolate(&s, plain || grows || sum[TURN] > 0, &weight);
    }
    mo_fluid_pack_numbers(f, k);
    mo_fluid_push(f, k);
    return MOTE_OK;
}

/* ---- what is told ---- */

void mo_solve_note(mo_fluid *f, const char *solve, bool divergence, int iterations, double residual,
                   double tolerance)
{
    mo_fluid_report *r = &f->report;
    r->iterations_most = iterations > r->iterations_most ? iterations : r->iterations_most;
    if (residual <= tolerance) { /* not a number is above it */
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
    f->report.crowded =
        fmax(f->report.crowded, result->hopeless > 0 && residual > tolerance ? residual : 0);
    mo_solve_note(f, solve, divergence, result->iterations,
                  unit * (result->residual - result->hopeless), tolerance);
}
