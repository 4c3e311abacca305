/*
 * Attraction by a point mass: the acceleration -mu d/(d^2 + e^2)^1.5 along d = x - center, with
 * Plummer's softening e (H. C. Plummer 1911, Mon. Not. R. Astron. Soc. 71, 460), and the potential
 * -mu/sqrt(d^2 + e^2). A negative mu repels.
 */
#include "geometry/motion/motion.h"
#include "integrate/force_scope.h"
#include "particle/force/field.h"

#include <math.h>

typedef struct attractor {
    mo_force_scope scope;
    mo_vec3 center;
    double strength, softening;
    mo_method motion;
} attractor;

static const mo_param PARAMS[] = {
    {"center", MO_VEC3, MO_FIELD(attractor, center), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "The point that attracts."},
    {"strength", MO_REAL, MO_FIELD(attractor, strength), .unit = "m^3/s^2", .required = true,
     .doc = "Gravitational parameter: the acceleration at a large distance d is strength/d^2; "
            "negative values repel."},
    {"softening", MO_REAL, MO_FIELD(attractor, softening), .unit = "m", .initial = "0.01",
     .range = "(0, inf)",
     .doc = "Softening length, below which the acceleration decreases to 0 at the center."},
    {"motion", MO_METHOD, MO_FIELD(attractor, motion), .family = &mo_motions,
     .doc = "Motion of the center; it is at rest without one."},
    MO_FORCE_SCOPE_PARAM(attractor),
    {0}};

/* A moving centre does work. */
static mote_status attractor_create(const void *params, const mo_force_context *context,
                                    mo_force *force, mote_error *error)
{
    (void)context, (void)error;
    force->open = mo_motion_moves(((const attractor *)params)->motion);
    return MOTE_OK;
}

static mo_vec3 center_at(const attractor *p, double time)
{
    mo_pose pose = mo_motion_pose(p->motion, time);
    return mo_pose_apply(&pose, p->center);
}

/* d, and d^2 + e^2 */
static mo_vec3 offset_of(const attractor *p, mo_vec3 center, const double *x, double *square)
{
    mo_vec3 d = mo_sub(mo_vec3_load(x), center);
    *square = mo_dot(d, d) + p->softening * p->softening;
    return d;
}

static void attractor_add(const void *instance, const mo_force_args *args, int64_t first,
                          int64_t last)
{
    const attractor *p = instance;
    mo_vec3 center = center_at(p, args->time);
    for (int64_t row = first; row < last; ++row) {
        double square;
        mo_vec3 d = offset_of(p, center, args->x + 3 * row, &square);
        double factor = -p->strength * args->mass[row] / (square * sqrt(square));
        mo_vec3 f = mo_vec3_load(args->f + 3 * row);
        mo_vec3_store(args->f + 3 * row, mo_add_scaled(f, factor, d));
    }
}

static double attractor_energy(const void *instance, const mo_force_args *args, int64_t first,
                               int64_t last)
{
    const attractor *p = instance;
    mo_vec3 center = center_at(p, args->time);
    double sum = 0, square;
    for (int64_t row = first; row < last; ++row) {
        offset_of(p, center, args->x + 3 * row, &square);
        sum -= p->strength * args->mass[row] / sqrt(square);
    }
    return sum;
}

/* df/dx = -mu m (1/s^3 - 3 d d^T/s^5), s^2 = d^2 + e^2: row sums are at most (1 + 3 sqrt(3)
 * d^2/s^2)/s^3, and 1 + 3 sqrt(3) < 6.2. */
static void attractor_stiffness(const void *instance, const mo_force_args *args, int64_t first,
                                int64_t last, double *bound)
{
    const attractor *p = instance;
    mo_vec3 center = center_at(p, args->time);
    for (int64_t row = first; row < last; ++row) {
        double square;
        offset_of(p, center, args->x + 3 * row, &square);
        for (int c = 0; c < 3; ++c) {
            bound[3 * row + c] +=
                6.2 * fabs(p->strength) * args->mass[row] / (square * sqrt(square));
        }
    }
}

const mo_force_type mo_field_attractor = {
    .base = {.name = "attractor",
             .summary = "A point that attracts or repels particles as a point mass does.",
             .citation = "H. C. Plummer 1911, Mon. Not. R. Astron. Soc. 71, 460 (softening)",
             .capabilities = MO_FORCE_EXTERNAL | MO_FORCE_SCOPED | MO_PORTABLE,
             .param_size = sizeof(attractor),
             .params = PARAMS},
    .create = attractor_create,
    .add = attractor_add,
    .energy = attractor_energy,
    .stiffness = attractor_stiffness,
};
