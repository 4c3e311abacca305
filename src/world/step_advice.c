#include "world/step_advice.h"

#include "integrate/integrator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Steps between two evaluations, and the relative change of a bound above which the interval is
 * reset. */
enum { LEAST_INTERVAL = 4, MOST_INTERVAL = 64 };
static const double CHANGE = 0.05;

static bool is_advised(const mote_world *world)
{
    return world->def.time.step.type->capabilities & MO_STEP_ADVISED;
}

static const mo_stability_hooks *hooks_of(const mo_system *system)
{
    const mo_stability_hooks *hooks = system->type->stability;
    return hooks && hooks->integrator ? hooks : NULL;
}

static const mo_integrator_type *integrator_of(const mo_system *system)
{
    return (const mo_integrator_type *)hooks_of(system)->integrator(system).type;
}

/* A frame, or the whole run if that is shorter. */
static double frame_of(const mote_world *world)
{
    double frame = 1 / world->def.time.fps, end = world->def.time.end;
    return end > 0 && end < frame ? end : frame;
}

static bool changes(double before, double now)
{
    return fabs(now - before) > CHANGE * before;
}

mote_status mo_world_advise(mote_world *world, bool reset, mote_error *error)
{
    mo_step_advice found = world->advice;
    found.frequency = found.damping = found.motion = 0;
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        const mo_stability_hooks *hooks = hooks_of(s);
        double square = 0, rate = 0, motion = 0;
        if (hooks) {
            MO_TRY(hooks->stiffness(s, world->clock.time, &square, error));
            MO_TRY(hooks->damping(s, world->clock.time, &rate, error));
            MO_TRY(hooks->motion(s, world->clock.time, frame_of(world), &motion, error));
        }
        found.frequency = fmax(found.frequency, sqrt(square));
        found.damping = fmax(found.damping, rate);
        found.motion = fmax(found.motion, sqrt(motion));
    }
    const mo_step_advice *before = &world->advice;
    bool changed = reset || changes(before->frequency, found.frequency) ||
                   changes(before->damping, found.damping) || found.motion > 2 * before->motion;
    found.interval = changed ? LEAST_INTERVAL : 2 * before->interval;
    found.interval = found.interval > MOST_INTERVAL ? MOST_INTERVAL : found.interval;
    found.due = world->clock.steps + found.interval;
    if (reset) {
        found.current = 0;
        snprintf(found.current_limit, sizeof found.current_limit, "none");
    }
    world->advice = found;
    return MOTE_OK;
}

mote_status mo_world_advise_if_due(mote_world *world, mote_error *error)
{
    bool due = is_advised(world) && world->clock.steps >= world->advice.due;
    return due ? mo_world_advise(world, false, error) : MOTE_OK;
}

/* The largest stable step of a system's integrator with these bounds. */
static mo_step_bound stable_step(const mo_system *system, const mo_step_advice *a)
{
    const mo_stability_hooks *hooks = hooks_of(system);
    const mo_integrator_type *type = integrator_of(system);
    const void *params = hooks->integrator(system).params;
    if (hooks->first_order(system)) { /* x' = -omega^2 x */
        double rate = a->frequency * a->frequency;
        return (mo_step_bound){.size = mo_integrator_stable_step(type, params, 0, rate),
                               .name = "stability"};
    }
    double undamped = mo_integrator_stable_step(type, params, a->frequency, 0);
    double size = mo_integrator_stable_step(type, params, a->frequency, a->damping);
    if (type->base.capabilities & MO_IMPLICIT && hooks->has_explicit(system)) {
        size = undamped = a->frequency > 0 ? 1 / a->frequency : INFINITY;
    }
    return (mo_step_bound){.size = size, .name = size < 0.5 * undamped ? "damping" : "stability"};
}

static void advise_on(const mo_system *system, const mo_step_advice *a, mo_step_state *state)
{
    const mo_integrator_type *type = integrator_of(system);
    mo_step_bound stable = stable_step(system, a);
    bool first_order = hooks_of(system)->first_order(system);
    bool grows = !first_order && stable.size == 0;
    bool remembers = !(type->base.capabilities & MO_VARIABLE_STEP);
    bool conserves = type->base.capabilities & MO_SYMPLECTIC && !(a->damping > 0);
    if (isfinite(stable.size) && !grows &&
        (state->stable.size == 0 || stable.size < state->stable.size)) {
        state->stable = stable;
    }
    if (!first_order) {
        state->order = state->order == 0 || type->order < state->order ? type->order : state->order;
        state->motion = grows ? a->frequency : a->motion;
    }
    state->grows = state->grows || grows;
    state->implicit = state->implicit || type->base.capabilities & MO_IMPLICIT;
    state->constant = state->constant || remembers;
    state->may_relax = state->may_relax && !conserves;
}

static bool is_named(const mo_step_bound *bound, const char *text)
{
    return bound->name && strcmp(text, bound->name) == 0;
}

/* The equal name with the lifetime of the world: of step control, or of a limit of a system or
 * coupling. */
static const char *lasting_name(const mote_world *world, const char *text)
{
    static const char *const NAMES[] = {"courant", "stability", "damping", "accuracy",
                                        "frame",   "max",       "min"};
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; ++k) {
        if (strcmp(text, NAMES[k]) == 0) {
            return NAMES[k];
        }
    }
    mo_step_bound bound = {0};
    for (int k = 0; k < world->system_count && !is_named(&bound, text); ++k) {
        const mo_system *s = &world->systems[k];
        bound = s->type->limit ? s->type->limit(s) : bound;
    }
    for (int k = 0; k < world->coupling_count && !is_named(&bound, text); ++k) {
        const mo_coupling *c = &world->couplings[k];
        bound = c->type->limit ? c->type->limit(c) : bound;
    }
    return is_named(&bound, text) ? bound.name : "other";
}

void mo_world_advised_state(const mote_world *world, mo_step_state *state)
{
    bool follows = false, integrates = false;
    state->frame = frame_of(world);
    if (!is_advised(world)) {
        return;
    }
    state->may_relax = true;
    for (int k = 0; k < world->system_count; ++k) {
        bool has = hooks_of(&world->systems[k]);
        if (has) {
            advise_on(&world->systems[k], &world->advice, state);
        }
        state->constant = state->constant || world->systems[k].type->equal_steps;
        integrates = integrates || has;
        follows = follows || !has;
    }
    state->constant = state->constant || (integrates && !follows);
    state->may_relax = state->may_relax || follows;
    state->current = world->advice.current;
    state->current_limit = lasting_name(world, world->advice.current_limit);
}

void mo_world_accept_step(mote_world *world, const mo_step_choice *choice)
{
    mo_step_advice *a = &world->advice;
    if (!is_advised(world) || choice->size == a->current) {
        return;
    }
    for (int k = 0; k < world->system_count && a->current > 0; ++k) {
        mo_system *s = &world->systems[k];
        bool remembers = hooks_of(s) && !(integrator_of(s)->base.capabilities & MO_VARIABLE_STEP);
        if (remembers && s->type->disturb) {
            s->type->disturb(s);
        }
    }
    a->current = choice->size;
    snprintf(a->current_limit, sizeof a->current_limit, "%s", choice->limited_by);
}

bool mo_world_step_lands(const mote_world *world)
{
    bool lands = mo_world_step_varies(world);
    for (int k = 0; k < world->system_count && lands && is_advised(world); ++k) {
        const mo_system *s = &world->systems[k];
        lands = !hooks_of(s) || integrator_of(s)->base.capabilities & MO_VARIABLE_STEP;
    }
    return lands;
}
