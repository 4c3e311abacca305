/*
 * Terms that give a fluid its character: rotations of particles, and cohesion.
 *
 * Micropolar shear wave: v = U sin(k y) along x and rotations w = b cos(k y) about z, initially 0,
 *     dU/dt = -nu k^2 U - T k b,    theta db/dt = -T k U - 2 T b,
 * linear equations of two variables, whose solution is compared with the amplitude of the
 * particles. In the limit of small theta the wave decays with nu - T/2, a difference of two terms
 * with errors of their own, so that errors are relative to nu k^2.
 *
 * Drop: the pressure within a resting drop of akinci2013 balances the attraction of the particles
 * there, which is far above the pressure 2 sigma/R of a surface of tension sigma. The tension
 * follows from the difference of both, means over the drop within 0.6 R and over time; it is
 * reported, not compared.
 *
 * Tension in N/m: the mean pressure within 0.5 R of resting drops relative to sigma/R, shown; the
 * period of mode 2 against Rayleigh's, omega^2 = 6 sigma/(rho R^3) in the plane and 8 sigma/(rho
 * R^3) in space, R from the volume, from crossings of the difference of second moments; the angle
 * of a cap on a plate from the height of its centre of mass.
 */
#include "validate/fluids.h"

#include "base/error.h"
#include "bench/case_world.h"
#include "math/vec3.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* ---- a micropolar shear wave ---- */

static const char BOX[] =
    "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.001},"
    " \"domain\": {\"min\": [0, 0, -1], \"max\": [0.5, 1, 1], \"periodic\": \"xy\"},"
    " \"fluid\": {\"dimension\": 2, \"spacing\": 0.025, \"quality\": \"%s\", \"viscosity\": 0.05,"
    "   \"artificial_viscosity\": 0, \"vorticity\": {\"type\": \"micropolar\", \"transfer\": %g},"
    "   \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [0.5, 1, 1]}]}]}}";

static const double NU = 0.05, INERTIA = 0.1 * 0.025 * 0.025, START = 1e-4;

static double amplitude_of(const mote_world *world)
{
    const double *x = case_column(world, "x"), *v = case_column(world, "v");
    double sum = 0, squares = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        double wave = sin(2 * PI * x[3 * row + 1]);
        sum += wave * v[3 * row];
        squares += wave * wave;
    }
    return sum / squares;
}

static void start_wave(mote_world *world)
{
    const double *x = case_column(world, "x");
    double *v = case_column(world, "v");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        v[3 * row] = START * sin(2 * PI * x[3 * row + 1]);
    }
    mote_world_invalidate(world, 0);
}

/* The amplitude at this time, by small steps, implicit in b. */
static double theory(double transfer, double time)
{
    enum { STEPS = 100000 };
    double u = START, b = 0, k = 2 * PI, h = time / STEPS;
    for (int n = 0; n < STEPS; ++n) {
        b = (b - h / INERTIA * transfer * k * u) / (1 + 2 * h / INERTIA * transfer);
        u -= h * (NU * k * k * u + transfer * k * b);
    }
    return u;
}

static mote_status run_wave(validation *v, const char *quality, double transfer, mote_error *error)
{
    static const double TIME = 0.4;
    char text[sizeof BOX + 40], quantity[120];
    mote_world *world;
    snprintf(text, sizeof text, BOX, quality, transfer);
    MO_TRY(case_world_create(text, NULL, 0, &world, error));
    start_wave(world);
    mote_status status = mote_world_advance(world, TIME, NULL, error);
    if (status == MOTE_OK) {
        snprintf(quantity, sizeof quantity, "%s, T = %g nu: decay of a shear wave [nu k^2]",
                 quality, transfer / NU);
        double unit = NU * 4 * PI * PI * TIME;
        validate_absolute(v, "fluids_character/micropolar", quantity,
                          -log(amplitude_of(world) / START) / unit,
                          -log(theory(transfer, TIME) / START) / unit, 0.05);
    }
    mote_world_destroy(world);
    return status;
}

static mote_status micropolar(void *context, mote_error *error)
{
    MO_TRY(run_wave(context, "splash", 0.05, error));
    MO_TRY(run_wave(context, "accurate", 0.05, error));
    return run_wave(context, "accurate", 0.1, error);
}

/* ---- a drop of akinci2013 ---- */

static const char DROP[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": {\"type\": \"cfl\", \"max\": 0.001}},"
    " \"fluid\": {\"spacing\": 0.001, \"viscosity\": 1e-5, \"surface_tension\":"
    "   {\"type\": \"akinci2013\", \"gamma\": 1}, \"phases\": [{\"fill\": [{\"type\": \"sphere\","
    "   \"center\": [0, 0, 0], \"radius\": %g}]}]}}";

static const double SUPPORT = 0.002, MASS = 1e-6, VOLUME = 1e-9;

/* m^2 C(r) r of a pair with gamma = 1 */
static double attraction(double r)
{
    double product = (SUPPORT - r) * r, cube = product * product * product;
    double part = 2 * r > SUPPORT ? cube : 2 * cube - pow(SUPPORT, 6) / 64;
    return r < SUPPORT ? MASS * MASS * 32 / (PI * pow(SUPPORT, 9)) * part * r : 0;
}

/* The mean over the inner drop of the solver's pressure, less that of the attraction. */
static double excess_pressure(mote_world *world, double radius)
{
    mote_world_derive(world);
    const double *x = case_column(world, "x");
    const float *p = case_column(world, "pressure");
    double sum = 0;
    int64_t rows = mote_world_rows(world, 0), count = 0;
    for (int64_t i = 0; i < rows; ++i) {
        const double *a = x + 3 * i;
        if (a[0] * a[0] + a[1] * a[1] + a[2] * a[2] < 0.36 * radius * radius) {
            double pull = 0;
            for (int64_t j = 0; j < rows; ++j) {
                const double *b = x + 3 * j;
                double r = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
                pull += j != i ? attraction(r) : 0;
            }
            sum += (double)p[i] - pull / (6 * VOLUME);
            count++;
        }
    }
    return sum / (double)count;
}

static mote_status run_drop(validation *v, double radius, mote_error *error)
{
    enum { SAMPLES = 10 };
    char text[sizeof DROP + 40], quantity[120];
    double sum = 0;
    mote_world *world;
    snprintf(text, sizeof text, DROP, radius);
    MO_TRY(case_world_create(text, NULL, 0, &world, error));
    mote_status status = mote_world_advance(world, 0.06, NULL, error);
    for (int k = 1; k <= SAMPLES && status == MOTE_OK; ++k) {
        status = mote_world_advance(world, 0.06 + 0.01 * k, NULL, error);
        sum += status == MOTE_OK ? excess_pressure(world, radius) / SAMPLES : 0;
    }
    if (status == MOTE_OK) {
        snprintf(quantity, sizeof quantity,
                 "akinci2013, gamma = 1, radius %g mm: effective tension [N/m]", 1000 * radius);
        validate_absolute(v, "fluids_character/drop", quantity, 0.5 * radius * sum, 0.02, INFINITY);
    }
    mote_world_destroy(world);
    return status;
}

static mote_status drop(void *context, mote_error *error)
{
    MO_TRY(run_drop(context, 0.006, error));
    return run_drop(context, 0.008, error);
}

/* ---- momentum of a micropolar fluid ---- */

/* A free cube with noise and a spin of its own: its momentum is that of the centre of mass. */
static const char CUBE[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.002}, \"fluid\": {\"spacing\": 0.05,"
    "  \"viscosity\": 1e-3, \"vorticity\": {\"type\": \"micropolar\", \"transfer\": 1e-3},"
    "  \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.6, 0.6, 0.6]}],"
    "   \"velocity\": [0.3, -0.2, 0.1], \"flow\": {\"type\": \"noise\", \"speed\": 1, \"length\": 0.2}}]}}";

/* Sum of v, and of |v| as its scale; all masses are equal. */
static double momentum_of(const mote_world *world, double sum[3])
{
    const double *v = case_column(world, "v");
    double scale = 0;
    sum[0] = sum[1] = sum[2] = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            sum[k] += v[3 * row + k];
            square += v[3 * row + k] * v[3 * row + k];
        }
        scale += sqrt(square);
    }
    return scale;
}

static mote_status momentum(void *context, mote_error *error)
{
    mote_world *world;
    double before[3], after[3], change = 0;
    MO_TRY(case_world_create(CUBE, NULL, 0, &world, error));
    double scale = momentum_of(world, before);
    mote_status status = mote_world_advance(world, 0.4, NULL, error);
    if (status == MOTE_OK) {
        momentum_of(world, after);
        for (int k = 0; k < 3; ++k) {
            change = fmax(change, fabs(after[k] - before[k]) / scale);
        }
        validate_absolute(context, "fluids_character/momentum",
                          "micropolar, 200 steps: change of linear momentum [sum of m |v|]", change,
                          0, 1e-6);
    }
    mote_world_destroy(world);
    return status;
}

/* ---- tension in N/m ---- */

static const char FREE_DROP[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 99, \"step\": {\"type\": \"cfl\", \"max\": 0.01}}, \"fluid\": {\"dimension\": %d,"
    " \"spacing\": 0.001, \"surface_tension\": 0.072, \"phases\": [{\"fill\": [{\"type\": \"sphere\","
    "   \"center\": [0.0003, 0.0002, %g], \"radius\": %g}]}]}}";

static const char CAP[] =
    "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 99, \"step\": {\"type\": \"cfl\", \"max\": 0.01}},"
    " \"fluid\": {\"dimension\": %d, \"spacing\": 0.001, \"surface_tension\": {\"type\":"
    "   \"surface_energy\", \"contact_angle\": %g}, \"phases\": [{\"fill\": [{\"type\":"
    "   \"intersection\", \"shapes\": [{\"type\": \"sphere\", \"center\": [0, 0, 0], \"radius\": %g},"
    "   {\"type\": \"box\", \"min\": [-1, 0, -1], \"max\": [1, 1, 1]}]}]}]},"
    " \"colliders\": [{\"shape\": {\"type\": \"plane\", \"normal\": [0, 1, 0], \"point\": [0, 0, 0]}}]}";

static const double SIGMA = 0.072, DX = 0.001;

static mo_vec3 center_of(const mote_world *world)
{
    const double *x = case_column(world, "x");
    int64_t rows = mote_world_rows(world, 0);
    mo_vec3 sum = {0};
    for (int64_t row = 0; row < rows; ++row) {
        sum = mo_add(sum, mo_vec3_load(x + 3 * row));
    }
    return mo_scale(1 / (double)rows, sum);
}

/* The radius of a drop of this volume, and Rayleigh's period. */
static double radius_of(const mote_world *world, int dimension, double *period)
{
    double volume = (double)mote_world_rows(world, 0) * pow(DX, dimension);
    double R = dimension == 2 ? sqrt(volume / PI) : cbrt(0.75 * volume / PI);
    *period = 2 * PI / sqrt((dimension == 2 ? 6 : 8) * SIGMA / (1000 * R * R * R));
    return R;
}

static mote_status create_drop(int dimension, double radius, mote_world **world, mote_error *error)
{
    char text[sizeof FREE_DROP + 60];
    snprintf(text, sizeof text, FREE_DROP, dimension, dimension == 3 ? 0.0001 : 0.0, radius);
    return case_world_create(text, NULL, 0, world, error);
}

/* Half a period, with velocities reduced repeatedly. */
static mote_status settle_drop(mote_world *world, double period, mote_error *error)
{
    enum { TIMES = 15 };
    for (int k = 1; k <= TIMES; ++k) {
        MO_TRY(mote_world_advance(world, 0.5 * period * k / TIMES, NULL, error));
        double *v = case_column(world, "v");
        for (int64_t n = 0; n < 3 * mote_world_rows(world, 0); ++n) {
            v[n] *= 0.3;
        }
        mote_world_invalidate(world, 0);
    }
    return MOTE_OK;
}

/* The relative difference of second moments, along y (z) and across. */
static double mode_of(const mote_world *world, int dimension)
{
    const double *x = case_column(world, "x");
    mo_vec3 center = center_of(world);
    double along = 0, all = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        mo_vec3 r = mo_sub(mo_vec3_load(x + 3 * row), center);
        along += dimension == 2 ? r.x * r.x - r.y * r.y : r.z * r.z - 0.5 * (r.x * r.x + r.y * r.y);
        all += mo_dot(r, r);
    }
    return along / all;
}

static void start_mode(mote_world *world, int dimension, double rate)
{
    const double *x = case_column(world, "x");
    double *v = case_column(world, "v");
    mo_vec3 center = center_of(world);
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        mo_vec3 r = mo_sub(mo_vec3_load(x + 3 * row), center);
        mo_vec3 u =
            dimension == 2 ? mo_vec3_make(r.x, -r.y, 0) : mo_vec3_make(-0.5 * r.x, -0.5 * r.y, r.z);
        mo_vec3_store(v + 3 * row, mo_scale(rate, u));
    }
    mote_world_invalidate(world, 0);
}

/* Twice the time from the start, at the sphere, to the next crossing but the first of it. */
static mote_status measure_period(mote_world *world, int dimension, double expected, double *period,
                                  double *decay, mote_error *error)
{
    enum { SAMPLES = 100 };
    double start = mote_world_time(world), last = 0, crossing[2] = {0}, peak[3] = {0};
    int crossings = 0;
    for (int k = 1; k <= 2 * SAMPLES && crossings < 2; ++k) {
        MO_TRY(mote_world_advance(world, start + expected * k / SAMPLES, NULL, error));
        double mode = mode_of(world, dimension);
        if (k > SAMPLES / 5 && last * mode < 0) {
            crossing[crossings++] = (k - 1 + last / (last - mode)) / SAMPLES;
        }
        peak[crossings] = fmax(peak[crossings], fabs(mode));
        last = mode;
    }
    *period = crossings == 2 ? crossing[1] : NAN;
    *decay = peak[1] / peak[0];
    return MOTE_OK;
}

static mote_status run_oscillation(validation *v, int dimension, double radius, double limit,
                                   mote_error *error)
{
    double expected, period, decay;
    char quantity[120];
    mote_world *world;
    MO_TRY(create_drop(dimension, radius, &world, error));
    radius_of(world, dimension, &expected);
    mote_status status = settle_drop(world, expected, error);
    if (status == MOTE_OK) {
        start_mode(world, dimension, 0.12 * 2 * PI / expected);
        status = measure_period(world, dimension, expected, &period, &decay, error);
    }
    if (status == MOTE_OK) {
        snprintf(quantity, sizeof quantity, "%dD, R = %g spacings: period of mode 2, relative",
                 dimension, radius / DX);
        validate_absolute(v, "fluids_character/oscillation", quantity, period, 1, limit);
        snprintf(quantity, sizeof quantity, "%dD, R = %g spacings: amplitude after half a period",
                 dimension, radius / DX);
        validate_absolute(v, "fluids_character/oscillation", quantity, decay, 1, INFINITY);
    }
    mote_world_destroy(world);
    return status;
}

static mote_status oscillation(void *context, mote_error *error)
{
    MO_TRY(run_oscillation(context, 2, 0.012, 0.05, error));
    MO_TRY(run_oscillation(context, 2, 0.016, 0.05, error));
    MO_TRY(run_oscillation(context, 2, 0.020, 0.05, error));
    MO_TRY(run_oscillation(context, 3, 0.008, 0.08, error));
    return run_oscillation(context, 3, 0.010, 0.08, error);
}

/* The mean of the pressure within half the radius. */
static double inner_pressure(mote_world *world, double radius)
{
    const double *x = case_column(world, "x");
    const float *p = case_column(world, "pressure");
    mo_vec3 center = center_of(world);
    double sum = 0;
    int64_t count = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        if (mo_length(mo_sub(mo_vec3_load(x + 3 * row), center)) < 0.5 * radius) {
            sum += (double)p[row];
            count++;
        }
    }
    return sum / (double)count;
}

static mote_status run_laplace(validation *v, double radius, mote_error *error)
{
    enum { SAMPLES = 200 };
    double period, sum = 0;
    char quantity[120];
    mote_world *world;
    MO_TRY(create_drop(2, radius, &world, error));
    double R = radius_of(world, 2, &period);
    mote_status status = settle_drop(world, period, error);
    for (int k = 1; k <= SAMPLES && status == MOTE_OK; ++k) {
        status = mote_world_advance(world, period * (0.5 + (double)k / SAMPLES), NULL, error);
        sum += status == MOTE_OK ? inner_pressure(world, R) / SAMPLES : 0;
    }
    if (status == MOTE_OK) {
        snprintf(quantity, sizeof quantity, "2D, R = %g spacings: pressure [sigma/R]", radius / DX);
        validate_absolute(v, "fluids_character/laplace", quantity, sum * R / SIGMA, 1, INFINITY);
    }
    mote_world_destroy(world);
    return status;
}

static mote_status laplace(void *context, mote_error *error)
{
    MO_TRY(run_laplace(context, 0.012, error));
    MO_TRY(run_laplace(context, 0.016, error));
    return run_laplace(context, 0.020, error);
}

/* The height of the centre of mass of a cap, relative to its volume^(1/d). */
static double cap_height(int dimension, double angle)
{
    double h = 1 - cos(angle);
    if (dimension == 3) {
        return (0.75 * (2 - h) * (2 - h) / (3 - h) - (1 - h)) / cbrt(PI / 3 * h * h * (3 - h));
    }
    double area = angle - sin(angle) * cos(angle);
    return (2 * pow(sin(angle), 3) / (3 * area) - cos(angle)) / sqrt(area);
}

static double angle_of(const mote_world *world, int dimension)
{
    double volume = (double)mote_world_rows(world, 0) * pow(DX, dimension);
    double height = center_of(world).y / pow(volume, 1.0 / dimension), low = 0.05, high = PI - 0.01;
    for (int k = 0; k < 60; ++k) {
        double middle = 0.5 * (low + high);
        *(cap_height(dimension, middle) < height ? &low : &high) = middle;
    }
    return low * 180 / PI;
}

static mote_status run_cap(validation *v, int dimension, double angle, double radius, double limit,
                           mote_error *error)
{
    enum { SAMPLES = 30, SETTLE = 60 };
    char text[sizeof CAP + 60], quantity[120];
    double unit = sqrt(1000 * radius * radius * radius / SIGMA), sum = 0;
    mote_world *world;
    snprintf(text, sizeof text, CAP, dimension, angle, radius);
    MO_TRY(case_world_create(text, NULL, 0, &world, error));
    mote_status status = MOTE_OK;
    for (int k = 1; k <= SETTLE + SAMPLES && status == MOTE_OK; ++k) {
        status = mote_world_advance(world, unit * k / 20, NULL, error);
        sum += status == MOTE_OK && k > SETTLE ? angle_of(world, dimension) / SAMPLES : 0;
    }
    if (status == MOTE_OK) {
        snprintf(quantity, sizeof quantity, "%dD: contact angle of %g degrees", dimension, angle);
        validate_absolute(v, "fluids_character/contact_angle", quantity, sum, angle, limit);
    }
    mote_world_destroy(world);
    return status;
}

static mote_status contact_angle(void *context, mote_error *error)
{
    for (int dimension = 2; dimension <= 3; ++dimension) {
        double radius = dimension == 2 ? 0.014 : 0.010;
        for (double angle = 60; angle <= 120; angle += 30) {
            MO_TRY(run_cap(context, dimension, angle, radius, 10, error));
        }
    }
    return MOTE_OK;
}

static const suite_case CASES[] = {
    {"fluids_character/momentum", "Linear momentum of a free micropolar fluid.", momentum},
    {"fluids_character/micropolar", "Decay of a shear wave of a micropolar fluid.", micropolar},
    {"fluids_character/drop", "The effective tension of akinci2013.", drop},
    {"fluids_character/laplace", "Pressure in drops of surface_energy.", laplace},
    {"fluids_character/oscillation", "Rayleigh's period of drops.", oscillation},
    {"fluids_character/contact_angle", "Drops on a plate.", contact_angle},
    {0}};

const suite_group validate_fluids_character = {"fluids_character", "Surface tension and rotations.",
                                               CASES};
