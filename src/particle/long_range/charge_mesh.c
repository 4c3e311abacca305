#include "particle/long_range/charge_mesh.h"

#include "particle/long_range/spline.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { GRAIN = 128, SUMS = 2, OWN_SUMS = 3 };

static const double PI = 3.14159265358979323846;

/* ---- creation ---- */

void mo_charge_mesh_destroy(mo_charge_mesh *m)
{
    if (m->fft.forward_plane) {
        mo_fft_release(&m->fft);
    }
    for (int k = 0; k < 3; ++k) {
        mo_release(m->memory, m->field[k]);
    }
    mo_release(m->memory, m->mesh);
    mo_release(m->memory, m->influence.g);
    mo_release(m->memory, m->order);
    mo_release(m->memory, m->slab_first);
    mo_release(m->memory, m);
}

static int count_slabs(const mo_influence_def *def)
{
    int reach = def->order - 1, pairs = def->n[2] / (2 * reach);
    return pairs > 0 ? 2 * pairs : 1;
}

static mote_status allocate(mo_charge_mesh *m, mote_error *error)
{
    const int *n = m->def.n;
    void *block;
    MO_TRY(mo_allocate_array(m->memory, mo_fft_size(n), sizeof(double), &block, error));
    m->mesh = block;
    for (int k = 0; k < 3 && !m->def.ad; ++k) {
        MO_TRY(mo_allocate_array(m->memory, mo_fft_size(n), sizeof(double), &block, error));
        m->field[k] = block;
    }
    MO_TRY(mo_allocate_array(m->memory, (int64_t)(n[0] / 2 + 1) * n[1] * n[2], sizeof(double),
                             &block, error));
    m->influence.g = block;
    MO_TRY(mo_allocate_array(m->memory, m->slabs + 1, sizeof(int64_t), &block, error));
    m->slab_first = block;
    return mo_fft_create(n, m->mesh, &m->fft, error);
}

/* sum_m U(k_m) U(k_(m+1)) along one axis, of the wave `turns`. */
static double neighbor_product(int order, double turns)
{
    double sum = 0;
    for (int m = -40; m <= 40; ++m) {
        sum += mo_spline_transform(order, PI * (turns + m)) *
               mo_spline_transform(order, PI * (turns + m + 1));
    }
    return sum;
}

static double square_sum(int order, double turns)
{
    double sum = 0;
    for (int m = -40; m <= 40; ++m) {
        double u = mo_spline_transform(order, PI * (turns + m));
        sum += u * u;
    }
    return sum;
}

static double turns_of(int k, int n)
{
    return (double)(2 * k <= n ? k : k - n) / n;
}

/* A charge acts on itself through the mesh; the first harmonic of this energy along each axis,
 * 1/V sum_k G sum_m U(k_m) U(k_(m+1)) (Ballenegger et al. 2012, section 2.5). */
static mote_status find_harmonics(mo_charge_mesh *m, mote_error *error)
{
    const int *n = m->def.n;
    int width = n[0] / 2 + 1, most = n[0] > n[1] ? n[0] : n[1];
    most = most > n[2] ? most : n[2];
    void *block;
    MO_TRY(mo_allocate_array(m->memory, 6 * (int64_t)most, sizeof(double), &block, error));
    double *product[3], *square[3];
    for (int d = 0; d < 3; ++d) {
        product[d] = (double *)block + 2 * d * most;
        square[d] = product[d] + most;
        for (int k = 0; k < n[d]; ++k) {
            product[d][k] = neighbor_product(m->def.order, turns_of(k, n[d]));
            square[d][k] = square_sum(m->def.order, turns_of(k, n[d]));
        }
    }
    for (int z = 0; z < n[2]; ++z) {
        for (int y = 0; y < n[1]; ++y) {
            for (int x = 0; x < width; ++x) {
                double twice = x > 0 && 2 * x < n[0] ? 2 : 1;
                double g = twice * m->influence.g[((int64_t)z * n[1] + y) * width + x];
                /* the mean of k and -k: the aliases of -k are those of k, reversed */
                int back = x > 0 ? n[0] - x : 0;
                double px = 0.5 * (product[0][x] + product[0][back]);
                m->harmonic[0] += g * px * square[1][y] * square[2][z];
                m->harmonic[1] += g * square[0][x] * product[1][y] * square[2][z];
                m->harmonic[2] += g * square[0][x] * square[1][y] * product[2][z];
            }
        }
    }
    mo_release(m->memory, block);
    return MOTE_OK;
}

mote_status mo_charge_mesh_create(const mo_influence_def *def, const mo_domain *domain,
                                  mo_memory *memory, mo_charge_mesh **mesh, mote_error *error)
{
    mo_charge_mesh *m = mo_allocate(memory, sizeof *m);
    if (!m) {
        return mo_fail_memory(error, sizeof *m);
    }
    m->memory = memory;
    m->domain = *domain;
    m->def = *def;
    m->slabs = count_slabs(def);
    mote_status status = allocate(m, error);
    if (status == MOTE_OK) {
        status = mo_influence_fill(def, memory, &m->influence, error);
    }
    if (status == MOTE_OK && def->ad) {
        status = find_harmonics(m, error);
    }
    if (status != MOTE_OK) {
        mo_charge_mesh_destroy(m);
        return status;
    }
    *mesh = m;
    return MOTE_OK;
}

/* ---- one evaluation ---- */

typedef struct solving {
    mo_charge_mesh *mesh;
    const double *x, *charge;
    double *force;
    double inverse_spacing[3];
    bool measure;
    int first_slab; /* 0: even ones, 1: odd ones */
} solving;

static int slab_of(const mo_charge_mesh *m, int plane)
{
    int slab = plane / (m->def.n[2] / m->slabs);
    return slab < m->slabs ? slab : m->slabs - 1;
}

static int slab_of_row(const solving *s, int64_t row)
{
    int first[3];
    mo_spline_base(&s->mesh->domain, s->mesh->def.n, s->inverse_spacing, s->mesh->def.order,
                   s->x + 3 * row, first);
    return slab_of(s->mesh, first[2]);
}

/* Counting sort of the rows by slab. */
static mote_status sort_rows(const solving *s, int64_t rows, mote_error *error)
{
    mo_charge_mesh *m = s->mesh;
    MO_TRY(mo_reserve(m->memory, &m->order, &m->order_capacity, rows, sizeof(int32_t), error));
    memset(m->slab_first, 0, (size_t)(m->slabs + 1) * sizeof *m->slab_first);
    for (int64_t row = 0; row < rows; ++row) {
        ++m->slab_first[slab_of_row(s, row) + 1];
    }
    for (int k = 0; k < m->slabs; ++k) {
        m->slab_first[k + 1] += m->slab_first[k];
    }
    for (int64_t row = 0; row < rows; ++row) {
        m->order[m->slab_first[slab_of_row(s, row)]++] = (int32_t)row;
    }
    for (int k = m->slabs; k > 0; --k) {
        m->slab_first[k] = m->slab_first[k - 1];
    }
    m->slab_first[0] = 0;
    return MOTE_OK;
}

MO_INLINE int next_point(int at, int n)
{
    return at + 1 < n ? at + 1 : 0;
}

/* Adds weights along x to a row of the mesh, around its end if necessary. */
MO_INLINE void add_row(double *row, const mo_spline *s, mo_d4 scale, int order, int64_t stride,
                       int n)
{
    if (s->first[0] + order <= n && s->first[0] + (order > 4 ? 8 : 4) <= stride) {
        double *at = row + s->first[0];
        mo_d4_store(at, mo_d4_load(at) + s->x.lo * scale);
        if (order > 4) {
            mo_d4_store(at + 4, mo_d4_load(at + 4) + s->x.hi * scale);
        }
        return;
    }
    int at = s->first[0];
    for (int k = 0; k < order; ++k) {
        row[at] += s->w[k][0] * scale[0];
        at = next_point(at, n);
    }
}

MO_INLINE void assign_row(const solving *t, int64_t row, int order)
{
    const mo_charge_mesh *m = t->mesh;
    const int *n = m->def.n;
    mo_spline s;
    s.part = mo_spline_base(&m->domain, n, t->inverse_spacing, order, t->x + 3 * row, s.first);
    mo_spline_weights(s.part, order, &s);
    s.x = mo_spline_along_x(s.w, order);
    int z = s.first[2];
    for (int c = 0; c < order; ++c) {
        double *plane = m->mesh + z * m->fft.plane, along_z = t->charge[row] * s.w[c][2];
        int y = s.first[1];
        for (int b = 0; b < order; ++b) {
            add_row(plane + y * m->fft.stride, &s, mo_d4_set(along_z * s.w[b][1]), order,
                    m->fft.stride, n[0]);
            y = next_point(y, n[1]);
        }
        z = next_point(z, n[2]);
    }
}

MO_INLINE void assign_slab(const solving *t, int slab, int order)
{
    const mo_charge_mesh *m = t->mesh;
    for (int64_t k = m->slab_first[slab]; k < m->slab_first[slab + 1]; ++k) {
        assign_row(t, m->order[k], order);
    }
}

/* One body for each order, so that its loops are unrolled. */
#define FOR_EACH_ORDER(DO, ...) \
    switch (t->mesh->def.order) { \
    case 2: \
        DO(__VA_ARGS__, 2); \
        break; \
    case 3: \
        DO(__VA_ARGS__, 3); \
        break; \
    case 4: \
        DO(__VA_ARGS__, 4); \
        break; \
    case 5: \
        DO(__VA_ARGS__, 5); \
        break; \
    case 6: \
        DO(__VA_ARGS__, 6); \
        break; \
    default: \
        DO(__VA_ARGS__, 7); \
        break; \
    }

static void assign_slabs(void *context, int64_t first, int64_t last)
{
    const solving *t = context;
    for (int64_t k = first; k < last; ++k) {
        int slab = (int)(2 * k) + t->first_slab;
        FOR_EACH_ORDER(assign_slab, t, slab)
    }
}

static void assign(solving *t, mo_pool *pool)
{
    mo_charge_mesh *m = t->mesh;
    memset(m->mesh, 0, (size_t)mo_fft_size(m->def.n) * sizeof(double));
    t->first_slab = 0;
    mo_parallel_for(pool, (m->slabs + 1) / 2, 1, assign_slabs, t);
    t->first_slab = 1;
    mo_parallel_for(pool, m->slabs / 2, 1, assign_slabs, t);
}

static double wave_number(const mo_influence_def *def, int axis, int k)
{
    return 2 * PI * (2 * k <= def->n[axis] ? k : k - def->n[axis]) / def->period[axis];
}

/* Energy and virial of the waves of a row y. */
static void measure_row(const solving *t, int y, double *partial)
{
    const mo_charge_mesh *m = t->mesh;
    const int *n = m->def.n;
    int width = n[0] / 2 + 1;
    for (int z = 0; z < n[2]; ++z) {
        const double complex *waves =
            (const double complex *)(m->mesh + z * m->fft.plane + y * m->fft.stride);
        const double *g = m->influence.g + ((int64_t)z * n[1] + y) * width;
        double ky = wave_number(&m->def, 1, y), kz = wave_number(&m->def, 2, z);
        for (int x = 0; x < width; ++x) {
            double kx = wave_number(&m->def, 0, x), twice = x > 0 && 2 * x < n[0] ? 2 : 1;
            double re = creal(waves[x]), im = cimag(waves[x]);
            double energy = 0.5 * twice * g[x] * (re * re + im * im);
            double square = kx * kx + ky * ky + kz * kz;
            partial[0] += energy;
            partial[1] += energy * (1 - square / (2 * m->def.alpha * m->def.alpha));
        }
    }
}

/* Waves of the charges to waves of the potential. */
static void multiply_row(const mo_charge_mesh *m, int y)
{
    const int *n = m->def.n;
    int width = n[0] / 2 + 1;
    for (int z = 0; z < n[2]; ++z) {
        double *waves = m->mesh + z * m->fft.plane + y * m->fft.stride;
        const double *g = m->influence.g + ((int64_t)z * n[1] + y) * width;
        for (int x = 0; x < width; ++x) {
            waves[2 * x] *= g[x];
            waves[2 * x + 1] *= g[x];
        }
    }
}

/* Waves of the charges to waves of the three fields, -i k G. */
static void differentiate_row(const mo_charge_mesh *m, int y)
{
    const int *n = m->def.n;
    int width = n[0] / 2 + 1;
    for (int z = 0; z < n[2]; ++z) {
        int64_t at = z * m->fft.plane + y * m->fft.stride;
        const double *g = m->influence.g + ((int64_t)z * n[1] + y) * width;
        for (int x = 0; x < width; ++x) {
            const int index[3] = {x, y, z};
            double re = m->mesh[at + 2 * x] * g[x], im = m->mesh[at + 2 * x + 1] * g[x];
            for (int d = 0; d < 3; ++d) {
                double k = 2 * index[d] == n[d] ? 0 : wave_number(&m->def, d, index[d]);
                m->field[d][at + 2 * x] = k * im;
                m->field[d][at + 2 * x + 1] = -k * re;
            }
        }
    }
}

/* All that happens to the waves of the rows y: transform along z, influence, and back. */
static void solve_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const solving *t = context;
    const mo_charge_mesh *m = t->mesh;
    partial[0] = partial[1] = 0;
    for (int64_t y = first; y < last; ++y) {
        mo_fft_row(&m->fft, m->mesh, (int)y, true);
        if (t->measure) {
            measure_row(t, (int)y, partial);
        }
        if (m->def.ad) {
            multiply_row(m, (int)y);
            mo_fft_row(&m->fft, m->mesh, (int)y, false);
            continue;
        }
        differentiate_row(m, (int)y);
        for (int d = 0; d < 3; ++d) {
            mo_fft_row(&m->fft, m->field[d], (int)y, false);
        }
    }
}

/* Eight points along x from a row of a mesh. */
MO_INLINE mo_d8 load_row(const double *row, int first, int order, int n)
{
    if (first + order <= n) {
        return (mo_d8){mo_d4_load(row + first),
                       order > 4 ? mo_d4_load(row + first + 4) : mo_d4_set(0)};
    }
    double points[8] = {0};
    for (int k = 0; k < order; ++k) {
        points[k] = row[first];
        first = next_point(first, n);
    }
    return mo_d8_load(points);
}

MO_INLINE mo_d8 add_scaled(mo_d8 sum, double scale, mo_d8 a, int order)
{
    mo_d4 s = mo_d4_set(scale);
    return (mo_d8){sum.lo + s * a.lo, order > 4 ? sum.hi + s * a.hi : sum.hi};
}

MO_INLINE double dot(mo_d8 a, mo_d8 b, int order)
{
    mo_d4 s = a.lo * b.lo;
    s = order > 4 ? s + a.hi * b.hi : s;
    return (s[0] + s[1]) + (s[2] + s[3]);
}

/* -grad of the potential, by the derivative of the splines; and the force of the charge on itself,
 * by its first harmonic, is removed. */
MO_INLINE void interpolate_ad(const solving *t, int64_t row, int order)
{
    const mo_charge_mesh *m = t->mesh;
    const int *n = m->def.n;
    mo_spline s;
    s.part = mo_spline_base(&m->domain, n, t->inverse_spacing, order, t->x + 3 * row, s.first);
    mo_spline_weights(s.part, order, &s);
    mo_d8 zero = mo_d8_set(0), sum = zero, sum_y = zero, sum_z = zero;
    int z = s.first[2];
    for (int c = 0; c < order; ++c) {
        const double *plane = m->mesh + z * m->fft.plane;
        int y = s.first[1];
        for (int b = 0; b < order; ++b) {
            mo_d8 points = load_row(plane + y * m->fft.stride, s.first[0], order, n[0]);
            sum = add_scaled(sum, s.w[b][1] * s.w[c][2], points, order);
            sum_y = add_scaled(sum_y, s.slope[b][1] * s.w[c][2], points, order);
            sum_z = add_scaled(sum_z, s.w[b][1] * s.slope[c][2], points, order);
            y = next_point(y, n[1]);
        }
        z = next_point(z, n[2]);
    }
    mo_d8 along_x = mo_spline_along_x(s.w, order);
    double q = t->charge[row], *f = t->force + 3 * row;
    double slope[3] = {dot(mo_spline_along_x(s.slope, order), sum, order),
                       dot(along_x, sum_y, order), dot(along_x, sum_z, order)};
    for (int k = 0; k < 3; ++k) {
        double turns = s.part[k] - 0.5 * order;
        double own = -2 * PI * 2 * m->harmonic[k] * sin(2 * PI * turns); /* d/du of 2 C cos */
        f[k] -= q * t->inverse_spacing[k] * (slope[k] - 0.5 * q * own);
    }
}

MO_INLINE void interpolate_ik(const solving *t, int64_t row, int order)
{
    const mo_charge_mesh *m = t->mesh;
    const int *n = m->def.n;
    mo_spline s;
    s.part = mo_spline_base(&m->domain, n, t->inverse_spacing, order, t->x + 3 * row, s.first);
    mo_spline_weights(s.part, order, &s);
    mo_d8 along_x = mo_spline_along_x(s.w, order);
    for (int k = 0; k < 3; ++k) {
        mo_d8 sum = mo_d8_set(0);
        int z = s.first[2];
        for (int c = 0; c < order; ++c) {
            const double *plane = m->field[k] + z * m->fft.plane;
            int y = s.first[1];
            for (int b = 0; b < order; ++b) {
                mo_d8 points = load_row(plane + y * m->fft.stride, s.first[0], order, n[0]);
                sum = add_scaled(sum, s.w[b][1] * s.w[c][2], points, order);
                y = next_point(y, n[1]);
            }
            z = next_point(z, n[2]);
        }
        t->force[3 * row + k] += t->charge[row] * dot(along_x, sum, order);
    }
}

MO_INLINE void interpolate_range(const solving *t, int64_t first, int64_t last, int order)
{
    for (int64_t row = first; row < last; ++row) {
        if (t->mesh->def.ad) {
            interpolate_ad(t, row, order);
        } else {
            interpolate_ik(t, row, order);
        }
    }
}

static void interpolate(void *context, int64_t first, int64_t last)
{
    const solving *t = context;
    FOR_EACH_ORDER(interpolate_range, t, first, last)
}

/* The energy of charges with themselves: its mean is replaced by that without a mesh, so that the
 * energy of uncorrelated charges is exact in the mean (V. Ballenegger et al. 2011, J. Chem. Phys.
 * 134, 244107); and ad: its first harmonic. */
static void remove_self(void *context, int64_t first, int64_t last, double *partial)
{
    const solving *t = context;
    const mo_charge_mesh *m = t->mesh;
    double excess = m->influence.self - m->influence.reference, net = 0, sum = 0, squares = 0;
    for (int64_t row = first; row < last; ++row) {
        double own = excess, q = t->charge[row];
        for (int k = 0; k < 3 && m->def.ad; ++k) {
            double u = (t->x[3 * row + k] - m->domain.low[k]) * t->inverse_spacing[k];
            own += 2 * m->harmonic[k] * cos(2 * PI * (u - floor(u) - 0.5 * m->def.order));
        }
        sum += 0.5 * q * q * own;
        net += q;
        squares += q * q;
    }
    partial[0] = sum;
    partial[1] = net;
    partial[2] = squares;
}

mote_status mo_charge_mesh_solve(mo_charge_mesh *m, int64_t rows, const double *x,
                                 const double *charge, double *force, mo_charge_mesh_sums *sums,
                                 mo_pool *pool, mote_error *error)
{
    solving t = {m, x, charge, force, {0}, sums != NULL, 0};
    double waves[SUMS], own[OWN_SUMS];
    for (int k = 0; k < 3; ++k) {
        t.inverse_spacing[k] = m->def.n[k] / m->def.period[k];
    }
    MO_TRY(sort_rows(&t, rows, error));
    assign(&t, pool);
    mo_fft_planes(&m->fft, m->mesh, true, pool);
    MO_TRY(mo_parallel_reduce(pool, m->def.n[1], 1, MO_SUM, SUMS, solve_rows, &t, waves, error));
    if (m->def.ad) {
        mo_fft_planes(&m->fft, m->mesh, false, pool);
    }
    for (int k = 0; k < 3 && !m->def.ad; ++k) {
        mo_fft_planes(&m->fft, m->field[k], false, pool);
    }
    mo_parallel_for(pool, rows, GRAIN, interpolate, &t);
    if (sums) {
        MO_TRY(
            mo_parallel_reduce(pool, rows, GRAIN, MO_SUM, OWN_SUMS, remove_self, &t, own, error));
        sums->energy = waves[0] - own[0];
        sums->virial = waves[1] - own[0];
        sums->net = own[1];
        sums->squares = own[2];
    }
    return MOTE_OK;
}
