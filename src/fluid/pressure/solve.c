#include "fluid/pressure/solve.h"

#include <math.h>

enum { GRAIN = 4096 };

/* Less than this is none [Pa]: what fades step by step would end as numbers too small for fast arithmetic. */
#define LEAST 1e-18f

typedef struct sweep {
    mo_fluid *fluid;
    const float *source, *rate;
    float *k;
    float span, omega;
} sweep;

/* One Jacobi step of these rows; *partial is the sum of their residuals before it. */
static void relax_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const sweep *s = context;
    const mo_fluid *f = s->fluid;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        float lack = s->source[row] - s->span * s->rate[row], diagonal = f->diagonal[row];
        float step = diagonal > 0 ? s->omega * lack / (s->span * diagonal * f->specific[row]) : 0;
        float k = s->k[row] - step;
        s->k[row] = k > LEAST ? k : 0;
        *partial += lack < 0 ? -(double)lack : 0;
    }
}

mote_status mo_solve_pressure(mo_fluid *f, const mo_solve_def *def, const float *source, double span,
                              float *k, mo_solve_result *result, mote_error *error)
{
    float *rate = f->rate;
    sweep s = {f, source, rate, k, (float)span, (float)def->omega};
    double least = INFINITY;
    *result = (mo_solve_result){0};
    for (;;) {
        double sum;
        mo_fluid_pack_numbers(f, k);
        mo_fluid_push(f, k);
        if (result->converged || result->iterations == def->most) {
            return MOTE_OK;
        }
        mo_fluid_rates(f, f->push, false, rate);
        MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, 1, relax_rows, &s, &sum, error));
        result->iterations++;
        result->residual = f->rows > 0 ? sum / (double)f->rows : 0;
        /* in narrow corners between walls neighbours weigh more than the diagonal: what grows is taken in smaller steps */
        if (result->residual > 1.5 * least) {
            s.omega *= 0.5f;
            least = result->residual;
        }
        least = result->residual < least ? result->residual : least;
        result->converged = result->residual <= def->tolerance && result->iterations >= def->least;
    }
}
