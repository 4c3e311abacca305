/* An axis-aligned box. Outside, the distance to its nearest point; inside, to its nearest face. */
#include "geometry/shape/facets.h"
#include "geometry/shape/moments.h"
#include "geometry/shape/primitive.h"
#include "geometry/shape/shape_samples.h"

typedef struct box {
    mo_vec3 min, max;
} box;

static const mo_param PARAMS[] = {
    {"min", MO_VEC3, MO_FIELD(box, min), .unit = "m", .required = true, .doc = "Lower corner."},
    {"max", MO_VEC3, MO_FIELD(box, max), .unit = "m", .required = true, .doc = "Upper corner."},
    {0}};

static mote_status box_check(const void *params, mote_error *error)
{
    const box *b = params;
    if (!(b->min.x < b->max.x && b->min.y < b->max.y && b->min.z < b->max.z)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "max: each component must be greater than that of min, here min = [%g, %g, %g], max = "
            "[%g, %g, %g]",
            b->min.x, b->min.y, b->min.z, b->max.x, b->max.y, b->max.z);
    }
    return MOTE_OK;
}

static double distance_to(const box *b, mo_vec3 x, mo_vec3 *normal)
{
    double outside[3], face = -INFINITY;
    mo_vec3 face_normal = {0, 0, 1};
    for (int axis = 0; axis < 3; ++axis) {
        double p = mo_vec3_at(x, axis);
        double below = mo_vec3_at(b->min, axis) - p, above = p - mo_vec3_at(b->max, axis);
        double d = below > above ? below : above;
        double side = below > above ? -1 : 1;
        outside[axis] = d > 0 ? side * d : 0;
        if (d > face) {
            face = d;
            face_normal =
                mo_vec3_make(axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0);
        }
    }
    if (isnan(x.x + x.y + x.z)) {
        *normal = face_normal;
        return NAN;
    }
    if (face <= 0) {
        *normal = face_normal;
        return face;
    }
    mo_vec3 away = mo_vec3_load(outside);
    *normal = mo_unit(away, face_normal);
    return mo_length(away);
}

static void box_distances(const void *params, int64_t count, const double *points, double *distance,
                          double *normal)
{
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 n;
        distance[k] = distance_to(params, mo_vec3_load(points + 3 * k), &n);
        if (normal) {
            mo_vec3_store(normal + 3 * k, n);
        }
    }
}

static bool box_bounds(const void *params, mo_vec3 *min, mo_vec3 *max)
{
    const box *b = params;
    *min = b->min;
    *max = b->max;
    return true;
}

static bool box_chord(const void *params, mo_vec3 from, mo_vec3 direction, double *enter,
                      double *leave)
{
    const box *b = params;
    *enter = -INFINITY;
    *leave = INFINITY;
    for (int axis = 0; axis < 3; ++axis) {
        double x = mo_vec3_at(from, axis), u = mo_vec3_at(direction, axis);
        double low = mo_vec3_at(b->min, axis) - x, high = mo_vec3_at(b->max, axis) - x;
        if (u == 0) {
            *leave = low <= 0 && high >= 0 ? *leave : -INFINITY;
            continue;
        }
        *enter = fmax(*enter, (u > 0 ? low : high) / u);
        *leave = fmin(*leave, (u > 0 ? high : low) / u);
    }
    return *enter < *leave;
}

/* The lattice along one axis: a box thinner than the minimum separation has one layer at
 * mid-thickness. */
typedef struct axis {
    double low, high, step;
    int64_t steps;
} axis;

static axis axis_of(double low, double high, double spacing)
{
    int64_t steps = mo_sample_steps(high - low, spacing);
    return (axis){low, high, steps > 0 ? (high - low) / (double)steps : high - low, steps};
}

static double position_on(const axis *a, int64_t k)
{
    return a->steps == 0   ? 0.5 * (a->low + a->high)
           : k == a->steps ? a->high
                           : a->low + a->step * (double)k;
}

/* The side of the box: -1, 0 (none), 1; a single layer counts as the upper one. */
static int side_of(const axis *a, int64_t k)
{
    return k == a->steps ? 1 : k == 0 ? -1 : 0;
}

/* The length of the axis that belongs to a lattice point. */
static double share_of(const axis *a, int64_t k)
{
    return a->steps == 0 ? a->step : side_of(a, k) ? 0.5 * a->step : a->step;
}

/* The area of a lattice point on its faces; length of the contour in the plane. */
static double area_of(const axis a[3], const int64_t at[3], int dimension)
{
    double sum = 0;
    for (int k = 0; k < dimension; ++k) {
        int faces = side_of(&a[k], at[k]) == 0 ? 0 : a[k].steps == 0 ? 2 : 1;
        double share = faces;
        for (int other = 0; other < dimension; ++other) {
            share *= other == k ? 1 : share_of(&a[other], at[other]);
        }
        sum += share;
    }
    return sum;
}

/* All samples of a row along the last axis. */
static mote_status sample_row(const axis a[3], int64_t at[3], int dimension, mo_samples *samples,
                              mote_error *error)
{
    int last = dimension - 1, sides[3] = {0, 0, 0};
    double x[3] = {0, 0, 0};
    bool on_side = false;
    for (int k = 0; k < last; ++k) {
        x[k] = position_on(&a[k], at[k]);
        sides[k] = side_of(&a[k], at[k]);
        on_side = on_side || sides[k];
    }
    /* within the face only both ends of a row */
    int64_t step = on_side || a[last].steps == 0 ? 1 : a[last].steps;
    for (at[last] = 0; at[last] <= a[last].steps; at[last] += step) {
        x[last] = position_on(&a[last], at[last]);
        sides[last] = side_of(&a[last], at[last]);
        mo_vec3 n = mo_vec3_make(sides[0], sides[1], sides[2]);
        MO_TRY(mo_samples_add(samples, mo_vec3_load(x), mo_unit(n, n), area_of(a, at, dimension),
                              error));
    }
    return MOTE_OK;
}

static mote_status box_sample(const void *params, const mo_sampling *how, mo_samples *samples,
                              mote_error *error)
{
    const box *b = params;
    axis a[3] = {axis_of(b->min.x, b->max.x, how->spacing),
                 axis_of(b->min.y, b->max.y, how->spacing),
                 axis_of(b->min.z, b->max.z, how->spacing)};
    double nx = (double)a[0].steps + 1, ny = (double)a[1].steps + 1, nz = (double)a[2].steps + 1;
    int64_t at[3] = {0, 0, 0};
    if (how->dimension == 2) {
        if (b->min.z > 0 || b->max.z < 0) {
            return MOTE_OK; /* the plane z = 0 does not intersect it */
        }
        MO_TRY(mo_sample_count_check(2 * (nx + ny), how, error));
        for (at[0] = 0; at[0] <= a[0].steps; ++at[0]) {
            MO_TRY(sample_row(a, at, 2, samples, error));
        }
        return MOTE_OK;
    }
    MO_TRY(mo_sample_count_check(2 * (nx * ny + ny * nz + nz * nx), how, error));
    for (at[0] = 0; at[0] <= a[0].steps; ++at[0]) {
        for (at[1] = 0; at[1] <= a[1].steps; ++at[1]) {
            MO_TRY(sample_row(a, at, 3, samples, error));
        }
    }
    return MOTE_OK;
}

static mote_status box_facets(const void *params, const mo_shape_region *region, mo_facets *facets,
                              mote_error *error)
{
    /* corners as bits x, y, z of their upper ends */
    static const int FACES[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    const box *b = params;
    int64_t first = facets->vertices;
    (void)region;
    for (int k = 0; k < 8; ++k) {
        mo_vec3 x = {k & 1 ? b->max.x : b->min.x, k & 2 ? b->max.y : b->min.y,
                     k & 4 ? b->max.z : b->min.z};
        MO_TRY(mo_facets_vertex(facets, x, error));
    }
    for (int k = 0; k < 6; ++k) {
        const int *c = FACES[k];
        MO_TRY(mo_facets_triangle(facets, first + c[0], first + c[1], first + c[2], error));
        MO_TRY(mo_facets_triangle(facets, first + c[0], first + c[2], first + c[3], error));
    }
    return MOTE_OK;
}

static bool box_primitive(const void *params, mo_primitive *primitive)
{
    const box *b = params;
    *primitive = (mo_primitive){.kind = MO_PRIMITIVE_BOX,
                                .center = mo_scale(0.5, mo_add(b->min, b->max)),
                                .axes = mo_mat3_identity(),
                                .half = mo_scale(0.5, mo_sub(b->max, b->min))};
    return true;
}

static void box_moments(const void *params, mo_volume_moments *moments)
{
    const box *b = params;
    mo_vec3 d = mo_sub(b->max, b->min);
    *moments = mo_moments_aligned(d.x * d.y * d.z, mo_scale(0.5, mo_add(b->min, b->max)),
                                  mo_scale(1.0 / 12, mo_multiply(d, d)));
}

const mo_shape_type mo_shape_box = {
    .base = {.name = "box",
             .summary = "An axis-aligned box.",
             .capabilities = MO_SHAPE_EXACT | MO_PORTABLE,
             .param_size = sizeof(box),
             .params = PARAMS,
             .check = box_check},
    .distances = box_distances,
    .bounds = box_bounds,
    .moments = box_moments,
    .chord = box_chord,
    .sample = box_sample,
    .facets = box_facets,
    .primitive = box_primitive,
};
