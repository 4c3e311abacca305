/*
 * Weakly compressible SPH: pressure from density by an equation of state, with explicit steps that
 * resolve sound. J. Monaghan 1994, J. Comput. Phys. 110, 399; M. Becker, M. Teschner 2007. The
 * simplest solver, as a template. A step:
 *    delta_i   = sum_j V_j W_ij,  or by continuity, d delta_i/dt = sum_j V_j v_ij . grad W_ij
 *    p_i       = p(delta_i), clamped at zero if requested
 *    v_i      += h (a_i + pressure acceleration),  x_i += h v_i
 * The pressure acceleration is one of
 *    symmetric   -1/rho0 sum_j V_j (p_i/delta_i^2 + p_j/delta_j^2) grad W_ij
 *    mean        -1/rho0 sum_j V_j (p_i + p_j)/(delta_i delta_j) grad W_ij
 *    half_mean   half of it, as published by M. Mueller, D. Charypar, M. Gross 2003, eq. 10:
 *                quiescent fluid then has twice the correct pressure
 *    plain       -1/rho0 sum_j V_j p_j/(delta_i delta_j) grad W_ij, for comparison
 * of which the first two conserve linear and angular momentum. Boundaries (walls.h) use the
 * pressure of the row. Departs from the papers: symplectic Euler instead of leapfrog.
 */
#include "fluid/pressure/wcsph.h"

#include "fluid/sph/layers.h"
#include "math/portable.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096 };

/* The largest step in acoustic times over a spacing; derived in docs/fluids.md. */
#define COURANT 0.4

static const mo_param PARAMS[] = {
    {"state", MO_METHOD, MO_FIELD(mo_wcsph_def, state), .family = &mo_state_equations,
     .initial = "\"tait\"", .doc = "The equation of state."},
    {"density", MO_STRING, MO_FIELD(mo_wcsph_def, density), .initial = "\"summation\"",
     .choices = "summation|continuity",
     .doc =
         "Density by summation, or integrated with the continuity equation (no deficiency at free "
         "surfaces, but errors accumulate)."},
    {"force", MO_STRING, MO_FIELD(mo_wcsph_def, force), .initial = "\"symmetric\"",
     .choices = "symmetric|mean|half_mean|plain",
     .doc =
         "Discretisation of the pressure gradient; symmetric and mean conserve momentum, half_mean "
         "is half of mean, plain is for comparison."},
    {"clamp", MO_BOOL, MO_FIELD(mo_wcsph_def, clamp), .initial = "true",
     .doc = "Clamp negative pressure to zero: no tension below the rest density."},
    {"kernel", MO_METHOD, MO_FIELD(mo_wcsph_def, kernel), .family = &mo_kernels,
     .doc = "Kernel of the pressure force; default: that of the fluid."},
    {0}};

enum { DELTA };
static const mo_column_spec COLUMNS[] = {
    {"wcsph_delta", MOTE_F64, 1, MO_STATE, "1",
     "density integrated by continuity, relative to the rest density; 0: not initialised"},
    {0}};

/* Densities are summed unless they are integrated by continuity. */
static bool wcsph_needs_column(const void *params, int column)
{
    (void)column;
    return strcmp(((const mo_wcsph_def *)params)->density, "continuity") == 0;
}

/* ---- density by continuity ---- */

typedef struct continuity {
    const mo_fluid *fluid;
    double *delta, cell, h;
} continuity;

/* The summed densities are stored in `diagonal`, unused by explicit solvers, until the end of
 * the step. A new row has the density of its lattice. */
static void begin_rows(void *context, int64_t first, int64_t last)
{
    const continuity *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        c->delta[row] = c->delta[row] > 0 ? c->delta[row] : (double)f->volume[row] * c->cell;
        f->diagonal[row] = f->density[row];
        f->density[row] = (float)c->delta[row];
    }
}

static void advect_rows(void *context, int64_t first, int64_t last)
{
    const continuity *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        c->delta[row] += c->h * (double)f->rate[row];
        f->density[row] = f->diagonal[row];
    }
}

/* ---- pressure ---- */

typedef struct stating {
    mo_fluid *fluid;
    const mo_wcsph_def *def;
    float *pressure;
} stating;

static void state_rows(void *context, int64_t first, int64_t last)
{
    const stating *s = context;
    const mo_fluid *f = s->fluid;
    const mo_state_equation_type *state = (const mo_state_equation_type *)s->def->state.type;
    for (int64_t row = first; row < last; ++row) {
        double p = state->pressure(s->def->state.params, 1 / (double)f->specific[row],
                                   (double)f->density[row]);
        s->pressure[row] = (float)(s->def->clamp && p < 0 ? 0 : p);
    }
}

/* Samples with their own pressures (sph/layers.h): from their densities; their rest density is
 * that of the adjacent rows. */
static void state_samples(void *context, int64_t first, int64_t last)
{
    const stating *s = context;
    const mo_state_equation_type *state = (const mo_state_equation_type *)s->def->state.type;
    mo_wall_layers *l = &s->fluid->walls.layers;
    for (int64_t b = first; b < last; ++b) {
        double delta = (double)l->density[b];
        double p = l->k[b] > 0 ? state->pressure(s->def->state.params, (double)l->k[b], delta) : 0;
        l->k[b] = (float)(p > 0 ? p / (delta * delta) : 0);
    }
}

static void rest_density_rows(void *context, int64_t first, int64_t last)
{
    const mo_fluid *f = context;
    for (int64_t row = first; row < last; ++row) {
        f->rate[row] = 1 / f->specific[row];
    }
}

static void state_of_samples(stating *s)
{
    mo_fluid *f = s->fluid;
    if (f->walls.layers.lists) {
        mo_parallel_for(f->pool, f->rows, GRAIN, rest_density_rows, f);
        mo_layers_start(f, f->rate);
        mo_parallel_for(f->pool, f->walls.count, GRAIN, state_samples, s);
        mo_layers_spread(f);
    }
}

/* k = p/delta^2, for the symmetric force */
static void divide_rows(void *context, int64_t first, int64_t last)
{
    const stating *s = context;
    const mo_fluid *f = s->fluid;
    for (int64_t row = first; row < last; ++row) {
        f->rate[row] = s->pressure[row] / (f->density[row] * f->density[row]);
    }
}

static void accelerate_symmetric(const stating *s)
{
    mo_fluid *f = s->fluid;
    mo_parallel_for(f->pool, f->rows, GRAIN, divide_rows, (void *)s);
    mo_fluid_pack_numbers(f, f->rate);
    mo_fluid_accelerate(f, f->rate);
}

/* ---- other forms of the force ---- */

/* own and other: factors of p_i and p_j */
typedef struct forming {
    mo_fluid *fluid;
    const float *pressure;
    float own, other;
} forming; /* rate: k of the boundary */

/* 1/delta as the fourth component of the velocities, p as that of the positions. */
static void invert_rows(void *context, int64_t first, int64_t last)
{
    const forming *s = context;
    const mo_fluid *f = s->fluid;
    for (int64_t row = first; row < last; ++row) {
        f->velocity[4 * row + 3] = 1 / f->density[row];
        f->rate[row] = 0.5f * (s->own + s->other) * s->pressure[row] / f->density[row];
    }
}

static void form_rows(void *context, int64_t first, int64_t last)
{
    const forming *s = context;
    const mo_fluid *f = s->fluid;
    for (int64_t row = first; row < last; ++row) {
        mo_f8 sum[3] = {{0}}, own = mo_f8_set(s->own * s->pressure[row]);
        mo_f8 inverse = mo_f8_set(f->velocity[4 * row + 3]);
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_f8 other[4];
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8_load4(f->velocity, p.j, other);
            mo_f8 strength = (own + s->other * p.own) * (inverse * other[3]) * p.gradient_factor;
            sum[0] += strength * p.x;
            sum[1] += strength * p.y;
            sum[2] += strength * p.z;
        }
        for (int k = 0; k < 3; ++k) {
            f->acceleration[4 * row + k] =
                -f->specific[row] * (mo_f8_sum(sum[k]) + f->rate[row] * f->wall[4 * row + k]);
        }
        f->acceleration[4 * row + 3] = 0;
    }
}

static void accelerate_weighted(const stating *s, float own, float other)
{
    mo_fluid *f = s->fluid;
    forming form = {f, s->pressure, own, other};
    mo_parallel_for(f->pool, f->rows, GRAIN, invert_rows, &form);
    mo_fluid_spread4(f, f->velocity);
    mo_fluid_pack_numbers(f, s->pressure);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, form_rows, &form);
    mo_layers_accelerate(f);
}

/* Summed densities are current; integrated ones have been advanced by the step. */
static void recall_rows(void *context, int64_t first, int64_t last)
{
    const continuity *c = context;
    for (int64_t row = first; row < last; ++row) {
        c->fluid->density[row] = c->delta[row] > 0 ? (float)c->delta[row] : c->fluid->density[row];
    }
}

void mo_wcsph_publish(const mo_instance *self, const mo_wcsph_def *def, mo_fluid *f)
{
    const mo_column *delta = self->columns[DELTA];
    stating s = {f, def, f->columns.pressure->data};
    continuity c = {.fluid = f, .delta = delta ? mo_f64(delta) : NULL};
    if (delta) {
        mo_parallel_for(f->pool, f->rows, GRAIN, recall_rows, &c);
    }
    mo_parallel_for(f->pool, f->rows, GRAIN, state_rows, &s);
}

static void accelerate(const mo_wcsph_def *def, mo_fluid *f)
{
    stating s = {f, def, f->columns.pressure->data};
    mo_parallel_for(f->pool, f->rows, GRAIN, state_rows, &s);
    state_of_samples(&s);
    switch (def->force[0]) {
    case 'm':
        accelerate_weighted(&s, 1, 1);
        break;
    case 'h':
        accelerate_weighted(&s, 0.5f, 0.5f);
        break;
    case 'p':
        accelerate_weighted(&s, 0, 1);
        break;
    default:
        accelerate_symmetric(&s);
    }
}

/* ---- internal energy ---- */

/* Per rest volume: the integral of p/delta^2 from 1, by Gauss-Legendre quadrature. With it the
 * symmetric force conserves the total energy, including boundaries (walls.h, layers.h). */
static double internal_energy(const mo_wcsph_def *def, double rho0, double delta)
{
    static const double AT[3] = {0, 0.5384693101056831, 0.9061798459386640},
                        WEIGHT[3] = {0.2844444444444444, 0.2393143352496832, 0.1184634425280945};
    const mo_state_equation_type *state = (const mo_state_equation_type *)def->state.type;
    double sum = 0, span = delta - 1;
    for (int k = -2; k <= 2; ++k) {
        int at = k < 0 ? -k : k;
        double d = 1 + 0.5 * span * (1 + (k < 0 ? -AT[at] : AT[at]));
        double p = state->pressure(def->state.params, rho0, d);
        sum += WEIGHT[at] * (def->clamp && p < 0 ? 0 : p) / (d * d);
    }
    return span * sum;
}

static void energy_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const stating *s = context;
    const mo_fluid *f = s->fluid;
    const double *mass = mo_f64(f->columns.mass);
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        double rho0 = 1 / (double)f->specific[row];
        *partial += mass[row] / rho0 * internal_energy(s->def, rho0, (double)f->density[row]);
    }
}

/* With the rest density of the adjacent rows in k, as in state_samples. */
static void energy_samples(void *context, int64_t first, int64_t last, double *partial)
{
    const stating *s = context;
    const mo_walls *w = &s->fluid->walls;
    *partial = 0;
    for (int64_t b = first; b < last; ++b) {
        double rho0 = (double)w->layers.k[b], delta = (double)w->layers.density[b];
        *partial +=
            rho0 > 0 && delta > 1 ? w->volumes[b] * internal_energy(s->def, rho0, delta) : 0;
    }
}

static mote_status wcsph_energy(const mo_instance *self, mo_fluid *f, double *joules,
                                mote_error *error)
{
    const mo_column *delta = self->columns[DELTA];
    stating s = {f, self->method.params, NULL};
    continuity c = {.fluid = f, .delta = delta ? mo_f64(delta) : NULL};
    double more;
    if (delta) {
        mo_parallel_for(f->pool, f->rows, GRAIN, recall_rows, &c);
    }
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, 1, energy_rows, &s, joules, error));
    if (f->walls.layers.lists) {
        mo_parallel_for(f->pool, f->rows, GRAIN, rest_density_rows, f);
        mo_layers_start(f, f->rate);
        MO_TRY(mo_parallel_reduce(f->pool, f->walls.count, GRAIN, MO_SUM, 1, energy_samples, &s,
                                  &more, error));
        *joules += more;
    }
    return MOTE_OK;
}

/* ---- the step ---- */

mote_status mo_wcsph_step(mo_instance *self, const mo_wcsph_def *def, mo_fluid *f,
                          const mo_fluid_step *now, mote_error *error)
{
    const mo_column *delta = self->columns[DELTA];
    continuity c = {f, delta ? mo_f64(delta) : NULL,
                    mo_power(f->support / f->spacing, f->dimension), now->h};
    MO_TRY(mo_fluid_update(f, now->time, error));
    if (delta) {
        mo_parallel_for(f->pool, f->rows, GRAIN, begin_rows, &c);
    }
    mo_stage_end(now->stages, now->stage->neighbors);
    MO_TRY(mo_terms_apply(f, now->time, now->h, false, error));
    mo_stage_end(now->stages, now->stage->forces);
    if (def->kernel.type) {
        mo_kernel kernel =
            mo_kernel_make((const mo_kernel_type *)def->kernel.type, f->dimension, 1);
        mo_fluid_set_gradient_factors(f, &kernel);
    }
    accelerate(def, f);
    MO_TRY(mo_fluid_react(f, f->rate, now->h, error)); /* used by both forms */
    mo_stage_end(now->stages, now->stage->pressure);
    mo_fluid_kick_by_pressure(f, now->h);
    if (delta) {
        mo_fluid_pack_velocities(f);
        mo_fluid_rates(f, f->velocity, true, f->rate);
        mo_parallel_for(f->pool, f->rows, GRAIN, advect_rows, &c);
    }
    mo_fluid_drift(f, now->h);
    mo_stage_end(now->stages, now->stage->advance);
    return MOTE_OK;
}

/* ---- sound, and the largest step ---- */

/* Common to all equations of state. */
static double stiffness_of(const mo_method *state)
{
    const mo_param *p = state->type->params;
    while (p->name && strcmp(p->name, "stiffness") != 0) {
        ++p;
    }
    return p->name ? *(const double *)((const char *)state->params + p->offset) : 0;
}

mo_fluid_sound mo_wcsph_sound(const mo_wcsph_def *def, const mo_fluid *f)
{
    const mo_state_equation_type *state = (const mo_state_equation_type *)def->state.type;
    double square = INFINITY;
    for (int k = 0; k < f->phase_count; ++k) {
        square = fmin(square, state->sound_square(def->state.params, f->phases[k].density));
    }
    return (mo_fluid_sound){state->gas ? 0 : sqrt(square), "fluid.pressure.state.stiffness",
                            stiffness_of(&def->state)};
}

static void densest(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_fluid *f = context;
    const float *density = f->columns.step_density->data;
    const int32_t *phase = f->columns.phase->data;
    *partial = 1;
    for (int64_t row = first; row < last; ++row) {
        double delta =
            (double)density[row] / f->phases[phase[row] < f->phase_count ? phase[row] : 0].density;
        *partial = delta > *partial ? delta : *partial;
    }
}

/* Compressed fluid is stiffer: dp/drho at the largest density of the last step. */
double mo_wcsph_limit(const mo_wcsph_def *def, const mo_fluid *f)
{
    static const double SMALL = 1e-4;
    const mo_state_equation_type *state = (const mo_state_equation_type *)def->state.type;
    const void *params = def->state.params;
    double square = 0, delta = 1;
    mote_error error;
    int64_t rows = mo_store_owned(f->store);
    if (rows > 0 && mo_parallel_reduce(f->pool, rows, GRAIN, MO_MAX, 1, densest, (void *)f, &delta,
                                       &error) != MOTE_OK) {
        delta = 1; /* out of memory is reported by the next step */
    }
    for (int k = 0; k < f->phase_count; ++k) {
        double rho = f->phases[k].density, more = delta * (1 + SMALL);
        double derivative =
            (state->pressure(params, rho, more) - state->pressure(params, rho, delta)) /
            (rho * delta * SMALL);
        square = fmax(square, delta > 1 ? derivative : state->sound_square(params, rho));
    }
    return COURANT * f->spacing / sqrt(square);
}

static mote_status wcsph_step(mo_instance *self, mo_fluid *f, const mo_fluid_step *now,
                              mote_error *error)
{
    return mo_wcsph_step(self, self->method.params, f, now, error);
}

static double wcsph_limit(const void *params, const mo_fluid *f)
{
    return mo_wcsph_limit(params, f);
}

static mo_fluid_sound wcsph_sound(const void *params, const mo_fluid *f)
{
    return mo_wcsph_sound(params, f);
}

static void wcsph_publish(const mo_instance *self, mo_fluid *f)
{
    mo_wcsph_publish(self, self->method.params, f);
}

static const mo_kernel_type *wcsph_force_kernel(const void *params)
{
    return (const mo_kernel_type *)((const mo_wcsph_def *)params)->kernel.type;
}

const mo_pressure_type mo_pressure_wcsph = {
    .base =
        {.name = "wcsph",
         .summary =
             "Weakly compressible SPH: explicit pressure by an equation of state. Simple; the step "
             "must resolve the speed of sound.",
         .citation =
             "Monaghan 1994, J. Comput. Phys. 110, 399; Becker, Teschner 2007, Symp. Computer Animation",
         .departs =
             "Symplectic Euler instead of leapfrog or predictor-corrector steps; boundaries are "
             "those of the boundary method.",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(mo_wcsph_def),
         .params = PARAMS,
         .columns = COLUMNS},
    .hooks = {.needs_column = wcsph_needs_column},
    .step = wcsph_step,
    .limit = wcsph_limit,
    .sound = wcsph_sound,
    .publish = wcsph_publish,
    .energy = wcsph_energy,
    .soft_boundary = true,
    .keeps_density = true,
    .force_kernel = wcsph_force_kernel,
    .gains_by_shifting = true,
};
