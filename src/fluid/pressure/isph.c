/*
 * Incompressible SPH by an approximate projection: S. Cummins, M. Rudman 1999, J. Comput. Phys.
 * 152, 584. A step:
 *     forces          v* = v + h a
 *     pressure        2 sum_j V_j (p_i - p_j) G_ij A_ij/rho_ij = -(1/h) D delta*_i/Dt,
 *                     grad W_ij = G_ij x_ij, rho_ij the mean density of a pair,
 *                     A_ij its weight by sph/corrected.h, 1 on a lattice
 *     projection      v = v* - h (sum_j V_j G_ij x_ij x_ij^T)^-1
 *                              sum_j V_j G_ij (p_i - p_j) x_ij/rho_ij
 *     x := x + h v
 * Pressures have both signs, so that the system is linear and symmetric: conjugate gradients, warm
 * started. Solids have the pressure of the particle (no flux), which removes them from both sums;
 * air completes them with pressure 0 (sph/free_surface.h). In a closed domain the mean pressure is
 * 0, and the incompatible mean of the right-hand side is subtracted.
 *
 * The compact Laplacian is used, not the divergence of the gradient: that one fixes the density sum
 * of every particle, which changes by percents in a lattice that is sheared at constant volume, and
 * the flow jams. Pressure differences are used, not the symmetric gradient, whose error grows with
 * the pressure itself. Pair forces are therefore not antisymmetric: momentum is conserved to the
 * accuracy of the flow, not to rounding (docs/fluids.md). Requires `fluid.shifting`. Departs from
 * the paper in these gradients, in the slow correction of densities and at free surfaces.
 */
#include "fluid/kernel/lattice.h"
#include "fluid/pressure/pressure.h"
#include "fluid/pressure/solve.h"
#include "fluid/sph/corrected.h"
#include "fluid/sph/free_surface.h"
#include "math/symmetric.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096 };

typedef struct isph {
    double tolerance, warm_start, correction;
    int64_t max_iterations;
    bool corrected;
} isph;

static const mo_param PARAMS[] = {
    {"tolerance", MO_REAL, MO_FIELD(isph, tolerance), .initial = "1e-5", .range = "(0, 1)",
     .doc = "Average relative density change per step at which the projection stops."},
    {"max_iterations", MO_INT, MO_FIELD(isph, max_iterations), .initial = "200",
     .range = "[1, 10000]", .doc = "Maximum number of iterations."},
    {"correction", MO_REAL, MO_FIELD(isph, correction), .initial = "0.5", .range = "[0, 10]",
     .doc = "Relaxation rate of density errors, in units of sqrt(gravity/spacing)."},
    {"corrected", MO_BOOL, MO_FIELD(isph, corrected), .initial = "true",
     .doc = "Corrected divergence operator, exact for linear velocity fields on disordered "
            "particles."},
    {"warm_start", MO_REAL, MO_FIELD(isph, warm_start), .initial = "1", .range = "[0, 1]",
     .doc = "Fraction of the previous step's pressure used as the initial guess."},
    {0}};

enum { PRESSURE };
static const mo_column_spec COLUMNS[] = {{"isph_p", MOTE_F32, 1, MO_STATE, "Pa", "pressure"}, {0}};

enum { RESIDUAL, DIRECTION, PRODUCT, FLUID_PART, WORK };

/* Vectors of conjugate gradients; FLUID_PART: the fraction of a row's support that is fluid, or -1
 * at rows without pressure. */
typedef struct isph_work {
    float *work[WORK];
    int64_t capacity[WORK];
    mo_free_surface surface;
    mo_corrected corrected;
} isph_work;

static void isph_destroy(mo_instance *self, mo_fluid *f)
{
    isph_work *s = self->state;
    for (int k = 0; k < WORK; ++k) {
        mo_release(f->memory, s->work[k]);
    }
    mo_free_surface_destroy(&s->surface, f->memory);
    mo_corrected_release(&s->corrected, f->memory);
}

/* ---- vectors ---- */

typedef struct vectors {
    const mo_fluid *fluid;
    float *to;
    const float *a, *b;
    const mo_air *air;
    const float *weight; /* of pairs */
    float x;
    bool mixed; /* phases with different rest densities */
} vectors;

/* to = a + x b */
static void add_rows(void *context, int64_t first, int64_t last)
{
    const vectors *v = context;
    for (int64_t row = first; row < last; ++row) {
        v->to[row] = v->a[row] + v->x * v->b[row];
    }
}

static void add(const mo_fluid *f, float *to, const float *a, double x, const float *b)
{
    vectors v = {.to = to, .a = a, .b = b, .x = (float)x};
    mo_parallel_for(f->pool, f->rows, GRAIN, add_rows, &v);
}

static void dot_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const vectors *v = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        *partial += (double)v->a[row] * (double)v->b[row];
    }
}

static mote_status dot(const mo_fluid *f, const float *a, const float *b, double *out,
                       mote_error *error)
{
    vectors v = {.a = a, .b = b};
    return mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, 1, dot_rows, &v, out, error);
}

static void sum_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const vectors *v = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        *partial += (double)v->a[row];
    }
}

static void lower_rows(void *context, int64_t first, int64_t last)
{
    const vectors *v = context;
    for (int64_t row = first; row < last; ++row) {
        v->to[row] -= v->x;
    }
}

/* to - part of its mean */
static mote_status center(const mo_fluid *f, float *to, double part, mote_error *error)
{
    double sum;
    vectors v = {.a = to, .to = to};
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, 1, sum_rows, &v, &sum, error));
    v.x = (float)(part * sum / (double)f->rows);
    mo_parallel_for(f->pool, f->rows, GRAIN, lower_rows, &v);
    return MOTE_OK;
}

/* ---- the system, times the volume of a row so that it is symmetric:
 *      2 V_i sum_j V_j (p_j - p_i) G_ij/rho_ij ---- */

/* rho0_i/rho_ij = 2 rho0_i/(rho0_i + rho0_j), for phases that differ: with the mean density of a
 * pair the weight on both sides of an interface is balanced by one continuous pressure. */
MO_INLINE mo_f8 pair_inertia(const mo_fluid *f, int64_t row, const mo_fluid_pairs *p)
{
    mo_f8 other;
    for (int lane = 0; lane < 8; ++lane) {
        other[lane] = f->specific[p->j[lane]];
    }
    return 2 * other / (other + f->specific[row]);
}

static void laplace_rows(void *context, int64_t first, int64_t last)
{
    const vectors *v = context;
    const mo_fluid *f = v->fluid;
    for (int64_t row = first; row < last; ++row) {
        mo_f8 sum = {0}, own = mo_f8_set(v->a[row]);
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8 rise = mo_f8_load(v->weight + at) * (p.own - own);
            sum += v->mixed ? rise * pair_inertia(f, row, &p) : rise;
        }
        float scale = 2 * f->volume[row] * f->specific[row];
        v->to[row] = v->b[row] < 0
                         ? 0
                         : scale * (mo_f8_sum(sum) + mo_air_stiffness(&v->air[row]) * v->a[row]);
    }
}

static void laplace(mo_fluid *f, const isph_work *s, const float *p, float *out)
{
    vectors v = {.fluid = f,
                 .to = out,
                 .a = p,
                 .b = s->work[FLUID_PART],
                 .air = s->surface.air,
                 .weight = s->corrected.weight,
                 .mixed = mo_fluid_mixed(f)};
    mo_fluid_pack_numbers(f, p);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, laplace_rows, &v);
}

/* The sum of residuals, per volume [1/s^2]. */
static void residual_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const vectors *v = context;
    const mo_fluid *f = v->fluid;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        *partial += fabs((double)(v->a[row] / f->volume[row]));
    }
}

static mote_status mean_residual(const mo_fluid *f, const float *residual, double *mean,
                                 mote_error *error)
{
    vectors v = {.fluid = f, .a = residual};
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, 1, residual_rows, &v, mean, error));
    *mean /= (double)f->rows;
    return MOTE_OK;
}

/* Rows with a smaller fraction of their support in the fluid, in two and three dimensions, have
 * no pressure, for any density by solids: a few drops in a corner. A full corner has 0.45 and
 * 0.3. */
static const float ISOLATED[2] = {0.27f, 0.18f};

typedef struct sourcing {
    const mo_fluid *fluid;
    const isph *params;
    const mo_air *air;
    float h, *p, *fluid_part;
    float lattice; /* the summed density of a lattice, the reference of errors */
    float rate;    /* at which density errors are removed [1/s] */
} sourcing;

/* Fills the right-hand side and the initial guess; *partial counts rows with p = 0. */
static void source_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const sourcing *s = context;
    const mo_fluid *f = s->fluid;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        bool isolated = s->fluid_part[row] < ISOLATED[f->dimension - 2];
        s->fluid_part[row] = isolated ? -1 : s->fluid_part[row];
        /* a row next to air lacks density; only compression is an error there */
        float error = f->density[row] - s->lattice;
        error *= error < 0 ? 1 - s->air[row].weight : 1;
        float rate = f->rate[row] + s->rate * error;
        f->source[row] = isolated ? 0 : rate / s->h * f->volume[row];
        s->p[row] = isolated ? 0 : (float)s->params->warm_start * s->p[row];
        *partial += isolated;
    }
}

/* Conjugate gradients to a mean of `tolerance` [1/s^2]. */
static mote_status iterate(const isph *p, const mo_instance *self, mo_fluid *f, double tolerance,
                           double *mean, mote_error *error)
{
    const isph_work *s = self->state;
    float *pressure = self->columns[PRESSURE]->data, *residual = s->work[RESIDUAL],
          *direction = s->work[DIRECTION], *product = s->work[PRODUCT];
    double square, next, along;
    laplace(f, s, pressure, product);
    add(f, residual, f->source, -1, product);
    add(f, direction, residual, 0, residual);
    MO_TRY(dot(f, residual, residual, &square, error));
    MO_TRY(mean_residual(f, residual, mean, error));
    while (*mean > tolerance && f->report.iterations < p->max_iterations) {
        laplace(f, s, direction, product);
        MO_TRY(dot(f, direction, product, &along, error));
        if (!(along > 0)) {
            break;
        }
        add(f, pressure, pressure, square / along, direction);
        add(f, residual, residual, -square / along, product);
        MO_TRY(dot(f, residual, residual, &next, error));
        add(f, direction, residual, next / square, direction);
        square = next;
        MO_TRY(mean_residual(f, residual, mean, error));
        f->report.iterations++;
    }
    return MOTE_OK;
}

/* ---- the gradient ---- */

/* sum_j V_j G_ij (p_j - p_i) x_ij rho0_i/rho_ij, and the largest squared relative velocity of a
 * neighbour */
static mo_vec3 gather(const mo_fluid *f, int64_t row, float own, bool mixed, float *fastest)
{
    mo_f8 x = {0}, y = {0}, z = {0}, most = {0};
    const float *u = f->velocity + 4 * row;
    mo_fluid_row r = mo_fluid_row_of(f, row);
    for (int64_t at = r.first; at < r.last; at += 8) {
        mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
        mo_f8 rise = p.gradient_factor * (p.own - own), v[4];
        mo_f8_load4(f->velocity, p.j, v);
        rise = mixed ? rise * pair_inertia(f, row, &p) : rise;
        mo_f8 dx = v[0] - u[0], dy = v[1] - u[1], dz = v[2] - u[2];
        mo_f8 square =
            (mo_f8)((p.gradient_factor != (mo_f8){0}) & (mo_i8)(dx * dx + dy * dy + dz * dz));
        x += rise * p.x;
        y += rise * p.y;
        z += rise * p.z;
        most = mo_f8_max(most, square);
    }
    for (int lane = 0; lane < 8; ++lane) {
        *fastest = fmaxf(*fastest, most[lane]);
    }
    return mo_vec3_make((double)mo_f8_sum(x), (double)mo_f8_sum(y), (double)mo_f8_sum(z));
}

/* The same for solids. */
static void add_solids(const mo_fluid *f, int64_t row, float *fastest)
{
    const mo_walls *w = &f->walls;
    const float *u = f->velocity + 4 * row;
    for (int64_t k = w->first[row]; k < w->first[row + 1]; ++k) {
        const float *v = w->entries[k].velocity;
        float x = v[0] - u[0], y = v[1] - u[1], z = v[2] - u[2];
        *fastest = fmaxf(*fastest, x * x + y * y + z * z);
    }
}

/* Moments are near the unit matrix in the interior, half of it at a wall, a quarter along an
 * edge. Their inverse makes the gradient exact; with few neighbours it also makes accelerations
 * many times larger than in the pressure equation, and spray gains energy. Eigenvalues are
 * therefore raised to the second value where neighbours or solids have relative velocities of
 * sqrt(g spacing), to the first otherwise. */
static const double QUIESCENT = 0.08, VIOLENT = 0.5;

static double least_eigenvalue(const mo_fluid *f, float fastest, double gravity)
{
    double fall = gravity * f->spacing, part = fall > 0 ? (double)fastest / fall : 1;
    return QUIESCENT + (VIOLENT - QUIESCENT) * fmin(1, part);
}

static void accelerate_rows(void *context, int64_t first, int64_t last)
{
    const vectors *v = context;
    const mo_fluid *f = v->fluid;
    for (int64_t row = first; row < last; ++row) {
        double m[6], b[6];
        float fastest = 0, *acceleration = f->acceleration + 4 * row, scale = -f->specific[row];
        mo_vec3 g = gather(f, row, v->a[row], v->mixed, &fastest);
        if (f->walls.entry_count > 0) {
            add_solids(f, row, &fastest);
        }
        mo_fluid_moments(f, row, m);
        g = mo_air_complete(&v->air[row], v->a[row], f->dimension, g, m);
        double more = fmax(0, least_eigenvalue(f, fastest, (double)v->x) -
                                  mo_symmetric_least(m, f->dimension));
        m[0] += more;
        m[1] += more;
        m[2] += more;
        mo_symmetric_inverse(m, b);
        acceleration[0] = scale * (float)(b[0] * g.x + b[3] * g.y + b[4] * g.z);
        acceleration[1] = scale * (float)(b[3] * g.x + b[1] * g.y + b[5] * g.z);
        acceleration[2] = scale * (float)(b[4] * g.x + b[5] * g.y + b[2] * g.z);
        acceleration[3] = 0;
    }
}

static void accelerate(mo_fluid *f, const float *p, double gravity, const mo_air *air)
{
    vectors v = {.fluid = f, .a = p, .x = (float)gravity, .air = air, .mixed = mo_fluid_mixed(f)};
    mo_fluid_pack_numbers(f, p);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, accelerate_rows, &v);
}

/* ---- loads ---- The integral of p over the surface of a solid, by rows: V_i p_i grad L_i/(1 -
 * L_i), L_i the solid fraction of the support. In a corner 1 - L is nearly the product of both
 * walls' fractions, so that the gradient of its logarithm is the sum of theirs: each wall counts
 * fully. At a plane the layers of a lattice must sum to its area, which gives the scale. */

typedef struct loading {
    const float *p;
    double scale;
} loading;

static double load_scale(const mo_fluid *f)
{
    double spacing = f->spacing / f->support, sum = 0;
    for (double d = 0.5 * spacing; d < 1; d += spacing) {
        float derivative, unused;
        mo_half_space_at(&f->walls.law, (float)d, &derivative);
        sum -= (double)derivative * spacing /
               (1 - (double)mo_half_space_at(&f->walls.volume, (float)d, &unused));
    }
    return sum > 0 ? 1 / sum : 0;
}

/* 1 - L */
static double open_part(const mo_fluid *f, int64_t row)
{
    const mo_walls *w = &f->walls;
    double part = 1;
    for (int64_t k = w->first[row]; k < w->first[row + 1]; ++k) {
        float derivative, s = w->entries[k].distance / (float)f->support;
        part -= (double)mo_half_space_at(&w->volume, s, &derivative);
    }
    return fmax(part, 0.1);
}

/* The pressure is extrapolated along the normal to the surface of the solid. */
static mo_vec3 isph_load(const void *context, const mo_fluid *f, int64_t row,
                         const mo_wall_entry *e)
{
    const loading *c = context;
    const float *a = f->acceleration + 4 * row;
    double volume = mo_f64(f->columns.mass)[row] * (double)f->specific[row];
    float derivative =
        (a[0] * e->normal[0] + a[1] * e->normal[1] + a[2] * e->normal[2]) / f->specific[row];
    double p = (double)(c->p[row] + derivative * fmaxf(e->distance, 0));
    return mo_scale(c->scale * volume * p / open_part(f, row), mo_wall_entry_gradient(e));
}

static mote_status load_solids(mo_fluid *f, const float *p, double h, mote_error *error)
{
    loading c = {p, load_scale(f)};
    return f->walls.layers.lists ? mo_fluid_react(f, p, h, error)
                                 : mo_fluid_react_forces(f, isph_load, &c, h, error);
}

/* ---- the step ---- */

/* The largest density error corrected in one step. */
static const double LARGEST = 0.1;

static mote_status project(const isph *p, mo_instance *self, mo_fluid *f, double time, double h,
                           mote_error *error)
{
    double pace, speed, airs, isolated, mean, tolerance = p->tolerance / (h * h);
    isph_work *s = self->state;
    sourcing c = {.fluid = f, .params = p, .h = (float)h, .p = self->columns[PRESSURE]->data};
    for (int k = 0; k < WORK; ++k) {
        MO_TRY(mo_reserve(f->memory, &s->work[k], &s->capacity[k], f->rows, sizeof(float), error));
    }
    MO_TRY(mo_free_surface_find(&s->surface, f, &airs, error));
    MO_TRY(mo_recovery_pace(f, time, &pace, &speed, error));
    c.air = s->surface.air;
    c.fluid_part = s->work[FLUID_PART];
    c.lattice = (float)mo_lattice_density(&f->kernel, f->dimension, f->spacing / f->support);
    c.rate = (float)fmin(p->correction * pace, LARGEST / h);
    MO_TRY(mo_corrected_find(&s->corrected, f, c.air, p->corrected, c.fluid_part, error));
    mo_corrected_rates(&s->corrected, f, f->velocity, true, f->rate);
    MO_TRY(
        mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, 1, source_rows, &c, &isolated, error));
    /* where all air is a few voids of a flow, the flux of density errors and of errors of the
     * divergence would be a jet through them */
    double confined = mo_confined_part(f, airs + isolated);
    MO_TRY(center(f, f->source, confined, error));
    MO_TRY(iterate(p, self, f, tolerance, &mean, error));
    if (airs + isolated == 0) {
        MO_TRY(center(f, c.p, 1, error));
    }
    accelerate(f, c.p, mo_length(mo_fluid_gravity(f, time)), c.air);
    f->report.residual = mean * h * h;
    mo_solve_note(f, "the solve", false, f->report.iterations, mean * h * h, p->tolerance);
    memcpy(f->columns.pressure->data, c.p, (size_t)f->rows * sizeof *c.p);
    return load_solids(f, c.p, h, error);
}

static mote_status isph_step(mo_instance *self, mo_fluid *f, const mo_fluid_step *now,
                             mote_error *error)
{
    MO_TRY(mo_fluid_update(f, now->time, error));
    mo_stage_end(now->stages, now->stage->neighbors);
    MO_TRY(mo_terms_apply(f, now->time, now->h, false, error));
    mo_fluid_pack_velocities(f);
    mo_stage_end(now->stages, now->stage->forces);
    MO_TRY(project(self->method.params, self, f, now->time, now->h, error));
    mo_fluid_kick_by_pressure(f, now->h);
    mo_stage_end(now->stages, now->stage->pressure);
    mo_fluid_drift(f, now->h);
    mo_stage_end(now->stages, now->stage->advance);
    return MOTE_OK;
}

const mo_pressure_type mo_pressure_isph = {
    .base = {.name = "isph",
             .summary =
                 "Incompressible SPH by projection: divergence-free velocities, pressures of both "
                 "signs. For quantitative flows, with shifting.",
             .citation = "Cummins, Rudman 1999, J. Comput. Phys. 152, 584",
             .departs =
                 "The pressure gradient uses differences and a correction matrix instead of the "
                 "symmetric form, so momentum is conserved to the accuracy of the flow and not to "
                 "rounding; free surfaces by a half space of zero pressure; densities are "
                 "corrected slowly beside the divergence; conjugate gradients.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(isph),
             .params = PARAMS,
             .columns = COLUMNS},
    .hooks = {.state_size = sizeof(isph_work), .destroy = isph_destroy},
    .step = isph_step,
    .plain_boundary = true,
    .needs_shifting = true,
};
