/*
 * Taylor-Green vortices: G. I. Taylor, A. E. Green 1937, Proc. R. Soc. Lond. A 158, 499, in the
 * plane:
 *     v = U (sin kx cos ky, -cos kx sin ky, 0),    k = 2 pi/length.
 * In two dimensions it decays as exp(-2 nu k^2 t) without changing its shape.
 */
#include "geometry/flow/flow.h"

#include <math.h>

typedef struct taylor_green {
    double speed, length;
    mo_vec3 origin;
} taylor_green;

static const mo_param PARAMS[] = {
    {"speed", MO_REAL, MO_FIELD(taylor_green, speed), .unit = "m/s", .required = true,
     .range = "[0, inf)", .doc = "Maximum speed."},
    {"length", MO_REAL, MO_FIELD(taylor_green, length), .unit = "m", .required = true,
     .range = "(0, inf)", .doc = "Period along x and y, the width of two eddies."},
    {"origin", MO_VEC3, MO_FIELD(taylor_green, origin), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "A common corner of four eddies."},
    {0}};

static mo_vec3 taylor_green_velocity(const void *params, mo_vec3 position)
{
    const taylor_green *t = params;
    double k = 2 * 3.14159265358979323846 / t->length;
    mo_vec3 x = mo_scale(k, mo_sub(position, t->origin));
    return mo_vec3_make(t->speed * sin(x.x) * cos(x.y), -t->speed * cos(x.x) * sin(x.y), 0);
}

const mo_flow_type mo_flow_taylor_green = {
    .base = {.name = "taylor_green",
             .summary = "Taylor-Green vortices: a periodic array of counter-rotating eddies with "
                        "an analytic decay rate.",
             .citation = "Taylor, Green 1937, Proc. R. Soc. Lond. A 158, 499",
             .param_size = sizeof(taylor_green),
             .params = PARAMS},
    .velocity = taylor_green_velocity,
};
