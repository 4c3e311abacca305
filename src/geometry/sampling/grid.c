/* A box along the axes. */
#include "geometry/sampling/sampling.h"

typedef struct grid {
    mo_vec3 min, max;
    int64_t nx, ny, nz;
} grid;

static const mo_param PARAMS[] = {
    {"min", MO_VEC3, MO_FIELD(grid, min), .unit = "m", .required = true,
     .doc = "Lower corner, the first position."},
    {"max", MO_VEC3, MO_FIELD(grid, max), .unit = "m", .required = true,
     .doc = "Upper corner, the last position."},
    {"nx", MO_INT, MO_FIELD(grid, nx), .initial = "50", .range = "[1, 100000]",
     .doc = "Number of positions along x; 1: at min."},
    {"ny", MO_INT, MO_FIELD(grid, ny), .initial = "50", .range = "[1, 100000]",
     .doc = "Number of positions along y; 1: at min."},
    {"nz", MO_INT, MO_FIELD(grid, nz), .initial = "50", .range = "[1, 100000]",
     .doc = "Number of positions along z; 1: at min, for fluids in two dimensions."},
    {0}};

static mote_status grid_check(const void *params, mote_error *error)
{
    const grid *g = params;
    const int64_t count[3] = {g->nx, g->ny, g->nz};
    const double low[3] = {g->min.x, g->min.y, g->min.z}, high[3] = {g->max.x, g->max.y, g->max.z};
    for (int axis = 0; axis < 3; ++axis) {
        if (count[axis] > 1 && !(high[axis] > low[axis])) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "max: %g is not above the %g of min along %c, with several positions",
                           high[axis], low[axis], "xyz"[axis]);
        }
    }
    return mo_sampling_check_count(count, error);
}

static double step_of(double low, double high, int64_t count)
{
    return count > 1 ? (high - low) / (double)(count - 1) : 1;
}

static mo_lattice grid_lattice(const void *params)
{
    const grid *g = params;
    return (mo_lattice){3,
                        {g->nx, g->ny, g->nz},
                        g->min,
                        {mo_vec3_make(step_of(g->min.x, g->max.x, g->nx), 0, 0),
                         mo_vec3_make(0, step_of(g->min.y, g->max.y, g->ny), 0),
                         mo_vec3_make(0, 0, step_of(g->min.z, g->max.z, g->nz))}};
}

const mo_sampling_type mo_sampling_grid = {
    .base = {.name = "grid",
             .summary = "A lattice in a box along the axes.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(grid),
             .params = PARAMS,
             .check = grid_check},
    .lattice = grid_lattice,
};
