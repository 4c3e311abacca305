/*
 * Particles too close to each other or to a boundary cause initial overpressure. So before the
 * start the initial density error is relaxed by position corrections of the constant-density solve
 * of dfsph (fluid/pressure/solve.h), without gravity and velocities,
 *     x := x + a, limited to a tenth of a spacing,    L a = min(1 - delta, 0),
 * until the density error is below the tolerance or stagnates.
 *
 * Along curved and oblique solids a lattice leaves voids, which the fluid would fill under gravity.
 * A constant pressure accelerates only particles next to a void: so some iterations use it, except
 * for particles at a free surface.
 *
 * A filled container with curved faces may end up uniformly compressed by one or two percent at the
 * correct mass: the lattice is jammed. Then particles are displaced randomly and relaxed again.
 *
 * Displacements never penetrate a solid: towards a surface they are at most half of the gap.
 */
#include "fluid/pressure/layer_solve.h"
#include "fluid/pressure/solve.h"
#include "math/random.h"
#include "system/fluid/fluid.h"

#include <math.h>
#include <string.h>

enum { PASSES = 200, FEW_PASSES = 30, PATIENCE = 10, VOID_PASSES = 20, SHAKES = 5, GRAIN = 4096 };

static const double DENSE_ENOUGH = 1e-3, FURTHEST = 0.1;

/* Without `relax`, if a fill has particles too close to a solid. */
static const double DENSE = 0.01;

/* A fluid is uniformly compressed if the average density error is this fraction of the maximum; the
 * tolerated error then, and the amplitude of random displacements along each axis, in spacings. */
static const double EVEN = 0.5, EVENLY_DENSE = 5e-3, SHAKE = 0.3;

/* The free-surface threshold of `gradient_sum` (fluid.h); and the displacement of a particle at
 * gradient_sum = 1, in spacings. */
static const float SURFACE = 0.25f;
static const double INTO_VOID = 0.3;

typedef struct moving {
    mo_fluid *fluid;
    const mo_colliders *colliders;
    float *k;
    uint64_t shake; /* its number */
} moving;

static void set_source(void *context, int64_t first, int64_t last)
{
    const moving *m = context;
    for (int64_t row = first; row < last; ++row) {
        m->fluid->source[row] = 1 - m->fluid->density[row];
        m->k[row] = 0;
    }
}

/* Whether x is in or close to the bounding box of a solid, an early rejection. */
static bool is_within(const mo_collider *c, mo_vec3 x, double reach)
{
    const double at[3] = {x.x, x.y, x.z};
    for (int k = 0; c->bounded && k < 3; ++k) {
        if (at[k] < c->low[k] - reach || at[k] > c->high[k] + reach) {
            return false;
        }
    }
    return true;
}

static double least_gap(const mo_colliders *colliders, mo_vec3 x)
{
    double least = INFINITY;
    for (int64_t c = 0; c < colliders->count; ++c) {
        if (is_within(&colliders->list[c], x, 0)) {
            least = fmin(least, mo_collider_gap(&colliders->list[c], x, NULL));
        }
    }
    return least;
}

/* From x by a displacement, but not into a solid. */
static mo_vec3 move_outside(const mo_colliders *colliders, mo_vec3 x, mo_vec3 way)
{
    double reach = 2 * mo_length(way);
    for (int64_t c = 0; c < colliders->count; ++c) {
        if (!is_within(&colliders->list[c], x, reach)) {
            continue;
        }
        mo_vec3 n;
        double gap = 0.5 * mo_collider_gap(&colliders->list[c], x, &n), toward = -mo_dot(way, n);
        way = gap > 0 && toward > gap ? mo_add_scaled(way, toward - gap, n) : way;
    }
    mo_vec3 there = mo_add(x, way);
    return least_gap(colliders, there) > 0 || !(least_gap(colliders, x) > 0) ? there : x;
}

static void move_rows(void *context, int64_t first, int64_t last)
{
    const moving *m = context;
    const mo_fluid *f = m->fluid;
    double *x = mo_f64(f->columns.x), most = FURTHEST * f->spacing;
    for (int64_t row = first; row < last; ++row) {
        const float *wall = f->wall + 4 * row;
        /* the boundary, before contact */
        bool felt = f->walls.piece_count > 0 && !f->walls.bare;
        bool near = !felt || wall[0] != 0 || wall[1] != 0 || wall[2] != 0;
        mo_vec3 way = mo_vec3_make(f->acceleration[4 * row], f->acceleration[4 * row + 1],
                                   f->acceleration[4 * row + 2]);
        double length = mo_length(way), scale = length > most ? most / length : 1;
        mo_vec3 from = mo_vec3_load(x + 3 * row);
        way = mo_scale(scale, way);
        mo_vec3_store(x + 3 * row,
                      near ? move_outside(m->colliders, from, way) : mo_add(from, way));
    }
}

static void shake_rows(void *context, int64_t first, int64_t last)
{
    const moving *m = context;
    const mo_fluid *f = m->fluid;
    double *x = mo_f64(f->columns.x);
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 way = mo_random_cube(0, 0, (uint64_t)row, m->shake);
        way.z = f->dimension == 2 ? 0 : way.z;
        mo_vec3_store(x + 3 * row, move_outside(m->colliders, mo_vec3_load(x + 3 * row),
                                                mo_scale(SHAKE * f->spacing, way)));
    }
}

static void set_even_pressure(void *context, int64_t first, int64_t last)
{
    const moving *m = context;
    const mo_fluid *f = m->fluid;
    for (int64_t row = first; row < last; ++row) {
        m->k[row] = (float)(INTO_VOID * f->spacing * f->spacing) / f->specific[row];
    }
}

static void stay_at_surface(void *context, int64_t first, int64_t last)
{
    const moving *m = context;
    const mo_fluid *f = m->fluid;
    for (int64_t row = first; row < last; ++row) {
        if (f->gradient_sum[row] > SURFACE) {
            memset(f->acceleration + 4 * row, 0, 4 * sizeof *f->acceleration);
        }
    }
}

static mote_status fill_voids(const moving *m, mote_error *error)
{
    mo_fluid *f = m->fluid;
    for (int pass = 0; pass < VOID_PASSES; ++pass) {
        MO_TRY(mo_fluid_update(f, 0, error));
        mo_parallel_for(f->pool, f->rows, GRAIN, set_even_pressure, (void *)m);
        mo_fluid_pack_numbers(f, m->k);
        mo_fluid_accelerate(f, m->k);
        mo_parallel_for(f->pool, f->rows, GRAIN, stay_at_surface, (void *)m);
        mo_parallel_for(f->pool, f->rows, GRAIN, move_rows, (void *)m);
    }
    return MOTE_OK;
}

static mote_status move_apart(const moving *m, double enough, int passes, double *mean,
                              double *most, mote_error *error)
{
    static const mo_solve_def SOLVE = {.tolerance = 1e-5, .omega = 0.5, .least = 2, .most = 20};
    mo_fluid *f = m->fluid;
    double best = INFINITY;
    int since = 0; /* iterations since the best one */
    for (int pass = 0;; ++pass) {
        mo_solve_result result;
        MO_TRY(mo_fluid_update(f, 0, error));
        MO_TRY(mo_fluid_measure_density(f, mean, most, error));
        since = *most < 0.99 * best ? 0 : since + 1;
        best = since == 0 ? *most : best;
        if (*most < enough || pass == passes || since == PATIENCE) {
            return MOTE_OK;
        }
        mo_parallel_for(f->pool, f->rows, GRAIN, set_source, (void *)m);
        mo_layers_source_rest(f);
        MO_TRY(mo_solve_pressure(f, &SOLVE, f->source, 1, m->k, &result, error));
        mo_parallel_for(f->pool, f->rows, GRAIN, move_rows, (void *)m);
    }
}

/* Every iteration evaluates all solids; with more solids than this voids are not filled. */
enum { MOST_SOLIDS = 64 };

static mote_status relax(const mo_fluid_system *fluid, mo_fluid *f, float *k, double *most,
                         mote_error *error)
{
    bool asked = f->def->relax;
    double mean, enough = asked ? DENSE_ENOUGH : DENSE;
    int passes = asked ? PASSES : FEW_PASSES;
    moving m = {f, fluid->system->host->colliders, k, 0};
    MO_TRY(move_apart(&m, enough, passes, &mean, most, error));
    bool bounded = fluid->near_solids && !f->walls.bare && f->walls.piece_count > 0 &&
                   f->walls.piece_count <= MOST_SOLIDS;
    for (; bounded && m.shake <= SHAKES; ++m.shake) {
        if (m.shake > 0) {
            if (*most < enough || mean < EVENLY_DENSE || mean < EVEN * *most) {
                break;
            }
            mo_parallel_for(f->pool, f->rows, GRAIN, shake_rows, &m);
        }
        MO_TRY(fill_voids(&m, error));
        MO_TRY(move_apart(&m, enough, passes, &mean, most, error));
    }
    return MOTE_OK;
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
    mote_status status = relax(fluid, f, k, &most, error);
    mo_release(f->memory, k);
    if (status == MOTE_OK && asked && most > 10 * DENSE_ENOUGH) {
        mo_warn(
            fluid->warner.warnings, fluid->warner.log, 0, "relax",
            "after relaxation the initial density error is still up to %.2g %%: the closed domain "
            "is over-filled, which causes an explosive overpressure; fill less, or set "
            "fluid.mass_scale to %.3g",
            100 * most, f->def->mass_scale / (1 + 1.5 * most));
    }
    return status;
}
