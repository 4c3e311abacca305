/* Mass properties of rigid bodies as a scene builds them, and sums over tetrahedra of a mesh. */
#include "base/error.h"
#include "validate/rigid.h"

#include <math.h>
#include <stdio.h>

static const double PI = 3.14159265358979323846, ALLOWED = 1e-12;

/* The principal moments of a body of density 1, in ascending order, and its mass. */
static mote_status moments_of(const char *shape, double moments[3], double *mass, mote_error *error)
{
    char text[1200];
    mote_world *world;
    snprintf(text, sizeof text,
             "{\"time\": {\"end\": 1}, \"bodies\": [{\"model\": \"rigid\", \"density\": 1, "
             "\"collides\": false, %s}]}",
             shape);
    MO_TRY(rigid_world(text, &world, error));
    const double *inertia = rigid_column(world, "inertia");
    *mass = rigid_column(world, "mass")[0];
    for (int k = 0; k < 3; ++k) {
        moments[k] = inertia[k];
    }
    for (int k = 0; k < 2; ++k) {
        for (int n = 0; n < 2; ++n) {
            double a = moments[n], b = moments[n + 1];
            moments[n] = fmin(a, b);
            moments[n + 1] = fmax(a, b);
        }
    }
    mote_world_destroy(world);
    return MOTE_OK;
}

static mote_status check(validation *v, const char *name, const char *shape, double mass, double a,
                         double b, double c, mote_error *error)
{
    double found[3], reference[3] = {a, b, c}, m, worst = 0;
    char quantity[96];
    MO_TRY(moments_of(shape, found, &m, error));
    for (int k = 0; k < 3; ++k) {
        worst = fmax(worst, fabs(found[k] / reference[k] - 1));
    }
    snprintf(quantity, sizeof quantity, "%s: mass [kg]", name);
    validate_relative(v, "rigid/inertia", quantity, m, mass, ALLOWED);
    snprintf(quantity, sizeof quantity, "%s: principal moments, relative error", name);
    validate_absolute(v, "rigid/inertia", quantity, worst, 0, ALLOWED);
    return MOTE_OK;
}

mote_status rigid_inertia(void *context, mote_error *error)
{
    double r = 0.5, h = 2, ball = 4.0 / 3 * PI * r * r * r, tube = PI * r * r * h, cone = tube / 3;
    MO_TRY(check(context, "sphere",
                 "\"shape\": {\"type\": \"sphere\", \"center\": [9, 8, 7], \"radius\": 0.5}", ball,
                 0.4 * ball * r * r, 0.4 * ball * r * r, 0.4 * ball * r * r, error));
    MO_TRY(check(context, "box",
                 "\"shape\": {\"type\": \"box\", \"min\": [9, 8, 7], \"max\": [10, 10, 10]}", 6,
                 0.5 * 5, 0.5 * 10, 0.5 * 13, error));
    MO_TRY(check(context, "cylinder, tilted",
                 "\"shape\": {\"type\": \"cylinder\", \"start\": [0, 0, 0], \"end\": [1.2, 1.6, "
                 "0], \"radius\": 0.5}",
                 tube, 0.5 * tube * r * r, tube * (3 * r * r + h * h) / 12,
                 tube * (3 * r * r + h * h) / 12, error));
    MO_TRY(check(context, "cone",
                 "\"shape\": {\"type\": \"cone\", \"start\": [0, 0, 3], \"end\": [0, 0, 5], "
                 "\"radius\": 0.5}",
                 cone, 0.3 * cone * r * r, cone * (0.15 * r * r + 3.0 / 80 * h * h),
                 cone * (0.15 * r * r + 3.0 / 80 * h * h), error));
    double across =
        tube * (h * h / 12 + r * r / 4) + ball * (0.4 * r * r + h * h / 4 + 0.375 * h * r);
    MO_TRY(check(context, "capsule",
                 "\"shape\": {\"type\": \"capsule\", \"start\": [0, 0, 3], \"end\": [0, 0, 5], "
                 "\"radius\": 0.5}",
                 tube + ball, 0.5 * tube * r * r + 0.4 * ball * r * r, across, across, error));
    /* a bar of two cubes of side 1 is a box */
    MO_TRY(check(context, "compound of two cubes",
                 "\"shapes\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [1, 1, 1]}, "
                 "{\"type\": \"box\", \"min\": [1, 0, 0], \"max\": [2, 1, 1]}]",
                 2, 2.0 / 6, 2 * 5.0 / 12, 2 * 5.0 / 12, error));
    /* a block of tetrahedra is measured by its closed surface */
    return check(context, "closed mesh of a block",
                 "\"mesh\": {\"type\": \"block\", \"min\": [0, 0, 0], \"max\": [1, 2, 3], "
                 "\"nx\": 3, \"ny\": 4, \"nz\": 5}",
                 6, 0.5 * 5, 0.5 * 10, 0.5 * 13, error);
}
