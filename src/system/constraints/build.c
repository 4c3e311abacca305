/* Builds the constraints system: rows, pins and loads of bodies (host/mesh_bodies.h), the sets of
 * their constraints, and external forces; and removes rows. */
#include "collide/law.h"
#include "constraint/element.h"
#include "geometry/generate/generate.h"
#include "host/friction_advice.h"
#include "host/mesh_bodies.h"
#include "system/constraints/def.h"
#include "system/constraints/defaults.h"
#include "system/constraints/state.h"

#include <math.h>
#include <string.h>

static const mo_column_spec POSITION = {
    "constraint_p", MOTE_F64, 4, MO_DERIVED, "m", "position in iterations, and inverse mass"};
static const mo_column_spec START = {
    "constraint_start", MOTE_F64, 4,
    MO_DERIVED,         "m",      "position at the start of the substep, and inverse mass"};
static const mo_column_spec CHANGE = {"constraint_change", MOTE_F64, 4,
                                      MO_DERIVED,          "m",      "sum of corrections"};

static const mo_column_spec BASE = {
    "constraint_base", MOTE_F64, 4,
    MO_DERIVED,        "m",      "predicted position with the corrections of groups and contacts"};

/* ---- bodies ---- */

static mote_status add_set(mo_constraint_system *c, mo_method method, bool extended,
                           const mo_body_def *body, int64_t first, mo_constraint_set **set,
                           mote_error *error)
{
    const mo_constraint_type *type = (const mo_constraint_type *)method.type;
    mo_memory *memory = c->system->host->memory;
    if (type->needs_mass && isnan(body->density) && isnan(body->mass)) {
        return mo_fail(error, MOTE_ERROR_INPUT, ": '%s' needs the body's density or mass",
                       type->base.name);
    }
    MO_TRY(
        mo_reserve(memory, &c->sets, &c->set_capacity, c->set_count + 1, sizeof *c->sets, error));
    *set = &c->sets[c->set_count++];
    mo_constraint_set_init(*set, type, method.params, extended, first, memory);
    return MOTE_OK;
}

static mote_status add_constraints(mo_constraint_system *c, const mo_body_def *body,
                                   const mo_mesh *mesh, int64_t first, mote_error *error)
{
    const mo_position_based *p = body->model.params;
    bool extended = mo_constraint_system_extended(body->model.type);
    mo_method defaults[MO_CONSTRAINT_DEFAULTS_MAX];
    const mo_method *list = p->constraints.items;
    int count = (int)p->constraints.count;
    if (count == 0) {
        MO_TRY(mo_constraint_defaults(mesh, extended, c->system->host->arena, defaults, &count,
                                      error));
        list = defaults;
    }
    for (int k = 0; k < count; ++k) {
        const mo_constraint_type *type = (const mo_constraint_type *)list[k].type;
        mo_constraint_set *set = NULL;
        type = type->form ? type->form(mesh) : type;
        if (!type->add) {
            continue; /* connected later */
        }
        mote_status status = add_set(c, (mo_method){&type->base, list[k].params}, extended, body,
                                     first, &set, error);
        status =
            status == MOTE_OK ? mo_at_path(type->add(set, mesh, error), error, ": ", 0) : status;
        MO_TRY(mo_at_path(status, error, ".constraints[%lld]", k));
    }
    return MOTE_OK;
}

/* ---- surfaces ---- */

/* Default thickness, in mean edges; of cloth at most a part of the mean altitude of its triangles:
 * features of a flat mesh that are not adjacent are farther apart than 1.3 thicknesses. */
static const double CLOTH = 0.25, SOLID = 0.1, ALTITUDE = 0.6;

static double mean_edge(const mo_mesh *mesh)
{
    double sum = 0;
    for (int64_t k = 0; k < mesh->edge_count; ++k) {
        const int32_t *e = mesh->edges + 2 * k;
        sum += mo_length(mo_sub(mo_vec3_load(mesh->nodes + 3 * (int64_t)e[1]),
                                mo_vec3_load(mesh->nodes + 3 * (int64_t)e[0])));
    }
    return mesh->edge_count > 0 ? sum / (double)mesh->edge_count : 0;
}

/* The mean of the shortest altitudes of triangles. */
static double mean_altitude(const mo_mesh *mesh)
{
    double sum = 0;
    for (int64_t k = 0; k < mesh->triangle_count; ++k) {
        const int32_t *t = mesh->triangles + 3 * k;
        double longest = 0;
        for (int n = 0; n < 3; ++n) {
            longest = fmax(longest, mo_length(mo_sub(mo_mesh_node(mesh, t[(n + 1) % 3]),
                                                     mo_mesh_node(mesh, t[n]))));
        }
        sum += longest > 0 ? 2 * mo_triangle_area(mesh, t) / longest : 0;
    }
    return sum / (double)mesh->triangle_count;
}

static double thickness_of(const mo_body_def *body, const mo_mesh *mesh, double edge)
{
    const mo_position_based *p = body->model.params;
    bool line = mesh->triangle_count == 0;
    if (!isnan(p->thickness)) {
        return p->thickness;
    }
    if (line) {
        return isnan(body->radius) ? CLOTH * edge : 2 * body->radius;
    }
    return mesh->tetrahedron_count > 0 ? SOLID * edge
                                       : fmin(CLOTH * edge, ALTITUDE * mean_altitude(mesh));
}

/* Contact of the surface. Nodes without a radius have half the thickness. */
static mote_status add_surface(mo_constraint_system *c, const mo_body_def *body,
                               const mo_mesh *mesh, int64_t first, mote_error *error)
{
    const mo_position_based *p = body->model.params;
    double edge = mean_edge(mesh);
    mo_surface_body surface = {.thickness = thickness_of(body, mesh, edge),
                               .edge = edge,
                               .friction = p->friction,
                               .static_friction =
                                   isnan(p->static_friction) ? p->friction : p->static_friction,
                               .self = p->self};
    for (int64_t k = 0; isnan(body->radius) && k < mesh->node_count; ++k) {
        mo_f64(c->system->columns.radius)[first + k] = 0.5 * surface.thickness;
    }
    /* lattices of edges are no lines */
    int64_t edges = 2 * mesh->edge_count <= 3 * mesh->node_count ? mesh->edge_count : 0;
    return mo_constraint_contacts_add(&c->surfaces, &surface, mesh->triangles, mesh->triangle_count,
                                      mesh->edges, edges, first, error);
}

static mote_status added(void *context, const mo_body_def *body, const mo_mesh *mesh, int64_t first,
                         mote_error *error)
{
    mo_constraint_system *c = context;
    const mo_position_based *p = body->model.params;
    MO_TRY(mo_reserve(c->system->host->memory, &c->bodies, &c->body_capacity, c->body_count + 1,
                      sizeof *c->bodies, error));
    c->bodies[c->body_count++] = (mo_constraint_body){first, mesh->node_count, p->damping};
    MO_TRY(add_surface(c, body, mesh, first, error));
    return mo_at_path(add_constraints(c, body, mesh, first, error), error, ".model", 0);
}

/* ---- constraints with other bodies and colliders ---- */

/* The first row of body `index` of the scene, of this system. */
static int64_t first_row(const mo_constraint_system *c, const mo_world_def *def, int64_t index)
{
    const mo_body_def *bodies = def->bodies.items;
    int64_t own = 0;
    for (int64_t k = 0; k < index; ++k) {
        own += mo_body_def_system(&bodies[k]) == c->system->type;
    }
    return c->bodies[own].first;
}

static bool is_rigid(const mo_body_def *body)
{
    const mo_system_type *type = mo_body_def_system(body);
    return type && type->shapes;
}

static mote_status check_partner(const mo_constraint_system *c, const mo_body_def *other,
                                 const mo_reference *partner, mote_error *error)
{
    if (mo_body_def_system(other) == c->system->type || is_rigid(other)) {
        return MOTE_OK;
    }
    return mo_fail(error, MOTE_ERROR_INPUT,
                   ".body: '%.60s' is neither position-based (model pbd or xpbd) nor rigid",
                   partner->name);
}

bool mo_constraint_system_attaches(const mo_world_def *def)
{
    const mo_body_def *bodies = def->bodies.items;
    for (int64_t b = 0; b < def->bodies.count; ++b) {
        const mo_position_based *p = bodies[b].model.params;
        bool own = mo_body_def_system(&bodies[b]) == &mo_system_constraints;
        for (int64_t k = 0; own && k < p->constraints.count; ++k) {
            const mo_method *method = (const mo_method *)p->constraints.items + k;
            const mo_constraint_type *type = (const mo_constraint_type *)method->type;
            const mo_reference *partner = type->partner ? type->partner(method->params) : NULL;
            if (partner && is_rigid(&bodies[partner->index])) {
                return true;
            }
        }
    }
    return false;
}

/* Constraint `method` of body `index`; meshes are built again for their node sets. */
static mote_status connect(mo_constraint_system *c, const mo_world_def *def, int64_t index,
                           mo_method method, mote_error *error)
{
    const mo_body_def *bodies = def->bodies.items, *body = &bodies[index];
    const mo_constraint_type *type = (const mo_constraint_type *)method.type;
    const mo_reference *partner = type->partner(method.params);
    mo_memory *memory = c->system->host->memory;
    mo_mesh own = {0}, other = {0};
    mo_constraint_set *set = NULL;
    mo_constraint_ends ends = {
        .mesh = &own, .colliders = c->system->host->colliders, .bodies = &c->attached};
    MO_TRY(partner ? check_partner(c, &bodies[partner->index], partner, error) : MOTE_OK);
    bool rigid = partner && is_rigid(&bodies[partner->index]);
    if (rigid) {
        MO_TRY(mo_attached_bodies_add(&c->attached, memory, partner->index, &ends.attached, error));
        type = type->rigid;
        method.type = &type->base;
    }
    MO_TRY(add_set(c, method, mo_constraint_system_extended(body->model.type), body,
                   first_row(c, def, index), &set, error));
    mote_status status = mo_mesh_generate(body->mesh, memory, &own, error);
    if (partner && !rigid) {
        ends.other = &other;
        ends.other_first = first_row(c, def, partner->index);
        ends.same = partner->index == index;
        status = status == MOTE_OK
                     ? mo_mesh_generate(bodies[partner->index].mesh, memory, &other, error)
                     : status;
    }
    status = status == MOTE_OK ? type->connect(set, &ends, error) : status;
    mo_mesh_release(&own);
    mo_mesh_release(&other);
    return status;
}

static mote_status connect_bodies(mo_constraint_system *c, const mo_world_def *def,
                                  mote_error *error)
{
    const mo_body_def *bodies = def->bodies.items;
    for (int64_t b = 0; b < def->bodies.count; ++b) {
        if (mo_body_def_system(&bodies[b]) != c->system->type) {
            continue;
        }
        const mo_position_based *p = bodies[b].model.params;
        const mo_method *list = p->constraints.items;
        for (int64_t k = 0; k < p->constraints.count; ++k) {
            if (((const mo_constraint_type *)list[k].type)->connect) {
                mote_status status = mo_at_path(connect(c, def, b, list[k], error), error,
                                                ".model.constraints[%lld]", k);
                MO_TRY(mo_at_path(status, error, "bodies[%lld]", b));
            }
        }
    }
    return MOTE_OK;
}

/* ---- the system ---- */

/* Parameters of colliders that position-based contacts do not have. */
static void warn_about_colliders(const mo_system *s)
{
    const mo_colliders *colliders = s->host->colliders;
    for (int64_t k = 0; k < colliders->count; ++k) {
        const mo_collider *c = &colliders->list[k];
        if (mo_force_law_of(c)) {
            mo_host_warn(s->host, 0, "contact law",
                         "colliders[%lld].contact: '%s' acts on bodies driven by forces; contacts "
                         "of position-based bodies with collider '%.60s' are constraints",
                         (long long)k, c->law.type->name, c->name);
        }
        if (!c->projects) {
            mo_host_warn(s->host, 0, "collider position",
                         "colliders[%lld].position: position-based bodies do not collide with "
                         "'%.60s', which does not correct positions",
                         (long long)k, c->name);
        }
    }
}

static mote_status finish_sets(mo_constraint_system *c, mote_error *error)
{
    int64_t rows = mo_store_owned(c->system->store);
    double energy;
    for (int64_t k = 0; k < c->set_count; ++k) {
        MO_TRY(mo_constraint_set_finish(&c->sets[k], rows, error));
    }
    MO_TRY(mo_constraint_sets_share(c->sets, c->set_count, rows, error));
    MO_TRY(mo_constraint_system_energy(c, &energy, error)); /* fills p */
    for (int64_t k = 0; k < c->set_count; ++k) {
        if (c->sets[k].type->rest_energy) {
            MO_TRY(mo_constraint_set_energy(&c->sets[k], c->system->host->pool, mo_f64(c->p),
                                            &c->sets[k].rest, error));
        }
    }
    return MOTE_OK;
}

/* Nodes that a constraint keeps together do not collide. */
static void join_attached(mo_constraint_system *c)
{
    for (int64_t k = 0; k < c->set_count; ++k) {
        const mo_constraint_set *set = &c->sets[k];
        bool attached = strcmp(set->type->base.name, "attach") == 0;
        for (int64_t b = 0; attached && b < set->batches; ++b) {
            const int32_t *rows = mo_constraint_rows(set, b);
            for (int lane = 0; lane < set->lanes[b]; ++lane) {
                mo_constraint_contacts_join(&c->surfaces, rows[lane], rows[MO_LANES + lane]);
            }
        }
    }
}

static mote_status add_loads(mo_constraint_system *c, mo_mesh_bodies *bodies, mote_error *error)
{
    mo_force loads = {0};
    MO_TRY(mo_mesh_bodies_finish_loads(bodies, &loads, error));
    if (!loads.type) {
        return MOTE_OK;
    }
    mote_status status = mo_external_forces_add(&c->forces, &loads, error);
    if (status != MOTE_OK) {
        mo_force_destroy(&loads, c->system->host->memory);
    }
    return status;
}

static mote_status build(mo_constraint_system *c, const mo_world_def *def, mo_mesh_bodies *bodies,
                         mote_error *error)
{
    mo_system *s = c->system;
    MO_TRY(mo_store_create(s->host->memory, &s->store, error));
    mo_store_share_ids(s->store, &s->host->next_id);
    MO_TRY(mo_particle_columns_declare(s, error));
    MO_TRY(mo_store_declare(s->store, &POSITION, &c->p, error));
    MO_TRY(mo_store_declare(s->store, &START, &c->start, error));
    MO_TRY(mo_store_declare(s->store, &CHANGE, &c->change, error));
    MO_TRY(mo_store_declare(s->store, &BASE, &c->base, error));
    s->rate = s->columns.a;
    MO_TRY(mo_mesh_bodies_add(bodies, def, error));
    MO_TRY(connect_bodies(c, def, error));
    s->built = mo_store_owned(s->store);
    MO_TRY(finish_sets(c, error));
    MO_TRY(mo_constraint_contacts_finish(&c->surfaces, s->built, mo_f64(s->columns.x), error));
    join_attached(c);
    MO_TRY(mo_external_forces_create(&c->forces, s, def, error));
    MO_TRY(add_loads(c, bodies, error));
    mo_warn_about_frictionless_surfaces(def, s->host);
    mo_kinematics_set(&c->kinematics, 0, mo_f64(s->columns.x), mo_f64(s->columns.v));
    return s->type->edit->added(s, 0, error);
}

mote_status mo_constraint_system_create(const mo_world_def *def, mo_system *system,
                                        mote_error *error)
{
    mo_host *host = system->host;
    const mo_constraint_system_def *own = mo_constraint_system_def_of(def);
    mo_constraint_system *c = mo_allocate(host->memory, sizeof *c);
    if (!c) {
        return mo_fail_memory(error, sizeof *c);
    }
    system->state = c;
    system->first_id = host->next_id;
    system->contact_offset = 1;
    *c = (mo_constraint_system){.system = system,
                                .solver = (const mo_constraint_solver_type *)own->solver.type,
                                .solver_params = own->solver.params,
                                .substeps = own->substeps,
                                .generation = 1,
                                .stage_predict = mo_stage_add(host->stages, "predict"),
                                .stage_project = mo_stage_add(host->stages, "constraints"),
                                .stage_contact = mo_stage_add(host->stages, "surface contact")};
    c->forces.system = system;
    c->iterations = own->iterations > 0 ? own->iterations : c->solver->iterations;
    mo_collider_contacts_init(&c->contacts, host->colliders, host->memory);
    mo_constraint_contacts_init(&c->surfaces, host->memory, host->pool);
    mo_mesh_bodies bodies = {
        .system = system, .kinematics = &c->kinematics, .context = c, .added = added};
    mote_status status =
        c->solver->open ? c->solver->open(host->memory, &c->solver_state, error) : MOTE_OK;
    status = status == MOTE_OK ? build(c, def, &bodies, error) : status;
    mo_mesh_bodies_release(&bodies);
    if (status != MOTE_OK) {
        mo_constraint_system_release(system);
        return status;
    }
    warn_about_colliders(system);
    return MOTE_OK;
}

static void release_sets(mo_memory *memory, mo_constraint_set *sets, int64_t count)
{
    for (int64_t k = 0; sets && k < count; ++k) {
        mo_constraint_set_release(&sets[k]);
    }
    mo_release(memory, sets);
}

void mo_constraint_system_release(mo_system *system)
{
    mo_constraint_system *c = system->state;
    mo_memory *memory = system->host->memory;
    if (c) {
        if (c->solver_state) {
            c->solver->close(c->solver_state);
        }
        release_sets(memory, c->sets, c->set_count);
        release_sets(memory, c->remapped, c->set_count);
        mo_external_forces_release(&c->forces);
        mo_kinematics_release(&c->kinematics, memory);
        mo_collider_contacts_release(&c->contacts);
        mo_face_contacts_release(&c->faces);
        mo_constraint_contacts_release(&c->surfaces);
        mo_constraint_contacts_release(&c->remapped_surfaces);
        mo_release(memory, c->bodies);
        mo_release(memory, c->attached.list);
        mo_release(memory, c);
    }
    mo_system_release(system);
}

/* ---- editing rows ---- */

static mote_status constraints_added(mo_system *system, int64_t first, mote_error *error)
{
    return mo_external_forces_begin(&((mo_constraint_system *)system->state)->forces, first, error);
}

static mote_status constraints_remap(mo_system *system, const int64_t *map, int64_t rows,
                                     mote_error *error)
{
    mo_constraint_system *c = system->state;
    void *sets;
    MO_TRY(mo_allocate_array(system->host->memory, c->set_count, sizeof *c->sets, &sets, error));
    c->remapped = sets;
    for (int64_t k = 0; k < c->set_count; ++k) {
        MO_TRY(mo_constraint_set_remap(&c->sets[k], map, rows, &c->remapped[k], error));
        c->remapped[k].rest = c->sets[k].rest;
    }
    MO_TRY(mo_constraint_sets_share(c->remapped, c->set_count, rows, error));
    MO_TRY(mo_constraint_contacts_remap(&c->surfaces, map, rows, &c->remapped_surfaces, error));
    return mo_external_forces_remap(&c->forces, map, rows, error);
}

/* The rows of bodies are contiguous, and stay so. */
static void remap_bodies(mo_constraint_system *c, const int64_t *map)
{
    for (int64_t b = 0; b < c->body_count; ++b) {
        mo_constraint_body *body = &c->bodies[b];
        int64_t first = body->first, count = body->count;
        body->count = 0;
        for (int64_t row = first; row < first + count; ++row) {
            if (map[row] >= 0) {
                body->first = body->count == 0 ? map[row] : body->first;
                ++body->count;
            }
        }
    }
}

static void constraints_settle(mo_system *system, const int64_t *map)
{
    mo_constraint_system *c = system->state;
    if (map && c->remapped) {
        release_sets(system->host->memory, c->sets, c->set_count);
        c->sets = c->remapped;
        c->set_capacity = c->set_count;
        mo_constraint_contacts_release(&c->surfaces);
        c->surfaces = c->remapped_surfaces;
        c->remapped_surfaces = (mo_constraint_contacts){0};
        ++c->generation;
        remap_bodies(c, map);
        mo_kinematics_remap(&c->kinematics, map);
    } else {
        release_sets(system->host->memory, c->remapped, c->set_count);
        mo_constraint_contacts_release(&c->remapped_surfaces);
    }
    c->remapped = NULL;
    mo_external_forces_settle(&c->forces, map);
}

const mo_edit_hooks mo_constraint_system_edit = {
    .added = constraints_added, .remap = constraints_remap, .settle = constraints_settle};
