#include "fluid/sph/layers.h"

#include "fluid/kernel/lanes.h"

enum { GRAIN = MO_FLUID_GRAIN };

static mote_status reserve_floats(mo_fluid *f, float **array, int64_t *capacity, int64_t need,
                                  mote_error *error)
{
    return mo_reserve(f->memory, array, capacity, need, sizeof **array, error);
}

mote_status mo_layers_reserve(mo_fluid *f, mote_error *error)
{
    mo_wall_layers *l = &f->walls.layers;
    int64_t samples = f->walls.count;
    if (!l->lists) {
        return MOTE_OK;
    }
    MO_TRY(reserve_floats(f, &l->density, &l->density_capacity, samples, error));
    MO_TRY(reserve_floats(f, &l->diagonal, &l->diagonal_capacity, samples, error));
    MO_TRY(reserve_floats(f, &l->source, &l->source_capacity, samples, error));
    MO_TRY(reserve_floats(f, &l->target, &l->target_capacity, samples, error));
    MO_TRY(reserve_floats(f, &l->rate, &l->rate_capacity, samples, error));
    MO_TRY(reserve_floats(f, &l->k, &l->k_capacity, f->walls.slots, error));
    MO_TRY(reserve_floats(f, &l->wall_gradient, &l->wall_gradient_capacity, f->slots, error));
    return reserve_floats(f, &l->gradient_factor, &l->gradient_factor_capacity,
                          l->lists->index_capacity, error);
}

void mo_layers_release(mo_fluid *f)
{
    mo_wall_layers *l = &f->walls.layers;
    float *const arrays[] = {l->base, l->density, l->diagonal,      l->source,         l->target,
                             l->rate, l->k,       l->wall_gradient, l->gradient_factor};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        mo_release(f->memory, arrays[k]);
    }
}

/* A sample in a pair loop over rows. */
static mo_fluid_row row_of(const mo_fluid *f, int64_t sample)
{
    const mo_lists *lists = f->walls.layers.lists;
    int32_t p[3];
    memcpy(p, f->walls.packed + 4 * sample, sizeof p);
    return (mo_fluid_row){mo_i8_set(p[0]),      mo_i8_set(p[1]),
                          mo_i8_set(p[2]),      mo_f8_set((float)f->unit),
                          lists->start[sample], lists->start[sample] + lists->count[sample]};
}

MO_INLINE mo_fluid_pairs pairs_at(const mo_fluid *f, const mo_fluid_row *r, int64_t at)
{
    const mo_wall_layers *l = &f->walls.layers;
    mo_fluid_pairs p = mo_fluid_differences(r, f->packed, l->lists->index + at);
    p.gradient_factor = mo_f8_load(l->gradient_factor + at);
    return p;
}

MO_INLINE mo_f8 gather(const float *field, const int32_t *j)
{
    return (mo_f8){field[j[0]], field[j[1]], field[j[2]], field[j[3]],
                   field[j[4]], field[j[5]], field[j[6]], field[j[7]]};
}

MO_INLINE mo_f8 square_of(const mo_fluid_pairs *p)
{
    return p->x * p->x + p->y * p->y + p->z * p->z;
}

/* ---- densities and diagonals ---- */

/* M_i of rows; kernel gradient factors are negative. */
static void gradient_sum_rows(void *context, int64_t first, int64_t last)
{
    mo_fluid *f = context;
    for (int64_t row = first; row < last; ++row) {
        mo_f8 sum = {0};
        mo_fluid_row r = mo_fluid_wall_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_wall_pairs_at(f, &r, at);
            sum -= p.gradient_factor * mo_f8_sqrt(square_of(&p));
        }
        f->walls.layers.wall_gradient[row] = mo_f8_sum(sum) * f->specific[row];
    }
}

MO_INLINE void refresh_samples(mo_kernel_form form, const mo_kernel *k, mo_fluid *f, int64_t first,
                               int64_t last)
{
    static const int32_t LANES[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    mo_wall_layers *l = &f->walls.layers;
    mo_kernel kernel = *k;
    float inverse_square = (float)(1 / (f->support * f->support));
    for (int64_t sample = first; sample < last; ++sample) {
        mo_f8 density = {0}, diagonal = {0};
        mo_fluid_row r = row_of(f, sample);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_differences(&r, f->packed, l->lists->index + at);
            int32_t within = (int32_t)(r.last - at < 8 ? r.last - at : 8);
            mo_f8 volume = (mo_f8)((mo_i8_load(LANES) < within) & (mo_i8)p.own);
            mo_f8 r2 = square_of(&p), q2 = r2 * inverse_square;
            mo_f8 gradient_factor = volume * mo_form_g8(form, &kernel, q2) * inverse_square;
            density += volume * mo_form_w8(form, &kernel, q2);
            diagonal -= gradient_factor * mo_f8_sqrt(r2) * gather(l->wall_gradient, p.j);
            mo_f8_store(l->gradient_factor + at, gradient_factor);
        }
        l->density[sample] = l->base[sample] + mo_f8_sum(density);
        l->diagonal[sample] = mo_f8_sum(diagonal);
    }
}

static void refresh_range(void *context, int64_t first, int64_t last)
{
    mo_fluid *f = context;
    MO_KERNEL_CALL(f->kernel.form, refresh_samples, &f->kernel, f, first, last);
}

void mo_layers_refresh(mo_fluid *f)
{
    if (!f->walls.layers.lists) {
        return;
    }
    mo_parallel_for(f->pool, f->rows, GRAIN, gradient_sum_rows, f);
    mo_halo_update_f32(f->halo, f->walls.layers.wall_gradient, 1, f->pool);
    mo_parallel_for(f->pool, f->walls.count, GRAIN, refresh_range, f);
    memset(f->walls.layers.k, 0, (size_t)f->walls.slots * sizeof *f->walls.layers.k);
}

/* ---- pressures on rows ---- */

static void accelerate_rows(void *context, int64_t first, int64_t last)
{
    mo_fluid *f = context;
    const float *k = f->walls.layers.k;
    for (int64_t row = first; row < last; ++row) {
        mo_f8 sum[3] = {{0}};
        mo_fluid_row r = mo_fluid_wall_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_wall_pairs_at(f, &r, at);
            mo_f8 strength = p.gradient_factor * gather(k, p.j);
            sum[0] += strength * p.x;
            sum[1] += strength * p.y;
            sum[2] += strength * p.z;
        }
        for (int c = 0; c < 3 && r.first < r.last; ++c) {
            f->acceleration[4 * row + c] -= f->specific[row] * mo_f8_sum(sum[c]);
        }
    }
}

void mo_layers_accelerate(mo_fluid *f)
{
    if (f->walls.layers.lists) {
        mo_parallel_for(f->pool, f->rows, GRAIN, accelerate_rows, f);
    }
}

/* ---- rates of samples ---- */

typedef struct pass {
    mo_fluid *fluid;
    const float *u, *k;
    bool walls_move;
} pass;

static void rate_samples(void *context, int64_t first, int64_t last)
{
    static const float AT_REST[4] = {0, 0, 0, 0};
    const pass *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t sample = first; sample < last; ++sample) {
        const float *own = c->walls_move ? f->walls.velocity + 4 * sample : AT_REST;
        mo_f8 sum = {0};
        mo_fluid_row r = row_of(f, sample);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_f8 u[4];
            mo_fluid_pairs p = pairs_at(f, &r, at);
            mo_f8_load4(c->u, p.j, u);
            sum += p.gradient_factor *
                   ((own[0] - u[0]) * p.x + (own[1] - u[1]) * p.y + (own[2] - u[2]) * p.z);
        }
        f->walls.layers.rate[sample] = mo_f8_sum(sum);
    }
}

void mo_layers_rates(mo_fluid *f, const float *u, bool walls_move)
{
    pass c = {.fluid = f, .u = u, .walls_move = walls_move};
    if (f->walls.layers.lists) {
        mo_parallel_for(f->pool, f->walls.count, GRAIN, rate_samples, &c);
    }
}

/* ---- initial guess ---- */

static void start_samples(void *context, int64_t first, int64_t last)
{
    const pass *c = context;
    const mo_fluid *f = c->fluid;
    const mo_wall_layers *l = &f->walls.layers;
    for (int64_t sample = first; sample < last; ++sample) {
        int64_t start = l->lists->start[sample];
        float sum = 0, weight = 0;
        for (int64_t at = start; at < start + l->lists->count[sample]; ++at) {
            sum += l->gradient_factor[at] * c->k[mo_halo_row(f->halo, l->lists->index[at])];
            weight += l->gradient_factor[at];
        }
        l->k[sample] = weight < 0 ? sum / weight : 0;
    }
}

void mo_layers_spread(mo_fluid *f)
{
    mo_halo_update_f32(f->walls.halo, f->walls.layers.k, 1, f->pool);
}

void mo_layers_start(mo_fluid *f, const float *k)
{
    pass c = {.fluid = f, .k = k};
    if (f->walls.layers.lists) {
        mo_parallel_for(f->pool, f->walls.count, GRAIN, start_samples, &c);
        mo_layers_spread(f);
    }
}
