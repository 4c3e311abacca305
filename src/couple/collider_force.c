/*
 * Particles in contact with colliders whose contact law is a force (collide/law.h): a force of the
 * system, evaluated in every stage and every Newton iteration, with its Jacobian, energy and
 * stability bounds.
 *
 * Friction anchors are the state of the coupling. They are fixed during a step and updated after it
 * (`project`), and in a static solve after each accepted iterate. All else is recomputed in every
 * evaluation (collide/force_contacts.h), so resumed runs are bitwise identical.
 *
 * Constants that follow from the scene (the expected impact speed, the largest stable step) are
 * determined from the initial state, also in a resumed run.
 */
#include "collide/friction/friction.h"
#include "collide/impact.h"
#include "couple/contact_force.h"
#include "couple/impact_advice.h"
#include "integrate/integrator.h"

#include <math.h>
#include <string.h>

/* Minimum number of steps in a contact of half a period, and the fraction of the stability
 * limit. */
static const double STEPS_A_CONTACT = 10, MARGIN = 0.8;

typedef struct state {
    mo_contact_force force;
    /* the highest sqrt(k/m) and damping ratio of the bodies in the initial state */
    double omega, ratio;
} state;

static const mo_collider_def *colliders_of(const mo_world_def *def)
{
    return def->colliders.items;
}

static bool has_force(const mo_collider_def *def)
{
    return def->law.type && ((const mo_contact_law_type *)def->law.type)->force;
}

/* Rejects parameters without effect in a force law. */
static mote_status collider_force_check(const mo_world_def *def, mo_memory *memory,
                                        mote_error *error)
{
    (void)memory;
    for (int64_t k = 0; k < def->colliders.count; ++k) {
        const mo_collider_def *c = &colliders_of(def)[k];
        const mo_friction_type *friction = (const mo_friction_type *)c->friction.type;
        if (has_force(c) && strcmp(c->position, "project") != 0) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "colliders[%lld].position: '%s' has no effect with contact '%s', which does not "
                "change positions; remove it",
                (long long)k, c->position, c->law.type->name);
        }
        if (has_force(c) && friction && !friction->limit) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "colliders[%lld].friction: '%s' changes velocities after the step, but contact "
                "'%s' is a force; use a number (Coulomb's coefficient)",
                (long long)k, friction->base.name, c->law.type->name);
        }
    }
    return MOTE_OK;
}

static bool collider_force_applies(const mo_world_def *def, const mo_system *a, const mo_system *b)
{
    bool any = false;
    for (int64_t k = 0; k < def->colliders.count; ++k) {
        any = any || has_force(&colliders_of(def)[k]);
    }
    return any && !b && mo_system_sums_contacts(a);
}

static double largest_scale(const mo_curve *curve)
{
    double most = 0;
    for (int k = 0; k < curve->count; ++k) {
        most = fmax(most, fabs(curve->value[k]));
    }
    return most;
}

/* ---- creation ---- */

/* A particle without a size has no default stiffness. */
static mote_status check_sizes(const state *s, const mo_force_collider *l, mote_error *error)
{
    const mo_contact_rows rows = mo_contact_force_rows(&s->force);
    for (int64_t row = 0; row < rows.count && isnan(l->tuning.stiffness); ++row) {
        if (!(rows.inverse_diameter[row] > 0)) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "colliders[%d].contact.stiffness: there is no default here, since the particles of "
                "'%s' have no radius; give that body a radius, or a stiffness",
                (int)l->index, mo_system_body_name(s->force.system, row));
        }
    }
    return MOTE_OK;
}

/* `speed`: the expected impact speed. */
static mote_status tune(state *s, mo_force_collider *l, double speed, mote_error *error)
{
    const mo_collider *c = &l->posed;
    mote_status status = l->law->tune(c->law.params, c, speed, &l->tuning, error);
    MO_TRY(mo_at_path(status, error, "colliders[%lld].contact.", l->index));
    MO_TRY(check_sizes(s, l, error));
    const mo_contact_rows rows = mo_contact_force_rows(&s->force);
    for (int64_t row = 0; row < rows.count; ++row) {
        double k, damping, w = rows.inverse_mass[row];
        l->law->bound(&l->tuning, mo_contact_particle_of(&rows, row), &k, &damping);
        if (w > 0 && sqrt(k * w) > s->omega) {
            s->omega = sqrt(k * w);
        }
    }
    s->ratio = fmax(s->ratio, l->tuning.ratio);
    return MOTE_OK;
}

static mote_status tune_laws(const mo_world_def *def, state *s, mote_error *error)
{
    const mo_host *host = s->force.host;
    mo_force_contacts *contacts = &s->force.contacts;
    const mo_contact_rows rows = mo_contact_force_rows(&s->force);
    double end = isfinite(def->time.end) ? def->time.end : 0;
    double g = mo_length(host->gravity) * largest_scale(&host->gravity_scale);
    mo_impacts impacts;
    mote_status status = mo_impacts_create(
        &impacts, host->memory, &rows, mo_unit(host->gravity, mo_vec3_make(0, 0, -1)), g, error);
    for (int64_t k = 0; k < contacts->law_count && status == MOTE_OK; ++k) {
        mo_force_collider *l = &contacts->laws[k];
        status = tune(s, l, mo_impacts_speed(&impacts, &l->posed, end), error);
    }
    mo_impacts_release(&impacts);
    return status;
}

static bool has_friction(const state *s)
{
    bool any = false;
    for (int64_t k = 0; k < s->force.contacts.law_count; ++k) {
        any = any || mo_friction_acts(s->force.contacts.laws[k].tuning.friction);
    }
    return any;
}

static mote_status set_up(const mo_world_def *def, mo_coupling *coupling, state *s,
                          mote_error *error)
{
    mo_host *host = coupling->host;
    mo_force_contacts *contacts = &s->force.contacts;
    MO_TRY(mo_force_contacts_create(contacts, host->memory, host->colliders, error));
    contacts->begin = INFINITY;
    MO_TRY(tune_laws(def, s, error));
    if (has_friction(s)) {
        mote_status status =
            mo_anchors_create(host->memory, host->colliders->count, &contacts->anchors, error);
        coupling->store = contacts->anchors.store; /* destroyed by the world in any case */
        MO_TRY(status);
    }
    mo_force force = mo_contact_force_make(&s->force);
    return coupling->a->type->force_hooks->attach(coupling->a, &force, error);
}

static mote_status collider_force_create(const mo_world_def *def, mo_coupling *coupling,
                                         mote_error *error)
{
    state *s = mo_allocate(coupling->host->memory, sizeof *s);
    if (!s) {
        return mo_fail_memory(error, sizeof *s);
    }
    *s = (state){.force = {.contacts.memory = coupling->host->memory,
                           .host = coupling->host,
                           .system = coupling->a}};
    mo_reactions_init(&s->force.reactions, coupling->host->memory);
    const mo_stability_hooks *hooks = coupling->a->type->stability;
    mo_method scheme = hooks && hooks->integrator ? hooks->integrator(coupling->a) : (mo_method){0};
    s->force.implicit = scheme.type && (scheme.type->capabilities & MO_IMPLICIT);
    coupling->state = s;
    return set_up(def, coupling, s, error);
}

/* The system's force borrows the state; it is destroyed later without accessing it. */
static void collider_force_destroy(mo_coupling *coupling)
{
    state *s = coupling->state;
    if (s) {
        mo_force_contacts_release(&s->force.contacts);
        mo_reactions_release(&s->force.reactions);
    }
    mo_release(coupling->host->memory, s);
}

/* Warns about contacts deeper than the particle size, which may tunnel through a thin collider. */
static void warn_about_depth(const mo_contact_force *s, double time)
{
    const mo_contact *worst = NULL;
    for (int64_t k = 0; k < s->count; ++k) {
        const mo_contact *t = &s->contacts.set.list[k];
        bool deep = -t->gap > mo_contact_particle_of(&s->contacts.rows, t->side[0].row[0]).size;
        worst = deep && (!worst || t->gap < worst->gap) ? t : worst;
    }
    if (worst) {
        char name[MO_PARTICLE_NAME];
        int64_t collider = worst->side[1].collider;
        mo_particle_name(s->system, worst->side[0].row[0], name);
        mo_host_warn(
            s->host, time, "penetration",
            "%s has penetrated collider '%.60s' by %.3g m, more than its radius: the contact is too "
            "soft for its speed or load; raise colliders[%d].contact.stiffness or use 'bounce'",
            name, s->host->colliders->list[collider].name, -worst->gap, (int)collider);
    }
}

/* The step is known from here on. */
static mote_status collider_force_gather(mo_coupling *coupling, const mo_step_time *now,
                                         mote_error *error)
{
    (void)error;
    mo_force_contacts *contacts = &((state *)coupling->state)->force.contacts;
    contacts->h = now->h;
    contacts->begin = now->time;
    return MOTE_OK;
}

static mote_status collider_force_project(mo_coupling *coupling, const mo_step_time *now,
                                          mote_error *error)
{
    mo_contact_force *force = &((state *)coupling->state)->force;
    MO_TRY(mo_contact_force_drag(force, now->end, now->h, error));
    warn_about_depth(force, now->end);
    return coupling->host->wants_reactions ? mo_contact_force_react(force, now->end, error)
                                           : MOTE_OK;
}

static const mo_reactions *collider_force_reactions(const mo_coupling *coupling)
{
    return &((const state *)coupling->state)->force.reactions;
}

/* ---- steps ---- */

/* Explicit schemes must resolve a contact and be stable in it (analysis/stability.c). */
static mo_step_bound collider_force_limit(const mo_coupling *coupling)
{
    const state *s = coupling->state;
    const mo_system *system = coupling->a;
    const mo_stability_hooks *hooks = system->type->stability;
    mo_method own = hooks ? hooks->integrator(system) : (mo_method){0};
    const mo_integrator_type *type = (const mo_integrator_type *)own.type;
    if (!type || !(s->omega > 0)) {
        return (mo_step_bound){0};
    }
    if (type->base.capabilities & MO_IMPLICIT) {
        /* the normal force that limits friction is that of the last iterate: in a step longer
         * than a contact it would grow without bound */
        return has_friction(s)
                   ? (mo_step_bound){M_PI / s->omega, "contact",
                                     "step for which implicit friction of the contact law "
                                     "'penalty' is stable",
                                     "a smaller colliders[k].contact.stiffness"}
                   : (mo_step_bound){0};
    }
    double limit =
        type->stable_limit_with ? type->stable_limit_with(own.params) : type->stable_limit;
    double damped =
        type->damped_limit_with ? type->damped_limit_with(own.params) : type->damped_limit;
    double a = limit > 0 ? s->omega / limit : 0,
           b = 2 * s->ratio * s->omega / (damped > 0 ? damped : 2);
    double stable = 2 / (b + sqrt(b * b + 4 * a * a)), contact = M_PI / s->omega;
    double size = fmin(MARGIN * stable, contact / STEPS_A_CONTACT);
    if (mo_system_first_order(system)) {
        size = 1 / (s->omega * s->omega);
    }
    return (mo_step_bound){
        size, "contact", "step that resolves the contact law 'penalty'",
        "a smaller colliders[k].contact.stiffness or an implicit integrator (implicit_euler)"};
}

/* The rebound of contacts with restitution: half an oscillation of the contact spring. */
static mote_status collider_force_advise(mo_coupling *coupling, double h, mote_error *error)
{
    const state *s = coupling->state;
    (void)error;
    for (int64_t k = 0; k < s->force.contacts.law_count && s->omega > 0; ++k) {
        const mo_collider *c = &s->force.contacts.laws[k].posed;
        if (c->restitution > 0) {
            mo_advise_on_impact(coupling, c, "a contact", M_PI / s->omega, h);
            return MOTE_OK;
        }
    }
    return MOTE_OK;
}

static void collider_force_report(const mo_coupling *coupling, mote_step_report *report)
{
    report->contacts += ((const state *)coupling->state)->force.count;
}

const mo_coupling_type mo_coupling_collider_force = {
    .base = {.name = "collider_force",
             .summary = "Particles against colliders whose contact law is a force."},
    .check = collider_force_check,
    .applies = collider_force_applies,
    .create = collider_force_create,
    .destroy = collider_force_destroy,
    .gather = collider_force_gather,
    .project = collider_force_project,
    .limit = collider_force_limit,
    .advise = collider_force_advise,
    .report = collider_force_report,
    .reactions = collider_force_reactions,
};
