/*
 * Vortices: Taylor-Green vortices, whose decay is known, and the lid-driven cavity of U. Ghia, K.
 * Ghia, C. Shin 1982, J. Comput. Phys. 48, 387, table I; with each preset at 50 x 50 particles, and
 * with `accurate` at other spacings in the long variant.
 */
#include "base/error.h"
#include "validate/fluids_flows.h"
#include "validate/fluids_presets.h"

#include <math.h>
#include <stdlib.h>

static const fluids_limit DECAY[] = {
    {"speed by energy at 0.25 s [m/s]", FLUIDS_RELATIVE, 0.03, 0.12},
    {"speed by energy at 0.5 s [m/s]", FLUIDS_RELATIVE, 0.03, 0.14},
    {"speed by energy at 1 s [m/s]", FLUIDS_RELATIVE, 0.03, 0.18}};
static const fluids_limit FASTEST = {"largest speed at 1 s [m/s]", FLUIDS_RELATIVE, 0.03, 0.18};
static const fluids_limit CAVITY = {"worst u on x = 1/2 [speed of the lid]", FLUIDS_EXCESS, 0.03,
                                    0.06};

static const double PI = 3.14159265358979323846;

/* ---- Taylor-Green, U = L = 1 ---- */

/* The amplitude by the energy (the mean of v^2 is U^2/2), and by the maximum speed. */
static void amplitudes(const mote_world *world, double *energy, double *fastest)
{
    const double *v = flows_column(world, "v");
    int64_t rows = mote_world_rows(world, 0);
    double sum = 0, most = 0;
    for (int64_t row = 0; row < rows; ++row) {
        double square = v[3 * row] * v[3 * row] + v[3 * row + 1] * v[3 * row + 1];
        sum += square / (double)rows;
        most = fmax(most, square);
    }
    *energy = sqrt(2 * sum);
    *fastest = sqrt(most);
}

static const double TIMES[] = {0.25, 0.5, 1};

static double decayed(double time)
{
    return exp(-8 * PI * PI * time / 100);
}

static mote_status decay_preset(const fluids_run *run, const void *context, mote_error *error)
{
    mote_world *world;
    const case_change changes[] = {{"fluid.quality", run->preset}, {0}};
    (void)context;
    MO_TRY(flows_create("taylor_green", changes, &world, error));
    mote_status status = MOTE_OK;
    for (int k = 0; k < 3 && status == MOTE_OK; ++k) {
        status = mote_world_advance(world, TIMES[k], NULL, error);
        if (status == MOTE_OK) {
            double energy, fastest;
            amplitudes(world, &energy, &fastest);
            fluids_judge(run, &DECAY[k], energy, decayed(TIMES[k]));
            if (k == 2) {
                fluids_judge(run, &FASTEST, fastest, decayed(TIMES[k]));
            }
        }
    }
    mote_world_destroy(world);
    return status;
}

mote_status fluids_taylor_green(void *context, mote_error *error)
{
    return fluids_each_preset(context, "fluids/taylor_green", decay_preset, NULL, error);
}

static mote_status decay(validation *v, const char *spacing, double allowed, mote_error *error)
{
    mote_world *world;
    const case_change changes[] = {{"fluid.spacing", spacing}, {0}};
    MO_TRY(flows_create("taylor_green", changes, &world, error));
    mote_status status = MOTE_OK;
    for (int k = 0; k < 3 && status == MOTE_OK; ++k) {
        status = mote_world_advance(world, TIMES[k], NULL, error);
        if (status == MOTE_OK) {
            char quantity[100];
            double energy, fastest, exact = decayed(TIMES[k]);
            amplitudes(world, &energy, &fastest);
            snprintf(quantity, sizeof quantity, "speed by energy at %g s, spacing %s m", TIMES[k],
                     spacing);
            validate_relative(v, "fluids_long/taylor_green", quantity, energy, exact, allowed);
            snprintf(quantity, sizeof quantity, "largest speed at %g s, spacing %s m", TIMES[k],
                     spacing);
            validate_relative(v, "fluids_long/taylor_green", quantity, fastest, exact, allowed);
        }
    }
    mote_world_destroy(world);
    return status;
}

mote_status fluids_taylor_green_long(void *context, mote_error *error)
{
    MO_TRY(decay(context, "0.04", 0.05, error)); /* half the resolution of the case above */
    return decay(context, "0.01", 0.03, error);
}

/* ---- lid-driven cavity ---- */

static const double GHIA[][2] = {{0.1016, -0.06434}, {0.1719, -0.10150}, {0.2813, -0.15662},
                                 {0.4531, -0.21090}, {0.5, -0.20581},    {0.6172, -0.13641},
                                 {0.7344, 0.00332},  {0.8516, 0.23151},  {0.9766, 0.84123}};
enum { POINTS = sizeof GHIA / sizeof *GHIA, SAMPLES = 20 };

/* A local linear fit through the values of the particles around a point, with weights (1 -
 * r^2/R^2)^2. Wall and lid are data points too, since they may be nearer than any particle. */
typedef struct plane_fit {
    double s[3][3], b[3];
} plane_fit;

static void fit_add(plane_fit *fit, double dx, double dy, double reach, double value)
{
    double q = (dx * dx + dy * dy) / (reach * reach), row[3] = {1, dx, dy};
    double weight = q < 1 ? (1 - q) * (1 - q) : 0;
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            fit->s[a][b] += weight * row[a] * row[b];
        }
        fit->b[a] += weight * row[a] * value;
    }
}

/* The first of the three unknowns, by Cramer's rule. */
static double fit_solve(const plane_fit *f)
{
    double c[3], d = 0, n = 0;
    for (int a = 0; a < 3; ++a) { /* cofactors of the first column */
        int p = (a + 1) % 3, q = (a + 2) % 3;
        c[a] = f->s[p][1] * f->s[q][2] - f->s[p][2] * f->s[q][1];
        d += c[a] * f->s[a][0];
        n += c[a] * f->b[a];
    }
    return n / d;
}

static double velocity_at(const mote_world *world, double spacing, double x, double y)
{
    const double *position = flows_column(world, "x"), *v = flows_column(world, "v");
    double reach = 2.5 * spacing;
    plane_fit fit = {{{0}}, {0}};
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        fit_add(&fit, position[3 * row] - x, position[3 * row + 1] - y, reach, v[3 * row]);
    }
    for (int k = -3; k <= 3; ++k) {
        fit_add(&fit, k * spacing, 1 - y, reach, 1);
        fit_add(&fit, k * spacing, -y, reach, 0);
    }
    return fit_solve(&fit);
}

/* The mean over two seconds, which averages the noise. */
static mote_status average_profile(mote_world *world, double spacing, double u[POINTS],
                                   mote_error *error)
{
    for (int k = 0; k < POINTS; ++k) {
        u[k] = 0;
    }
    for (int n = 0; n < SAMPLES; ++n) {
        MO_TRY(mote_world_advance(world, mote_world_time(world) + 2.0 / SAMPLES, NULL, error));
        for (int k = 0; k < POINTS; ++k) {
            u[k] += velocity_at(world, spacing, 0.5, GHIA[k][0]) / SAMPLES;
        }
    }
    return MOTE_OK;
}

/* Steady state: the turnover time is some 8 s. */
static mote_status slide(mote_world *world, double spacing, double u[POINTS], flows_error *e,
                         mote_error *error)
{
    *e = (flows_error){0, 0};
    MO_TRY(mote_world_advance(world, 14, NULL, error));
    MO_TRY(average_profile(world, spacing, u, error));
    for (int k = 0; k < POINTS; ++k) {
        double off = fabs(u[k] - GHIA[k][1]);
        e->worst = off > e->worst || isnan(off) ? off : e->worst;
        e->rms += off * off / POINTS;
    }
    e->rms = sqrt(e->rms);
    return MOTE_OK;
}

static mote_status cavity_preset(const fluids_run *run, const void *context, mote_error *error)
{
    double u[POINTS];
    flows_error e;
    mote_world *world;
    const case_change changes[] = {{"fluid.quality", run->preset}, {0}};
    (void)context;
    MO_TRY(flows_create("lid_driven_cavity", changes, &world, error));
    mote_status status = slide(world, 0.02, u, &e, error);
    mote_world_destroy(world);
    MO_TRY(status);
    fluids_judge(run, &CAVITY, e.worst, 0);
    return MOTE_OK;
}

mote_status fluids_cavity(void *context, mote_error *error)
{
    return fluids_each_preset(context, "fluids/cavity", cavity_preset, NULL, error);
}

/* Reports all points, at another spacing. */
static mote_status slide_at(validation *v, double spacing, double allowed, mote_error *error)
{
    char size[40];
    double u[POINTS];
    flows_error e;
    mote_world *world;
    snprintf(size, sizeof size, "%g", spacing);
    const case_change changes[] = {{"fluid.spacing", size}, {0}};
    MO_TRY(flows_create("lid_driven_cavity", changes, &world, error));
    mote_status status = slide(world, spacing, u, &e, error);
    mote_world_destroy(world);
    MO_TRY(status);
    for (int k = 0; k < POINTS; ++k) {
        char quantity[100];
        snprintf(quantity, sizeof quantity, "u at (0.5, %.4f), spacing %g m", GHIA[k][0], spacing);
        validate_absolute(v, "fluids_long/cavity", quantity, u[k], GHIA[k][1], allowed);
    }
    flows_judge(v, "fluids_long/cavity", " u", spacing, e, allowed);
    return MOTE_OK;
}

mote_status fluids_cavity_long(void *context, mote_error *error)
{
    MO_TRY(slide_at(context, 0.04, INFINITY, error));
    return slide_at(context, 0.0125, 0.03, error);
}
