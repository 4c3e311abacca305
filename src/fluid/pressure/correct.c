#include "fluid/pressure/correct.h"

#include "fluid/boundary/boundary.h"
#include "fluid/pressure/layer_solve.h"

#include <math.h>

enum { GRAIN = 4096 };

/* Lists that were made at the old places miss a few pairs at the new ones. */
static const double ENOUGH = 0.9;

/* Tolerances of the mean that a solve begins with if it has little to do, and of the worst
 * particle. */
static const double CALM = 0.5, CALM_WORST = 30;

/* Density error of a single particle that is left: tolerances, and at least. Sprays meet a boundary
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

/* Everything at the places as they are in the store, and walls at a time. */
static void look_again(mo_fluid *f, double time)
{
    mo_fluid_repack_walls(f, time);
    mo_fluid_repack(f);
    mo_fluid_refresh(f);
}

mote_status mo_correct_places(mo_fluid *f, const mo_correction_def *def, const mo_fluid_step *now,
                              const mo_solve_result *first, const float *target, float *more,
                              mote_error *error)
{
    const mo_boundary_type *boundary = (const mo_boundary_type *)f->def->boundary.type;
    correcting c = {f, target, more};
    double most = fmax(WORST * def->tolerance, WORST_LEAST);
    bool needed =
        first->begun > CALM * def->tolerance || first->worst > CALM_WORST * def->tolerance;
    int64_t rounds = needed && !(boundary && boundary->contacts) ? def->most : 0;
    for (int64_t round = 0; round < rounds; ++round) {
        mo_solve_result result;
        double sum, worst;
        look_again(f, now->time + now->h);
        MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, 1, begin_rows, &c, &sum, error));
        MO_TRY(mo_solve_worst(f, f->source, &worst, error));
        if (sum <= ENOUGH * def->tolerance * (double)f->rows && worst <= most) {
            break;
        }
        mo_fluid_drift(f,
                       /* back to where the step began, and on again with what it should have had */
                       -now->h);
        if (f->walls.piece_count == 0) {
            look_again(f, now->time); /* forces along the pairs of the step's start */
        }
        mo_layers_source_target(f);
        MO_TRY(mo_solve_pressure(f, &def->solve, f->source, now->h * now->h, more, &result, error));
        mo_fluid_kick_by_push(f, now->h);
        MO_TRY(mo_fluid_react(f, more, now->h, error));
        mo_fluid_drift(f, now->h);
        f->report.iterations += result.iterations;
        f->report.residual = result.residual;
        mo_solve_note_result(f, "a correction at the new places", false, &result, 1,
                             def->tolerance);
    }
    return MOTE_OK;
}
