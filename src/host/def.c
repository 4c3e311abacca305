#include "host/def.h"

#include "collide/friction/friction.h"
#include "geometry/generate/generate.h"
#include "geometry/motion/motion.h"
#include "geometry/shape/shape.h"
#include "integrate/integrator.h"
#include "integrate/rotation.h"
#include "integrate/step/step.h"
#include "solid/model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LENGTH = 64 };

static const mo_param PIN[] = {{"set", MO_STRING, MO_FIELD(mo_pin_def, set),
                                .doc = "A node set of the mesh, as `mote explain` lists them."},
                               {"region", MO_METHOD, MO_FIELD(mo_pin_def, region), .family = &mo_shapes,
                                .doc = "All nodes that start inside this shape."},
                               {"nodes", MO_INT, .list = true, MO_FIELD(mo_pin_def, nodes), .initial = "[]",
                                .range = "[0, inf)", .doc = "Nodes by number."},
                               {"motion", MO_METHOD, MO_FIELD(mo_pin_def, motion), .family = &mo_motions,
                                .doc = "How the pinned nodes move; they are held in place without it."},
                               {0}};

static const mo_section PIN_SECTION = {"pin", "Nodes that no force moves.", sizeof(mo_pin_def), PIN};

static const mo_param LOAD[] = {
    {"set", MO_STRING, MO_FIELD(mo_load_def, where.set),
     .doc = "A node set of the mesh, as `mote explain` lists them."},
    {"region", MO_METHOD, MO_FIELD(mo_load_def, where.region), .family = &mo_shapes,
     .doc = "All nodes that start inside this shape."},
    {"nodes", MO_INT, .list = true, MO_FIELD(mo_load_def, where.nodes), .initial = "[]", .range = "[0, inf)",
     .doc = "Nodes by number."},
    {"force", MO_VEC3, MO_FIELD(mo_load_def, force), .unit = "N",
     .doc = "Force on all these nodes together, shared out by the area of the faces between them, or equally "
            "if there "
            "are none."},
    {"pressure", MO_REAL, MO_FIELD(mo_load_def, pressure), .unit = "Pa",
     .doc = "Pressure on the faces between these nodes, against their outside; it turns with them."},
    {"scale", MO_CURVE, MO_FIELD(mo_load_def, scale), .initial = "1",
     .doc = "What both are multiplied with, over time."},
    {0}};

static const mo_section LOAD_SECTION = {"load", "A force or pressure on some nodes.", sizeof(mo_load_def),
                                        LOAD};

static const mo_param BODY[] = {
    {"name", MO_STRING, MO_FIELD(mo_body_def, name), .doc = "Its name; 'body0', 'body1', ... if left out."},
    {"mesh", MO_METHOD, MO_FIELD(mo_body_def, mesh), .family = &mo_meshes, .required = true,
     .doc = "Where its particles are and how they are joined."},
    {"model", MO_METHOD, MO_FIELD(mo_body_def, model), .family = &mo_models,
     .doc = "What makes it resist; without one its particles are free."},
    {"mass", MO_REAL, MO_FIELD(mo_body_def, mass), .unit = "kg", .range = "(0, inf)",
     .doc = "Mass of the whole body. Give this or density; 1 kg a particle otherwise."},
    {"density", MO_REAL, MO_FIELD(mo_body_def, density), .unit = "kg/m^d", .range = "(0, inf)",
     .doc = "Mass per length of a rope, per area of a cloth, per volume of a block."},
    {"radius", MO_REAL, MO_FIELD(mo_body_def, radius), .unit = "m",
     .range = "[1e-150, 1e150]", /* its square is a normal number */
     .doc = "Radius of each particle, for the Courant number and as its distance from colliders. "
            "Left out: half the mesh spacing for the former, 0 for the latter."},
    {"velocity", MO_VEC3, MO_FIELD(mo_body_def, velocity), .unit = "m/s", .initial = "[0, 0, 0]",
     .doc = "Velocity at the start."},
    {"oriented", MO_BOOL, MO_FIELD(mo_body_def, oriented), .initial = "false",
     .doc = "Its particles have an orientation, turn and feel torques."},
    {"inertia", MO_VEC3, MO_FIELD(mo_body_def, inertia), .unit = "kg m^2",
     .doc = "Moments of inertia of each particle about its own axes; those of a ball of its radius if left "
            "out."},
    {"angular_velocity", MO_VEC3, MO_FIELD(mo_body_def, angular_velocity), .unit = "rad/s",
     .initial = "[0, 0, 0]", .doc = "Angular velocity at the start, about the particle's own axes."},
    {"turned", MO_VEC3, MO_FIELD(mo_body_def, turned), .unit = "rad", .initial = "[0, 0, 0]",
     .doc = "Orientation at the start, as a rotation vector."},
    {"temperature", MO_REAL, MO_FIELD(mo_body_def, temperature), .unit = "K", .range = "[0, inf)",
     .doc = "Random velocities of this temperature at the start, without a common drift, on top of "
            "`velocity`."},
    {"seed", MO_INT, MO_FIELD(mo_body_def, seed), .initial = "0", .range = "[0, inf)",
     .doc = "Another number gives other random velocities."},
    {"species", MO_REFERENCE, MO_FIELD(mo_body_def, species), .target = "species",
     .doc = "What its particles are made of; the first species if left out."},
    {"pins", MO_SECTION, .list = true, MO_FIELD(mo_body_def, pins), .initial = "[]", .section = &PIN_SECTION,
     .doc = "Nodes that are held fast or moved on a given path."},
    {"skin", MO_SECTION, MO_FIELD(mo_body_def, skin), .initial = "{}", .section = &mo_skin_section,
     .doc = "A fine surface that rides on its tetrahedra, to be drawn and written. Bodies that are filled "
            "from a surface "
            "have that one."},
    {"loads", MO_SECTION, .list = true, MO_FIELD(mo_body_def, loads), .initial = "[]",
     .section = &LOAD_SECTION, .doc = "Forces and pressures on some of its nodes."},
    {0}};

const mo_section mo_body_section = {"body", "Particles that come from one mesh.", sizeof(mo_body_def), BODY};

/* Corners are within MO_RANGE of world/health/extremes.h, as particles are. */
static const mo_param DOMAIN[] = {{"min", MO_VEC3, MO_FIELD(mo_domain_def, min), .unit = "m",
                                   .range = "[-1e18, 1e18]", .doc = "The lowest corner."},
                                  {"max", MO_VEC3, MO_FIELD(mo_domain_def, max), .unit = "m",
                                   .range = "[-1e18, 1e18]", .doc = "The highest corner."},
                                  {"periodic", MO_STRING, MO_FIELD(mo_domain_def, periodic),
                                   .initial = "\"xyz\"", .choices = "x|y|z|xy|xz|yz|xyz",
                                   .doc = "The axes along which the world repeats itself."},
                                  {0}};

const mo_section mo_domain_section = {
    "domain", "A box that repeats itself. Positions are not wrapped: they tell how far a particle has come.",
    sizeof(mo_domain_def), DOMAIN};

static const mo_param COLLIDER[] = {
    {"name", MO_STRING, MO_FIELD(mo_collider_def, name), .doc = "Its name; 'collider0', ... if left out."},
    {"shape", MO_METHOD, MO_FIELD(mo_collider_def, shape), .family = &mo_shapes, .required = true,
     .doc = "The solid that nothing may enter."},
    {"inside", MO_BOOL, MO_FIELD(mo_collider_def, inside), .initial = "false",
     .doc = "Inside out: particles stay within the shape."},
    {"restitution", MO_REAL, MO_FIELD(mo_collider_def, restitution), .initial = "0", .range = "[0, 1]",
     .doc = "What is left of the normal speed after a bounce."},
    {"friction", MO_METHOD, MO_FIELD(mo_collider_def, friction), .family = &mo_frictions, .initial = "0",
     .doc = "Friction; a bare number is Coulomb's mu."},
    {"position", MO_STRING, MO_FIELD(mo_collider_def, position), .initial = "\"project\"",
     .choices = "project|none",
     .doc = "Put what has entered back on the surface, or only change its velocity."},
    {"motion", MO_METHOD, MO_FIELD(mo_collider_def, motion), .family = &mo_motions,
     .doc = "How it moves; it stands still without one."},
    {0}};

const mo_section mo_collider_section = {"collider", "A solid that particles bounce off.",
                                        sizeof(mo_collider_def), COLLIDER};

static const mo_param TIME[] = {{"end", MO_REAL, MO_FIELD(mo_time_def, end), .unit = "s", .required = true,
                                 .range = "[0, inf)", .doc = "When the run ends; it starts at 0."},
                                {"step", MO_METHOD, MO_FIELD(mo_time_def, step), .family = &mo_steps,
                                 .required = true, .doc = "The time step; a bare number is a fixed one."},
                                {"fps", MO_REAL, MO_FIELD(mo_time_def, fps), .unit = "1/s", .initial = "50",
                                 .range = "(0, 1e30]", .doc = "Frames written for each simulated second."},
                                {0}};

const mo_section mo_time_section = {"time", "How long, in which steps, and how often to write.",
                                    sizeof(mo_time_def), TIME};

mo_vec3 mo_world_def_gravity(const mo_world_def *def)
{
    if (!isnan(def->gravity.x)) {
        return def->gravity;
    }
    double g = -9.81;
    return mo_vec3_make(def->up[0] == 'x' ? g : 0, def->up[0] == 'y' ? g : 0, def->up[0] == 'z' ? g : 0);
}

mo_vec3 mo_world_def_gravity_at(const mo_world_def *def, double time)
{
    double scale = def->gravity_scale.count > 0 ? mo_curve_at(&def->gravity_scale, time) : 1;
    return mo_scale(scale, mo_world_def_gravity(def));
}

mo_domain mo_world_def_domain(const mo_world_def *def)
{
    const mo_domain_def *d = &def->domain;
    mo_domain domain = {0};
    const double low[3] = {d->min.x, d->min.y, d->min.z}, high[3] = {d->max.x, d->max.y, d->max.z};
    for (int k = 0; k < 3 && !isnan(low[0]); ++k) {
        domain.low[k] = low[k];
        domain.high[k] = high[k];
        domain.periodic[k] = strchr(d->periodic, "xyz"[k]) != NULL;
    }
    return domain;
}

/* Its parameters mean nothing without stiffness, and surfaces do not look across borders. */
static mote_status check_body_contact(const mo_world_def *def, mote_error *error)
{
    const mo_body_contact_def *c = &def->body_contact;
    mo_domain domain = mo_world_def_domain(def);
    if (isnan(c->stiffness) && (!isnan(c->gap) || c->friction > 0 || c->damping > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "body_contact.%s: it does nothing without body_contact.stiffness; 1 is a good choice",
                       !isnan(c->gap)    ? "gap"
                       : c->friction > 0 ? "friction"
                                         : "damping");
    }
    if (!isnan(c->stiffness) && mo_domain_periodic(&domain)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "body_contact: bodies do not feel each other across a periodic border; leave out "
                       "`domain` or `body_contact`");
    }
    return MOTE_OK;
}

static mote_status check_domain(const mo_domain_def *d, mote_error *error)
{
    if (isnan(d->min.x) != isnan(d->max.x)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "domain.%s: a domain needs both min and max",
                       isnan(d->min.x) ? "min" : "max");
    }
    if (!isnan(d->min.x) && !(d->min.x < d->max.x && d->min.y < d->max.y && d->min.z < d->max.z)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "domain.max: it must be above min along every axis");
    }
    return MOTE_OK;
}

static mote_status check_where(const mo_pin_def *pin, const char *list, long long body, long long index,
                               mote_error *error)
{
    int ways = (pin->set != NULL) + (pin->region.type != NULL) + (pin->nodes.count > 0);
    if (ways != 1) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "bodies[%lld].%s[%lld]: give exactly one of set, region and nodes", body, list, index);
    }
    return MOTE_OK;
}

static mote_status check_load(const mo_load_def *load, long long body, long long index, mote_error *error)
{
    MO_TRY(check_where(&load->where, "loads", body, index, error));
    if (isnan(load->force.x) && isnan(load->pressure)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "bodies[%lld].loads[%lld]: give force or pressure", body,
                       index);
    }
    return MOTE_OK;
}

static mote_status check_orientation(const mo_body_def *body, long long index, mote_error *error)
{
    const mo_vec3 *i = &body->inertia;
    if (!body->oriented) {
        return MOTE_OK;
    }
    if (isnan(i->x) && isnan(body->radius)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "bodies[%lld].inertia: oriented particles need an inertia, or a radius to compute it from",
            index);
    }
    if (!isnan(i->x) && !(i->x > 0 && i->y > 0 && i->z > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "bodies[%lld].inertia: all three moments must be above 0",
                       index);
    }
    if (!isnan(i->x) && !mo_inertia_possible(*i)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "bodies[%lld].inertia: no body has these moments; none may exceed the sum of the "
                       "other two",
                       index);
    }
    return MOTE_OK;
}

static mote_status check_body(const mo_body_def *body, long long index, mote_error *error)
{
    MO_TRY(check_orientation(body, index, error));
    if (!isnan(body->mass) && !isnan(body->density)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "bodies[%lld].density: give mass or density, not both",
                       index);
    }
    if (strcmp(body->mesh.type->name, "points") == 0 && !isnan(body->density)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "bodies[%lld].density: single points have no length, area or volume; give mass",
                       index);
    }
    const mo_pin_def *pins = body->pins.items;
    for (int64_t k = 0; k < body->pins.count; ++k) {
        MO_TRY(check_where(&pins[k], "pins", index, k, error));
    }
    const mo_load_def *loads = body->loads.items;
    for (int64_t k = 0; k < body->loads.count; ++k) {
        MO_TRY(check_load(&loads[k], index, k, error));
    }
    return MOTE_OK;
}

static mote_status check_dynamics(const mo_world_def *def, mote_error *error)
{
    if (def->dynamics[0] == 's') {
        return MOTE_OK;
    }
    if (!(def->integrator.type->capabilities & MO_FIRST_ORDER)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "dynamics: the integrator '%s' is made for accelerations and cannot solve first_order; use "
            "heun, rk4 or another one that `mote list integrator` marks first_order",
            def->integrator.type->name);
    }
    if (!isnan(def->speed_limit) || !isnan(def->speed_change_limit)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "speed_limit, speed_change_limit: in first_order dynamics forces give the places and no "
            "velocity is kept that could be limited; leave them out");
    }
    const mo_body_def *bodies = def->bodies.items;
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        if (bodies[k].oriented) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "dynamics: first_order moves positions only, but bodies[%lld] is oriented",
                           (long long)k);
        }
    }
    return MOTE_OK;
}

/* The time step and the integrator must fit each other. */
static mote_status check_stepping(const mo_world_def *def, mote_error *error)
{
    bool varies = def->time.step.type->capabilities & MO_STEP_VARIES;
    bool bears = def->integrator.type->capabilities & MO_VARIABLE_STEP;
    if (varies && !bears) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "time.step: '%s' varies the step, which the integrator '%s' does not bear (it loses its "
            "order); use {\"type\": \"fixed\", \"size\": ...} or another integrator",
            def->time.step.type->name, def->integrator.type->name);
    }
    return MOTE_OK;
}

/* A name and where it stands. */
typedef struct named {
    char name[NAME_LENGTH];
    int64_t index;
} named;

static int compare_names(const void *a, const void *b)
{
    const named *p = a, *q = b;
    int order = strcmp(p->name, q->name);
    return order ? order : (p->index > q->index) - (p->index < q->index);
}

static mote_status fail_same_name(const char *list, const named *a, const named *b, mote_error *error)
{
    return mo_fail(error, MOTE_ERROR_INPUT,
                   "%s[%lld].name: '%s' is already the name of %s[%lld]; names must differ", list,
                   (long long)b->index, b->name, list, (long long)a->index);
}

/* Copies the names of a list's elements (what they are called if they have none is `usual` and a number). */
static mote_status collect_names(const char *list, const char *usual, const mo_list *things, size_t size,
                                 size_t name_at, named *names, mote_error *error)
{
    for (int64_t k = 0; k < things->count; ++k) {
        const char *name = *(const char *const *)((const char *)things->items + (size_t)k * size + name_at);
        if (name && (name[0] == '\0' || strlen(name) >= NAME_LENGTH)) {
            return mo_fail(error, MOTE_ERROR_INPUT, "%s[%lld].name: a name has 1 to %d characters", list,
                           (long long)k, NAME_LENGTH - 1);
        }
        names[k].index = k;
        if (name) {
            snprintf(names[k].name, NAME_LENGTH, "%s", name);
        } else {
            snprintf(names[k].name, NAME_LENGTH, "%s%lld", usual, (long long)k);
        }
    }
    return MOTE_OK;
}

/* Names within a list differ, those given and those made up alike. */
static mote_status check_names(const char *list, const char *usual, const mo_list *things, size_t size,
                               size_t name_at, mo_memory *memory, mote_error *error)
{
    void *block;
    MO_TRY(mo_allocate_array(memory, things->count, sizeof(named), &block, error));
    named *names = block;
    mote_status status = collect_names(list, usual, things, size, name_at, names, error);
    if (status == MOTE_OK) {
        qsort(names, (size_t)things->count, sizeof *names, compare_names);
    }
    for (int64_t k = 1; k < things->count && status == MOTE_OK; ++k) {
        if (strcmp(names[k - 1].name, names[k].name) == 0) {
            status = fail_same_name(list, &names[k - 1], &names[k], error);
        }
    }
    mo_release(memory, block);
    return status;
}

/* A fluid in the plane z = 0 must find nothing that takes it out of there. */
static mote_status check_plane(const mo_world_def *def, mote_error *error)
{
    bool flat = mo_fluid_def_present(&def->fluid) && def->fluid.dimension == 2;
    if (flat && mo_world_def_gravity(def).z != 0) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "gravity: the fluid is in the plane z = 0 (fluid.dimension is 2), but gravity points out "
            "of it; say \"up\": \"y\", or a gravity without z");
    }
    return MOTE_OK;
}

mote_status mo_world_def_check(const mo_world_def *def, mo_memory *memory, mote_error *error)
{
    const mo_body_def *bodies = def->bodies.items;
    MO_TRY(check_stepping(def, error));
    MO_TRY(check_dynamics(def, error));
    MO_TRY(check_names("bodies", "body", &def->bodies, sizeof(mo_body_def), offsetof(mo_body_def, name),
                       memory, error));
    MO_TRY(check_names("colliders", "collider", &def->colliders, sizeof(mo_collider_def),
                       offsetof(mo_collider_def, name), memory, error));
    MO_TRY(check_names("species", "species", &def->species, sizeof(mo_species_def),
                       offsetof(mo_species_def, name), memory, error));
    MO_TRY(check_domain(&def->domain, error));
    MO_TRY(check_body_contact(def, error));
    MO_TRY(mo_species_check(&def->species, error));
    MO_TRY(check_names("fluid.phases", "phase", &def->fluid.phases, sizeof(mo_phase_def),
                       offsetof(mo_phase_def, name), memory, error));
    MO_TRY(mo_fluid_def_check(&def->fluid, error));
    MO_TRY(check_plane(def, error));
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        MO_TRY(check_body(&bodies[k], k, error));
    }
    return MOTE_OK;
}
