/*
 * The distance to the weighted average of neighbouring particles minus a radius (Zhu, Bridson 2005,
 * section 5: phi(x) = |x - sum w_i x_i| - sum w_i r_i with w_i = k(|x - x_i| / R) / sum k, k(s) =
 * max(0, (1 - s^2)^3)). Flat where the particles are flat; artefacts occur in concave regions,
 * where the average lies outside.
 *
 * With one radius for all, phi is zero on the plane bounding a half-space if r = R (1/2) (1/40) /
 * (16/315), the mean depth of k in half a ball; with the paper's R = 2 that is 0.49 spacings, close
 * to r = 1/2.
 */
#include "geometry/surface/surface.h"

typedef struct zhu_bridson {
    mo_surface_common common;
    double support;
} zhu_bridson;

static const mo_param PARAMS[] = {MO_SURFACE_PARAMS(zhu_bridson),
                                  {"support", MO_REAL, MO_FIELD(zhu_bridson, support),
                                   .initial = "2", .range = "[1, 8]",
                                   .doc = "Support radius of the weighted average, in spacings."},
                                  {0}};

static mote_status zhu_bridson_splat(const void *params, const mo_cloud *cloud, mo_memory *memory,
                                     mo_pool *pool, mo_splat *out, mote_error *error)
{
    (void)memory;
    (void)error;
    mo_splat_balls(cloud, ((const zhu_bridson *)params)->support, 1, pool, out);
    return MOTE_OK;
}

static double zhu_bridson_level(const void *params)
{
    return ((const zhu_bridson *)params)->support * 0.5 * (1 / 40.0) / (16 / 315.0);
}

/* A radius beyond the support leaves no outside. */
static mote_status zhu_bridson_check(const void *params, mote_error *error)
{
    const zhu_bridson *p = params;
    if (p->common.threshold > 0.9 * p->support) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "threshold is %g, the particle's radius; allowed: up to 0.9 support = %g",
                       p->common.threshold, 0.9 * p->support);
    }
    return MOTE_OK;
}

const mo_surface_type mo_surface_zhu_bridson = {
    .base =
        {.name = "zhu_bridson",
         .summary =
             "Distance to the weighted average of neighbour positions minus the radius: flatter "
             "than metaballs.",
         .citation = "Y. Zhu, R. Bridson 2005, SIGGRAPH, section 5",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(zhu_bridson),
         .params = PARAMS,
         .check = zhu_bridson_check},
    .rule = MO_SPLAT_MEAN,
    .level = zhu_bridson_level,
    .splat = zhu_bridson_splat,
};
