#include "world/world.h"
#include "world/actions.h"
#include "world/step_advice.h"

#include "base/hash.h"
#include "world/extremes.h"
#include "world/health.h"
#include "world/reactions.h"
#include "world/snapshot.h"
#include "world/step_bound.h"

#include "host/skin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

mote_config mote_config_default(void)
{
    return (mote_config){0};
}

mote_status mo_world_new(const mote_config *config, mote_world **out, mote_error *error)
{
    mote_config defaults = mote_config_default();
    config = config ? config : &defaults;
    if (!config->allocator.allocate != !config->allocator.release) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "config.allocator: allocate and release must be given together, or neither");
    }
    mo_memory memory;
    mo_memory_init(&memory, &config->allocator);
    mote_world *world = mo_allocate(&memory, sizeof *world);
    if (!world) {
        return mo_fail_memory(error, sizeof *world);
    }
    world->memory = memory;
    mo_arena_init(&world->arena, &world->memory);
    world->log = (mo_log){config->log, config->log_context};
    world->cancel = config->cancel;
    world->cancel_context = config->cancel_context;
    world->stage_control = mo_stage_add(&world->stages, "control");
    mote_status status = mo_pool_create(&world->memory, config->threads, &world->pool, error);
    if (status != MOTE_OK) {
        mote_world_destroy(world);
        return status;
    }
    *out = world;
    return MOTE_OK;
}

mote_status mo_world_check_cancelled(const mote_world *world, mote_error *error)
{
    bool cancelled = world->cancel && world->cancel(world->cancel_context);
    return cancelled ? mo_fail(error, MOTE_CANCELLED, "stopped") : MOTE_OK;
}

static void destroy_coupling(mo_coupling *coupling)
{
    if (coupling->type->destroy) {
        coupling->type->destroy(coupling);
    }
    mo_store_destroy(coupling->store);
}

void mote_world_destroy(mote_world *world)
{
    if (!world) {
        return;
    }
    for (int k = world->listener_count - 1; k >= 0; --k) {
        world->listeners[k].destroy(world->listeners[k].instance);
    }
    for (int k = world->coupling_count - 1; k >= 0; --k) {
        destroy_coupling(&world->couplings[k]);
    }
    for (int k = world->system_count - 1; k >= 0; --k) {
        world->systems[k].type->destroy(&world->systems[k]);
    }
    mo_store_destroy(world->reactions);
    mo_pool_destroy(world->pool);
    mo_arena_release(&world->arena);
    mo_memory memory = world->memory;
    mo_release(&memory, world);
}

bool mo_world_step_varies(const mote_world *world)
{
    return world->def.time.step.type->capabilities & MO_STEP_VARIES;
}

static bool is_advised(const mote_world *world)
{
    return world->def.time.step.type->capabilities & MO_STEP_ADVISED;
}

/* The extremes of the state; also updates those used by the step control. */
mote_status mo_world_find_extremes(mote_world *world, bool changed, mo_extremes *extremes,
                                   mote_error *error)
{
    MO_TRY(mo_extremes_find(world, changed, extremes, error));
    world->rates.speed = extremes->courant;
    world->rates.acceleration = extremes->acceleration;
    return MOTE_OK;
}

mote_status mo_world_find_rates(mote_world *world, mote_error *error)
{
    mo_extremes extremes;
    return mo_world_find_extremes(world, true, &extremes, error);
}

mote_status mo_world_refresh_rates(mote_world *world, mote_error *error)
{
    mo_extremes extremes;
    world->stale = world->energy.started = false;
    MO_TRY(mo_world_find_extremes(world, true, &extremes, error));
    extremes.acceleration = 0; /* of another state */
    if (!mo_extremes_within_range(&extremes)) {
        return mo_health_fail(world, 0, error);
    }
    if (!mo_world_step_varies(world)) {
        return MOTE_OK;
    }
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        MO_TRY(s->type->evaluate(s, world->clock.time, error));
    }
    MO_TRY(mo_world_find_extremes(world, true, &extremes, error));
    MO_TRY(mo_extremes_within_range(&extremes) ? MOTE_OK : mo_health_fail(world, 0, error));
    return is_advised(world) ? mo_world_advise(world, true, error) : MOTE_OK;
}

/* A CFL step requires particles with a radius. */
static mote_status check_sizes(mote_world *world, mote_error *error)
{
    int64_t without = 0, rows = 0;
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        rows += mo_store_owned(s->store);
        for (int64_t row = 0; row < mo_store_owned(s->store); ++row) {
            without += mo_f64(s->columns.inverse_diameter)[row] == 0;
        }
    }
    if (!mo_world_step_varies(world) || is_advised(world) || without == 0) {
        return MOTE_OK;
    }
    if (without == rows) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "time.step: '%s' depends on the particle size, but no particle has one; "
                       "give the bodies a radius",
                       world->def.time.step.type->name);
    }
    mo_warn(&world->warnings, &world->log, 0, "size",
            "%lld particles have no size, so time.step ignores their speed; give their body a "
            "radius",
            (long long)without);
    return MOTE_OK;
}

/* ---- systems and couplings ---- */

static void host_world(mote_world *world)
{
    const mo_world_def *def = &world->def;
    world->host = (mo_host){.memory = &world->memory,
                            .arena = &world->arena,
                            .pool = world->pool,
                            .stages = &world->stages,
                            .warner = {&world->warnings, &world->log},
                            .gravity = mo_world_def_gravity(def),
                            .gravity_scale = def->gravity_scale,
                            .domain = mo_world_def_domain(def),
                            .colliders = &world->colliders,
                            .couplings = world->couplings,
                            .coupling_count = &world->coupling_count};
}

static mote_status build_system(mote_world *world, const mo_system_type *type, mo_system *system,
                                mote_error *error)
{
    int32_t number = (int32_t)(system - world->systems);
    *system = (mo_system){.type = type, .host = &world->host, .number = number, .grown_from = -1};
    MO_TRY(type->create(&world->def, system, error));
    mo_particle_columns_find(system);
    return MOTE_OK;
}

static const char *name_coupling(mote_world *world, const mo_coupling_type *type,
                                 const mo_system *a, const mo_system *b)
{
    char name[200];
    snprintf(name, sizeof name, "%s.%s%s%s", type->base.name, a->type->base.name,
             b && b != a ? "." : "", b && b != a ? b->type->base.name : "");
    return mo_arena_text(&world->arena, name);
}

static mote_status add_coupling(mote_world *world, const mo_coupling_type *type, mo_system *a,
                                mo_system *b, mote_error *error)
{
    if (!type->applies(&world->def, a, b)) {
        bool swapped = b && b != a && type->applies(&world->def, b, a);
        return swapped ? add_coupling(world, type, b, a, error) : MOTE_OK;
    }
    if (world->coupling_count == MO_WORLD_COUPLINGS_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT, "the systems of a world have at most %d couplings",
                       MO_WORLD_COUPLINGS_MAX);
    }
    mo_coupling *coupling = &world->couplings[world->coupling_count];
    *coupling = (mo_coupling){.type = type,
                              .name = name_coupling(world, type, a, b),
                              .host = &world->host,
                              .a = a,
                              .b = b};
    if (!coupling->name) {
        return mo_fail_memory(error, sizeof *coupling);
    }
    mote_status status = type->create(&world->def, coupling, error);
    if (status != MOTE_OK) {
        destroy_coupling(coupling);
        return status;
    }
    world->coupling_count++;
    return MOTE_OK;
}

/* The couplings of one system, or of all (NULL), in the order of couplings.def. */
static mote_status add_couplings(mote_world *world, const mo_system *with, mote_error *error)
{
    const mo_coupling_type *type;
    for (int t = 0; (type = mo_coupling_type_at(t)) != NULL; ++t) {
        for (int i = 0; i < world->system_count; ++i) {
            mo_system *a = &world->systems[i];
            if (!with || a == with) {
                MO_TRY(add_coupling(world, type, a, NULL, error));
            }
            for (int j = i; j < world->system_count; ++j) {
                mo_system *b = &world->systems[j];
                if (!with || a == with || b == with) {
                    MO_TRY(add_coupling(world, type, a, b, error));
                }
            }
        }
    }
    return MOTE_OK;
}

static mote_status add_systems(mote_world *world, mote_error *error)
{
    const mo_system_type *type;
    for (int k = 0; (type = mo_system_type_at(k)) != NULL; ++k) {
        if (type->wanted(&world->def)) {
            MO_TRY(build_system(world, type, &world->systems[world->system_count], error));
            world->system_count++;
        }
    }
    return MOTE_OK;
}

/* ---- rebuilding a system ---- */

static bool belongs_to(const mo_coupling *coupling, const mo_system *system)
{
    return coupling->a == system || coupling->b == system;
}

/* Removes the couplings of a system from the world's list. */
static int take_couplings(mote_world *world, const mo_system *system, mo_coupling *taken)
{
    int count = 0, kept = 0;
    for (int k = 0; k < world->coupling_count; ++k) {
        if (belongs_to(&world->couplings[k], system)) {
            taken[count++] = world->couplings[k];
        } else {
            world->couplings[kept++] = world->couplings[k];
        }
    }
    world->coupling_count = kept;
    return count;
}

static void destroy_couplings(mote_world *world, const mo_system *system)
{
    mo_coupling taken[MO_WORLD_COUPLINGS_MAX];
    int count = take_couplings(world, system, taken);
    for (int k = 0; k < count; ++k) {
        destroy_coupling(&taken[k]);
    }
}

/* The index of a coupling in the order of add_couplings. */
static int index_of(const mote_world *world, const mo_coupling *coupling)
{
    int type = 0, a = (int)(coupling->a - world->systems);
    int b = coupling->b ? 1 + (int)(coupling->b - world->systems) : 0;
    while (mo_coupling_type_at(type) != coupling->type) {
        ++type;
    }
    return (type * MO_SYSTEMS_MAX + a) * (MO_SYSTEMS_MAX + 1) + b;
}

/* Restores the order of a world that was never rebuilt. */
static void sort_couplings(mote_world *world)
{
    for (int k = 1; k < world->coupling_count; ++k) {
        mo_coupling moved = world->couplings[k];
        int at = k;
        while (at > 0 && index_of(world, &world->couplings[at - 1]) > index_of(world, &moved)) {
            world->couplings[at] = world->couplings[at - 1];
            --at;
        }
        world->couplings[at] = moved;
    }
}

static mote_status advise_couplings(mote_world *world, double h, mote_error *error)
{
    for (int k = 0; k < world->coupling_count; ++k) {
        mo_coupling *c = &world->couplings[k];
        if (c->type->advise) {
            MO_TRY(c->type->advise(c, h, error));
        }
    }
    return MOTE_OK;
}

static mote_status rebuild(mote_world *world, mo_system *system, const mo_system_type *type,
                           mote_error *error)
{
    MO_TRY(build_system(world, type, system, error));
    mote_status status = add_couplings(world, system, error);
    for (int k = 0; k < world->listener_count && status == MOTE_OK; ++k) {
        status = world->listeners[k].rebuilt(world->listeners[k].instance, error);
    }
    if (status != MOTE_OK) {
        destroy_couplings(world, system);
        type->destroy(system);
    }
    return status;
}

mote_status mo_world_rebuild(mote_world *world, int k, mo_old_system *old, mote_error *error)
{
    mo_system *system = &world->systems[k];
    const mo_system_type *type = system->type;
    int64_t next_id = world->host.next_id;
    old->system = *system;
    old->coupling_count = take_couplings(world, system, old->couplings);
    world->host.next_id = old->system.first_id;
    mo_colliders_pose(&world->colliders, 0);
    mote_status status = rebuild(world, system, type, error);
    world->host.next_id = next_id;
    if (status != MOTE_OK) {
        *system = old->system;
        for (int c = 0; c < old->coupling_count; ++c) {
            world->couplings[world->coupling_count++] = old->couplings[c];
        }
    } else {
        system->callbacks = old->system.callbacks;
    }
    sort_couplings(world);
    return status;
}

void mo_world_drop(mote_world *world, mo_old_system *old)
{
    (void)world;
    for (int k = 0; k < old->coupling_count; ++k) {
        destroy_coupling(&old->couplings[k]);
    }
    old->system.type->destroy(&old->system);
}

void mo_world_put_back(mote_world *world, int k, mo_old_system *old)
{
    mo_system *system = &world->systems[k];
    destroy_couplings(world, system);
    system->type->destroy(system);
    *system = old->system;
    for (int c = 0; c < old->coupling_count; ++c) {
        world->couplings[world->coupling_count++] = old->couplings[c];
    }
    sort_couplings(world);
}

/* ---- listeners ---- */

mote_status mo_world_listen(mote_world *world, const mo_listener *listener, mote_error *error)
{
    if (world->listener_count == MO_LISTENERS_MAX) {
        return mo_fail(error, MOTE_ERROR_USAGE, "a world has at most %d listeners",
                       MO_LISTENERS_MAX);
    }
    world->listeners[world->listener_count++] = *listener;
    return MOTE_OK;
}

void mo_world_tell_added(const mote_world *world, const mo_system *system, int64_t first)
{
    for (int k = 0; k < world->listener_count; ++k) {
        world->listeners[k].added(world->listeners[k].instance, system, first);
    }
}

/* ---- setup ---- */

/* Tables and checkpoints have a column for each named quantity. */
static mote_status check_quantities(const mote_world *world, mote_error *error)
{
    int count = mote_world_quantity_count(world);
    return count <= MO_NUMBERS_MAX
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_USAGE,
                         "the systems of this scene report %d named quantities; allowed: %d", count,
                         MO_NUMBERS_MAX);
}

/* An embedded surface moves with its body; one outside of it indicates a wrong position or
 * scale. */
static void warn_about_skins(mote_world *world)
{
    static const double FAR = 3;
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        for (int64_t n = 0; n < s->bodies.skin_count; ++n) {
            double distance = mo_skin_distance(&s->bodies.skins[n]);
            if (distance > FAR) {
                mo_warn(
                    &world->warnings, &world->log, 0, "skin",
                    "the embedded surface (skin) of '%s' lies up to %.3g element heights outside "
                    "the mesh; align its position and size with the body (skin.scale, skin.moved)",
                    s->bodies.list[s->bodies.skins[n].body].name, distance);
            }
        }
    }
}

mote_status mo_world_setup(mote_world *world, const mo_world_def *def, mote_error *error)
{
    world->def = *def;
    host_world(world);
    MO_TRY(mo_colliders_create(&world->colliders, &def->colliders, &world->host.domain,
                               &world->arena, error));
    MO_TRY(mo_world_open_reactions(world, error));
    MO_TRY(add_systems(world, error));
    MO_TRY(add_couplings(world, NULL, error));
    warn_about_skins(world);
    world->stage_contact = mo_stage_add(&world->stages, "contact");
    world->stage_check = mo_stage_add(&world->stages, "check");
    MO_TRY(check_sizes(world, error));
    MO_TRY(check_quantities(world, error));
    MO_TRY(mo_world_check_actions(world, error));
    mo_energy_drift_open(world);
    mo_limits_open(world);
    world->initial_hash = mo_world_initial_hash(world); /* before anything is evaluated */
    MO_TRY(mo_world_refresh_rates(world, error));
    double next = mo_world_next_step(world);
    mo_step_bound bound = mo_world_step_bound(world);
    mo_world_check_bound(world, next, &bound); /* for `mote check`, too */
    return advise_couplings(world, next, error);
}

uint64_t mo_hash_particle(int64_t id, const double *x, const double *v, const double *q,
                          const double *w)
{
    uint64_t hash = mo_hash_word(0, (uint64_t)id);
    for (int k = 0; k < 3; ++k) {
        hash = mo_hash_double(hash, x[k]);
    }
    for (int k = 0; k < 3; ++k) {
        hash = mo_hash_double(hash, v[k]);
    }
    for (int k = 0; q && k < 4; ++k) {
        hash = mo_hash_double(hash, q[k]);
    }
    for (int k = 0; w && k < 3; ++k) {
        hash = mo_hash_double(hash, w[k]);
    }
    return hash;
}

static uint64_t hash_row(const mo_system *s, int64_t row)
{
    const mo_particle_columns *c = &s->columns;
    return mo_hash_particle(mo_i64(c->id)[row], mo_f64(c->x) + 3 * row, mo_f64(c->v) + 3 * row,
                            c->q ? mo_f64(c->q) + 4 * row : NULL,
                            c->q ? mo_f64(c->w) + 3 * row : NULL);
}

/* The sum of the hashes of rows with their ids does not depend on the storage order. */
uint64_t mote_world_state_hash(mote_world *world)
{
    MO_NEED_OR(world, 0);
    uint64_t hash = 0;
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        uint64_t sum = 0;
        for (int64_t row = 0; row < mo_store_owned(s->store); ++row) {
            sum += hash_row(s, row);
        }
        hash =
            mo_hash_word(mo_hash_bytes(hash, s->type->base.name, strlen(s->type->base.name)), sum);
    }
    return hash;
}

mote_status mo_world_measure(mote_world *world, bool virial, mote_measures *measures,
                             mote_error *error)
{
    *measures = (mote_measures){.pressure = NAN}; /* of pair forces; NaN without them */
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        MO_TRY(s->type->measure(s, world->clock.time, virial, measures, error));
    }
    for (int k = 0; k < world->coupling_count; ++k) {
        mo_coupling *c = &world->couplings[k];
        MO_TRY(c->type->measure ? c->type->measure(c, world->clock.time, measures, error)
                                : MOTE_OK);
    }
    return mo_health_check_measures(world, measures, error);
}

mote_status mote_world_measure(mote_world *world, mote_measures *measures, mote_error *error)
{
    MO_NEED(world);
    MO_NEED(measures);
    return mo_world_measure(world, true, measures, error);
}

mote_status mote_world_add_force(mote_world *world, mote_force_fn *force, void *context,
                                 mote_error *error)
{
    MO_NEED(world);
    MO_NEED(force);
    mo_system *target = NULL;
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        bool better = !target || (s->type->takes_particles && !target->type->takes_particles);
        target = s->type->force_hooks && better ? s : target;
    }
    if (!target) {
        return mo_fail(
            error, MOTE_ERROR_USAGE,
            "the world has no particles to apply a force to: its scene has no bodies and no other "
            "particles");
    }
    mo_callbacks *callbacks = &target->callbacks;
    if (callbacks->count == MO_CALLBACKS_MAX) {
        return mo_fail(error, MOTE_ERROR_USAGE, "a world has at most %d force callbacks",
                       MO_CALLBACKS_MAX);
    }
    callbacks->list[callbacks->count].function = force;
    callbacks->list[callbacks->count++].context = context;
    if (target->type->disturb) {
        target->type->disturb(target);
    }
    mo_energy_drift_open(world);
    return MOTE_OK;
}
