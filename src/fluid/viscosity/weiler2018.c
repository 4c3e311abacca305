/*
 * Implicit viscosity by the Laplacian of the velocity with central pair forces, M. Weiler, D.
 * Koschier, M. Brand, J. Bender 2018, A physically consistent implicit viscosity solver for SPH
 * fluids, Comput. Graph. Forum 37, 145, eqs. 7 to 11: backward Euler of
 *     a_i = 2 (d + 2) nu sum_j V_ij (v_ij . x_ij)/|x_ij|^2 grad W_ij,    V_ij = 2 V_j/(delta_i +
 *         delta_j).
 * The matrix consists of the blocks -c_ij n n^T, n = x_ij/|x_ij|: symmetric, positive definite,
 * linear and angular momentum are conserved, rigid rotation is not damped, also at a free surface.
 * Friction at solids is implicit too (implicit.h).
 *
 * A product reads per pair one coefficient c_ij/|x_ij|^2, computed once per solve, the position and
 * the vector of the neighbour: 8 bytes in order, 2 x 16 from the cache, and no division.
 *
 * Departs from the paper: the mean of both densities; no 0.01 R^2 beside |x_ij|^2, which would
 * lower the viscosity by 3 to 8 %; friction by sph/wall_friction.h; the stopping criterion of
 * implicit.h. The dependence on the particle arrangement is that of `laplacian`: with the cubic
 * kernel and a support of two spacings 0.66 nu along the axes of a lattice, so its own kernel is
 * poly6, with 0.96.
 */
#include "fluid/viscosity/implicit.h"
#include "fluid/viscosity/viscosity.h"
#include "math/lane_sums.h"

typedef struct weiler2018 {
    mo_implicit_def base;
    mo_method kernel;
} weiler2018;

static const mo_param PARAMS[] = {
    MO_IMPLICIT_PARAMS(weiler2018),
    {"kernel", MO_METHOD, MO_FIELD(weiler2018, kernel), .family = &mo_kernels,
     .initial = "\"poly6\"",
     .doc = "Kernel whose gradient is used. poly6 depends least on the particle arrangement."},
    {0}};

typedef struct weiler2018_state {
    mo_implicit implicit;
    float *coefficient; /* c_ij/|x_ij|^2 in fixed-point units, one per index of the lists */
    int64_t coefficient_capacity;
} weiler2018_state;

typedef struct coupling {
    weiler2018_state *state;
    const mo_fluid *fluid;
    float factor; /* 2 (d + 2) h */
    bool mixed;
} coupling;

/* ---- the matrix ---- */

/* Coefficients of the pairs of a row, and its diagonal block, the sum of c_ij n n^T. */
MO_INLINE void couple_row(bool mixed, const coupling *c, int64_t row)
{
    const mo_fluid *f = c->fluid;
    mo_f8 sum[6] = {{0}}, own = mo_f8_set(f->total_density[row]);
    mo_fluid_row r = mo_fluid_row_of(f, row);
    for (int64_t at = r.first; at < r.last; at += 8) {
        mo_fluid_pairs p = mo_fluid_counts(&r, f->packed, f->lists->index + at);
        mo_f8 nu = mo_implicit_nu8(mixed, &c->state->implicit, f, row, p.j);
        mo_f8 r2 = p.x * p.x + p.y * p.y + p.z * p.z;
        mo_f8 k = -2 * c->factor * nu * mo_f8_load(f->gradient_factor + at) / (own + p.own);
        k = mo_f8_select(r2 > 0, k / r2, mo_f8_set(0));
        mo_f8 x = k * p.x, y = k * p.y, z = k * p.z;
        sum[0] += x * p.x;
        sum[1] += y * p.y;
        sum[2] += z * p.z;
        sum[3] += x * p.y;
        sum[4] += x * p.z;
        sum[5] += y * p.z;
        mo_f8_store(c->state->coefficient + at, k);
    }
    for (int k = 0; k < 6; ++k) {
        c->state->implicit.block[6 * row + k] = mo_f8_sum(sum[k]);
    }
}

static void couple_range(void *context, int64_t first, int64_t last)
{
    const coupling *c = context;
    for (int64_t row = first; row < last; ++row) {
        if (c->mixed) {
            couple_row(true, c, row);
        } else {
            couple_row(false, c, row);
        }
    }
}

/* ---- products ---- */

typedef struct multiplying {
    const mo_fluid *fluid;
    const float *coefficient, *u;
    float *out;
} multiplying;

/* out_i = sum_j c_ij n (n . (u_i - u_j)) */
static void multiply_rows(void *context, int64_t first, int64_t last)
{
    const multiplying *m = context;
    const mo_fluid *f = m->fluid;
    for (int64_t row = first; row < last; ++row) {
        const float *u = m->u + 4 * row;
        mo_f8 x = {0}, y = {0}, z = {0};
        mo_fluid_row r = mo_fluid_row_of(f, row);
        int64_t later = mo_fluid_prefetch_indices(f, row);
        __builtin_prefetch(m->coefficient + later);
        __builtin_prefetch(m->coefficient + later + MO_FLUID_LINE);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_f8 other[4];
            mo_fluid_pairs p = mo_fluid_counts(&r, f->packed, f->lists->index + at);
            mo_f8_load4(m->u, p.j, other);
            mo_f8 along =
                (u[0] - other[0]) * p.x + (u[1] - other[1]) * p.y + (u[2] - other[2]) * p.z;
            mo_f8 k = mo_f8_load(m->coefficient + at) * along;
            x += k * p.x;
            y += k * p.y;
            z += k * p.z;
        }
        mo_f4_store(m->out + 4 * row, mo_f8_sum4(x, y, z, (mo_f8){0}));
    }
}

static void weiler2018_product(const void *context, mo_fluid *f, const float *u, float *out)
{
    const weiler2018_state *s = context;
    multiplying m = {f, s->coefficient, u, out};
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, multiply_rows, &m);
}

/* ---- the method ---- */

static mote_status weiler2018_solve(mo_instance *self, mo_fluid *f, double h, mote_error *error)
{
    const weiler2018 *p = self->method.params;
    weiler2018_state *s = self->state;
    const mo_kernel_type *type = (const mo_kernel_type *)p->kernel.type;
    coupling c = {s, f, (float)(2 * (f->dimension + 2) * h), mo_shear_mixed(&s->implicit.shear, f)};
    if (!(s->implicit.shear.most > 0 || p->base.wall > 0)) {
        return MOTE_OK;
    }
    MO_TRY(mo_implicit_begin(&s->implicit, f, error));
    MO_TRY(mo_reserve(f->memory, &s->coefficient, &s->coefficient_capacity,
                      f->gradient_factor_capacity, sizeof(float), error));
    bool own = type != f->kernel.type;
    if (own) {
        mo_kernel kernel = mo_kernel_make(type, f->dimension, 1);
        mo_fluid_set_gradient_factors(f, &kernel);
    }
    mo_fluid_pack_numbers(f, f->total_density);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, couple_range, &c);
    if (own) { /* the pressure uses the fluid's kernel afterwards */
        mo_fluid_set_gradient_factors(f, &f->kernel);
    }
    return mo_implicit_solve(&s->implicit, self, &p->base, f, h, weiler2018_product, s, error);
}

static mote_status weiler2018_create(mo_instance *self, mo_fluid *f, mote_error *error)
{
    weiler2018_state *s = self->state;
    return mo_implicit_create(&s->implicit, self->method.params, f, error);
}

static void weiler2018_destroy(mo_instance *self, mo_fluid *f)
{
    weiler2018_state *s = self->state;
    mo_release(f->memory, s->coefficient);
    mo_implicit_release(&s->implicit, f);
}

const mo_viscosity_type mo_viscosity_weiler2018 = {
    .base =
        {.name = "weiler2018",
         .summary = "Implicit, by the Laplacian of the velocity with radial velocity differences: "
                    "stable at any step and viscosity; conserves linear and angular momentum.",
         .citation = "Weiler, Koschier, Brand, Bender 2018, Comput. Graph. Forum 37, 145",
         .departs =
             "A kernel of its own; the mean of both densities makes the pair force symmetric; the "
             "regularisation 0.01 "
             "R^2 of the denominator is omitted; boundaries by the implicit friction of all "
             "boundary methods; the solver stops by an estimate of the velocity error.",
         .capabilities = MO_PORTABLE | MO_VISCOSITY_PHASES,
         .param_size = sizeof(weiler2018),
         .params = PARAMS,
         .columns = mo_implicit_columns},
    .hooks = {.state_size = sizeof(weiler2018_state),
              .create = weiler2018_create,
              .destroy = weiler2018_destroy},
    .solve = weiler2018_solve,
};
