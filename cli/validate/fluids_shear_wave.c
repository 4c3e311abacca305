/*
 * Shear waves with each preset, in a periodic square of 40 x 40 particles: v = U e sin(k . x), e
 * orthogonal to k, decays by exp(-nu k^2 t). The amplitude is the projection on the wave, until it
 * has decayed to a half; the Reynolds number U L/nu is 5, and in that time the fastest particles
 * move by some three spacings.
 */
#include "validate/fluids_presets.h"

#include "base/error.h"
#include "bench/case_world.h"

#include <math.h>

static const fluids_limit LIMITS[] = {
    {"nu along an axis [nu asked for]", FLUIDS_RELATIVE, 0.03, 0},
    {"nu along a diagonal [nu asked for]", FLUIDS_RELATIVE, 0.03, 0},
};

static const char BOX[] =
    "{\"up\": \"y\", \"gravity\": [0, 0, 0],"
    " \"time\": {\"end\": 9, \"step\": {\"type\": \"cfl\", \"max\": 0.004}},"
    " \"domain\": {\"min\": [0, 0, -1], \"max\": [1, 1, 1], \"periodic\": \"xy\"},"
    " \"fluid\": {\"dimension\": 2, \"spacing\": 0.025, \"quality\": \"%s\", \"viscosity\": 0.02,"
    "   \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [1, 1, 1]}]}]}}";

static const double PI = 3.14159265358979323846, NU = 0.02, SPEED = 0.1;

typedef struct wave {
    double k[2], e[2];
} wave;

static wave wave_along(int diagonal)
{
    double part = sqrt(0.5);
    return diagonal ? (wave){{2 * PI, 2 * PI}, {part, -part}} : (wave){{0, 2 * PI}, {1, 0}};
}

static void start_wave(mote_world *world, wave w)
{
    const double *x = case_column(world, "x");
    double *v = case_column(world, "v");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        double size = SPEED * sin(w.k[0] * x[3 * row] + w.k[1] * x[3 * row + 1]);
        v[3 * row] = size * w.e[0];
        v[3 * row + 1] = size * w.e[1];
    }
    mote_world_invalidate(world, 0);
}

static double amplitude_of(const mote_world *world, wave w)
{
    const double *x = case_column(world, "x"), *v = case_column(world, "v");
    double sum = 0, square = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        double phase = sin(w.k[0] * x[3 * row] + w.k[1] * x[3 * row + 1]);
        sum += phase * (v[3 * row] * w.e[0] + v[3 * row + 1] * w.e[1]);
        square += phase * phase;
    }
    return sum / square;
}

static mote_status decay(const fluids_run *run, const void *context, mote_error *error)
{
    (void)context;
    for (int diagonal = 0; diagonal < 2; ++diagonal) {
        wave w = wave_along(diagonal);
        double square = w.k[0] * w.k[0] + w.k[1] * w.k[1];
        mote_world *world;
        MO_TRY(fluids_create(run, BOX, &world, error));
        start_wave(world, w);
        mote_status status = mote_world_advance(world, log(2) / (NU * square), NULL, error);
        double nu = log(SPEED / amplitude_of(world, w)) / (square * mote_world_time(world));
        mote_world_destroy(world);
        MO_TRY(status);
        fluids_judge(run, &LIMITS[diagonal], nu / NU, 1);
    }
    return MOTE_OK;
}

mote_status fluids_shear_wave(void *context, mote_error *error)
{
    return fluids_each_preset(context, "fluids/shear_wave", decay, NULL, error);
}
