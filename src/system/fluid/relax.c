/*
 * Particles that were put too near to each other, or to a wall, would jump apart in the first step.
 * So before the start they are moved apart: as the constant-density solve of dfsph
 * (fluid/pressure/solve.h) moves them, but from rest, without gravity and with no velocity left
 * behind,
 *     x := x + a, limited to a tenth of a spacing,    L a = min(1 - delta, 0),
 * until nothing is denser than it should be, or nothing gets better.
 */
#include "fluid/pressure/layer_solve.h"
#include "fluid/pressure/solve.h"
#include "system/fluid/fluid.h"

#include <math.h>
#include <string.h>

enum { PASSES = 200, FEW_PASSES = 30, PATIENCE = 10, GRAIN = 4096 };

static const double DENSE_ENOUGH = 1e-3, FURTHEST = 0.1;

/* Where nobody asked for it, and a fill has particles too near to a solid. */
static const double DENSE = 0.01;

typedef struct moving {
    mo_fluid *fluid;
    float *k;
} moving;

static void set_source(void *context, int64_t first, int64_t last)
{
    const moving *m = context;
    for (int64_t row = first; row < last; ++row) {
        m->fluid->source[row] = 1 - m->fluid->density[row];
        m->k[row] = 0;
    }
}

static void move_rows(void *context, int64_t first, int64_t last)
{
    const moving *m = context;
    const mo_fluid *f = m->fluid;
    double *x = mo_f64(f->columns.x), most = FURTHEST * f->spacing;
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 way = mo_vec3_make(f->push[4 * row], f->push[4 * row + 1], f->push[4 * row + 2]);
        double length = mo_length(way), scale = length > most ? most / length : 1;
        mo_vec3_store(x + 3 * row, mo_add_scaled(mo_vec3_load(x + 3 * row), scale, way));
    }
}

static mote_status relax(mo_fluid *f, float *k, double enough, int passes, double *most,
                         mote_error *error)
{
    static const mo_solve_def SOLVE = {.tolerance = 1e-5, .omega = 0.5, .least = 2, .most = 20};
    moving m = {f, k};
    double best = INFINITY;
    int since = 0; /* it was the best */
    for (int pass = 0;; ++pass) {
        mo_solve_result result;
        double mean;
        MO_TRY(mo_fluid_update(f, 0, error));
        MO_TRY(mo_fluid_measure_density(f, &mean, most, error));
        since = *most < 0.99 * best ? 0 : since + 1;
        best = since == 0 ? *most : best;
        if (*most < enough || pass == passes || since == PATIENCE) {
            return MOTE_OK;
        }
        mo_parallel_for(f->pool, f->rows, GRAIN, set_source, &m);
        mo_layers_source_rest(f);
        MO_TRY(mo_solve_pressure(f, &SOLVE, f->source, 1, k, &result, error));
        mo_parallel_for(f->pool, f->rows, GRAIN, move_rows, &m);
    }
}

mote_status mo_fluid_system_relax(mo_fluid_system *fluid, mote_error *error)
{
    mo_fluid *f = &fluid->fluid;
    int64_t rows = mo_store_owned(f->store);
    double most = 0;
    void *k;
    bool asked = f->def->relax;
    if (!(asked || fluid->near_solids) || rows == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_allocate_array(f->memory, rows, sizeof(float), &k, error));
    mote_status status =
        relax(f, k, asked ? DENSE_ENOUGH : DENSE, asked ? PASSES : FEW_PASSES, &most, error);
    mo_release(f->memory, k);
    if (status == MOTE_OK && asked && most > 10 * DENSE_ENOUGH) {
        mo_warn(
            fluid->warner.warnings, fluid->warner.log, 0, "relax",
            "relaxed particles are still up to %.2g %% too dense at the start: there is more fluid than "
            "room for it, "
            "and it will explode; fill less, or set fluid.mass_scale to %.3g",
            100 * most, f->def->mass_scale / (1 + 1.5 * most));
    }
    return status;
}
