/*
 * The load of the fluid on a collider: the mean force of the last step on its boundary particles, by
 * pressure and wall viscosity, and its torque about a point (fluid/boundary/reaction.h). With gravity it
 * is the change of the fluid's momentum. Contacts of particles with a collider (collide/bounce.h) do not
 * count. Zero before the first step and where there is no fluid.
 */
#include "couple/boundary_reaction.h"
#include "observe/observable.h"
#include "system/fluid/fluid.h"

#include <stdio.h>

enum { NUMBERS = 6 };

typedef struct parameters {
    mo_reference collider;
    mo_vec3 about;
} parameters;

static const mo_param PARAMS[] = {{"collider", MO_REFERENCE, MO_FIELD(parameters, collider),
                                   .target = "colliders", .doc = "Which one; all of them if left out."},
                                  {"about", MO_VEC3, MO_FIELD(parameters, about), .unit = "m",
                                   .initial = "[0, 0, 0]", .doc = "The place that the torque is about."},
                                  {0}};

typedef struct load {
    const mote_world *world;
    mo_system *system; /* NULL: no fluid */
    int collider;      /* -1: all */
    mo_vec3 about;
} load;

static mote_status create(const void *params, const mo_observable_context *context, void **instance,
                          mote_error *error)
{
    const parameters *p = params;
    load *l = mo_allocate(context->memory, sizeof *l);
    if (!l) {
        return mo_fail_memory(error, sizeof *l);
    }
    int fluid = mote_world_system_find(context->world, "fluid");
    *l = (load){context->world, fluid >= 0 ? &context->world->systems[fluid] : NULL,
                p->collider.name ? (int)p->collider.index : -1, p->about};
    *instance = l;
    return MOTE_OK;
}

static mote_status bind(void *instance, mote_error *error)
{
    load *l = instance;
    return l->system ? mo_fluid_want_reactions(&((mo_fluid_system *)l->system->state)->fluid, error)
                     : MOTE_OK;
}

static void destroy(void *instance, mo_memory *memory)
{
    mo_release(memory, instance);
}

static int64_t size(const void *instance)
{
    (void)instance;
    return NUMBERS;
}

static void label(const void *instance, int64_t index, char text[MO_OBSERVABLE_LABEL])
{
    static const char *const LABELS[NUMBERS] = {"force_x_N",   "force_y_N",   "force_z_N",
                                                "torque_x_Nm", "torque_y_Nm", "torque_z_Nm"};
    (void)instance;
    snprintf(text, MO_OBSERVABLE_LABEL, "%s", LABELS[index]);
}

static mote_status observe(void *instance, double time, double *values, mote_error *error)
{
    const load *l = instance;
    mo_wrench wrench = {0};
    (void)time, (void)error;
    for (int k = 0; k < l->world->coupling_count; ++k) {
        const mo_coupling *c = &l->world->couplings[k];
        if (c->type == &mo_coupling_boundary_reaction && c->a == l->system) {
            mo_reactions reactions = mo_boundary_reactions(c);
            wrench = mo_reactions_wrench(&reactions, l->collider, l->about);
        }
    }
    mo_vec3_store(values, wrench.force);
    mo_vec3_store(values + 3, wrench.torque);
    return MOTE_OK;
}

const mo_observable_type mo_observable_collider_load = {
    .base = {.name = "collider_load",
             .summary =
                 "Force and torque of the fluid on a collider, by pressure and friction, in the last step.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(parameters),
             .params = PARAMS},
    .create = create,
    .destroy = destroy,
    .bind = bind,
    .size = size,
    .label = label,
    .observe = observe,
};
