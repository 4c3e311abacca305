/*
 * Surface potentials of oriented particles (R. Szeliski, D. Tonnesen 1992, "Surface modeling with
 * oriented particle systems", SIGGRAPH, 185; D. Tonnesen 1998, PhD thesis, chapter 4). With the
 * axis n of a particle (z of its frame), r = x_j - x_i and the sum over ordered pairs,
 *     co-planarity    psi(|r|) (n_i . r)^2            neighbours lie in the tangent plane
 *     co-normality    psi(|r|) |n_i - n_j|^2          axes are parallel: least bending
 *     co-circularity  psi(|r|) ((n_i + n_j) . r)^2    constant curvature: spheres
 *     co-linearity    psi(|r|) |n_i x r|^2            the axis is a tangent: curves
 * Departs from the paper: psi, a Gaussian there, is 1 below r_a, falls as 2 s^3 - 3 s^2 + 1 with
 * s = (r - r_a)/(range - r_a), and is 0 beyond.
 * With E = psi U the force on i is dE/dr and its torque -n_i x dE/dn_i. E is invariant under
 * translations and rotations of the whole: linear momentum, and orbital plus spin angular momentum
 * are conserved.
 *
 * A pair is computed from both sides, four at a time; it costs one square root and one division.
 */
#include "math/quat.h"
#include "math/vec3.h"
#include "math/wide.h"
#include "particle/force/field.h"

#include <math.h>

enum { LANES = 4, NORMAL = 0 };

typedef struct oriented {
    double planarity, normality, circularity, linearity, r_a, range;
    mo_list between; /* mo_reference */
} oriented;

static const mo_param PARAMS[] = {
    {"coplanarity", MO_REAL, MO_FIELD(oriented, planarity), .unit = "J/m^2", .initial = "0",
     .range = "[0, inf)",
     .doc = "Strength of psi (n_i . r)^2, which moves neighbours into the tangent plane."},
    {"conormality", MO_REAL, MO_FIELD(oriented, normality), .unit = "J", .initial = "0",
     .range = "[0, inf)",
     .doc = "Strength of psi |n_i - n_j|^2, which makes the axes of neighbours parallel."},
    {"cocircularity", MO_REAL, MO_FIELD(oriented, circularity), .unit = "J/m^2", .initial = "0",
     .range = "[0, inf)",
     .doc = "Strength of psi ((n_i + n_j) . r)^2, which favours constant curvature."},
    {"colinearity", MO_REAL, MO_FIELD(oriented, linearity), .unit = "J/m^2", .initial = "0",
     .range = "[0, inf)",
     .doc = "Strength of psi |n_i x r|^2, which arranges particles along their axes, in curves."},
    {"range", MO_REAL, MO_FIELD(oriented, range), .unit = "m", .required = true,
     .range = "(0, inf)", .doc = "Distance at which the weight psi of a pair vanishes."},
    {"r_a", MO_REAL, MO_FIELD(oriented, r_a), .unit = "m", .initial = "0", .range = "[0, inf)",
     .doc = "Distance up to which the weight psi is 1; below `range`."},
    {"between", MO_REFERENCE, .list = true, MO_FIELD(oriented, between), .initial = "[]",
     .target = "species",
     .doc = "Restrict the potentials to pairs of these two species; one name: pairs within that "
            "species. Default: all pairs of oriented particles."},
    {0}};

static const mo_column_spec COLUMNS[] = {
    {"normal", MOTE_F64, 3, MO_DERIVED, "1", "z axis of an oriented particle in the world frame"},
    {0}};

typedef struct surface_force {
    oriented p;
    double inverse_span;
    int32_t first, second; /* species; -1: all */
    const mo_column *q, *inertia, *species;
    mo_column *normal;
    mo_store *store;
} surface_force;

static mote_status oriented_check(const void *params, mote_error *error)
{
    const oriented *p = params;
    if (p->r_a >= p->range) {
        return mo_fail(error, MOTE_ERROR_INPUT, "r_a: %g must be below range, which is %g", p->r_a,
                       p->range);
    }
    if (p->planarity + p->normality + p->circularity + p->linearity == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "coplanarity: all strengths are 0; give at least one of coplanarity, "
                       "conormality, cocircularity and colinearity");
    }
    if (p->between.count > 2) {
        return mo_fail(error, MOTE_ERROR_INPUT, "between: give one species or two, not %lld",
                       (long long)p->between.count);
    }
    return MOTE_OK;
}

static mote_status oriented_create(const void *params, const mo_force_context *context,
                                   mo_force *force, mote_error *error)
{
    const oriented *p = params;
    if (context->store && !mo_store_find(context->store, "q")) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "no body has oriented particles; add \"oriented\": true to one");
    }
    surface_force *f = mo_allocate(context->memory, sizeof *f);
    if (!f) {
        return mo_fail_memory(error, sizeof *f);
    }
    const mo_reference *between = p->between.items;
    *f = (surface_force){.p = *p,
                         .inverse_span = 1 / (p->range - p->r_a),
                         .first = -1,
                         .second = -1,
                         .normal = force->column[NORMAL],
                         .store = context->store};
    if (p->between.count > 0) {
        f->first = (int32_t)between[0].index;
        f->second = (int32_t)between[p->between.count - 1].index;
    }
    force->range = p->range;
    force->instance = f;
    return MOTE_OK;
}

static void oriented_destroy(void *instance, mo_memory *memory)
{
    mo_release(memory, instance);
}

/* ---- axes ---- */

typedef struct axes {
    const double *q, *inertia;
    double *normal;
} axes;

/* Rows without orientation have a zero axis, by which they are recognised. */
static void find_axes(void *context, int64_t first, int64_t last)
{
    const axes *a = context;
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 zero = {0, 0, 0}, z = {0, 0, 1};
        mo_quat q = mo_quat_normalize(mo_quat_load(a->q + 4 * row));
        mo_vec3_store(a->normal + 3 * row, a->inertia[3 * row] > 0 ? mo_quat_rotate(q, z) : zero);
    }
}

static mote_status oriented_prepare(void *instance, const mo_force_args *args, mo_pool *pool,
                                    mote_error *error)
{
    surface_force *f = instance;
    (void)error;
    f->inertia = mo_store_find(f->store, "inertia");
    f->species = f->first >= 0 ? mo_store_find(f->store, "species") : NULL;
    axes a = {args->q, mo_f64(f->inertia), mo_f64(f->normal)};
    mo_parallel_for(pool, args->rows, MO_FORCE_GRAIN, find_axes, &a);
    return MOTE_OK;
}

/* ---- pairs ---- */

typedef struct axis4 {
    mo_d4 x, y, z;
} axis4;

MO_INLINE mo_d4 dot4(axis4 a, axis4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

MO_INLINE axis4 scaled4(mo_d4 s, axis4 a)
{
    return (axis4){s * a.x, s * a.y, s * a.z};
}

MO_INLINE axis4 sum4(axis4 a, axis4 b)
{
    return (axis4){a.x + b.x, a.y + b.y, a.z + b.z};
}

MO_INLINE axis4 difference4(axis4 a, axis4 b)
{
    return (axis4){a.x - b.x, a.y - b.y, a.z - b.z};
}

static axis4 spread4(const double *p)
{
    return (axis4){mo_d4_set(p[0]), mo_d4_set(p[1]), mo_d4_set(p[2])};
}

/* Four pairs of a row: r, the axis of the other, the weight and its derivative over r. */
typedef struct batch {
    axis4 r, n;
    mo_d4 square, weight, slope_over_r;
    int32_t other[LANES];
} batch;

static bool acts(const surface_force *f, int64_t row, int32_t other)
{
    if (!f->species) {
        return true;
    }
    const int32_t *species = f->species->data;
    int32_t a = species[row], b = species[other];
    return (a == f->first && b == f->second) || (a == f->second && b == f->first);
}

/* Padding (the row itself), pairs beyond the range and pairs of other particles weigh nothing. */
static void load_batch(const surface_force *f, const mo_force_args *args, int64_t row, int32_t k,
                       batch *b)
{
    const mo_pairs *pairs = args->pairs;
    const int32_t *near = pairs->index + pairs->start[row] + k;
    const double *normal = mo_f64(f->normal);
    mo_d4 on;
    for (int lane = 0; lane < LANES; ++lane) {
        b->other[lane] = mo_pairs_row(pairs, near[lane]);
        const double *n = normal + 3 * (int64_t)b->other[lane];
        bool axis = n[0] != 0 || n[1] != 0 || n[2] != 0;
        on[lane] = axis && acts(f, row, b->other[lane]) ? 1 : 0;
    }
    axis4 x;
    mo_d4_load3(pairs->x, near, &x.x, &x.y, &x.z);
    mo_d4_load3(normal, b->other, &b->n.x, &b->n.y, &b->n.z);
    b->r = difference4(x, spread4(pairs->x + 3 * row));
    b->square = dot4(b->r, b->r);
    mo_d4 zero = mo_d4_set(0), one = mo_d4_set(1);
    mo_d4 length = mo_d4_sqrt(b->square);
    mo_d4 s = mo_d4_min(mo_d4_max((length - f->p.r_a) * f->inverse_span, zero), one);
    on = mo_d4_select(b->square > 0, on, zero);
    mo_d4 safe = mo_d4_select(b->square > 0, length, one);
    b->weight = on * ((2 * s - 3) * s * s + 1);
    b->slope_over_r = on * (6 * s * (s - 1) * f->inverse_span) / safe;
}

/* U of a pair in both orders, dU/dr and dU/dn_i. */
typedef struct pair_energy {
    mo_d4 value;
    axis4 along_r, along_n;
} pair_energy;

MO_INLINE pair_energy energy_of(const oriented *p, axis4 n, const batch *b)
{
    axis4 sum = sum4(n, b->n), difference = difference4(n, b->n);
    mo_d4 a = dot4(n, b->r), c = dot4(b->n, b->r), s = a + c;
    /* |n x r|^2 = |r|^2 - (n . r)^2 */
    double plane = p->planarity - p->linearity;
    pair_energy u;
    u.value = plane * (a * a + c * c) + 2 * p->linearity * b->square +
              2 * p->normality * dot4(difference, difference) + 2 * p->circularity * s * s;
    u.along_r = sum4(
        sum4(scaled4(2 * plane * a, n), scaled4(2 * plane * c, b->n)),
        sum4(scaled4(4 * p->circularity * s, sum), scaled4(mo_d4_set(4 * p->linearity), b->r)));
    u.along_n = sum4(scaled4(2 * plane * a + 4 * p->circularity * s, b->r),
                     scaled4(mo_d4_set(4 * p->normality), difference));
    return u;
}

MO_INLINE double sum_of_lanes(mo_d4 a)
{
    return (a[0] + a[1]) + (a[2] + a[3]);
}

static mo_vec3 total(axis4 a)
{
    return mo_vec3_make(sum_of_lanes(a.x), sum_of_lanes(a.y), sum_of_lanes(a.z));
}

static void oriented_add(const void *instance, const mo_force_args *args, int64_t first,
                         int64_t last)
{
    const surface_force *f = instance;
    for (int64_t row = first; row < last; ++row) {
        const double *normal = mo_f64(f->normal) + 3 * row;
        axis4 n = spread4(normal), force = {0}, turning = {0};
        if (normal[0] == 0 && normal[1] == 0 && normal[2] == 0) {
            continue;
        }
        for (int32_t k = 0; k < args->pairs->count[row]; k += LANES) {
            batch b;
            load_batch(f, args, row, k, &b);
            pair_energy u = energy_of(&f->p, n, &b);
            force = sum4(
                force, sum4(scaled4(b.weight, u.along_r), scaled4(b.slope_over_r * u.value, b.r)));
            turning = sum4(turning, scaled4(b.weight, u.along_n));
        }
        mo_vec3 torque = mo_cross(total(turning), mo_vec3_load(normal)); /* -n x dE/dn */
        mo_vec3_store(args->f + 3 * row, mo_add(mo_vec3_load(args->f + 3 * row), total(force)));
        mo_vec3_store(args->torque + 3 * row, mo_add(mo_vec3_load(args->torque + 3 * row), torque));
    }
}

/* Half of each pair belongs to each of its particles; r . f = -r . dE/dr. */
MO_INLINE double sum_pairs(const surface_force *f, const mo_force_args *args, int64_t first,
                           int64_t last, bool virial)
{
    double sum = 0;
    for (int64_t row = first; row < last; ++row) {
        const double *normal = mo_f64(f->normal) + 3 * row;
        bool axis = normal[0] != 0 || normal[1] != 0 || normal[2] != 0;
        for (int32_t k = 0; axis && k < args->pairs->count[row]; k += LANES) {
            batch b;
            load_batch(f, args, row, k, &b);
            pair_energy u = energy_of(&f->p, spread4(normal), &b);
            mo_d4 part =
                virial ? -(b.weight * dot4(u.along_r, b.r) + b.slope_over_r * u.value * b.square)
                       : b.weight * u.value;
            sum += 0.5 * sum_of_lanes(part);
        }
    }
    return sum;
}

static double oriented_energy(const void *instance, const mo_force_args *args, int64_t first,
                              int64_t last)
{
    return sum_pairs(instance, args, first, last, false);
}

static double oriented_virial(const void *instance, const mo_force_args *args, int64_t first,
                              int64_t last)
{
    return sum_pairs(instance, args, first, last, true);
}

/* Bounds of the second derivatives of E = psi U of a pair at its present distance and axes. With
 * a the strength of planarity and linearity, b of normality, c of circularity and |n| = 1:
 *     |d2U/dr2| <= 4 a + 16 c,  |d2U/dr dn| <= 4 a r + 16 c r,
 *     |d2U/dn2| <= 2 a r^2 + 4 c r^2 + 8 b.
 * Rotations are scaled by the length sqrt(I/m), so that one mass serves both: no angular frequency
 * is above sqrt(bound/m). Each derivative occurs for the row and for its neighbour, hence the 2. */
static double pair_bound(const surface_force *f, const batch *near, const pair_energy *u, int lane,
                         double scale)
{
    double a = f->p.planarity + f->p.linearity, b = f->p.normality, c = f->p.circularity;
    double r = sqrt(near->square[lane]), weight = near->weight[lane];
    double s = (r - f->p.r_a) * f->inverse_span, value = fabs(u->value[lane]);
    double bend = s > 0 ? fabs(6 * (2 * s - 1)) * f->inverse_span * f->inverse_span : 0;
    double fall_over_r = fabs(near->slope_over_r[lane]), fall = fall_over_r * r;
    double along_r =
        mo_length(mo_vec3_make(u->along_r.x[lane], u->along_r.y[lane], u->along_r.z[lane]));
    double along_n =
        mo_length(mo_vec3_make(u->along_n.x[lane], u->along_n.y[lane], u->along_n.z[lane]));
    double xx = weight * (4 * a + 16 * c) + 2 * fall * along_r + (bend + fall_over_r) * value;
    double xn = weight * (4 * a + 16 * c) * r + fall * along_n;
    double nn = weight * ((2 * a + 4 * c) * r * r + 8 * b + along_n);
    return weight > 0 ? 2 * fmax(xx + xn * scale, xn * scale + nn * scale * scale) : 0;
}

static void oriented_stiffness(const void *instance, const mo_force_args *args, int64_t first,
                               int64_t last, double *bound)
{
    const surface_force *f = instance;
    for (int64_t row = first; row < last; ++row) {
        const double *own = mo_f64(f->inertia) + 3 * row, *normal = mo_f64(f->normal) + 3 * row;
        double least = fmin(own[0], fmin(own[1], own[2])), sum = 0;
        double scale = least > 0 ? sqrt(args->mass[row] / least) : 0;
        for (int32_t k = 0; least > 0 && k < args->pairs->count[row]; k += LANES) {
            batch near;
            load_batch(f, args, row, k, &near);
            pair_energy u = energy_of(&f->p, spread4(normal), &near);
            for (int lane = 0; lane < LANES; ++lane) {
                sum += pair_bound(f, &near, &u, lane, scale);
            }
        }
        for (int k = 0; k < 3; ++k) {
            bound[3 * row + k] += sum;
        }
    }
}

const mo_force_type mo_field_oriented = {
    .base = {.name = "oriented",
             .summary = "Surface potentials of oriented particles: co-planarity, co-normality, "
                        "co-circularity; co-linearity for curves.",
             .citation = "R. Szeliski, D. Tonnesen 1992, SIGGRAPH, 185; D. Tonnesen 1998, PhD "
                         "thesis, University of Toronto, chapter 4",
             .departs = "The weight psi is the smooth step of the Lennard-Jones force instead of a "
                        "Gaussian; co-linearity is an addition.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(oriented),
             .params = PARAMS,
             .columns = COLUMNS,
             .check = oriented_check},
    .create = oriented_create,
    .destroy = oriented_destroy,
    .prepare = oriented_prepare,
    .add = oriented_add,
    .row_energy = true,
    .energy = oriented_energy,
    .virial = oriented_virial,
    .stiffness = oriented_stiffness,
};
