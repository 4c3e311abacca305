/*
 * Free rotation against Euler's solutions (L. D. Landau, E. M. Lifshitz, Mechanics, section 37).
 */
#include "base/error.h"
#include "integrate/integrator.h"
#include "validate/rigid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* ---- symmetric top ---- */

/* In the body frame w turns about the axis of symmetry at (I3 - I1) w3 / I1. */
mote_status rigid_symmetric_top(void *context, mote_error *error)
{
    static const char SCENE[] =
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 20}, \"bodies\": [{\"model\": \"rigid\", "
        "\"shape\": {\"type\": \"cylinder\", \"start\": [0, 0, 0], \"end\": [0, 0, 0.2], "
        "\"radius\": 0.5}, \"angular_velocity\": [0.8, 0, 5]}]}";
    mote_world *world;
    MO_TRY(rigid_world(SCENE, &world, error));
    const double *w = rigid_column(world, "w"), *inertia = rigid_column(world, "inertia");
    double rate = (inertia[2] - inertia[0]) * w[2] / inertia[0];
    double angle = 0, last = atan2(w[1], w[0]);
    mote_status status = MOTE_OK;
    while (status == MOTE_OK && mote_world_time(world) < 20 - 1e-9) {
        status = mote_world_step(world, NULL, error);
        double now = atan2(w[1], w[0]), turn = now - last;
        angle += turn > PI ? turn - 2 * PI : turn < -PI ? turn + 2 * PI : turn;
        last = now;
    }
    validate_relative(context, "rigid/symmetric_top", "precession in the body frame [rad/s]",
                      angle / mote_world_time(world), rate, 1e-6);
    mote_world_destroy(world);
    return status;
}

/* ---- asymmetric top ---- */

/* The complete elliptic integral K(k) by the arithmetic-geometric mean. */
static double complete_elliptic(double square)
{
    double a = 1, b = sqrt(1 - square);
    for (int k = 0; k < 12; ++k) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 0.5 * PI / a;
}

/* Half the period of the intermediate component; moments in ascending order, as is w. */
static double flip_time(const double i[3], const double w[3])
{
    double energy2 = 0, l2 = 0, a = i[0], c = i[2];
    for (int k = 0; k < 3; ++k) {
        energy2 += i[k] * w[k] * w[k];
        l2 += i[k] * i[k] * w[k] * w[k];
    }
    if (l2 < energy2 * i[1]) { /* about the axis of the smallest moment: 1 and 3 are exchanged */
        a = i[2];
        c = i[0];
    }
    double rate = sqrt((c - i[1]) * (l2 - energy2 * a) / (a * i[1] * c));
    double square = (i[1] - a) * (energy2 * c - l2) / ((c - i[1]) * (l2 - energy2 * a));
    return 2 * complete_elliptic(square) / rate;
}

mote_status rigid_asymmetric_top(void *context, mote_error *error)
{
    /* moments of a box of 0.1 x 0.6 x 1 ascend from z to x: the intermediate axis is y */
    static const char SCENE[] =
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 60}, \"bodies\": [{\"model\": \"rigid\", "
        "\"shape\": {\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.1, 0.6, 1]}, "
        "\"angular_velocity\": [0.01, 6, 0.02]}]}";
    mote_world *world;
    MO_TRY(rigid_world(SCENE, &world, error));
    const double *w = rigid_column(world, "w"), *inertia = rigid_column(world, "inertia");
    const double moments[3] = {inertia[2], inertia[1], inertia[0]}, spin[3] = {w[2], w[1], w[0]};
    double expected = flip_time(moments, spin), first = NAN, latest = NAN;
    int flips = 0;
    mote_status status = MOTE_OK;
    while (status == MOTE_OK && mote_world_time(world) < 60 - 1e-9) {
        double before = w[1], time = mote_world_time(world);
        status = mote_world_step(world, NULL, error);
        if (status == MOTE_OK && before * w[1] < 0) {
            double at = time + (mote_world_time(world) - time) * before / (before - w[1]);
            first = flips == 0 ? at : first;
            latest = at;
            ++flips;
        }
    }
    validate_at_least(context, "rigid/asymmetric_top", "flips seen in 60 s", flips, 10, 0);
    validate_relative(context, "rigid/asymmetric_top", "time from flip to flip [s]",
                      (latest - first) / (flips - 1), expected, 1e-3);
    mote_world_destroy(world);
    return status;
}

/* ---- all integrators ---- */

enum { STEPS = 100000 };
static const double STEP = 1e-3, SPIN = 1;

static mote_status start(const char *integrator, mote_world **world, mote_error *error)
{
    char text[600];
    snprintf(text, sizeof text,
             "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 100, \"step\": %g}, \"rigid\": "
             "{\"integrator\": \"%s\"}, \"bodies\": [{\"model\": \"rigid\", \"shape\": {\"type\": "
             "\"box\", \"min\": [0, 0, 0], \"max\": [0.4, 0.6, 1]}, \"velocity\": [1, 0, 0], "
             "\"angular_velocity\": [0.1, 0.9, 0.4]}]}",
             STEP, integrator);
    return rigid_world(text, world, error);
}

/* A scheme of order p errs by (w h)^(p + 1) in a step of a rotation w h: over n steps by n times
 * that, if all errors have the same sign, with a constant of order 1; rounding comes to n times
 * 1e-16 times the few operations of a step. */
static double allowed_of(int order)
{
    return STEPS * pow(SPIN * STEP, order + 1) + STEPS * 4e-16;
}

static mote_status try_integrator(validation *v, const mo_integrator_type *type, mote_error *error)
{
    mote_world *world;
    mote_measures before, after;
    char name[64];
    double l = 0, change = 0;
    MO_TRY(start(type->base.name, &world, error));
    mote_status status = mote_world_measure(world, &before, error);
    for (int k = 0; k < STEPS && status == MOTE_OK; ++k) {
        status = mote_world_step(world, NULL, error);
    }
    status = status == MOTE_OK ? mote_world_measure(world, &after, error) : status;
    mote_world_destroy(world);
    MO_TRY(status);
    snprintf(name, sizeof name, "rigid/integrators/%s", type->base.name);
    for (int k = 0; k < 3; ++k) {
        double d = after.angular_momentum[k] - before.angular_momentum[k];
        l += before.angular_momentum[k] * before.angular_momentum[k];
        change += d * d;
    }
    validate_absolute(v, name, "energy, relative change over 100,000 steps",
                      after.kinetic / before.kinetic - 1, 0, allowed_of(type->order));
    validate_absolute(v, name, "angular momentum, relative change", sqrt(change / l), 0,
                      allowed_of(type->order));
    return MOTE_OK;
}

mote_status rigid_integrators(void *context, mote_error *error)
{
    for (int k = 0; k < mo_family_count(&mo_integrators); ++k) {
        const mo_integrator_type *type =
            (const mo_integrator_type *)mo_family_at(&mo_integrators, k);
        MO_TRY(try_integrator(context, type, error));
    }
    return MOTE_OK;
}

/* ---- the rotation matrix ---- */

/* (1 + h w~) R: its columns differ from orthonormal ones by (w h)^2 at most. */
mote_status rigid_rotation_matrix(void *context, mote_error *error)
{
    static const char SCENE[] =
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001}, \"rigid\": "
        "{\"rotation\": \"rotation_matrix\", \"integrator\": \"explicit_euler\"}, \"bodies\": "
        "[{\"model\": \"rigid\", \"shape\": {\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [1, "
        "1, 1]}, \"angular_velocity\": [0, 0, 3]}]}";
    mote_world *world;
    double drift = NAN;
    MO_TRY(rigid_world(SCENE, &world, error));
    const double *w = rigid_column(world, "w"), *q = rigid_column(world, "q");
    mote_status status = MOTE_OK;
    for (int k = 0; k < 1000 && status == MOTE_OK; ++k) {
        status = mote_world_step(world, NULL, error);
    }
    for (int k = 0; k < mote_world_quantity_count(world); ++k) {
        mote_quantity number = mote_world_quantity(world, k);
        drift = strcmp(number.name, "rotation_drift") == 0 ? number.value : drift;
    }
    validate_relative(context, "rigid/rotation_matrix", "drift of a step before Gram-Schmidt",
                      drift, 9e-6, 1e-9);
    validate_relative(context, "rigid/rotation_matrix", "angular velocity after 1,000 steps", w[2],
                      3, 1e-12);
    /* each step turns by atan(w h) instead of w h */
    validate_relative(context, "rigid/rotation_matrix", "angle turned in 1 s",
                      2 * atan2(q[3], q[0]), 1000 * atan(0.003), 1e-9);
    mote_world_destroy(world);
    return status;
}
