/*
 * What the pressure of the fluid does to a collider: the sum of the forces on its samples, equal and opposite to what the
 * fluid feels of them, with the pressure of the last step and everything where it is (fluid/loads.c), and their moment
 * about a place. The friction of the fluid is not
 * in it, nor what particles do that touch a collider as particles (world/contact.h). Zero before the first step, and
 * where there is no fluid.
 */
#include "world/fluid_system.h"
#include "world/observable/observable.h"

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
    *l = (load){context->fluid, p->collider.name ? (int)p->collider.index : -1, p->about};
    *instance = l;
    return MOTE_OK;
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
    mo_vec3 force = mo_vec3_make(0, 0, 0), torque = force;
    if (l->system) {
        mo_fluid_system *fluid = l->system->state;
        MO_TRY(mo_fluid_wall_loads(&fluid->fluid, time, l->collider, l->about, &force, &torque, error));
    }
    mo_vec3_store(values, force);
    mo_vec3_store(values + 3, torque);
    return MOTE_OK;
}

const mo_observable_type mo_observable_collider_load = {
    .base = {.name = "collider_load",
             .summary = "Force and torque of the fluid's pressure on a collider.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(parameters),
             .params = PARAMS},
    .create = create,
    .destroy = destroy,
    .size = size,
    .label = label,
    .observe = observe,
};
