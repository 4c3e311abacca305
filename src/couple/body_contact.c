/*
 * Contact between deformable bodies, and of a body with itself: surface nodes with triangles
 * (solid/contact/surface_contact.h). The contacts are a force of the system, evaluated in every
 * stage and every Newton iteration of its integrator. The state of the coupling is a column of the
 * system: the side of each open surface that a node is on.
 */
#include "host/coupling.h"

#include "solid/contact/surface_contact.h"

#include <math.h>

extern const mo_coupling_type mo_coupling_body_contact;

typedef struct keys {
    mo_body_contact_def contact;
} keys;

static const mo_param KEYS[] = {{"body_contact", MO_SECTION, MO_FIELD(keys, contact),
                                 .initial = "{}", .section = &mo_body_contact_section,
                                 .doc = "Contact between the surfaces of bodies; off by default."},
                                {0}};

static const mo_section SECTION = {.name = "body_contact_keys",
                                   .doc = "Contact between deformable bodies.",
                                   .size = sizeof(keys),
                                   .params = KEYS};

static const mo_body_contact_def *def_of(const mo_world_def *def)
{
    return &((const keys *)mo_world_def_coupling(def, &mo_coupling_body_contact))->contact;
}

/* own: contacts that are part of the body's own solve count too */
static bool has_deformable_body(const mo_world_def *def, bool own)
{
    const mo_body_def *bodies = def->bodies.items;
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        const mo_system_type *type = mo_body_def_system(&bodies[k]);
        if (!type || (!type->shapes && (own || !type->solves_contacts))) {
            return true;
        }
    }
    return false;
}

/* Rejects parameters without effect. */
static mote_status body_contact_check(const mo_world_def *def, mo_memory *memory, mote_error *error)
{
    const mo_body_contact_def *c = def_of(def);
    (void)memory;
    mo_domain domain = mo_world_def_domain(def);
    if (isnan(c->stiffness) && (!isnan(c->gap) || c->friction > 0 || c->damping > 0 || c->self)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "body_contact.%s: it has no effect without body_contact.stiffness; 1 is a good choice",
            !isnan(c->gap)    ? "gap"
            : c->friction > 0 ? "friction"
            : c->damping > 0  ? "damping"
                              : "self");
    }
    if (!isnan(c->stiffness) && def->bodies.count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "body_contact: acts between bodies; this scene has none");
    }
    if (!isnan(c->stiffness) && !has_deformable_body(def, true)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "body_contact: acts between deformable bodies; contacts of rigid bodies are "
                       "always found");
    }
    if (!isnan(c->stiffness) && !has_deformable_body(def, false)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "body_contact: it has no effect on bodies of 'pbd' and 'xpbd', whose models "
                       "have contact: `self`, `thickness` and `friction` of the model");
    }
    if (!isnan(c->stiffness) && mo_domain_periodic(&domain)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "body_contact: contact across a periodic boundary is not supported; remove `domain` or "
            "`body_contact`");
    }
    return MOTE_OK;
}

static bool body_contact_applies(const mo_world_def *def, const mo_system *a, const mo_system *b)
{
    return a == b && a->type->force_hooks && a->bodies.surfaces && !isnan(def_of(def)->stiffness);
}

/* The surfaces of all bodies of the system in their initial (rest) configuration. */
static mote_status add_bodies(mo_body_contacts *contacts, const mo_system *s, mote_error *error)
{
    const mo_body_table *bodies = &s->bodies;
    for (int64_t b = 0; b < bodies->scene_count; ++b) {
        mo_contact_surface surface = {
            .first = bodies->list[b].first,
            .rows = bodies->list[b].count,
            .x = mo_f64(s->columns.x),
            .id = mo_i64(s->columns.id),
            .triangles = bodies->triangles + 3 * bodies->surfaces[b].first,
            .triangle_count = bodies->surfaces[b].count,
            .solid = bodies->surfaces[b].solid,
            .tetrahedra = bodies->tetrahedra + 4 * bodies->surfaces[b].first_tetrahedron,
            .tetrahedron_count = bodies->surfaces[b].tetrahedra};
        MO_TRY(mo_body_contacts_add(contacts, &surface, error));
    }
    return MOTE_OK;
}

static void warn_without_surfaces(const mo_system *s)
{
    for (int64_t b = 0; b < s->bodies.scene_count; ++b) {
        if (s->bodies.surfaces[b].count > 0) {
            return;
        }
    }
    mo_host_warn(s->host, 0, "body contact",
                 "body_contact: it has no effect, since no body has a surface; particles interact "
                 "by forces such as lennard_jones");
}

/* The contact stiffness is that of the bodies' models in the initial state. */
static mote_status attach_force(mo_body_contacts *contacts, mo_system *s, mote_error *error)
{
    void *bound;
    mo_force force = {0};
    MO_TRY(add_bodies(contacts, s, error));
    warn_without_surfaces(s);
    MO_TRY(mo_body_contacts_check(contacts, error));
    MO_TRY(mo_body_contacts_declare(contacts, s->store, error));
    MO_TRY(mo_allocate_array(s->host->memory, mo_store_owned(s->store), 3 * sizeof(double), &bound,
                             error));
    mote_status status = s->type->force_hooks->bound_stiffness(s, bound, error);
    if (status == MOTE_OK) {
        mo_body_contacts_finish(contacts, bound, &force);
        status = s->type->force_hooks->attach(s, &force, error);
    }
    mo_release(s->host->memory, bound);
    return status;
}

static mote_status body_contact_create(const mo_world_def *def, mo_coupling *coupling,
                                       mote_error *error)
{
    mo_body_contacts *contacts;
    mo_memory *memory = coupling->host->memory;
    MO_TRY(mo_body_contacts_create(def_of(def), coupling->a->number, memory, &contacts, error));
    mote_status status = attach_force(contacts, coupling->a, error);
    if (status != MOTE_OK) {
        mo_body_contacts_destroy(contacts, memory);
        return status;
    }
    coupling->state = contacts; /* the system's force owns them */
    return MOTE_OK;
}

static mote_status body_contact_gather(mo_coupling *coupling, const mo_step_time *now,
                                       mote_error *error)
{
    (void)now;
    (void)error;
    mo_body_contacts_begin_step(coupling->state);
    return MOTE_OK;
}

static mo_step_bound body_contact_limit(const mo_coupling *coupling)
{
    double size = mo_body_contacts_step(coupling->state, mo_f64(coupling->a->columns.v));
    return (mo_step_bound){size, "body_contact",
                           "step in which nodes do not cross thin surfaces unnoticed",
                           "a larger body_contact.gap"};
}

const mo_coupling_type mo_coupling_body_contact = {
    .base = {.name = "body_contact",
             .summary = "Contact between the surfaces of deformable bodies."},
    .section = &SECTION,
    .check = body_contact_check,
    .applies = body_contact_applies,
    .create = body_contact_create,
    .gather = body_contact_gather,
    .limit = body_contact_limit,
};
