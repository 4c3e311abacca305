/*
 * Floating and sinking bodies against Archimedes and potential flow, by default methods.
 *
 * Draft: the water level follows from the volume of the fluid: errors of a fill do not count, and
 * with the areas A of the tank and B of the body, level = (V + B draft)/A, and at equilibrium the
 * draft is the density ratio times the height.
 *
 * Added mass: a sphere in unbounded fluid accelerates by (s - 1) g/(s + 1/2), s the density ratio.
 * The radius is 2.8 spacings, of which the fluid beside the surface, dragged along, is half a
 * spacing: the added mass is reported, not compared.
 */
#include "validate/coupled.h"

#include "base/error.h"
#include "bench/case_world.h"

#include <math.h>

static const double G = 9.81;

/* ---- draft ---- */

static const char POND[] =
    "{\"up\": \"y\", \"time\": {\"end\": 99}, \"rigid\": {\"dimension\": 2},"
    " \"fluid\": {\"dimension\": 2, \"spacing\": %g, \"phases\": [{\"fill\": [{\"type\": \"box\","
    "   \"min\": [0, 0, -1], \"max\": [1, 0.4, 1]}]}]},"
    " \"colliders\": [{\"name\": \"tank\", \"inside\": true, \"shape\": {\"type\": \"box\","
    "   \"min\": [0, 0, -1], \"max\": [1, 1, 1]}}],"
    " \"bodies\": [{\"name\": \"box\", \"model\": \"rigid\", \"density\": %g, \"shape\": {\"type\":"
    "   \"box\", \"min\": [0.35, %g, -0.5], \"max\": [0.65, %g, 0.5]}}]}";

static const double WIDTH = 0.3, HEIGHT = 0.16;

static double volume_of(const mote_world *world)
{
    const double *mass = coupled_column(world, "fluid", "mass");
    double sum = 0;
    for (int64_t k = 0; k < coupled_rows(world, "fluid"); ++k) {
        sum += mass[k] / 1000;
    }
    return sum;
}

/* The mean draft over the last second. */
static mote_status find_draft(double spacing, double ratio, double *draft, mote_error *error)
{
    enum { SAMPLES = 20 };
    char text[sizeof POND + 100];
    mote_world *world;
    double low = 0.4 - HEIGHT * ratio;
    snprintf(text, sizeof text, POND, spacing, 1000 * ratio, low, low + HEIGHT);
    MO_TRY(case_world_create(text, NULL, 0, &world, error));
    mote_status status = mote_world_advance(world, 5, NULL, error);
    *draft = 0;
    for (int k = 1; k <= SAMPLES && status == MOTE_OK; ++k) {
        status = mote_world_advance(world, 5 + 1.0 * k / SAMPLES, NULL, error);
        const double *x = coupled_column(world, "rigid", "x");
        double bottom = x[1] - 0.5 * HEIGHT;
        *draft += (volume_of(world) - bottom) / (1 - WIDTH) / SAMPLES;
    }
    mote_world_destroy(world);
    return status;
}

mote_status coupled_draft(void *context, mote_error *error)
{
    static const double SPACINGS[] = {0.02, 0.01}, RATIOS[] = {0.1, 0.5, 0.9};
    for (int s = 0; s < 2; ++s) {
        for (int r = 0; r < 3; ++r) {
            char quantity[120];
            double draft;
            MO_TRY(find_draft(SPACINGS[s], RATIOS[r], &draft, error));
            snprintf(quantity, sizeof quantity, "density ratio %g, spacing %g m: draft [height]",
                     RATIOS[r], SPACINGS[s]);
            validate_absolute(context, "coupled/draft", quantity, draft / HEIGHT, RATIOS[r], 0.03);
        }
    }
    return MOTE_OK;
}

/* ---- added mass ---- */

static const char BALL[] =
    "{\"time\": {\"end\": 99, \"step\": 0.002}, \"fluid\": {\"spacing\": 0.05, \"phases\": [{\"fill\":"
    "   [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [1.2, 1.2, 1.2]}]}]},"
    " \"colliders\": [{\"name\": \"tank\", \"inside\": true, \"shape\": {\"type\": \"box\","
    "   \"min\": [0, 0, 0], \"max\": [1.2, 1.2, 2]}}],"
    " \"bodies\": [{\"name\": \"ball\", \"model\": \"rigid\", \"density\": %g, \"shape\":"
    "   {\"type\": \"sphere\", \"center\": [0.6, 0.6, 0.6], \"radius\": 0.14}}]}";

/* Quiescent fluid around a fixed ball, which is then released: the mean acceleration of the next 10
 * to 40 ms, in which it moves by a tenth of its radius or less. */
static mote_status find_acceleration(double ratio, double *a, mote_error *error)
{
    enum { SETTLED = 150, FIRST = SETTLED + 5, LAST = SETTLED + 20 };
    char text[sizeof BALL + 40];
    mote_world *world;
    double start = 0, from = 0, inverse_mass = 0;
    snprintf(text, sizeof text, BALL, 1000 * ratio);
    MO_TRY(case_world_create(text, NULL, 0, &world, error));
    mote_status status = MOTE_OK;
    double *inverse = coupled_column(world, "rigid", "inverse_mass");
    inverse_mass = *inverse;
    *inverse = 0;
    for (int k = 0; k < LAST && status == MOTE_OK; ++k) {
        if (k == SETTLED) {
            *inverse = inverse_mass;
        }
        status = mote_world_step(world, NULL, error);
        if (k == FIRST) {
            start = ((const double *)coupled_column(world, "rigid", "v"))[2];
            from = mote_world_time(world);
        }
    }
    const double *v = coupled_column(world, "rigid", "v");
    *a = (v[2] - start) / (mote_world_time(world) - from);
    mote_world_destroy(world);
    return status;
}

mote_status coupled_added_mass(void *context, mote_error *error)
{
    static const double RATIOS[] = {0.001, 0.5, 2};
    for (int k = 0; k < 3; ++k) {
        char quantity[120];
        double a, s = RATIOS[k];
        MO_TRY(find_acceleration(s, &a, error));
        snprintf(quantity, sizeof quantity,
                 "sphere of density ratio %g: added mass [displaced mass]", s);
        validate_absolute(context, "coupled/added_mass", quantity, (1 - s) * G / a - s, 0.5,
                          INFINITY);
    }
    return MOTE_OK;
}
