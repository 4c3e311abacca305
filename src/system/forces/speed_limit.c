#include "system/forces/speed_limit.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096 };

mote_status mo_speed_limit_declare(mo_speed_limit *limit, mo_system *system, mote_error *error)
{
    static const mo_column_spec BEFORE = {
        "limit_v", MOTE_F64, 3, MO_DERIVED, "m/s", "velocity at the start of the step"};
    return isnan(limit->change) ? MOTE_OK
                                : mo_store_declare(system->store, &BEFORE, &limit->before, error);
}

void mo_speed_limit_begin(const mo_speed_limit *limit, mo_system *system)
{
    if (limit->before) {
        size_t bytes = (size_t)mo_store_owned(system->store) * 3 * sizeof(double);
        memcpy(limit->before->data, system->columns.v->data, bytes);
    }
}

/* The vector, clamped to the length `most`; NaN: no limit. */
static mo_vec3 shortened(mo_vec3 a, double most)
{
    double length = mo_length(a);
    return length > most ? mo_scale(most / length, a) : a;
}

typedef struct limiting {
    const mo_speed_limit *limit;
    const double *before, *inverse_mass;
    double *v;
    uint8_t *age;
} limiting;

static void limit_range(void *context, int64_t first, int64_t last)
{
    const limiting *l = context;
    for (int64_t row = first; row < last; ++row) {
        if (l->inverse_mass[row] == 0) {
            continue;
        }
        mo_vec3 was = mo_vec3_load(l->v + 3 * row), v = was;
        if (l->before) {
            mo_vec3 old = mo_vec3_load(l->before + 3 * row);
            v = mo_add(old, shortened(mo_sub(v, old), l->limit->change));
        }
        v = shortened(v, l->limit->speed);
        if (v.x != was.x || v.y != was.y || v.z != was.z) {
            mo_vec3_store(l->v + 3 * row, v);
            l->age[row] = 0;
        }
    }
}

void mo_speed_limit_apply(const mo_speed_limit *limit, mo_system *system)
{
    if (isnan(limit->speed) && isnan(limit->change)) {
        return;
    }
    limiting l = {.limit = limit,
                  .before = limit->before ? mo_f64(limit->before) : NULL,
                  .inverse_mass = mo_f64(system->columns.inverse_mass),
                  .v = mo_f64(system->columns.v),
                  .age = system->columns.age->data};
    mo_parallel_for(system->host->pool, mo_store_owned(system->store), GRAIN, limit_range, &l);
}
