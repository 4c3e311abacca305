/* A rectangle: a corner and two orthogonal sides. */
#include "geometry/sampling/sampling.h"

typedef struct plane {
    mo_vec3 corner, side, other_side;
    int64_t columns, rows;
} plane;

static const mo_param PARAMS[] = {
    {"corner", MO_VEC3, MO_FIELD(plane, corner), .unit = "m", .required = true,
     .doc = "First position, a corner."},
    {"side", MO_VEC3, MO_FIELD(plane, side), .unit = "m", .required = true,
     .doc = "Vector from the corner along the first side."},
    {"other_side", MO_VEC3, MO_FIELD(plane, other_side), .unit = "m", .required = true,
     .doc = "Vector from the corner along the second side, orthogonal to the first."},
    {"columns", MO_INT, MO_FIELD(plane, columns), .initial = "100", .range = "[2, 100000]",
     .doc = "Number of positions along the first side."},
    {"rows", MO_INT, MO_FIELD(plane, rows), .initial = "100", .range = "[2, 100000]",
     .doc = "Number of positions along the second side."},
    {0}};

static mote_status plane_check(const void *params, mote_error *error)
{
    const plane *p = params;
    double a = mo_length(p->side), b = mo_length(p->other_side);
    if (!(a > 0 && b > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%s: it has no length",
                       a > 0 ? "other_side" : "side");
    }
    if (fabs(mo_dot(p->side, p->other_side)) > 1e-6 * a * b) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "other_side: it is not orthogonal to `side`: (%g, %g, %g) and (%g, %g, %g)",
                       p->other_side.x, p->other_side.y, p->other_side.z, p->side.x, p->side.y,
                       p->side.z);
    }
    return mo_sampling_check_count((const int64_t[3]){p->columns, p->rows, 1}, error);
}

static mo_lattice plane_lattice(const void *params)
{
    const plane *p = params;
    mo_vec3 zero = mo_vec3_make(0, 0, 0);
    return (mo_lattice){2,
                        {p->columns, p->rows, 1},
                        p->corner,
                        {mo_sampling_step(zero, p->side, p->columns),
                         mo_sampling_step(zero, p->other_side, p->rows),
                         mo_unit(mo_cross(p->side, p->other_side), mo_vec3_make(0, 0, 1))}};
}

const mo_sampling_type mo_sampling_plane = {
    .base = {.name = "plane",
             .summary = "A lattice on a rectangle of any orientation.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(plane),
             .params = PARAMS,
             .check = plane_check},
    .lattice = plane_lattice,
};
