/*
 * SPH operators on a cubic lattice and on disordered particles.
 *
 * On a lattice of spacing 1 the operators are sums over shells: c_n points at distance sqrt(n), c_n
 * the number of representations of n as a sum of three squares. sum V W and the diagonal of -V sum
 * x_ij (grad W)^T, by symmetry -1/3 sum c_n n G(sqrt(n)), are the factors of interpolated constants
 * and of gradients of linear fields; they differ from 1 by the discretisation error. The operators
 * run with neighbour lists in the interior of a block and are compared with the shell sums.
 */
#include "validate/fluids.h"

#include "base/error.h"
#include "fluid/sph/operators.h"
#include "math/vec3.h"
#include "neighbor/search.h"

#include <math.h>
#include <stdlib.h>

/* Number of representations of n = 0 to 16 as a sum of three squares (OEIS A005875). */
static const int SHELLS[] = {1, 6, 12, 8, 6, 24, 24, 0, 12, 30, 24, 24, 8, 24, 48, 0, 6};
enum { SHELL_COUNT = sizeof SHELLS / sizeof *SHELLS };

/* Particles with neighbours, a field and results. */
typedef struct block {
    mo_memory memory;
    mo_pool *pool;
    mo_search *search;
    mo_kernel kernel;
    mo_sph_points samples;
    int64_t rows, middle;
    double *x, *mass, *density, *field, *out, *matrix;
} block;

static mote_status allocate(block *b, int64_t rows, mote_error *error)
{
    double **arrays[] = {&b->x, &b->mass, &b->density, &b->field, &b->out, &b->matrix};
    static const int WIDTH[] = {3, 1, 1, 3, 9, 9};
    b->rows = rows;
    for (int k = 0; k < 6; ++k) {
        MO_TRY(mo_allocate_array(&b->memory, WIDTH[k] * rows + 1, sizeof(double),
                                 (void **)arrays[k], error));
    }
    return MOTE_OK;
}

static double random_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* A cube of `side` particles along each axis, the middle one at the origin; displaced, and with
 * varying masses and densities, by `shake`. */
static void fill(block *b, int side, double shake)
{
    uint64_t random = 3;
    for (int64_t row = 0; row < b->rows; ++row) {
        int64_t at[3] = {row % side, row / side % side, row / side / side};
        for (int a = 0; a < 3; ++a) {
            b->x[3 * row + a] = (double)(at[a] - side / 2) + shake * random_number(&random);
        }
        b->mass[row] = 1 + shake * random_number(&random);
        b->density[row] = 1 + shake * random_number(&random);
    }
    b->middle = b->rows / 2;
}

static mote_status find_neighbors(block *b, const mo_descriptor *kernel, double support,
                                  mote_error *error)
{
    int set;
    b->kernel = mo_kernel_make((const mo_kernel_type *)kernel, 3, support);
    MO_TRY(mo_pool_create(&b->memory, 0, &b->pool, error));
    MO_TRY(mo_search_create((mo_method){0}, &(mo_domain){0}, &b->memory, &b->search, error));
    MO_TRY(mo_search_add_set(b->search, support, &set, error));
    MO_TRY(mo_search_ask(b->search, set, set, MO_LISTS_FULL, error));
    MO_TRY(mo_search_update(b->search, &(mo_search_set){b->rows, b->x}, b->pool, NULL, error));
    b->samples = (mo_sph_points){mo_search_pairs(b->search, set), b->mass, b->density, b->pool};
    return MOTE_OK;
}

static mote_status create(block *b, int side, double shake, const char *kernel, double support,
                          mote_error *error)
{
    *b = (block){0};
    mo_memory_init(&b->memory, NULL);
    MO_TRY(allocate(b, (int64_t)side * side * side, error));
    fill(b, side, shake);
    return find_neighbors(b, mo_family_find(&mo_kernels, kernel), support, error);
}

static void destroy(block *b)
{
    double *arrays[] = {b->x, b->mass, b->density, b->field, b->out, b->matrix};
    mo_search_destroy(b->search);
    mo_pool_destroy(b->pool);
    for (int k = 0; k < 6; ++k) {
        mo_release(&b->memory, arrays[k]);
    }
}

/* ---- shells ---- */

/* Operators in the interior of the block: sum V W, and the gradient of x. */
static void lattice_sums(block *b, double *one, double *diagonal)
{
    mo_sph_shepard(&b->samples, &b->kernel, b->out);
    *one = b->out[b->middle];
    for (int64_t row = 0; row < b->rows; ++row) {
        b->field[row] = b->x[3 * row];
    }
    mo_sph_gradient(&b->samples, &b->kernel, MO_DIFFERENCE, 1, b->field, b->out);
    *diagonal = b->out[3 * b->middle];
}

static void judge_shells(validation *v, block *b, double spacings)
{
    char what[64];
    const char *name = b->kernel.type->base.name;
    double one, diagonal, shell_one = 0, shell_diagonal = 0;
    lattice_sums(b, &one, &diagonal);
    for (int n = 0; n < SHELL_COUNT; ++n) {
        shell_one += SHELLS[n] * mo_kernel_w(&b->kernel, sqrt(n));
        shell_diagonal -= SHELLS[n] * n / 3.0 * mo_kernel_gradient(&b->kernel, sqrt(n));
    }
    /* some 250 terms of one sign, each rounded a few times */
    if (b->kernel.type->base.capabilities & MO_KERNEL_DENSITY) {
        snprintf(what, sizeof what, "%s, R = %g: sum V W", name, spacings);
        validate_relative(v, "fluids/lattice", what, one, shell_one, 1000 * FLUIDS_UNIT);
    }
    snprintf(what, sizeof what, "%s, R = %g: gradient of x", name, spacings);
    validate_relative(v, "fluids/lattice", what, diagonal, shell_diagonal, 1000 * FLUIDS_UNIT);
}

/* Four known digits: half a unit of the last digit is allowed. */
static void judge_known(validation *v, const block *b, double one, double diagonal)
{
    static const struct {
        const char *name;
        double one, diagonal;
    } KNOWN[] = {
        {"cubic", 1.0000, 1.020}, {"wendland_c2", 1.034, 0.982}, {"wendland_c6", 1.169, 0.717}};
    for (int n = 0; n < 3; ++n) {
        char what[64];
        if (b->kernel.type == (const mo_kernel_type *)mo_family_find(&mo_kernels, KNOWN[n].name)) {
            snprintf(what, sizeof what, "%s, R = 2: sum V W, known digits", KNOWN[n].name);
            validate_absolute(v, "fluids/lattice", what, one, KNOWN[n].one, 0.0005);
            snprintf(what, sizeof what, "%s, R = 2: gradient of x, known digits", KNOWN[n].name);
            validate_absolute(v, "fluids/lattice", what, diagonal, KNOWN[n].diagonal, 0.0005);
        }
    }
}

mote_status fluids_lattice(void *context, mote_error *error)
{
    static const double SUPPORTS[] = {2, 2.5, 3, 4};
    for (int m = 0; m < mo_kernels.count; ++m) {
        for (int n = 0; n < 4; ++n) {
            block b;
            mote_status status = create(&b, 9, 0, mo_kernels.methods[m]->name, SUPPORTS[n], error);
            if (status == MOTE_OK) {
                double one, diagonal;
                judge_shells(context, &b, SUPPORTS[n]);
                lattice_sums(&b, &one, &diagonal);
                if (n == 0) {
                    judge_known(context, &b, one, diagonal);
                }
            }
            destroy(&b);
            MO_TRY(status);
        }
    }
    return MOTE_OK;
}

/* ---- conservation and exactness ---- */

static const char OPERATORS[] = "fluids/operators";
static const mo_vec3 OMEGA = {0.4, -1.1, 0.8};

static void set_rotation(block *b)
{
    for (int64_t row = 0; row < b->rows; ++row) {
        mo_vec3 v = mo_cross(OMEGA, mo_vec3_load(b->x + 3 * row));
        mo_vec3_store(b->field + 3 * row, mo_add(v, mo_vec3_make(1, 2, 3)));
    }
}

static void set_noise(block *b)
{
    uint64_t random = 4;
    for (int64_t k = 0; k < 3 * b->rows; ++k) {
        b->field[k] = random_number(&random);
    }
}

/* On a lattice the Laplacian of x^2 is 2 times the diagonal, the curl of a rotation 2 omega times
 * it. */
static void judge_lattice(validation *v, block *b)
{
    double one, diagonal;
    int64_t i = b->middle;
    lattice_sums(b, &one, &diagonal);
    for (int64_t row = 0; row < b->rows; ++row) {
        b->field[row] = b->x[3 * row] * b->x[3 * row];
    }
    mo_sph_laplacian(&b->samples, &b->kernel, 1, b->field, b->out);
    validate_relative(v, OPERATORS, "Laplacian of x^2 over the gradient of x", b->out[i] / diagonal,
                      2, 1000 * FLUIDS_UNIT);
    set_rotation(b);
    mo_sph_curl(&b->samples, &b->kernel, MO_DIFFERENCE, b->field, b->out);
    validate_relative(v, OPERATORS, "curl of a rotation over the gradient of x",
                      mo_dot(mo_vec3_load(b->out + 3 * i), OMEGA) / mo_dot(OMEGA, OMEGA) / diagonal,
                      2, 1000 * FLUIDS_UNIT);
}

/* The sums of V_i out_i and x_i x V_i out_i, relative to the sums of magnitudes. */
static void judge_kept(validation *v, const block *b, const char *what, bool angular)
{
    char text[96];
    mo_vec3 sum = {0}, turn = {0};
    double size = 0, sizes = 0;
    for (int64_t row = 0; row < b->rows; ++row) {
        mo_vec3 x = mo_vec3_load(b->x + 3 * row);
        mo_vec3 f = mo_scale(b->mass[row] / b->density[row], mo_vec3_load(b->out + 3 * row));
        sum = mo_add(sum, f);
        turn = mo_add(turn, mo_cross(x, f));
        size += mo_length(f);
        sizes += mo_length(f) * mo_length(x);
    }
    /* a row's sum has some 30 terms that partly cancel, each rounded; so has the sum over rows */
    snprintf(text, sizeof text, "momentum of the %s", what);
    validate_absolute(v, OPERATORS, text, mo_length(sum) / size, 0, 100 * FLUIDS_UNIT);
    if (angular) {
        snprintf(text, sizeof text, "angular momentum of the %s", what);
        validate_absolute(v, OPERATORS, text, mo_length(turn) / sizes, 0, 100 * FLUIDS_UNIT);
    }
}

static void judge_momenta(validation *v, block *b)
{
    set_noise(b);
    mo_sph_gradient(&b->samples, &b->kernel, MO_SYMMETRIC, 1, b->field, b->out);
    judge_kept(v, b, "symmetric gradient", true);
    mo_sph_laplacian_solenoidal(&b->samples, &b->kernel, b->field, b->out);
    judge_kept(v, b, "2 (d + 2) Laplacian", true);
    mo_sph_curl(&b->samples, &b->kernel, MO_SYMMETRIC, b->field, b->out);
    judge_kept(v, b, "symmetric curl", false);
}

/* The largest |out - expected| over all components, `width` per row. */
static double worst(const block *b, const double *expected, int width)
{
    double most = 0;
    for (int64_t k = 0; k < width * b->rows; ++k) {
        double off = fabs(b->out[k] - expected[k % width]);
        most = off > most || isnan(off) ? off : most;
    }
    return most;
}

static void judge_rotation(validation *v, block *b)
{
    static const double ZERO[3] = {0}, ONE = 1;
    double jacobian[9] = {0, -OMEGA.z, OMEGA.y, OMEGA.z, 0, -OMEGA.x, -OMEGA.y, OMEGA.x, 0};
    set_rotation(b);
    mo_sph_laplacian_solenoidal(&b->samples, &b->kernel, b->field, b->out);
    validate_absolute(v, OPERATORS, "2 (d + 2) Laplacian of a rigid motion", worst(b, ZERO, 3), 0,
                      1e4 * FLUIDS_UNIT);
    mo_sph_divergence(&b->samples, &b->kernel, MO_DIFFERENCE, b->field, b->out);
    validate_absolute(v, OPERATORS, "divergence of a rigid motion", worst(b, ZERO, 1), 0,
                      1e4 * FLUIDS_UNIT);
    mo_sph_gradient(&b->samples, &b->kernel, MO_DIFFERENCE, 3, b->field, b->out);
    mo_sph_correction(&b->samples, &b->kernel, b->matrix);
    mo_sph_correct(&b->samples, b->matrix, 3, b->out);
    validate_absolute(v, OPERATORS, "corrected gradient of a rigid motion", worst(b, jacobian, 9),
                      0, 1e4 * FLUIDS_UNIT);
    for (int64_t row = 0; row < b->rows; ++row) {
        b->field[row] = 1;
    }
    mo_sph_shepard(&b->samples, &b->kernel, b->matrix);
    mo_sph_interpolate(&b->samples, &b->kernel, 1, b->field, b->out);
    for (int64_t row = 0; row < b->rows; ++row) {
        b->out[row] /= b->matrix[row];
    }
    validate_absolute(v, OPERATORS, "interpolated constant by Shepard", worst(b, &ONE, 1), 0,
                      10 * FLUIDS_UNIT);
}

mote_status fluids_operators(void *context, mote_error *error)
{
    block lattice, scattered = {0};
    mote_status status = create(&lattice, 9, 0, "cubic", 2, error);
    if (status == MOTE_OK) {
        judge_lattice(context, &lattice);
        status = create(&scattered, 12, 0.25, "cubic", 2.2, error);
    }
    if (status == MOTE_OK) {
        judge_momenta(context, &scattered);
        judge_rotation(context, &scattered);
    }
    destroy(&lattice);
    destroy(&scattered);
    return status;
}
