#include "linear/single_cg.h"

#include <math.h>
#include <string.h>

enum { D = MO_SINGLE_CG_D, R, Z, P, Q };

void mo_single_cg_release(mo_single_cg *n)
{
    void *const blocks[] = {n->start, n->single, n->column, n->source, n->numbers};
    for (size_t k = 0; n->memory && k < sizeof blocks / sizeof *blocks; ++k) {
        mo_release(n->memory, blocks[k]);
    }
    *n = (mo_single_cg){0};
}

/* ---- layout ---- */

static mote_status grow(mo_memory *memory, int32_t **block, int64_t *capacity, int64_t need,
                        mote_error *error)
{
    void *grown = *block;
    mote_status status = mo_grow(memory, &grown, capacity, need, sizeof **block, error);
    *block = grown;
    return status;
}

static mote_status make_rows(mo_single_cg *n, int64_t rows, mote_error *error)
{
    int64_t capacity = n->row_capacity;
    MO_TRY(grow(n->memory, &n->start, &capacity, rows + 1, error));
    return grow(n->memory, &n->single, &n->row_capacity, rows + 1, error);
}

static mote_status make_blocks(mo_single_cg *n, int64_t blocks, mote_error *error)
{
    int64_t capacity = n->block_capacity;
    MO_TRY(grow(n->memory, &n->column, &capacity, blocks, error));
    return grow(n->memory, &n->source, &n->block_capacity, blocks, error);
}

/* Arrays aligned to cache lines, padded at the end. */
static int64_t padded(int64_t numbers)
{
    return (numbers + 8 + 15) / 16 * 16;
}

static mote_status make_numbers(mo_single_cg *n, int64_t blocks, mote_error *error)
{
    int64_t values = padded(9 * blocks), inverses = padded(9 * n->rows),
            vector = padded(4 * n->rows);
    void *numbers = n->numbers;
    mote_status status =
        mo_grow(n->memory, &numbers, &n->number_capacity,
                values + inverses + MO_SINGLE_CG_VECTORS * vector, sizeof(float), error);
    n->numbers = numbers;
    MO_TRY(status);
    n->value = n->numbers;
    n->inverse = n->value + values;
    for (int k = 0; k < MO_SINGLE_CG_VECTORS; ++k) {
        n->v[k] = n->inverse + inverses + k * vector;
    }
    return MOTE_OK;
}

static bool together(const mo_single_cg *n, int64_t i, int64_t j)
{
    return i / n->grain == j / n->grain;
}

/* Whether row i stores its block with row j. */
static bool kept(const mo_single_cg *n, int64_t i, int64_t j)
{
    return j >= i || !together(n, i, j);
}

static void fill_row(mo_single_cg *n, int64_t row)
{
    const mo_block_matrix *m = n->matrix;
    int32_t at = n->start[row];
    for (int turn = 0; turn < 2; ++turn) {
        if (turn == 1) {
            n->single[row] = at;
            n->column[at] = (int32_t)row;
            n->source[at++] = (int32_t)m->diagonal[row];
        }
        for (int64_t slot = m->start[row]; slot < m->start[row + 1]; ++slot) {
            int32_t j = m->column[slot];
            if (j != row && kept(n, row, j) && together(n, row, j) == (turn == 0)) {
                n->column[at] = j;
                n->source[at++] = (int32_t)slot;
            }
        }
    }
}

static mote_status lay_out(mo_single_cg *n, uint64_t pattern, mote_error *error)
{
    const mo_block_matrix *m = n->matrix;
    int64_t blocks = 0;
    n->laid_out = false;
    n->rows = m->rows;
    n->grain = n->rows / 4 < 512 ? 512 : n->rows / 4 > 8192 ? 8192 : n->rows / 4;
    MO_TRY(make_rows(n, n->rows, error));
    for (int64_t row = 0; row < n->rows; ++row) {
        n->start[row] = (int32_t)blocks;
        for (int64_t slot = m->start[row]; slot < m->start[row + 1]; ++slot) {
            blocks += kept(n, row, m->column[slot]);
        }
    }
    n->start[n->rows] = (int32_t)blocks;
    MO_TRY(make_blocks(n, blocks, error));
    MO_TRY(make_numbers(n, blocks, error));
    for (int64_t row = 0; row < n->rows; ++row) {
        fill_row(n, row);
    }
    n->pattern = pattern;
    n->laid_out = true;
    return MOTE_OK;
}

/* ---- the copy ---- */

/* partial: the largest diagonal entry */
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

/* The power of two that scales a number to about 1; 1 if there is none. */
static double scale_for(double largest)
{
    int exponent = 0;
    if (largest > 0 && isfinite(largest)) {
        frexp(largest, &exponent);
    }
    return ldexp(1, -exponent);
}

typedef struct copying {
    mo_single_cg *narrow;
    const double *inverse;
} copying;

static void copy_range(void *context, int64_t first, int64_t last)
{
    const copying *c = context;
    const mo_single_cg *n = c->narrow;
    double scale = n->scale, back = 1 / scale;
    for (int64_t k = n->start[first]; k < n->start[last]; ++k) {
        const double *from = n->matrix->value + 9 * (int64_t)n->source[k];
        float *to = n->value + 9 * k;
        for (int r = 0; r < 3; ++r) {
            to[3 * r] = (float)(scale * from[r]);
            to[3 * r + 1] = (float)(scale * from[3 + r]);
            to[3 * r + 2] = (float)(scale * from[6 + r]);
        }
    }
    for (int64_t k = 9 * first; k < 9 * last; ++k) {
        n->inverse[k] = (float)(back * c->inverse[k]);
    }
}

mote_status mo_single_cg_copy(mo_memory *memory, mo_pool *pool, const mo_block_matrix *matrix,
                              uint64_t pattern, const double *inverse, mo_single_cg *narrow,
                              mote_error *error)
{
    double largest;
    narrow->memory = memory;
    narrow->pool = pool;
    narrow->matrix = matrix;
    if (!narrow->laid_out || narrow->pattern != pattern || narrow->rows != matrix->rows) {
        MO_TRY(lay_out(narrow, pattern, error));
    }
    MO_TRY(mo_parallel_reduce(pool, matrix->rows, MO_MATRIX_GRAIN, MO_MAX, 1, largest_range,
                              (void *)matrix, &largest, error));
    narrow->scale = scale_for(largest);
    copying c = {narrow, inverse};
    mo_parallel_for(pool, matrix->rows, MO_MATRIX_GRAIN, copy_range, &c);
    return MOTE_OK;
}

/* ---- an iteration ---- */

typedef struct pass {
    const mo_single_cg *narrow;
    const double *residual; /* in double precision, and its scale */
    double scale, back;     /* back: from d to x */
    double *x;
    float alpha, beta;
} pass;

/* Clears the fourth lane. */
MO_INLINE mo_f4 three_of(mo_f4 a)
{
    return (mo_f4)((mo_i4)a & (mo_i4){-1, -1, -1, 0});
}

/* The sums over the lanes of each, and 0. */
MO_INLINE mo_f4 sums_of(mo_f4 a, mo_f4 b, mo_f4 c)
{
    mo_f4 zero = {0, 0, 0, 0};
    mo_f4 ab =
        __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
    mo_f4 cz =
        __builtin_shufflevector(c, zero, 0, 4, 1, 5) + __builtin_shufflevector(c, zero, 2, 6, 3, 7);
    return __builtin_shufflevector(ab, cz, 0, 1, 4, 5) +
           __builtin_shufflevector(ab, cz, 2, 3, 6, 7);
}

/* q = A p of a block of rows. Contributions of earlier rows in the block are already in q. The
 * fourth lanes of loads belong to the next row; those of p are 0, and those of q are set to 0. */
static void multiply_rows(const mo_single_cg *n, const float *p, float *q, int64_t first,
                          int64_t last)
{
    memset(q + 4 * first, 0, (size_t)(last - first) * 4 * sizeof *q);
    for (int64_t row = first; row < last; ++row) {
        mo_f4 own = mo_f4_load(p + 4 * row), a = {0, 0, 0, 0}, b = a, c = a;
        mo_f4 x = {own[0], own[0], own[0], own[0]}, y = {own[1], own[1], own[1], own[1]};
        mo_f4 z = {own[2], own[2], own[2], own[2]};
        int32_t k = n->start[row], both = n->single[row], to = n->start[row + 1];
        const float *value = n->value + 9 * (int64_t)k;
        for (; k < both; ++k, value += 9) {
            int64_t at = 4 * (int64_t)n->column[k];
            mo_f4 r = mo_f4_load(value), s = mo_f4_load(value + 3), t = mo_f4_load(value + 6),
                  other = mo_f4_load(p + at);
            a += r * other;
            b += s * other;
            c += t * other;
            mo_f4_store(q + at, mo_f4_load(q + at) + ((r * x + s * y) + t * z));
        }
        for (; k < to; ++k, value += 9) {
            mo_f4 other = mo_f4_load(p + 4 * (int64_t)n->column[k]);
            a += mo_f4_load(value) * other;
            b += mo_f4_load(value + 3) * other;
            c += mo_f4_load(value + 6) * other;
        }
        mo_f4_store(q + 4 * row, three_of(mo_f4_load(q + 4 * row)) + sums_of(a, b, c));
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
static void precondition(const mo_single_cg *n, int64_t first, int64_t last, double *partial)
{
    const float *r = n->v[R];
    float *z = n->v[Z];
    for (int64_t row = first; row < last; ++row) {
        const float *block = n->inverse + 9 * row, *u = r + 4 * row;
        mo_f4_store(z + 4 * row,
                    three_of((mo_f4_load(block) * u[0] + mo_f4_load(block + 3) * u[1]) +
                             mo_f4_load(block + 6) * u[2]));
    }
    partial[0] = dot(r, z, 4 * first, 4 * last);
    partial[1] = dot(r, r, 4 * first, 4 * last);
}

static void start_range(void *context, int64_t first, int64_t last, double *partial)
{
    const pass *c = context;
    float *r = c->narrow->v[R];
    for (int64_t row = first; row < last; ++row) {
        for (int k = 0; k < 3; ++k) {
            r[4 * row + k] = (float)(c->scale * c->residual[3 * row + k]);
        }
        r[4 * row + 3] = 0;
    }
    memset(c->narrow->v[D] + 4 * first, 0, (size_t)(last - first) * 4 * sizeof(float));
    precondition(c->narrow, first, last, partial);
}

/* The first direction is z; p is uninitialised then. */
static void direct_range(void *context, int64_t first, int64_t last)
{
    const pass *c = context;
    float *restrict p = c->narrow->v[P], beta = c->beta;
    const float *restrict z = c->narrow->v[Z];
    if (beta == 0) {
        memcpy(p + 4 * first, z + 4 * first, (size_t)(last - first) * 4 * sizeof *p);
        return;
    }
    for (int64_t k = 4 * first; k < 4 * last; ++k) {
        p[k] = z[k] + beta * p[k];
    }
}

static void product_range(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_single_cg *n = ((const pass *)context)->narrow;
    multiply_rows(n, n->v[P], n->v[Q], first, last);
    *partial = dot(n->v[P], n->v[Q], 4 * first, 4 * last);
}

static void update_range(void *context, int64_t first, int64_t last, double *partial)
{
    const pass *c = context;
    float *restrict d = c->narrow->v[D], *restrict r = c->narrow->v[R], alpha = c->alpha;
    const float *restrict p = c->narrow->v[P], *restrict q = c->narrow->v[Q];
    for (int64_t k = 4 * first; k < 4 * last; ++k) {
        d[k] += alpha * p[k];
        r[k] -= alpha * q[k];
    }
    precondition(c->narrow, first, last, partial);
}

static void add_range(void *context, int64_t first, int64_t last)
{
    const pass *c = context;
    const float *restrict d = c->narrow->v[D];
    for (int64_t row = first; row < last; ++row) {
        for (int k = 0; k < 3; ++k) {
            c->x[3 * row + k] += c->back * (double)d[4 * row + k];
        }
    }
}

/* By the blocks of the layout. */
static mote_status reduce(pass *c, int width, mo_partial_fn *function, double *sums,
                          mote_error *error)
{
    return mo_parallel_reduce(c->narrow->pool, c->narrow->rows, c->narrow->grain, MO_SUM, width,
                              function, c, sums, error);
}

mote_status mo_single_cg_round(mo_single_cg *narrow, const double *r, double length, double part,
                               int64_t most, int64_t *iterations, double *x, mote_error *error)
{
    double scale = scale_for(length), sums[2], pq;
    pass c = {
        .narrow = narrow, .residual = r, .scale = scale, .back = narrow->scale / scale, .x = x};
    MO_TRY(reduce(&c, 2, start_range, sums, error));
    double enough = part * part * (scale * length) * (scale * length);
    for (int64_t k = 0; k < most && sums[1] > enough; ++k) {
        double before = sums[0];
        mo_parallel_for(narrow->pool, narrow->rows, narrow->grain, direct_range, &c);
        MO_TRY(reduce(&c, 1, product_range, &pq, error));
        if (!(pq > 0 && before > 0)) {
            break;
        }
        c.alpha = (float)(before / pq);
        MO_TRY(reduce(&c, 2, update_range, sums, error));
        c.beta = (float)(sums[0] / before);
        ++*iterations;
    }
    mo_parallel_for(narrow->pool, narrow->rows, narrow->grain, add_range, &c);
    return MOTE_OK;
}
