/*
 * Natural frequencies: the lowest of -K u = omega^2 M u, by a block Krylov space of the inverse (K. J. Bathe, E. L. Wilson 1972, Int. J.
 * Numer. Meth. Eng. 6, on solving with the shifted matrix; Y. Saad, "Numerical Methods for Large Eigenvalue Problems",
 * 2011, section 6.6 on blocks). With A = -K + sigma M, sigma a little above 0 so that free bodies have an inverse too, the space
 * is spanned by a block X of vectors and A^-1 M X, (A^-1 M)^2 X, ...; all vectors are kept orthonormal in the mass (twice
 * Gram-Schmidt), and the projection of A^-1 M to them is a small symmetric matrix whose largest eigenvalues are
 * 1/(omega^2 + sigma). A block finds frequencies that are there up to BLOCK times (the rigid motions of a free body are there
 * six times), which a single vector does not.
 */
#include "base/hash.h"
#include "world/forces_state.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 6, BASIS_MAX = 4 * MOTE_MODES_MAX };

static const double TOLERANCE = 1e-9;

typedef struct krylov {
    mo_system *system;
    mo_jacobian jacobian;
    mo_linear_solver solver;
    mo_memory *memory;
    int64_t numbers, stride;
    int wanted, most, size; /* vectors wanted, room for, there */
    double sigma;
    mo_force_args args;   /* of the state */
    bool coupled;         /* masses are (integrate/force.h) */
    double *v, *w;        /* the basis, and A^-1 M of each of its vectors */
    double *scratch;      /* a block of vectors */
    double *t, *s, *rate; /* the projection, its eigenvectors (columns), its eigenvalues */
} krylov;

static double *basis(const krylov *k, int index)
{
    return k->v + index * k->stride;
}

static double *image(const krylov *k, int index)
{
    return k->w + index * k->stride;
}

/* to = M from */
static void weigh(krylov *k, const double *from, double *to)
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

/* The free motions, random but the same every time. */
static void fill_randomly(const krylov *k, int index, int turn)
{
    const double *free = mo_f64(k->system->columns.inverse_mass);
    for (int64_t j = 0; j < k->numbers; ++j) {
        uint64_t bits = mo_hash_word((uint64_t)(index + BASIS_MAX * turn), (uint64_t)j);
        basis(k, index)[j] = free[j / 3] > 0 ? (double)(bits >> 11) * 0x1p-52 - 1 : 0;
    }
}

/* Makes vector `index` orthogonal to those before it and of length 1; false if nothing is left of it. */
static bool orthonormalise(krylov *k, int index)
{
    double *x = basis(k, index);
    for (int turn = 0; turn < 3; ++turn) { /* the third time measures what is left */
        weigh(k, x, k->scratch);
        double length = sqrt(fmax(mo_dot_range(x, k->scratch, 0, k->numbers), 0));
        if (!(length > (turn == 0 ? 0 : 1e-10))) { /* of the length 1 that it had before */
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

/* w = A^-1 M v of the vectors [first, size) */
static mote_status solve(krylov *k, int first, mote_error *error)
{
    mo_linear_result result;
    const double *free = mo_f64(k->system->columns.inverse_mass);
    for (int index = first; index < k->size; ++index) {
        double *right = k->scratch + (index - first) * k->stride;
        weigh(k, basis(k, index), right);
        for (int64_t j = 0; j < k->numbers; ++j) {
            right[j] = free[j / 3] > 0 ? right[j] : 0;
        }
    }
    memset(image(k, first), 0, (size_t)((k->size - first) * k->stride) * sizeof(double));
    mo_linear_system system = {.memory = k->memory,
                               .pool = k->system->pool,
                               .matrix = &k->jacobian.matrix,
                               .pattern = k->jacobian.number,
                               .b = k->scratch,
                               .x = image(k, first),
                               .count = k->size - first,
                               .stride = k->stride,
                               .from_zero = true};
    MO_TRY(mo_linear_solve(&k->solver, &system, &result, error));
    if (result.indefinite) {
        return mo_fail(
            error, MOTE_ERROR_NUMERIC,
            "the state is not stable: its stiffness is not positive, so it has no natural frequencies; "
            "find the state of rest first (mote run --static)");
    }
    return MOTE_OK;
}

/* One rotation of Jacobi's method that makes t[p][q] zero (J. H. Wilkinson, C. Reinsch 1971, II/1). */
static void rotate(krylov *k, int p, int q)
{
    int n = k->size, m = k->most;
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

static double off_diagonal(const krylov *k)
{
    double sum = 0, all = 0;
    for (int i = 0; i < k->size; ++i) {
        for (int j = 0; j < k->size; ++j) {
            double square = k->t[i * k->most + j] * k->t[i * k->most + j];
            sum += i != j ? square : 0;
            all += square;
        }
    }
    return sum / all;
}

/* t = V^T M W, made symmetric; s = 1 */
static void project(krylov *k)
{
    int n = k->size, m = k->most;
    for (int j = 0; j < n; ++j) {
        weigh(k, image(k, j), k->scratch);
        for (int i = 0; i < n; ++i) {
            k->t[i * m + j] = mo_dot_range(basis(k, i), k->scratch, 0, k->numbers);
            k->s[i * m + j] = i == j;
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            k->t[i * m + j] = k->t[j * m + i] = 0.5 * (k->t[i * m + j] + k->t[j * m + i]);
        }
    }
}

/* Largest first. */
static void sort_rates(krylov *k)
{
    int n = k->size, m = k->most;
    for (int j = 0; j < n; ++j) {
        k->rate[j] = k->t[j * m + j];
    }
    for (int j = 0; j < n && j < k->wanted; ++j) {
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

static void find_rates(krylov *k)
{
    project(k);
    for (int sweep = 0; sweep < 60 && off_diagonal(k) > 1e-28; ++sweep) {
        for (int p = 0; p < k->size; ++p) {
            for (int q = p + 1; q < k->size; ++q) {
                rotate(k, p, q);
            }
        }
    }
    sort_rates(k);
}

/* |W s - rate V s| in the mass, relative to the rate. It is orthogonal to the basis but for the rounding of the solves, which is large
   along motions that nothing resists and says nothing of others: that part is taken off. */
static double residual_of(krylov *k, int index)
{
    double *weighed = k->scratch + k->stride;
    memset(k->scratch, 0, (size_t)k->stride * sizeof(double));
    for (int i = 0; i < k->size; ++i) {
        double s = k->s[i * k->most + index];
        const double *v = basis(k, i), *w = image(k, i);
        for (int64_t j = 0; j < k->numbers; ++j) {
            k->scratch[j] += s * (w[j] - k->rate[index] * v[j]);
        }
    }
    weigh(k, k->scratch, weighed);
    for (int i = 0; i < k->size; ++i) {
        const double *v = basis(k, i);
        double part = mo_dot_range(v, weighed, 0, k->numbers);
        for (int64_t j = 0; j < k->numbers; ++j) {
            k->scratch[j] -= part * v[j];
        }
    }
    weigh(k, k->scratch, weighed);
    return sqrt(fmax(mo_dot_range(k->scratch, weighed, 0, k->numbers), 0)) / fabs(k->rate[index]);
}

/* An eigenvalue's error is the square of its vector's, so the root of the tolerance is asked of the vectors. */
static bool all_found(krylov *k)
{
    if (k->size < k->wanted) {
        return false;
    }
    find_rates(k);
    for (int j = 0; j < k->wanted; ++j) {
        if (!(residual_of(k, j) < sqrt(TOLERANCE))) {
            return false;
        }
    }
    return true;
}

/* Appends a vector; a random one if what follows from the others is nothing new. */
static mote_status append(krylov *k, const double *from, mote_error *error)
{
    int index = k->size;
    if (from) {
        memcpy(basis(k, index), from, (size_t)k->numbers * sizeof(double));
    } else {
        fill_randomly(k, index, 0);
    }
    bool there = orthonormalise(k, index);
    for (int turn = 0; !there && turn < 3; ++turn) {
        fill_randomly(k, index, turn + 1);
        there = orthonormalise(k, index);
    }
    if (!there) {
        return mo_fail(error, MOTE_ERROR_NUMERIC, "modes: there are no more than %d of them", index);
    }
    k->size++;
    return MOTE_OK;
}

static mote_status grow(krylov *k, mote_error *error)
{
    for (int block = 0;; ++block) {
        int first = k->size;
        for (int j = 0; j < BLOCK && k->size < k->most; ++j) {
            MO_TRY(append(k, block == 0 ? NULL : image(k, first - BLOCK + j), error));
        }
        MO_TRY(solve(k, first, error));
        bool full = k->size == k->most;
        if ((block % 2 == 1 || full) && all_found(k)) {
            return MOTE_OK;
        }
        if (full) {
            return mo_fail(error, MOTE_ERROR_NUMERIC,
                           "modes: %d frequencies did not converge with %d vectors; ask for fewer", k->wanted,
                           k->size);
        }
    }
}

/* The shift: far below what is stiff, far above rounding. */
static double shift_of(const krylov *k)
{
    const mo_block_matrix *m = &k->jacobian.matrix;
    double stiffness = 0, mass = 0;
    for (int64_t row = 0; row < m->rows; ++row) {
        const double *block = m->value + 9 * m->diagonal[row];
        bool free = k->jacobian.inverse_mass[row] > 0;
        stiffness += free ? fabs(block[0] + block[4] + block[8]) / 3 : 0;
        mass += free ? mo_f64(k->system->columns.mass)[row] : 0;
    }
    return mass > 0 && stiffness > 0 ? 1e-8 * stiffness / mass : 1;
}

static mote_status assemble(krylov *k, double time, mote_error *error)
{
    mo_forces *forces = k->system->state;
    mo_system_weights weights = {.inertia = 0};
    MO_TRY(k->system->type->evaluate(k->system, time, error)); /* binds the slots and finds neighbours */
    mo_force_args args = mo_forces_arguments(forces, time, MO_X, MO_V);
    MO_TRY(mo_jacobian_lay_out(&k->jacobian, &args, mo_forces_coupling(forces), false, error));
    k->args = args;
    k->coupled = mo_jacobian_parts(&k->jacobian) & MO_DF_DA;
    mo_jacobian_fill(&k->jacobian, &args, &weights);
    weights.inertia = k->sigma = shift_of(k);
    mo_jacobian_fill(&k->jacobian, &args, &weights);
    mo_jacobian_hold(&k->jacobian);
    return MOTE_OK;
}

static mote_status make_room(krylov *k, mo_work work[3], mote_error *error)
{
    MO_TRY(mo_work_vectors(k->memory, &work[0], 1, k->most * k->stride, &k->v, error));
    MO_TRY(mo_work_vectors(k->memory, &work[1], 1, (k->most + BLOCK) * k->stride, &k->w, error));
    k->scratch = k->w + k->most * k->stride;
    MO_TRY(mo_work_vectors(k->memory, &work[2], 1, 2 * k->most * k->most + k->most, &k->t, error));
    k->s = k->t + k->most * k->most;
    k->rate = k->s + k->most * k->most;
    return MOTE_OK;
}

static void write_modes(const krylov *k, double *omega, double *shapes)
{
    for (int n = 0; n < k->wanted; ++n) {
        double square = 1 / k->rate[n] - k->sigma;
        omega[n] = square > 1e-3 * k->sigma ? sqrt(square) : 0; /* below that it is rounding */
        for (int64_t j = 0; shapes && j < k->numbers; ++j) {
            double sum = 0;
            for (int i = 0; i < k->size; ++i) {
                sum += k->s[i * k->most + n] * basis(k, i)[j];
            }
            shapes[n * k->numbers + j] = sum;
        }
    }
}

mote_status mote_world_modes(mote_world *world, int count, double *omega, double *shapes, mote_error *error)
{
    krylov k = {.wanted = count, .memory = &world->memory};
    mo_work work[3] = {{0}};
    MO_TRY(mo_world_find_forces(world, &k.system, error));
    mo_forces *forces = k.system->state;
    int64_t rows = mo_store_rows(k.system->store), free = 0;
    for (int64_t row = 0; row < rows; ++row) {
        free += mo_f64(k.system->columns.inverse_mass)[row] > 0;
    }
    if (count < 1 || count > 3 * free || count > MOTE_MODES_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "modes: %d frequencies of %lld free particles; allowed: 1 to %lld", count,
                       (long long)free, (long long)(3 * free < MOTE_MODES_MAX ? 3 * free : MOTE_MODES_MAX));
    }
    k.numbers = 3 * rows;
    k.stride = (k.numbers + 8) / 8 * 8;
    k.most = 3 * free < BASIS_MAX ? (int)(3 * free) : BASIS_MAX;
    int usual = 8 * count + 60;
    k.most = k.most < usual ? k.most : usual;
    k.jacobian = mo_forces_jacobian(forces);
    MO_TRY(mo_linear_open(&world->memory, mo_linear_exact(), &k.solver, error));
    mote_status status = make_room(&k, work, error);
    status = status == MOTE_OK ? assemble(&k, world->clock.time, error) : status;
    status = status == MOTE_OK ? grow(&k, error) : status;
    if (status == MOTE_OK) {
        write_modes(&k, omega, shapes);
    }
    mo_linear_close(&k.solver);
    mo_jacobian_release(&k.jacobian);
    for (int j = 0; j < 3; ++j) {
        mo_release(&world->memory, work[j].block);
    }
    mo_forces_place_again(forces);
    return status;
}
