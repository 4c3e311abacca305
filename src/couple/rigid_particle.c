/*
 * Contacts of rigid bodies with the particles and nodes of force-driven bodies, both ways.
 *
 * A particle in contact is a guest of the rigid system's solver: a point mass with the displacement
 * that its own system has found for it in this step. The impulse that the solver finds acts on the
 * rigid body and, reversed, on the particle.
 *
 * Explicit integrators: position and velocity of the particle are corrected at the end of the step.
 * Implicit ones: contacts are solved with the matrix of the step (implicit_contact.h). Systems with
 * a solver of their own expect the forces of the last step in it (expected_force.h).
 *
 * Particles are spheres of their radius. Triangles are in contact between their nodes
 * (rigid_face.h).
 */
#include "collide/broad_phase.h"
#include "couple/expected_force.h"
#include "couple/implicit_contact.h"
#include "couple/rigid_face.h"
#include "host/coupling.h"
#include "integrate/integrator.h"
#include "system/constraints/state.h"
#include "system/forces/forces.h"
#include "system/rigid/def.h"
#include "system/rigid/rigid.h"

#include <string.h>

enum { GRAIN = 64, KICK_GRAIN = 1024, CONTACTS_MAX = 8, GROUP_NODES = 0, GROUP_BODIES = 1 };

/* Radius of nodes without one, in inner radii of the body. */
static const double POINT = 1e-3;

typedef struct node_contact {
    int64_t node;
    int64_t guest; /* in the list of the step */
    mo_vec3 from;  /* of the guest at the start of the step */
    mo_vec3 v;     /* of the guest before the solve */
} node_contact;

typedef struct particles {
    bool expects; /* forces in the solve of its system */
    mo_expected_force expected;
    int64_t row_capacity, box_capacity, group_capacity, count_capacity, first_capacity,
        contact_capacity;
    mo_broad_phase broad; /* of nodes and bodies */
    mo_pose *poses;
    mo_box *boxes; /* of the nodes, then of the bodies */
    int32_t *groups;
    int64_t *first;       /* pair of each node; one more */
    int64_t *counts;      /* contacts of each node */
    mo_rigid_face *faces; /* contacts of triangles */
    int32_t *shares;      /* guests of each node */
    int64_t face_count, face_capacity, share_capacity;
    node_contact *contacts;
    int64_t contact_count, joint_count; /* nodes in contact, those of joints first */
    mo_implicit_contacts implicit;      /* of an implicit integrator */
} particles;

static bool rigid_particle_applies(const mo_world_def *def, const mo_system *a, const mo_system *b)
{
    (void)def;
    return b && b != a && a->type == &mo_system_rigid &&
           (mo_system_sums_contacts(b) || b->type->solves_contacts);
}

static bool is_implicit(const mo_system *system)
{
    return system->type == &mo_system_forces && mo_forces_newton(system);
}

static const mo_integrator_type *scheme_of(const mo_system *system)
{
    return (const mo_integrator_type *)system->type->stability->integrator(system).type;
}

/* Schemes without numerical damping reverse the velocity of a contact in every step. */
static mote_status refuse_undamped(const mo_world_def *def, const mo_coupling *coupling,
                                   mote_error *error)
{
    const mo_body_def *bodies = def->bodies.items;
    const char *rigid = NULL, *deformable = NULL;
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        const struct mo_system_type *type = mo_body_def_system(&bodies[k]);
        const char *name = bodies[k].name ? bodies[k].name : "";
        if (type == coupling->a->type && mo_rigid_system_body_of(&bodies[k])->collides) {
            rigid = rigid ? rigid : name;
        } else if (type == coupling->b->type && bodies[k].model.type) {
            deformable = deformable ? deformable : name;
        }
    }
    if (!rigid || !deformable || !is_implicit(coupling->b)) {
        return MOTE_OK;
    }
    const mo_integrator_type *scheme = scheme_of(coupling->b);
    return scheme->amplification
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_INPUT,
                         "integrator: '%s' has no numerical damping, which contact of rigid bodies "
                         "('%.60s') with deformable ones ('%.60s') needs; use 'implicit_euler', "
                         "'bdf2' or the explicit 'velocity_verlet' (the default), or set "
                         "\"collides\": false of the rigid bodies",
                         scheme->base.name, rigid, deformable);
}

static mote_status rigid_particle_create(const mo_world_def *def, mo_coupling *coupling,
                                         mote_error *error)
{
    MO_TRY(refuse_undamped(def, coupling, error));
    particles *p = mo_allocate(coupling->host->memory, sizeof *p);
    if (!p) {
        return mo_fail_memory(error, sizeof *p);
    }
    coupling->state = p;
    mo_broad_phase_init(&p->broad, coupling->host->memory);
    mo_implicit_contacts_init(&p->implicit, coupling->host->memory);
    p->expects = coupling->b->type != &mo_system_forces;
    return p->expects ? mo_expected_force_create(&p->expected, coupling->b, error) : MOTE_OK;
}

static void rigid_particle_destroy(mo_coupling *coupling)
{
    particles *p = coupling->state;
    mo_memory *memory = coupling->host->memory;
    if (p) {
        mo_release(memory, p->poses);
        mo_broad_phase_release(&p->broad);
        mo_implicit_contacts_release(&p->implicit);
        mo_release(memory, p->boxes);
        mo_release(memory, p->groups);
        mo_release(memory, p->first);
        mo_release(memory, p->counts);
        mo_release(memory, p->contacts);
        mo_release(memory, p->faces);
        mo_release(memory, p->shares);
        mo_release(memory, p);
    }
    coupling->state = NULL;
}

/* ---- before the solves ---- */

typedef struct search {
    mo_coupling *coupling;
    particles *p;
    mo_rigid_step *step;
    mo_narrow_query query;
    int64_t rows, nodes, triangles;
    double time;
} search;

static mo_rigid_face_query face_query(const search *s)
{
    return (mo_rigid_face_query){s->coupling->a, s->coupling->b, s->p->poses, s->query};
}

/* The guest of a node with a joint; -1: it has none. */
static int64_t find_joined(const particles *p, int64_t node)
{
    for (int64_t k = 0; k < p->joint_count; ++k) {
        if (p->contacts[k].node == node) {
            return p->contacts[k].guest;
        }
    }
    return -1;
}

/* The box around the path of a node. */
static mo_box box_of(const search *s, int64_t node)
{
    const mo_particle_columns *c = &s->coupling->b->columns;
    mo_vec3 x = mo_vec3_load(mo_f64(c->x) + 3 * node), v = mo_vec3_load(mo_f64(c->v) + 3 * node);
    double h = s->query.h, wide = mo_f64(c->radius)[node] + s->query.margin;
    double from[3] = {x.x, x.y, x.z}, to[3] = {x.x + h * v.x, x.y + h * v.y, x.z + h * v.z};
    mo_box box = mo_box_empty();
    mo_box_grow(&box, from);
    mo_box_grow(&box, to);
    for (int k = 0; k < 3; ++k) {
        box.low[k] -= wide;
        box.high[k] += wide;
    }
    return box;
}

/* Whether a joint or an attachment of a node excludes its contacts with a body. */
static bool is_node_apart(const search *s, int64_t node, int64_t row)
{
    int64_t joined = find_joined(s->p, node);
    return s->step->apart_count > 0 &&
           ((joined >= 0 && mo_rigid_system_apart(s->step, row, s->rows + joined)) ||
            (s->coupling->b->type == &mo_system_constraints &&
             mo_rigid_system_apart(s->step, row, MO_RIGID_ATTACHED + node)));
}

/* The contacts of a node; writes at most CONTACTS_MAX. */
static int find_contacts(const search *s, int64_t node, mo_manifold *out, int32_t *body)
{
    const mo_particle_columns *c = &s->coupling->b->columns;
    mo_pose pose = {.R = mo_mat3_identity(),
                    .p = mo_vec3_load(mo_f64(c->x) + 3 * node),
                    .v = mo_vec3_load(mo_f64(c->v) + 3 * node)};
    double radius = mo_f64(c->radius)[node];
    int count = 0;
    for (int64_t pair = s->p->first[node]; pair < s->p->first[node + 1] && count < CONTACTS_MAX;
         ++pair) {
        int64_t row = s->p->broad.pairs[pair].b - s->nodes - s->triangles;
        if (is_node_apart(s, node, row)) {
            continue;
        }
        const mo_rigid_prototype *p = mo_rigid_system_prototype_of(s->coupling->a, row);
        mo_primitive ball = {.kind = MO_PRIMITIVE_SPHERE,
                             .axes = mo_mat3_identity(),
                             .radius = {fmax(radius, POINT * p->size)}};
        mo_convex part = mo_convex_of_primitive(&ball);
        mo_collision_shape shape = {.parts = 1, .part = &part};
        mo_manifold found[MO_NARROW_MOST];
        mo_collision_shape_finish(&shape);
        int many = mo_narrow_bodies(&p->shape, &s->p->poses[row], &shape, &pose, &s->query,
                                    (mo_narrow_hints){0}, found);
        for (int k = 0; k < many && count < CONTACTS_MAX; ++k) {
            out[count] = found[k];
            body[count++] = (int32_t)row;
        }
    }
    return count;
}

static void count_range(void *context, int64_t first, int64_t last)
{
    const search *s = context;
    mo_manifold out[CONTACTS_MAX];
    int32_t body[CONTACTS_MAX];
    for (int64_t node = first; node < last; ++node) {
        s->p->counts[node] = find_contacts(s, node, out, body);
    }
}

/* The initial guess of a contact: its part of the force on the guest that the guest's system
 * expects. Sweeps from zero leave a part of the weight of a body on many nodes unsupported in every
 * step. */
static void guess_impulses(const search *s, mo_vec3 force, double part, mo_rigid_contact *out)
{
    double substep = s->query.h / mo_rigid_system_substeps(s->coupling->a);
    mo_vec3 p = mo_scale(-part * substep, force);
    double along = mo_dot(p, out->normal), normal = along > 0 ? along : 0;
    mo_vec3 across = mo_add_scaled(p, -along, out->normal);
    double size = mo_length(across), most = out->friction_coefficient * normal;
    out->friction = size > most ? mo_scale(most / size, across) : across;
    for (int k = 0; k < out->count; ++k) {
        out->normal_impulse[k] = normal / out->count;
    }
}

/* `part`: of the expected force of the guest. */
static void add_contact(const search *s, int32_t body, int32_t guest, double part,
                        const mo_manifold *m)
{
    const mo_rigid_material *material =
        &mo_rigid_system_prototype_of(s->coupling->a, body)->material;
    const mo_rigid_guest *g = &s->step->guests[guest - s->rows];
    mo_rigid_contact *out = &s->step->contacts[s->step->contact_count++];
    *out = (mo_rigid_contact){.body = {body, guest},
                              .count = m->count,
                              .normal = m->normal,
                              .friction_coefficient = material->friction,
                              .restitution = material->restitution};
    for (int k = 0; k < m->count; ++k) {
        out->position[k][0] = m->point[k].point[0];
        out->position[k][1] = m->point[k].point[1];
        out->gap[k] = m->point[k].gap;
        out->key[k] = m->point[k].key;
    }
    if (s->p->expects && g->inverse_mass > 0) {
        guess_impulses(s, mo_scale(-1 / g->inverse_mass, g->acceleration), part, out);
    }
}

/* Guests that a node takes part in. */
static int32_t shares_of(const particles *p, int64_t node)
{
    return p->face_count > 0 ? p->shares[node] : 1;
}

/* The inverse mass of the share of a node. */
static double guest_inverse_mass(const search *s, int64_t node)
{
    return shares_of(s->p, node) * mo_f64(s->coupling->b->columns.inverse_mass)[node];
}

/* The force that its system expects acts against the guest, until its contacts resist. */
static mo_vec3 guest_acceleration(const search *s, int64_t node)
{
    return s->p->expects ? mo_scale(-1, mo_expected_force_acceleration(&s->p->expected, node))
                         : mo_vec3_make(0, 0, 0);
}

/* The contacts of a node that an implicit integrator advances. */
static mote_status add_implicit(const search *s, int64_t node, mote_error *error)
{
    const mo_particle_columns *c = &s->coupling->b->columns;
    mo_vec3 x = mo_vec3_load(mo_f64(c->x) + 3 * node), v = mo_vec3_load(mo_f64(c->v) + 3 * node);
    mo_manifold out[CONTACTS_MAX];
    int32_t body[CONTACTS_MAX];
    int count = find_contacts(s, node, out, body);
    for (int k = 0; k < count; ++k) {
        const mo_rigid_material *material =
            &mo_rigid_system_prototype_of(s->coupling->a, body[k])->material;
        const mo_pose *pose = &s->p->poses[body[k]];
        mo_vec3 n = mo_scale(-1, out[k].normal);
        for (int i = 0; i < out[k].count; ++i) {
            mo_vec3 at = out[k].point[i].point[0];
            mo_implicit_contact contact = {.nodes = 1,
                                           .node = {node},
                                           .weight = {1},
                                           .body = {-1, body[k]},
                                           .arm = {x, mo_sub(at, pose->p)},
                                           .normal = n,
                                           .offset = mo_scale(out[k].point[i].gap, n),
                                           .friction = material->friction,
                                           .restitution = material->restitution,
                                           .approach =
                                               -mo_dot(n, mo_sub(v, mo_pose_velocity(pose, at)))};
            MO_TRY(mo_implicit_contacts_add(&s->p->implicit, &contact, error));
        }
    }
    return MOTE_OK;
}

/* The contact of a triangle whose nodes an implicit integrator advances. */
static mote_status add_implicit_face(const search *s, const mo_rigid_face *face, mote_error *error)
{
    const mo_rigid_material *material =
        &mo_rigid_system_prototype_of(s->coupling->a, face->body)->material;
    const mo_pose *pose = &s->p->poses[face->body];
    mo_rigid_guest point = mo_couple_rigid_face_guest(s->coupling->b, face, s->p->shares);
    mo_vec3 n = mo_scale(-1, face->normal), at = face->point[0];
    mo_implicit_contact contact = {.nodes = 3,
                                   .body = {-1, face->body},
                                   .arm = {point.x, mo_sub(at, pose->p)},
                                   .normal = n,
                                   .offset = mo_scale(face->gap, n),
                                   .friction = material->friction,
                                   .restitution = material->restitution,
                                   .approach =
                                       -mo_dot(n, mo_sub(point.v, mo_pose_velocity(pose, at)))};
    for (int i = 0; i < 3; ++i) {
        contact.node[i] = face->row[i];
        contact.weight[i] = face->weight[i];
    }
    return mo_implicit_contacts_add(&s->p->implicit, &contact, error);
}

/* All contacts with the nodes and triangles of an implicit integrator. */
static mote_status add_all_implicit(const search *s, mote_error *error)
{
    s->p->implicit.count = 0;
    for (int64_t node = 0; node < s->nodes; ++node) {
        if (s->p->counts[node] > 0) {
            MO_TRY(add_implicit(s, node, error));
        }
    }
    for (int64_t k = 0; k < s->p->face_count; ++k) {
        MO_TRY(add_implicit_face(s, &s->p->faces[k], error));
    }
    s->p->face_count = 0; /* no guests */
    return MOTE_OK;
}

/* A node in contact becomes a guest, if no joint has made it one. */
static void add_guest(const search *s, int64_t node)
{
    const mo_particle_columns *c = &s->coupling->b->columns;
    mo_manifold out[CONTACTS_MAX];
    int32_t body[CONTACTS_MAX];
    int count = find_contacts(s, node, out, body);
    int64_t guest = find_joined(s->p, node);
    if (guest < 0) {
        guest = s->step->guest_count++;
        s->p->contacts[s->p->contact_count++] = (node_contact){.node = node, .guest = guest};
        s->step->guests[guest] = (mo_rigid_guest){.x = mo_vec3_load(mo_f64(c->x) + 3 * node),
                                                  .v = mo_vec3_load(mo_f64(c->v) + 3 * node),
                                                  .q = mo_quat_identity(),
                                                  .inverse_mass = guest_inverse_mass(s, node),
                                                  .acceleration = guest_acceleration(s, node)};
    }
    for (int k = 0; k < count; ++k) {
        add_contact(s, body[k], (int32_t)(s->rows + guest), 1.0 / count, &out[k]);
    }
}

/* Nodes of joints are guests already. */
static mote_status take_joined(const search *s, mote_error *error)
{
    particles *p = s->p;
    p->contact_count = 0;
    for (int64_t k = 0; k < s->step->guest_count; ++k) {
        mo_rigid_guest *guest = &s->step->guests[k];
        if (guest->system == s->coupling->b) {
            MO_TRY(mo_reserve(s->coupling->host->memory, &p->contacts, &p->contact_capacity,
                              p->contact_count + 1, sizeof *p->contacts, error));
            guest->inverse_mass = guest_inverse_mass(s, guest->node);
            p->contacts[p->contact_count++] = (node_contact){.node = guest->node, .guest = k};
        }
    }
    p->joint_count = p->contact_count;
    return MOTE_OK;
}

/* After the shares are known. */
static void split_joined(const search *s)
{
    for (int64_t k = 0; k < s->p->joint_count; ++k) {
        s->step->guests[s->p->contacts[k].guest].inverse_mass =
            guest_inverse_mass(s, s->p->contacts[k].node);
    }
}

static void node_boxes(void *context, int64_t first, int64_t last)
{
    const search *s = context;
    for (int64_t node = first; node < last; ++node) {
        s->p->boxes[node] = box_of(s, node);
        s->p->groups[node] = GROUP_NODES;
    }
}

static void face_boxes(void *context, int64_t first, int64_t last)
{
    const search *s = context;
    mo_rigid_face_query q = face_query(s);
    for (int64_t k = first; k < last; ++k) {
        s->p->boxes[s->nodes + k] = mo_couple_rigid_face_box(&q, k);
        s->p->groups[s->nodes + k] = GROUP_NODES;
    }
}

static void body_box(const search *s, int64_t row, mo_vec3 gravity)
{
    const mo_collision_shape *shape = &mo_rigid_system_prototype_of(s->coupling->a, row)->shape;
    bool moves = mo_f64(s->coupling->a->columns.inverse_mass)[row] > 0;
    mo_pose *pose = &s->p->poses[row];
    int64_t at = s->nodes + s->triangles + row;
    mo_box *box = &s->p->boxes[at];
    *pose = mo_rigid_system_pose(s->coupling->a, row);
    pose->v = moves ? mo_add_scaled(pose->v, s->query.h, gravity) : pose->v;
    *box = mo_box_empty();
    s->p->groups[at] = GROUP_BODIES;
    if (shape->reach > 0) {
        mo_collision_shape_bounds(shape, pose, s->query.h, box->low, box->high);
    }
}

/* Pairs of nodes or triangles and bodies, by the former. */
static mote_status find_pairs(const search *s, mote_error *error)
{
    particles *p = s->p;
    mo_host *host = s->coupling->host;
    mo_memory *memory = host->memory;
    mo_vec3 g = mo_host_gravity(host, s->time);
    int64_t items = s->nodes + s->triangles, all = items + s->rows;
    MO_TRY(mo_reserve(memory, &p->poses, &p->row_capacity, s->rows, sizeof *p->poses, error));
    MO_TRY(mo_reserve(memory, &p->boxes, &p->box_capacity, all, sizeof *p->boxes, error));
    MO_TRY(mo_reserve(memory, &p->groups, &p->group_capacity, all, sizeof *p->groups, error));
    MO_TRY(mo_reserve(memory, &p->first, &p->first_capacity, items + 1, sizeof *p->first, error));
    mo_parallel_for(host->pool, s->nodes, KICK_GRAIN, node_boxes, (void *)s);
    mo_parallel_for(host->pool, s->triangles, KICK_GRAIN, face_boxes, (void *)s);
    for (int64_t row = 0; row < s->rows; ++row) {
        body_box(s, row, g);
    }
    MO_TRY(mo_broad_phase_update(&p->broad, all, p->boxes, p->groups, host->pool, error));
    int64_t at = 0;
    for (int64_t item = 0; item <= items; ++item) {
        while (at < p->broad.pair_count && p->broad.pairs[at].a < item) {
            ++at;
        }
        p->first[item] = at;
    }
    return MOTE_OK;
}

/* Whether a joint of one of its nodes excludes contacts of a triangle with a body. */
static bool is_apart(const search *s, int64_t triangle, int64_t row)
{
    const int32_t *node = s->coupling->b->bodies.triangles + 3 * triangle;
    for (int k = 0; k < 3; ++k) {
        if (is_node_apart(s, node[k], row)) {
            return true;
        }
    }
    return false;
}

/* The contacts of a triangle; writes at most MO_RIGID_FACES_MAX. */
static int find_face_contacts(const search *s, int64_t triangle, mo_rigid_face *out)
{
    mo_rigid_face_query q = face_query(s);
    const int64_t *first = s->p->first + s->nodes + triangle;
    int count = 0;
    for (int64_t pair = first[0]; pair < first[1] && count < MO_RIGID_FACES_MAX; ++pair) {
        int64_t row = s->p->broad.pairs[pair].b - s->nodes - s->triangles;
        if (!is_apart(s, triangle, row)) {
            count += mo_couple_rigid_face_find(&q, triangle, (int32_t)row,
                                               MO_RIGID_FACES_MAX - count, out + count);
        }
    }
    return count;
}

static void count_faces(void *context, int64_t first, int64_t last)
{
    const search *s = context;
    mo_rigid_face out[MO_RIGID_FACES_MAX];
    for (int64_t k = first; k < last; ++k) {
        const int64_t *pairs = s->p->first + s->nodes + k;
        s->p->counts[s->nodes + k] = pairs[0] < pairs[1] ? find_face_contacts(s, k, out) : 0;
    }
}

/* Lists the contacts of triangles, and in how many guests each node takes part. */
static mote_status list_faces(const search *s, mote_error *error)
{
    particles *p = s->p;
    if (s->triangles == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_reserve(s->coupling->host->memory, &p->shares, &p->share_capacity, s->nodes,
                      sizeof *p->shares, error));
    for (int64_t node = 0; node < s->nodes; ++node) {
        p->shares[node] = p->counts[node] > 0 || find_joined(p, node) >= 0;
    }
    for (int64_t k = 0; k < s->triangles; ++k) {
        int64_t count = p->counts[s->nodes + k];
        if (count == 0) {
            continue;
        }
        MO_TRY(mo_reserve(s->coupling->host->memory, &p->faces, &p->face_capacity,
                          p->face_count + count, sizeof *p->faces, error));
        mo_rigid_face *face = p->faces + p->face_count;
        p->face_count += find_face_contacts(s, k, face);
        for (int64_t i = 0; i < 3 * count; ++i) {
            ++p->shares[face[i / 3].row[i % 3]];
        }
    }
    return MOTE_OK;
}

static void add_face(const search *s, mo_rigid_face *face)
{
    mo_manifold m = {.normal = face->normal, .count = 1};
    m.point[0].point[0] = face->point[0];
    m.point[0].point[1] = face->point[1];
    m.point[0].gap = face->gap;
    face->guest = s->step->guest_count++;
    s->step->guests[face->guest] = mo_couple_rigid_face_guest(s->coupling->b, face, s->p->shares);
    for (int k = 0; k < 3; ++k) {
        mo_vec3 *a = &s->step->guests[face->guest].acceleration;
        *a = mo_add_scaled(*a, face->weight[k], guest_acceleration(s, face->row[k]));
    }
    face->from = s->step->guests[face->guest].x;
    add_contact(s, face->body, (int32_t)(s->rows + face->guest), 1, &m);
}

/* Nodes that are no longer in contact expect no force. */
static void forget_separated(const search *s)
{
    const particles *p = s->p;
    for (int64_t node = 0; p->expects && node < s->nodes; ++node) {
        if (p->counts[node] == 0 && (p->face_count == 0 || p->shares[node] == 0)) {
            memset(mo_f64(p->expected.force) + 3 * node, 0, 3 * sizeof(double));
        }
    }
}

static mote_status rigid_particle_gather(mo_coupling *coupling, const mo_step_time *now,
                                         mote_error *error)
{
    particles *p = coupling->state;
    int64_t nodes = mo_store_owned(coupling->b->store), contacts = 0, guests = 0;
    search s = {.coupling = coupling,
                .p = p,
                .step = mo_rigid_system_step_of(coupling->a),
                .query = {mo_rigid_system_margin(coupling->a), now->h},
                .time = now->time,
                .rows = mo_store_owned(coupling->a->store),
                .nodes = nodes,
                .triangles = coupling->b->bodies.triangle_count};
    p->face_count = 0;
    MO_TRY(find_pairs(&s, error));
    MO_TRY(take_joined(&s, error));
    MO_TRY(mo_reserve(coupling->host->memory, &p->counts, &p->count_capacity, nodes + s.triangles,
                      sizeof *p->counts, error));
    mo_parallel_for(coupling->host->pool, nodes, GRAIN, count_range, &s);
    mo_parallel_for(coupling->host->pool, s.triangles, GRAIN, count_faces, &s);
    MO_TRY(list_faces(&s, error));
    split_joined(&s);
    forget_separated(&s);
    for (int64_t node = 0; node < nodes; ++node) {
        contacts += p->counts[node];
        guests += p->counts[node] > 0;
    }
    if (is_implicit(coupling->b)) {
        return add_all_implicit(&s, error);
    }
    MO_TRY(mo_rigid_system_reserve(coupling->a, contacts + p->face_count, guests + p->face_count, 0,
                                   error));
    MO_TRY(mo_reserve(coupling->host->memory, &p->contacts, &p->contact_capacity,
                      p->joint_count + guests, sizeof *p->contacts, error));
    for (int64_t node = 0; node < nodes; ++node) {
        if (p->counts[node] > 0) {
            add_guest(&s, node);
        }
    }
    for (int64_t k = 0; k < p->face_count; ++k) {
        add_face(&s, &p->faces[k]);
    }
    return MOTE_OK;
}

/* ---- between the solves ---- */

/* The displacement that the particles' own system has found. */
static mote_status rigid_particle_scatter(mo_coupling *coupling, const mo_system *solved,
                                          const mo_step_time *now, mote_error *error)
{
    particles *p = coupling->state;
    mo_rigid_guest *guests = mo_rigid_system_step_of(coupling->a)->guests;
    if (solved == coupling->b && p->implicit.count > 0) {
        MO_TRY(mo_implicit_contacts_solve(&p->implicit, coupling->a, coupling->b,
                                          mo_forces_newton(coupling->b), now, error));
    }
    for (int64_t k = 0; solved == coupling->b && k < p->contact_count; ++k) {
        mo_vec3 x = mo_vec3_load(mo_f64(coupling->b->columns.x) + 3 * p->contacts[k].node);
        mo_rigid_guest *guest = &guests[p->contacts[k].guest];
        p->contacts[k].from = guest->x;
        guest->v = p->contacts[k].v = mo_scale(1 / now->h, mo_sub(x, guest->x));
    }
    for (int64_t k = 0; solved == coupling->b && k < p->face_count; ++k) {
        mo_couple_rigid_face_set_velocity(coupling->b, &p->faces[k], now->h);
        guests[p->faces[k].guest].v = p->faces[k].v;
    }
    return MOTE_OK;
}

/* ---- after the solves ---- */

typedef struct kicking {
    double h;
    const double *a; /* at the corrected positions */
    double *v, *last;
} kicking;

static void kick_range(void *context, int64_t first, int64_t last)
{
    const kicking *k = context;
    for (int64_t i = 3 * first; i < 3 * last; ++i) {
        k->v[i] += 0.5 * k->h * (k->a[i] - k->last[i]);
        k->last[i] = k->a[i];
    }
}

/* The last half kick of the integrator used the forces at the free positions: it is repeated with
 * those at the corrected ones. Otherwise a stiff node between heavy bodies loses or gains energy.
 * The integrator would have to evaluate these forces in the next step in any case. */
static mote_status repeat_kick(mo_coupling *coupling, const char *column, const mo_step_time *now,
                               mote_error *error)
{
    mo_system *s = coupling->b;
    int64_t rows = mo_store_owned(s->store);
    kicking k = {now->h, mo_f64(s->rate), mo_f64(s->columns.v),
                 mo_f64(mo_store_find(s->store, column))};
    MO_TRY(s->type->evaluate(s, now->end, error));
    mo_parallel_for(coupling->host->pool, rows, KICK_GRAIN, kick_range, &k);
    return MOTE_OK;
}

static const char *last_kick(const mo_system *system)
{
    const mo_stability_hooks *hooks = system->type->stability;
    bool second_order = hooks && system->type->evaluate && !mo_system_first_order(system);
    return second_order ? ((const mo_integrator_type *)hooks->integrator(system).type)->last_kick
                        : NULL;
}

/* The impulse of the step on a guest that had the velocity v before the solve. */
static mo_vec3 impulse_on(const mo_rigid_guest *guest, mo_vec3 v, double h)
{
    mo_vec3 change = mo_add_scaled(mo_sub(guest->v, v), -h, guest->acceleration);
    return guest->inverse_mass > 0 ? mo_scale(1 / guest->inverse_mass, change)
                                   : mo_vec3_make(0, 0, 0);
}

/* The impulses of the step in place of the expected ones. */
static void project_expected(mo_coupling *coupling, double h)
{
    particles *p = coupling->state;
    const mo_rigid_guest *guests = mo_rigid_system_step_of(coupling->a)->guests;
    const double *inverse_mass = mo_f64(coupling->b->columns.inverse_mass);
    mo_expected_force_revoke(&p->expected, h);
    for (int64_t k = 0; k < p->contact_count; ++k) {
        const node_contact *c = &p->contacts[k];
        const mo_rigid_guest *guest = &guests[c->guest];
        mo_vec3 shift = mo_sub(guest->x, mo_add_scaled(c->from, h, c->v));
        mo_expected_force_apply(&p->expected, c->node, impulse_on(guest, c->v, h),
                                mo_scale(1.0 / shares_of(p, c->node), shift), h);
    }
    for (int64_t k = 0; k < p->face_count; ++k) {
        const mo_rigid_face *face = &p->faces[k];
        const mo_rigid_guest *guest = &guests[face->guest];
        mo_vec3 impulse = impulse_on(guest, face->v, h),
                shift = mo_sub(guest->x, mo_add_scaled(face->from, h, face->v));
        for (int i = 0; i < 3 && guest->inverse_mass > 0; ++i) {
            int32_t row = face->row[i];
            double part = face->weight[i] * inverse_mass[row] / guest->inverse_mass;
            mo_expected_force_apply(&p->expected, row, mo_scale(face->weight[i], impulse),
                                    mo_scale(part, shift), h);
        }
    }
}

static mote_status rigid_particle_project(mo_coupling *coupling, const mo_step_time *now,
                                          mote_error *error)
{
    particles *p = coupling->state;
    const mo_particle_columns *c = &coupling->b->columns;
    const mo_rigid_guest *guests = mo_rigid_system_step_of(coupling->a)->guests;
    const char *column = last_kick(coupling->b);
    bool moved = false;
    if (p->expects) {
        project_expected(coupling, now->h);
        return MOTE_OK;
    }
    for (int64_t k = 0; k < p->contact_count; ++k) {
        int64_t row = p->contacts[k].node;
        const mo_rigid_guest *guest = &guests[p->contacts[k].guest];
        mo_vec3 change = mo_sub(guest->v, p->contacts[k].v);
        double *v = mo_f64(c->v) + 3 * row;
        if (mo_f64(c->inverse_mass)[row] == 0 || mo_dot(change, change) == 0) {
            continue;
        }
        int32_t shares = shares_of(p, row);
        mo_vec3 free = mo_add_scaled(p->contacts[k].from, now->h, p->contacts[k].v);
        mo_vec3_store(v, mo_add_scaled(mo_vec3_load(v), 1.0 / shares, change));
        mo_vec3_store(mo_f64(c->x) + 3 * row,
                      shares == 1 ? guest->x
                                  : mo_add_scaled(mo_vec3_load(mo_f64(c->x) + 3 * row),
                                                  1.0 / shares, mo_sub(guest->x, free)));
        moved = true;
        if (!column) {
            ((uint8_t *)c->age->data)[row] = 0;
        }
    }
    for (int64_t k = 0; k < p->face_count; ++k) {
        const mo_rigid_face *face = &p->faces[k];
        if (mo_couple_rigid_face_apply(coupling->b, face, &guests[face->guest], now->h)) {
            moved = true;
            for (int i = 0; i < 3 && !column; ++i) {
                ((uint8_t *)c->age->data)[face->row[i]] = 0;
            }
        }
    }
    return moved && column ? repeat_kick(coupling, column, now, error) : MOTE_OK;
}

const mo_coupling_type mo_coupling_rigid_particle = {
    .base = {.name = "rigid_particle",
             .summary = "Rigid bodies against particles and nodes of force-driven bodies."},
    .applies = rigid_particle_applies,
    .create = rigid_particle_create,
    .destroy = rigid_particle_destroy,
    .gather = rigid_particle_gather,
    .scatter = rigid_particle_scatter,
    .project = rigid_particle_project,
};
