/* A half space: solid below the plane through `point` with the outward normal `normal`. */
#include "geometry/shape/facets.h"
#include "geometry/shape/shape_samples.h"

#include <string.h>

typedef struct plane {
    mo_vec3 point, normal;
} plane;

static const mo_param PARAMS[] = {{"point", MO_VEC3, MO_FIELD(plane, point), .unit = "m",
                                   .initial = "[0, 0, 0]", .doc = "A point on the plane."},
                                  {"normal", MO_VEC3, MO_FIELD(plane, normal),
                                   .initial = "[0, 0, 1]",
                                   .doc = "Outward normal of the solid; normalised, must not be "
                                          "zero."},
                                  {0}};

static mote_status plane_check(const void *params, mote_error *error)
{
    const plane *p = params;
    double length = mo_length(p->normal);
    if (!(length > 0) || !isfinite(length)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "normal: a plane needs a normal that is not zero and not huge");
    }
    return MOTE_OK;
}

static void plane_distances(const void *params, int64_t count, const double *points,
                            double *distance, double *normal)
{
    const plane *p = params;
    mo_vec3 n = mo_unit(p->normal, mo_vec3_make(0, 0, 1));
    for (int64_t k = 0; k < count; ++k) {
        distance[k] = mo_dot(mo_sub(mo_vec3_load(points + 3 * k), p->point), n);
        if (normal) {
            mo_vec3_store(normal + 3 * k, n);
        }
    }
}

static bool plane_bounds(const void *params, mo_vec3 *min, mo_vec3 *max)
{
    (void)params;
    (void)min;
    (void)max;
    return false;
}

static bool plane_chord(const void *params, mo_vec3 from, mo_vec3 direction, double *enter,
                        double *leave)
{
    const plane *p = params;
    mo_vec3 n = mo_unit(p->normal, mo_vec3_make(0, 0, 1));
    double height = mo_dot(mo_sub(from, p->point), n), climb = mo_dot(direction, n);
    *enter = climb < 0 ? -height / climb : -INFINITY;
    *leave = climb > 0 ? -height / climb : INFINITY;
    return climb != 0 || height < 0;
}

/* ---- samples of the part in a box ---- */

enum { POLYGON_MAX = 16 };

/* Clips against a side of the box (Sutherland, Hodgman 1974). */
static int cut(const double *in, int count, int axis, double sign, double limit, double *out)
{
    int made = 0;
    for (int k = 0; k < count; ++k) {
        const double *p = in + 3 * k, *q = in + 3 * ((k + 1) % count);
        double dp = sign * (p[axis] - limit), dq = sign * (q[axis] - limit); /* above 0: beyond */
        if (dp <= 0) {
            memcpy(out + 3 * made++, p, 3 * sizeof *p);
        }
        if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) {
            mo_vec3 a = mo_vec3_load(p), b = mo_vec3_load(q);
            mo_vec3_store(out + 3 * made, mo_add_scaled(a, dp / (dp - dq), mo_sub(b, a)));
            out[3 * made++ + axis] = limit;
        }
    }
    return made;
}

/* The corners of the intersection of plane and box. */
static int polygon_of(const plane *p, const mo_sampling *how, double corner[3 * POLYGON_MAX])
{
    mo_vec3 n = mo_unit(p->normal, mo_vec3_make(0, 0, 1)), u = mo_perpendicular(n),
            v = mo_cross(n, u);
    mo_vec3 middle = mo_scale(0.5, mo_add(how->low, how->high)), size = mo_sub(how->high, how->low);
    double reach = mo_length(size) + how->spacing, other[3 * POLYGON_MAX];
    mo_vec3 foot = mo_add_scaled(middle, -mo_dot(mo_sub(middle, p->point), n), n);
    int count = 4;
    for (int k = 0; k < 4; ++k) {
        mo_vec3 c = mo_add_scaled(foot, k == 0 || k == 3 ? -reach : reach, u);
        mo_vec3_store(corner + 3 * k, mo_add_scaled(c, k < 2 ? -reach : reach, v));
    }
    double slack = 1e-9 * how->spacing;
    for (int axis = 0; axis < 3; ++axis) {
        count = cut(corner, count, axis, 1, mo_vec3_at(how->high, axis) + slack, other);
        count = cut(other, count, axis, -1, mo_vec3_at(how->low, axis) - slack, corner);
    }
    return count;
}

/* A plane along two axes: the lattice of the rectangle. */
static mote_status sample_rectangle(const plane *p, int normal_axis, const mo_sampling *how,
                                    mo_samples *samples, mote_error *error)
{
    double low[3], high[3], n[3] = {0, 0, 0}, x[3], height = mo_vec3_at(p->point, normal_axis);
    mo_vec3_store(low, how->low);
    mo_vec3_store(high, how->high);
    int a = (normal_axis + 1) % 3, b = (normal_axis + 2) % 3;
    if (height < low[normal_axis] - 1e-9 * how->spacing ||
        height > high[normal_axis] + 1e-9 * how->spacing) {
        return MOTE_OK;
    }
    n[normal_axis] = mo_vec3_at(p->normal, normal_axis) > 0 ? 1 : -1;
    x[normal_axis] = height;
    int64_t i_steps = mo_sample_steps(high[a] - low[a], how->spacing);
    int64_t j_steps = mo_sample_steps(high[b] - low[b], how->spacing);
    double wide = high[a] - low[a], deep = high[b] - low[b];
    MO_TRY(mo_sample_count_check(((double)i_steps + 1) * ((double)j_steps + 1), how, error));
    for (int64_t i = 0; i <= i_steps; ++i) {
        double s = i_steps == 0 ? 0.5 : (double)i / (double)i_steps;
        double share_i =
            i_steps == 0 ? wide : wide / (double)i_steps * (i == 0 || i == i_steps ? 0.5 : 1);
        for (int64_t j = 0; j <= j_steps; ++j) {
            double t = j_steps == 0 ? 0.5 : (double)j / (double)j_steps;
            double share_j =
                j_steps == 0 ? deep : deep / (double)j_steps * (j == 0 || j == j_steps ? 0.5 : 1);
            x[a] = low[a] + s * wide;
            x[b] = low[b] + t * deep;
            MO_TRY(mo_samples_add(samples, mo_vec3_load(x), mo_vec3_load(n), share_i * share_j,
                                  error));
        }
    }
    return MOTE_OK;
}

/* Slanted: the polygon as a fan of triangles. */
static mote_status sample_polygon(const plane *p, const mo_sampling *how, mo_samples *samples,
                                  mote_error *error)
{
    double corner[3 * POLYGON_MAX];
    int count = polygon_of(p, how, corner);
    if (count < 3) {
        return MOTE_OK;
    }
    mo_trimesh mesh;
    mo_trimesh_init(&mesh, samples->memory);
    MO_TRY(mo_trimesh_reserve(&mesh, count, count - 2, error));
    memcpy(mesh.x, corner, 3 * (size_t)count * sizeof *corner);
    for (int32_t k = 0; k < count - 2; ++k) {
        int32_t fan[3] = {0, k + 1, k + 2};
        memcpy(mesh.corner + 3 * (size_t)k, fan, sizeof fan);
    }
    mote_status status = mo_sample_mesh(&mesh, "plane", how, samples, error);
    mo_trimesh_release(&mesh);
    return status;
}

/* The intersection with the plane z = 0. */
static mote_status sample_line(const plane *p, const mo_sampling *how, mo_samples *samples,
                               mote_error *error)
{
    mo_vec3 n = {p->normal.x, p->normal.y, 0}, along;
    double length = mo_length(n);
    if (!(length > 1e-12 * mo_length(p->normal))) {
        return MOTE_OK;
    }
    n = mo_scale(1 / length, n);
    along = mo_vec3_make(-n.y, n.x, 0);
    /* n.x (x - a) + n.y (y - b) = normal.z c / length */
    double offset = n.x * p->point.x + n.y * p->point.y + p->normal.z * p->point.z / length;
    mo_vec3 foot = mo_scale(offset, n);
    double from = -(double)INFINITY, to = (double)INFINITY;
    for (int axis = 0; axis < 2; ++axis) {
        double low = mo_vec3_at(how->low, axis), high = mo_vec3_at(how->high, axis);
        double f = mo_vec3_at(foot, axis), d = mo_vec3_at(along, axis);
        double slack = 1e-9 * how->spacing, a = (low - f) / d, b = (high - f) / d;
        if (fabs(d) < 1e-12) {
            from = f < low - slack || f > high + slack ? (double)INFINITY : from;
        } else {
            from = fmax(from, fmin(a, b));
            to = fmin(to, fmax(a, b));
        }
    }
    return from < to ? mo_sample_line(mo_add_scaled(foot, from, along),
                                      mo_add_scaled(foot, to, along), n, how, samples, error)
                     : MOTE_OK;
}

static mote_status plane_sample(const void *params, const mo_sampling *how, mo_samples *samples,
                                mote_error *error)
{
    const plane *p = params;
    mo_vec3 size = mo_sub(how->high, how->low);
    if (!isfinite(size.x + size.y) || (how->dimension == 3 && !isfinite(size.z))) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "plane: it is unbounded and needs a bounding box to be sampled");
    }
    if (how->dimension == 2) {
        return sample_line(p, how, samples, error);
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (fabs(mo_vec3_at(p->normal, axis)) >= (1 - 1e-15) * mo_length(p->normal)) {
            return sample_rectangle(p, axis, how, samples, error);
        }
    }
    return sample_polygon(p, how, samples, error);
}

/* The part in the region's box. */
static mote_status plane_facets(const void *params, const mo_shape_region *region,
                                mo_facets *facets, mote_error *error)
{
    double corner[3 * POLYGON_MAX];
    mo_sampling how = mo_sampling_make(region->edge, 3);
    how.low = region->low;
    how.high = region->high;
    int count = polygon_of(params, &how, corner);
    int64_t first = facets->vertices;
    for (int k = 0; k < count; ++k) {
        MO_TRY(mo_facets_vertex(facets, mo_vec3_load(corner + 3 * (size_t)k), error));
    }
    for (int k = 1; k < count - 1; ++k) {
        MO_TRY(mo_facets_triangle(facets, first, first + k, first + k + 1, error));
    }
    return MOTE_OK;
}

const mo_shape_type mo_shape_plane = {
    .base = {.name = "plane",
             .summary = "A half space: ground, wall or slope.",
             .capabilities = MO_SHAPE_EXACT | MO_PORTABLE,
             .param_size = sizeof(plane),
             .params = PARAMS,
             .check = plane_check},
    .distances = plane_distances,
    .bounds = plane_bounds,
    .chord = plane_chord,
    .sample = plane_sample,
    .facets = plane_facets,
};
