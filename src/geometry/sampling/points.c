/* Single positions. The simplest member, as a template. */
#include "geometry/sampling/sampling.h"

typedef struct points {
    mo_list positions;
} points;

static const mo_param PARAMS[] = {{"positions", MO_VEC3, .list = true, MO_FIELD(points, positions),
                                   .unit = "m", .required = true, .doc = "The positions."},
                                  {0}};

static mote_status points_check(const void *params, mote_error *error)
{
    const points *p = params;
    return p->positions.count > 0
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_INPUT, "positions: at least one is needed");
}

static mo_list points_points(const void *params)
{
    return ((const points *)params)->positions;
}

const mo_sampling_type mo_sampling_points = {
    .base = {.name = "points",
             .summary = "Single positions.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(points),
             .params = PARAMS,
             .check = points_check},
    .points = points_points,
};
