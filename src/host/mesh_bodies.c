#include "host/mesh_bodies.h"

#include "geometry/flow/flow.h"
#include "geometry/generate/generate.h"
#include "geometry/mesh/select.h"

#include <stdio.h>
#include <string.h>

static double mass_of(const mo_body_def *body, const mo_mesh *mesh, int64_t node, double shares)
{
    if (!isnan(body->density)) {
        return body->density * mesh->shares[node];
    }
    return isnan(body->mass) ? 1 : body->mass * mesh->shares[node] / shares;
}

static void fill_rows(mo_mesh_bodies *b, const mo_body_def *body, const mo_mesh *mesh,
                      int64_t first, int64_t index)
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
    }
}

static mote_status add_topology(mo_mesh_bodies *b, const mo_mesh *mesh, int64_t first,
                                mote_error *error)
{
    mo_system *s = b->system;
    void *edges = s->bodies.edges, *triangles = s->bodies.triangles;
    mote_status status =
        mo_grow(b->system->host->memory, &edges, &b->edge_capacity,
                s->bodies.edge_count + mesh->edge_count, 2 * sizeof(int32_t), error);
    s->bodies.edges = edges;
    MO_TRY(status);
    status = mo_grow(b->system->host->memory, &triangles, &b->triangle_capacity,
                     s->bodies.triangle_count + mesh->triangle_count, 3 * sizeof(int32_t), error);
    s->bodies.triangles = triangles;
    MO_TRY(status);
    MO_TRY(mo_reserve(b->system->host->memory, &s->bodies.tetrahedra, &b->tetrahedron_capacity,
                      4 * (s->bodies.tetrahedron_count + mesh->tetrahedron_count), sizeof(int32_t),
                      error));
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

static mote_status add_skin(mo_mesh_bodies *b, const mo_body_def *body, const mo_mesh *mesh,
                            int64_t first, mote_error *error)
{
    mo_system *s = b->system;
    void *skins = s->bodies.skins;
    mote_status status = mo_grow(b->system->host->memory, &skins, &s->bodies.skin_capacity,
                                 s->bodies.skin_count + 1, sizeof(mo_skin), error);
    s->bodies.skins = skins;
    MO_TRY(status);
    mo_skin *skin = &s->bodies.skins[s->bodies.skin_count];
    MO_TRY(mo_skin_make(&body->skin, mesh, s->bodies.count - 1, first, b->system->host->memory,
                        skin, error));
    s->bodies.skin_count += skin->vertex_count > 0;
    return MOTE_OK;
}

/* The nodes selected by a pin. */
static mote_status pinned_nodes(const mo_pin_def *pin, const mo_mesh *mesh, int32_t *nodes,
                                int64_t *count, mote_error *error)
{
    mo_node_selection selection = {pin->set, pin->region, &pin->nodes, ""};
    return mo_mesh_select(mesh, &selection, nodes, count, error);
}

/* A node cannot be both fixed and moved, nor moved by two motions. Fixing twice is allowed. */
static mote_status check_pin_conflict(const mo_mesh_bodies *b, const mo_pin_def *pin,
                                      const int32_t *nodes, int64_t count, int64_t first,
                                      mote_error *error)
{
    for (int64_t k = 0; k < count; ++k) {
        int64_t row = first + nodes[k];
        bool pinned = mo_f64(b->system->columns.inverse_mass)[row] == 0;
        if (pinned && (pin->motion.type || mo_kinematics_contain(b->kinematics, row))) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           ": node %d is already fixed or moved by "
                           "another pin",
                           nodes[k]);
        }
    }
    return MOTE_OK;
}

static mote_status add_pin(mo_mesh_bodies *b, const mo_pin_def *pin, const mo_mesh *mesh,
                           int64_t first, int32_t *nodes, mote_error *error)
{
    int64_t count;
    MO_TRY(pinned_nodes(pin, mesh, nodes, &count, error));
    MO_TRY(check_pin_conflict(b, pin, nodes, count, first, error));
    for (int64_t k = 0; k < count; ++k) {
        int64_t row = first + nodes[k];
        mo_f64(b->system->columns.inverse_mass)[row] = 0;
        memset(mo_f64(b->system->columns.v) + 3 * row, 0, 3 * sizeof(double));
        if (b->system->columns.q_rate) {
            memset(mo_f64(b->system->columns.q_rate) + 4 * row, 0, 4 * sizeof(double));
            memset(mo_f64(b->system->columns.w) + 3 * row, 0, 3 * sizeof(double));
        }
    }
    return pin->motion.type
               ? mo_kinematics_add(b->kinematics, b->system->host->memory, pin->motion, nodes,
                                   count, first, mo_f64(b->system->columns.x), error)
               : MOTE_OK;
}

static mote_status add_pins(mo_mesh_bodies *b, const mo_body_def *body, const mo_mesh *mesh,
                            int64_t first, mote_error *error)
{
    void *nodes;
    const mo_pin_def *pins = body->pins.items;
    int64_t most = mesh->node_count;
    for (int64_t k = 0; k < body->pins.count; ++k) {
        /* a list may name a node twice */
        most = pins[k].nodes.count > most ? pins[k].nodes.count : most;
    }
    MO_TRY(mo_allocate_array(b->system->host->memory, most, sizeof(int32_t), &nodes, error));
    mote_status status = MOTE_OK;
    for (int64_t k = 0; k < body->pins.count && status == MOTE_OK; ++k) {
        status =
            mo_at_path(add_pin(b, &pins[k], mesh, first, nodes, error), error, ".pins[%lld]", k);
    }
    mo_release(b->system->host->memory, nodes);
    return status;
}

static mote_status add_load(mo_mesh_bodies *b, const mo_load_def *def, const mo_mesh *mesh,
                            int64_t first, int32_t *nodes, mote_error *error)
{
    int64_t count;
    mo_load load = {def->force, def->pressure, def->scale};
    MO_TRY(pinned_nodes(&def->where, mesh, nodes, &count, error));
    if (!b->loads) {
        MO_TRY(mo_loads_create(b->system->host->memory, &b->loads, error));
    }
    return mo_loads_add(b->loads, &load, mesh, nodes, count, first, error);
}

/* A plane body has only faces normal to its plane's axis. */
static mote_status check_faces(const mo_mesh_bodies *b, const mo_body_def *body,
                               const mo_mesh *mesh, const mo_load_def *load, mote_error *error)
{
    bool plane = mesh->tetrahedron_count == 0 && b->is_plane && b->is_plane(body);
    if (plane && !isnan(load->pressure)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            ".pressure: a plane body has edges but no faces to apply a pressure to; give a force "
            "on the nodes of an edge, or use a membrane (model.triangles)");
    }
    return MOTE_OK;
}

static mote_status add_loads(mo_mesh_bodies *b, const mo_body_def *body, const mo_mesh *mesh,
                             int64_t first, mote_error *error)
{
    void *nodes;
    const mo_load_def *loads = body->loads.items;
    int64_t most = mesh->node_count;
    for (int64_t k = 0; k < body->loads.count; ++k) {
        most = loads[k].where.nodes.count > most ? loads[k].where.nodes.count : most;
    }
    MO_TRY(mo_allocate_array(b->system->host->memory, most, sizeof(int32_t), &nodes, error));
    mote_status status = MOTE_OK;
    for (int64_t k = 0; k < body->loads.count && status == MOTE_OK; ++k) {
        status = check_faces(b, body, mesh, &loads[k], error);
        status = status == MOTE_OK ? add_load(b, &loads[k], mesh, first, nodes, error) : status;
        status = mo_at_path(status, error, ".loads[%lld]", k);
    }
    mo_release(b->system->host->memory, nodes);
    return status;
}

static mote_status name_body(mo_mesh_bodies *b, const mo_body_def *body, int64_t index,
                             int64_t first, int64_t count, mote_error *error)
{
    char default_name[32];
    snprintf(default_name, sizeof default_name, "body%lld", (long long)index);
    const char *name =
        body->name ? body->name : mo_arena_text(b->system->host->arena, default_name);
    if (!name) {
        return mo_fail_memory(error, sizeof default_name);
    }
    b->system->bodies.list[b->system->bodies.count++] = (mote_body){name, 0, first, count};
    return MOTE_OK;
}

static mote_status add_mesh(mo_mesh_bodies *b, const mo_body_def *body, const mo_mesh *mesh,
                            int64_t index, mote_error *error)
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
    if (b->filled) {
        MO_TRY(b->filled(b->context, body, mesh, first, error));
    }
    MO_TRY(name_body(b, body, index, first, mesh->node_count, error));
    if (!b->loose || !b->loose(body)) {
        MO_TRY(add_topology(b, mesh, first, error));
    }
    MO_TRY(mo_at_path(add_skin(b, body, mesh, first, error), error, ".skin: ", 0));
    MO_TRY(add_pins(b, body, mesh, first, error));
    MO_TRY(add_loads(b, body, mesh, first, error));
    return b->added ? b->added(b->context, body, mesh, first, error) : MOTE_OK;
}

static mote_status add_body(mo_mesh_bodies *b, const mo_body_def *body, int64_t index,
                            mote_error *error)
{
    mo_mesh mesh;
    mote_status status = mo_at_path(
        mo_mesh_generate(body->mesh, b->system->host->memory, &mesh, error), error, ".mesh: ", 0);
    if (status == MOTE_OK) {
        status = add_mesh(b, body, &mesh, index, error);
        mo_mesh_release(&mesh);
    }
    return mo_at_path(status, error, "bodies[%lld]", index);
}

mote_status mo_mesh_bodies_add(mo_mesh_bodies *b, const mo_world_def *def, mote_error *error)
{
    const mo_body_def *bodies = def->bodies.items;
    mo_body_table *table = &b->system->bodies;
    mo_memory *memory = b->system->host->memory;
    void *block;
    MO_TRY(mo_allocate_array(memory, def->bodies.count, sizeof(mote_body), &block, error));
    table->list = block;
    MO_TRY(mo_allocate_array(memory, def->bodies.count, sizeof(mo_body_surface), &block, error));
    table->surfaces = block;
    table->capacity = def->bodies.count;
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        if (mo_body_def_system(&bodies[k]) == b->system->type) {
            MO_TRY(add_body(b, &bodies[k], k, error));
        }
    }
    table->scene_count = table->count;
    return MOTE_OK;
}

mote_status mo_mesh_bodies_finish_loads(mo_mesh_bodies *b, mo_force *force, mote_error *error)
{
    if (b->loads) {
        MO_TRY(mo_loads_finish(b->loads, mo_store_owned(b->system->store), force, error));
        b->loads = NULL;
    }
    return MOTE_OK;
}

void mo_mesh_bodies_release(mo_mesh_bodies *b)
{
    if (b->loads) {
        mo_loads_destroy(b->loads, b->system->host->memory);
    }
}
