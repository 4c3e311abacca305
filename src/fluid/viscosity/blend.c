#include "fluid/viscosity/blend.h"

#include "fluid/kernel/lanes.h"

enum { GRAIN = 4096 };

typedef struct blending {
    mo_fluid *fluid;
    const mo_blend *blend;
    double *a;
    float *rate; /* NULL: no bound requested */
    bool mixed;
} blending;

/* source = V g, the share of a neighbour */
static void share_rows(void *context, int64_t first, int64_t last)
{
    const blending *b = context;
    const mo_fluid *f = b->fluid;
    for (int64_t row = first; row < last; ++row) {
        f->source[row] = f->volume[row] * f->rate[row];
    }
}

/* weight share_j (v_j - kept v_i) K_ij of eight pairs, the first `count` of which are valid. */
MO_INLINE void meet(mo_kernel_form form, const mo_kernel *kernel, bool laplacian,
                    const mo_fluid_pairs *p, const float *v, const float *others,
                    float inverse_square, float weight, float specific, float kept, int64_t count,
                    mo_f8 sum[3], mo_f8 *damped)
{
    const mo_i8 lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    mo_f8 other[4], q2 = (p->x * p->x + p->y * p->y + p->z * p->z) * inverse_square;
    mo_f8_load4(others, p->j, other);
    mo_f8 k = laplacian ? mo_form_l8(form, kernel, q2) : mo_form_w8(form, kernel, q2);
    mo_f8 share =
        (mo_f8)((lanes < (int32_t)(count < 8 ? count : 8)) & (mo_i8)(weight * p->own * k));
    *damped += mo_f8_max(share, mo_f8_set(0));
    if (specific > 0) { /* the mean of both densities, as in friction.h */
        mo_f8 ratio = specific * other[3];
        share *= 2 * ratio / (1 + ratio);
    }
    for (int axis = 0; axis < 3; ++axis) {
        sum[axis] += share * (other[axis] - kept * v[axis]);
    }
}

MO_INLINE void blend_rows(mo_kernel_form form, bool laplacian, const blending *b, int64_t first,
                          int64_t last)
{
    const mo_fluid *f = b->fluid;
    mo_kernel kernel = *b->blend->kernel;
    float inverse_square = (float)(1 / (f->support * f->support));
    float factor = (float)b->blend->factor;
    for (int64_t row = first; row < last; ++row) {
        mo_f8 sum[3] = {{0}}, near = {0};
        const float *v = f->velocity + 4 * row;
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_differences(&r, f->packed, f->lists->index + at);
            meet(form, &kernel, laplacian, &p, v, f->velocity, inverse_square,
                 factor * f->rate[row], b->mixed ? f->specific[row] : 0, b->blend->absolute ? 0 : 1,
                 r.last - at, sum, &near);
        }
        for (int k = 0; k < 3; ++k) {
            b->a[3 * row + k] += (double)mo_f8_sum(sum[k]);
        }
        if (b->rate) {
            b->rate[row] = 2 * mo_f8_sum(near);
        }
    }
}

static void blend_range(void *context, int64_t first, int64_t last)
{
    const blending *b = context;
    if (b->blend->laplacian) {
        MO_KERNEL_CALL(b->blend->kernel->form, blend_rows, true, b, first, last);
    } else {
        MO_KERNEL_CALL(b->blend->kernel->form, blend_rows, false, b, first, last);
    }
}

mote_status mo_fluid_blend(mo_fluid *f, const mo_blend *blend, mote_error *error)
{
    blending b = {f, blend, mo_f64(f->columns.a), blend->rate, mo_fluid_pack_rest_densities(f)};
    mo_parallel_for(f->pool, f->rows, GRAIN, share_rows, &b);
    mo_fluid_pack_numbers(f, f->source);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, blend_range, &b);
    MO_TRY(mo_fluid_wall_friction(f, &blend->wall, error));
    if (b.mixed) {
        mo_fluid_pack_velocities(f);
    }
    return MOTE_OK;
}
