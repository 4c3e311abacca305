/* Heat source: a power for each particle in a region; negative values cool. */
#include "geometry/shape/shape.h"
#include "particle/heater/heater.h"

typedef struct feed {
    mo_method region;
    mo_curve power;
} feed;

static const mo_param PARAMS[] = {
    {"region", MO_METHOD, MO_FIELD(feed, region), .family = &mo_shapes,
     .doc = "Region of the source; default: all particles."},
    {"power", MO_CURVE, MO_FIELD(feed, power), .unit = "W", .required = true,
     .doc = "Heating power per particle as a function of time; negative values cool."},
    {0}};

static bool feed_heating(const void *params, double time, mo_heating *heating)
{
    const feed *p = params;
    *heating = (mo_heating){.power = mo_curve_at(&p->power, time)};
    return time >= 0;
}

static mo_method feed_region(const void *params)
{
    return ((const feed *)params)->region;
}

const mo_heater_type mo_heater_feed = {
    .base = {.name = "feed",
             .summary = "Heat source: a given power for each particle in a region.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(feed),
             .params = PARAMS},
    .heating = feed_heating,
    .region = feed_region,
};
