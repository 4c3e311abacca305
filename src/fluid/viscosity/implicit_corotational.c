/*
 * The viscosity of corotational.c in a backward Euler step (implicit.h): with u the unknown change
 * of the velocity,
 *     (K u)_i = sum_j K_ij (g_i (u_ij - w_i x x_ij) + g_j (u_ij - w_j x x_ij))/2,
 *     sum_j K_ij x_ij x (u_ij - w_i x x_ij) = 0,
 * K_ij and g_i as there. The matrix 1/2 sum_i g_i P_i^T K P_i is symmetric and positive
 * semidefinite, P_i the projection orthogonal to rotations. Viscosity is nu in every direction with
 * the default kernels, both momenta are conserved away from boundaries, rigid rotation is not
 * damped.
 *
 * A product takes two passes: the rotations w of u, then the forces. The inertia of the fit and g
 * are computed once per solve. The preconditioner omits rotations.
 */
#include "fluid/viscosity/corotational.h"
#include "fluid/viscosity/implicit.h"
#include "fluid/viscosity/viscosity.h"
#include "math/lane_sums.h"
#include "math/symmetric.h"

typedef struct implicit_corotational {
    mo_implicit_def base;
} implicit_corotational;

static const mo_param PARAMS[] = {MO_IMPLICIT_PARAMS(implicit_corotational), {0}};

/* inertia: rows x J; spin: local and ghost particles x (g w, g) */
typedef struct implicit_corotational_state {
    mo_implicit implicit;
    float *inertia, *spin;
    double at_walls; /* g at boundaries */
    int64_t inertia_capacity, spin_capacity;
} implicit_corotational_state;

typedef struct turning {
    implicit_corotational_state *state;
    const mo_fluid *fluid;
    const float *u;
    float *out;
    float factor; /* 4 h */
    bool mixed;
} turning;

/* h K_ij/m_i of eight pairs. */
MO_INLINE mo_f8 weight_of(const turning *c, int64_t row, const mo_fluid_pairs *p)
{
    mo_f8 nu = c->mixed ? mo_implicit_nu8(true, &c->state->implicit, c->fluid, row, p->j)
                        : mo_f8_set((float)c->state->implicit.shear.nu[0]);
    return -c->factor * nu * p->gradient_factor;
}

/* ---- the matrix ---- */

/* J and g; at boundaries J is 0, so that w is. */
static void inertia_rows(void *context, int64_t first, int64_t last)
{
    const turning *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        mo_f8 sum[6] = {{0}}, size = {0};
        bool wall = mo_corotational_at_wall(f, row);
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8 k = weight_of(c, row, &p), x = k * p.x, y = k * p.y;
            mo_f8 xx = p.x * p.x, yy = p.y * p.y, zz = p.z * p.z;
            sum[0] += k * (yy + zz);
            sum[1] += k * (xx + zz);
            sum[2] += k * (xx + yy);
            sum[3] -= x * p.y;
            sum[4] -= x * p.z;
            sum[5] -= y * p.z;
            size -= p.gradient_factor * (xx + yy + zz);
        }
        for (int k = 0; k < 6; ++k) {
            c->state->inertia[6 * row + k] = wall ? 0 : mo_f8_sum(sum[k]);
        }
        double moment = (double)mo_f8_sum(size) / f->dimension;
        double g = wall ? c->state->at_walls : 1 / fmax(MO_COROTATIONAL_FEWEST, moment);
        c->state->spin[4 * row + 3] = (float)g;
    }
}

/* Without rotations: sum_j h K_ij (g_i + g_j)/2m_i times the unit matrix. */
static void block_rows(void *context, int64_t first, int64_t last)
{
    const turning *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        mo_f8 sum = {0};
        float own = c->state->spin[4 * row + 3], *block = c->state->implicit.block + 6 * row;
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_f8 other[4];
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8_load4(c->state->spin, p.j, other);
            sum += 0.5f * weight_of(c, row, &p) * (own + other[3]);
        }
        for (int k = 0; k < 6; ++k) {
            block[k] = k < 3 ? mo_f8_sum(sum) : 0;
        }
    }
}

/* ---- products ---- */

static void spin_rows(void *context, int64_t first, int64_t last)
{
    const turning *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        const float *u = c->u + 4 * row, *inertia = c->state->inertia + 6 * row;
        float *spin = c->state->spin + 4 * row;
        mo_f8 l[3] = {{0}};
        double j[6], right[3], w[3];
        mo_fluid_row r = mo_fluid_row_of(f, row);
        mo_fluid_prefetch(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_f8 o[4];
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8_load4(c->u, p.j, o);
            mo_f8 k = weight_of(c, row, &p), a = u[0] - o[0], b = u[1] - o[1], d = u[2] - o[2];
            l[0] += k * (p.y * d - p.z * b);
            l[1] += k * (p.z * a - p.x * d);
            l[2] += k * (p.x * b - p.y * a);
        }
        for (int k = 0; k < 6; ++k) {
            j[k] = (double)inertia[k];
            right[k % 3] = (double)mo_f8_sum(l[k % 3]);
        }
        mo_symmetric_solve(j, right, w);
        for (int k = 0; k < 3; ++k) {
            spin[k] = spin[3] * (float)w[k];
        }
    }
}

static void rub_rows(void *context, int64_t first, int64_t last)
{
    const turning *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        const float *u = c->u + 4 * row, *w = c->state->spin + 4 * row;
        mo_f8 sum[3] = {{0}};
        mo_fluid_row r = mo_fluid_row_of(f, row);
        mo_fluid_prefetch(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_f8 o[4], s[4];
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8_load4(c->u, p.j, o);
            mo_f8_load4(c->state->spin, p.j, s);
            mo_f8 k = 0.5f * weight_of(c, row, &p), g = w[3] + s[3];
            mo_f8 wx = w[0] + s[0], wy = w[1] + s[1], wz = w[2] + s[2];
            sum[0] += k * (g * (u[0] - o[0]) - (wy * p.z - wz * p.y));
            sum[1] += k * (g * (u[1] - o[1]) - (wz * p.x - wx * p.z));
            sum[2] += k * (g * (u[2] - o[2]) - (wx * p.y - wy * p.x));
        }
        mo_f4_store(c->out + 4 * row, mo_f8_sum4(sum[0], sum[1], sum[2], (mo_f8){0}));
    }
}

static void implicit_corotational_product(const void *context, mo_fluid *f, const float *u,
                                          float *out)
{
    turning c = *(const turning *)context;
    c.u = u;
    c.out = out;
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, spin_rows, &c);
    mo_fluid_spread4(f, c.state->spin);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, rub_rows, &c);
}

/* ---- the method ---- */

static mote_status implicit_corotational_solve(mo_instance *self, mo_fluid *f, double h,
                                               mote_error *error)
{
    const implicit_corotational *p = self->method.params;
    implicit_corotational_state *s = self->state;
    turning c = {.state = s,
                 .fluid = f,
                 .factor = (float)(4 * h),
                 .mixed = mo_shear_mixed(&s->implicit.shear, f)};
    if (!(s->implicit.shear.most > 0 || p->base.wall > 0)) {
        return MOTE_OK;
    }
    MO_TRY(mo_implicit_begin(&s->implicit, f, error));
    MO_TRY(mo_reserve(f->memory, &s->inertia, &s->inertia_capacity, 6 * f->rows, sizeof(float),
                      error));
    MO_TRY(
        mo_reserve(f->memory, &s->spin, &s->spin_capacity, 4 * f->slots + 4, sizeof(float), error));
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, inertia_rows, &c);
    mo_fluid_spread4(f, s->spin);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, block_rows, &c);
    return mo_implicit_solve(&s->implicit, self, &p->base, f, h, implicit_corotational_product, &c,
                             error);
}

static mote_status implicit_corotational_create(mo_instance *self, mo_fluid *f, mote_error *error)
{
    implicit_corotational_state *s = self->state;
    s->at_walls = mo_corotational_at_walls(f);
    return mo_implicit_create(&s->implicit, self->method.params, f, error);
}

static void implicit_corotational_destroy(mo_instance *self, mo_fluid *f)
{
    implicit_corotational_state *s = self->state;
    mo_release(f->memory, s->inertia);
    mo_release(f->memory, s->spin);
    mo_implicit_release(&s->implicit, f);
}

const mo_viscosity_type mo_viscosity_implicit_corotational = {
    .base = {.name = "implicit_corotational",
             .summary = "The form of corotational in a backward Euler step: stable at any step and "
                        "viscosity, isotropic with any kernel; conserves linear and angular "
                        "momentum.",
             .citation = "ours, after Morris, Fox, Zhu 1997, J. Comput. Phys. 136, 214; Weiler, "
                         "Koschier, Brand, Bender 2018, Comput. Graph. Forum 37, 145",
             .capabilities = MO_PORTABLE | MO_VISCOSITY_PHASES,
             .param_size = sizeof(implicit_corotational),
             .params = PARAMS,
             .columns = mo_implicit_columns},
    .hooks = {.state_size = sizeof(implicit_corotational_state),
              .create = implicit_corotational_create,
              .destroy = implicit_corotational_destroy},
    .solve = implicit_corotational_solve,
};
