/*
 * Attraction by an infinite sheet of mass (Gauss's law): with d the signed distance and e a
 * softening length the acceleration is -s d/sqrt(d^2 + e^2) along the normal and the potential s
 * sqrt(d^2 + e^2). A negative s repels.
 */
#include "geometry/motion/motion.h"
#include "integrate/force_scope.h"
#include "particle/force/field.h"

#include <math.h>

typedef struct force_plane {
    mo_force_scope scope;
    mo_vec3 point, normal;
    double strength, softening;
    mo_method motion;
} force_plane;

static const mo_param PARAMS[] = {
    {"point", MO_VEC3, MO_FIELD(force_plane, point), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "A point of the plane."},
    {"normal", MO_VEC3, MO_FIELD(force_plane, normal), .initial = "[0, 0, 1]",
     .doc = "Normal of the plane, of any length."},
    {"strength", MO_REAL, MO_FIELD(force_plane, strength), .unit = "m/s^2", .required = true,
     .doc = "Acceleration towards the plane on both sides; negative values repel."},
    {"softening", MO_REAL, MO_FIELD(force_plane, softening), .unit = "m", .initial = "0.01",
     .range = "(0, inf)",
     .doc = "Distance below which the acceleration decreases to 0 at the plane."},
    {"motion", MO_METHOD, MO_FIELD(force_plane, motion), .family = &mo_motions,
     .doc = "Motion of the plane; it is at rest without one."},
    MO_FORCE_SCOPE_PARAM(force_plane),
    {0}};

static mote_status force_plane_check(const void *params, mote_error *error)
{
    const force_plane *p = params;
    return mo_length(p->normal) > 0
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_INPUT, "normal: it must not be zero");
}

/* A moving plane does work. */
static mote_status force_plane_create(const void *params, const mo_force_context *context,
                                      mo_force *force, mote_error *error)
{
    (void)context, (void)error;
    force->open = mo_motion_moves(((const force_plane *)params)->motion);
    return MOTE_OK;
}

typedef struct posed_plane {
    mo_vec3 point, normal;
} posed_plane;

static posed_plane plane_at(const force_plane *p, double time)
{
    mo_pose pose = mo_motion_pose(p->motion, time);
    mo_vec3 normal = mo_mat3_apply(pose.R, p->normal);
    return (posed_plane){mo_pose_apply(&pose, p->point), mo_unit(normal, normal)};
}

static double distance_to(const posed_plane *plane, const double *x)
{
    return mo_dot(plane->normal, mo_sub(mo_vec3_load(x), plane->point));
}

static void force_plane_add(const void *instance, const mo_force_args *args, int64_t first,
                            int64_t last)
{
    const force_plane *p = instance;
    posed_plane plane = plane_at(p, args->time);
    for (int64_t row = first; row < last; ++row) {
        double d = distance_to(&plane, args->x + 3 * row);
        double a = -p->strength * d / sqrt(d * d + p->softening * p->softening);
        mo_vec3 f = mo_vec3_load(args->f + 3 * row);
        mo_vec3_store(args->f + 3 * row, mo_add_scaled(f, args->mass[row] * a, plane.normal));
    }
}

static double force_plane_energy(const void *instance, const mo_force_args *args, int64_t first,
                                 int64_t last)
{
    const force_plane *p = instance;
    posed_plane plane = plane_at(p, args->time);
    double sum = 0;
    for (int64_t row = first; row < last; ++row) {
        double d = distance_to(&plane, args->x + 3 * row);
        sum += p->strength * args->mass[row] * sqrt(d * d + p->softening * p->softening);
    }
    return sum;
}

/* |df/dx| = m s e^2/(d^2 + e^2)^1.5 n n^T, and the rows of n n^T sum to at most sqrt(3). */
static void force_plane_stiffness(const void *instance, const mo_force_args *args, int64_t first,
                                  int64_t last, double *bound)
{
    const force_plane *p = instance;
    posed_plane plane = plane_at(p, args->time);
    double e2 = p->softening * p->softening;
    for (int64_t row = first; row < last; ++row) {
        double d = distance_to(&plane, args->x + 3 * row), square = d * d + e2;
        for (int c = 0; c < 3; ++c) {
            bound[3 * row + c] +=
                1.74 * fabs(p->strength) * args->mass[row] * e2 / (square * sqrt(square));
        }
    }
}

const mo_force_type mo_field_force_plane = {
    .base = {.name = "force_plane",
             .summary = "A plane that attracts or repels particles with a constant acceleration.",
             .capabilities = MO_FORCE_EXTERNAL | MO_FORCE_SCOPED | MO_PORTABLE,
             .param_size = sizeof(force_plane),
             .params = PARAMS,
             .check = force_plane_check},
    .create = force_plane_create,
    .add = force_plane_add,
    .energy = force_plane_energy,
    .stiffness = force_plane_stiffness,
};
