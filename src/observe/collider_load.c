/*
 * The load on a collider: the mean force of the last step on it, by pressure and viscosity of a
 * fluid and by contacts of particles, and its torque about a point (world/reactions.h). It is equal
 * and opposite to the momentum change of the particles. After a static solve it is the load in the
 * equilibrium. Zero before the first step or solve.
 */
#include "observe/observable.h"
#include "world/reactions.h"

#include <stdio.h>

enum { NUMBERS = 6 };

typedef struct parameters {
    mo_reference collider;
    mo_vec3 about;
} parameters;

static const mo_param PARAMS[] = {{"collider", MO_REFERENCE, MO_FIELD(parameters, collider),
                                   .target = "colliders", .doc = "The collider; default: all."},
                                  {"about", MO_VEC3, MO_FIELD(parameters, about), .unit = "m",
                                   .initial = "[0, 0, 0]", .doc = "Reference point of the torque."},
                                  {0}};

typedef struct load {
    mote_world *world;
    int64_t collider; /* -1: all */
    mo_vec3 about;
} load;

static mote_status collider_load_create(const void *params, const mo_observable_context *context,
                                        void **instance, mote_error *error)
{
    const parameters *p = params;
    load *l = mo_allocate(context->memory, sizeof *l);
    if (!l) {
        return mo_fail_memory(error, sizeof *l);
    }
    *l = (load){context->world, p->collider.name ? p->collider.index : -1, p->about};
    context->world->host.wants_reactions = true;
    *instance = l;
    return MOTE_OK;
}

static void collider_load_destroy(void *instance, mo_memory *memory)
{
    mo_release(memory, instance);
}

static int64_t collider_load_size(const void *instance)
{
    (void)instance;
    return NUMBERS;
}

static void collider_load_label(const void *instance, int64_t index, char text[MO_OBSERVABLE_LABEL])
{
    static const char *const LABELS[NUMBERS] = {"force_x_N",   "force_y_N",   "force_z_N",
                                                "torque_x_Nm", "torque_y_Nm", "torque_z_Nm"};
    (void)instance;
    snprintf(text, MO_OBSERVABLE_LABEL, "%s", LABELS[index]);
}

static mote_status collider_load_observe(void *instance, double time, double *values,
                                         mote_error *error)
{
    const load *l = instance;
    (void)time, (void)error;
    mo_wrench wrench = mo_world_reaction(l->world, l->collider, l->about);
    mo_vec3_store(values, wrench.force);
    mo_vec3_store(values + 3, wrench.torque);
    return MOTE_OK;
}

const mo_observable_type mo_observable_collider_load = {
    .base = {.name = "collider_load",
             .summary = "Force and torque on a collider in the last step, from fluid and contacts.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(parameters),
             .params = PARAMS},
    .create = collider_load_create,
    .destroy = collider_load_destroy,
    .size = collider_load_size,
    .label = collider_load_label,
    .observe = collider_load_observe,
};
