/*
 * Positions on kept lists. Rows have moved a little in the store since the lists were made; their
 * halo is that of the lists, at the positions of the store.
 */
#include "fluid/sph/fluid.h"

enum { GRAIN = 4096 };

typedef struct repacking {
    mo_fluid *fluid;
    const mo_halo *halo;
    const double *x; /* of the rows, now */
    float *place;
} repacking;

static void repack_place(const repacking *r, int64_t k)
{
    const mo_fluid *f = r->fluid;
    double per_unit = 1 / f->unit;
    int32_t place[3];
    for (int c = 0; c < 3; ++c) {
        place[c] = mo_fluid_count((mo_halo_along(r->halo, r->x, k, c) - f->origin[c]) * per_unit);
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
    repacking r = {f, f->halo, mo_f64(f->columns.x), f->place};
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
        repacking r = {f, w->halo, w->x, w->place};
        mo_walls_move(w, time, f->support);
        mo_parallel_for(f->pool, w->places, GRAIN, repack_samples, &r);
    }
}
