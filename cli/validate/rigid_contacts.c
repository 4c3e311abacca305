/*
 * Contacts of rigid bodies: sliding, rolling, tipping, impacts; closed forms of Coulomb friction
 * and Newton's law of impact. Default substeps and solver; the time step is the default one but for
 * impacts, which are defined at 240 Hz.
 */
#include "base/error.h"
#include "math/vec3.h"
#include "validate/rigid.h"

#include <math.h>
#include <stdio.h>

static const double G = 9.81, PI = 3.14159265358979323846;

/* Steps a world until a time. */
static mote_status run_until(mote_world *world, double time, mote_error *error)
{
    while (mote_world_time(world) < time - 1e-9) {
        MO_TRY(mote_world_step(world, NULL, error));
    }
    return MOTE_OK;
}

/* A world of one body on the plane z = 0, gravity tilted by `angle` [rad] towards x. */
static mote_status one_body(const char *body, double friction, double angle, mote_world **world,
                            mote_error *error)
{
    char text[1200];
    snprintf(text, sizeof text,
             "{\"gravity\": [%.17g, 0, %.17g], \"time\": {\"end\": 100}, \"bodies\": [{\"model\": "
             "\"rigid\", \"friction\": %.17g, %s}], \"colliders\": [{\"shape\": {\"type\": "
             "\"plane\", \"normal\": [0, 0, 1]}, \"friction\": %.17g}]}",
             G * sin(angle), -G * cos(angle), friction, body, friction);
    return rigid_world(text, world, error);
}

/* ---- sliding and tipping ---- */

static const char SLAB[] =
    "\"shape\": {\"type\": \"box\", \"min\": [-0.5, -0.5, 0], \"max\": [0.5, "
    "0.5, 0.2]}, \"mass\": 3, \"velocity\": [3, 0, 0]";

mote_status rigid_sliding(void *context, mote_error *error)
{
    mote_world *world;
    MO_TRY(one_body(SLAB, 0.4, 0, &world, error));
    const double *x = rigid_column(world, "x");
    double start = x[0];
    mote_status status = run_until(world, 2, error);
    validate_relative(context, "rigid/sliding", "distance of a sliding box [m]", x[0] - start,
                      9 / (2 * 0.4 * G), 0.01);
    mote_world_destroy(world);
    return status;
}

/* Displacement of a body in one second on a slope. */
static mote_status slides(const char *body, double friction, double degrees, double *distance,
                          double *turn, mote_error *error)
{
    mote_world *world;
    MO_TRY(one_body(body, friction, degrees * PI / 180, &world, error));
    const double *x = rigid_column(world, "x"), *q = rigid_column(world, "q");
    double start = x[0];
    mote_status status = run_until(world, 1, error);
    *distance = x[0] - start;
    *turn = 2 * acos(fmin(1, fabs(q[0])));
    mote_world_destroy(world);
    return status;
}

mote_status rigid_slope(void *context, mote_error *error)
{
    static const char BLOCK[] = "\"shape\": {\"type\": \"box\", \"min\": [-0.5, -0.5, 0], \"max\": "
                                "[0.5, 0.5, 0.4]}, \"mass\": 3";
    static const char TOWER[] =
        "\"shape\": {\"type\": \"box\", \"min\": [-0.25, -0.25, 0], \"max\": "
        "[0.25, 0.25, 1]}, \"mass\": 3";
    double slip = atan(0.5) * 180 / PI, tip = atan(0.5) * 180 / PI, moved, turn;
    MO_TRY(slides(BLOCK, 0.5, slip - 0.5, &moved, &turn, error));
    validate_absolute(context, "rigid/slope", "slip half a degree below atan mu [m]", moved, 0,
                      1e-3);
    MO_TRY(slides(BLOCK, 0.5, slip + 0.5, &moved, &turn, error));
    double angle = (slip + 0.5) * PI / 180;
    validate_relative(context, "rigid/slope", "slip half a degree above it [m]", moved,
                      0.5 * G * (sin(angle) - 0.5 * cos(angle)), 0.01);
    MO_TRY(slides(TOWER, 1, tip - 0.5, &moved, &turn, error));
    validate_absolute(context, "rigid/slope", "tilt half a degree below atan(width / height) [rad]",
                      turn, 0, 1e-3);
    MO_TRY(slides(TOWER, 1, tip + 0.5, &moved, &turn, error));
    validate_at_least(context, "rigid/slope", "tilt half a degree above it, after 1 s [rad]", turn,
                      0.05, 0);
    return MOTE_OK;
}

/* ---- rolling ---- */

static const char BALL[] =
    "\"shape\": {\"type\": \"sphere\", \"center\": [0, 0, 0.5], \"radius\": 0.5}, \"mass\": 3";

mote_status rigid_rolling(void *context, mote_error *error)
{
    double angle = 20 * PI / 180, turn, moved;
    MO_TRY(slides(BALL, 0.5, 20, &moved, &turn, error));
    validate_relative(context, "rigid/rolling", "acceleration without slip [m/s^2]", 2 * moved,
                      5.0 / 7 * G * sin(angle), 0.01);
    MO_TRY(slides(BALL, 0.05, 20, &moved, &turn, error));
    validate_relative(context, "rigid/rolling", "acceleration with slip [m/s^2]", 2 * moved,
                      G * (sin(angle) - 0.05 * cos(angle)), 0.01);
    return MOTE_OK;
}

mote_status rigid_bowling(void *context, mote_error *error)
{
    char body[400];
    snprintf(body, sizeof body, "%s, \"velocity\": [7, 0, 0]", BALL);
    mote_world *world;
    MO_TRY(one_body(body, 0.2, 0, &world, error));
    const double *v = rigid_column(world, "v"), *x = rigid_column(world, "x");
    double start = x[0];
    mote_status status = run_until(world, 3, error);
    validate_relative(context, "rigid/bowling", "speed of rolling [m/s]", v[0], 5, 0.01);
    /* sliding for 2 v/(7 mu g) at the mean speed 6, rolling at 5 */
    double slides_for = 2 * 7 / (7 * 0.2 * G);
    double time = (x[0] - start - 5 * mote_world_time(world)) / (6 - 5);
    validate_relative(context, "rigid/bowling", "time of sliding [s]", time, slides_for, 0.01);
    mote_world_destroy(world);
    return status;
}

/* ---- impacts ---- */

mote_status rigid_bouncing(void *context, mote_error *error)
{
    static const char SCENE[] =
        "{\"time\": {\"end\": 10, \"step\": 0.004166666666666667}, \"bodies\": [{\"model\": \"rigid\", "
        "\"shape\": {\"type\": \"sphere\", \"center\": [0, 0, 1.1], \"radius\": 0.1}, \"mass\": 2, "
        "\"restitution\": 0.8}], \"colliders\": [{\"shape\": {\"type\": \"plane\", \"normal\": [0, 0, "
        "1]}, \"restitution\": 0.8}]}";
    mote_world *world;
    MO_TRY(rigid_world(SCENE, &world, error));
    const double *x = rigid_column(world, "x"), *v = rigid_column(world, "v");
    double before = 1, last = 0;
    mote_status status = MOTE_OK;
    for (int bounce = 0; bounce < 3 && status == MOTE_OK; ++bounce) {
        do {
            last = v[2];
            status = mote_world_step(world, NULL, error);
        } while (status == MOTE_OK && !(last < 0 && v[2] > 0) && mote_world_time(world) < 9);
        double height = x[2] - 0.1 + v[2] * v[2] / (2 * G);
        validate_relative(context, "rigid/bouncing", "ratio of heights, e = 0.8, 240 Hz",
                          height / before, 0.64, 0.01);
        before = height;
    }
    mote_world_destroy(world);
    return status;
}

/* Two spheres with finite masses, obliquely: normal impulse (1 + e) m u, friction 2/7 m of the
 * tangential velocity if it sticks, mu times the normal impulse if it slides. */
static mote_status oblique(void *context, const char *regime, double mu, double tangential,
                           mote_error *error)
{
    char text[1200], quantity[80];
    snprintf(
        text, sizeof text,
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.004166666666666667}, "
        "\"bodies\": [{\"model\": \"rigid\", \"shape\": {\"type\": \"sphere\", \"center\": [0, "
        "0, 0.500000001], \"radius\": 0.2}, \"mass\": 2, \"velocity\": [%.17g, 0, -4], "
        "\"friction\": %.17g, \"restitution\": 0.5}, {\"model\": \"rigid\", \"shape\": "
        "{\"type\": \"sphere\", \"center\": [0, 0, 0], \"radius\": 0.3}, \"mass\": 3, "
        "\"velocity\": [0, 0, 1], \"friction\": %.17g, \"restitution\": 0.5}]}",
        tangential, mu, mu);
    mote_world *world;
    MO_TRY(rigid_world(text, &world, error));
    mote_status status = mote_world_step(world, NULL, error);
    const double *v = rigid_column(world, "v");
    double reduced = 1.2, normal = 1.5 * reduced * 5;
    double friction = fmin(2.0 / 7 * reduced * tangential, mu * normal);
    snprintf(quantity, sizeof quantity, "normal velocity of the first sphere, %s [m/s]", regime);
    validate_relative(context, "rigid/oblique", quantity, v[2], -4 + normal / 2, 1e-6);
    snprintf(quantity, sizeof quantity, "tangential velocity of the first sphere, %s [m/s]",
             regime);
    validate_relative(context, "rigid/oblique", quantity, v[0], tangential - friction / 2, 1e-6);
    snprintf(quantity, sizeof quantity, "tangential velocity of the second sphere, %s [m/s]",
             regime);
    validate_relative(context, "rigid/oblique", quantity, v[3], friction / 3, 1e-6);
    mote_world_destroy(world);
    return status;
}

mote_status rigid_oblique(void *context, mote_error *error)
{
    MO_TRY(oblique(context, "sliding", 0.1, 4, error));
    return oblique(context, "sticking", 0.5, 2, error);
}

/* Five balls on rods, gaps of v h; the first comes in at v. */
mote_status rigid_cradle(void *context, mote_error *error)
{
    static const char SCENE[] =
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.004166666666666667}, \"bodies\": "
        "[{\"model\": \"rigid\", \"shape\": {\"type\": \"sphere\", \"center\": [-0.05, 0, 0], "
        "\"radius\": 0.1}, \"mass\": 1, \"velocity\": [2, 0, 0], \"friction\": 0, \"restitution\": 1}, "
        "{\"model\": \"rigid\", \"shape\": {\"type\": \"sphere\", \"center\": [0.2083333333, 0, 0], "
        "\"radius\": 0.1}, \"mass\": 1, \"friction\": 0, \"restitution\": 1, \"copies\": [{\"count\": 4, "
        "\"step\": [0.2083333333, 0, 0]}]}]}";
    mote_world *world;
    MO_TRY(rigid_world(SCENE, &world, error));
    mote_status status = run_until(world, 0.5, error);
    const double *v = rigid_column(world, "v");
    validate_relative(context, "rigid/cradle", "speed of the last ball [m/s]", v[12], 2, 0.02);
    validate_absolute(context, "rigid/cradle", "speed of the first ball [m/s]", v[0], 0, 0.02 * 2);
    mote_world_destroy(world);
    return status;
}

/* ---- stacks ---- */

/* Largest displacement of ten boxes of 1 m in 10 s; masses increase upwards by a factor in all. */
static mote_status stand(double ratio, double *moved, double *sunk, mote_error *error)
{
    char text[8000];
    int at = snprintf(text, sizeof text, "{\"time\": {\"end\": 10}, \"bodies\": [");
    for (int k = 0; k < 10; ++k) {
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "%s{\"model\": \"rigid\", \"shape\": {\"type\": \"box\", \"min\": [-0.5, "
                       "-0.5, %d], \"max\": [0.5, 0.5, %d]}, \"mass\": %.17g}",
                       k ? ", " : "", k, k + 1, 1000 * pow(ratio, k / 9.0));
    }
    snprintf(text + at, sizeof text - (size_t)at,
             "], \"colliders\": [{\"shape\": {\"type\": \"plane\", \"normal\": [0, 0, 1]}}]}");
    mote_world *world;
    MO_TRY(rigid_world(text, &world, error));
    mote_status status = run_until(world, 10, error);
    const double *x = rigid_column(world, "x");
    *moved = *sunk = 0;
    for (int k = 0; k < 10; ++k) {
        mo_vec3 d = mo_sub(mo_vec3_load(x + 3 * k), mo_vec3_make(0, 0, k + 0.5));
        double below = k ? x[3 * k - 1] + 0.5 : 0;
        *moved = fmax(*moved, mo_length(d));
        *sunk = fmax(*sunk, below - (x[3 * k + 2] - 0.5));
    }
    mote_world_destroy(world);
    return status;
}

mote_status rigid_stacks(void *context, mote_error *error)
{
    double moved, sunk;
    MO_TRY(stand(1, &moved, &sunk, error));
    validate_absolute(context, "rigid/stacks", "displacement of ten equal boxes in 10 s [m]", moved,
                      0, 1e-3);
    MO_TRY(stand(100, &moved, &sunk, error));
    validate_absolute(context, "rigid/stacks", "penetration, the top 100 times heavier [m]", sunk,
                      0, 2e-3);
    return MOTE_OK;
}
