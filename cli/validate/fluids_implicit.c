/*
 * Implicit viscosities at steps far beyond the limit of explicit ones.
 *
 * Couette start-up at a Reynolds number of 0.01: a plate moves at U = 0.1 m/s at the distance L =
 * 0.4 m from a fixed one, nu = 4 m^2/s. The velocity is the series of Couette flow,
 *     u = U y/L + sum_n 2 U/(n pi) (-1)^n exp(-n^2 pi^2 nu t/L^2) sin(n pi y/L).
 * Steps are 3.4 times the explicit limit, 68 times for the steady state. Errors are the largest of
 * all particles, relative to U.
 *
 * Shear wave: v = U e sin(k . x) in a periodic box of 40 spacings, e orthogonal to k. A backward
 * Euler step divides it by 1 + h nu k^2; compared is the nu that follows from the amplitude.
 *
 * Disc: a free disc of a very viscous fluid rotates rigidly. A viscous force that conserves angular
 * momentum does not change it; other forms brake the disc at its free surface. The limit of 1e-6 is
 * the rounding of single precision over 100 steps.
 */
#include "validate/fluids.h"

#include "base/error.h"
#include "bench/case_world.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* A form of viscosity, and the parts of a scene that it needs. */
typedef struct form {
    const char *name;
    const char *viscosity; /* members of its object; with `nu`, "nu" follows */
    bool nu;
    const char *spacing; /* of the channel [m] */
    double couette;      /* allowed error; INFINITY: reported only */
    double wave;         /* allowed error of the shear wave; 0: not measured */
    bool turns;          /* conserves angular momentum */
} form;

static const form FORMS[] = {
    {"implicit_corotational", "\"type\": \"implicit_corotational\"", true, "0.02", 0.03, 0.05,
     true},
    {"weiler2018", "\"type\": \"weiler2018\"", true, "0.02", 0.03, 0.05, true},
    /* anisotropic on a lattice, at any spacing */
    {"weiler2018, cubic", "\"type\": \"weiler2018\", \"kernel\": \"cubic\"", true, "0.02", INFINITY,
     INFINITY, true},
    /* its sums at walls are one-sided: first order in the spacing */
    {"takahashi2015", "\"type\": \"takahashi2015\"", true, "0.02", INFINITY, 0.05, false},
    {"takahashi2015", "\"type\": \"takahashi2015\"", true, "0.005", 0.035, 0, false},
    /* without units: a wave decays to (1 + xi)/2 in a step, steady Couette flow is linear */
    {"peer2015", "\"type\": \"peer2015\"", false, "0.02", 0.03, 0.05, true},
};
enum { FORM_COUNT = sizeof FORMS / sizeof *FORMS };

/* The object of a form. */
static const char *object_of(const form *f, double nu, char text[200])
{
    if (f->nu) {
        snprintf(text, 200, "{%s, \"nu\": %g}", f->viscosity, nu);
    } else {
        snprintf(text, 200, "{%s}", f->viscosity);
    }
    return text;
}

/* ---- Couette start-up ---- */

static const double LID = 0.1, GAP = 0.4, NU = 4;

static const char CHANNEL[] =
    "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": %s},"
    " \"domain\": {\"min\": [0, -1, -1], \"max\": [0.3, 1, 1], \"periodic\": \"x\"},"
    " \"fluid\": {\"dimension\": 2, \"spacing\": %s, \"viscosity\": %s,"
    "   \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [0.3, 0.4, 1]}]}]},"
    " \"colliders\": [{\"shape\": {\"type\": \"plane\", \"point\": [0, 0, 0], \"normal\": [0, 1, 0]}},"
    "   {\"shape\": {\"type\": \"plane\", \"point\": [0, 0.4, 0], \"normal\": [0, -1, 0]},"
    "    \"motion\": {\"type\": \"translate\", \"velocity\": [0.1, 0, 0]}}]}";

static double couette(double y, double time)
{
    double u = LID * y / GAP;
    for (int n = 1; n < 200; ++n) {
        double rate = n * n * PI * PI * NU / (GAP * GAP);
        u += 2 * LID / (n * PI) * (n % 2 ? -1 : 1) * exp(-rate * time) * sin(n * PI * y / GAP);
    }
    return u;
}

static double worst_error(const mote_world *world)
{
    const double *x = case_column(world, "x"), *v = case_column(world, "v");
    double worst = 0, time = mote_world_time(world);
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        worst = fmax(worst, fabs(v[3 * row] - couette(x[3 * row + 1], time)) / LID);
    }
    return worst;
}

/* The channel with this step, compared at `count` times. */
static mote_status run_channel(validation *v, const form *f, const char *step, const double *times,
                               int count, mote_error *error)
{
    char text[sizeof CHANNEL + 300], quantity[120], object[200];
    mote_world *world;
    snprintf(text, sizeof text, CHANNEL, step, f->spacing, object_of(f, NU, object));
    MO_TRY(case_world_create(text, NULL, 0, &world, error));
    mote_status status = MOTE_OK;
    for (int k = 0; k < count && status == MOTE_OK; ++k) {
        status = mote_world_advance(world, times[k], NULL, error);
        if (status == MOTE_OK) {
            snprintf(quantity, sizeof quantity, "%s, spacing %s m, steps of %s s: u at %g s [U]",
                     f->name, f->spacing, step, times[k]);
            validate_at_most(v, "fluids_implicit/couette", quantity, worst_error(world), 0,
                             f->couette);
        }
    }
    mote_world_destroy(world);
    return status;
}

static mote_status start_up(void *context, mote_error *error)
{
    static const double EARLY[] = {0.002, 0.005}, LATE[] = {0.06};
    for (int k = 0; k < FORM_COUNT; ++k) {
        if (FORMS[k].nu) {
            MO_TRY(run_channel(context, &FORMS[k], "0.0001", EARLY, 2, error));
        }
        MO_TRY(run_channel(context, &FORMS[k], "0.002", LATE, 1, error));
    }
    return MOTE_OK;
}

/* ---- shear waves ---- */

static const char BOX[] =
    "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.01},"
    " \"domain\": {\"min\": [0, 0, -1], \"max\": [1, 1, 1], \"periodic\": \"xy\"},"
    " \"fluid\": {\"dimension\": 2, \"spacing\": 0.025, \"support\": 3,"
    "   \"artificial_viscosity\": 0, \"viscosity\": %s,"
    "   \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [1, 1, 1]}]}]}}";

/* The wave at a particle: sin(k . x). */
static double wave_at(const double x[3], int diagonal)
{
    return sin(2 * PI * (x[1] + (diagonal ? x[0] : 0)));
}

/* Sets the wave of amplitude 1e-4 m/s; then, of the particles, its component along x. */
static void start_wave(mote_world *world, int diagonal)
{
    const double *x = case_column(world, "x");
    double *v = case_column(world, "v");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        v[3 * row] = 1e-4 * wave_at(x + 3 * row, diagonal);
        v[3 * row + 1] = diagonal ? -v[3 * row] : 0;
    }
    mote_world_invalidate(world, 0);
}

static double amplitude_of(const mote_world *world, int diagonal)
{
    const double *x = case_column(world, "x"), *v = case_column(world, "v");
    double sum = 0, squares = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        double wave = wave_at(x + 3 * row, diagonal);
        sum += wave * v[3 * row];
        squares += wave * wave;
    }
    return sum / squares;
}

static mote_status run_wave(validation *v, const form *f, int diagonal, mote_error *error)
{
    static const double H = 0.01, VISCOSITY = 50.66;
    char text[sizeof BOX + 300], quantity[120], object[200];
    mote_world *world;
    mote_step_report report;
    snprintf(text, sizeof text, BOX, object_of(f, VISCOSITY, object));
    MO_TRY(case_world_create(text, NULL, 0, &world, error));
    start_wave(world, diagonal);
    mote_status status = mote_world_step(world, &report, error);
    if (status == MOTE_OK) {
        double square = (1 + diagonal) * 4 * PI * PI;
        double nu = (1e-4 / amplitude_of(world, diagonal) - 1) / (H * square);
        snprintf(quantity, sizeof quantity, "%s, R = 3, lattice, %s: nu", f->name,
                 diagonal ? "a diagonal" : "an axis");
        if (f->nu) {
            validate_relative(v, "fluids_implicit/shear_wave", quantity, nu, VISCOSITY, f->wave);
        } else {
            snprintf(quantity, sizeof quantity, "%s, xi = 0.5, %s: amplitude after a step", f->name,
                     diagonal ? "a diagonal" : "an axis");
            validate_relative(v, "fluids_implicit/shear_wave", quantity,
                              1e4 * amplitude_of(world, diagonal), 0.75, f->wave);
        }
    }
    mote_world_destroy(world);
    return status;
}

static mote_status shear_wave(void *context, mote_error *error)
{
    for (int k = 0; k < 2 * FORM_COUNT; ++k) {
        if (FORMS[k / 2].wave > 0) {
            MO_TRY(run_wave(context, &FORMS[k / 2], k % 2, error));
        }
    }
    return MOTE_OK;
}

/* ---- a power law ---- */

/* nu = K g^(n - 1) at the shear rate g: in a channel of half width a with the body force G the
 * velocity is U (1 - |y/a|^(1 + 1/n)), U = n/(n + 1) (G/K)^(1/n) a^(1 + 1/n) (R. Bird, R.
 * Armstrong, O. Hassager 1987, Dynamics of Polymeric Liquids). G = 1 m/s^2, K = 1 m^2/s^(2 - n). */
static const char POWER[] =
    "{\"up\": \"y\", \"gravity\": [1, 0, 0], \"time\": {\"end\": 9, \"step\": %s},"
    " \"domain\": {\"min\": [0, -1, -1], \"max\": [0.3, 1.4, 1], \"periodic\": \"x\"},"
    " \"fluid\": {\"dimension\": 2, \"spacing\": %g, \"pressure\": \"%s\", \"viscosity\": {\"type\": \"%s\","
    "   \"nu\": 1, \"law\": {\"type\": \"power_law\", \"exponent\": %g, \"least\": 0,"
    "   \"most\": %g}},"
    "   \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [0.3, 1, 1]}]}]},"
    " \"colliders\": [{\"shape\": {\"type\": \"plane\", \"point\": [0, 0, 0], \"normal\": [0, 1, 0]}},"
    "   {\"shape\": {\"type\": \"plane\", \"point\": [0, 1, 0], \"normal\": [0, -1, 0]}}]}";

static double power_error(const mote_world *world, double n)
{
    const double *x = case_column(world, "x"), *v = case_column(world, "v");
    double half = 0.5, top = n / (n + 1) * pow(half, 1 + 1 / n), worst = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        double u = top * (1 - pow(fabs(x[3 * row + 1] - half) / half, 1 + 1 / n));
        worst = fmax(worst, fabs(v[3 * row] - u) / top);
    }
    return worst;
}

/* Explicit viscosity takes steps in which dfsph is noisy, and strain by noise thins the fluid. */
typedef struct channel {
    const char *method, *pressure, *step;
    double exponent, spacing, most, allowed;
} channel;

static mote_status run_power(validation *v, const channel *c, mote_error *error)
{
    char text[sizeof POWER + 300], quantity[120];
    mote_world *world;
    snprintf(text, sizeof text, POWER, c->step, c->spacing, c->pressure, c->method, c->exponent,
             c->most);
    MO_TRY(case_world_create(text, NULL, 0, &world, error));
    mote_status status = mote_world_advance(world, 2, NULL, error);
    if (status == MOTE_OK) {
        snprintf(quantity, sizeof quantity, "%s, n = %g, %g particles across: error of u [U]",
                 c->method, c->exponent, 1 / c->spacing);
        validate_at_most(v, "fluids_implicit/power_law", quantity, power_error(world, c->exponent),
                         0, c->allowed);
    }
    mote_world_destroy(world);
    return status;
}

static mote_status power_law(void *context, mote_error *error)
{
    static const char EXPLICIT[] = "{\"type\": \"cfl\", \"max\": 0.005}";
    static const channel CHANNELS[] = {
        {"implicit_corotational", "dfsph", "0.005", 0.5, 0.05, 1000, 0.06},
        {"implicit_corotational", "dfsph", "0.005", 0.5, 0.025, 1000, 0.03},
        {"implicit_corotational", "dfsph", "0.005", 1.5, 0.05, 1000, 0.03},
        {"corotational", "wcsph", EXPLICIT, 0.5, 0.05, 4, 0.06},
    };
    for (size_t k = 0; k < sizeof CHANNELS / sizeof *CHANNELS; ++k) {
        MO_TRY(run_power(context, &CHANNELS[k], error));
    }
    return MOTE_OK;
}

/* ---- a rotating disc ---- */

static const char DISC[] =
    "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.005},"
    " \"fluid\": {\"dimension\": 2, \"spacing\": 0.0125, \"viscosity\": %s,"
    "   \"phases\": [{\"fill\": [{\"type\": \"sphere\", \"center\": [0, 0, 0], \"radius\": 0.25}]}]}}";

static double angular_momentum(const mote_world *world)
{
    const double *x = case_column(world, "x"), *v = case_column(world, "v");
    double sum = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        sum += x[3 * row] * v[3 * row + 1] - x[3 * row + 1] * v[3 * row];
    }
    return sum;
}

/* Rigid rotation at 1 rad/s. */
static void start_rotation(mote_world *world)
{
    const double *x = case_column(world, "x");
    double *v = case_column(world, "v");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        v[3 * row] = -x[3 * row + 1];
        v[3 * row + 1] = x[3 * row];
    }
    mote_world_invalidate(world, 0);
}

static mote_status run_disc(validation *v, const form *f, mote_error *error)
{
    char text[sizeof DISC + 300], quantity[120], object[200];
    mote_world *world;
    snprintf(text, sizeof text, DISC, object_of(f, 1, object));
    MO_TRY(case_world_create(text, NULL, 0, &world, error));
    start_rotation(world);
    double before = angular_momentum(world);
    mote_status status = mote_world_advance(world, 0.5, NULL, error);
    if (status == MOTE_OK) {
        snprintf(quantity, sizeof quantity, "%s: loss of angular momentum in 0.5 s", f->name);
        validate_absolute(v, "fluids_implicit/disc", quantity, 1 - angular_momentum(world) / before,
                          0, f->turns ? 1e-6 : INFINITY);
    }
    mote_world_destroy(world);
    return status;
}

static mote_status disc(void *context, mote_error *error)
{
    for (int k = 0; k < FORM_COUNT; ++k) {
        if (FORMS[k].wave > 0) {
            MO_TRY(run_disc(context, &FORMS[k], error));
        }
    }
    return MOTE_OK;
}

static const suite_case CASES[] = {
    {"fluids_implicit/couette", "Start-up of Couette flow at a Reynolds number of 0.01.", start_up},
    {"fluids_implicit/shear_wave", "A shear wave after a step of 20 decay times.", shear_wave},
    {"fluids_implicit/power_law", "Shear thinning and thickening fluid in a channel.", power_law},
    {"fluids_implicit/disc", "Angular momentum of a rotating disc with a free surface.", disc},
    {0}};

const suite_group validate_fluids_implicit = {"fluids_implicit", "Implicit viscosity.", CASES};
