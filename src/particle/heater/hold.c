/* Thermostat: prescribes the temperature in a region, such as a hot plate. */
#include "geometry/shape/shape.h"
#include "particle/heater/heater.h"

typedef struct hold {
    mo_method region;
    mo_curve temperature;
} hold;

static const mo_param PARAMS[] = {
    {"region", MO_METHOD, MO_FIELD(hold, region), .family = &mo_shapes,
     .doc = "Region of the thermostat; default: all particles."},
    {"temperature", MO_CURVE, MO_FIELD(hold, temperature), .unit = "K", .required = true,
     .range = "[0, inf)", .doc = "Prescribed temperature as a function of time."},
    {0}};

static bool hold_heating(const void *params, double time, mo_heating *heating)
{
    const hold *p = params;
    *heating = (mo_heating){.sets = true,
                            .temperature = mo_curve_at(&p->temperature, time < 0 ? 0 : time)};
    return true;
}

static mo_method hold_region(const void *params)
{
    return ((const hold *)params)->region;
}

const mo_heater_type mo_heater_hold = {
    .base = {.name = "hold",
             .summary = "Thermostat: particles in a region have a prescribed temperature.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(hold),
             .params = PARAMS},
    .heating = hold_heating,
    .region = hold_region,
};
