/*
 * Pair sums of all SPH methods; fluid.h has the equations.
 */
#include "fluid/kernel/lanes.h"
#include "fluid/sph/fluid.h"
#include "fluid/sph/layers.h"
#include "fluid/sph/response.h"
#include "fluid/sph/wall_entries.h"
#include "math/gravity.h"
#include "math/lane_sums.h"

/* Sums of one row over its neighbours in mo_fluid_refresh. */
typedef struct gathered {
    mo_f8 density, x, y, z, squares;
    /* of the boundary: the sum of V_b W, and the contribution of its motion */
    mo_f8 plain, flow;
} gathered;

static const int32_t LANES[8] = {0, 1, 2, 3, 4, 5, 6, 7};

MO_INLINE mo_f8 keep_first(mo_f8 a, int64_t count)
{
    mo_i8 within = mo_i8_load(LANES) < (int32_t)(count < 8 ? count : 8);
    return (mo_f8)(within & (mo_i8)a);
}

/* Lengths are in units of fixed-point positions: q^2 = r^2 per_support, V_j dW/dr/r has
 * inverse_square. */
typedef struct lengths {
    float unit, per_support, inverse_square;
} lengths;

static lengths lengths_of(const mo_fluid *f)
{
    double inverse = 1 / f->support;
    return (lengths){(float)f->unit, (float)(f->unit * inverse * (f->unit * inverse)),
                     (float)(inverse * inverse)};
}

/* The kernel of the pairs at..at + 7 of a row: adds to its sums and stores the kernel gradient
 * factors. */
MO_INLINE void meet(mo_kernel_form form, const mo_kernel *kernel, const mo_fluid_pairs *p,
                    const lengths *in, int64_t count, gathered *sum, float *slopes)
{
    mo_f8 r2 = p->x * p->x + p->y * p->y + p->z * p->z, q2 = r2 * in->per_support;
    mo_f8 volume = keep_first(p->own, count);
    mo_f8 gradient_factor = volume * (mo_form_g8(form, kernel, q2) * in->inverse_square);
    sum->density += volume * mo_form_w8(form, kernel, q2);
    sum->x += gradient_factor * p->x;
    sum->y += gradient_factor * p->y;
    sum->z += gradient_factor * p->z;
    sum->squares += gradient_factor * (gradient_factor * r2);
    mo_f8_store(slopes, gradient_factor);
}

/* The same for boundary particles, with the contribution of their motion. */
MO_INLINE void meet_wall(mo_kernel_form form, const mo_kernel *kernel, const mo_walls *walls,
                         const mo_fluid_pairs *p, float inverse_square, int64_t count,
                         gathered *sum, int64_t at)
{
    mo_f8 q2 = (p->x * p->x + p->y * p->y + p->z * p->z) * inverse_square, v[4];
    mo_f8 volume = keep_first(p->own, count), w = mo_form_w8(form, kernel, q2);
    mo_f8 gradient_factor = volume * mo_form_g8(form, kernel, q2) * inverse_square *
                            mo_wall_derivative(&walls->kernel, w);
    mo_f8_load4(walls->velocity, p->j, v);
    sum->density += volume * mo_wall_density(&walls->kernel, w);
    sum->plain += volume * w;
    sum->x += gradient_factor * p->x;
    sum->y += gradient_factor * p->y;
    sum->z += gradient_factor * p->z;
    sum->flow += gradient_factor * (v[0] * p->x + v[1] * p->y + v[2] * p->z);
    mo_f8_store(walls->gradient_factor + at, gradient_factor);
}

MO_INLINE gathered gather_fluid(mo_kernel_form form, const mo_kernel *kernel, const mo_fluid *f,
                                const lengths *in, int64_t row)
{
    gathered sum = {0};
    mo_fluid_row r = mo_fluid_row_of(f, row);
    mo_fluid_prefetch(f, row);
    for (int64_t at = r.first; at < r.last; at += 8) {
        mo_fluid_pairs p = mo_fluid_counts(&r, f->packed, f->lists->index + at);
        meet(form, kernel, &p, in, r.last - at, &sum, f->gradient_factor + at);
    }
    return sum;
}

MO_INLINE mo_wall_sum gather_samples(mo_kernel_form form, const mo_kernel *kernel,
                                     const mo_fluid *f, int64_t row)
{
    float inverse_square = (float)(1 / (f->support * f->support));
    gathered sum = {0};
    mo_fluid_row r = mo_fluid_wall_row_of(f, row);
    for (int64_t at = r.first; at < r.last; at += 8) {
        mo_fluid_pairs p = mo_fluid_differences(&r, f->walls.packed, f->walls.lists->index + at);
        meet_wall(form, kernel, &f->walls, &p, inverse_square, r.last - at, &sum, at);
    }
    return (mo_wall_sum){mo_f8_sum(sum.density),
                         mo_f8_sum(sum.plain),
                         {mo_f8_sum(sum.x), mo_f8_sum(sum.y), mo_f8_sum(sum.z)},
                         mo_f8_sum(sum.flow)};
}

/* Sums of a row over all solids. */
MO_INLINE mo_wall_sum gather_walls(mo_kernel_form form, const mo_kernel *kernel, mo_fluid *f,
                                   int64_t row)
{
    const mo_walls *w = &f->walls;
    if (w->maps && w->entry_count > 0 && w->first[row] < w->first[row + 1]) {
        return mo_wall_entries_evaluate(f, row);
    }
    if (w->lists && w->lists->count[row] > 0) {
        return gather_samples(form, kernel, f, row);
    }
    return (mo_wall_sum){0};
}

MO_INLINE void refresh_rows(mo_kernel_form form, const mo_kernel *k, mo_fluid *f, int64_t first,
                            int64_t last)
{
    mo_kernel kernel = *k;
    const lengths in = lengths_of(f);
    float center = (float)mo_kernel_w(&kernel, 0), mirror = (float)f->walls.mirror;
    float both = f->walls.layers.lists || f->walls.plain
                     ? 2
                     : mirror; /* where samples have their own pressure */
    for (int64_t row = first; row < last; ++row) {
        gathered near = gather_fluid(form, &kernel, f, &in, row);
        mo_wall_sum solid = gather_walls(form, &kernel, f, row);
        float own = f->volume[row] * center + mo_f8_sum(near.density);
        mo_f4 s = in.unit * mo_f8_sum4(near.x, near.y, near.z, near.squares);
        const float *w = solid.gradient;
        float diagonal = in.unit * s[3], gradient_sum = 0;
        for (int c = 0; c < 3; ++c) {
            diagonal += (s[c] + w[c]) * (s[c] + mirror * w[c]);
            gradient_sum += (2 * s[c] + both * w[c]) * (2 * s[c] + both * w[c]);
            f->wall[4 * row + c] = w[c];
        }
        f->wall[4 * row + 3] = solid.flow;
        f->density[row] = own + solid.density;
        f->total_density[row] = own + solid.volume;
        f->diagonal[row] = diagonal;
        f->gradient_sum[row] = gradient_sum * (float)(f->spacing * f->spacing);
    }
}

MO_INLINE void density_rows(mo_kernel_form form, const mo_kernel *k, mo_fluid *f, int64_t first,
                            int64_t last)
{
    mo_kernel kernel = *k;
    const lengths in = lengths_of(f);
    float center = (float)mo_kernel_w(&kernel, 0);
    for (int64_t row = first; row < last; ++row) {
        mo_f8 sum = {0};
        mo_fluid_row r = mo_fluid_row_of(f, row);
        mo_fluid_prefetch_indices(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_counts(&r, f->packed, f->lists->index + at);
            mo_f8 r2 = p.x * p.x + p.y * p.y + p.z * p.z;
            sum += keep_first(p.own, r.last - at) * mo_form_w8(form, &kernel, r2 * in.per_support);
        }
        f->density[row] =
            f->volume[row] * center + mo_f8_sum(sum) + gather_walls(form, &kernel, f, row).density;
    }
}

static void density_range(void *context, int64_t first, int64_t last)
{
    mo_fluid *f = context;
    MO_KERNEL_CALL(f->kernel.form, density_rows, &f->kernel, f, first, last);
}

void mo_fluid_densities(mo_fluid *f)
{
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, density_range, f);
}

static void refresh_range(void *context, int64_t first, int64_t last)
{
    mo_fluid *f = context;
    MO_KERNEL_CALL(f->kernel.form, refresh_rows, &f->kernel, f, first, last);
}

/* The diagonal for different rest densities: each neighbour with its own. A separate pass, so
 * that single fluids do not pay for it. */
static void mix_rows(void *context, int64_t first, int64_t last)
{
    mo_fluid *f = context;
    float mirror = (float)f->walls.mirror;
    for (int64_t row = first; row < last; ++row) {
        mo_f8 x = {0}, y = {0}, z = {0}, squares = {0};
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8 specific;
            for (int lane = 0; lane < 8; ++lane) {
                specific[lane] = f->specific[p.j[lane]];
            }
            x += p.gradient_factor * p.x;
            y += p.gradient_factor * p.y;
            z += p.gradient_factor * p.z;
            squares += p.gradient_factor * p.gradient_factor * (p.x * p.x + p.y * p.y + p.z * p.z) *
                       (specific / p.own);
        }
        float s[3] = {mo_f8_sum(x), mo_f8_sum(y), mo_f8_sum(z)};
        float diagonal = mo_f8_sum(squares) * f->volume[row] / f->specific[row];
        for (int c = 0; c < 3; ++c) {
            float wall = f->wall[4 * row + c];
            diagonal += (s[c] + wall) * (s[c] + mirror * wall);
        }
        f->diagonal[row] = diagonal;
    }
}

void mo_fluid_refresh(mo_fluid *f)
{
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, refresh_range, f);
    if (mo_fluid_mixed(f)) {
        mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, mix_rows, f);
    }
    mo_layers_refresh(f);
    mo_wall_entries_refresh(f);
    mo_response_refresh(f);
}

/* ---- accelerations by pressure ---- */

typedef struct pass {
    mo_fluid *fluid;
    const float *k, *u;
    bool walls_move;
    float *rate;
} pass;

static void accelerate_rows(void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    const mo_fluid *f = p->fluid;
    float mirror = (float)f->walls.mirror, unit = (float)f->unit;
    for (int64_t row = first; row < last; ++row) {
        mo_f8 own = mo_f8_set(p->k[row]), x = {0}, y = {0}, z = {0};
        mo_fluid_row r = mo_fluid_row_of(f, row);
        mo_fluid_prefetch(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs pairs = mo_fluid_counts(&r, f->packed, f->lists->index + at);
            mo_f8 weight = mo_f8_load(f->gradient_factor + at) * (own + pairs.own);
            x += weight * pairs.x;
            y += weight * pairs.y;
            z += weight * pairs.z;
        }
        mo_f4 solid = (mirror * p->k[row]) * mo_f4_load(f->wall + 4 * row);
        mo_f4 sum = -f->specific[row] * (unit * mo_f8_sum4(x, y, z, (mo_f8){0}) + solid);
        sum[3] = 0;
        mo_f4_store(f->acceleration + 4 * row, sum);
    }
}

void mo_fluid_accelerate(mo_fluid *f, const float *k)
{
    pass p = {.fluid = f, .k = k};
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, accelerate_rows, &p);
    mo_layers_accelerate(f);
    mo_fluid_spread4(f, f->acceleration);
}

static void clear_rows(void *context, int64_t first, int64_t last)
{
    const mo_f4 none = {-0.0f, -0.0f, -0.0f, 0};
    float *acceleration = context;
    for (int64_t row = first; row < last; ++row) {
        mo_f4_store(acceleration + 4 * row, none);
    }
}

void mo_fluid_clear_accelerations(mo_fluid *f)
{
    mo_parallel_for(f->pool, f->slots, MO_FLUID_GRAIN, clear_rows, f->acceleration);
}

/* ---- rates of the density ---- */

/* Two pairs of a row at once, each in four lanes (x, y, z and an unused one): no transposition. */
typedef struct doubled {
    mo_i8 packed; /* of the row, twice */
    float unit;
} doubled;

MO_INLINE doubled doubled_of(const mo_fluid *f, int64_t row)
{
    return (doubled){(mo_i8)mo_f8_two4(f->packed, (int32_t)row, (int32_t)row), (float)f->unit};
}

/* V_j (u_i - u_j) . grad W in fixed-point units, spread over four lanes, of pairs 2 m and 2 m +
 * 1; the fourth of u is 0. */
MO_INLINE mo_f8 rate_of_two(const mo_fluid *f, const doubled *r, const float *u, mo_f8 own,
                            const int32_t *j, mo_f8 gradient_factor, int m)
{
    mo_f8 way =
        mo_f8_from_i8(mo_i8_less(r->packed, (mo_i8)mo_f8_two4(f->packed, j[2 * m], j[2 * m + 1])));
    return mo_f8_spread4(gradient_factor, m) *
           (way * (own - mo_f8_two4(u, j[2 * m], j[2 * m + 1])));
}

static void rate_rows(void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    const mo_fluid *f = p->fluid;
    const int64_t *start = f->lists->start;
    const int32_t *count = f->lists->count, *index = f->lists->index;
    for (int64_t row = first; row < last; ++row) {
        const float *u = p->u + 4 * row, *wall = f->wall + 4 * row;
        mo_f8 own = mo_f8_two4(p->u, (int32_t)row, (int32_t)row), even = {0}, odd = {0};
        doubled r = doubled_of(f, row);
        mo_fluid_prefetch(f, row);
        for (int64_t at = start[row], end = start[row] + count[row]; at < end; at += 8) {
            mo_f8 gradient_factor = mo_f8_load(f->gradient_factor + at);
            even += rate_of_two(f, &r, p->u, own, index + at, gradient_factor, 0);
            odd += rate_of_two(f, &r, p->u, own, index + at, gradient_factor, 1);
            even += rate_of_two(f, &r, p->u, own, index + at, gradient_factor, 2);
            odd += rate_of_two(f, &r, p->u, own, index + at, gradient_factor, 3);
        }
        float rate =
            r.unit * mo_f8_sum(even + odd) + ((u[0] * wall[0] + u[1] * wall[1]) + u[2] * wall[2]);
        p->rate[row] = p->walls_move ? rate - wall[3] : rate;
    }
}

void mo_fluid_rates(mo_fluid *f, const float *u, bool walls_move, float *rate)
{
    pass p = {.fluid = f, .u = u, .walls_move = walls_move, .rate = rate};
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, rate_rows, &p);
}

/* ---- output and measurements ---- */

/* One in this number of rows suffices for a mean. */
enum { SAMPLED = 16 };

/* Threshold of rows with complete neighbourhoods. */
static const float SURROUNDED = 0.04f;

/* partial: the sum of -(1/d) sum_j V_j x_ij . grad W_ij of sampled interior rows, and their
 * number */
static void sum_gradients(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_fluid *f = context;
    partial[0] = partial[1] = 0;
    for (int64_t row = (first + SAMPLED - 1) / SAMPLED * SAMPLED; row < last; row += SAMPLED) {
        const float *wall = f->wall + 4 * row;
        mo_f8 sum = {0};
        if (wall[0] != 0 || wall[1] != 0 || wall[2] != 0 || f->gradient_sum[row] > SURROUNDED) {
            continue;
        }
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            sum += p.gradient_factor * (p.x * p.x + p.y * p.y + p.z * p.z);
        }
        partial[0] -= (double)mo_f8_sum(sum) / f->dimension;
        partial[1] += 1;
    }
}

/* The ratio of the summed to the exact gradient of a linear field: 1.02 on a cubic lattice of
 * support 2, 0.97 on a dense one. Pressures k that balance a weight have the inverse error. */
static float gradient_factor(mo_fluid *f)
{
    enum { ENOUGH = 8 };
    double sum[2];
    mote_error error;
    bool found = mo_parallel_reduce(f->pool, f->rows, MO_FLUID_GRAIN, MO_SUM, 2, sum_gradients, f,
                                    sum, &error) == MOTE_OK;
    return found && sum[1] >= ENOUGH && sum[0] > 0 ? (float)(sum[0] / sum[1]) : 1;
}

typedef struct showing {
    mo_fluid *fluid;
    const float *k, *other;
    float *pressure, factor;
} showing;

static void store_rows(void *context, int64_t first, int64_t last)
{
    const showing *s = context;
    const float *density = s->fluid->density;
    for (int64_t row = first; row < last; ++row) {
        float k = s->k[row] + (s->other ? s->other[row] : 0);
        s->pressure[row] = s->factor * k * density[row] * density[row];
    }
}

void mo_fluid_store_pressure(mo_fluid *f, const float *k, const float *other)
{
    showing s = {f, k, other, f->columns.pressure->data, gradient_factor(f)};
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, store_rows, &s);
}

/* partial: the sum and the largest compression */
static void compression_sum(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_fluid *f = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        double over = (double)f->density[row] - 1;
        *partial += over > 0 ? over : 0;
    }
}

static void compression_most(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_fluid *f = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        double over = (double)f->density[row] - 1;
        *partial = over > *partial ? over : *partial;
    }
}

mote_status mo_fluid_measure_density(mo_fluid *f, double *mean, double *most, mote_error *error)
{
    double sum;
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, MO_FLUID_GRAIN, MO_SUM, 1, compression_sum, f, &sum,
                              error));
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, MO_FLUID_GRAIN, MO_MAX, 1, compression_most, f,
                              most, error));
    *mean = f->rows > 0 ? sum / (double)f->rows : 0;
    return MOTE_OK;
}

mo_vec3 mo_fluid_gravity(const mo_fluid *f, double time)
{
    return mo_gravity_at(f->gravity, &f->gravity_factor, time);
}
