/*
 * Kernel gradient factors of another kernel, for methods with different kernels for densities and
 * forces.
 */
#include "fluid/kernel/lanes.h"
#include "fluid/sph/wall_entries.h"

#include <string.h>

typedef struct sloping {
    mo_fluid *fluid;
    const mo_kernel *kernel; /* with support 1 */
    mo_wall_law law;
} sloping;

static const int32_t LANES[8] = {0, 1, 2, 3, 4, 5, 6, 7};

/* V_j (dW/dr)/r of eight pairs, 0 for padding. */
MO_INLINE mo_f8 gradient_factor_of(mo_kernel_form form, const mo_kernel *kernel,
                                   const mo_fluid_pairs *p, float inverse_square, int64_t count)
{
    mo_f8 q2 = (p->x * p->x + p->y * p->y + p->z * p->z) * inverse_square;
    mo_f8 gradient_factor = p->own * mo_form_g8(form, kernel, q2) * inverse_square;
    return (mo_f8)((mo_i8_load(LANES) < (int32_t)(count < 8 ? count : 8)) & (mo_i8)gradient_factor);
}

/* The boundary's sums with F of this kernel. */
MO_INLINE void sample_row(mo_kernel_form form, const mo_kernel *kernel,
                          const mo_boundary_kernel *law, mo_fluid *f, int64_t row,
                          float inverse_square)
{
    mo_f8 sum[4] = {{0}};
    mo_fluid_row r = mo_fluid_wall_row_of(f, row);
    for (int64_t at = r.first; at < r.last; at += 8) {
        mo_f8 v[4];
        mo_fluid_pairs p = mo_fluid_differences(&r, f->walls.packed, f->walls.lists->index + at);
        mo_f8 q2 = (p.x * p.x + p.y * p.y + p.z * p.z) * inverse_square;
        mo_f8 gradient_factor = gradient_factor_of(form, kernel, &p, inverse_square, r.last - at) *
                                mo_wall_derivative(law, mo_form_w8(form, kernel, q2));
        mo_f8_load4(f->walls.velocity, p.j, v);
        sum[0] += gradient_factor * p.x;
        sum[1] += gradient_factor * p.y;
        sum[2] += gradient_factor * p.z;
        sum[3] += gradient_factor * (v[0] * p.x + v[1] * p.y + v[2] * p.z);
        mo_f8_store(f->walls.gradient_factor + at, gradient_factor);
    }
    for (int k = 0; k < 4; ++k) {
        f->wall[4 * row + k] = mo_f8_sum(sum[k]);
    }
}

static void map_row(const mo_half_space *law, mo_fluid *f, int64_t row)
{
    const mo_walls *w = &f->walls;
    float sum[4] = {0};
    for (int64_t k = w->first[row]; k < w->first[row + 1]; ++k) {
        mo_wall_entry *e = &w->entries[k];
        float derivative, support = (float)f->support;
        mo_half_space_at(law, e->distance / support, &derivative);
        for (int c = 0; c < 3; ++c) {
            e->gradient[c] = derivative * e->normal[c] / support;
            sum[c] += e->gradient[c];
            sum[3] += e->gradient[c] * e->velocity[c];
        }
    }
    memcpy(f->wall + 4 * row, sum, sizeof sum);
}

MO_INLINE void factor_rows(mo_kernel_form form, const sloping *s, int64_t first, int64_t last)
{
    mo_fluid *f = s->fluid;
    mo_kernel kernel = *s->kernel;
    float inverse_square = (float)(1 / (f->support * f->support));
    for (int64_t row = first; row < last; ++row) {
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_differences(&r, f->packed, f->lists->index + at);
            mo_f8_store(f->gradient_factor + at,
                        gradient_factor_of(form, &kernel, &p, inverse_square, r.last - at));
        }
        if (f->walls.maps && f->walls.entry_count > 0) {
            map_row(s->law.half_space, f, row);
        } else if (f->walls.lists && f->walls.lists->count[row] > 0) {
            sample_row(form, &kernel, s->law.kernel, f, row, inverse_square);
        }
    }
}

static void factor_range(void *context, int64_t first, int64_t last)
{
    const sloping *s = context;
    MO_KERNEL_CALL(s->kernel->form, factor_rows, s, first, last);
}

void mo_fluid_set_gradient_factors(mo_fluid *f, const mo_kernel *kernel)
{
    sloping s = {f, kernel, mo_walls_law(&f->walls, kernel, f->dimension, f->spacing / f->support)};
    mo_fluid_pack_numbers(f, f->volume);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, factor_range, &s);
    mo_wall_entries_refresh(f);
}
