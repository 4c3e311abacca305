/*
 * Damping of the rotation of oriented particles: the torque -g w on each, with w the angular
 * velocity (D. Tonnesen 1998, PhD thesis, chapter 4). Angular momentum decays, linear momentum is
 * conserved.
 */
#include "math/quat.h"
#include "particle/force/field.h"

typedef struct damping_rotation {
    double g;
} damping_rotation;

static const mo_param PARAMS[] = {{"g", MO_REAL, MO_FIELD(damping_rotation, g), .unit = "N m s",
                                   .required = true, .range = "[0, inf)",
                                   .doc = "Damping torque per angular velocity."},
                                  {0}};

static mote_status damping_rotation_create(const void *params, const mo_force_context *context,
                                           mo_force *force, mote_error *error)
{
    (void)params;
    (void)force;
    if (context->store && !mo_store_find(context->store, "q")) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "no body has oriented particles; add \"oriented\": true to one");
    }
    return MOTE_OK;
}

static void damping_rotation_add(const void *instance, const mo_force_args *args, int64_t first,
                                 int64_t last)
{
    const damping_rotation *d = instance;
    for (int64_t row = first; row < last && args->q; ++row) {
        mo_vec3 w = mo_quat_rotate(mo_quat_normalize(mo_quat_load(args->q + 4 * row)),
                                   mo_vec3_load(args->w + 3 * row));
        mo_vec3_store(args->torque + 3 * row,
                      mo_add_scaled(mo_vec3_load(args->torque + 3 * row), -d->g, w));
    }
}

const mo_force_type mo_field_damping_rotation = {
    .base = {.name = "damping_rotation",
             .summary = "Linear damping of the rotation of oriented particles.",
             .citation = "D. Tonnesen 1998, PhD thesis, University of Toronto, chapter 4",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(damping_rotation),
             .params = PARAMS},
    .create = damping_rotation_create,
    .add = damping_rotation_add,
};
