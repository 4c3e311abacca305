/*
 * Anisotropic kernels (Yu, Turk 2013, "Reconstructing surfaces of particle-based fluids using anisotropic kernels"):
 * every particle becomes an ellipsoid, stretched along the surface and thin across it, after the weighted covariance of
 * the particles around it (eqs. 9 to 16); and the ellipsoids' centres are smoothed (eq. 6). A flat pool looks flat, edges
 * stay sharp, and drops round.
 *
 * Where it departs from the paper: the kernel is (1 - q)^3 and not a spline. The covariance is measured in units of
 * that of a full neighbourhood, 0.15 r^2 for w = 1 - s^3 (the paper's k_s, there a number of a scene). Half axes are at
 * most 1.2 supports: two clumps in one neighbourhood else make a needle between them. And the level is not set by hand:
 * smoothing draws the centres at a surface inwards, by an amount that follows from depth alone; so the same is done
 * with a half-space of continuous matter, and the level is its field at its boundary. A flat surface keeps its place.
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
     .doc = "The half axis of a particle's ellipsoid inside the fluid, in units of the spacing."},
    {"radius", MO_REAL, MO_FIELD(anisotropic, radius), .initial = "3", .range = "[1.5, 8]",
     .doc = "How far away neighbours count for shape and smoothing, in units of the spacing."},
    {"centers", MO_REAL, MO_FIELD(anisotropic, centers), .initial = "0.9", .range = "[0, 1]",
     .doc = "How far a centre moves to the mean of its neighbours (lambda of the paper)."},
    {"stretch", MO_REAL, MO_FIELD(anisotropic, stretch), .initial = "4", .range = "[1, 16]",
     .doc = "The largest ratio of an ellipsoid's axes (k_r of the paper)."},
    {"lonely", MO_REAL, MO_FIELD(anisotropic, lonely), .initial = "0.5", .range = "(0, 1]",
     .doc = "The size of the ball of a particle with few neighbours, over that of others (k_n of the paper)."},
    {"few", MO_INT, MO_FIELD(anisotropic, few), .initial = "25", .range = "[0, inf)",
     .doc = "Up to this many neighbours are few (N_epsilon of the paper)."},
    {0}};

/* The covariance of a full ball with w = 1 - s^3, over its radius squared: (1/3) (1/5 - 1/8) / (1/3 - 1/6). */
static const double FULL = 0.15;
static const double AXIS_MAX = 1.2;

/* The half axes from the covariance's eigenvalues in units of FULL (eq. 15), in units of the support. */
static void limit_axes(const anisotropic *p, double axis[3])
{
    double largest = fmax(axis[0], fmax(axis[1], axis[2]));
    largest = fmin(largest, AXIS_MAX);
    for (int k = 0; k < 3; ++k) {
        axis[k] = fmin(fmax(axis[k], largest / p->stretch), largest);
    }
}

/* A = V axis^-2 V^T, and the box from its inverse. */
static mo_splat make_ellipsoid(const double center[3], const mo_mat3 *v, const double axis[3])
{
    static const int PAIR[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    mo_splat s = {.x = {center[0], center[1], center[2]},
                  .weight = (float)(MO_SPLAT_NORM / (axis[0] * axis[1] * axis[2]))};
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
    const mo_cell_list *list;
    mo_splat *splat;
} work;

static mo_splat make_splat(const work *w, int64_t place)
{
    const anisotropic *p = w->params;
    int64_t row = w->list->row_at[place];
    mo_moments m = mo_moments_at(w->list, place);
    double center[3], shift[3], axis[3];
    mo_vec3_store(shift, mo_scale(p->centers * p->radius, m.mean));
    for (int k = 0; k < 3; ++k) {
        center[k] = w->cloud->x[3 * row + k] / w->cloud->spacing + shift[k];
    }
    if (m.count - 1 <= p->few) {
        double radius = p->lonely * p->support;
        return mo_splat_ball(center, radius, MO_SPLAT_NORM / (radius * radius * radius));
    }
    mo_eigen3 e = mo_eigen3_of(m.covariance);
    for (int k = 0; k < 3; ++k) {
        axis[k] = e.value[k] / FULL;
    }
    limit_axes(p, axis);
    for (int k = 0; k < 3; ++k) {
        axis[k] *= p->support;
    }
    return make_ellipsoid(center, &e.vector, axis);
}

static void splat_range(void *context, int64_t first, int64_t last)
{
    const work *w = context;
    for (int64_t place = first; place < last; ++place) {
        w->splat[w->list->row_at[place]] = make_splat(w, place);
    }
}

static mote_status splat(const void *params, const mo_cloud *cloud, mo_memory *memory, mo_pool *pool, mo_splat *out,
                         mote_error *error)
{
    const anisotropic *p = params;
    mo_cell_list list;
    mo_cell_list_init(&list, memory);
    mote_status status = mo_cell_list_build(&list, pool, cloud->count, cloud->x, p->radius * cloud->spacing, error);
    if (status == MOTE_OK) {
        work w = {p, cloud, &list, out};
        mo_parallel_for(pool, cloud->count, MO_SPLAT_GRAIN / 4, splat_range, &w);
    }
    mo_cell_list_release(&list);
    return status;
}

/* ---- the level of a half-space ---- */

enum { DEPTHS = 512, SLICES = 512 };

typedef struct cut_ball {
    double mean, along, across; /* of z; the covariance along the plane and across it; radius 1 */
} cut_ball;

/* The moments of a ball of continuous matter with w = 1 - s^3 whose part above z = depth is missing. The plane at z has
   the weight pi (3/5 - z^2 + 2/5 |z|^5) and the moment of x^2 pi (3/28 - 3/10 z^2 + 1/4 z^4 - 2/35 |z|^7). */
static cut_ball cut(double depth)
{
    double top = fmin(depth, 1), w0 = 0, w1 = 0, w2 = 0, wx = 0, dz = (top + 1) / SLICES;
    for (int k = 0; k < SLICES; ++k) {
        double z = -1 + (k + 0.5) * dz, z2 = z * z, z5 = z2 * z2 * fabs(z);
        double w = 0.6 - z2 + 0.4 * z5;
        w0 += w;
        w1 += w * z;
        w2 += w * z2;
        wx += 3 / 28.0 - 0.3 * z2 + 0.25 * z2 * z2 - 2 / 35.0 * z5 * z2;
    }
    double mean = w1 / w0;
    return (cut_ball){mean, wx / w0, w2 / w0 - mean * mean};
}

/* The field at the boundary is the sum over depths of the kernel's integral over planes, 315/256 (1 - t^2)^4. */
static double level(const void *params)
{
    const anisotropic *p = params;
    double sum = 0, deepest = 2 * (p->radius + p->support), step = deepest / DEPTHS;
    for (int k = 0; k < DEPTHS; ++k) {
        double depth = (k + 0.5) * step;
        cut_ball c = cut(depth / p->radius);
        double axis[3] = {c.along / FULL, c.along / FULL, c.across / FULL};
        limit_axes(p, axis);
        double half = axis[2] * p->support, t = (depth - p->centers * p->radius * c.mean) / half, w = 1 - t * t;
        sum += w > 0 ? step * 315 / 256.0 * w * w * w * w / half : 0;
    }
    return sum;
}

const mo_surface_type mo_surface_anisotropic = {
    .base = {.name = "anisotropic",
             .summary = "Ellipsoids after the particles around, and smoothed centres: flat where the fluid is flat.",
             .citation = "J. Yu, G. Turk 2013, ACM TOG 32, 5:1, eqs. 6, 9-16",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(anisotropic),
             .params = PARAMS},
    .rule = MO_SPLAT_SUM,
    .level = level,
    .splat = splat,
};
