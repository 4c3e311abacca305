/*
 * Anisotropic kernels (Yu, Turk 2013, "Reconstructing surfaces of particle-based fluids using
 * anisotropic kernels"): every particle becomes an ellipsoid from the weighted covariance of its
 * neighbours (eqs. 9 to 16), and the centres are smoothed (eq. 6). Departs from the paper:
 *
 * The kernel is (1 - q)^3 instead of a spline, and the covariance is relative to that of a full
 * neighbourhood, 0.15 r^2 for w = 1 - s^3 (the scene-dependent k_s of the paper).
 *
 * The paper shrinks the ellipsoids along the normal, which separates their layers unless smoothing
 * contracts the centres and shifts the surface inwards by up to a third of the radius. Here the
 * ellipsoids at a flat surface have the interior thickness and are elongated tangentially by the
 * ratio of the variances: the field at the boundary of a half-space is a half, and a flat surface
 * is not shifted. They are thinner only in sheets and threads, where the normal deviation is below
 * FLAT, that of a half-space.
 *
 * The centres are smoothed without shrinkage as in Taubin 1995, along the normal only: x' = x +
 * lambda m(x), x" = x' - lambda m(x'), m the displacement to the average of the neighbours. It has
 * little effect with elongated ellipsoids (docs/surface.md) and is off by default.
 */
#include "geometry/surface/moments.h"
#include "geometry/surface/surface.h"
#include "math/eigen3.h"

typedef struct anisotropic {
    mo_surface_common common;
    double support, radius, centers, stretch, lonely;
    int64_t few;
} anisotropic;

static const mo_param PARAMS[] = {
    MO_SURFACE_PARAMS(anisotropic),
    {"support", MO_REAL, MO_FIELD(anisotropic, support), .initial = "2", .range = "[1, 8]",
     .doc = "Semi-axis of the kernel ellipsoid in the interior, in spacings."},
    {"radius", MO_REAL, MO_FIELD(anisotropic, radius), .initial = "3", .range = "[1.5, 8]",
     .doc = "Radius of the neighbourhood for anisotropy and smoothing, in spacings."},
    {"centers", MO_REAL, MO_FIELD(anisotropic, centers), .initial = "0", .range = "[0, 1]",
     .doc = "Smoothing of the kernel centres (lambda of the paper)."},
    {"stretch", MO_REAL, MO_FIELD(anisotropic, stretch), .initial = "2", .range = "[1, 4]",
     .doc = "Maximum elongation of an ellipsoid along the surface relative to the interior, and "
            "maximum thinning in sheets."},
    {"lonely", MO_REAL, MO_FIELD(anisotropic, lonely), .initial = "0.5", .range = "[0.3, 1]",
     .doc = "Relative kernel size of isolated particles (k_n of the paper)."},
    {"few", MO_INT, MO_FIELD(anisotropic, few), .initial = "5", .range = "[0, 1000000]",
     .doc = "Largest number of neighbours of an isolated particle (N_epsilon of the paper)."},
    {0}};

/* The covariance of a full ball with w = 1 - s^3, over its radius squared: (1/3) (1/5 - 1/8) / (1/3
 * - 1/6). */
static const double FULL = 0.15;

/* The normal deviation in half a ball, relative to that of a full one: sqrt((0.15 - (9/28)^2) /
 * 0.15). */
static const double FLAT = 0.558;

/* Converts deviations relative to a full neighbourhood to semi-axes in units of the support. */
static void make_axes(const anisotropic *p, double axis[3])
{
    double least = INFINITY;
    for (int k = 0; k < 3; ++k) {
        axis[k] = fmax(axis[k], FLAT / p->stretch);
        least = fmin(least, axis[k]);
    }
    double thickness = fmin(least / FLAT, 1);
    for (int k = 0; k < 3; ++k) {
        double ratio = axis[k] / least;
        axis[k] = fmin(thickness * ratio * ratio, p->stretch);
    }
}

/* A = V axis^-2 V^T, and the bounding box from its inverse. */
static mo_splat make_ellipsoid(const mo_mat3 *v, const double axis[3])
{
    static const int PAIR[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    mo_splat s = {.weight = (float)(MO_SPLAT_NORM / (axis[0] * axis[1] * axis[2]))};
    for (int e = 0; e < 6; ++e) {
        double shape = 0, square = 0;
        for (int k = 0; k < 3; ++k) {
            double outer = v->m[3 * PAIR[e][0] + k] * v->m[3 * PAIR[e][1] + k];
            shape += outer / (axis[k] * axis[k]);
            square += outer * axis[k] * axis[k];
        }
        s.shape[e] = (float)shape;
        if (e < 3) {
            s.half[e] = (float)sqrt(square);
        }
    }
    return s;
}

typedef struct work {
    const anisotropic *params;
    const mo_cloud *cloud;
    const mo_vicinity *near;
    double *moved;  /* the centres after the first smoothing step */
    double *across; /* the normal times the root of the allowed displacement along it */
    mo_splat *splat;
} work;

/* Ratios of deviations: below the first a particle is at a surface, above the second it is in
 * the interior. */
static const double SURFACE = 0.7, INSIDE = 0.9;

static void find_normal(const mo_eigen3 *e, const double deviation[3], double across[3])
{
    int least = deviation[0] < deviation[1] ? 0 : 1;
    least = deviation[2] < deviation[least] ? 2 : least;
    double largest = fmax(deviation[0], fmax(deviation[1], deviation[2]));
    double share = (INSIDE - deviation[least] / largest) / (INSIDE - SURFACE);
    share = largest > 0 ? sqrt(fmin(fmax(share, 0), 1)) : 0;
    for (int k = 0; k < 3; ++k) {
        across[k] = share * e->vector.m[3 * k + least];
    }
}

/* The ellipsoid of a particle with these moments; its centre is set later. `across` is zero. */
static mo_splat shape_of(const anisotropic *p, const mo_moments *m, double across[3])
{
    const double nowhere[3] = {0, 0, 0};
    double axis[3];
    if (m->count - 1 <= p->few) {
        double radius = p->lonely * p->support;
        return mo_splat_ball(nowhere, radius, MO_SPLAT_NORM / (radius * radius * radius));
    }
    mo_eigen3 e = mo_eigen3_of(m->covariance);
    for (int k = 0; k < 3; ++k) {
        axis[k] = sqrt(fmax(e.value[k], 0) / FULL);
    }
    find_normal(&e, axis, across);
    make_axes(p, axis);
    for (int k = 0; k < 3; ++k) {
        axis[k] *= p->support;
    }
    return make_ellipsoid(&e.vector, axis);
}

static void there_range(void *context, int64_t first, int64_t last)
{
    const work *w = context;
    for (int64_t slot = first; slot < last; ++slot) {
        int64_t row = w->near->cells.row[slot];
        mo_moments m = mo_moments_at(w->near, slot);
        mo_vec3 x = mo_vec3_load(w->cloud->x + 3 * row);
        mo_vec3_store(w->moved + 3 * row,
                      mo_add_scaled(x, w->params->centers * w->near->radius, m.mean));
        w->splat[row] = shape_of(w->params, &m, w->across + 3 * row);
        mo_vec3_store(w->splat[row].x, mo_scale(1 / w->cloud->spacing, x));
    }
}

static void back_range(void *context, int64_t first, int64_t last)
{
    const work *w = context;
    double lambda = w->params->centers * w->near->radius;
    for (int64_t slot = first; slot < last; ++slot) {
        int64_t row = w->near->cells.row[slot];
        mo_vec3 n = mo_vec3_load(w->across + 3 * row), x = mo_vec3_load(w->cloud->x + 3 * row);
        if (mo_dot(n, n) > 0) {
            mo_vec3 back = mo_add_scaled(mo_vec3_load(w->moved + 3 * row), -lambda,
                                         mo_moments_at(w->near, slot).mean);
            x = mo_add_scaled(x, mo_dot(n, mo_sub(back, x)), n);
            mo_vec3_store(w->splat[row].x, mo_scale(1 / w->cloud->spacing, x));
        }
    }
}

static mote_status walk(work *w, mo_vicinity *near, mo_pool *pool, mote_error *error)
{
    const mo_cloud *cloud = w->cloud;
    double radius = w->params->radius * cloud->spacing;
    MO_TRY(mo_vicinity_build(near, pool, cloud->count, cloud->x, radius, error));
    mo_parallel_for(pool, cloud->count, MO_SPLAT_GRAIN / 4, there_range, w);
    if (w->params->centers > 0) {
        MO_TRY(mo_vicinity_build(near, pool, cloud->count, w->moved, radius, error));
        mo_parallel_for(pool, cloud->count, MO_SPLAT_GRAIN / 4, back_range, w);
    }
    return MOTE_OK;
}

static mote_status anisotropic_splat(const void *params, const mo_cloud *cloud, mo_memory *memory,
                                     mo_pool *pool, mo_splat *out, mote_error *error)
{
    mo_vicinity near;
    void *block;
    MO_TRY(mo_allocate_array(memory, 2 * cloud->count + 1, 3 * sizeof(double), &block, error));
    mo_vicinity_init(&near, memory);
    work w = {params, cloud, &near, block, (double *)block + 3 * cloud->count, out};
    mote_status status = walk(&w, &near, pool, error);
    mo_vicinity_release(&near);
    mo_release(memory, block);
    return status;
}

/* Symmetric kernels of integral 1: a half at the boundary of a half-space. */
static double anisotropic_level(const void *params)
{
    (void)params;
    return 0.5;
}

const mo_surface_type mo_surface_anisotropic = {
    .base = {.name = "anisotropic",
             .summary = "Anisotropic kernels with smoothed centres: flat where the fluid is flat.",
             .citation = "J. Yu, G. Turk 2013, ACM TOG 32, 5:1, eqs. 6, 9-16",
             .departs =
                 "The kernel is (1 - q)^3 and not a spline; covariances are normalised by that of "
                 "a full neighbourhood and not by a constant of the scene; ellipsoids are "
                 "elongated tangentially instead of shortened along the normal, so that flat "
                 "surfaces are not shifted; the centres are smoothed without shrinkage (Taubin "
                 "1995).",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(anisotropic),
             .params = PARAMS},
    .rule = MO_SPLAT_SUM,
    .level = anisotropic_level,
    .splat = anisotropic_splat,
};
