/*
 * The particles of a system against the colliders, by the contact law `bounce`
 * (collide/law/bounce.h): positions at the start of the step are gathered, contacts are resolved
 * after the solve.
 *
 * Implicit integrators also constrain active contacts within their solve (collide/active.h); behind
 * a sampled boundary of a fluid contacts are a fallback (mo_system.contact_offset).
 */
#include "collide/friction/friction.h"
#include "collide/law.h"
#include "collide/law/bounce.h"
#include "couple/impact_advice.h"

#include <string.h>

enum { GRAIN = 4096 };

static const mo_column_spec BEFORE = {"contact_x", MOTE_F64, 3,
                                      MO_DERIVED,  "m",      "position at the start of the step"};

typedef struct contact {
    bool bounces; /* some collider does */
    mo_column *before;
    mo_bounce_reactions reactions;
} contact;

static bool collider_contact_applies(const mo_world_def *def, const mo_system *a,
                                     const mo_system *b)
{
    return !b && def->colliders.count > 0 && !a->type->shapes && !a->type->solves_contacts;
}

/* A system without contact forces (a fluid) has bounces only. */
static void warn_without_forces(const mo_coupling *coupling)
{
    const mo_colliders *colliders = coupling->host->colliders;
    for (int64_t k = 0; k < colliders->count && !mo_system_sums_contacts(coupling->a); ++k) {
        const mo_collider *c = &colliders->list[k];
        if (mo_collider_force_law(c)) {
            mo_host_warn(
                coupling->host, 0, "contact law",
                "colliders[%lld].contact: '%s' acts on bodies driven by forces; the system '%s' "
                "uses 'bounce' for collider '%.60s' instead",
                (long long)k, c->law.type->name, coupling->a->type->base.name, c->name);
            return;
        }
    }
}

static bool has_friction(mo_method friction)
{
    const mo_friction_type *type = (const mo_friction_type *)friction.type;
    return type && (!type->limit || mo_friction_acts(friction));
}

/* Restitution, friction and position act where contacts resolve a step. Behind a sampled
 * boundary contacts are a fallback, and the boundary's own terms act instead. */
static void warn_about_sampled(const mo_world_def *def, const mo_coupling *coupling)
{
    const mo_collider_def *list = def->colliders.items;
    bool sampled = !mo_system_sums_contacts(coupling->a) && coupling->a->contact_offset < 1;
    for (int64_t k = 0; k < def->colliders.count && sampled && def->bodies.count == 0; ++k) {
        bool rubs = has_friction(list[k].friction);
        const char *key = list[k].restitution > 0      ? "restitution"
                          : rubs                       ? "friction"
                          : list[k].position[0] == 'n' ? "position"
                                                       : NULL;
        if (key) {
            mo_host_warn(
                coupling->host, 0, "sampled boundary",
                "colliders[%lld].%s: it acts on bodies and has no effect on the system '%s', whose "
                "boundary method has its own pressure and friction: the viscosity at the boundary "
                "is `wall` of fluid.viscosity; the boundary method 'geometric' uses it",
                (long long)k, key, coupling->a->type->base.name);
            return;
        }
    }
}

/* Surfaces that move along themselves drag bodies by friction only. */
static void warn_about_frictionless(const mo_world_def *def, const mo_coupling *coupling)
{
    const mo_collider_def *list = def->colliders.items;
    for (int64_t k = 0; k < def->colliders.count && mo_system_sums_contacts(coupling->a); ++k) {
        bool rubs = has_friction(list[k].friction);
        if (mo_length(list[k].surface_velocity) > 0 && !rubs) {
            mo_host_warn(coupling->host, 0, "surface velocity",
                         "colliders[%lld].surface_velocity: it acts on bodies through friction, "
                         "which is 0; set `friction`",
                         (long long)k);
            return;
        }
    }
}

static mote_status collider_contact_create(const mo_world_def *def, mo_coupling *coupling,
                                           mote_error *error)
{
    contact *c = mo_allocate(coupling->host->memory, sizeof *c);
    if (!c) {
        return mo_fail_memory(error, sizeof *c);
    }
    coupling->state = c;
    mo_reactions_init(&c->reactions.sum, coupling->host->memory);
    c->bounces =
        !mo_system_sums_contacts(coupling->a) || mo_colliders_bounce(coupling->host->colliders);
    warn_without_forces(coupling);
    warn_about_sampled(def, coupling);
    warn_about_frictionless(def, coupling);
    return mo_store_declare(coupling->a->store, &BEFORE, &c->before, error);
}

static void collider_contact_destroy(mo_coupling *coupling)
{
    contact *c = coupling->state;
    if (c) {
        mo_bounce_reactions_release(&c->reactions);
        mo_release(coupling->host->memory, c);
    }
}

static mote_status collider_contact_pose(mo_coupling *coupling, double time, mote_error *error)
{
    (void)error;
    mo_colliders_pose(coupling->host->colliders, time);
    return MOTE_OK;
}

typedef struct copying {
    double *to;
    const double *from;
} copying;

static void copy_range(void *context, int64_t first, int64_t last)
{
    const copying *c = context;
    memcpy(c->to + 3 * first, c->from + 3 * first, (size_t)(last - first) * 3 * sizeof(double));
}

/* A bounce requires the path of the step: integrators advance x in place, and do not store
 * initial positions for all rows. */
static mote_status collider_contact_gather(mo_coupling *coupling, const mo_step_time *now,
                                           mote_error *error)
{
    const mo_system *s = coupling->a;
    const contact *c = coupling->state;
    (void)now, (void)error;
    if (c->bounces) {
        copying x = {mo_f64(c->before), mo_f64(s->columns.x)};
        mo_parallel_for(s->host->pool, mo_store_owned(s->store), GRAIN, copy_range, &x);
    }
    return MOTE_OK;
}

static mote_status collider_contact_project(mo_coupling *coupling, const mo_step_time *now,
                                            mote_error *error)
{
    mo_system *s = coupling->a;
    contact *c = coupling->state;
    mo_host *host = coupling->host;
    mo_contact_rows rows = mo_system_contact_rows(s);
    mo_bounce_state state = {.x = mo_f64(s->columns.x),
                             .v = mo_f64(s->columns.v),
                             .age = s->columns.age->data,
                             .before = mo_f64(c->before),
                             .offset = s->contact_offset,
                             .every_law = !mo_system_sums_contacts(s)};
    double g = mo_length(mo_host_gravity(host, now->end));
    /* otherwise v is not proportional to a momentum */
    bool reacts = host->wants_reactions && !mo_system_first_order(s);
    return mo_bounce_resolve(host->colliders, &rows, &state, now->end, now->h, g,
                             reacts ? &c->reactions : NULL, &s->contact, error);
}

static const mo_reactions *collider_contact_reactions(const mo_coupling *coupling)
{
    return &((const contact *)coupling->state)->reactions.sum;
}

static void collider_contact_report(const mo_coupling *coupling, mote_step_report *report)
{
    report->contacts += coupling->a->contact.contacts;
}

const mo_coupling_type mo_coupling_collider_contact = {
    .base = {.name = "collider_contact",
             .summary = "Particles against colliders: restitution and friction."},
    .applies = collider_contact_applies,
    .create = collider_contact_create,
    .destroy = collider_contact_destroy,
    .pose = collider_contact_pose,
    .advise = mo_advise_on_bounces,
    .gather = collider_contact_gather,
    .project = collider_contact_project,
    .report = collider_contact_report,
    .reactions = collider_contact_reactions,
};
