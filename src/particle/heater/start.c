/* Initial temperature of the particles in a region. */
#include "geometry/shape/shape.h"
#include "particle/heater/heater.h"

typedef struct start {
    mo_method region;
    double temperature;
} start;

static const mo_param PARAMS[] = {{"region", MO_METHOD, MO_FIELD(start, region),
                                   .family = &mo_shapes, .doc = "Region; default: all particles."},
                                  {"temperature", MO_REAL, MO_FIELD(start, temperature),
                                   .unit = "K", .required = true, .range = "[0, inf)",
                                   .doc = "Initial temperature."},
                                  {0}};

static bool start_heating(const void *params, double time, mo_heating *heating)
{
    const start *p = params;
    *heating = (mo_heating){.sets = true, .temperature = p->temperature};
    return time < 0;
}

static mo_method start_region(const void *params)
{
    return ((const start *)params)->region;
}

const mo_heater_type mo_heater_start = {
    .base = {.name = "start",
             .summary = "Initial temperature of the particles in a region.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(start),
             .params = PARAMS},
    .heating = start_heating,
    .region = start_region,
};
