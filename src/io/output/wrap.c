#include "io/output/wrap.h"

#include <math.h>

void mo_wrap_init(mo_wrap *w, mo_memory *memory, const mote_world *world, bool wanted)
{
    *w = (mo_wrap){.memory = memory, .domain = mote_world_domain(world)};
    const bool *p = w->domain.periodic;
    w->wanted = wanted && (p[0] || p[1] || p[2]);
}

void mo_wrap_release(mo_wrap *w)
{
    mo_release(w->memory, w->x);
    w->x = NULL;
}

/* low <= result < high. Positions inside are unchanged, to avoid rounding of x - low in a large
 * box. */
static double wrapped(double x, double low, double high)
{
    if (x >= low && x < high) {
        return x;
    }
    double length = high - low, inside = x - floor((x - low) / length) * length;
    return inside < high ? fmax(inside, low) : low;
}

mote_status mo_wrap_positions(mo_wrap *w, const mote_world *world, int system, const double **x,
                              mote_error *error)
{
    const int32_t *edges;
    int64_t rows = mote_world_rows(world, system);
    if (!w->wanted || mote_world_edges(world, system, &edges) > 0 ||
        mote_world_triangles(world, system, &edges) > 0) {
        return MOTE_OK;
    }
    void *block = w->x;
    mote_status status = mo_grow(w->memory, &block, &w->capacity, rows, 3 * sizeof(double), error);
    w->x = block;
    MO_TRY(status);
    for (int axis = 0; axis < 3; ++axis) {
        for (int64_t row = 0; row < rows; ++row) {
            double coordinate = (*x)[3 * row + axis];
            bool moves = w->domain.periodic[axis] && isfinite(coordinate);
            w->x[3 * row + axis] =
                moves ? wrapped(coordinate, w->domain.low[axis], w->domain.high[axis]) : coordinate;
        }
    }
    *x = w->x;
    return MOTE_OK;
}
