/*
 * Joints of rigid bodies: pendulums, the catenary, the gyroscope, a loaded chain.
 */
#include "base/error.h"
#include "math/vec3.h"
#include "validate/rigid.h"

#include <math.h>
#include <stdio.h>

static const double G = 9.81;

/* A pendulum of small spheres on hinges about y, at rest along x. `extra`: members of the scene. */
static mote_status pendulum(int bobs, const char *extra, mote_world **world, mote_error *error)
{
    char text[2000];
    int at = snprintf(text, sizeof text, "{%s, \"bodies\": [", extra);
    for (int k = 0; k < bobs; ++k) {
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "%s{\"name\": \"bob%d\", \"model\": \"rigid\", \"shape\": {\"type\": "
                       "\"sphere\", \"center\": [%d, 0, 0], \"radius\": 0.01}, \"mass\": 1}",
                       k ? ", " : "", k, k + 1);
    }
    at += snprintf(text + at, sizeof text - (size_t)at, "], \"joints\": [");
    for (int k = 0; k < bobs; ++k) {
        char other[20] = "";
        if (k) {
            snprintf(other, sizeof other, ", \"bob%d\"", k - 1);
        }
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "%s{\"type\": \"hinge\", \"bodies\": [\"bob%d\"%s], \"point\": [%d, 0, 0], "
                       "\"axis\": [0, 1, 0]}",
                       k ? ", " : "", k, other, k);
    }
    snprintf(text + at, sizeof text - (size_t)at, "]}");
    return rigid_world(text, world, error);
}

/* Released at 90 degrees: T = 4 K(sin 45 degrees) sqrt(l / g), l with the sphere's own inertia. */
mote_status rigid_pendulum(void *context, mote_error *error)
{
    mote_world *world;
    MO_TRY(pendulum(1, "\"time\": {\"end\": 30}", &world, error));
    const double *x = rigid_column(world, "x");
    double first = -1, last = -1;
    int crossings = 0;
    mote_status status = MOTE_OK;
    while (status == MOTE_OK && mote_world_time(world) < 25) {
        double before = x[0], then = mote_world_time(world);
        status = mote_world_step(world, NULL, error);
        if ((before > 0) != (x[0] > 0)) {
            last = then + (mote_world_time(world) - then) * before / (before - x[0]);
            first = crossings++ ? first : last;
        }
    }
    validate_relative(context, "rigid/pendulum", "period at 90 degrees [s]",
                      2 * (last - first) / (crossings - 1),
                      7.416298709205487 * sqrt((1 + 0.4e-4) / G), 1e-3);
    mote_world_destroy(world);
    return status;
}

/* ---- RATTLE ---- */

static double energy(const double *x, const double *v, int bobs)
{
    double sum = 0; /* the spheres' own rotation is 4e-5 of it */
    for (int k = 0; k < bobs; ++k) {
        mo_vec3 u = mo_vec3_load(v + 3 * k);
        sum += 0.5 * mo_dot(u, u) + G * x[3 * k + 2];
    }
    return sum;
}

static mote_status drift(void *context, int bobs, double allowed, mote_error *error)
{
    static const char DIRECT[] = "\"time\": {\"end\": 10000, \"step\": 0.004166666666666667}, "
                                 "\"rigid\": {\"solver\": \"direct\", \"substeps\": 1}";
    mote_world *world;
    MO_TRY(pendulum(bobs, DIRECT, &world, error));
    const double *x = rigid_column(world, "x"), *v = rigid_column(world, "v");
    double mean = 0; /* over the last period: it oscillates within one */
    int number = 0;
    mote_status status = MOTE_OK;
    while (status == MOTE_OK && mote_world_time(world) < 10000 - 1e-6) {
        status = mote_world_step(world, NULL, error);
        if (mote_world_time(world) > 9990) {
            mean += energy(x, v, bobs);
            ++number;
        }
    }
    char quantity[80];
    snprintf(quantity, sizeof quantity, "energy drift in 10^4 s, %d bobs, of m g l", bobs);
    validate_absolute(context, "rigid/direct", quantity, mean / (number * G), 0, allowed);
    mote_world_destroy(world);
    return status;
}

mote_status rigid_direct(void *context, mote_error *error)
{
    MO_TRY(drift(context, 1, 1e-3, error));
    return drift(context, 2, 1e-2, error);
}

/* ---- gyroscope ---- */

/* A disk on a horizontal axle, 0.5 m from the pivot: W = m g l / (I3 w) for fast spin, started at
 * that rate of precession, so that it does not nutate. */
mote_status rigid_gyroscope(void *context, mote_error *error)
{
    double mass = 2, radius = 0.3, thickness = 0.05, l = 0.5, spin = 400;
    double moment = 0.5 * mass * radius * radius, rate = mass * G * l / (moment * spin);
    char text[1200];
    snprintf(
        text, sizeof text,
        "{\"time\": {\"end\": 5}, \"bodies\": [{\"name\": \"disk\", \"model\": \"rigid\", "
        "\"shape\": {\"type\": \"cylinder\", \"start\": [%.17g, 0, 0], \"end\": [%.17g, 0, 0], "
        "\"radius\": %.17g}, \"mass\": %.17g, \"angular_velocity\": [%.17g, 0, %.17g], "
        "\"velocity\": [0, %.17g, 0]}], \"joints\": [{\"type\": \"ball\", \"bodies\": "
        "[\"disk\"], \"point\": [0, 0, 0]}]}",
        l - thickness / 2, l + thickness / 2, radius, mass, spin, rate, rate * l);
    mote_world *world;
    MO_TRY(rigid_world(text, &world, error));
    const double *x = rigid_column(world, "x");
    double angle = 0, last = 0;
    mote_status status = MOTE_OK;
    while (status == MOTE_OK && mote_world_time(world) < 4) {
        status = mote_world_step(world, NULL, error);
        double now = atan2(x[1], x[0]), turn = remainder(now - last, 2 * 3.14159265358979323846);
        angle += turn;
        last = now;
    }
    validate_relative(context, "rigid/gyroscope", "precession [rad/s]",
                      angle / mote_world_time(world), rate, 0.01);
    mote_world_destroy(world);
    return status;
}

/* ---- chains ---- */

/* 50 links of 0.2 m and a weight of 1,000 links: the stretch of the whole. */
mote_status rigid_chain(void *context, mote_error *error)
{
    static const char SCENE[] =
        "{\"time\": {\"end\": 5}, \"bodies\": [{\"name\": \"link\", \"model\": \"rigid\", \"shape\": "
        "{\"type\": \"box\", \"min\": [-0.02, -0.02, -0.2], \"max\": [0.02, 0.02, 0]}, \"mass\": 1, "
        "\"copies\": [{\"count\": 50, \"step\": [0, 0, -0.2]}], \"collides\": false}, {\"name\": "
        "\"weight\", \"model\": \"rigid\", \"shape\": {\"type\": \"sphere\", \"center\": [0, 0, "
        "-10.3], \"radius\": 0.3}, \"mass\": 1000, \"velocity\": [2, 0, 0], \"collides\": false}], "
        "\"joints\": [{\"type\": \"ball\", \"bodies\": [\"link\"], \"point\": [0, 0, 0]}, {\"type\": "
        "\"ball\", \"bodies\": [\"link\"], \"chain\": true, \"point\": [0, 0, -0.2]}, {\"type\": "
        "\"ball\", \"bodies\": [\"link\", \"weight\"], \"copies\": [-1, 0], \"point\": [0, 0, -10]}]}";
    mote_world *world;
    MO_TRY(rigid_world(SCENE, &world, error));
    const double *x = rigid_column(world, "x");
    double longest = 0;
    mote_status status = MOTE_OK;
    while (status == MOTE_OK && mote_world_time(world) < 5 - 1e-9) {
        status = mote_world_step(world, NULL, error);
        longest = fmax(longest, mo_length(mo_vec3_load(x + 150)));
    }
    validate_at_most(context, "rigid/chain", "largest stretch of a chain under 1,000 links",
                     longest / 10.3 - 1, 0.01, 0);
    mote_world_destroy(world);
    return status;
}
