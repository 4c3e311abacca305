/* Builds the forces system: rows from bodies, fixed rows from pins, forces from models and
 * fields. */
#include "system/forces/axes.h"
#include "system/forces/def.h"
#include "system/forces/forces.h"
#include "system/forces/health.h"
#include "system/forces/pair_columns.h"
#include "system/forces/state.h"
#include "system/forces/thermal.h"
#include "system/forces/thermostats.h"
#include "system/forces/unused_keys.h"

#include "host/mesh_bodies.h"
#include "host/orientation.h"
#include "particle/force/field.h"
#include "solid/model/model.h"

#include <stdio.h>
#include <string.h>

/* Temporary data of the build. */
typedef struct builder {
    const mo_world_def *def;
    const mo_forces_def *own;
    mo_memory *memory;
    mo_system *system;
    mo_forces *forces;
    mo_force models[MO_MODELS_MAX]; /* by index in the family, created on first use */
    mo_mesh_bodies bodies;
    mo_column *species; /* NULL: there are none */
    mo_column *charge;  /* NULL: no particle has one */
    double range;       /* of the forces between particles */
} builder;

/* The last body may grow. */
static mote_status open_growth(builder *b, mote_error *error)
{
    const mo_body_def *bodies = b->def->bodies.items;
    for (int64_t k = 0; k < b->def->bodies.count; ++k) {
        if (mo_body_def_system(&bodies[k]) == b->system->type) {
            const mo_growth_def *growth = &mo_forces_body_of(&bodies[k])->growth;
            if (!isnan(growth->spacing)) {
                return mo_growth_create(growth, b->system, &b->forces->growth, error);
            }
        }
    }
    return MOTE_OK;
}

/* The charge of a body's particles [C]. */
static double charge_of(const builder *b, const mo_body_def *body)
{
    const mo_forces_body_def *own = mo_forces_body_of(body);
    const mo_species_def *species = b->own->species.items;
    double of_species =
        b->own->species.count > 0 ? species[own->species.name ? own->species.index : 0].charge : 0;
    return isnan(own->charge) ? of_species : own->charge;
}

/* Oriented particles without a model move apart: the triangles of their mesh only give the axes. */
static bool is_loose(const mo_body_def *body)
{
    return mo_forces_body_of(body)->oriented && !body->model.type;
}

/* Planar models have no stiffness along z. */
static bool is_plane(const mo_body_def *body)
{
    const mo_model_type *type = (const mo_model_type *)body->model.type;
    return type && type->is_plane && type->is_plane(body->model.params);
}

static bool is_charged(const builder *b)
{
    const mo_body_def *bodies = b->def->bodies.items;
    bool charged = false;
    for (int64_t k = 0; k < b->def->bodies.count && !charged; ++k) {
        charged =
            mo_body_def_system(&bodies[k]) == b->system->type && charge_of(b, &bodies[k]) != 0;
    }
    return charged;
}

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
    if (is_charged(b)) {
        static const mo_column_spec CHARGE = {"charge", MOTE_F64, 1,
                                              MO_STATE, "C",      "electric charge"};
        MO_TRY(mo_store_declare(b->system->store, &CHARGE, &b->charge, error));
    }
    b->system->rate = b->forces->first_order ? b->system->columns.v : b->system->columns.a;
    MO_TRY(mo_speed_limit_declare(&b->forces->limit, b->system, error));
    return mo_integration_declare(b->system, b->forces->integrator, b->forces->oriented,
                                  &b->forces->integration, error);
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
    int index = 0;
    while (mo_models.methods[index] != &type->force.base) {
        ++index;
    }
    if (index >= MO_MODELS_MAX) {
        return mo_fail(error, MOTE_ERROR_USAGE, "a world has at most %d kinds of models",
                       MO_MODELS_MAX);
    }
    if (!b->models[index].type) {
        mo_force_context context = force_context(b);
        MO_TRY(mo_force_create(&type->force, NULL, &context, &b->models[index], error));
    }
    const char *need = type->needs_mass ? type->needs_mass(body->model.params) : NULL;
    if (need && isnan(body->density) && isnan(body->mass)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%s need the body's density or mass", need);
    }
    return type->add_body(b->models[index].instance, body->model.params, mesh, first, error);
}

/* Rows of a body: orientations, species and charges. */
static mote_status fill_body(void *context, const mo_body_def *body, const mo_mesh *mesh,
                             int64_t first, mote_error *error)
{
    builder *b = context;
    const mo_reference *species = &mo_forces_body_of(body)->species;
    for (int64_t row = first; b->species && row < first + mesh->node_count; ++row) {
        ((int32_t *)b->species->data)[row] = species->name ? (int32_t)species->index : 0;
    }
    for (int64_t row = first; b->charge && row < first + mesh->node_count; ++row) {
        mo_f64(b->charge)[row] = charge_of(b, body);
    }
    return b->forces->oriented ? mo_axes_fill(b->system, body, mesh, first, error) : MOTE_OK;
}

static mote_status complete_body(void *context, const mo_body_def *body, const mo_mesh *mesh,
                                 int64_t first, mote_error *error)
{
    builder *b = context;
    if (!isnan(mo_forces_body_of(body)->temperature)) {
        mo_thermal_fill(b->system, body, b->own->boltzmann, first, mesh->node_count);
    }
    return body->model.type
               ? mo_at_path(add_to_model(b, body, mesh, first, error), error, ".model: ", 0)
               : MOTE_OK;
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
            MO_TRY(mo_forces_add(b->forces, &b->models[k], error));
            b->models[k] = (mo_force){0};
        }
    }
    return MOTE_OK;
}

static mote_status finish_loads(builder *b, mote_error *error)
{
    mo_force force = {0};
    MO_TRY(mo_mesh_bodies_finish_loads(&b->bodies, &force, error));
    mote_status status = force.type ? mo_forces_add(b->forces, &force, error) : MOTE_OK;
    if (status != MOTE_OK) {
        mo_force_destroy(&force, b->memory);
    }
    return status;
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

static mote_status add_field(void *context, mo_force *force, const char *path, mote_error *error)
{
    builder *b = context;
    (void)path;
    MO_TRY(mo_forces_add(b->forces, force, error));
    b->range = fmax(b->range, force->range);
    return MOTE_OK;
}

/* A neighbour search that no force asks. */
static void warn_about_unused_search(const builder *b)
{
    const char *chosen = b->own->neighbors.type->name;
    const mo_param *p = mo_section_find(&mo_forces_section, "neighbors");
    if (b->range <= 0 && !strstr(p->initial, chosen)) {
        mo_host_warn(b->system->host, 0, "unused neighbour search",
                     "neighbors: '%s' has no effect, since no force of the scene acts between "
                     "neighbouring particles; remove it",
                     chosen);
    }
}

static mote_status add_fields(builder *b, mote_error *error)
{
    mo_force_context context = force_context(b);
    mo_force_receiver receiver = {.system = b->system, .context = b, .add = add_field};
    uint8_t *closed;
    MO_TRY(collect_faces(b, &context.faces, &closed, error));
    mote_status status = mo_scene_forces_create(b->def, &context, &receiver, error);
    mo_release(b->memory, closed);
    MO_TRY(status);
    warn_about_unused_search(b);
    mo_forces_warn_about_unused(b->def, b->system->host);
    MO_TRY(mo_pair_columns_declare(b->forces, error));
    return mo_at_path(mo_pair_source_init(&b->forces->source, b->own->neighbors,
                                          &b->system->host->domain, b->range, b->system->store,
                                          b->memory, error),
                      error, "neighbors: ", 0);
}

static mote_status build(builder *b, mote_error *error)
{
    MO_TRY(mo_store_create(b->memory, &b->system->store, error));
    MO_TRY(declare_columns(b, error));
    mo_store_share_ids(b->system->store, &b->system->host->next_id);
    MO_TRY(mo_mesh_bodies_add(&b->bodies, b->def, error));
    MO_TRY(open_growth(b, error));
    MO_TRY(finish_models(b, error));
    MO_TRY(finish_loads(b, error));
    MO_TRY(add_fields(b, error));
    b->system->built = mo_store_owned(b->system->store);
    MO_TRY(mo_thermostats_create(b->def, &b->own->thermostats, b->system, &b->forces->thermostats,
                                 error));
    MO_TRY(mo_mass_open(b->forces, error));
    mo_forces_judge_jacobians(b->forces);
    MO_TRY(mo_forces_open_newton(b->forces, error));
    mo_kinematics_set(&b->forces->kinematics, 0, mo_f64(b->system->columns.x),
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
    builder b = {
        .def = def, .own = own, .memory = host->memory, .system = system, .forces = forces};
    b.bodies = (mo_mesh_bodies){.system = system,
                                .kinematics = &forces->kinematics,
                                .context = &b,
                                .filled = fill_body,
                                .added = complete_body,
                                .loose = is_loose,
                                .is_plane = is_plane};
    mote_status status = build(&b, error);
    for (int k = 0; k < MO_MODELS_MAX; ++k) {
        mo_force_destroy(&b.models[k], host->memory);
    }
    mo_mesh_bodies_release(&b.bodies);
    if (status != MOTE_OK) {
        mo_forces_release(system);
        return status;
    }
    mo_forces_warn_explicit(system);
    return MOTE_OK;
}
