/*
 * Places on kept lists. Rows have moved a little in the store since the lists were made. Without periods the places of the
 * search are the store's own array. With them a place is the row moved by whole periods, and which they were is seen from where
 * the search has it: rows never move half a period within a step. An image is its row's place and its own periods.
 */
#include "fluid/sph/fluid.h"

#include <math.h>

enum { GRAIN = 4096 };

/* Places of a set, and where its rows are now. */
typedef struct repacking {
    mo_fluid *fluid;
    mo_places places;
    int64_t rows;
    const double *x;
    float *place;
} repacking;

/* Where place k is now, along an axis. */
static double place_now(const repacking *r, int64_t k, int axis)
{
    const mo_domain *domain = &r->fluid->domain;
    int64_t row = k < r->rows ? k : r->places.owner[k - r->rows];
    double x = r->x[3 * row + axis];
    if (!domain->periodic[axis]) {
        return x;
    }
    double period = domain->high[axis] - domain->low[axis];
    x += period * round((r->places.x[3 * row + axis] - x) / period);
    int images = k < r->rows ? 0 : ((r->places.image[k - r->rows] >> (2 * axis)) & 3) - 1;
    return x + period * images;
}

static void repack_place(const repacking *r, int64_t k)
{
    const mo_fluid *f = r->fluid;
    double per_unit = 1 / f->unit;
    int32_t place[3];
    for (int c = 0; c < 3; ++c) {
        place[c] = mo_fluid_count((place_now(r, k, c) - f->origin[c]) * per_unit);
    }
    memcpy(r->place + 4 * k, place, sizeof place);
}

static void repack_places(void *context, int64_t first, int64_t last)
{
    const repacking *r = context;
    for (int64_t k = first; k < last; ++k) {
        repack_place(r, k);
        r->place[4 * k + 3] = r->fluid->volume[k];
    }
}

void mo_fluid_repack(mo_fluid *f)
{
    repacking r = {f, mo_search_places(f->search, 0), f->rows, mo_f64(f->columns.x), f->place};
    mo_parallel_for(f->pool, f->places, GRAIN, repack_places, &r);
}

static void repack_samples(void *context, int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; ++k) {
        repack_place(context, k);
    }
}

void mo_fluid_repack_walls(mo_fluid *f, double time)
{
    mo_walls *w = &f->walls;
    if (w->moves) {
        repacking r = {f, w->found, w->count, w->x, w->place};
        mo_walls_move(w, time);
        mo_parallel_for(f->pool, w->places, GRAIN, repack_samples, &r);
    }
}
