/*
 * Isotropic kernels; the surface is the level set at half the interior density (Blinn 1982, with
 * the kernel of Mueller, Charypar, Gross 2003, eq. 20). Departs from the paper: the kernel has
 * compact support, where Blinn's is an exponential. The simplest surface, as a template; bumpy at
 * the scale of particles.
 */
#include "geometry/surface/surface.h"

typedef struct metaball {
    mo_surface_common common;
    double support;
} metaball;

static const mo_param PARAMS[] = {
    MO_SURFACE_PARAMS(metaball),
    {"support", MO_REAL, MO_FIELD(metaball, support), .initial = "2", .range = "[1, 8]",
     .doc = "Support radius of the kernel, in spacings; larger is smoother."},
    {0}};

static mote_status metaball_splat(const void *params, const mo_cloud *cloud, mo_memory *memory,
                                  mo_pool *pool, mo_splat *out, mote_error *error)
{
    double support = ((const metaball *)params)->support;
    (void)memory;
    (void)error;
    mo_splat_balls(cloud, support, MO_SPLAT_NORM / (support * support * support), pool, out);
    return MOTE_OK;
}

/* At the plane that bounds a half-space of unit density a symmetric kernel of integral 1 gives a
 * half. */
static double metaball_level(const void *params)
{
    (void)params;
    return 0.5;
}

const mo_surface_type mo_surface_metaball = {
    .base = {.name = "metaball",
             .summary = "Level set at half the interior density: simple, fast, bumpy.",
             .citation =
                 "J. Blinn 1982, ACM TOG 1, 235; M. Mueller, D. Charypar, M. Gross 2003, SCA",
             .departs =
                 "The kernel is that of Mueller et al., with compact support, and not Blinn's "
                 "exponential; the level is half of the interior value.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(metaball),
             .params = PARAMS},
    .rule = MO_SPLAT_SUM,
    .level = metaball_level,
    .splat = metaball_splat,
};
