#include "linear/narrow.h"

#include <math.h>
#include <string.h>

enum { D = MO_NARROW_D, R, Z, P, Q };

void mo_narrow_release(mo_memory *memory, mo_narrow *narrow)
{
    mo_release(memory, narrow->block);
    *narrow = (mo_narrow){0};
}

/* ---- the copy ---- */

/* partial: the largest number of the diagonal */
static void largest_range(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_block_matrix *m = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        for (int k = 0; k < 9; k += 4) {
            *partial = fmax(*partial, fabs(m->value[9 * m->diagonal[row] + k]));
        }
    }
}

/* The power of two that brings a number to about 1; 1 if there is none. */
static double scale_for(double largest)
{
    int exponent = 0;
    if (largest > 0 && isfinite(largest)) {
        frexp(largest, &exponent);
    }
    return ldexp(1, -exponent);
}

typedef struct copying {
    mo_narrow *narrow;
    const double *inverse;
} copying;

static void copy_range(void *context, int64_t first, int64_t last)
{
    const copying *c = context;
    const mo_block_matrix *m = c->narrow->matrix;
    double scale = c->narrow->scale, back = 1 / scale;
    float *restrict value = c->narrow->value, *restrict inverse = c->narrow->inverse;
    const double *restrict from = m->value, *restrict from_inverse = c->inverse;
    for (int64_t k = 9 * m->start[first]; k < 9 * m->start[last]; ++k) {
        value[k] = (float)(scale * from[k]);
    }
    for (int64_t k = 9 * first; k < 9 * last; ++k) {
        inverse[k] = (float)(back * from_inverse[k]);
    }
}

/* Rooms that start at cache lines, with a few numbers behind. */
static int64_t room_for(int64_t numbers)
{
    return (numbers + 8 + 15) / 16 * 16;
}

mote_status mo_narrow_copy(mo_memory *memory, mo_pool *pool, const mo_block_matrix *matrix,
                           const double *inverse, mo_narrow *narrow, mote_error *error)
{
    int64_t values = room_for(9 * matrix->blocks), inverses = room_for(9 * matrix->rows);
    int64_t vector = room_for(3 * matrix->rows);
    void *block = narrow->block;
    double largest;
    mote_status status = mo_grow(memory, &block, &narrow->room,
                                 values + inverses + MO_NARROW_VECTORS * vector, sizeof(float), error);
    narrow->block = block;
    MO_TRY(status);
    MO_TRY(mo_parallel_reduce(pool, matrix->rows, MO_MATRIX_GRAIN, MO_MAX, 1, largest_range, (void *)matrix,
                              &largest, error));
    narrow->pool = pool;
    narrow->matrix = matrix;
    narrow->scale = scale_for(largest);
    narrow->value = narrow->block;
    narrow->inverse = narrow->value + values;
    for (int k = 0; k < MO_NARROW_VECTORS; ++k) {
        narrow->v[k] = narrow->inverse + inverses + k * vector;
    }
    copying c = {narrow, inverse};
    mo_parallel_for(pool, matrix->rows, MO_MATRIX_GRAIN, copy_range, &c);
    return MOTE_OK;
}

/* ---- an iteration ---- */

typedef struct pass {
    const mo_narrow *narrow;
    const double *residual; /* in double precision, and its scale */
    double scale, back;     /* back: from d to x */
    double *x;
    float alpha, beta;
} pass;

/* (p0 p0 p0 p1 p1 p1 p2 p2) */
MO_INLINE mo_f8 spread(const float *p)
{
#if defined(__AVX2__)
    const __m256i which = _mm256_setr_epi32(0, 0, 0, 1, 1, 1, 2, 2);
    return _mm256_permutevar8x32_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), which);
#else
    return (mo_f8){p[0], p[0], p[0], p[1], p[1], p[1], p[2], p[2]};
#endif
}

/* y = the sum of the columns' parts; the ninth is alone. */
MO_INLINE void store_row(float *y, mo_f8 a, float ninth)
{
    float s[8];
    mo_f8_store(s, a);
    y[0] = (s[0] + s[3]) + s[6];
    y[1] = (s[1] + s[4]) + s[7];
    y[2] = (s[2] + s[5]) + ninth;
}

/* q = A p; two sums, since an addition waits for the one before it. */
static void multiply_rows(const mo_narrow *n, const float *p, float *q, int64_t first, int64_t last)
{
    const mo_block_matrix *m = n->matrix;
    for (int64_t row = first; row < last; ++row) {
        mo_f8 a = mo_f8_set(0), b = a;
        float c = 0, d = 0;
        int64_t slot = m->start[row], to = m->start[row + 1];
        const float *block = n->value + 9 * slot;
        for (; slot + 2 <= to; slot += 2, block += 18) {
            const float *u = p + 3 * (int64_t)m->column[slot], *v = p + 3 * (int64_t)m->column[slot + 1];
            a += mo_f8_load(block) * spread(u);
            b += mo_f8_load(block + 9) * spread(v);
            c += block[8] * u[2];
            d += block[17] * v[2];
        }
        if (slot < to) {
            const float *u = p + 3 * (int64_t)m->column[slot];
            a += mo_f8_load(block) * spread(u);
            c += block[8] * u[2];
        }
        store_row(q + 3 * row, a + b, c + d);
    }
}

static double dot(const float *a, const float *b, int64_t first, int64_t last)
{
    mo_f8 sum = mo_f8_set(0), more = sum;
    int64_t k = first;
    for (; k + 16 <= last; k += 16) {
        sum += mo_f8_load(a + k) * mo_f8_load(b + k);
        more += mo_f8_load(a + k + 8) * mo_f8_load(b + k + 8);
    }
    float rest = 0;
    for (; k < last; ++k) {
        rest += a[k] * b[k];
    }
    return (double)(mo_f8_sum(sum + more) + rest);
}

/* z = D^-1 r; partial: r.z, r.r */
static void precondition(const mo_narrow *n, int64_t first, int64_t last, double *partial)
{
    const float *r = n->v[R];
    float *z = n->v[Z];
    for (int64_t row = first; row < last; ++row) {
        const float *block = n->inverse + 9 * row, *u = r + 3 * row;
        store_row(z + 3 * row, mo_f8_load(block) * spread(u), block[8] * u[2]);
    }
    partial[0] = dot(r, z, 3 * first, 3 * last);
    partial[1] = dot(r, r, 3 * first, 3 * last);
}

static void start_range(void *context, int64_t first, int64_t last, double *partial)
{
    const pass *c = context;
    float *r = c->narrow->v[R];
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        r[k] = (float)(c->scale * c->residual[k]);
    }
    memset(c->narrow->v[D] + 3 * first, 0, (size_t)(last - first) * 3 * sizeof(float));
    precondition(c->narrow, first, last, partial);
}

/* The first direction is z; what is in p then is of no use, and may be anything. */
static void direct_range(void *context, int64_t first, int64_t last)
{
    const pass *c = context;
    float *restrict p = c->narrow->v[P], beta = c->beta;
    const float *restrict z = c->narrow->v[Z];
    if (beta == 0) {
        memcpy(p + 3 * first, z + 3 * first, (size_t)(last - first) * 3 * sizeof *p);
        return;
    }
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        p[k] = z[k] + beta * p[k];
    }
}

static void product_range(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_narrow *n = ((const pass *)context)->narrow;
    multiply_rows(n, n->v[P], n->v[Q], first, last);
    *partial = dot(n->v[P], n->v[Q], 3 * first, 3 * last);
}

static void update_range(void *context, int64_t first, int64_t last, double *partial)
{
    const pass *c = context;
    float *restrict d = c->narrow->v[D], *restrict r = c->narrow->v[R], alpha = c->alpha;
    const float *restrict p = c->narrow->v[P], *restrict q = c->narrow->v[Q];
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        d[k] += alpha * p[k];
        r[k] -= alpha * q[k];
    }
    precondition(c->narrow, first, last, partial);
}

static void add_range(void *context, int64_t first, int64_t last)
{
    const pass *c = context;
    const float *restrict d = c->narrow->v[D];
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        c->x[k] += c->back * (double)d[k];
    }
}

static mote_status reduce(pass *c, int width, mo_partial_fn *function, double *sums, mote_error *error)
{
    return mo_parallel_reduce(c->narrow->pool, c->narrow->matrix->rows, MO_MATRIX_GRAIN, MO_SUM, width,
                              function, c, sums, error);
}

mote_status mo_narrow_round(mo_narrow *narrow, const double *r, double length, double part, int64_t most,
                            int64_t *iterations, double *x, mote_error *error)
{
    double scale = scale_for(length), sums[2], pq;
    pass c = {.narrow = narrow, .residual = r, .scale = scale, .back = narrow->scale / scale, .x = x};
    int64_t rows = narrow->matrix->rows;
    MO_TRY(reduce(&c, 2, start_range, sums, error));
    double enough = part * part * (scale * length) * (scale * length);
    for (int64_t k = 0; k < most && sums[1] > enough; ++k) {
        double before = sums[0];
        mo_parallel_for(narrow->pool, rows, MO_MATRIX_GRAIN, direct_range, &c);
        MO_TRY(reduce(&c, 1, product_range, &pq, error));
        if (!(pq > 0 && before > 0)) {
            break;
        }
        c.alpha = (float)(before / pq);
        MO_TRY(reduce(&c, 2, update_range, sums, error));
        c.beta = (float)(sums[0] / before);
        ++*iterations;
    }
    mo_parallel_for(narrow->pool, rows, MO_MATRIX_GRAIN, add_range, &c);
    return MOTE_OK;
}
