#include "fluid/vorticity/vorticity.h"

#include "math/lane_sums.h"

#include <math.h>

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_vorticity_type, mo_vorticity_, name)
#include "fluid/vorticity/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_vorticity_, name)
#include "fluid/vorticity/methods.def"
#undef MO_METHOD
};

const mo_family mo_vorticities = {
    .name = "vorticity",
    .doc = "Vorticity methods: eddies that numerical dissipation would remove.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
    .number_selects = "micropolar",
};

typedef struct curling {
    const mo_fluid *fluid;
    float *curl;
} curling;

static void curl_rows(void *context, int64_t first, int64_t last)
{
    const curling *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        const float *v = f->velocity + 4 * row;
        mo_f8 sum[3] = {{0}};
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_f8 other[4];
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8_load4(f->velocity, p.j, other);
            mo_f8 x = other[0] - v[0], y = other[1] - v[1], z = other[2] - v[2];
            sum[0] += p.gradient_factor * (p.y * z - p.z * y);
            sum[1] += p.gradient_factor * (p.z * x - p.x * z);
            sum[2] += p.gradient_factor * (p.x * y - p.y * x);
        }
        mo_f4 curl = mo_f8_sum4(sum[0], sum[1], sum[2], (mo_f8){0});
        curl[3] = sqrtf((curl[0] * curl[0] + curl[1] * curl[1]) + curl[2] * curl[2]);
        mo_f4_store(c->curl + 4 * row, curl);
    }
}

void mo_vorticity_curl(mo_fluid *f, float *curl)
{
    curling c = {f, curl};
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, curl_rows, &c);
}
