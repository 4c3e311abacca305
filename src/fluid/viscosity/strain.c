#include "fluid/viscosity/strain.h"

enum { GRAIN = 4096, MOMENTS = 15, LANES = MO_WIDE };

/* Relative threshold of undetermined components, which are omitted: in single precision values
 * below 1e-6 are rounding errors. */
#define INDEPENDENT 1e-4f

/* The same relative to the moments of all directions: neighbours that are coplanar up to rounding
 * have products of four coordinates below the range of single precision. */
#define THIN 1e-20f

/* Sum over the neighbours of one row; `moment` has the products of four coordinates. */
typedef struct sums {
    mo_f8 moment[MOMENTS], right[MO_STRAIN], weight;
} sums;

/* The moment that is entry (a, b) of the normal equations, b <= a: x4 y4 z4, x2y2 x2z2 y2z2, x3y
   x3z x2yz, xy3 xy2z y3z, xyz2 xz3 yz3. */
static const int ENTRY[MO_STRAIN][MO_STRAIN] = {
    {0}, {3, 1}, {4, 5, 2}, {6, 9, 12, 3}, {7, 10, 13, 8, 4}, {8, 11, 14, 10, 12, 5}};

/* The pair of components of p whose product is a moment. */
static const int FACTORS[MOMENTS][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2},
                                        {1, 2}, {0, 3}, {0, 4}, {0, 5}, {1, 3},
                                        {1, 4}, {1, 5}, {2, 3}, {2, 4}, {2, 5}};

/* Components and moments that vanish in the plane. */
MO_INLINE bool used(bool flat, int component)
{
    return !flat || component == 0 || component == 1 || component == 3;
}

MO_INLINE bool moment_used(bool flat, int moment)
{
    return used(flat, FACTORS[moment][0]) && used(flat, FACTORS[moment][1]);
}

typedef struct straining {
    mo_fluid *fluid;
    mo_strain *strain;
    double *a;
    float along, square; /* spacing^2 */
} straining;

/* Lengths in spacings from here on. */
MO_INLINE mo_fluid_row row_of(const mo_fluid *f, int64_t row)
{
    mo_fluid_row r = mo_fluid_row_of(f, row);
    r.unit = mo_f8_set((float)(f->unit / f->spacing));
    return r;
}

MO_INLINE void products(const mo_fluid_pairs *p, mo_f8 out[MO_STRAIN])
{
    out[0] = p->x * p->x;
    out[1] = p->y * p->y;
    out[2] = p->z * p->z;
    out[3] = p->x * p->y;
    out[4] = p->x * p->z;
    out[5] = p->y * p->z;
}

/* rho_ij/rho_i of pairs of several phases. */
MO_INLINE mo_f8 density_ratio(float specific, mo_f8 density)
{
    mo_f8 ratio = specific * density;
    return 2 * ratio / (1 + ratio);
}

/* ---- the fit ---- */

MO_INLINE void meet(bool flat, const straining *s, const mo_fluid_pairs *p, const float *v,
                    float specific, sums *sum)
{
    mo_f8 other[4], pp[MO_STRAIN], kp[MO_STRAIN];
    mo_f8_load4(s->fluid->velocity, p->j, other);
    products(p, pp);
    mo_f8 weight = s->square * p->gradient_factor, r2 = pp[0] + pp[1] + pp[2];
    sum->weight -= p->gradient_factor;
    if (s->strain->mixed) {
        weight *= density_ratio(specific, other[3]);
    }
    mo_f8 k = mo_f8_select(r2 > 0, -weight / r2, mo_f8_set(0));
    mo_f8 along = (v[0] - other[0]) * p->x + (v[1] - other[1]) * p->y;
    along = flat ? along : along + (v[2] - other[2]) * p->z;
    for (int c = 0; c < MO_STRAIN; ++c) {
        kp[c] = k * pp[c];
        sum->right[c] = used(flat, c) ? sum->right[c] + along * kp[c] : sum->right[c];
    }
    for (int m = 0; m < MOMENTS; ++m) {
        if (moment_used(flat, m)) {
            sum->moment[m] += kp[FACTORS[m][0]] * pp[FACTORS[m][1]];
        }
    }
}

/* M e = b of eight rows by L D L^T; linearly dependent components are 0. */
MO_INLINE void solve(bool flat, const mo_f8 moment[MOMENTS], const mo_f8 right[MO_STRAIN],
                     mo_f8 e[MO_STRAIN])
{
    mo_f8 lower[MO_STRAIN][MO_STRAIN], scaled[MO_STRAIN][MO_STRAIN], inverse[MO_STRAIN], zero = {0};
    mo_f8 thin = THIN * (moment[0] + moment[1] + moment[2]);
    for (int i = 0; i < MO_STRAIN; ++i) {
        e[i] = right[i];
        for (int k = 0; k <= i; ++k) {
            mo_f8 sum = moment[ENTRY[i][k]];
            for (int m = 0; m < k && used(flat, i) && used(flat, k); ++m) {
                sum -= used(flat, m) ? lower[i][m] * scaled[k][m] : zero;
            }
            if (k < i) {
                scaled[i][k] = sum;
                lower[i][k] = sum * inverse[k];
            } else {
                inverse[i] = mo_f8_select((sum > INDEPENDENT * moment[ENTRY[i][i]]) & (sum > thin),
                                          1 / sum, zero);
            }
        }
        for (int k = 0; k < i; ++k) {
            e[i] -= used(flat, i) && used(flat, k) ? lower[i][k] * e[k] : zero;
        }
    }
    for (int i = MO_STRAIN - 1; i >= 0; --i) {
        e[i] *= inverse[i];
        for (int k = i + 1; k < MO_STRAIN; ++k) {
            e[i] -= used(flat, i) && used(flat, k) ? lower[k][i] * e[k] : zero;
        }
    }
}

/* Up to eight rows from `first`. */
MO_INLINE void fit_some(bool flat, const straining *s, int64_t first, int64_t count)
{
    const mo_fluid *f = s->fluid;
    mo_f8 moment[MOMENTS] = {{0}}, right[MO_STRAIN] = {{0}}, e[MO_STRAIN];
    for (int64_t lane = 0; lane < count; ++lane) {
        sums sum = {0};
        const float *v = f->velocity + 4 * (first + lane);
        mo_fluid_row r = row_of(f, first + lane);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            meet(flat, s, &p, v, f->specific[first + lane], &sum);
        }
        for (int m = 0; m < MOMENTS; ++m) {
            moment[m][lane] = moment_used(flat, m) ? mo_f8_sum(sum.moment[m]) : 0;
        }
        for (int c = 0; c < MO_STRAIN; ++c) {
            right[c][lane] = used(flat, c) ? mo_f8_sum(sum.right[c]) : 0;
        }
        s->strain->weight[first + lane] = mo_f8_sum(sum.weight);
    }
    solve(flat, moment, right, e);
    for (int64_t lane = 0; lane < count; ++lane) {
        for (int c = 0; c < MO_STRAIN; ++c) {
            s->strain->tensor[MO_STRAIN * (first + lane) + c] = used(flat, c) ? e[c][lane] : 0;
        }
    }
}

static void fit_range(void *context, int64_t first, int64_t last)
{
    const straining *s = context;
    bool flat = s->fluid->dimension == 2;
    for (int64_t row = first; row < last; row += LANES) {
        int64_t count = last - row < LANES ? last - row : LANES;
        if (flat) {
            fit_some(true, s, row, count);
        } else {
            fit_some(false, s, row, count);
        }
    }
}

static straining straining_of(mo_strain *strain, mo_fluid *f, double along)
{
    return (straining){f, strain, mo_f64(f->columns.a), (float)along,
                       (float)(f->spacing * f->spacing)};
}

mote_status mo_strain_fit(mo_strain *s, mo_fluid *f, mote_error *error)
{
    MO_TRY(mo_reserve(f->memory, &s->tensor, &s->tensor_capacity, MO_STRAIN * f->rows,
                      sizeof(float), error));
    MO_TRY(mo_reserve(f->memory, &s->weight, &s->weight_capacity, f->rows, sizeof(float), error));
    MO_TRY(
        mo_reserve(f->memory, &s->near, &s->near_capacity, 4 * f->slots + 4, sizeof(float), error));
    MO_TRY(
        mo_reserve(f->memory, &s->far, &s->far_capacity, 4 * f->slots + 4, sizeof(float), error));
    s->mixed = mo_fluid_pack_rest_densities(f);
    straining context = straining_of(s, f, 0);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, fit_range, &context);
    return MOTE_OK;
}

void mo_strain_release(mo_strain *s, mo_fluid *f)
{
    mo_release(f->memory, s->tensor);
    mo_release(f->memory, s->weight);
    mo_release(f->memory, s->near);
    mo_release(f->memory, s->far);
}

/* ---- the forces ---- */

/* Component k of T with the position, the others with the velocity, to minimise loads per pair.
 * In the plane the third velocity component is free. */
static void pack_rows(void *context, int64_t first, int64_t last)
{
    const straining *s = context;
    const mo_fluid *f = s->fluid;
    bool flat = f->dimension == 2;
    for (int64_t row = first; row < last; ++row) {
        const float *v = f->velocity + 4 * row, *t = s->strain->tensor + MO_STRAIN * row;
        float *near = s->strain->near + 4 * row, *far = s->strain->far + 4 * row;
        near[0] = v[0];
        near[1] = v[1];
        near[2] = flat ? t[3] : v[2];
        near[3] = t[0];
        for (int k = 0; k < 4; ++k) {
            far[k] = t[2 + k];
        }
        f->source[row] = t[1];
    }
}

/* along x_ij . v_ij + x_ij . (T_i + T_j) x_ij/2 of eight pairs. */
MO_INLINE mo_f8 strength_of(bool flat, const straining *s, const mo_fluid_pairs *p, const float *v,
                            const float *t, const mo_f8 pp[MO_STRAIN])
{
    mo_f8 near[4], far[4];
    mo_f8_load4(s->strain->near, p->j, near);
    mo_f8 along = (v[0] - near[0]) * p->x + (v[1] - near[1]) * p->y;
    mo_f8 strain = (t[0] + near[3]) * pp[0] + (t[1] + p->own) * pp[1];
    if (flat) {
        strain += (t[3] + near[2]) * pp[3];
    } else {
        along += (v[2] - near[2]) * p->z;
        mo_f8_load4(s->strain->far, p->j, far);
        for (int k = 0; k < 4; ++k) {
            strain += (t[2 + k] + far[k]) * pp[2 + k];
        }
    }
    return s->along * along + 0.5f * strain;
}

MO_INLINE void accelerate_rows(bool flat, const straining *s, int64_t first, int64_t last)
{
    const mo_fluid *f = s->fluid;
    for (int64_t row = first; row < last; ++row) {
        const float *v = f->velocity + 4 * row, *t = s->strain->tensor + MO_STRAIN * row;
        mo_f8 sum[3] = {{0}};
        mo_fluid_row r = row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_f8 pp[MO_STRAIN], other[4];
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            products(&p, pp);
            mo_f8 r2 = pp[0] + pp[1] + pp[2], gradient_factor = p.gradient_factor;
            if (s->strain->mixed) {
                mo_f8_load4(f->velocity, p.j, other);
                gradient_factor *= density_ratio(f->specific[row], other[3]);
            }
            mo_f8 strength = strength_of(flat, s, &p, v, t, pp) * gradient_factor;
            strength = mo_f8_select(r2 > 0, strength / r2, mo_f8_set(0));
            sum[0] += strength * p.x;
            sum[1] += strength * p.y;
            sum[2] += strength * p.z;
        }
        for (int c = 0; c < 3; ++c) {
            s->a[3 * row + c] += (double)mo_f8_sum(sum[c]);
        }
    }
}

static void accelerate_range(void *context, int64_t first, int64_t last)
{
    const straining *s = context;
    if (s->fluid->dimension == 2) {
        accelerate_rows(true, s, first, last);
    } else {
        accelerate_rows(false, s, first, last);
    }
}

void mo_strain_accelerate(mo_strain *s, mo_fluid *f, double along)
{
    straining context = straining_of(s, f, along);
    mo_parallel_for(f->pool, f->rows, GRAIN, pack_rows, &context);
    mo_fluid_spread4(f, s->near);
    if (f->dimension == 3) {
        mo_fluid_spread4(f, s->far);
    }
    mo_fluid_pack_numbers(f, f->source);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, accelerate_range, &context);
    if (s->mixed) {
        mo_fluid_pack_velocities(f);
    }
}
