#include "host/def.h"

#include "geometry/flow/flow.h"
#include "geometry/generate/generate.h"
#include "geometry/motion/motion.h"
#include "geometry/shape/shape.h"
#include "host/coupling.h"
#include "integrate/force.h"
#include "integrate/step/step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LENGTH = 64 };

static const mo_param PIN[] = {
    {"set", MO_STRING, MO_FIELD(mo_pin_def, set),
     .doc = "A node set of the mesh, listed by `mote explain`."},
    {"region", MO_METHOD, MO_FIELD(mo_pin_def, region), .family = &mo_shapes,
     .doc = "All nodes that start inside this shape."},
    {"nodes", MO_INT, .list = true, MO_FIELD(mo_pin_def, nodes), .initial = "[]",
     .range = "[0, inf)", .doc = "Nodes by number."},
    {"motion", MO_METHOD, MO_FIELD(mo_pin_def, motion), .family = &mo_motions,
     .doc = "Prescribed motion of the pinned nodes; fixed by default."},
    {0}};

static const mo_section PIN_SECTION = {"pin",
                                       "Fixed nodes or nodes with prescribed motion "
                                       "(Dirichlet nodes).",
                                       sizeof(mo_pin_def), .params = PIN};

static const mo_param LOAD[] = {
    {"set", MO_STRING, MO_FIELD(mo_load_def, where.set),
     .doc = "A node set of the mesh, listed by `mote explain`."},
    {"region", MO_METHOD, MO_FIELD(mo_load_def, where.region), .family = &mo_shapes,
     .doc = "All nodes that start inside this shape."},
    {"nodes", MO_INT, .list = true, MO_FIELD(mo_load_def, where.nodes), .initial = "[]",
     .range = "[0, inf)", .doc = "Nodes by number."},
    {"force", MO_VEC3, MO_FIELD(mo_load_def, force), .unit = "N",
     .doc = "Total force on these nodes, distributed by the area of the faces between them, or "
            "equally if there are none."},
    {"pressure", MO_REAL, MO_FIELD(mo_load_def, pressure), .unit = "Pa",
     .doc =
         "Pressure on the faces between these nodes, against the outward normal; a follower load."},
    {"scale", MO_CURVE, MO_FIELD(mo_load_def, scale), .initial = "1",
     .doc = "Scale factor of force and pressure as a function of time."},
    {0}};

static const mo_section LOAD_SECTION = {"load", "External force or pressure on a set of nodes.",
                                        sizeof(mo_load_def), .params = LOAD};

static const mo_param BODY[] = {
    {"name", MO_STRING, MO_FIELD(mo_body_def, name), .doc = "Name; default 'body0', 'body1', ..."},
    {"mesh", MO_METHOD, MO_FIELD(mo_body_def, mesh), .family = &mo_meshes,
     .doc = "Mesh: the initial particle positions and their connectivity. Required, except that "
            "rigid bodies may have shapes instead."},
    {"model", MO_METHOD, MO_FIELD(mo_body_def, model), .family = &mo_body_models,
     .doc = "Deformation model; by default the particles are free."},
    {"mass", MO_REAL, MO_FIELD(mo_body_def, mass), .unit = "kg", .range = "(0, inf)",
     .doc = "Total mass. Give this or density; default 1 kg per particle."},
    {"density", MO_REAL, MO_FIELD(mo_body_def, density), .unit = "kg/m^d", .range = "(0, inf)",
     .doc = "Mass per length of a rope, per area of a cloth, or per volume of a solid."},
    {"radius", MO_REAL, MO_FIELD(mo_body_def, radius), .unit = "m",
     .range = "[1e-150, 1e150]", /* its square is a normal number */
     .doc = "Particle radius, for the Courant number and as the contact distance from colliders. "
            "Default: half the mesh spacing for the former, 0 for the latter."},
    {"velocity", MO_VEC3, MO_FIELD(mo_body_def, velocity), .unit = "m/s", .initial = "[0, 0, 0]",
     .doc =
         "Initial velocity; of a rigid body, that of its centre of mass. A rotation, an expression "
         "of x, y, z, noise or a file: `flow`."},
    {"angular_velocity", MO_VEC3, MO_FIELD(mo_body_def, angular_velocity), .unit = "rad/s",
     .initial = "[0, 0, 0]",
     .doc = "Initial angular velocity: of a rigid body in the world frame, of oriented particles "
            "in the particle's frame."},
    {"flow", MO_METHOD, MO_FIELD(mo_body_def, flow), .family = &mo_flows,
     .doc = "Initial velocity field, added to `velocity`."},
    {"pins", MO_SECTION, .list = true, MO_FIELD(mo_body_def, pins), .initial = "[]",
     .section = &PIN_SECTION, .doc = "Fixed nodes and nodes with prescribed motion."},
    {"skin", MO_SECTION, MO_FIELD(mo_body_def, skin), .initial = "{}", .section = &mo_skin_section,
     .doc = "Embedded surface mesh for drawing and output. Bodies filled from a surface embed that "
            "surface by default."},
    {"look", MO_SECTION, MO_FIELD(mo_body_def, look), .initial = "{}", .section = &mo_look_section,
     .doc = "Rendering."},
    {"loads", MO_SECTION, .list = true, MO_FIELD(mo_body_def, loads), .initial = "[]",
     .section = &LOAD_SECTION, .doc = "External forces and pressures on sets of nodes."},
    {0}};

static const mo_section *body_part(int index)
{
    const mo_system_type *type = mo_system_type_at(index);
    return type ? (type->body_section ? type->body_section : &mo_empty_section) : NULL;
}

const mo_section mo_body_section = {.name = "body",
                                    .doc = "A body: the particles of one mesh.",
                                    .size = sizeof(mo_body_def),
                                    .params = BODY,
                                    .part = body_part,
                                    .parts_at = offsetof(mo_body_def, parts)};

/* Corners are within MO_RANGE of world/extremes.h, as particles are. */
static const mo_param DOMAIN[] = {{"min", MO_VEC3, MO_FIELD(mo_domain_def, min), .unit = "m",
                                   .range = "[-1e18, 1e18]", .doc = "Lower corner."},
                                  {"max", MO_VEC3, MO_FIELD(mo_domain_def, max), .unit = "m",
                                   .range = "[-1e18, 1e18]", .doc = "Upper corner."},
                                  {"periodic", MO_STRING, MO_FIELD(mo_domain_def, periodic),
                                   .choices = "x|y|z|xy|xz|yz|xyz|none",
                                   .doc = "The axes along which the world repeats itself; all "
                                          "three by default, none if outside is given."},
                                  {"outside", MO_STRING, MO_FIELD(mo_domain_def, outside),
                                   .initial = "\"keep\"", .choices = "keep|remove|stop|bounce",
                                   .doc = "Boundary condition along axes that are not periodic: "
                                          "particles that leave the box are kept, removed (a body "
                                          "with a mesh once all of its nodes are outside), "
                                          "reflected without loss, or the run stops."},
                                  {0}};

const mo_section mo_domain_section = {
    "domain",
    "Periodic box, limits of the world, or both. Positions are not wrapped: they include the "
    "distance that a particle has travelled through periodic faces.",
    sizeof(mo_domain_def), .params = DOMAIN};

static const mo_param TIME[] = {
    {"end", MO_REAL, MO_FIELD(mo_time_def, end), .unit = "s", .required = true, .range = "[0, inf)",
     .doc = "End time; a run starts at 0."},
    {"step", MO_METHOD, MO_FIELD(mo_time_def, step), .family = &mo_steps, .initial = "\"auto\"",
     .doc = "Time step control; a number is a fixed step."},
    {"fps", MO_REAL, MO_FIELD(mo_time_def, fps), .unit = "1/s", .initial = "50",
     .range = "(0, 1e30]", .doc = "Frames written for each simulated second."},
    {0}};

const mo_section mo_time_section = {"time", "Duration, time step and output rate.",
                                    sizeof(mo_time_def), .params = TIME};

bool mo_domain_def_is_periodic(const mo_domain_def *d, int axis)
{
    bool limits = d->outside && d->outside[0] != 'k';
    return d->periodic ? d->periodic[0] != 'n' && strchr(d->periodic, "xyz"[axis]) : !limits;
}

bool mo_world_def_force(const mo_world_def *def, int64_t k, mo_method *force, char path[32])
{
    bool listed = k < def->forces.count;
    if (listed) {
        *force = ((const mo_method *)def->forces.items)[k];
        snprintf(path, 32, "forces[%lld]", (long long)k);
    } else {
        *force = def->gravity_field;
        snprintf(path, 32, "gravity_field");
    }
    return listed || (k == def->forces.count && def->gravity_field.type);
}

mo_vec3 mo_world_def_gravity(const mo_world_def *def)
{
    if (def->gravity_field.type) {
        return mo_vec3_make(0, 0, 0);
    }
    if (!isnan(def->gravity.x)) {
        return def->gravity;
    }
    double g = -9.81;
    return mo_vec3_make(def->up[0] == 'x' ? g : 0, def->up[0] == 'y' ? g : 0,
                        def->up[0] == 'z' ? g : 0);
}

mo_domain mo_world_def_domain(const mo_world_def *def)
{
    const mo_domain_def *d = &def->domain;
    mo_domain domain = {0};
    const double low[3] = {d->min.x, d->min.y, d->min.z}, high[3] = {d->max.x, d->max.y, d->max.z};
    for (int k = 0; k < 3 && !isnan(low[0]); ++k) {
        domain.low[k] = low[k];
        domain.high[k] = high[k];
        domain.periodic[k] = mo_domain_def_is_periodic(d, k);
    }
    return domain;
}

static mote_status check_domain(const mo_domain_def *d, mote_error *error)
{
    if (isnan(d->min.x) != isnan(d->max.x)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "domain.%s: a domain needs both min and max",
                       isnan(d->min.x) ? "min" : "max");
    }
    if (!isnan(d->min.x) && !(d->min.x < d->max.x && d->min.y < d->max.y && d->min.z < d->max.z)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "domain.max: it must be above min along every axis");
    }
    if (d->periodic && isnan(d->min.x)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "domain.periodic: a domain needs min and max");
    }
    bool limits = d->outside && d->outside[0] != 'k', all = true;
    for (int k = 0; k < 3; ++k) {
        all = all && mo_domain_def_is_periodic(d, k);
    }
    if (limits && (all || isnan(d->min.x))) {
        return mo_fail(error, MOTE_ERROR_INPUT, "domain.outside: %s",
                       all ? "nothing can leave a domain that is periodic along all axes"
                           : "a domain needs min and max");
    }
    return MOTE_OK;
}

/* A gravity field acts on particles individually. */
static mote_status check_gravity(const mo_world_def *def, mote_error *error)
{
    const mo_descriptor *field = def->gravity_field.type;
    if (field && !isnan(def->gravity.x)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "gravity_field: it replaces uniform gravity; give gravity or gravity_field");
    }
    if (field && !(field->capabilities & MO_FORCE_EXTERNAL)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "gravity_field: '%s' is no field of position and time; allowed: attractor, "
                       "expression_field, force_plane, vortex",
                       field->name);
    }
    return MOTE_OK;
}

static mote_status check_where(const mo_pin_def *pin, const char *list, long long body,
                               long long index, mote_error *error)
{
    int ways = (pin->set != NULL) + (pin->region.type != NULL) + (pin->nodes.count > 0);
    if (ways != 1) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "bodies[%lld].%s[%lld]: give exactly one of set, region and nodes", body,
                       list, index);
    }
    return MOTE_OK;
}

static mote_status check_load(const mo_load_def *load, long long body, long long index,
                              mote_error *error)
{
    MO_TRY(check_where(&load->where, "loads", body, index, error));
    if (isnan(load->force.x) && isnan(load->pressure)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "bodies[%lld].loads[%lld]: give force or pressure",
                       body, index);
    }
    return MOTE_OK;
}

static mote_status check_body(const mo_body_def *body, long long index, mote_error *error)
{
    const mo_system_type *type = mo_body_def_system(body);
    if (!body->mesh.type && !(type && type->shapes)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "bodies[%lld]: the key \"mesh\" is missing: the initial particle positions",
                       index);
    }
    if (!isnan(body->mass) && !isnan(body->density)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "bodies[%lld].density: give mass or density, not both", index);
    }
    if (body->mesh.type && strcmp(body->mesh.type->name, "points") == 0 && !isnan(body->density)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "bodies[%lld].density: single points have no length, area or volume; give mass", index);
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

/* A name and its index. */
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

static mote_status fail_same_name(const char *list, const named *a, const named *b,
                                  mote_error *error)
{
    return mo_fail(error, MOTE_ERROR_INPUT,
                   "%s[%lld].name: '%s' is already the name of %s[%lld]; names must differ", list,
                   (long long)b->index, b->name, list, (long long)a->index);
}

/* Copies the names of a list's elements (the default is `stem` and the index). */
static mote_status collect_names(const char *list, const char *stem, const mo_list *things,
                                 size_t size, size_t name_at, named *names, mote_error *error)
{
    for (int64_t k = 0; k < things->count; ++k) {
        const char *name =
            *(const char *const *)((const char *)things->items + (size_t)k * size + name_at);
        if (name && (name[0] == '\0' || strlen(name) >= NAME_LENGTH)) {
            return mo_fail(error, MOTE_ERROR_INPUT, "%s[%lld].name: a name has 1 to %d characters",
                           list, (long long)k, NAME_LENGTH - 1);
        }
        names[k].index = k;
        if (name) {
            snprintf(names[k].name, NAME_LENGTH, "%s", name);
        } else {
            snprintf(names[k].name, NAME_LENGTH, "%s%lld", stem, (long long)k);
        }
    }
    return MOTE_OK;
}

mote_status mo_check_names(const char *list, const char *stem, const mo_list *things, size_t size,
                           size_t name_at, mo_memory *memory, mote_error *error)
{
    void *block;
    MO_TRY(mo_allocate_array(memory, things->count, sizeof(named), &block, error));
    named *names = block;
    mote_status status = collect_names(list, stem, things, size, name_at, names, error);
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

/* ---- definitions of systems and couplings ---- */

const void *mo_world_def_system(const mo_world_def *def, const mo_system_type *type)
{
    for (int k = 0; mo_system_type_at(k); ++k) {
        if (mo_system_type_at(k) == type) {
            return def->systems[k];
        }
    }
    return NULL;
}

const void *mo_body_def_part(const mo_body_def *body, const mo_system_type *type)
{
    for (int k = 0; mo_system_type_at(k); ++k) {
        if (mo_system_type_at(k) == type) {
            return body->parts[k];
        }
    }
    return NULL;
}

const void *mo_world_def_coupling(const mo_world_def *def, const mo_coupling_type *type)
{
    for (int k = 0; mo_coupling_type_at(k); ++k) {
        if (mo_coupling_type_at(k) == type) {
            return def->couplings[k];
        }
    }
    return NULL;
}

const mo_system_type *mo_body_def_system(const mo_body_def *body)
{
    const mo_system_type *type;
    for (int k = 0; (type = mo_system_type_at(k)) != NULL; ++k) {
        bool own = type->models && body->model.type &&
                   mo_family_find(type->models, body->model.type->name);
        if (own || (type->takes_particles && !body->model.type)) {
            return type;
        }
    }
    return NULL;
}

bool mo_world_def_has_bodies(const mo_world_def *def, const mo_system_type *type)
{
    const mo_body_def *bodies = def->bodies.items;
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        if (mo_body_def_system(&bodies[k]) == type) {
            return true;
        }
    }
    return false;
}

mote_status mo_world_def_check(const mo_world_def *def, mo_memory *memory, mote_error *error)
{
    const mo_body_def *bodies = def->bodies.items;
    MO_TRY(mo_check_names("bodies", "body", &def->bodies, sizeof(mo_body_def),
                          offsetof(mo_body_def, name), memory, error));
    MO_TRY(mo_check_names("colliders", "collider", &def->colliders, sizeof(mo_collider_def),
                          offsetof(mo_collider_def, name), memory, error));
    MO_TRY(check_domain(&def->domain, error));
    MO_TRY(check_gravity(def, error));
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        MO_TRY(check_body(&bodies[k], k, error));
    }
    for (int k = 0; mo_system_type_at(k); ++k) {
        if (mo_system_type_at(k)->check) {
            MO_TRY(mo_system_type_at(k)->check(def, memory, error));
        }
    }
    for (int k = 0; mo_coupling_type_at(k); ++k) {
        if (mo_coupling_type_at(k)->check) {
            MO_TRY(mo_coupling_type_at(k)->check(def, memory, error));
        }
    }
    return MOTE_OK;
}

bool mo_body_def_is_driven(const mo_body_def *body)
{
    const mo_pin_def *pins = body->pins.items;
    const mo_load_def *loads = body->loads.items;
    bool any = false;
    for (int64_t k = 0; k < body->pins.count; ++k) {
        any = any || mo_motion_moves(pins[k].motion);
    }
    for (int64_t k = 0; k < body->loads.count; ++k) {
        bool pressed = !isnan(loads[k].pressure) && loads[k].pressure != 0;
        any = any || loads[k].scale.count > 1 || pressed;
    }
    return any;
}
