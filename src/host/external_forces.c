#include "host/external_forces.h"

#include "host/row_sums.h"
#include "integrate/force_scope.h"

#include <math.h>
#include <string.h>

mo_force_args mo_external_forces_arguments(const mo_external_forces *forces, double time)
{
    const mo_particle_columns *c = &forces->system->columns;
    return (mo_force_args){.time = time,
                           .rows = mo_store_owned(forces->system->store),
                           .x = mo_f64(c->x),
                           .v = mo_f64(c->v),
                           .mass = mo_f64(c->mass),
                           .f = forces->f};
}

mote_status mo_external_forces_reserve(mo_external_forces *forces, mote_error *error)
{
    return mo_reserve(forces->system->host->memory, &forces->f, &forces->f_capacity,
                      3 * mo_store_owned(forces->system->store) + 1, sizeof *forces->f, error);
}

/* ---- evaluation ---- */

typedef struct evaluation {
    const mo_external_forces *forces;
    mo_force_args args;
    mo_vec3 gravity;
} evaluation;

/* *partial: 0, or NaN if a force is not finite */
static void sum_range(void *context, int64_t first, int64_t last, double *partial)
{
    const evaluation *e = context;
    double *f = e->args.f, spoiled = 0;
    for (int64_t row = first; row < last; ++row) {
        mo_vec3_store(f + 3 * row, mo_scale(e->args.mass[row], e->gravity));
    }
    for (int64_t k = 0; k < e->forces->count; ++k) {
        const mo_force *force = &e->forces->list[k];
        force->type->add(force->instance, &e->args, first, last);
    }
    mo_callbacks_add_forces(&e->forces->system->callbacks, &e->args, first, last);
    for (int64_t row = first; row < last && e->forces->plane; ++row) {
        f[3 * row + 2] = 0;
    }
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        spoiled += f[k] - f[k];
    }
    *partial = spoiled;
}

static bool is_finite(const double *vector)
{
    return isfinite(vector[0]) && isfinite(vector[1]) && isfinite(vector[2]);
}

/* The force that is not finite on a row, found by evaluating them one by one; NULL: none. */
static const char *nonfinite_force(const evaluation *e, int64_t row)
{
    int64_t first = row / MO_FORCE_GRAIN * MO_FORCE_GRAIN;
    int64_t last = first + MO_FORCE_GRAIN < e->args.rows ? first + MO_FORCE_GRAIN : e->args.rows;
    for (int64_t k = 0; k < e->forces->count; ++k) {
        const mo_force *force = &e->forces->list[k];
        memset(e->args.f + 3 * first, 0, (size_t)(3 * (last - first)) * sizeof *e->args.f);
        force->type->add(force->instance, &e->args, first, last);
        if (!is_finite(e->args.f + 3 * row)) {
            return force->type->base.name;
        }
    }
    return NULL;
}

static mote_status fail_force(const evaluation *e, mote_error *error)
{
    char name[MO_PARTICLE_NAME];
    int64_t row = 0;
    while (row < e->args.rows - 1 && is_finite(e->args.f + 3 * row)) {
        ++row;
    }
    const double *x = e->args.x + 3 * row, *v = e->args.v + 3 * row;
    const char *guilty = nonfinite_force(e, row);
    mo_particle_name(e->forces->system, row, name);
    return mo_fail(
        error, MOTE_ERROR_NUMERIC,
        "t = %g s: the force on %s is not finite, at x = [%g, %g, %g] m, v = [%g, %g, %g] m/s. "
        "Likely cause: %s%s%s",
        e->args.time, name, x[0], x[1], x[2], v[0], v[1], v[2], guilty ? "the force '" : "",
        guilty ? guilty
               : "a force callback (mote_world_add_force) wrote a number that is not finite",
        guilty ? "' overflows there; use smaller parameters, or a smaller time.step" : "");
}

/* `energy`: for their energies, which not all have. */
static mote_status prepare(const mo_external_forces *forces, const mo_force_args *args, bool energy,
                           mote_error *error)
{
    for (int64_t k = 0; k < forces->count; ++k) {
        const mo_force *force = &forces->list[k];
        if (force->type->prepare && (!energy || force->type->energy)) {
            MO_TRY(force->type->prepare(force->instance, args, forces->system->host->pool, error));
        }
    }
    return MOTE_OK;
}

mote_status mo_external_forces_sum(mo_external_forces *forces, double time, mote_error *error)
{
    mo_host *host = forces->system->host;
    double spoiled;
    MO_TRY(mo_external_forces_reserve(forces, error));
    evaluation e = {.forces = forces, .args = mo_external_forces_arguments(forces, time)};
    if (!forces->weightless) {
        e.gravity = mo_host_gravity(host, time);
    }
    MO_TRY(prepare(forces, &e.args, false, error));
    MO_TRY(mo_parallel_reduce(host->pool, e.args.rows, MO_FORCE_GRAIN, MO_MAX, 1, sum_range, &e,
                              &spoiled, error));
    return isnan(spoiled) ? fail_force(&e, error) : MOTE_OK;
}

mote_status mo_external_forces_advance(mo_external_forces *forces, double time, double h,
                                       mote_error *error)
{
    mo_force_args args = mo_external_forces_arguments(forces, time);
    for (int64_t k = 0; k < forces->count; ++k) {
        const mo_force *force = &forces->list[k];
        if (force->evolves) {
            MO_TRY(
                force->type->advance(force->instance, &args, h, forces->system->host->pool, error));
        }
    }
    return MOTE_OK;
}

/* ---- energy ---- */

static void measure_range(void *context, int64_t first, int64_t last, double *sum)
{
    const evaluation *e = context;
    memset(sum, 0, MO_ROW_SUMS * sizeof *sum);
    mo_row_sums_forces(e->forces->list, e->forces->count, &e->args, first, last, sum);
}

mote_status mo_external_forces_measure(mo_external_forces *forces, double time,
                                       mote_measures *measures, mote_error *error)
{
    evaluation e = {.forces = forces, .args = mo_external_forces_arguments(forces, time)};
    double sum[MO_ROW_SUMS];
    MO_TRY(prepare(forces, &e.args, true, error));
    MO_TRY(mo_parallel_reduce(forces->system->host->pool, e.args.rows, MO_FORCE_GRAIN, MO_SUM,
                              MO_ROW_SUMS, measure_range, &e, sum, error));
    mo_row_sums_report(sum, measures);
    return MOTE_OK;
}

bool mo_external_forces_open(const mo_external_forces *forces)
{
    bool open = forces->system->callbacks.count > 0;
    for (int64_t k = 0; k < forces->count; ++k) {
        open = open || forces->list[k].open;
    }
    return open;
}

/* ---- registration ---- */

/* The bodies that a force is limited to; NULL: it acts on all particles. */
static const mo_list *scope_of(mo_method method)
{
    const mo_force_scope *scope = method.params;
    bool limited = method.type->capabilities & MO_FORCE_SCOPED && scope->bodies.count > 0;
    return limited ? &scope->bodies : NULL;
}

int64_t mo_force_scope_bodies(const mo_world_def *def, const mo_system_type *type,
                              const mo_list *scope, uint8_t *included)
{
    const mo_body_def *bodies = def->bodies.items;
    const mo_reference *to = scope->items;
    int64_t own = 0, count = 0;
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        if (mo_body_def_system(&bodies[k]) != type) {
            continue;
        }
        included[own] = 0;
        for (int64_t n = 0; n < scope->count; ++n) {
            included[own] = included[own] || to[n].index == k;
        }
        count += included[own++];
    }
    return count;
}

static mote_status create_limited(mo_method method, const mo_force_context *context,
                                  const mo_force_receiver *receiver, const uint8_t *included,
                                  int64_t bodies, const char *path, mote_error *error)
{
    mo_force force;
    bool accepted = true;
    if (receiver->accept) {
        MO_TRY(receiver->accept(receiver->context, method, path, &accepted, error));
    }
    if (!accepted) {
        return MOTE_OK;
    }
    MO_TRY(
        mo_force_create((const mo_force_type *)method.type, method.params, context, &force, error));
    mote_status status =
        included ? mo_force_limit(&force, context->memory, receiver->system->columns.body, included,
                                  bodies, error)
                 : MOTE_OK;
    if (status == MOTE_OK) {
        status = receiver->add(receiver->context, &force, path, error);
    }
    if (status != MOTE_OK) {
        mo_force_destroy(&force, context->memory);
    }
    return status;
}

/* A force limited to bodies of other systems is not created. */
static mote_status create_force(const mo_world_def *def, mo_method method,
                                const mo_force_context *context, const mo_force_receiver *receiver,
                                const char *path, mote_error *error)
{
    const mo_list *scope = scope_of(method);
    int64_t bodies = def->bodies.count;
    void *included;
    if (!scope) {
        return create_limited(method, context, receiver, NULL, 0, path, error);
    }
    MO_TRY(mo_allocate_array(context->memory, bodies, 1, &included, error));
    memset(included, 0, (size_t)bodies);
    mote_status status =
        mo_force_scope_bodies(def, receiver->system->type, scope, included) > 0
            ? create_limited(method, context, receiver, included, bodies, path, error)
            : MOTE_OK;
    mo_release(context->memory, included);
    return status;
}

mote_status mo_scene_forces_create(const mo_world_def *def, const mo_force_context *context,
                                   const mo_force_receiver *receiver, mote_error *error)
{
    mo_method method;
    char path[32];
    for (int64_t k = 0; mo_world_def_force(def, k, &method, path); ++k) {
        mote_status status = create_force(def, method, context, receiver, path, error);
        MO_TRY(mo_at_path(mo_at_path(status, error, ": ", 0), error, path, 0));
    }
    return MOTE_OK;
}

mote_status mo_force_append(mo_memory *memory, mo_force **list, int *count, int64_t *capacity,
                            const mo_force *force, mote_error *error)
{
    MO_TRY(mo_reserve(memory, list, capacity, *count + 1, sizeof **list, error));
    (*list)[(*count)++] = *force;
    return MOTE_OK;
}

mote_status mo_external_forces_add(mo_external_forces *forces, const mo_force *force,
                                   mote_error *error)
{
    if (force->range > 0) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "the force '%s' acts between particles driven by forces",
                       force->type->base.name);
    }
    MO_TRY(mo_reserve(forces->system->host->memory, &forces->list, &forces->capacity,
                      forces->count + 1, sizeof *forces->list, error));
    forces->list[forces->count++] = *force;
    return MOTE_OK;
}

static mote_status add_scene_force(void *context, mo_force *force, const char *path,
                                   mote_error *error)
{
    mo_external_forces *forces = context;
    mo_host *host = forces->system->host;
    const char *name = force->type->base.name;
    if (force->range > 0) {
        mo_host_warn(host, 0, name,
                     "%s: '%s' acts between particles driven by forces, not on the system '%s'",
                     path, name, forces->system->type->base.name);
        mo_force_destroy(force, host->memory);
        return MOTE_OK;
    }
    return mo_external_forces_add(forces, force, error);
}

mote_status mo_external_forces_create(mo_external_forces *forces, mo_system *system,
                                      const mo_world_def *def, mote_error *error)
{
    const mo_body_table *bodies = &system->bodies;
    mo_host *host = system->host;
    void *closed;
    forces->system = system;
    MO_TRY(mo_allocate_array(host->memory, bodies->triangle_count, 1, &closed, error));
    for (int64_t k = 0; k < bodies->count; ++k) {
        const mo_body_surface *surface = &bodies->surfaces[k];
        memset((uint8_t *)closed + surface->first, surface->solid, (size_t)surface->count);
    }
    mo_force_context context = {.memory = host->memory,
                                .store = system->store,
                                .domain = host->domain,
                                .faces = {bodies->triangle_count, bodies->triangles, closed}};
    mo_force_receiver receiver = {.system = system, .context = forces, .add = add_scene_force};
    mote_status status = mo_scene_forces_create(def, &context, &receiver, error);
    mo_release(host->memory, closed);
    return status;
}

void mo_external_forces_release(mo_external_forces *forces)
{
    if (forces->system) {
        mo_memory *memory = forces->system->host->memory;
        for (int64_t k = 0; k < forces->count; ++k) {
            mo_force_destroy(&forces->list[k], memory);
        }
        mo_release(memory, forces->list);
        mo_release(memory, forces->f);
    }
    *forces = (mo_external_forces){0};
}

/* ---- editing rows ---- */

mote_status mo_external_forces_begin(mo_external_forces *forces, int64_t first, mote_error *error)
{
    mo_force_args args = mo_external_forces_arguments(forces, 0);
    for (int64_t k = 0; k < forces->count; ++k) {
        const mo_force *force = &forces->list[k];
        if (force->type->begin) {
            MO_TRY(force->type->begin(force->instance, &args, first, forces->system->host->pool,
                                      error));
        }
    }
    return MOTE_OK;
}

mote_status mo_external_forces_remap(mo_external_forces *forces, const int64_t *map, int64_t rows,
                                     mote_error *error)
{
    for (int64_t k = 0; k < forces->count; ++k) {
        const mo_force *force = &forces->list[k];
        if (force->type->remap) {
            MO_TRY(force->type->remap(force->instance, map, rows, error));
        }
    }
    return MOTE_OK;
}

void mo_external_forces_settle(mo_external_forces *forces, const int64_t *map)
{
    for (int64_t k = 0; k < forces->count; ++k) {
        const mo_force *force = &forces->list[k];
        if (force->type->settle) {
            force->type->settle(force->instance, map);
        }
    }
}
