/* Equidistant positions on a line segment, its ends included. */
#include "geometry/sampling/sampling.h"

typedef struct line {
    mo_vec3 from, to;
    int64_t count;
} line;

static const mo_param PARAMS[] = {
    {"from", MO_VEC3, MO_FIELD(line, from), .unit = "m", .required = true,
     .doc = "First position."},
    {"to", MO_VEC3, MO_FIELD(line, to), .unit = "m", .required = true, .doc = "Last position."},
    {"count", MO_INT, MO_FIELD(line, count), .initial = "100", .range = "[2, 100000000]",
     .doc = "Number of positions."},
    {0}};

static mote_status line_check(const void *params, mote_error *error)
{
    const line *l = params;
    return mo_length(mo_sub(l->to, l->from)) > 0
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_INPUT, "to: it is the same point as `from`");
}

/* Any two directions complete the lattice. */
static mo_lattice line_lattice(const void *params)
{
    const line *l = params;
    mo_vec3 step = mo_sampling_step(l->from, l->to, l->count);
    mo_vec3 unit = mo_unit(step, mo_vec3_make(1, 0, 0)), second = mo_perpendicular(unit);
    return (mo_lattice){1, {l->count, 1, 1}, l->from, {step, second, mo_cross(unit, second)}};
}

const mo_sampling_type mo_sampling_line = {
    .base = {.name = "line",
             .summary = "Equidistant positions on a line segment.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(line),
             .params = PARAMS,
             .check = line_check},
    .lattice = line_lattice,
};
