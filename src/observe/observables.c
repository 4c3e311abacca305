#include "observe/observables.h"

#include "base/plain_numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static mote_status name_observable(mo_observables *o, int index, mo_arena *arena, mote_error *error)
{
    char name[96];
    int before = 0;
    for (int k = 0; k < index; ++k) {
        before += o->list[k].type == o->list[index].type;
    }
    const char *method = o->list[index].type->base.name;
    if (before > 0) {
        snprintf(name, sizeof name, "%s%d", method, before + 1);
    }
    o->list[index].name = before > 0 ? mo_arena_text(arena, name) : method;
    return o->list[index].name ? MOTE_OK : mo_fail_memory(error, sizeof name);
}

static mote_status declare_columns(const mo_observable *one, mote_error *error)
{
    const mo_column_spec *spec = one->type->base.columns;
    for (int k = 0; spec && spec[k].name; ++k) {
        mo_column *unused;
        mo_store *store = one->type->system(one->instance)->store;
        MO_TRY(mo_store_declare(store, &spec[k], &unused, error));
    }
    return MOTE_OK;
}

static mote_status create_one(mo_observables *o, mo_method method,
                              const mo_observable_context *context, mo_arena *arena,
                              mote_error *error)
{
    mo_observable *one = &o->list[o->count];
    one->type = (const mo_observable_type *)method.type;
    MO_TRY(name_observable(o, o->count, arena, error));
    MO_TRY(one->type->create(method.params, context, &one->instance, error));
    o->count++;
    return declare_columns(one, error);
}

mote_status mo_observed_system(const mo_observable_context *context, const char *name,
                               mo_system **system, mote_error *error)
{
    mote_world *world = context->world;
    char known[200] = "";
    *system = NULL;
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "", s->type->base.name);
        if (name ? strcmp(s->type->base.name, name) == 0 : world->system_count == 1) {
            *system = s;
        }
    }
    if (*system) {
        return MOTE_OK;
    }
    return name ? mo_fail(error, MOTE_ERROR_INPUT,
                          "system: there is no '%.60s'; this scene has: %s", name, known)
                : mo_fail(error, MOTE_ERROR_INPUT, "system: the scene has several, choose one: %s",
                          known);
}

mote_status mo_observed_species(const mo_system *system, mote_error *error)
{
    return system->columns.species
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_INPUT,
                         "system: the particles of '%s' have no species to select them by",
                         system->type->base.name);
}

static mote_status create_all(mo_observables *o, mote_world *world, mote_error *error)
{
    const mo_list *list = &world->def.observables;
    const mo_method *methods = list->items;
    mo_observable_context context = {&world->memory, world, world->host.domain};
    o->list = mo_arena_allocate(&world->arena, (size_t)list->count * sizeof *o->list);
    if (!o->list) {
        return mo_fail_memory(error, sizeof *o->list);
    }
    for (int64_t k = 0; k < list->count; ++k) {
        mote_error problem = {0};
        mote_status status = create_one(o, methods[k], &context, &world->arena, &problem);
        if (status != MOTE_OK) {
            return mo_fail(error, status, "observables[%lld]%s%.1400s", (long long)k,
                           strncmp(problem.text, "system: ", 8) == 0 ? "." : ": ", problem.text);
        }
    }
    return MOTE_OK;
}

/* ---- listeners of the world ---- */

static void release(void *instance)
{
    mo_observables *o = instance;
    for (int k = 0; k < o->count; ++k) {
        o->list[k].type->destroy(o->list[k].instance, o->memory);
    }
    mo_release(o->memory, o);
}

static mote_status declare_again(void *instance, mote_error *error)
{
    const mo_observables *o = instance;
    for (int k = 0; k < o->count; ++k) {
        MO_TRY(declare_columns(&o->list[k], error));
    }
    return MOTE_OK;
}

static void begin_rows(void *instance, const mo_system *system, int64_t first)
{
    const mo_observables *o = instance;
    for (int k = 0; k < o->count; ++k) {
        if (o->list[k].type->begin) {
            o->list[k].type->begin(o->list[k].instance, system, first);
        }
    }
}

mote_status mo_observables_create(mote_world *world, mote_error *error)
{
    if (world->system_count == 0 || world->def.observables.count == 0) {
        return MOTE_OK;
    }
    mo_observables *o = mo_allocate(&world->memory, sizeof *o);
    if (!o) {
        return mo_fail_memory(error, sizeof *o);
    }
    o->memory = &world->memory;
    mote_status status = create_all(o, world, error);
    mo_listener listener = {o, declare_again, begin_rows, release};
    status = status == MOTE_OK ? mo_world_listen(world, &listener, error) : status;
    if (status != MOTE_OK) {
        release(o);
        return status;
    }
    for (int k = 0; k < world->system_count; ++k) {
        begin_rows(o, &world->systems[k], 0);
    }
    return MOTE_OK;
}

/* ---- public interface ---- */

/* The world's observables; an empty list if there are none. */
static mo_observables observables_of(const mote_world *world)
{
    for (int k = 0; k < world->listener_count; ++k) {
        if (world->listeners[k].destroy == release) {
            return *(const mo_observables *)world->listeners[k].instance;
        }
    }
    return (mo_observables){0};
}

static const mo_observable *observable_at(const mote_world *world, int index)
{
    mo_observables all = observables_of(world);
    return index >= 0 && index < all.count ? &all.list[index] : NULL;
}

int mote_world_observable_count(const mote_world *world)
{
    MO_NEED_OR(world, 0);
    return observables_of(world).count;
}

const char *mote_world_observable_name(const mote_world *world, int index)
{
    MO_NEED_OR(world, NULL);
    const mo_observable *o = observable_at(world, index);
    return o ? o->name : NULL;
}

int64_t mote_world_observable_size(const mote_world *world, int index)
{
    MO_NEED_OR(world, 0);
    const mo_observable *o = observable_at(world, index);
    return o ? o->type->size(o->instance) : 0;
}

void mote_world_observable_label(const mote_world *world, int index, int64_t number, char *label,
                                 size_t size)
{
    if (!world || !label) {
        return;
    }
    const mo_observable *o = observable_at(world, index);
    char text[MO_OBSERVABLE_LABEL] = "";
    if (o && number >= 0 && number < o->type->size(o->instance)) {
        mo_plain_numbers numbers = mo_plain_numbers_begin();
        o->type->label(o->instance, number, text);
        mo_plain_numbers_end(numbers);
    }
    snprintf(label, size, "%s", text);
}

bool mo_observables_image(const mote_world *world, int index, mo_observable_image *image)
{
    const mo_observable *o = observable_at(world, index);
    return o && o->type->image && o->type->image(o->instance, image);
}

/* Sums can overflow although their terms do not. */
static mote_status check_values(const mote_world *world, const mo_observable *o,
                                const double *values, mote_error *error)
{
    for (int64_t k = 0; k < o->type->size(o->instance); ++k) {
        if (!isfinite(values[k])) {
            char label[MO_OBSERVABLE_LABEL];
            o->type->label(o->instance, k, label);
            return mo_fail(
                error, MOTE_ERROR_NUMERIC,
                "step %lld, t = %g s: %s of the observable '%s' is not finite: it is %g. Likely "
                "cause: masses, densities, stiffnesses or lengths that are too large or too small "
                "for its sums",
                (long long)world->clock.steps, world->clock.time, label, o->name, values[k]);
        }
    }
    return MOTE_OK;
}

mote_status mote_world_observe(mote_world *world, int index, double *values, mote_error *error)
{
    MO_NEED(world);
    MO_NEED(values);
    const mo_observable *o = observable_at(world, index);
    if (!o) {
        return MO_BAD_ARGUMENT(index, "is %d; the world has %d observables", index,
                               observables_of(world).count);
    }
    MO_TRY(o->type->observe(o->instance, world->clock.time, values, error));
    return check_values(world, o, values, error);
}
