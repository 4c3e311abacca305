/*
 * The load of a joint: the mean force and torque of the last step on its first body at the joint's
 * point, its coordinate (angle, displacement or distance) and the distance between the joined
 * points. Zero before the first step, and
 * in a scene without joints. The opposite wrench acts on the second body, collider or
 * node.
 */
#include "host/observable.h"
#include "system/rigid/def.h"

#include <stdio.h>

enum { NUMBERS = 8 };

typedef struct parameters {
    mo_reference joint;
    int64_t copy;
} parameters;

static const mo_param PARAMS[] = {{"joint", MO_REFERENCE, MO_FIELD(parameters, joint),
                                   .target = "joints", .doc = "The joint; default: the first one."},
                                  {"copy", MO_INT, MO_FIELD(parameters, copy), .initial = "0",
                                   .range = "[0, inf)", .doc = "Which joint of a chain."},
                                  {0}};

typedef struct load {
    mote_world *world;
    const char *name;
    int64_t copy;
} load;

static mote_status joint_load_create(const void *params, const mo_observable_context *context,
                                     void **instance, mote_error *error)
{
    const parameters *p = params;
    mote_joint first = {0};
    bool any = mote_world_joint(context->world, 0, &first);
    const char *name = p->joint.name ? p->joint.name : first.name;
    if (any && !mote_world_joint_find(context->world, name, p->copy, NULL)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "copy: the joint '%.60s' has no copy %lld; only a chain has several", name,
                       (long long)p->copy);
    }
    load *l = mo_allocate(context->memory, sizeof *l);
    if (!l) {
        return mo_fail_memory(error, sizeof *l);
    }
    *l = (load){context->world, name, p->copy};
    *instance = l;
    return MOTE_OK;
}

static void joint_load_destroy(void *instance, mo_memory *memory)
{
    mo_release(memory, instance);
}

static int64_t joint_load_size(const void *instance)
{
    (void)instance;
    return NUMBERS;
}

static void joint_load_label(const void *instance, int64_t index, char text[MO_OBSERVABLE_LABEL])
{
    static const char *const LABELS[NUMBERS] = {"force_x_N",   "force_y_N",   "force_z_N",
                                                "torque_x_Nm", "torque_y_Nm", "torque_z_Nm",
                                                "coordinate",  "error_m"};
    (void)instance;
    snprintf(text, MO_OBSERVABLE_LABEL, "%s", LABELS[index]);
}

static mote_status joint_load_observe(void *instance, double time, double *values,
                                      mote_error *error)
{
    const load *l = instance;
    mote_joint joint = {0};
    (void)time, (void)error;
    if (l->name) {
        mote_world_joint_find(l->world, l->name, l->copy, &joint);
    }
    for (int k = 0; k < 3; ++k) {
        values[k] = joint.force[k];
        values[3 + k] = joint.torque[k];
    }
    values[6] = joint.coordinate;
    values[7] = joint.error;
    return MOTE_OK;
}

static const mo_observable_type JOINT_LOAD = {
    .base = {.name = "joint_load",
             .summary = "Force, torque, coordinate and error of a joint in the last step.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(parameters),
             .params = PARAMS},
    .create = joint_load_create,
    .destroy = joint_load_destroy,
    .size = joint_load_size,
    .label = joint_load_label,
    .observe = joint_load_observe,
};

static const mo_descriptor *const OBSERVABLES[] = {&JOINT_LOAD.base};
const mo_family mo_rigid_system_observables = {
    .name = "observable", .doc = "Of rigid bodies.", .methods = OBSERVABLES, .count = 1};
