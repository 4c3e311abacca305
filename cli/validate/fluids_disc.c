/*
 * A free disc in a straining flow, with each preset (J. Monaghan 1994, J. Comput. Phys. 110, 399,
 * 4.1): without walls and gravity the velocity (A x, -A y) stays linear and the disc is an ellipse
 * with the semi-axes a and b,
 *     da/dt = A a,    db/dt = -A b,    dA/dt = A^2 (b^2 - a^2)/(a^2 + b^2),
 * which follows from p = rho A^2 a^2 b^2/(a^2 + b^2) (1 - x^2/a^2 - y^2/b^2): zero at the surface.
 * a and b of the particles are twice the root of their second moments, as in a uniform ellipse.
 */
#include "validate/fluids_presets.h"

#include "base/error.h"
#include "bench/case_world.h"

#include <math.h>

enum { AREA, LONG_AXIS, SHORT_AXIS };

static const fluids_limit LIMITS[] = {
    [AREA] = {"area at 2/A [pi R^2]", FLUIDS_RELATIVE, 0.03, 0.06},
    [LONG_AXIS] = {"long semi-axis at 2/A [R]", FLUIDS_RELATIVE, 0.03, 0},
    [SHORT_AXIS] = {"short semi-axis at 2/A [R]", FLUIDS_RELATIVE, 0.03, 0.06},
};

/* 40 particles per radius. */
static const char DISC[] =
    "{\"up\": \"y\", \"gravity\": [0, 0, 0],"
    " \"time\": {\"end\": 9, \"step\": {\"type\": \"cfl\", \"max\": 0.004}},"
    " \"fluid\": {\"dimension\": 2, \"spacing\": 0.025, \"quality\": \"%s\", \"viscosity\": 1e-6,"
    "   \"phases\": [{\"fill\": [{\"type\": \"sphere\", \"center\": [0, 0, 0], \"radius\": 1}]}]}}";

static const double RATE = 1, END = 2; /* 1/s, s */

typedef struct ellipse {
    double a, b, rate;
} ellipse;

static ellipse slope_of(ellipse e)
{
    double a = e.a * e.a, b = e.b * e.b;
    return (ellipse){e.rate * e.a, -e.rate * e.b, e.rate * e.rate * (b - a) / (a + b)};
}

/* The midpoint rule: errors of 1e-7. */
static ellipse ellipse_at(double end)
{
    enum { STEPS = 2000 };
    ellipse e = {1, 1, RATE};
    double h = end / STEPS;
    for (int k = 0; k < STEPS; ++k) {
        ellipse s = slope_of(e);
        s = slope_of((ellipse){e.a + h / 2 * s.a, e.b + h / 2 * s.b, e.rate + h / 2 * s.rate});
        e = (ellipse){e.a + h * s.a, e.b + h * s.b, e.rate + h * s.rate};
    }
    return e;
}

static void start_strain(mote_world *world)
{
    const double *x = case_column(world, "x");
    double *v = case_column(world, "v");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        v[3 * row] = RATE * x[3 * row];
        v[3 * row + 1] = -RATE * x[3 * row + 1];
    }
    mote_world_invalidate(world, 0);
}

static ellipse ellipse_of(const mote_world *world)
{
    const double *x = case_column(world, "x");
    double rows = (double)mote_world_rows(world, 0), xx = 0, yy = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        xx += x[3 * row] * x[3 * row] / rows;
        yy += x[3 * row + 1] * x[3 * row + 1] / rows;
    }
    return (ellipse){2 * sqrt(xx), 2 * sqrt(yy), 0};
}

static mote_status strain(const fluids_run *run, const void *context, mote_error *error)
{
    mote_world *world;
    (void)context;
    MO_TRY(fluids_create(run, DISC, &world, error));
    start_strain(world);
    mote_status status = mote_world_advance(world, END / RATE, NULL, error);
    if (status == MOTE_OK) {
        ellipse found = ellipse_of(world), exact = ellipse_at(END / RATE);
        fluids_judge(run, &LIMITS[AREA], found.a * found.b, 1);
        fluids_judge(run, &LIMITS[LONG_AXIS], found.a, exact.a);
        fluids_judge(run, &LIMITS[SHORT_AXIS], found.b, exact.b);
    }
    mote_world_destroy(world);
    return status;
}

mote_status fluids_disc(void *context, mote_error *error)
{
    return fluids_each_preset(context, "fluids/disc", strain, NULL, error);
}
