#include "fluid/viscosity/friction.h"

#include "fluid/sph/wall_friction.h"
#include "math/lane_sums.h"
#include "math/symmetric.h"

typedef struct rubbing {
    const mo_fluid *fluid;
    double *a;
    float *rate; /* of the rows, see friction.h */
    bool along, mixed;
    float nu, h;
} rubbing;

/* factor V_j G of eight pairs times v_ij, or its part along x_ij, in fixed-point units:
 * coincident particles have r2 = 0, all others at least 1. `specific` is 1/rho0 of the row for
 * phases of several densities, else 0: then the pair has the harmonic mean of both, 2 rho0_i
 * rho0_j/(rho0_i + rho0_j), see friction.h. */
MO_INLINE void rub(bool whole, const mo_fluid_pairs *p, const float *v, const float *others,
                   mo_f8 factor, float specific, mo_f8 sum[3])
{
    mo_f8 other[4];
    mo_f8_load4(others, p->j, other);
    if (specific > 0) {
        mo_f8 ratio = specific * other[3];
        factor *= 2 * ratio / (1 + ratio);
    }
    if (whole) {
        mo_f8 strength = factor * p->gradient_factor;
        for (int k = 0; k < 3; ++k) {
            sum[k] += strength * (v[k] - other[k]);
        }
        return;
    }
    mo_f8 r2 = p->x * p->x + p->y * p->y + p->z * p->z;
    mo_f8 along = (v[0] - other[0]) * p->x + (v[1] - other[1]) * p->y + (v[2] - other[2]) * p->z;
    mo_f8 strength = factor * p->gradient_factor * along / mo_f8_max(r2, mo_f8_set(1));
    sum[0] += strength * p->x;
    sum[1] += strength * p->y;
    sum[2] += strength * p->z;
}

/* ---- the bound of the damping rate ---- */

/* Adds weight c_ij n n^T of eight pairs (11 22 33 12 13 23), -c = strength and n n^T = x x^T/r2. */
MO_INLINE void damp(const mo_fluid_pairs *p, mo_f8 strength, float weight, mo_f8 sum[6])
{
    mo_f8 r2 = p->x * p->x + p->y * p->y + p->z * p->z;
    mo_f8 share = mo_f8_select(r2 > 0, -weight * strength / r2, mo_f8_set(0));
    mo_f8 x = share * p->x, y = share * p->y, z = share * p->z;
    sum[0] += x * p->x;
    sum[1] += y * p->y;
    sum[2] += z * p->z;
    sum[3] += x * p->y;
    sum[4] += x * p->z;
    sum[5] += y * p->z;
}

/* The largest eigenvalue of 2 sum_j c_ij n n^T + sum_b c_ib n n^T. */
static float rate_along(const rubbing *c, int64_t row)
{
    const mo_fluid *f = c->fluid;
    mo_f8 sum[6] = {{0}}, own = mo_f8_set(f->total_density[row]);
    double s[6];
    mo_fluid_row r = mo_fluid_row_of(f, row);
    for (int64_t at = r.first; at < r.last; at += 8) {
        mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
        damp(&p, 2 * c->nu / (own + p.own) * p.gradient_factor, 2, sum);
    }
    for (int k = 0; k < 6; ++k) {
        s[k] = (double)mo_f8_sum(sum[k]);
    }
    return (float)mo_symmetric_largest(s, f->dimension);
}

/* The trace bounds the eigenvalues, and suffices where twice this step is stable by it. */
#define FAR 0.95f

/* ---- rows ---- */

MO_INLINE void rub_rows(bool whole, const rubbing *c, int64_t first, int64_t last)
{
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        mo_f8 sum[3] = {{0}}, own = mo_f8_set(f->total_density[row]), near = {0};
        const float *v = f->velocity + 4 * row;
        mo_fluid_row r = mo_fluid_row_of(f, row);
        mo_fluid_prefetch(f, row);
        for (int64_t at = c->nu > 0 ? r.first : r.last; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_counts(&r, f->packed, f->lists->index + at);
            p.gradient_factor = mo_f8_load(f->gradient_factor + at);
            mo_f8 factor = 2 * c->nu / (own + p.own);
            rub(whole, &p, v, f->velocity, factor, c->mixed ? f->specific[row] : 0, sum);
            near += factor * p.gradient_factor;
        }
        mo_f4 total = mo_f8_sum4(sum[0], sum[1], sum[2], near);
        for (int k = 0; k < 3; ++k) {
            c->a[3 * row + k] += (double)total[k];
        }
        float trace = -2 * total[3];
        c->rate[row] = whole || trace * c->h < FAR ? trace : rate_along(c, row);
    }
}

static void rub_range(void *context, int64_t first, int64_t last)
{
    const rubbing *c = context;
    if (c->along) {
        rub_rows(false, c, first, last);
    } else {
        rub_rows(true, c, first, last);
    }
}

mote_status mo_fluid_add_friction(mo_fluid *f, const mo_friction *friction, mote_error *error)
{
    rubbing c = {.fluid = f,
                 .a = mo_f64(f->columns.a),
                 .rate = friction->rate,
                 .along = friction->along,
                 .mixed = mo_fluid_pack_rest_densities(f),
                 .nu = (float)friction->nu,
                 .h = (float)friction->h};
    if (friction->kernel) {
        mo_kernel kernel = mo_kernel_make(friction->kernel, f->dimension, 1);
        mo_fluid_set_gradient_factors(f, &kernel);
    }
    mo_fluid_pack_numbers(f, f->total_density);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, rub_range, &c);
    MO_TRY(mo_fluid_wall_friction(
        f, &(mo_wall_friction){.nu = friction->wall, .h = friction->h, .rate = friction->rate},
        error));
    if (c.mixed) {
        mo_fluid_pack_velocities(f);
    }
    if (friction->kernel) { /* the pressure uses the fluid's kernel afterwards */
        mo_fluid_set_gradient_factors(f, &f->kernel);
    }
    return MOTE_OK;
}
