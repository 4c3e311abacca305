/*
 * A vortex: particles are accelerated around an axis, towards it and along it. The profile over the
 * distance r from the axis is that of Scully's vortex (M. P. Scully 1975, MIT ASRL TR 178-1), p(r)
 * = 2 r c/(r^2 + c^2), which is 1 at the core radius c and falls as 1/r outside:
 *     a = p(r) (strength t - inflow e_r + updraft axis),    t = axis x e_r.
 * The field has a curl and no potential. Drag makes particles follow it steadily.
 */
#include "geometry/motion/motion.h"
#include "integrate/force_scope.h"
#include "particle/force/field.h"

#include <math.h>

typedef struct vortex {
    mo_force_scope scope;
    mo_vec3 center, axis;
    double strength, inflow, updraft, radius;
    mo_method motion;
} vortex;

static const mo_param PARAMS[] = {
    {"center", MO_VEC3, MO_FIELD(vortex, center), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "A point of the axis."},
    {"axis", MO_VEC3, MO_FIELD(vortex, axis), .initial = "[0, 0, 1]",
     .doc = "Direction of the axis, of any length; the swirl is counterclockwise about it."},
    {"strength", MO_REAL, MO_FIELD(vortex, strength), .unit = "m/s^2", .required = true,
     .doc = "Tangential acceleration at the core radius; negative values turn clockwise."},
    {"inflow", MO_REAL, MO_FIELD(vortex, inflow), .unit = "m/s^2", .initial = "0",
     .doc = "Acceleration towards the axis at the core radius."},
    {"updraft", MO_REAL, MO_FIELD(vortex, updraft), .unit = "m/s^2", .initial = "0",
     .doc = "Acceleration along the axis at the core radius."},
    {"radius", MO_REAL, MO_FIELD(vortex, radius), .unit = "m", .initial = "0.5",
     .range = "(0, inf)",
     .doc = "Core radius, where the acceleration is largest; it is linear inside and falls as 1/r "
            "outside."},
    {"motion", MO_METHOD, MO_FIELD(vortex, motion), .family = &mo_motions,
     .doc = "Motion of the axis; it is at rest without one."},
    MO_FORCE_SCOPE_PARAM(vortex),
    {0}};

static mote_status vortex_check(const void *params, mote_error *error)
{
    const vortex *p = params;
    return mo_length(p->axis) > 0 ? MOTE_OK
                                  : mo_fail(error, MOTE_ERROR_INPUT, "axis: it must not be zero");
}

static mote_status vortex_create(const void *params, const mo_force_context *context,
                                 mo_force *force, mote_error *error)
{
    (void)params, (void)context, (void)error;
    force->open = true;
    return MOTE_OK;
}

static void vortex_add(const void *instance, const mo_force_args *args, int64_t first, int64_t last)
{
    const vortex *p = instance;
    mo_pose pose = mo_motion_pose(p->motion, args->time);
    mo_vec3 center = mo_pose_apply(&pose, p->center), axis = mo_mat3_apply(pose.R, p->axis);
    axis = mo_unit(axis, axis);
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 d = mo_sub(mo_vec3_load(args->x + 3 * row), center);
        mo_vec3 r = mo_add_scaled(d, -mo_dot(d, axis), axis);
        double square = mo_dot(r, r);
        /* p(r)/r: vectors below have length r */
        double factor = args->mass[row] * 2 * p->radius / (square + p->radius * p->radius);
        mo_vec3 a = mo_add_scaled(mo_scale(p->strength, mo_cross(axis, r)), -p->inflow, r);
        a = mo_add_scaled(a, p->updraft * sqrt(square), axis);
        mo_vec3 f = mo_vec3_load(args->f + 3 * row);
        mo_vec3_store(args->f + 3 * row, mo_add_scaled(f, factor, a));
    }
}

/* |d(p(r) e)/dx| <= 2/c for every direction e, and sqrt(3) for sums of rows. */
static void vortex_stiffness(const void *instance, const mo_force_args *args, int64_t first,
                             int64_t last, double *bound)
{
    const vortex *p = instance;
    double most = 3.47 * (fabs(p->strength) + fabs(p->inflow) + fabs(p->updraft)) / p->radius;
    for (int64_t row = first; row < last; ++row) {
        for (int c = 0; c < 3; ++c) {
            bound[3 * row + c] += args->mass[row] * most;
        }
    }
}

const mo_force_type mo_field_vortex = {
    .base = {.name = "vortex",
             .summary = "Accelerates particles around an axis, towards it and along it.",
             .citation = "M. P. Scully 1975, MIT ASRL TR 178-1 (profile of the core)",
             .capabilities = MO_FORCE_EXTERNAL | MO_FORCE_SCOPED | MO_PORTABLE,
             .param_size = sizeof(vortex),
             .params = PARAMS,
             .check = vortex_check},
    .create = vortex_create,
    .add = vortex_add,
    .stiffness = vortex_stiffness,
};
