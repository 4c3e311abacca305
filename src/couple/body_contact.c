/*
 * Contact between deformable bodies, and of a body with itself: surface nodes with triangles
 * (solid/contact/surface_contact.h). The contacts are a force of the system, evaluated in every
 * stage and every Newton iteration of its integrator. The state of the coupling is a column of the
 * system: the side of each open surface that a node is on.
 *
 * Bodies of one system driven by forces are in contact by default. Where bodies with surfaces have
 * no contact (different systems, periodic domains, plane bodies, explicit forces in a scheme with
 * long steps) the coupling has no state and only warns.
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
                                 .doc = "Contact between the surfaces of deformable bodies; on by "
                                        "default for bodies driven by forces."},
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

/* Whether contact is given in the scene, by the stiffness or by a key that needs it. */
static bool is_given(const mo_body_contact_def *c)
{
    return isnan(c->stiffness) ? !isnan(c->gap) || c->friction > 0 || c->damping > 0 || c->self
                               : c->stiffness > 0;
}

/* A key without effect at a stiffness of 0; NULL: none. */
static const char *key_without_contact(const mo_body_contact_def *c)
{
    return c->stiffness != 0 ? NULL
           : !isnan(c->gap)  ? "gap"
           : c->friction > 0 ? "friction"
           : c->damping > 0  ? "damping"
           : c->self         ? "self"
                             : NULL;
}

/* Rejects parameters without effect. */
static mote_status body_contact_check(const mo_world_def *def, mo_memory *memory, mote_error *error)
{
    const mo_body_contact_def *c = def_of(def);
    const char *useless = key_without_contact(c);
    (void)memory;
    mo_domain domain = mo_world_def_domain(def);
    if (useless) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "body_contact.%s: it has no effect, since body_contact.stiffness is 0",
                       useless);
    }
    if (!is_given(c)) {
        return MOTE_OK;
    }
    if (def->bodies.count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "body_contact: acts between bodies; this scene has none");
    }
    if (!has_deformable_body(def, true)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "body_contact: acts between deformable bodies; contacts of rigid bodies are "
                       "always found");
    }
    if (!has_deformable_body(def, false)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "body_contact: it has no effect on bodies of 'pbd' and 'xpbd', whose models "
                       "have contact: `self`, `thickness` and `friction` of the model");
    }
    if (mo_domain_periodic(&domain)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "body_contact: contact across a periodic boundary is not supported; remove `domain` or "
            "`body_contact`");
    }
    return MOTE_OK;
}

/* ---- bodies that meet ---- */

/* The scene's bodies of a system that have a surface; *first: the name of the first. */
static int64_t bodies_with_surface(const mo_system *s, const char **first)
{
    int64_t count = 0;
    for (int64_t b = 0; s->bodies.surfaces && b < s->bodies.scene_count; ++b) {
        if (s->bodies.surfaces[b].count > 0) {
            *first = count++ == 0 ? s->bodies.list[b].name : *first;
        }
    }
    return count;
}

/* Contact as a force between the bodies of one system, which has none of its own. */
static bool takes_forces(const mo_system *s)
{
    return s->type->force_hooks && s->type->force_hooks->contacts;
}

static bool body_contact_applies(const mo_world_def *def, const mo_system *a, const mo_system *b)
{
    const mo_body_contact_def *c = def_of(def);
    const char *name;
    if (!b || a->type->shapes || b->type->shapes || c->stiffness == 0) {
        return false;
    }
    if (a != b) {
        return bodies_with_surface(a, &name) > 0 && bodies_with_surface(b, &name) > 0;
    }
    return is_given(c) ? a->type->force_hooks && !a->type->solves_contacts && a->bodies.surfaces
                       : takes_forces(a) && bodies_with_surface(a, &name) > 1;
}

/* All in one plane of constant z, where nodes do not meet the faces of triangles. */
static bool is_plane(const mo_system *s)
{
    const double *x = mo_f64(s->columns.x);
    for (int64_t row = 1; row < mo_store_owned(s->store); ++row) {
        if (x[3 * row + 2] != x[2]) {
            return false;
        }
    }
    return true;
}

/* Why the bodies of the coupling are not in contact by default; NULL: they are. */
static const char *reason_against(const mo_coupling *coupling)
{
    const mo_system *a = coupling->a;
    return a != coupling->b ? "their models belong to different systems"
           : mo_domain_periodic(&coupling->host->domain) ? "the domain is periodic"
           : is_plane(a)                                 ? "they are plane"
           : !a->type->stability ? "explicit contact forces would limit the step of their model"
                                 : NULL;
}

static void warn_without_contact(const mo_coupling *coupling, const char *reason)
{
    const mo_system *a = coupling->a, *b = coupling->b;
    const char *name = "", *other = "";
    bodies_with_surface(a, &name);
    if (a != b) {
        bodies_with_surface(b, &other);
        mo_host_warn(coupling->host, 0, "no body contact",
                     "body_contact: '%.60s' (system '%s') and '%.60s' (system '%s') pass through "
                     "each other, since %s; give bodies that meet models of one system (`mote list "
                     "model`), or set body_contact.stiffness to 0 if they do not meet",
                     name, a->type->base.name, other, b->type->base.name, reason);
        return;
    }
    mo_host_warn(coupling->host, 0, "no body contact",
                 "body_contact: '%.60s' and the other bodies of the system '%s' pass through each "
                 "other, since %s; %sset body_contact.stiffness to 0 if they do not meet",
                 name, a->type->base.name, reason,
                 a->type->stability ? "" : "a body_contact.stiffness of 1 adds contact; ");
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
    bool given = is_given(def_of(def)) && coupling->a == coupling->b;
    const char *reason = given ? NULL : reason_against(coupling);
    if (reason) {
        warn_without_contact(coupling, reason);
        return MOTE_OK;
    }
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
    if (coupling->state) {
        mo_body_contacts_begin_step(coupling->state);
    }
    return MOTE_OK;
}

static mo_step_bound body_contact_limit(const mo_coupling *coupling)
{
    double size = coupling->state
                      ? mo_body_contacts_step(coupling->state, mo_f64(coupling->a->columns.v))
                      : 0;
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
