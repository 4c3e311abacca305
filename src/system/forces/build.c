/* Builds the forces system: rows from bodies, fixed rows from pins, forces from models and
 * fields. */
#include "system/forces/def.h"
#include "system/forces/forces.h"
#include "system/forces/health.h"
#include "system/forces/state.h"
#include "system/forces/thermal.h"

#include "geometry/flow/flow.h"
#include "geometry/generate/generate.h"
#include "geometry/shape/shape.h"
#include "host/orientation.h"
#include "particle/force/field.h"
#include "solid/load.h"
#include "solid/model/model.h"

#include <stdio.h>
#include <string.h>

/* Temporary data of the build. */
typedef struct builder {
    const mo_world_def *def;
    const mo_forces_def *own;
    mo_memory *memory;
    mo_arena *names;
    mo_system *system;
    mo_forces *forces;
    mo_force models[MO_MODELS_MAX]; /* by index in the family, created on first use */
    mo_loads *loads;                /* NULL: there are none */
    int64_t edge_capacity, triangle_capacity, tetrahedron_capacity, kinematic_capacity;
    mo_column *species; /* NULL: there are none */
} builder;

static mote_status declare_columns(builder *b, mote_error *error)
{
    MO_TRY(mo_particle_columns_declare(b->system, error));
    if (b->forces->oriented) {
        MO_TRY(mo_orientation_declare(b->system, error));
    }
    if (b->forces->first_order) {
        static const mo_column_spec SINK = {"first_order_x", MOTE_F64, 3,
                                            MO_DERIVED,      "m s",    "not used"};
        static const mo_column_spec ZERO = {"first_order_v", MOTE_F64, 3,
                                            MO_DERIVED,      "m/s",    "zero"};
        MO_TRY(mo_store_declare(b->system->store, &SINK, &b->forces->sink, error));
        MO_TRY(mo_store_declare(b->system->store, &ZERO, &b->forces->zero, error));
    }
    if (b->own->species.count > 0) {
        static const mo_column_spec SPECIES = {"species", MOTE_I32, 1,
                                               MO_STATE,  "1",      "index of the species"};
        MO_TRY(mo_store_declare(b->system->store, &SPECIES, &b->species, error));
    }
    b->system->rate = b->forces->first_order ? b->system->columns.v : b->system->columns.a;
    MO_TRY(mo_speed_limit_declare(&b->forces->limit, b->system, error));
    return mo_integration_declare(b->system, b->forces->integrator, b->forces->oriented,
                                  &b->forces->integration, error);
}

static double mass_of(const mo_body_def *body, const mo_mesh *mesh, int64_t node, double shares)
{
    if (!isnan(body->density)) {
        return body->density * mesh->shares[node];
    }
    return isnan(body->mass) ? 1 : body->mass * mesh->shares[node] / shares;
}

static void fill_rows(builder *b, const mo_body_def *body, const mo_mesh *mesh, int64_t first,
                      int64_t index)
{
    const mo_particle_columns *c = &b->system->columns;
    double shares = 0;
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        shares += mesh->shares[k];
    }
    double diameter = isnan(body->radius) ? mesh->spacing : 2 * body->radius;
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        int64_t row = first + k;
        double mass = mass_of(body, mesh, k, shares);
        memcpy(mo_f64(c->x) + 3 * row, mesh->nodes + 3 * k, 3 * sizeof(double));
        mo_vec3 flow = mo_flow_velocity(body->flow, mo_vec3_load(mesh->nodes + 3 * k));
        mo_vec3_store(mo_f64(c->v) + 3 * row,
                      body->flow.type ? mo_add(body->velocity, flow) : body->velocity);
        mo_f64(c->mass)[row] = mass;
        mo_f64(c->inverse_mass)[row] = 1 / mass;
        mo_f64(c->radius)[row] = isnan(body->radius) ? 0 : body->radius;
        mo_f64(c->inverse_diameter)[row] = diameter > 0 ? 1 / diameter : 0;
        ((int32_t *)c->body->data)[row] = (int32_t)index;
        if (b->species) {
            const mo_reference *species = &mo_forces_body_of(body)->species;
            ((int32_t *)b->species->data)[row] = species->name ? (int32_t)species->index : 0;
        }
    }
}

/* Rows of one body, oriented or (with inertia 0) not. */
static void fill_orientation(builder *b, const mo_body_def *body, int64_t first, int64_t count)
{
    const mo_forces_body_def *own = mo_forces_body_of(body);
    const double *mass = mo_f64(b->system->columns.mass);
    mo_quat q = own->oriented ? mo_quat_exponential(own->turned) : mo_quat_identity();
    mo_vec3 zero = {0, 0, 0}, w = own->oriented ? body->angular_velocity : zero;
    for (int64_t row = first; row < first + count; ++row) {
        double ball = 0.4 * mass[row] * body->radius * body->radius; /* 2/5 m r^2 */
        mo_vec3 inertia = isnan(own->inertia.x) ? mo_vec3_make(ball, ball, ball) : own->inertia;
        mo_orientation_set(b->system, row, q, w, own->oriented ? inertia : zero);
    }
}

static mote_status add_topology(builder *b, const mo_mesh *mesh, int64_t first, mote_error *error)
{
    mo_system *s = b->system;
    void *edges = s->bodies.edges, *triangles = s->bodies.triangles;
    mote_status status =
        mo_grow(b->memory, &edges, &b->edge_capacity, s->bodies.edge_count + mesh->edge_count,
                2 * sizeof(int32_t), error);
    s->bodies.edges = edges;
    MO_TRY(status);
    status = mo_grow(b->memory, &triangles, &b->triangle_capacity,
                     s->bodies.triangle_count + mesh->triangle_count, 3 * sizeof(int32_t), error);
    s->bodies.triangles = triangles;
    MO_TRY(status);
    MO_TRY(mo_make_room(b->memory, &s->bodies.tetrahedra, &b->tetrahedron_capacity,
                        4 * (s->bodies.tetrahedron_count + mesh->tetrahedron_count),
                        sizeof(int32_t), error));
    for (int64_t k = 0; k < 4 * mesh->tetrahedron_count; ++k) {
        s->bodies.tetrahedra[4 * s->bodies.tetrahedron_count + k] =
            (int32_t)(first + mesh->tetrahedra[k]);
    }
    for (int64_t k = 0; k < 2 * mesh->edge_count; ++k) {
        s->bodies.edges[2 * s->bodies.edge_count + k] = (int32_t)(first + mesh->edges[k]);
    }
    for (int64_t k = 0; k < 3 * mesh->triangle_count; ++k) {
        s->bodies.triangles[3 * s->bodies.triangle_count + k] =
            (int32_t)(first + mesh->triangles[k]);
    }
    s->bodies.surfaces[s->bodies.count - 1] =
        (mo_body_surface){s->bodies.triangle_count, mesh->triangle_count, mesh->dimension == 3,
                          s->bodies.tetrahedron_count, mesh->tetrahedron_count};
    s->bodies.edge_count += mesh->edge_count;
    s->bodies.triangle_count += mesh->triangle_count;
    s->bodies.tetrahedron_count += mesh->tetrahedron_count;
    return MOTE_OK;
}

static mote_status add_skin(builder *b, const mo_body_def *body, const mo_mesh *mesh, int64_t first,
                            mote_error *error)
{
    mo_system *s = b->system;
    void *skins = s->bodies.skins;
    mote_status status = mo_grow(b->memory, &skins, &s->bodies.skin_capacity,
                                 s->bodies.skin_count + 1, sizeof(mo_skin), error);
    s->bodies.skins = skins;
    MO_TRY(status);
    mo_skin *skin = &s->bodies.skins[s->bodies.skin_count];
    MO_TRY(mo_skin_make(&body->skin, mesh, s->bodies.count - 1, first, b->memory, skin, error));
    s->bodies.skin_count += skin->vertex_count > 0;
    return MOTE_OK;
}

static mote_status unknown_set(const mo_mesh *mesh, const char *name, mote_error *error)
{
    char known[400] = "";
    for (int k = 0; k < mesh->set_count; ++k) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "", mesh->sets[k].name);
    }
    return mo_fail(error, MOTE_ERROR_INPUT,
                   ".set: the mesh has no node set '%.100s', its sets are %s", name, known);
}

static bool in_pin(const mo_pin_def *pin, const mo_mesh *mesh, int64_t node)
{
    return pin->region.type && mo_shape_contains(pin->region, mo_vec3_load(mesh->nodes + 3 * node));
}

/* The nodes selected by a pin. */
static mote_status pinned_nodes(const mo_pin_def *pin, const mo_mesh *mesh, int32_t *nodes,
                                int64_t *count, mote_error *error)
{
    const int64_t *listed = pin->nodes.items;
    *count = 0;
    if (pin->set) {
        const mo_node_set *set = mo_mesh_set(mesh, pin->set);
        if (!set) {
            return unknown_set(mesh, pin->set, error);
        }
        memcpy(nodes, set->nodes, (size_t)set->count * sizeof *nodes);
        *count = set->count;
    }
    for (int64_t k = 0; k < pin->nodes.count; ++k) {
        if (listed[k] >= mesh->node_count) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           ".nodes[%lld]: there is no node %lld, the last is %lld", (long long)k,
                           (long long)listed[k], (long long)mesh->node_count - 1);
        }
    }
    for (int64_t k = 0; k < pin->nodes.count; ++k) {
        nodes[(*count)++] = (int32_t)listed[k];
    }
    for (int64_t node = 0; node < mesh->node_count; ++node) {
        if (in_pin(pin, mesh, node)) {
            nodes[(*count)++] = (int32_t)node;
        }
    }
    if (*count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, ".region: it contains no node of the mesh");
    }
    return MOTE_OK;
}

static mote_status add_kinematic(builder *b, mo_method motion, const int32_t *nodes, int64_t count,
                                 int64_t first, mote_error *error)
{
    mo_forces *forces = b->forces;
    void *groups = forces->kinematics, *rows, *start;
    mote_status status = mo_grow(b->memory, &groups, &b->kinematic_capacity,
                                 forces->kinematic_count + 1, sizeof(mo_kinematic), error);
    forces->kinematics = groups;
    MO_TRY(status);
    mo_kinematic *group = &forces->kinematics[forces->kinematic_count++];
    *group = (mo_kinematic){.motion = motion};
    MO_TRY(mo_allocate_array(b->memory, count, sizeof(int32_t), &rows, error));
    group->rows = rows;
    MO_TRY(mo_allocate_array(b->memory, count, 3 * sizeof(double), &start, error));
    group->start = start;
    group->count = count;
    const double *x = mo_f64(b->system->columns.x);
    for (int64_t k = 0; k < count; ++k) {
        group->rows[k] = (int32_t)(first + nodes[k]);
        memcpy(group->start + 3 * k, x + 3 * (int64_t)group->rows[k], 3 * sizeof(double));
    }
    return MOTE_OK;
}

static bool is_kinematic(const mo_forces *forces, int64_t row)
{
    for (int64_t g = 0; g < forces->kinematic_count; ++g) {
        for (int64_t k = 0; k < forces->kinematics[g].count; ++k) {
            if (forces->kinematics[g].rows[k] == row) {
                return true;
            }
        }
    }
    return false;
}

/* A node cannot be both fixed and moved, nor moved by two motions. Fixing twice is allowed. */
static mote_status check_pin_conflict(const builder *b, const mo_pin_def *pin, const int32_t *nodes,
                                      int64_t count, int64_t first, mote_error *error)
{
    for (int64_t k = 0; k < count; ++k) {
        int64_t row = first + nodes[k];
        bool pinned = mo_f64(b->system->columns.inverse_mass)[row] == 0;
        if (pinned && (pin->motion.type || is_kinematic(b->forces, row))) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           ": node %d is already fixed or moved by "
                           "another pin",
                           nodes[k]);
        }
    }
    return MOTE_OK;
}

static mote_status add_pin(builder *b, const mo_pin_def *pin, const mo_mesh *mesh, int64_t first,
                           int32_t *nodes, mote_error *error)
{
    int64_t count;
    MO_TRY(pinned_nodes(pin, mesh, nodes, &count, error));
    MO_TRY(check_pin_conflict(b, pin, nodes, count, first, error));
    for (int64_t k = 0; k < count; ++k) {
        int64_t row = first + nodes[k];
        mo_f64(b->system->columns.inverse_mass)[row] = 0;
        memset(mo_f64(b->system->columns.v) + 3 * row, 0, 3 * sizeof(double));
        if (b->forces->oriented) {
            memset(mo_f64(b->system->columns.q_rate) + 4 * row, 0, 4 * sizeof(double));
            memset(mo_f64(b->system->columns.w) + 3 * row, 0, 3 * sizeof(double));
        }
    }
    return pin->motion.type ? add_kinematic(b, pin->motion, nodes, count, first, error) : MOTE_OK;
}

static mote_status add_pins(builder *b, const mo_body_def *body, const mo_mesh *mesh, int64_t first,
                            mote_error *error)
{
    void *nodes;
    const mo_pin_def *pins = body->pins.items;
    int64_t room = mesh->node_count;
    for (int64_t k = 0; k < body->pins.count; ++k) {
        /* a list may name a node twice */
        room = pins[k].nodes.count > room ? pins[k].nodes.count : room;
    }
    MO_TRY(mo_allocate_array(b->memory, room, sizeof(int32_t), &nodes, error));
    mote_status status = MOTE_OK;
    for (int64_t k = 0; k < body->pins.count && status == MOTE_OK; ++k) {
        status =
            mo_at_path(add_pin(b, &pins[k], mesh, first, nodes, error), error, ".pins[%lld]", k);
    }
    mo_release(b->memory, nodes);
    return status;
}

static mote_status add_load(builder *b, const mo_load_def *def, const mo_mesh *mesh, int64_t first,
                            int32_t *nodes, mote_error *error)
{
    int64_t count;
    mo_load load = {def->force, def->pressure, def->scale};
    MO_TRY(pinned_nodes(&def->where, mesh, nodes, &count, error));
    if (!b->loads) {
        MO_TRY(mo_loads_create(b->memory, &b->loads, error));
    }
    return mo_loads_add(b->loads, &load, mesh, nodes, count, first, error);
}

/* A plane body has only faces normal to its plane's axis. */
static mote_status check_faces(const mo_body_def *body, const mo_mesh *mesh,
                               const mo_load_def *load, mote_error *error)
{
    const mo_model_type *type = (const mo_model_type *)body->model.type;
    bool plane = type && type->is_plane && mesh->tetrahedron_count == 0 &&
                 type->is_plane(body->model.params);
    if (plane && !isnan(load->pressure)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            ".pressure: a plane body has edges but no faces to apply a pressure to; give a force "
            "on the nodes of an edge, or use a membrane (model.triangles)");
    }
    return MOTE_OK;
}

static mote_status add_loads(builder *b, const mo_body_def *body, const mo_mesh *mesh,
                             int64_t first, mote_error *error)
{
    void *nodes;
    const mo_load_def *loads = body->loads.items;
    int64_t room = mesh->node_count;
    for (int64_t k = 0; k < body->loads.count; ++k) {
        room = loads[k].where.nodes.count > room ? loads[k].where.nodes.count : room;
    }
    MO_TRY(mo_allocate_array(b->memory, room, sizeof(int32_t), &nodes, error));
    mote_status status = MOTE_OK;
    for (int64_t k = 0; k < body->loads.count && status == MOTE_OK; ++k) {
        status = check_faces(body, mesh, &loads[k], error);
        status = status == MOTE_OK ? add_load(b, &loads[k], mesh, first, nodes, error) : status;
        status = mo_at_path(status, error, ".loads[%lld]", k);
    }
    mo_release(b->memory, nodes);
    return status;
}

static mo_force_context force_context(const builder *b)
{
    return (mo_force_context){
        b->memory, b->system->store, b->system->host->domain, b->own->species, {0}};
}

static mote_status add_to_model(builder *b, const mo_body_def *body, const mo_mesh *mesh,
                                int64_t first, mote_error *error)
{
    const mo_model_type *type = (const mo_model_type *)body->model.type;
    int place = 0;
    while (mo_models.methods[place] != &type->force.base) {
        ++place;
    }
    if (place >= MO_MODELS_MAX) {
        return mo_fail(error, MOTE_ERROR_USAGE, "a world has at most %d kinds of models",
                       MO_MODELS_MAX);
    }
    if (!b->models[place].type) {
        mo_force_context context = force_context(b);
        MO_TRY(mo_force_create(&type->force, NULL, &context, &b->models[place], error));
    }
    const char *need = type->needs_mass ? type->needs_mass(body->model.params) : NULL;
    if (need && isnan(body->density) && isnan(body->mass)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%s need the body's density or mass", need);
    }
    return type->add_body(b->models[place].instance, body->model.params, mesh, first, error);
}

static mote_status name_body(builder *b, const mo_body_def *body, int64_t index, int64_t first,
                             int64_t count, mote_error *error)
{
    char usual[32];
    snprintf(usual, sizeof usual, "body%lld", (long long)index);
    const char *name = body->name ? body->name : mo_arena_text(b->names, usual);
    if (!name) {
        return mo_fail_memory(error, sizeof usual);
    }
    b->system->bodies.list[b->system->bodies.count++] = (mote_body){name, 0, first, count};
    return MOTE_OK;
}

static mote_status add_mesh(builder *b, const mo_body_def *body, const mo_mesh *mesh, int64_t index,
                            mote_error *error)
{
    int64_t first;
    MO_TRY(mo_store_add(b->system->store, mesh->node_count, &first, error));
    if (first + mesh->node_count > INT32_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT, ".mesh: a system has at most %d particles",
                       INT32_MAX);
    }
    MO_TRY(
        mo_at_path(mo_flow_check(body->flow, mesh->node_count, mesh->nodes, error), error, ".", 0));
    fill_rows(b, body, mesh, first, b->system->bodies.count);
    if (b->forces->oriented) {
        fill_orientation(b, body, first, mesh->node_count);
    }
    MO_TRY(name_body(b, body, index, first, mesh->node_count, error));
    MO_TRY(add_topology(b, mesh, first, error));
    MO_TRY(mo_at_path(add_skin(b, body, mesh, first, error), error, ".skin: ", 0));
    MO_TRY(add_pins(b, body, mesh, first, error));
    MO_TRY(add_loads(b, body, mesh, first, error));
    if (!isnan(mo_forces_body_of(body)->temperature)) {
        mo_thermal_fill(b->system, body, b->own->boltzmann, first, mesh->node_count);
    }
    if (body->model.type) {
        MO_TRY(mo_at_path(add_to_model(b, body, mesh, first, error), error, ".model: ", 0));
    }
    return MOTE_OK;
}

static mote_status add_body(builder *b, const mo_body_def *body, int64_t index, mote_error *error)
{
    mo_mesh mesh;
    mote_status status =
        mo_at_path(mo_mesh_build(body->mesh, b->memory, &mesh, error), error, ".mesh: ", 0);
    if (status == MOTE_OK) {
        status = add_mesh(b, body, &mesh, index, error);
        mo_mesh_release(&mesh);
    }
    return mo_at_path(status, error, "bodies[%lld]", index);
}

static mote_status add_bodies(builder *b, mote_error *error)
{
    const mo_body_def *bodies = b->def->bodies.items;
    void *table;
    MO_TRY(mo_allocate_array(b->memory, b->def->bodies.count, sizeof(mote_body), &table, error));
    b->system->bodies.list = table;
    MO_TRY(
        mo_allocate_array(b->memory, b->def->bodies.count, sizeof(mo_body_surface), &table, error));
    b->system->bodies.surfaces = table;
    b->system->bodies.capacity = b->def->bodies.count;
    for (int64_t k = 0; k < b->def->bodies.count; ++k) {
        if (mo_body_def_system(&bodies[k]) == b->system->type) {
            MO_TRY(add_body(b, &bodies[k], k, error));
        }
    }
    b->system->bodies.scene_count = b->system->bodies.count;
    return MOTE_OK;
}

/* Completes the forces of the models. On success the system owns them, on failure the builder
 * does. */
static mote_status finish_models(builder *b, mote_error *error)
{
    for (int k = 0; k < mo_models.count; ++k) {
        if (b->models[k].type) {
            const mo_model_type *type = (const mo_model_type *)mo_models.methods[k];
            if (type->attach) {
                MO_TRY(type->attach(b->models[k].instance, b->system->store, error));
            }
            MO_TRY(type->finish(&b->models[k], mo_store_owned(b->system->store), error));
            b->forces->forces[b->forces->force_count++] = b->models[k];
            b->models[k] = (mo_force){0};
        }
    }
    return MOTE_OK;
}

/* As for a model: on success the force owns the loads. */
static mote_status finish_loads(builder *b, mote_error *error)
{
    if (b->loads) {
        mo_force *force = &b->forces->forces[b->forces->force_count];
        MO_TRY(mo_loads_finish(b->loads, mo_store_owned(b->system->store), force, error));
        b->loads = NULL;
        b->forces->force_count++;
    }
    return MOTE_OK;
}

/* The surface triangles of all bodies, in the order of the body table; `closed` must be
 * released. */
static mote_status collect_faces(const builder *b, mo_force_faces *faces, uint8_t **closed,
                                 mote_error *error)
{
    const mo_body_table *bodies = &b->system->bodies;
    void *block;
    MO_TRY(mo_allocate_array(b->memory, bodies->triangle_count, 1, &block, error));
    *closed = block;
    for (int64_t k = 0; k < bodies->count; ++k) {
        const mo_body_surface *surface = &bodies->surfaces[k];
        memset(*closed + surface->first, surface->solid, (size_t)surface->count);
    }
    *faces = (mo_force_faces){bodies->triangle_count, bodies->triangles, *closed};
    return MOTE_OK;
}

static mote_status create_fields(builder *b, const mo_force_context *context, double *range,
                                 mote_error *error)
{
    mo_method field;
    char path[32];
    for (int64_t k = 0; mo_world_def_force(b->def, k, &field, path); ++k) {
        if (b->forces->force_count == MO_FORCES_MAX) {
            return mo_fail(error, MOTE_ERROR_INPUT, "%s: a world has at most %d forces", path,
                           MO_FORCES_MAX);
        }
        mo_force *force = &b->forces->forces[b->forces->force_count];
        const mo_force_type *type = (const mo_force_type *)field.type;
        mote_status status = mo_force_create(type, field.params, context, force, error);
        MO_TRY(mo_at_path(mo_at_path(status, error, ": ", 0), error, path, 0));
        b->forces->force_count++;
        *range = fmax(*range, force->range);
    }
    return MOTE_OK;
}

static mote_status add_fields(builder *b, mote_error *error)
{
    mo_force_context context = force_context(b);
    double range = 0;
    uint8_t *closed;
    MO_TRY(collect_faces(b, &context.faces, &closed, error));
    mote_status status = create_fields(b, &context, &range, error);
    mo_release(b->memory, closed);
    MO_TRY(status);
    return mo_at_path(mo_pair_source_init(&b->forces->source, b->own->neighbors,
                                          &b->system->host->domain, range, b->system->store,
                                          b->memory, error),
                      error, "neighbors: ", 0);
}

static mote_status build(builder *b, mote_error *error)
{
    MO_TRY(mo_store_create(b->memory, &b->system->store, error));
    MO_TRY(declare_columns(b, error));
    mo_store_share_ids(b->system->store, &b->system->host->next_id);
    MO_TRY(add_bodies(b, error));
    MO_TRY(finish_models(b, error));
    MO_TRY(finish_loads(b, error));
    MO_TRY(add_fields(b, error));
    b->system->built = mo_store_owned(b->system->store);
    MO_TRY(mo_mass_open(b->forces, error));
    mo_forces_judge_jacobians(b->forces);
    MO_TRY(mo_forces_open_newton(b->forces, error));
    mo_forces_set_kinematic(b->forces, 0, mo_f64(b->system->columns.x),
                            mo_f64(b->system->columns.v));
    return b->system->type->edit->added(b->system, 0, error);
}

mote_status mo_forces_create(const mo_world_def *def, mo_system *system, mote_error *error)
{
    mo_host *host = system->host;
    const mo_forces_def *own = mo_forces_def_of(def);
    const mo_body_def *bodies = def->bodies.items;
    mo_forces *forces = mo_allocate(host->memory, sizeof *forces);
    if (!forces) {
        return mo_fail_memory(error, sizeof *forces);
    }
    system->state = forces;
    system->first_id = host->next_id;
    system->contact_offset = 1;
    forces->system = system;
    forces->integrator = (const mo_integrator_type *)own->integrator.type;
    forces->integrator_params = own->integrator.params;
    forces->boltzmann = own->boltzmann;
    forces->species = own->species;
    forces->stage_forces = mo_stage_add(host->stages, "forces");
    forces->stage_advance = mo_stage_add(host->stages, "advance");
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        bool mine = mo_body_def_system(&bodies[k]) == system->type;
        forces->oriented = forces->oriented || (mine && mo_forces_body_of(&bodies[k])->oriented);
    }
    forces->limit = (mo_speed_limit){own->speed_limit, own->speed_change_limit, NULL};
    forces->first_order = own->dynamics[0] == 'f';
    forces->dynamics.segment_count = forces->oriented ? 2 : 1;
    builder b = {.def = def,
                 .own = own,
                 .memory = host->memory,
                 .names = host->arena,
                 .system = system,
                 .forces = forces};
    mote_status status = build(&b, error);
    for (int k = 0; k < MO_MODELS_MAX; ++k) {
        mo_force_destroy(&b.models[k], host->memory);
    }
    if (b.loads) {
        mo_loads_destroy(b.loads, host->memory);
    }
    if (status != MOTE_OK) {
        mo_forces_release(system);
        return status;
    }
    mo_forces_warn_explicit(system);
    return MOTE_OK;
}
