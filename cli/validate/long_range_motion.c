/*
 * Motion under long-range forces: an elliptic orbit, a Plummer sphere, a molten salt.
 */
#include "validate/long_range.h"

#include "base/error.h"
#include "bench/case_world.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

static mote_status take_steps(mote_world *world, int steps, mote_error *error)
{
    for (int k = 0; k < steps; ++k) {
        MO_TRY(mote_world_step(world, NULL, error));
    }
    return MOTE_OK;
}

/* ---- Kepler ---- */

/* Two unit masses, G = 1, semi-major axis 1 of the relative orbit, eccentricity 0.5, from the
 * apocentre 1.5: relative speed sqrt(2 (2/1.5 - 1)), period 2 pi/sqrt(2). */
static const char ORBIT[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 10, \"step\": %.17g},"
    " \"bodies\": [{\"mass\": 1, \"velocity\": [0, %.17g, 0],"
    "    \"mesh\": {\"type\": \"points\", \"positions\": [[0.75, 0, 0]]}},"
    "   {\"mass\": 1, \"velocity\": [0, %.17g, 0],"
    "    \"mesh\": {\"type\": \"points\", \"positions\": [[-0.75, 0, 0]]}}],"
    " \"forces\": [{\"type\": \"newton\", \"constant\": 1, \"method\": \"%s\"}]}";

/* The distance from the start after one period in n steps. */
static mote_status orbit_error(const char *method, int steps, double *miss, mote_error *error)
{
    char text[sizeof ORBIT + 200];
    mote_world *world;
    double speed = 0.5 * sqrt(2 * (2 / 1.5 - 1)), period = 2 * PI / sqrt(2);
    snprintf(text, sizeof text, ORBIT, period / steps, speed, -speed, method);
    MO_TRY(case_world_create(text, NULL, 1, &world, error));
    mote_status status = take_steps(world, steps, error);
    const double *x = case_column(world, "x");
    *miss = hypot(x[0] - 0.75, x[1]);
    mote_world_destroy(world);
    return status;
}

mote_status long_range_kepler(void *context, mote_error *error)
{
    static const char *const METHODS[] = {"direct", "tree"};
    for (int k = 0; k < 2; ++k) {
        double coarse, fine;
        char name[60];
        MO_TRY(orbit_error(METHODS[k], 1000, &coarse, error));
        MO_TRY(orbit_error(METHODS[k], 2000, &fine, error));
        snprintf(name, sizeof name, "order of velocity_verlet by %s", METHODS[k]);
        validate_at_least(context, "long_range/kepler", name, log2(coarse / fine), 2, 0.1);
        snprintf(name, sizeof name, "distance from the start after a period, %s", METHODS[k]);
        /* phase error of a second-order scheme, (omega h)^2 with the frequency at the pericentre */
        double h = 2 * PI / 2000, fastest = pow(0.5, -1.5);
        validate_absolute(context, "long_range/kepler", name, fine, 0,
                          2 * PI * h * h * fastest * fastest);
    }
    return MOTE_OK;
}

/* ---- Plummer ---- */

enum { STARS = 8192 };

static const char SPHERE[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 100, \"step\": 0.03125},"
    " \"bodies\": [{\"mass\": 1, \"mesh\": {\"type\": \"lattice\", \"kind\": \"sc\", \"nx\": 32, \"ny\": 16,"
    "    \"nz\": 16, \"spacing\": 0.1}}],"
    " \"forces\": [{\"type\": \"newton\", \"constant\": 1, \"softening\": 0.03, \"method\": \"tree\"}]}";

/* A vector of the given length in a random direction. */
static void random_direction(uint32_t stream, uint64_t id, double length, double *out)
{
    double u[2];
    mo_random_uniform(7, stream, id, 0, u);
    double z = 2 * u[0] - 1, r = sqrt(1 - z * z);
    out[0] = length * r * cos(2 * PI * u[1]);
    out[1] = length * r * sin(2 * PI * u[1]);
    out[2] = length * z;
}

/* Positions and velocities of a Plummer sphere with M = G = a = 1 (S. J. Aarseth, M. Henon, R.
 * Wielen 1974, A&A 37, 183): M(r) = r^3/(1 + r^2)^(3/2) at r below 10, and the speed x v_escape
 * with the density x^2 (1 - x^2)^(7/2), by rejection. */
static void fill_sphere(double *x, double *v)
{
    for (uint64_t k = 0; k < STARS; ++k) {
        double u[2], radius = 100;
        for (uint32_t attempt = 0; radius > 10; ++attempt) {
            mo_random_uniform(7, 1, k, attempt, u);
            radius = 1 / sqrt(pow(u[0], -2.0 / 3) - 1);
        }
        u[0] = 0;
        u[1] = 1;
        for (uint32_t attempt = 0; u[1] * 0.1 > u[0] * u[0] * pow(1 - u[0] * u[0], 3.5);
             ++attempt) {
            mo_random_uniform(7, 2, k, attempt, u);
        }
        random_direction(3, k, radius, x + 3 * k);
        random_direction(4, k, u[0] * sqrt(2) * pow(1 + radius * radius, -0.25), v + 3 * k);
    }
}

static int ascending(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* Radii about the mean position that contain a tenth, half and nine tenths of the stars. */
static void lagrangian_radii(const double *x, double *distance, double radii[3])
{
    static const double PARTS[3] = {0.1, 0.5, 0.9};
    double center[3] = {0};
    for (int k = 0; k < 3 * STARS; ++k) {
        center[k % 3] += x[k] / STARS;
    }
    for (int k = 0; k < STARS; ++k) {
        double a = x[3 * k] - center[0], b = x[3 * k + 1] - center[1], c = x[3 * k + 2] - center[2];
        distance[k] = sqrt(a * a + b * b + c * c);
    }
    qsort(distance, STARS, sizeof *distance, ascending);
    for (int k = 0; k < 3; ++k) {
        radii[k] = distance[(int)(PARTS[k] * STARS)];
    }
}

static mote_status check_sphere(validation *v, mote_world *world, double *distance,
                                mote_error *error)
{
    mote_measures first, last;
    double before[3], after[3];
    static const char *const NAMES[3] = {"radius of 10 %", "radius of 50 %", "radius of 90 %"};
    fill_sphere(case_column(world, "x"), case_column(world, "v"));
    mote_world_invalidate(world, 0);
    MO_TRY(mote_world_measure(world, &first, error));
    lagrangian_radii(case_column(world, "x"), distance, before);
    MO_TRY(take_steps(world, 320, error)); /* 10 time units: half a mean radial period each 5 */
    MO_TRY(mote_world_measure(world, &last, error));
    lagrangian_radii(case_column(world, "x"), distance, after);
    /* the model's W = -3 pi/32, of random stars, cut at r = 10 and softened: 2 % */
    validate_relative(v, "long_range/plummer", "potential energy", first.potential, -3 * PI / 32,
                      0.02);
    validate_relative(v, "long_range/plummer", "virial ratio 2 T/|W| at t = 10",
                      -2 * last.kinetic / last.potential, 1, 0.03);
    for (int k = 0; k < 3; ++k) {
        /* a radius that contains n stars has a statistical error of about 1/sqrt(n) */
        double stars = STARS * (k == 0 ? 0.1 : k == 1 ? 0.5 : 0.1);
        validate_relative(v, "long_range/plummer", NAMES[k], after[k], before[k], 2 / sqrt(stars));
    }
    double energy = first.kinetic + first.potential;
    validate_relative(v, "long_range/plummer", "energy at t = 10", last.kinetic + last.potential,
                      energy, 2e-3);
    return MOTE_OK;
}

mote_status long_range_plummer(void *context, mote_error *error)
{
    mote_world *world;
    MO_TRY(case_world_create(SPHERE, NULL, 0, &world, error));
    double *distance = malloc(STARS * sizeof *distance), *mass = case_column(world, "mass");
    for (int k = 0; k < STARS && distance; ++k) {
        mass[k] = 1000 / pow(101, 1.5) / STARS; /* M(10) */
    }
    mote_status status =
        distance ? check_sphere(context, world, distance, error) : mo_fail_memory(error, STARS * 8);
    free(distance);
    mote_world_destroy(world);
    return status;
}

/* ---- molten salt ---- */

/* Sodium chloride above its melting point: Lennard-Jones repulsion with the ionic radii of I. S.
 * Joung, T. E. Cheatham 2008, charges, 512 ions at 1,560 kg/m^3, steps of 1 fs. */
static const char SALT[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1e-11, \"step\": 1e-15},"
    " \"domain\": {\"min\": [0, 0, 0], \"max\": [2.516e-9, 2.516e-9, 2.516e-9]},"
    " \"species\": [{\"name\": \"sodium\", \"charge\": 1.602176634e-19, \"e\": 2.451e-21, \"sigma\": 2.16e-10},"
    "   {\"name\": \"chloride\", \"charge\": -1.602176634e-19, \"e\": 2.469e-22, \"sigma\": 4.83e-10}],"
    " \"bodies\": [{\"species\": \"sodium\", \"mass\": %.9g, \"temperature\": 2800, \"seed\": 1,"
    "    \"mesh\": {\"type\": \"lattice\", \"kind\": \"fcc\", \"nx\": 4, \"ny\": 4, \"nz\": 4, \"spacing\": 6.29e-10}},"
    "   {\"species\": \"chloride\", \"mass\": %.9g, \"temperature\": 2800, \"seed\": 2,"
    "    \"mesh\": {\"type\": \"lattice\", \"kind\": \"fcc\", \"nx\": 4, \"ny\": 4, \"nz\": 4, \"spacing\": 6.29e-10,"
    "      \"origin\": [3.145e-10, 0, 0]}}],"
    " \"forces\": [{\"type\": \"lennard_jones\", \"r_a\": 8e-10, \"r_b\": 1.0e-9},"
    "   {\"type\": \"coulomb\", \"method\": {\"type\": \"p3m\", \"accuracy\": 1e-4}}]}";

mote_status long_range_drift(void *context, mote_error *error)
{
    char text[sizeof SALT + 100];
    mote_world *world;
    mote_measures first, last = {0};
    snprintf(text, sizeof text, SALT, 256 * 3.8175e-26, 256 * 5.8871e-26);
    MO_TRY(case_world_create(text, NULL, 0, &world, error));
    mote_status status = take_steps(world, 100, error);
    status = status == MOTE_OK ? mote_world_measure(world, &first, error) : status;
    status = status == MOTE_OK ? take_steps(world, 10000, error) : status;
    status = status == MOTE_OK ? mote_world_measure(world, &last, error) : status;
    mote_world_destroy(world);
    MO_TRY(status);
    double energy = first.kinetic + first.potential;
    /* forces are derivatives of the energy up to the cutoff of the short part and the skipped
     * harmonics of the mesh: errors of order accuracy that are not correlated over time */
    validate_absolute(context, "long_range/drift", "energy drift by kinetic energy",
                      (last.kinetic + last.potential - energy) / first.kinetic, 0, 1e-3);
    validate_at_least(context, "long_range/drift", "temperature of the melt [K]", last.temperature,
                      800, 0);
    return MOTE_OK;
}
