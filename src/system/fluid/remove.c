/* Sinks: removes particles whose centre enters, or leaves, one of the scene's shapes. */
#include "geometry/shape/shape.h"
#include "system/fluid/fluid.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096, BATCH = 256 };

typedef struct looking {
    const mo_fluid_def *def;
    const double *x;
    uint8_t *removed;
} looking;

/* *partial: number of removed particles */
static void mark_range(void *context, int64_t first, int64_t last, double *partial)
{
    const looking *l = context;
    const mo_remove_def *zones = l->def->remove.items;
    double distance[BATCH];
    *partial = 0;
    memset(l->removed + first, 0, (size_t)(last - first));
    for (int64_t row = first; row < last; row += BATCH) {
        int64_t count = last - row < BATCH ? last - row : BATCH;
        for (int64_t z = 0; z < l->def->remove.count; ++z) {
            mo_shape_distances(zones[z].shape, count, l->x + 3 * row, distance, NULL);
            for (int64_t k = 0; k < count; ++k) {
                bool goes = zones[z].outside ? distance[k] > 0 : distance[k] < 0;
                *partial += goes && !l->removed[row + k];
                l->removed[row + k] |= goes;
            }
        }
    }
}

/* The fluid's arrays are unused between steps and serve as scratch: one byte per row. */
mote_status mo_fluid_system_remove(mo_fluid_system *fluid, mote_error *error)
{
    mo_system *s = fluid->system;
    mo_fluid *f = &fluid->fluid;
    int64_t rows = mo_store_owned(s->store);
    double count;
    if (f->def->remove.count == 0 || rows == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_reserve(f->memory, &f->rate, &f->rate_capacity, rows, sizeof(float), error));
    looking l = {f->def, mo_f64(s->columns.x), (uint8_t *)f->rate};
    MO_TRY(
        mo_parallel_reduce(s->host->pool, rows, GRAIN, MO_SUM, 1, mark_range, &l, &count, error));
    if (count > 0) {
        int64_t *map;
        MO_TRY(mo_fluid_system_map(fluid, rows, &map, error));
        fluid->summary.removed += mo_store_remove(s->store, l.removed, map);
        mo_fluid_system_remap(fluid, map);
        s->bodies.list[0].count = mo_store_owned(s->store);
    }
    return MOTE_OK;
}
