/*
 * A cantilever of 1 m and 0.1 m by 0.1 m, E = 1e7 Pa, nu = 0.3, compared with beam theory: the tip
 * deflection under 1 N (4.0306e-3 m after Timoshenko, kappa = 10 (1 + nu)/(12 + 11 nu)) and the
 * first bending frequency. Linear tetrahedra are too stiff in bending; the error decreases with the
 * square of their size. With a consistent mass matrix frequencies converge from above (Rayleigh's
 * quotient); those of lumped masses are lower.
 */
#include "validate/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static const char BEAM[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001},"
    " \"integrator\": {\"type\": \"implicit_euler\", \"solver\": \"cholesky\"},"
    " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"max\": [1, 0.1, 0.1], \"nx\": %d, "
    "\"ny\": %d,"
    "   \"nz\": %d, \"tetrahedra\": 5},"
    "  \"model\": {\"type\": \"fem\", \"mass\": \"%s\", \"material\": {\"type\": \"linear\", \"young\": 1e7,"
    "    \"poisson\": 0.3}},"
    "  \"pins\": [{\"set\": \"x0\"}], \"loads\": [{\"set\": \"x1\", \"force\": [0, 0, -1]}]}]}";

/* n cells over the height, half as many over the width. */
static mote_status create_beam(int n, const char *mass, mote_world **world, mote_error *error)
{
    char text[sizeof BEAM + 50];
    snprintf(text, sizeof text, BEAM, 10 * n + 1, n / 2 + 1, n + 1, mass);
    return solids_create(text, world, error);
}

/* The mean deflection of the end nodes. */
static double deflection(const mote_world *world, const double *rest)
{
    const double *x = solids_column(world, "x");
    double sum = 0, nodes = 0;
    for (int64_t k = 0; k < mote_world_rows(world, 0); ++k) {
        if (rest[3 * k] > 1 - 1e-9) {
            sum += rest[3 * k + 2] - x[3 * k + 2];
            nodes += 1;
        }
    }
    return sum / nodes;
}

static mote_status bend(int n, double *way, mote_error *error)
{
    mote_world *world;
    MO_TRY(create_beam(n, "lumped", &world, error));
    size_t bytes = (size_t)(3 * mote_world_rows(world, 0)) * sizeof(double);
    double *rest = malloc(bytes);
    mote_status status = rest ? MOTE_OK : mo_fail_memory(error, bytes);
    if (status == MOTE_OK) {
        memcpy(rest, solids_column(world, "x"), bytes);
        status = mote_world_solve_static(world, NULL, NULL, error);
    }
    if (status == MOTE_OK) {
        *way = deflection(world, rest);
    }
    free(rest);
    mote_world_destroy(world);
    return status;
}

mote_status solids_cantilever(void *context, mote_error *error)
{
    static const int CELLS[] = {4, 8, 16};
    static const double TIMOSHENKO = 4.0306e-3;
    double way[3];
    for (int k = 0; k < 3; ++k) {
        char quantity[100];
        MO_TRY(bend(CELLS[k], &way[k], error));
        snprintf(quantity, sizeof quantity, "deflection, %d cells high", CELLS[k]);
        validate_relative(context, "solids/cantilever", quantity, way[k], TIMOSHENKO,
                          k == 2 ? 0.02 : INFINITY);
    }
    /* second order: a fourth of the error on each finer mesh, so the last difference is three
     * times the remaining error */
    double limit = way[2] + (way[2] - way[1]) / 3;
    validate_relative(context, "solids/cantilever", "deflection, extrapolated to cells of no size",
                      limit, TIMOSHENKO, 0.02);
    validate_at_least(context, "solids/cantilever", "order of convergence",
                      log2((way[1] - way[0]) / (way[2] - way[1])), 1.5, 0);
    return MOTE_OK;
}

static mote_status lowest_frequency(int n, const char *mass, double *frequency, mote_error *error)
{
    mote_world *world;
    double omega[2];
    MO_TRY(create_beam(n, mass, &world, error));
    mote_status status = mote_world_modes(world, 2, omega, NULL, error);
    mote_world_destroy(world);
    *frequency = omega[0] / (2 * PI);
    return status;
}

/* The difference between consistent and lumped masses on coarse meshes. */
static mote_status compare_masses(void *context, double reference, mote_error *error)
{
    double before = 0;
    for (int n = 2; n <= 8; n *= 2) {
        char quantity[100];
        double lumped, consistent;
        MO_TRY(lowest_frequency(n, "lumped", &lumped, error));
        MO_TRY(lowest_frequency(n, "consistent", &consistent, error));
        snprintf(quantity, sizeof quantity, "consistent masses, %d cells high: above the beam by",
                 n);
        validate_at_least(context, "solids/frequency", quantity, consistent / reference - 1, 0, 0);
        snprintf(quantity, sizeof quantity,
                 "consistent masses, %d cells high: above lumped ones by", n);
        validate_at_least(context, "solids/frequency", quantity, consistent / lumped - 1, 0, 0);
        snprintf(quantity, sizeof quantity,
                 "consistent masses, %d cells high: nearer than before by", n);
        if (n > 2) {
            validate_at_least(context, "solids/frequency", quantity,
                              before - consistent / reference, 0, 0);
        }
        before = consistent / reference;
    }
    return MOTE_OK;
}

mote_status solids_frequency(void *context, mote_error *error)
{
    static const int CELLS[] = {4, 8, 12};
    double inertia = pow(0.1, 4) / 12, area = 0.01;
    double reference =
        1.87510407 * 1.87510407 / (2 * PI) * sqrt(1e7 * inertia / (1000 * area)) * (1 - 0.0078);
    for (int k = 0; k < 3; ++k) {
        char quantity[100];
        double frequency;
        MO_TRY(lowest_frequency(CELLS[k], "lumped", &frequency, error));
        snprintf(quantity, sizeof quantity, "first bending frequency [Hz], %d cells high",
                 CELLS[k]);
        validate_relative(context, "solids/frequency", quantity, frequency, reference,
                          k == 2 ? 0.02 : INFINITY);
    }
    return compare_masses(context, reference, error);
}
