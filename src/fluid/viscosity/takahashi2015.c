/*
 * Implicit viscosity by the divergence of the strain rate, T. Takahashi, Y. Dobashi, I. Fujishiro,
 * T. Nishita, M. Lin 2015, Implicit formulation for SPH-based viscous fluids, Comput. Graph. Forum
 * 34, 493, eqs. 3 to 8: backward Euler of
 *     m_i a_i = V_i sum_j V_j (S_i + S_j) grad W_ij,    S_i = 2 mu_i E_i/delta_i^2,
 *     E_i = (G_i + G_i^T)/2,    G_i = (1/delta_i) sum_j V_j (v_j - v_i) outer grad W_ij.
 * The force is the gradient of -h/2 sum_i V_i (2 mu_i/delta_i) E_i : E_i, so that the matrix is
 * symmetric and positive semidefinite; with G of another form it is not. Forces are equal and
 * opposite, not central: linear momentum is conserved, angular momentum is not. At a free surface
 * the sum over the neighbours underestimates E and its divergence, and rigid rotation has a strain
 * rate wherever sum_j V_j x_ij outer grad W_ij is not isotropic: a rotating drop is braked.
 *
 * A product takes two passes: E of all particles, then the sum of their stresses. Departs from the
 * paper: the matrix is not stored; friction at solids by sph/wall_friction.h; the stopping
 * criterion of implicit.h.
 */
#include "fluid/viscosity/implicit.h"
#include "fluid/viscosity/viscosity.h"
#include "math/lane_sums.h"

enum { GRAIN = 1024 };

typedef struct takahashi2015 {
    mo_implicit_def base;
} takahashi2015;

static const mo_param PARAMS[] = {MO_IMPLICIT_PARAMS(takahashi2015), {0}};

/* Stresses of local and ghost particles: (11 22 33 0) and (12 13 23 0). */
typedef struct takahashi2015_state {
    mo_implicit implicit;
    float *normal, *shear;
    float *scale; /* rows: 2 h mu/(rho0 delta^2) of the stress */
    int64_t normal_capacity, shear_capacity, scale_capacity;
} takahashi2015_state;

typedef struct straining {
    takahashi2015_state *state;
    const mo_fluid *fluid;
    const float *u;
    float *out;
    float h;
    bool mixed;
} straining;

/* ---- the matrix ---- */

/* h times 2 mu/delta^2; and, packed for the blocks, that over delta^2. */
static void scale_rows(void *context, int64_t first, int64_t last)
{
    const straining *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        const mo_implicit *s = &c->state->implicit;
        float mu = c->mixed ? s->shear.mu[row] : (float)s->shear.nu[0] / f->specific[row];
        float delta = f->total_density[row];
        c->state->scale[row] = 2 * c->h * mu / (delta * delta);
        f->source[row] = c->state->scale[row] / delta;
    }
}

/* The block of the diagonal: with w_i = source_i the sum over the particles whose strain rate
 * depends on the row of w_j (|g|^2 I + g g^T)/2, g = V grad W_ij, and that of its own, g = sum. */
static void block_rows(void *context, int64_t first, int64_t last)
{
    const straining *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        mo_f8 sum[6] = {{0}}, own[3] = {{0}};
        float *block = c->state->implicit.block + 6 * row, s[3], trace = 0;
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8 g[3] = {p.gradient_factor * p.x, p.gradient_factor * p.y,
                          p.gradient_factor * p.z};
            for (int k = 0; k < 3; ++k) {
                own[k] += g[k];
                sum[k] += p.own * (g[k] * g[k]);
            }
            sum[3] += p.own * (g[0] * g[1]);
            sum[4] += p.own * (g[0] * g[2]);
            sum[5] += p.own * (g[1] * g[2]);
        }
        for (int k = 0; k < 3; ++k) {
            s[k] = mo_f8_sum(own[k]);
        }
        const float product[6] = {s[0] * s[0], s[1] * s[1], s[2] * s[2],
                                  s[0] * s[1], s[0] * s[2], s[1] * s[2]};
        for (int k = 0; k < 6; ++k) {
            block[k] = 0.5f * f->specific[row] * (mo_f8_sum(sum[k]) + f->source[row] * product[k]);
            trace += k < 3 ? block[k] : 0;
        }
        for (int k = 0; k < 3; ++k) {
            block[k] += trace;
        }
    }
}

/* ---- products ---- */

/* The stress of a row by E of u. */
static void strain_rows(void *context, int64_t first, int64_t last)
{
    const straining *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        const float *u = c->u + 4 * row;
        mo_f8 e[6] = {{0}};
        mo_fluid_row r = mo_fluid_row_of(f, row);
        mo_fluid_prefetch(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_f8 o[4];
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8_load4(c->u, p.j, o);
            mo_f8 x = p.gradient_factor * p.x, y = p.gradient_factor * p.y,
                  z = p.gradient_factor * p.z;
            mo_f8 a = o[0] - u[0], b = o[1] - u[1], d = o[2] - u[2];
            e[0] += a * x;
            e[1] += b * y;
            e[2] += d * z;
            e[3] += a * y + b * x;
            e[4] += a * z + d * x;
            e[5] += b * z + d * y;
        }
        float scale = c->state->scale[row] / f->total_density[row];
        mo_f4_store(c->state->normal + 4 * row, scale * mo_f8_sum4(e[0], e[1], e[2], (mo_f8){0}));
        mo_f4_store(c->state->shear + 4 * row,
                    0.5f * scale * mo_f8_sum4(e[3], e[4], e[5], (mo_f8){0}));
    }
}

/* out_i = -(1/rho0_i) sum_j V_j (S_i + S_j) grad W_ij */
static void stress_rows(void *context, int64_t first, int64_t last)
{
    const straining *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        const float *n = c->state->normal + 4 * row, *s = c->state->shear + 4 * row;
        mo_f8 sum[3] = {{0}};
        mo_fluid_row r = mo_fluid_row_of(f, row);
        mo_fluid_prefetch(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_f8 on[4], os[4];
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8_load4(c->state->normal, p.j, on);
            mo_f8_load4(c->state->shear, p.j, os);
            mo_f8 x = p.gradient_factor * p.x, y = p.gradient_factor * p.y,
                  z = p.gradient_factor * p.z;
            sum[0] += (n[0] + on[0]) * x + (s[0] + os[0]) * y + (s[1] + os[1]) * z;
            sum[1] += (s[0] + os[0]) * x + (n[1] + on[1]) * y + (s[2] + os[2]) * z;
            sum[2] += (s[1] + os[1]) * x + (s[2] + os[2]) * y + (n[2] + on[2]) * z;
        }
        mo_f4 total = mo_f8_sum4(sum[0], sum[1], sum[2], (mo_f8){0});
        mo_f4_store(c->out + 4 * row, -f->specific[row] * total);
    }
}

static void takahashi2015_product(const void *context, mo_fluid *f, const float *u, float *out)
{
    straining c = *(const straining *)context;
    c.u = u;
    c.out = out;
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, strain_rows, &c);
    mo_fluid_spread4(f, c.state->normal);
    mo_fluid_spread4(f, c.state->shear);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, stress_rows, &c);
}

/* ---- the method ---- */

static mote_status takahashi2015_solve(mo_instance *self, mo_fluid *f, double h, mote_error *error)
{
    const takahashi2015 *p = self->method.params;
    takahashi2015_state *s = self->state;
    straining c = {
        .state = s, .fluid = f, .h = (float)h, .mixed = mo_shear_mixed(&s->implicit.shear, f)};
    if (!(s->implicit.shear.most > 0 || p->base.wall > 0)) {
        return MOTE_OK;
    }
    MO_TRY(mo_implicit_begin(&s->implicit, f, error));
    MO_TRY(mo_reserve(f->memory, &s->normal, &s->normal_capacity, 4 * f->slots + 4, sizeof(float),
                      error));
    MO_TRY(mo_reserve(f->memory, &s->shear, &s->shear_capacity, 4 * f->slots + 4, sizeof(float),
                      error));
    MO_TRY(mo_reserve(f->memory, &s->scale, &s->scale_capacity, f->rows, sizeof(float), error));
    mo_parallel_for(f->pool, f->rows, GRAIN, scale_rows, &c);
    mo_fluid_pack_numbers(f, f->source);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, block_rows, &c);
    return mo_implicit_solve(&s->implicit, self, &p->base, f, h, takahashi2015_product, &c, error);
}

static mote_status takahashi2015_create(mo_instance *self, mo_fluid *f, mote_error *error)
{
    takahashi2015_state *s = self->state;
    s->implicit.torque = true;
    return mo_implicit_create(&s->implicit, self->method.params, f, error);
}

static void takahashi2015_destroy(mo_instance *self, mo_fluid *f)
{
    takahashi2015_state *s = self->state;
    mo_release(f->memory, s->normal);
    mo_release(f->memory, s->shear);
    mo_release(f->memory, s->scale);
    mo_implicit_release(&s->implicit, f);
}

const mo_viscosity_type mo_viscosity_takahashi2015 = {
    .base = {.name = "takahashi2015",
             .summary =
                 "Implicit, by the divergence of the strain rate: stable at any step; brakes "
                 "rotations at a free surface. For comparison with weiler2018.",
             .citation =
                 "Takahashi, Dobashi, Fujishiro, Nishita, Lin 2015, Comput. Graph. Forum 34, "
                 "493",
             .departs =
                 "The matrix is not stored; boundaries by the implicit friction of all boundary "
                 "methods; the solver stops by an estimate of the velocity error.",
             .capabilities = MO_PORTABLE | MO_VISCOSITY_PHASES,
             .param_size = sizeof(takahashi2015),
             .params = PARAMS,
             .columns = mo_implicit_columns},
    .hooks = {.state_size = sizeof(takahashi2015_state),
              .create = takahashi2015_create,
              .destroy = takahashi2015_destroy},
    .solve = takahashi2015_solve,
};
