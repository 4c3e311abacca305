/*
 * Rigid bodies together: the heavy symmetric top, a hanging chain, dominoes, Newton's cradle on
 * strings.
 */
#include "base/error.h"
#include "math/quat.h"
#include "validate/rigid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double G = 9.81, PI = 3.14159265358979323846;

/* ---- the heavy symmetric top ---- */

/* A disk on a weightless axle that turns about a pivot at the origin. */
typedef struct top {
    double mass, radius, thickness, l, tilt, i1, i3;
} top;

static top make_top(void)
{
    top t = {.mass = 1, .radius = 0.2, .thickness = 0.04, .l = 0.2, .tilt = 0.5};
    double r2 = t.radius * t.radius;
    t.i3 = 0.5 * t.mass * r2;
    t.i1 = t.mass * (r2 / 4 + t.thickness * t.thickness / 12 + t.l * t.l);
    return t;
}

/* At the rate W of precession, with the total spin w3 about the axis, which is tilted towards x. */
static mote_status spin_top(const top *t, double rate, double w3, mote_world **world,
                            mote_error *error)
{
    mo_vec3 axis = {sin(t->tilt), 0, cos(t->tilt)}, up = {0, 0, 1};
    mo_vec3 w = mo_add_scaled(mo_scale(rate, up), w3 - rate * axis.z, axis);
    mo_vec3 low = mo_scale(t->l - t->thickness / 2, axis), v = mo_cross(w, mo_scale(t->l, axis));
    mo_vec3 high = mo_scale(t->l + t->thickness / 2, axis);
    char text[1000];
    snprintf(
        text, sizeof text,
        "{\"time\": {\"end\": 10}, \"bodies\": [{\"name\": \"top\", \"model\": \"rigid\", "
        "\"shape\": {\"type\": \"cylinder\", \"start\": [%.17g, 0, %.17g], \"end\": [%.17g, 0, "
        "%.17g], \"radius\": %.17g}, \"mass\": %.17g, \"velocity\": [%.17g, %.17g, %.17g], "
        "\"angular_velocity\": [%.17g, %.17g, %.17g]}], \"joints\": [{\"type\": \"ball\", "
        "\"bodies\": [\"top\"], \"point\": [0, 0, 0]}]}",
        low.x, low.z, high.x, high.z, t->radius, t->mass, v.x, v.y, v.z, w.x, w.y, w.z);
    return rigid_world(text, world, error);
}

/* Steady precession: I1 W^2 cos(tilt) - I3 w3 W + m g l = 0. */
static mote_status precess(void *context, const char *quantity, double sign, mote_error *error)
{
    top t = make_top();
    double w3 = 120, spin = t.i3 * w3, a = t.i1 * cos(t.tilt), load = t.mass * G * t.l;
    double rate = (spin + sign * sqrt(spin * spin - 4 * a * load)) / (2 * a);
    double angle = 0, last = 0, end = fmin(6 * PI / rate, 4);
    mote_world *world;
    MO_TRY(spin_top(&t, rate, w3, &world, error));
    const double *x = rigid_column(world, "x");
    mote_status status = MOTE_OK;
    while (status == MOTE_OK && mote_world_time(world) < end) {
        status = mote_world_step(world, NULL, error);
        double now = atan2(x[1], x[0]);
        angle += remainder(now - last, 2 * PI);
        last = now;
    }
    validate_relative(context, "rigid/heavy_top", quantity, angle / mote_world_time(world), rate,
                      0.01);
    mote_world_destroy(world);
    return status;
}

/* Released without precession, a fast top nutates at nearly I3 w3 / I1. */
static mote_status nutate(void *context, mote_error *error)
{
    top t = make_top();
    double w3 = 400, first = -1, last = -1, x[3];
    int turns = 0;
    mote_world *world;
    MO_TRY(spin_top(&t, 0, w3, &world, error));
    const double *now = rigid_column(world, "x");
    double before = now[2], middle = now[2], then = 0;
    mote_status status = MOTE_OK;
    while (status == MOTE_OK && mote_world_time(world) < 2) {
        status = mote_world_step(world, NULL, error);
        if (middle > before && middle >= now[2] &&
            then > 0) { /* a maximum of the height: parabola */
            double h = mote_world_time(world) - then;
            memcpy(x, (double[]){before, middle, now[2]}, sizeof x);
            last = then + 0.5 * h * (x[0] - x[2]) / (x[0] - 2 * x[1] + x[2]);
            first = turns++ ? first : last;
        }
        before = middle;
        middle = now[2];
        then = mote_world_time(world);
    }
    validate_relative(context, "rigid/heavy_top", "nutation [rad/s]",
                      2 * PI * (turns - 1) / (last - first), t.i3 * w3 / t.i1, 0.01);
    mote_world_destroy(world);
    return status;
}

mote_status rigid_heavy_top(void *context, mote_error *error)
{
    MO_TRY(precess(context, "slow precession [rad/s]", -1, error));
    MO_TRY(precess(context, "fast precession [rad/s]", 1, error));
    return nutate(context, error);
}

/* ---- the catenary ---- */

/* A chain of 40 links of 0.1 m is laid out straight; its ends are joined to the world and to a
 * collider, which moves in until their distance is 3 m. */
mote_status rigid_catenary(void *context, mote_error *error)
{
    static const char SCENE[] =
        "{\"time\": {\"end\": 12}, \"bodies\": [{\"name\": \"link\", \"model\": \"rigid\", "
        "\"shape\": {\"type\": \"box\", \"min\": [0, -0.01, -0.01], \"max\": [0.1, 0.01, 0.01]}, "
        "\"mass\": 0.1, \"copies\": [{\"count\": 40, \"step\": [0.1, 0, 0]}], \"collides\": false, "
        "\"linear_damping\": 2}], \"colliders\": [{\"name\": \"hand\", \"shape\": {\"type\": "
        "\"sphere\", \"center\": [4, 0, 0], \"radius\": 0.05}, \"motion\": {\"type\": "
        "\"translate\", \"velocity\": [-0.5, 0, 0], \"end\": 2, \"easing\": \"smooth\"}}], "
        "\"joints\": [{\"type\": "
        "\"ball\", \"bodies\": [\"link\"], \"point\": [0, 0, 0]}, {\"type\": \"ball\", \"bodies\": "
        "[\"link\"], \"chain\": true, \"point\": [0.1, 0, 0]}, {\"name\": \"end\", \"type\": "
        "\"ball\", \"bodies\": [\"link\"], \"copies\": [-1], \"collider\": \"hand\", \"point\": [4, "
        "0, 0]}]}";
    double length = 4, span = 3, low = 0.1, high = 100; /* a of z = a cosh(x / a) */
    for (int k = 0; k < 100; ++k) {
        double a = 0.5 * (low + high);
        if (2 * a * sinh(span / (2 * a)) > length) {
            low = a;
        } else {
            high = a;
        }
    }
    double sag = low * (cosh(span / (2 * low)) - 1), lowest = 0;
    mote_world *world;
    mote_joint end = {0};
    MO_TRY(rigid_world(SCENE, &world, error));
    mote_status status = mote_world_advance(world, 12, NULL, error);
    const double *x = rigid_column(world, "x");
    for (int k = 0; k < 40; ++k) {
        lowest = fmin(lowest, x[3 * k + 2]);
    }
    mote_world_joint_find(world, "end", 0, &end);
    validate_relative(context, "rigid/catenary", "sag of a chain [m]", -lowest, sag, 0.01);
    validate_relative(context, "rigid/catenary", "horizontal force at its end [N]", end.force[0],
                      low * G, 0.01); /* 1 kg/m */
    validate_relative(context, "rigid/catenary", "vertical force at its end [N]", end.force[2],
                      0.5 * 4 * G, 0.01);
    mote_world_destroy(world);
    return status;
}

/* ---- dominoes ---- */

enum { DOMINOES = 40 };

/* Each turns about the lower edge of its front: feet that do not slide, and do not tip back. */
static mote_status dominoes(mote_world **world, mote_error *error)
{
    static char text[40000];
    const double pitch = 0.579, thickness = 0.179;
    int at = snprintf(text, sizeof text,
                      "{\"time\": {\"end\": 20}, \"bodies\": [{\"name\": \"domino\", \"model\": "
                      "\"rigid\", \"shape\": {\"type\": \"box\", \"min\": [%.17g, -0.25, 0], "
                      "\"max\": [0, 0.25, 1]}, \"mass\": 1, \"friction\": 0, \"copies\": "
                      "[{\"count\": %d, \"step\": [%.17g, 0, 0]}]}], \"joints\": [",
                      -thickness, DOMINOES, pitch);
    for (int k = 0; k < DOMINOES; ++k) {
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "%s{\"type\": \"hinge\", \"bodies\": [\"domino\"], \"copies\": [%d], "
                       "\"point\": [%.17g, 0, 0], \"axis\": [0, 1, 0], \"lower\": 0}",
                       k ? ", " : "", k, pitch * k);
    }
    snprintf(text + at, sizeof text - (size_t)at, "]}");
    return rigid_world(text, world, error);
}

/* The speed of the wave from domino 20 to 39, in sqrt(g H). */
mote_status rigid_dominoes(void *context, mote_error *error)
{
    enum { FROM = 20, TO = DOMINOES - 1 };
    mote_world *world;
    MO_TRY(dominoes(&world, error));
    const double *x = rigid_column(world, "x");
    double *w = rigid_column(world, "w"), *v = rigid_column(world, "v"), start[2] = {0, 0}, edge[2];
    edge[0] = x[3 * FROM];
    edge[1] = x[3 * TO];
    /* the first is pushed about its foot */
    double push = 1.5;
    const double *q = rigid_column(world, "q");
    mo_vec3 turn = mo_quat_rotate(mo_quat_conjugate(mo_quat_load(q)), mo_vec3_make(0, push, 0));
    mo_vec3_store(w, turn);
    mo_vec3_store(v, mo_vec3_make(0.5 * push, 0, 0.0895 * push));
    mote_world_invalidate(world, mote_world_system_find(world, "rigid"));
    mote_status status = MOTE_OK;
    while (status == MOTE_OK && mote_world_time(world) < 19 && start[1] == 0) {
        status = mote_world_step(world, NULL, error);
        for (int k = 0; k < 2; ++k) {
            if (start[k] == 0 && x[3 * (k ? TO : FROM)] > edge[k] + 1e-4) {
                start[k] = mote_world_time(world);
            }
        }
    }
    validate_relative(context, "rigid/dominoes", "speed of the wave [sqrt(g H)]",
                      0.579 * (TO - FROM) / (start[1] - start[0]) / sqrt(G), 1.74, 0.05);
    mote_world_destroy(world);
    return status;
}

/* ---- Newton's cradle on strings ---- */

/* Five balls on strings of 1 m, the first raised by 30 degrees: the last leaves with the speed of
 * the first, sqrt(2 g (1 - cos 30 degrees)), and rises to its height. */
mote_status rigid_cradle_strings(void *context, mote_error *error)
{
    char text[4000];
    double tilt = PI / 6;
    int at = snprintf(text, sizeof text,
                      "{\"time\": {\"end\": 2}, \"bodies\": [{\"name\": \"first\", \"model\": "
                      "\"rigid\", \"shape\": {\"type\": \"sphere\", \"center\": [%.17g, 0, %.17g], "
                      "\"radius\": 0.05}, \"mass\": 1, \"restitution\": 1, \"friction\": 0}, "
                      "{\"name\": \"ball\", \"model\": \"rigid\", \"shape\": {\"type\": "
                      "\"sphere\", \"center\": [0.1, 0, 0], \"radius\": 0.05}, \"mass\": 1, "
                      "\"restitution\": 1, \"friction\": 0, \"copies\": [{\"count\": 4, \"step\": "
                      "[0.1, 0, 0]}]}], \"joints\": [{\"type\": \"distance\", \"bodies\": "
                      "[\"first\"], \"point\": [%.17g, 0, %.17g], \"other\": [0, 0, 1], \"rope\": "
                      "true}",
                      -sin(tilt), 1 - cos(tilt), -sin(tilt), 1 - cos(tilt));
    for (int k = 0; k < 4; ++k) {
        at += snprintf(text + at, sizeof text - (size_t)at,
                       ", {\"type\": \"distance\", \"bodies\": [\"ball\"], \"copies\": [%d], "
                       "\"point\": [%.17g, 0, 0], \"other\": [%.17g, 0, 1], \"rope\": true}",
                       k, 0.1 * (k + 1), 0.1 * (k + 1));
    }
    snprintf(text + at, sizeof text - (size_t)at, "]}");
    mote_world *world;
    MO_TRY(rigid_world(text, &world, error));
    const double *x = rigid_column(world, "x"), *v = rigid_column(world, "v");
    double fastest = 0, highest = 0, others = 0, speed = sqrt(2 * G * (1 - cos(tilt)));
    mote_status status = MOTE_OK;
    while (status == MOTE_OK && mote_world_time(world) < 1.1) {
        status = mote_world_step(world, NULL, error);
        fastest = fmax(fastest, mo_length(mo_vec3_load(v + 12)));
        highest = fmax(highest, x[14]);
        for (int k = 0; k < 4 && fastest > 0.5 * speed; ++k) {
            others = fmax(others, mo_length(mo_vec3_load(v + 3 * k)));
        }
    }
    validate_relative(context, "rigid/cradle_strings", "speed of the last ball [m/s]", fastest,
                      speed, 0.02);
    validate_relative(context, "rigid/cradle_strings", "rise of the last ball [m]", highest,
                      1 - cos(tilt), 0.02);
    validate_at_most(context, "rigid/cradle_strings", "speed of the others, of the first's",
                     others / speed, 0.1, 0);
    mote_world_destroy(world);
    return status;
}
