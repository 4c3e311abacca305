/*
 * The number of intersecting pairs of triangles of a system's surfaces, over all pairs
 * (geometry/trimesh/crossings.h): 0 where contact is resolved. It costs a search over all triangles
 * at every frame, and shares nothing with the contact methods it checks.
 */
#include "geometry/trimesh/crossings.h"
#include "observe/observable.h"

#include <stdio.h>

typedef struct parameters {
    const char *system;
} parameters;

static const mo_param PARAMS[] = {MO_OBSERVED_SYSTEM(parameters), {0}};

typedef struct intersections {
    mo_system *system;
    mo_memory *memory;
} intersections;

static mote_status intersections_create(const void *params, const mo_observable_context *context,
                                        void **instance, mote_error *error)
{
    const parameters *p = params;
    mo_system *system;
    MO_TRY(mo_observed_system(context, p->system, &system, error));
    if (system->bodies.triangle_count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "system: '%s' has no triangles",
                       system->type->base.name);
    }
    intersections *i = mo_allocate(context->memory, sizeof *i);
    if (!i) {
        return mo_fail_memory(error, sizeof *i);
    }
    *i = (intersections){system, context->memory};
    *instance = i;
    return MOTE_OK;
}

static void intersections_destroy(void *instance, mo_memory *memory)
{
    mo_release(memory, instance);
}

static int64_t intersections_size(const void *instance)
{
    (void)instance;
    return 1;
}

static void intersections_label(const void *instance, int64_t index, char text[MO_OBSERVABLE_LABEL])
{
    (void)instance, (void)index;
    snprintf(text, MO_OBSERVABLE_LABEL, "pairs");
}

static mote_status intersections_observe(void *instance, double time, double *values,
                                         mote_error *error)
{
    const intersections *i = instance;
    const mo_body_table *bodies = &i->system->bodies;
    int64_t count;
    (void)time;
    MO_TRY(mo_crossings_count(i->memory, bodies->triangle_count, bodies->triangles,
                              mo_f64(i->system->columns.x), &count, error));
    values[0] = (double)count;
    return MOTE_OK;
}

const mo_observable_type mo_observable_intersections = {
    .base = {.name = "intersections",
             .summary = "Number of intersecting pairs of triangles of a system's surfaces.",
             .param_size = sizeof(parameters),
             .params = PARAMS},
    .create = intersections_create,
    .destroy = intersections_destroy,
    .size = intersections_size,
    .label = intersections_label,
    .observe = intersections_observe,
};
