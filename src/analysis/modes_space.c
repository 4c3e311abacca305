#include "analysis/modes_space.h"

#include "base/hash.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 8, BLOCKS_MAX = 2000 };

/* Relative residual of the wanted vectors; the error of an eigenvalue is its square, here 1e-9.
 * And of the next vector, which is only compared with them. */
static const double TIGHT = 3e-5, LOOSE = 0.03;

static double *basis(const mo_modes_space *k, int index)
{
    return k->v + index * k->stride;
}

static double *image(const mo_modes_space *k, int index)
{
    return k->w + index * k->stride;
}

void mo_modes_space_weigh(mo_modes_space *k, const double *from, double *to)
{
    const double *mass = mo_f64(k->system->columns.mass);
    if (k->coupled) {
        mo_jacobian_multiply(&k->jacobian, &k->args, &(mo_jacobian_ask){.along_a = -1}, from, to);
        for (int64_t j = 0; j < k->numbers; ++j) {
            to[j] += mass[j / 3] * from[j];
        }
        return;
    }
    for (int64_t j = 0; j < k->numbers; ++j) {
        to[j] = mass[j / 3] * from[j];
    }
}

void mo_modes_space_confine(const mo_modes_space *k, double *v)
{
    const double *free = mo_f64(k->system->columns.inverse_mass);
    for (int64_t row = 0; row < k->numbers / 3; ++row) {
        if (free[row] == 0) {
            memset(v + 3 * row, 0, 3 * sizeof *v);
        } else if (k->jacobian.active) {
            mo_active_project(k->jacobian.active, row, v + 3 * row);
        }
    }
}

void mo_modes_space_fill(mo_modes_space *k, double *v)
{
    uint64_t turn = (uint64_t)k->fills++;
    for (int64_t j = 0; j < k->numbers; ++j) {
        v[j] = (double)(mo_hash_word(turn, (uint64_t)j) >> 11) * 0x1p-52 - 1;
    }
    mo_modes_space_confine(k, v);
}

/* ---- the basis ---- */

/* Makes vector `index` orthogonal to those before it and of length 1; false if it is linearly
 * dependent. */
static bool orthonormalise(mo_modes_space *k, int index)
{
    double *x = basis(k, index);
    for (int turn = 0; turn < 3; ++turn) { /* the third pass measures the remainder */
        mo_modes_space_weigh(k, x, k->scratch);
        double length = sqrt(fmax(mo_dot_range(x, k->scratch, 0, k->numbers), 0));
        if (!(length > (turn == 0 ? 0 : 1e-10))) { /* relative to the length 1 before */
            return false;
        }
        for (int64_t j = 0; j < k->numbers; ++j) {
            x[j] /= length;
            k->scratch[j] /= length;
        }
        for (int other = 0; turn < 2 && other < index; ++other) {
            const double *v = basis(k, other);
            double part = mo_dot_range(v, k->scratch, 0, k->numbers);
            for (int64_t j = 0; j < k->numbers; ++j) {
                x[j] -= part * v[j];
            }
        }
    }
    return true;
}

/* Appends a vector, or a random one if it is NULL or linearly dependent; false if the space is
 * complete. */
static bool append(mo_modes_space *k, const double *from)
{
    enum { TRIES = 3 };
    bool there = false;
    if (k->size == k->freedoms) {
        return false;
    }
    for (int turn = from ? 0 : 1; !there && turn <= TRIES; ++turn) {
        if (turn == 0) {
            memcpy(basis(k, k->size), from, (size_t)k->numbers * sizeof(double));
        } else {
            mo_modes_space_fill(k, basis(k, k->size));
        }
        there = orthonormalise(k, k->size);
    }
    k->size += there;
    return there;
}

/* Appends the images of the vectors [from, to), or random vectors, as a block. */
static void append_block(mo_modes_space *k, int from, int to)
{
    bool there = true;
    k->first = k->size;
    for (int j = 0; j < BLOCK && there; ++j) {
        there = append(k, from + j < to ? image(k, from + j) : NULL);
    }
}

/* w = A^-1 M v of the last block */
static mote_status solve(mo_modes_space *k, mote_error *error)
{
    mo_linear_result result;
    int count = k->size - k->first;
    if (count == 0) {
        return MOTE_OK;
    }
    for (int j = 0; j < count; ++j) {
        double *right = k->scratch + j * k->stride;
        mo_modes_space_weigh(k, basis(k, k->first + j), right);
        mo_modes_space_confine(k, right);
    }
    memset(image(k, k->first), 0, (size_t)(count * k->stride) * sizeof(double));
    mo_linear_system system = {.memory = k->memory,
                               .pool = k->system->host->pool,
                               .matrix = &k->jacobian.matrix,
                               .pattern = k->jacobian.number,
                               .b = k->scratch,
                               .x = image(k, k->first),
                               .count = count,
                               .stride = k->stride,
                               .from_zero = true};
    k->blocks++;
    return mo_linear_solve(&k->solver, &system, &result, error);
}

/* A random block, multiplied by the inverse once, so that stiff components are small: otherwise
 * the null space would dominate every vector, and its rounding the images of the others. */
static mote_status append_random(mo_modes_space *k, mote_error *error)
{
    append_block(k, 0, 0);
    MO_TRY(solve(k, error));
    int from = k->first, to = k->size;
    k->size = from;
    append_block(k, from, to);
    return MOTE_OK;
}

/* ---- eigenvectors ---- */

/* One rotation of Jacobi's method that makes t[p][q] zero (J. H. Wilkinson, C. Reinsch 1971,
 * II/1). */
static void rotate(mo_modes_space *k, int p, int q)
{
    int n = k->size, m = k->capacity;
    double off = k->t[p * m + q];
    if (off == 0) {
        return;
    }
    double theta = (k->t[q * m + q] - k->t[p * m + p]) / (2 * off);
    double tan = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(tan * tan + 1), s = tan * c;
    for (int j = 0; j < n; ++j) {
        double a = k->t[j * m + p], b = k->t[j * m + q];
        k->t[j * m + p] = c * a - s * b;
        k->t[j * m + q] = s * a + c * b;
    }
    for (int j = 0; j < n; ++j) {
        double a = k->t[p * m + j], b = k->t[q * m + j];
        k->t[p * m + j] = c * a - s * b;
        k->t[q * m + j] = s * a + c * b;
        double u = k->s[j * m + p], v = k->s[j * m + q];
        k->s[j * m + p] = c * u - s * v;
        k->s[j * m + q] = s * u + c * v;
    }
}

/* Whether the off-diagonal part is below rounding, relative to the two eigenvalues concerned, so
 * that small eigenvalues are as accurate as large ones. */
static bool is_diagonal(const mo_modes_space *k)
{
    for (int i = 0; i < k->size; ++i) {
        for (int j = 0; j < i; ++j) {
            double off = k->t[i * k->capacity + j], a = k->t[i * k->capacity + i],
                   b = k->t[j * k->capacity + j];
            if (off * off > 1e-28 * fabs(a * b)) {
                return false;
            }
        }
    }
    return true;
}

/* p = V^T M W of the new vectors */
static void project(mo_modes_space *k)
{
    int m = k->capacity;
    for (int j = k->projected; j < k->size; ++j) {
        mo_modes_space_weigh(k, image(k, j), k->scratch);
        for (int i = 0; i <= j; ++i) {
            k->p[i * m + j] = k->p[j * m + i] =
                mo_dot_range(basis(k, i), k->scratch, 0, k->numbers);
        }
    }
    k->projected = k->size;
    for (int i = 0; i < k->size; ++i) {
        memcpy(k->t + i * m, k->p + i * m, (size_t)k->size * sizeof(double));
        memset(k->s + i * m, 0, (size_t)k->size * sizeof(double));
        k->s[i * m + i] = 1;
    }
}

/* Largest first. */
static void sort_rates(mo_modes_space *k)
{
    int n = k->size, m = k->capacity;
    for (int j = 0; j < n; ++j) {
        k->rate[j] = k->t[j * m + j];
    }
    for (int j = 0; j < n; ++j) {
        int best = j;
        for (int i = j + 1; i < n; ++i) {
            best = k->rate[i] > k->rate[best] ? i : best;
        }
        double rate = k->rate[best];
        k->rate[best] = k->rate[j];
        k->rate[j] = rate;
        for (int i = 0; i < n; ++i) {
            double swap = k->s[i * m + best];
            k->s[i * m + best] = k->s[i * m + j];
            k->s[i * m + j] = swap;
        }
    }
}

static void find_rates(mo_modes_space *k)
{
    project(k);
    for (int sweep = 0; sweep < 60 && !is_diagonal(k); ++sweep) {
        for (int p = 0; p < k->size; ++p) {
            for (int q = p + 1; q < k->size; ++q) {
                rotate(k, p, q);
            }
        }
    }
    sort_rates(k);
}

/* W s - rate V s| in the mass norm, relative to the rate. It is orthogonal to the basis up to
 * the rounding of the solves, which is large along the null space; that part is subtracted. */
static double residual_of(mo_modes_space *k, int index)
{
    double *weighed = k->scratch + k->stride;
    memset(k->scratch, 0, (size_t)k->stride * sizeof(double));
    for (int i = 0; i < k->size; ++i) {
        double s = k->s[i * k->capacity + index];
        const double *v = basis(k, i), *w = image(k, i);
        for (int64_t j = 0; j < k->numbers; ++j) {
            k->scratch[j] += s * (w[j] - k->rate[index] * v[j]);
        }
    }
    mo_modes_space_weigh(k, k->scratch, weighed);
    for (int i = 0; i < k->size; ++i) {
        const double *v = basis(k, i);
        double part = mo_dot_range(v, weighed, 0, k->numbers);
        for (int64_t j = 0; j < k->numbers; ++j) {
            k->scratch[j] -= part * v[j];
        }
    }
    mo_modes_space_weigh(k, k->scratch, weighed);
    return sqrt(fmax(mo_dot_range(k->scratch, weighed, 0, k->numbers), 0)) / fabs(k->rate[index]);
}

/* The last ones converge last and are tested first. */
static bool all_found(mo_modes_space *k, bool beside)
{
    if (k->size == k->freedoms) {
        return true;
    }
    if (beside && !(k->size > k->wanted && residual_of(k, k->wanted) < LOOSE)) {
        return false;
    }
    for (int j = k->wanted - 1; j >= 0; --j) {
        if (!(k->size >= k->wanted && residual_of(k, j) < TIGHT)) {
            return false;
        }
    }
    return true;
}

/* ---- restarts ---- */

/* vectors := vectors s, the first `kept` of `size` */
static void combine(const mo_modes_space *k, double *vectors, int size, int kept)
{
    double *sum = k->t; /* which is free here */
    for (int64_t n = 0; n < k->numbers; ++n) {
        memset(sum, 0, (size_t)kept * sizeof *sum);
        for (int i = 0; i < size; ++i) {
            const double *s = k->s + i * k->capacity;
            for (int j = 0; j < kept; ++j) {
                sum[j] += vectors[i * k->stride + n] * s[j];
            }
        }
        for (int j = 0; j < kept; ++j) {
            vectors[j * k->stride + n] = sum[j];
        }
    }
}

/* Restarts with the best `kept` of the vectors before the last block. They are multiplied by the
 * inverse once more, since the projection has the rounding error of the largest rates. The last
 * block, if it is kept, has been copied behind the basis. */
static mote_status compress(mo_modes_space *k, int kept, mote_error *error)
{
    combine(k, k->w, k->size, kept);
    k->size = k->projected = 0;
    for (int j = 0; j < kept; ++j) {
        append(k, image(k, j));
    }
    for (int first = 0; first < kept; first += BLOCK) {
        k->first = first;
        k->size = kept - first < BLOCK ? kept : first + BLOCK;
        MO_TRY(solve(k, error));
    }
    return MOTE_OK;
}

/* Thick restart that continues from the last block. */
static mote_status reserve(mo_modes_space *k, mote_error *error)
{
    int block = k->size - k->first;
    double *last = k->v + k->capacity * k->stride;
    memcpy(last, basis(k, k->first), (size_t)(block * k->stride) * sizeof(double));
    k->size = k->first; /* the block has no images yet */
    find_rates(k);
    MO_TRY(compress(k, k->wanted + (k->most - k->wanted) / 3, error));
    k->first = k->size;
    for (int j = 0; j < block; ++j) {
        append(k, last + j * k->stride);
    }
    return MOTE_OK;
}

/* Extends the subspace until all wanted vectors have converged. */
static mote_status grow(mo_modes_space *k, bool beside, mote_error *error)
{
    for (int turn = 1; k->blocks < BLOCKS_MAX; ++turn) {
        MO_TRY(mo_world_check_cancelled(k->world, error));
        MO_TRY(solve(k, error));
        if (turn % 2 == 0 || k->size == k->freedoms) {
            find_rates(k);
            if (all_found(k, beside)) {
                return MOTE_OK;
            }
        }
        append_block(k, k->first, k->size);
        if (k->size > k->most && k->size < k->freedoms) {
            MO_TRY(reserve(k, error));
        }
    }
    return mo_fail(
        error, MOTE_ERROR_NUMERIC,
        "modes: Lanczos did not converge to the lowest %d frequencies within %d solves; request "
        "fewer",
        k->wanted, k->blocks * BLOCK);
}

/* Whether the restart found no further eigenvectors: the rates, or else the vectors, are
 * unchanged up to rounding. */
static bool is_settled(const mo_modes_space *k)
{
    bool same = true;
    double old = 0;
    for (int j = 0; j < k->wanted; ++j) {
        same = same && fabs(k->rate[j] - k->before[j]) <= 1e-6 * fabs(k->rate[j]);
        for (int i = 0; i < k->wanted; ++i) { /* the vectors of the restart are the first */
            old += k->s[i * k->capacity + j] * k->s[i * k->capacity + j];
        }
    }
    return same || old > k->wanted - 0.5;
}

mote_status mo_modes_space_find(mo_modes_space *k, mote_error *error)
{
    bool settled = false;
    MO_TRY(append_random(k, error));
    MO_TRY(grow(k, false, error));
    while (k->size < k->freedoms && !settled) {
        memcpy(k->before, k->rate, (size_t)k->wanted * sizeof(double));
        MO_TRY(compress(k, k->wanted, error));
        MO_TRY(append_random(k, error));
        MO_TRY(grow(k, true, error));
        settled = is_settled(k);
    }
    if (!settled) { /* all there are: the images may have the rounding of the null space */
        MO_TRY(compress(k, k->size, error));
        find_rates(k);
    }
    return MOTE_OK;
}

void mo_modes_space_vector(const mo_modes_space *k, int n, double *u)
{
    memset(u, 0, (size_t)k->numbers * sizeof *u);
    for (int i = 0; i < k->size; ++i) {
        double s = k->s[i * k->capacity + n];
        for (int64_t j = 0; j < k->numbers; ++j) {
            u[j] += s * basis(k, i)[j];
        }
    }
}

/* ---- memory ---- */

mote_status mo_modes_space_open(mo_modes_space *k, mote_error *error)
{
    int64_t preferred = 8 * k->wanted + 60;
    k->most = (int)(k->freedoms < preferred ? k->freedoms : preferred);
    k->capacity = k->most + BLOCK;
    k->stride = (k->numbers + 8) / 8 * 8;
    MO_TRY(mo_work_vectors(k->memory, &k->work[0], 1, (k->capacity + BLOCK) * k->stride, &k->v,
                           error));
    MO_TRY(mo_work_vectors(k->memory, &k->work[1], 1, (k->capacity + BLOCK) * k->stride, &k->w,
                           error));
    k->scratch = k->w + k->capacity * k->stride;
    MO_TRY(mo_work_vectors(k->memory, &k->work[2], 1,
                           3 * k->capacity * k->capacity + 2 * k->capacity, &k->p, error));
    k->t = k->p + k->capacity * k->capacity;
    k->s = k->t + k->capacity * k->capacity;
    k->rate = k->s + k->capacity * k->capacity;
    k->before = k->rate + k->capacity;
    return MOTE_OK;
}

void mo_modes_space_close(mo_modes_space *k)
{
    for (int j = 0; j < 3; ++j) {
        mo_release(k->memory, k->work[j].block);
    }
}
