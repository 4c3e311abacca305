/* Builds the rigid system: prototypes from shapes, meshes and particles, a row for each copy. */
#include "geometry/generate/generate.h"
#include "geometry/shape/shape.h"
#include "geometry/trimesh/check.h"
#include "host/orientation.h"
#include "particle/force/field.h"
#include "system/rigid/state.h"

#include <stdio.h>
#include <string.h>

typedef struct builder {
    const mo_world_def *def;
    mo_memory *memory;
    mo_arena *arena;
    mo_system *system;
    mo_rigid *rigid;
} builder;

/* ---- mass ---- */

static int64_t shapes_of(const mo_rigid_body_def *own, const mo_method **list)
{
    *list = own->shape.type ? &own->shape : own->shapes.items;
    return own->shape.type ? 1 : own->shapes.count;
}

static mote_status measure_shapes(const mo_rigid_body_def *own, mo_volume_moments *moments,
                                  mo_memory *memory, mote_error *error)
{
    const mo_method *shapes;
    int64_t count = shapes_of(own, &shapes);
    void *block;
    MO_TRY(mo_allocate_array(memory, count, sizeof *moments, &block, error));
    mo_volume_moments *parts = block;
    mote_status status = MOTE_OK;
    for (int64_t k = 0; k < count && status == MOTE_OK; ++k) {
        if (!mo_shape_moments(shapes[k], &parts[k])) {
            status = mo_fail(
                error, MOTE_ERROR_INPUT,
                ".%s: the mass of a '%s' is not known; use sphere, box, capsule, cylinder, cone, "
                "ellipsoid, torus, a closed mesh, a transform of these, or several of them in "
                "\"shapes\"",
                own->shape.type ? "shape" : "shapes", shapes[k].type->name);
        }
    }
    *moments = mo_moments_sum(count, parts);
    mo_release(memory, block);
    return status;
}

/* The surface of a mesh with triangles, which must enclose a volume. */
static mote_status measure_surface(const mo_mesh *mesh, mo_volume_moments *moments,
                                   mote_error *error)
{
    mo_trimesh surface = {.memory = mesh->memory,
                          .vertices = mesh->node_count,
                          .triangles = mesh->triangle_count,
                          .x = mesh->nodes,
                          .corner = mesh->triangles};
    MO_TRY(mo_at_path(
        mo_trimesh_check(&surface, "mesh", MO_TRIMESH_HARMLESS | MO_TRIMESH_INSIDE_OUT, error),
        error, ".", 0));
    *moments = mo_moments_of_mesh(&surface);
    if (!(moments->volume > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       ".mesh: the triangle normals point inwards: the enclosed volume is %g m^3; "
                       "reverse the triangles",
                       moments->volume);
    }
    return MOTE_OK;
}

/* Particles of a rigid body; with a radius each is a ball. */
static mote_status measure_particles(const mo_body_def *body, const mo_mesh *mesh,
                                     mo_mass_properties *mass, mote_error *error)
{
    double shares = 0;
    void *block;
    MO_TRY(mo_allocate_array(mesh->memory, mesh->node_count, sizeof(double), &block, error));
    double *masses = block;
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        shares += mesh->shares[k];
    }
    double total = !isnan(body->density) ? body->density * shares
                   : !isnan(body->mass)  ? body->mass
                                         : (double)mesh->node_count;
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        masses[k] = total * mesh->shares[k] / shares;
    }
    *mass = mo_mass_of_particles(mesh->node_count, mesh->nodes, masses);
    double balls = isnan(body->radius) ? 0 : 0.4 * mass->mass * body->radius * body->radius;
    for (int k = 0; k < 3; ++k) {
        mass->inertia.m[4 * k] += balls;
    }
    mo_release(mesh->memory, block);
    return MOTE_OK;
}

static mote_status measure_mesh(const mo_body_def *body, const mo_mesh *mesh,
                                mo_mass_properties *mass, mote_error *error)
{
    mo_volume_moments moments;
    if (mesh->triangle_count == 0) {
        return measure_particles(body, mesh, mass, error);
    }
    MO_TRY(measure_surface(mesh, &moments, error));
    *mass = mo_mass_of_solid(&moments, isnan(body->density) ? 1000 : body->density);
    return MOTE_OK;
}

/* Mass from density (by default that of water) or as given; principal axes. In two dimensions z is
 * one of them. */
static mote_status finish_mass(const builder *b, const mo_body_def *body,
                               mo_rigid_prototype *prototype, mote_error *error)
{
    mo_mass_properties *m = &prototype->mass;
    bool given = !isnan(body->mass);
    if (!(m->mass > 0 && isfinite(m->mass))) {
        return mo_fail(error, MOTE_ERROR_INPUT, ": its mass is %g kg; a rigid body needs a mass",
                       m->mass);
    }
    *m = given ? mo_mass_scaled(m, body->mass) : *m;
    if (b->rigid->settings.dimension == 2) {
        m->inertia.m[2] = m->inertia.m[5] = m->inertia.m[6] = m->inertia.m[7] = 0;
        prototype->axes.moments = mo_vec3_make(m->inertia.m[0], m->inertia.m[4], m->inertia.m[8]);
        prototype->axes.turn = mo_quat_identity();
    } else {
        prototype->axes = mo_principal_axes_of(m->inertia);
    }
    mo_vec3 i = prototype->axes.moments;
    double most = fmax(i.x, fmax(i.y, i.z)), least = fmin(i.x, fmin(i.y, i.z));
    if (!(least > 1e-12 * most && isfinite(most))) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       ": a moment of inertia is %g kg m^2: its particles lie on a line; give them "
                       "a radius",
                       least);
    }
    return MOTE_OK;
}

/* ---- prototypes ---- */

static mote_status add_shapes(const builder *b, mo_rigid_prototype *p, mote_error *error)
{
    const mo_method *shapes;
    int64_t count = shapes_of(p->def, &shapes);
    mo_mat3 axes = mo_quat_matrix(p->axes.turn);
    for (int64_t k = 0; k < count; ++k) {
        mote_status status =
            mo_collision_shape_add(&p->shape, shapes[k], p->mass.center, axes, b->arena, error);
        MO_TRY(mo_at_path(status, error, p->def->shape.type ? ".shape: " : ".shapes[%lld]: ", k));
    }
    return MOTE_OK;
}

/* Its closed surface, or a ball at each particle that has a radius. */
static mote_status add_mesh(const builder *b, const mo_body_def *body, const mo_mesh *mesh,
                            mo_rigid_prototype *p, mote_error *error)
{
    mo_mat3 axes = mo_quat_matrix(p->axes.turn);
    if (mesh->triangle_count > 0) {
        mo_trimesh surface = {.memory = mesh->memory,
                              .vertices = mesh->node_count,
                              .triangles = mesh->triangle_count,
                              .x = mesh->nodes,
                              .corner = mesh->triangles};
        return mo_at_path(mo_collision_shape_add_mesh(&p->shape, &surface, "mesh", p->mass.center,
                                                      axes, b->arena, error),
                          error, ".mesh: ", 0);
    }
    for (int64_t k = 0; k < mesh->node_count && body->radius > 0; ++k) {
        mo_vec3 r = mo_sub(mo_vec3_load(mesh->nodes + 3 * k), p->mass.center);
        mo_primitive ball = {.kind = MO_PRIMITIVE_SPHERE,
                             .center = mo_mat3_apply_transposed(axes, r),
                             .axes = mo_mat3_identity(),
                             .radius = {body->radius, body->radius}};
        mo_convex part = mo_convex_of_primitive(&ball);
        MO_TRY(mo_collision_shape_add_part(&p->shape, &part, b->arena, error));
    }
    return MOTE_OK;
}

static mote_status make_from_mesh(builder *b, const mo_body_def *body, mo_rigid_prototype *p,
                                  mote_error *error)
{
    mo_mesh mesh;
    MO_TRY(mo_at_path(mo_mesh_generate(body->mesh, b->memory, &mesh, error), error, ".mesh: ", 0));
    mote_status status = measure_mesh(body, &mesh, &p->mass, error);
    status = status == MOTE_OK ? finish_mass(b, body, p, error) : status;
    if (status == MOTE_OK && p->def->collides) {
        status = add_mesh(b, body, &mesh, p, error);
    }
    mo_mesh_release(&mesh);
    return status;
}

static mote_status make_from_shapes(builder *b, const mo_body_def *body, mo_rigid_prototype *p,
                                    mote_error *error)
{
    mo_volume_moments moments;
    MO_TRY(measure_shapes(p->def, &moments, b->memory, error));
    p->mass = mo_mass_of_solid(&moments, isnan(body->density) ? 1000 : body->density);
    MO_TRY(finish_mass(b, body, p, error));
    return p->def->collides ? add_shapes(b, p, error) : MOTE_OK;
}

static mote_status make_prototype(builder *b, const mo_body_def *body, mo_rigid_prototype *p,
                                  mote_error *error)
{
    const mo_rigid_body_def *own = mo_rigid_system_body_of(body);
    *p = (mo_rigid_prototype){.def = own,
                              .material = {own->friction, own->restitution, own->rolling_friction},
                              .motion = own->motion,
                              .fixed = own->fixed || own->motion.type != NULL};
    MO_TRY(body->mesh.type ? make_from_mesh(b, body, p, error)
                           : make_from_shapes(b, body, p, error));
    p->size = p->shape.inner > 0 ? p->shape.inner : 0.1 * p->shape.reach;
    return MOTE_OK;
}

/* ---- rows ---- */

/* Copies along nested directions; the length of a direction decreases with the index of the
 * next. Returns their number; `offset` may be NULL. */
static int64_t list_copies(const mo_list *copies, int64_t level, int64_t fewer, mo_vec3 from,
                           double *offset, int64_t at)
{
    const mo_copies_def *list = copies->items;
    if (level < 0) {
        if (offset) {
            mo_vec3_store(offset + 3 * at, from);
        }
        return at + 1;
    }
    for (int64_t k = 0; k < list[level].count - fewer; ++k) {
        at = list_copies(copies, level - 1, list[level].fewer * k,
                         mo_add_scaled(from, (double)k, list[level].step), offset, at);
    }
    return at;
}

static void fill_row(const builder *b, const mo_body_def *body, const mo_rigid_prototype *p,
                     int64_t row, mo_vec3 offset)
{
    mo_system *s = b->system;
    const mo_particle_columns *c = &s->columns;
    mo_quat q = p->axes.turn;
    mo_vec3 x = mo_add(p->mass.center, offset), v = body->velocity, w = body->angular_velocity;
    if (b->rigid->settings.dimension == 2) {
        v.z = w.x = w.y = 0;
    }
    mo_vec3_store(mo_f64(c->x) + 3 * row, x);
    mo_vec3_store(mo_f64(b->rigid->start) + 3 * row, x);
    mo_vec3_store(mo_f64(c->v) + 3 * row, v);
    mo_f64(c->mass)[row] = p->mass.mass;
    mo_f64(c->inverse_mass)[row] = p->fixed ? 0 : 1 / p->mass.mass;
    mo_f64(c->radius)[row] = p->shape.reach;
    ((int32_t *)c->body->data)[row] = (int32_t)(p - b->rigid->prototypes);
    mo_orientation_set(s, row, q, mo_mat3_apply_transposed(mo_quat_matrix(q), w), p->axes.moments);
}

static mote_status name_body(builder *b, const mo_body_def *body, int64_t index, int64_t first,
                             int64_t count, mote_error *error)
{
    char default_name[32];
    snprintf(default_name, sizeof default_name, "body%lld", (long long)index);
    const char *name = body->name ? body->name : mo_arena_text(b->arena, default_name);
    if (!name) {
        return mo_fail_memory(error, sizeof default_name);
    }
    b->system->bodies.list[b->system->bodies.count++] = (mote_body){name, 0, first, count};
    return MOTE_OK;
}

static mote_status add_rows(builder *b, const mo_body_def *body, int64_t index,
                            const mo_rigid_prototype *p, mote_error *error)
{
    const mo_list *copies = &p->def->copies;
    const mo_copies_def *list = copies->items;
    mo_vec3 zero = {0, 0, 0};
    double most = 1;
    for (int64_t k = 0; k < copies->count; ++k) {
        most *= (double)list[k].count;
    }
    if (most > 1e7) {
        return mo_fail(error, MOTE_ERROR_INPUT, ".copies: %g are more than 10 million", most);
    }
    int64_t count = list_copies(copies, copies->count - 1, 0, zero, NULL, 0), first;
    void *offsets;
    if (count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, ".copies: none are left");
    }
    MO_TRY(mo_store_add(b->system->store, count, &first, error));
    MO_TRY(mo_allocate_array(b->memory, count, 3 * sizeof(double), &offsets, error));
    list_copies(copies, copies->count - 1, 0, zero, offsets, 0);
    for (int64_t k = 0; k < count; ++k) {
        fill_row(b, body, p, first + k, mo_vec3_load((double *)offsets + 3 * k));
    }
    mo_release(b->memory, offsets);
    MO_TRY(name_body(b, body, index, first, count, error));
    return mo_rigid_system_add_skin(b->rigid, body, first, count, error);
}

static mote_status add_bodies(builder *b, mote_error *error)
{
    const mo_body_def *bodies = b->def->bodies.items;
    mo_body_table *table = &b->system->bodies;
    mo_rigid *rigid = b->rigid;
    void *prototypes;
    MO_TRY(mo_reserve(b->memory, &table->list, &table->capacity, b->def->bodies.count,
                      sizeof(mote_body), error));
    MO_TRY(mo_allocate_array(b->memory, b->def->bodies.count, sizeof(mo_rigid_prototype),
                             &prototypes, error));
    rigid->prototypes = prototypes;
    for (int64_t k = 0; k < b->def->bodies.count; ++k) {
        if (mo_body_def_system(&bodies[k]) == b->system->type) {
            mo_rigid_prototype *p = &rigid->prototypes[rigid->prototype_count++];
            mote_status status = make_prototype(b, &bodies[k], p, error);
            status = status == MOTE_OK ? add_rows(b, &bodies[k], k, p, error) : status;
            MO_TRY(mo_at_path(status, error, "bodies[%lld]", k));
        }
    }
    table->scene_count = table->count;
    return MOTE_OK;
}

/* ---- forces ---- */

/* Whether another system of the scene has particles or nodes, on which other forces act. */
static bool has_particles(const builder *b)
{
    const mo_system_type *type;
    for (int k = 0; (type = mo_system_type_at(k)) != NULL; ++k) {
        bool takes = type->takes_particles || type->force_hooks;
        if (type != b->system->type && takes && type->wanted(b->def)) {
            return true;
        }
    }
    return false;
}

static mote_status accept_force(void *context, mo_method force, const char *path, bool *accepted,
                                mote_error *error)
{
    const builder *b = context;
    const char *name = force.type->name;
    *accepted = force.type->capabilities & MO_FORCE_EXTERNAL;
    if (!*accepted && !has_particles(b)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "'%s' does not act on rigid bodies; use a field such as attractor "
                       "or expression_field, or `applied` of the body",
                       name);
    }
    if (!*accepted) {
        char kind[80];
        snprintf(kind, sizeof kind, "rigid and %.60s", name);
        mo_host_warn(b->system->host, 0, kind, "%s: '%s' acts on particles and not on rigid bodies",
                     path, name);
    }
    return MOTE_OK;
}

static mote_status add_force(void *context, mo_force *force, const char *path, mote_error *error)
{
    const builder *b = context;
    mo_rigid *rigid = b->rigid;
    (void)path;
    return mo_force_append(b->memory, &rigid->forces, &rigid->force_count, &rigid->force_capacity,
                           force, error);
}

/* The scene's forces that act on single particles act on centres of mass. */
static mote_status add_forces(builder *b, mote_error *error)
{
    mo_force applied = {.type = &mo_rigid_system_applied, .instance = b->rigid};
    mo_force_context context = {b->memory, b->system->store, b->system->host->domain, {0}, {0}};
    mo_force_receiver receiver = {b->system, b, accept_force, add_force};
    MO_TRY(add_force(b, &applied, NULL, error));
    return mo_scene_forces_create(b->def, &context, &receiver, error);
}

static mote_status declare_columns(builder *b, mote_error *error)
{
    static const mo_column_spec START = {"start",  MOTE_F64, 3,
                                         MO_STATE, "m",      "centre of mass at the start"};
    MO_TRY(mo_particle_columns_declare(b->system, error));
    MO_TRY(mo_orientation_declare(b->system, error));
    MO_TRY(mo_store_declare(b->system->store, &START, &b->rigid->start, error));
    b->system->rate = b->system->columns.a;
    if (b->rigid->matrix) {
        return mo_rotation_matrix_declare(b->rigid, error);
    }
    return mo_integration_declare(b->system, (const mo_integrator_type *)b->rigid->integrator.type,
                                  true, &b->rigid->integration, error);
}

static mote_status open_newton(mo_rigid *rigid, mote_error *error)
{
    if (rigid->matrix || !(rigid->integrator.type->capabilities & MO_IMPLICIT)) {
        return MOTE_OK;
    }
    mo_newton_params params = mo_integrator_newton(
        (const mo_integrator_type *)rigid->integrator.type, rigid->integrator.params);
    return mo_newton_create(rigid->system->host->memory, rigid->system->host->pool, &params,
                            &rigid->newton, error);
}

static mote_status open_solver(mo_rigid *rigid, mote_error *error)
{
    mo_rigid_solver_def def = mo_rigid_solver_default();
    double least = INFINITY;
    def.substeps = (int)rigid->settings.substeps;
    def.direct = rigid->settings.solver[0] == 'd';
    def.bounce_speed =
        isnan(rigid->settings.bounce_speed) ? def.bounce_speed : rigid->settings.bounce_speed;
    for (int64_t k = 0; k < rigid->prototype_count; ++k) {
        double size = rigid->prototypes[k].size;
        least = size > 0 && size < least ? size : least;
    }
    rigid->margin = !isnan(rigid->settings.margin) ? rigid->settings.margin
                    : isfinite(least)              ? 0.02 * least
                                                   : 0;
    return mo_rigid_solver_create(rigid->system->host->memory, rigid->system->host->pool, &def,
                                  &rigid->solver, error);
}

static mote_status build(builder *b, mote_error *error)
{
    mo_system *s = b->system;
    MO_TRY(mo_store_create(b->memory, &s->store, error));
    mo_store_share_ids(s->store, &s->host->next_id);
    MO_TRY(declare_columns(b, error));
    MO_TRY(add_bodies(b, error));
    MO_TRY(add_forces(b, error));
    MO_TRY(open_newton(b->rigid, error));
    MO_TRY(open_solver(b->rigid, error));
    s->built = mo_store_owned(s->store);
    const mo_particle_columns *c = &s->columns;
    mo_rigid_system_prescribe(b->rigid, 0, mo_f64(c->x), mo_f64(c->v), mo_f64(c->q),
                              mo_f64(c->q_rate));
    mo_orientation_finish(s);
    if (b->rigid->matrix) {
        mo_rotation_matrix_begin(b->rigid, 0);
    }
    return MOTE_OK;
}

mote_status mo_rigid_system_create(const mo_world_def *def, mo_system *system, mote_error *error)
{
    mo_host *host = system->host;
    mo_rigid *rigid = mo_allocate(host->memory, sizeof *rigid);
    if (!rigid) {
        return mo_fail_memory(error, sizeof *rigid);
    }
    *rigid = (mo_rigid){.system = system, .settings = mo_rigid_system_def_of(def)->settings};
    system->state = rigid;
    system->first_id = host->next_id;
    rigid->matrix = mo_rigid_system_uses_matrix(&rigid->settings);
    rigid->integrator = rigid->settings.integrator;
    rigid->stage_free = mo_stage_add(host->stages, "rigid free motion");
    rigid->stage_solve = mo_stage_add(host->stages, "rigid solve");
    builder b = {def, host->memory, host->arena, system, rigid};
    mote_status status = build(&b, error);
    if (status != MOTE_OK) {
        mo_rigid_system_release(system);
    }
    return status;
}

void mo_rigid_system_release(mo_system *system)
{
    mo_rigid *rigid = system->state;
    mo_memory *memory = system->host->memory;
    if (rigid) {
        for (int k = 1; k < rigid->force_count; ++k) { /* the first is the system itself */
            mo_force_destroy(&rigid->forces[k], memory);
        }
        mo_release(memory, rigid->forces);
        if (rigid->newton) {
            mo_newton_destroy(rigid->newton);
        }
        if (rigid->solver) {
            mo_rigid_solver_destroy(rigid->solver);
        }
        mo_release(memory, rigid->step.contacts);
        mo_release(memory, rigid->step.guests);
        mo_release(memory, rigid->step.joints);
        mo_release(memory, rigid->step.apart);
        mo_release(memory, rigid->step.added_forces);
        mo_release(memory, rigid->arrays);
        mo_release(memory, rigid->prototypes);
        mo_release(memory, rigid);
    }
    mo_system_release(system);
}
