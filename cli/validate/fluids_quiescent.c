/*
 * Quiescent fluid with each preset: tanks of 40 x 20 and of 15 x 15 x 15 particles of water, filled
 * to their walls, open above.
 *     start     mass rho V and level H; the level is twice the height of the center of mass, which
 *               a jitter of the initial positions moves by some 1e-4
 *     load      of the tank, mean over the fifth second, in weights
 *     pressure  p = rho g (H - y) in layers of a spacing, means over the fifth second of particles
 *               more than 3 spacings from the sides; its slope by least squares over all layers but
 *               the lowest and the highest two
 *     rest      rms speed in sqrt(g H) after 5 s, and after 20 s in the long variant
 */
#include "validate/fluids_presets.h"

#include "base/error.h"
#include "bench/case_world.h"

#include <math.h>
#include <string.h>

enum { MASS, LEVEL, LOAD, SLOPE, LAYER, LOWEST, SPEED };

static const fluids_limit LIMITS_2D[] = {
    [MASS] = {"mass at the start [rho V]", FLUIDS_RELATIVE, 1e-12, 0},
    [LEVEL] = {"level at the start [H]", FLUIDS_RELATIVE, 1e-3, 0},
    [LOAD] = {"load on the tank [weight]", FLUIDS_RELATIVE, 0.01, 0},
    [SLOPE] = {"slope of p [rho g]", FLUIDS_RELATIVE, 0.01, 0},
    [LAYER] = {"worst layer of p [rho g H]", FLUIDS_EXCESS, 0.02, 0},
    [LOWEST] = {"excess of the lowest layer [rho g spacing]", FLUIDS_EXCESS, 0.8, 0},
    [SPEED] = {"rms speed after 5 s [sqrt(g H)]", FLUIDS_EXCESS, 0.005, 0},
};
static const fluids_limit LIMITS_3D[] = {
    [MASS] = {"mass at the start [rho V]", FLUIDS_RELATIVE, 1e-12, 0},
    [LEVEL] = {"level at the start [H]", FLUIDS_RELATIVE, 1e-3, 0},
    [LOAD] = {"load on the tank [weight]", FLUIDS_RELATIVE, 0.01, 0},
    [SLOPE] = {"slope of p [rho g]", FLUIDS_RELATIVE, 0.01, 0},
    [LAYER] = {"worst layer of p [rho g H]", FLUIDS_EXCESS, 0.02, 0},
    [LOWEST] = {"excess of the lowest layer [rho g spacing]", FLUIDS_EXCESS, 0.8, 0},
    [SPEED] = {"rms speed after 5 s [sqrt(g H)]", FLUIDS_EXCESS, 0.005, 0},
};
static const fluids_limit LIMIT_LONG = {"rms speed after 20 s [sqrt(g H)]", FLUIDS_EXCESS, 0.002,
                                        0};

static const double GRAVITY = 9.81, RHO = 1000;

typedef struct tank {
    int up, layers; /* the axis of gravity, and particles along it */
    double spacing, height, volume;
    const double *sides; /* of the container, by axis; 0: none */
    const char *text;
    const fluids_limit *limits;
} tank;

static const tank FLAT = {
    1,
    20,
    0.025,
    0.5,
    0.5,
    (const double[3]){1, 0, 0},
    "{\"up\": \"y\", \"time\": {\"end\": 99, \"step\": {\"type\": \"cfl\", \"max\": 0.004}},"
    " \"fluid\": {\"dimension\": 2, \"spacing\": 0.025, \"quality\": \"%s\", \"viscosity\": 1e-6,"
    "   \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [1, 0.5, 1]}]}]},"
    " \"colliders\": [{\"name\": \"tank\", \"inside\": true,"
    "   \"shape\": {\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [1, 1, 1]}}],"
    " \"observables\": [{\"type\": \"collider_load\", \"collider\": \"tank\"}]}",
    LIMITS_2D};

static const tank CUBE = {
    2,
    15,
    0.04,
    0.6,
    0.216,
    (const double[3]){0.6, 0.6, 0},
    "{\"time\": {\"end\": 99, \"step\": {\"type\": \"cfl\", \"max\": 0.004}},"
    " \"fluid\": {\"spacing\": 0.04, \"quality\": \"%s\", \"viscosity\": 1e-6,"
    "   \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.6, 0.6, 0.6]}]}]},"
    " \"colliders\": [{\"name\": \"tank\", \"inside\": true,"
    "   \"shape\": {\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.6, 0.6, 0.9]}}],"
    " \"observables\": [{\"type\": \"collider_load\", \"collider\": \"tank\"}]}",
    LIMITS_3D};

enum { MOST_LAYERS = 32 };

/* Sums over a second. */
typedef struct sums {
    double steps, load, count[MOST_LAYERS], height[MOST_LAYERS], pressure[MOST_LAYERS];
} sums;

static bool far_from_sides(const tank *t, const double x[3])
{
    bool far = true;
    for (int axis = 0; axis < 3; ++axis) {
        double margin = 3 * t->spacing;
        far =
            far && (t->sides[axis] == 0 || (x[axis] > margin && x[axis] < t->sides[axis] - margin));
    }
    return far;
}

static mote_status measure_sums(const tank *t, mote_world *world, sums *s, mote_error *error)
{
    const double *x = case_column(world, "x");
    const float *pressure = case_column(world, "pressure");
    double load[6];
    MO_TRY(mote_world_observe(world, 0, load, error));
    s->load -= load[t->up];
    s->steps += 1;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        int layer = (int)(x[3 * row + t->up] / t->spacing);
        if (far_from_sides(t, x + 3 * row) && layer >= 0 && layer < t->layers) {
            s->count[layer] += 1;
            s->height[layer] += x[3 * row + t->up];
            s->pressure[layer] += (double)pressure[row];
        }
    }
    return MOTE_OK;
}

/* Gradient of p over the depth, by least squares with a constant, in rho g. */
static double slope_of(const tank *t, const sums *s)
{
    double n = 0, depth = 0, p = 0, depth_depth = 0, depth_p = 0;
    for (int k = 1; k < t->layers - 2; ++k) {
        double d = t->height - s->height[k] / s->count[k],
               here = s->pressure[k] / s->count[k] / (RHO * GRAVITY);
        n += 1;
        depth += d;
        p += here;
        depth_depth += d * d;
        depth_p += d * here;
    }
    return (n * depth_p - depth * p) / (n * depth_depth - depth * depth);
}

/* p of a layer minus rho g depth, in Pa. */
static double excess_of(const tank *t, const sums *s, int layer)
{
    double depth = t->height - s->height[layer] / s->count[layer];
    return s->count[layer] > 0 ? s->pressure[layer] / s->count[layer] - RHO * GRAVITY * depth : 0;
}

static void judge_start(const fluids_run *run, const tank *t, const mote_world *world)
{
    const double *x = case_column(world, "x"), *mass = case_column(world, "mass");
    double total = 0, moment = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        total += mass[row];
        moment += mass[row] * x[3 * row + t->up];
    }
    fluids_judge(run, &t->limits[MASS], total / (RHO * t->volume), 1);
    fluids_judge(run, &t->limits[LEVEL], 2 * moment / total / t->height, 1);
}

static void judge_end(const fluids_run *run, const tank *t, const mote_world *world, const sums *s)
{
    double worst = 0, weight = RHO * GRAVITY * t->volume;
    for (int k = 1; k < t->layers; ++k) {
        worst = fmax(worst, fabs(excess_of(t, s, k)) / (RHO * GRAVITY * t->height));
    }
    fluids_judge(run, &t->limits[LOAD], s->load / s->steps / weight, 1);
    fluids_judge(run, &t->limits[SLOPE], slope_of(t, s), 1);
    fluids_judge(run, &t->limits[LAYER], worst, 0);
    fluids_judge(run, &t->limits[LOWEST], excess_of(t, s, 0) / (RHO * GRAVITY * t->spacing), 0);
    fluids_judge(run, &t->limits[SPEED], fluids_rms_speed(world) / sqrt(GRAVITY * t->height), 0);
}

static mote_status settle(const fluids_run *run, const tank *t, mote_world *world,
                          mote_error *error)
{
    sums s = {0};
    judge_start(run, t, world);
    while (mote_world_time(world) < 5) {
        MO_TRY(mote_world_step(world, NULL, error));
        if (mote_world_time(world) > 4) {
            MO_TRY(measure_sums(t, world, &s, error));
        }
    }
    judge_end(run, t, world, &s);
    return MOTE_OK;
}

static mote_status still_tank(const fluids_run *run, const void *context, mote_error *error)
{
    mote_world *world;
    MO_TRY(fluids_create(run, ((const tank *)context)->text, &world, error));
    mote_status status = settle(run, context, world, error);
    mote_world_destroy(world);
    return status;
}

static mote_status long_tank(const fluids_run *run, const void *context, mote_error *error)
{
    const tank *t = context;
    mote_world *world;
    MO_TRY(fluids_create(run, t->text, &world, error));
    mote_status status = mote_world_advance(world, 20, NULL, error);
    if (status == MOTE_OK) {
        fluids_judge(run, &LIMIT_LONG, fluids_rms_speed(world) / sqrt(GRAVITY * t->height), 0);
    }
    mote_world_destroy(world);
    return status;
}

mote_status fluids_quiescent_2d(void *context, mote_error *error)
{
    return fluids_each_preset(context, "fluids/quiescent_2d", still_tank, &FLAT, error);
}

mote_status fluids_quiescent_3d(void *context, mote_error *error)
{
    return fluids_each_preset(context, "fluids/quiescent_3d", still_tank, &CUBE, error);
}

mote_status fluids_quiescent_2d_long(void *context, mote_error *error)
{
    return fluids_each_preset(context, "fluids_long/quiescent_2d", long_tank, &FLAT, error);
}

mote_status fluids_quiescent_3d_long(void *context, mote_error *error)
{
    return fluids_each_preset(context, "fluids_long/quiescent_3d", long_tank, &CUBE, error);
}
