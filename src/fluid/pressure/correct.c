#include "fluid/pressure/correct.h"

#include "fluid/boundary/boundary.h"

enum { GRAIN = 4096 };

/* Lists that were made at the old places miss a few pairs at the new ones. */
static const double ENOUGH = 0.9;

/* Tolerances that a solve begins with if it has little to do. */
static const double CALM = 0.5;

typedef struct correcting {
    const mo_fluid *fluid;
    double *x, square; /* h^2 */
    float *more;
} correcting;

static void begin_rows(void *context, int64_t first, int64_t last)
{
    const correcting *c = context;
    for (int64_t row = first; row < last; ++row) {
        c->fluid->source[row] = 1 - c->fluid->density[row];
        c->more[row] = 0;
    }
}

static void move_rows(void *context, int64_t first, int64_t last)
{
    const correcting *c = context;
    for (int64_t row = first; row < last; ++row) {
        for (int axis = 0; axis < 3; ++axis) {
            c->x[3 * row + axis] += c->square * (double)c->fluid->push[4 * row + axis];
        }
    }
}

mote_status mo_correct_places(mo_fluid *f, const mo_correction_def *def, const mo_fluid_step *now,
                              const mo_solve_result *first, float *more, mote_error *error)
{
    const mo_boundary_type *boundary = (const mo_boundary_type *)f->def->boundary.type;
    double h = now->h;
    correcting c = {f, mo_f64(f->columns.x), h * h, more};
    bool needed = first->begun > CALM * def->tolerance && !(boundary && boundary->contacts);
    int64_t rounds = needed ? def->most : 0;
    if (rounds > 0) {
        mo_fluid_repack_walls(f, now->time + h);
    }
    for (int64_t round = 0; round < rounds; ++round) {
        mo_solve_result result;
        double mean, most;
        mo_fluid_repack(f);
        mo_fluid_refresh(f);
        MO_TRY(mo_fluid_measure_density(f, &mean, &most, error));
        if (mean <= ENOUGH * def->tolerance) {
            break;
        }
        mo_parallel_for(f->pool, f->rows, GRAIN, begin_rows, &c);
        MO_TRY(mo_solve_pressure(f, &def->solve, f->source, h * h, more, &result, error));
        mo_fluid_kick_by_push(f, h);
        mo_fluid_bear(f, more);
        mo_parallel_for(f->pool, f->rows, GRAIN, move_rows, &c);
        f->report.iterations += result.iterations;
        f->report.residual = result.residual;
        mo_solve_note_result(f, "a correction at the new places", false, &result, 1, def->tolerance);
    }
    return MOTE_OK;
}
