/* Feeds each particle in a region with heat, or takes heat away. */
#include "geometry/shape/shape.h"
#include "particle/heater/heater.h"

typedef struct feed {
    mo_method region;
    mo_curve power;
} feed;

static const mo_param PARAMS[] = {
    {"region", MO_METHOD, MO_FIELD(feed, region), .family = &mo_shapes,
     .doc = "The particles inside this shape; all if left out."},
    {"power", MO_CURVE, MO_FIELD(feed, power), .unit = "W", .required = true,
     .doc = "Heat for each particle in the region, over time; below 0 it cools."},
    {0}};

static bool heating(const void *params, double time, mo_heating *heating)
{
    const feed *p = params;
    *heating = (mo_heating){.power = mo_curve_at(&p->power, time)};
    return time >= 0;
}

static mo_method region(const void *params)
{
    return ((const feed *)params)->region;
}

const mo_heater_type mo_heater_feed = {
    .base = {.name = "feed",
             .summary = "Each particle in a region gains heat at a given power.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(feed),
             .params = PARAMS},
    .heating = heating,
    .region = region,
};
