#include "world/actions.h"

#include "host/action/action.h"

static const mo_method *actions_of(const mote_world *world)
{
    return world->def.actions.items;
}

static bool has_temperature(const mote_world *world)
{
    bool has = false;
    for (int k = 0; k < world->system_count; ++k) {
        has = has || world->systems[k].columns.temperature;
    }
    return has;
}

static bool accepts_particles(const mote_world *world)
{
    bool accepts = false;
    for (int k = 0; k < world->system_count; ++k) {
        const mo_edit_hooks *edit = world->systems[k].type->edit;
        accepts = accepts || (edit && edit->accepts);
    }
    return accepts;
}

mote_status mo_world_check_actions(const mote_world *world, mote_error *error)
{
    for (int64_t k = 0; k < world->def.actions.count; ++k) {
        const mo_action_type *type = (const mo_action_type *)actions_of(world)[k].type;
        if (type->heats && !has_temperature(world)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "actions[%lld]: particles have no temperature; add the force 'heat'",
                           (long long)k);
        }
        if (type->add && !accepts_particles(world)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "actions[%lld]: there is no body of particles to add to", (long long)k);
        }
    }
    return MOTE_OK;
}

/* An action at one time is due in the step that reaches it, a lasting one in all that overlap. */
static bool is_due(const mo_action_def *def, double from, double to)
{
    return def->until > 0 ? def->time <= to && def->until > from
                          : from < def->time && def->time <= to;
}

static mote_status act_on(mote_world *world, int system, const mo_method *action, double from,
                          double to, mote_error *error)
{
    const mo_action_type *type = (const mo_action_type *)action->type;
    mo_system *s = &world->systems[system];
    const mo_column *temperature = s->columns.temperature;
    void *removed = NULL;
    mo_action_rows rows = {.from = from,
                           .to = to,
                           .domain = world->host.domain,
                           .rows = mo_store_owned(s->store),
                           .x = mo_f64(s->columns.x),
                           .inverse_mass = mo_f64(s->columns.inverse_mass),
                           .v = mo_f64(s->columns.v),
                           .temperature = temperature ? mo_f64(temperature) : NULL};
    if (type->removes) {
        MO_TRY(mo_allocate_array(world->host.memory, rows.rows, 1, &removed, error));
        rows.removed = removed;
    }
    bool changed = type->act(action->params, &rows);
    mote_status status = MOTE_OK;
    if (changed && type->removes) {
        status = mote_world_remove(world, system, removed, error);
    } else if (changed) {
        mote_world_invalidate(world, system);
    }
    mo_release(world->host.memory, removed);
    return status;
}

static mote_status perform(mote_world *world, const mo_method *action, double from, double to,
                           mote_error *error)
{
    const mo_action_type *type = (const mo_action_type *)action->type;
    mote_particles particles;
    if (type->add) {
        type->add(action->params, &particles);
        return mote_world_add(world, &particles, NULL, error);
    }
    for (int k = 0; k < world->system_count; ++k) {
        bool editable = world->systems[k].type->edit || !type->removes;
        if (editable && mo_store_owned(world->systems[k].store) > 0) {
            MO_TRY(act_on(world, k, action, from, to, error));
        }
    }
    return MOTE_OK;
}

mote_status mo_world_act(mote_world *world, double from, double to, mote_error *error)
{
    for (int64_t k = 0; k < world->def.actions.count; ++k) {
        const mo_method *action = &actions_of(world)[k];
        if (is_due(action->params, from, to)) {
            MO_TRY(mo_at_path(perform(world, action, from, to, error), error,
                              "actions[%lld]: ", (long long)k));
        }
    }
    return MOTE_OK;
}
