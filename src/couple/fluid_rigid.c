/*
 * Fluid and rigid bodies, both ways (docs/coupling.md). The shape of each body is a boundary of the
 * fluid, which the pressure solve moves in every iteration (fluid/sph/response.h).
 *
 *   gather    inverse masses, equations of joints and closed contacts, and the accelerations of all
 *             forces but the fluid's, with predicted contact forces
 *   scatter   after the fluid's step: the wrench of pressure and friction acts on the body for the
 *             step, exactly opposite to that on the fluid
 *   project   contact forces of the step, the prediction of the next, and the residual: the
 *             difference of the velocities that the fluid and the rigid system have found
 *
 * The fluid moves by x + h v with the velocity of the end of a step, and free bodies follow it:
 * their velocities are changed at the start. For bodies in contact or with joints the wrench is a
 * force in the substeps of the solver, so that warm starts of contacts stay valid. Bodies out of
 * reach of the fluid are left to the rigid system.
 */
#include "collide/body_solve.h"
#include "geometry/shape/csg.h"
#include "host/coupling.h"
#include "system/fluid/solids.h"
#include "system/rigid/def.h"
#include "system/rigid/rigid.h"

#include <math.h>
#include <string.h>

enum { CONTACT, BEFORE, WRENCH, COLUMNS };

static const mo_column_spec SPECS[COLUMNS] = {
    {"contact", MOTE_F64, 6, MO_STATE, "N, N m", "wrench of contacts and joints in the last step"},
    {"before", MOTE_F64, 6, MO_STATE, "N, N m", "the same in the previous step"},
    {"fluid", MOTE_F64, 6, MO_STATE, "N, N m", "wrench of the fluid in the last step"}};

/* A rigid body, by its row at the start. */
typedef struct solid {
    int64_t id, row; /* row: -1 if it was removed */
    int piece;       /* of the fluid's boundary; -1: none */
    bool constrained;
    mo_vec3 x;
    mo_quat q;
    mo_twist start, velocity;           /* at the start of the step, and with all kicks so far */
    mo_wrench external, contact, fluid; /* contact: predicted */
} solid;

typedef struct fluid_rigid {
    int64_t count;
    solid *solids;
    mo_free_body *bodies;
    int32_t *solid_of; /* of rows */
    int64_t solid_of_capacity;
    mo_wrench *wrench;
    mo_body_solve solve;
    mo_responder responder;
    mo_column *column[COLUMNS];
    double time, h, residual;
    bool ready; /* masses are those of a step */
} fluid_rigid;

static double *values_of(const fluid_rigid *c, int column, int64_t k)
{
    return mo_f64(c->column[column]) + 6 * k;
}

static void store_wrench(double *p, mo_wrench w)
{
    mo_vec3_store(p, w.force);
    mo_vec3_store(p + 3, w.torque);
}

/* ---- the responder ---- */

static const mo_rigid_prototype *prototype_of(const mo_coupling *coupling, const solid *s)
{
    return mo_rigid_system_prototype_of(coupling->b, s->row);
}

/* The shape of a body is in the frame of the scene, at the position of the first copy. */
static void fluid_rigid_pose(void *context, int body, double time, mo_pose *pose, mo_vec3 *center)
{
    const mo_coupling *coupling = context;
    const fluid_rigid *c = coupling->state;
    const solid *s = &c->solids[body];
    *pose = mo_pose_identity();
    *center = s->x;
    if (s->row < 0) {
        return;
    }
    const mo_rigid_prototype *p = prototype_of(coupling, s);
    double dt = c->ready ? time - c->time : 0;
    mo_vec3 w = s->velocity.angular, half = mo_scale(0.5 * dt, w);
    mo_quat turn = {1, half.x, half.y, half.z};
    mo_quat q = mo_quat_normalize(mo_quat_product(turn, s->q));
    *center = mo_add_scaled(s->x, dt, s->velocity.linear);
    pose->R = mo_mat3_product(mo_quat_matrix(q), mo_mat3_transpose(mo_quat_matrix(p->axes.turn)));
    pose->p = mo_sub(*center, mo_mat3_apply(pose->R, p->mass.center));
    pose->w = w;
    pose->v = mo_add(s->velocity.linear, mo_cross(w, mo_sub(pose->p, *center)));
}

static void fluid_rigid_respond(void *context, const mo_added_inertia *added,
                                const mo_wrench *wrench, mo_twist *a)
{
    fluid_rigid *c = ((mo_coupling *)context)->state;
    if (c->ready) {
        mo_body_solve_respond(&c->solve, added, wrench, a);
    } else { /* before the first step, while the fluid is relaxed */
        memset(a, 0, (size_t)c->count * sizeof *a);
    }
}

static void fluid_rigid_accelerate(void *context, mo_twist *a)
{
    fluid_rigid *c = ((mo_coupling *)context)->state;
    for (int64_t k = 0; k < c->count; ++k) {
        c->wrench[k] = mo_wrench_add(c->solids[k].external, c->solids[k].contact);
    }
    fluid_rigid_respond(context, NULL, c->wrench, a);
}

static void fluid_rigid_kick(void *context, const mo_wrench *wrench, const mo_twist *a, double h)
{
    fluid_rigid *c = ((mo_coupling *)context)->state;
    for (int64_t k = 0; k < c->count && c->ready; ++k) {
        solid *s = &c->solids[k];
        s->velocity = mo_twist_add_scaled(s->velocity, h, a[k]);
        if (wrench) {
            s->fluid.force = mo_add_scaled(s->fluid.force, h / c->h, wrench[k].force);
            s->fluid.torque = mo_add_scaled(s->fluid.torque, h / c->h, wrench[k].torque);
        }
    }
}

/* ---- create ---- */

static bool fluid_rigid_applies(const mo_world_def *def, const mo_system *a, const mo_system *b)
{
    const mo_body_def *bodies = def->bodies.items;
    bool any = false;
    if (!b || a->type != &mo_system_fluid || b->type != &mo_system_rigid) {
        return false;
    }
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        any = any || (mo_body_def_system(&bodies[k]) == b->type &&
                      mo_rigid_system_body_of(&bodies[k])->collides);
    }
    return any;
}

static mote_status check(const mo_coupling *coupling, mote_error *error)
{
    const mo_fluid *f = &((const mo_fluid_system *)coupling->a->state)->fluid;
    MO_TRY(mo_fluid_system_accepts_solids(coupling->a, error));
    if (f->dimension != mo_rigid_system_dimension(coupling->b)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "rigid.dimension: %d, but fluid.dimension is %d; both must be equal",
                       mo_rigid_system_dimension(coupling->b), f->dimension);
    }
    return MOTE_OK;
}

/* The shape of a prototype; several are a union, so that parts in contact have no boundary between
 * them. NULL type: made of a mesh or of particles. */
static mote_status shape_of(mo_coupling *coupling, const mo_rigid_prototype *p, mo_method *shape,
                            mote_error *error)
{
    const mo_rigid_body_def *own = p->def;
    *shape = own->shape;
    if (!own->shape.type && own->shapes.count > 0) {
        mo_list *list = mo_arena_allocate(coupling->host->arena, sizeof *list);
        if (!list) {
            return mo_fail_memory(error, sizeof *list);
        }
        *list = own->shapes;
        *shape = mo_csg_union(list);
    }
    return MOTE_OK;
}

static mote_status add_solid(mo_coupling *coupling, int64_t k, solid *s, mote_error *error)
{
    fluid_rigid *c = coupling->state;
    const mo_rigid_prototype *p = prototype_of(coupling, s);
    int like = -1;
    mo_collider collider = {.name = mo_system_body_name(coupling->b, s->row)};
    s->piece = -1;
    if (!p->def->collides) {
        return MOTE_OK;
    }
    for (int64_t j = k - 1; j >= 0 && like < 0; --j) {
        bool same = mo_rigid_system_prototype_of(coupling->b, c->solids[j].row) == p;
        like = same ? c->solids[j].piece : -1;
        if (!same) {
            break; /* copies follow each other */
        }
    }
    MO_TRY(shape_of(coupling, p, &collider.shape, error));
    if (!collider.shape.type) {
        mo_host_warn(coupling->host, 0, "fluid and mesh",
                     "rigid body '%.60s' is made of a mesh or particles, which the fluid passes "
                     "through; give it \"shape\": {\"type\": \"mesh\", ...} or \"shapes\"",
                     collider.name);
        return MOTE_OK;
    }
    return mo_fluid_system_add_solid(coupling->a, &collider, c->bodies[k].collider, like, &s->piece,
                                     error);
}

static mote_status add_solids(mo_coupling *coupling, mote_error *error)
{
    fluid_rigid *c = coupling->state;
    const mo_particle_columns *columns = &coupling->b->columns;
    for (int64_t k = 0; k < c->count; ++k) {
        solid *s = &c->solids[k];
        *s = (solid){.id = mo_i64(columns->id)[k],
                     .row = k,
                     .x = mo_vec3_load(mo_f64(columns->x) + 3 * k),
                     .q = mo_quat_load(mo_f64(columns->q) + 4 * k)};
        c->bodies[k].collider = (int)(coupling->host->colliders->count + k);
        mo_i64(mo_store_find(coupling->store, "id"))[k] = k;
        MO_TRY(add_solid(coupling, k, s, error));
    }
    return MOTE_OK;
}

static mote_status allocate(mo_coupling *coupling, mote_error *error)
{
    fluid_rigid *c = coupling->state;
    mo_memory *memory = coupling->host->memory;
    void *block;
    c->count = mo_store_owned(coupling->b->store);
    MO_TRY(mo_allocate_array(memory, c->count, sizeof *c->solids, &block, error));
    c->solids = block;
    MO_TRY(mo_allocate_array(memory, c->count, sizeof *c->bodies, &block, error));
    c->bodies = block;
    MO_TRY(mo_allocate_array(memory, c->count, sizeof *c->wrench, &block, error));
    c->wrench = block;
    MO_TRY(mo_store_create(memory, &coupling->store, error));
    for (int k = 0; k < COLUMNS; ++k) {
        MO_TRY(mo_store_declare(coupling->store, &SPECS[k], &c->column[k], error));
    }
    return mo_store_resize(coupling->store, c->count, c->count, error);
}

static mote_status build(mo_coupling *coupling, mote_error *error)
{
    fluid_rigid *c = coupling->state;
    int64_t removed;
    MO_TRY(allocate(coupling, error));
    MO_TRY(add_solids(coupling, error));
    c->responder = (mo_responder){.context = coupling,
                                  .count = (int)c->count,
                                  .bodies = c->bodies,
                                  .pose = fluid_rigid_pose,
                                  .accelerate = fluid_rigid_accelerate,
                                  .respond = fluid_rigid_respond,
                                  .kick = fluid_rigid_kick};
    return mo_fluid_system_couple(coupling->a, &c->responder, &removed, error);
}

static void fluid_rigid_destroy(mo_coupling *coupling)
{
    fluid_rigid *c = coupling->state;
    if (c) {
        mo_memory *memory = coupling->host->memory;
        mo_release(memory, c->solids);
        mo_release(memory, c->bodies);
        mo_release(memory, c->solid_of);
        mo_release(memory, c->wrench);
        mo_body_solve_release(&c->solve);
        if (coupling->store) {
            mo_store_destroy(coupling->store);
        }
        mo_release(memory, c);
    }
    coupling->store = NULL;
    coupling->state = NULL;
}

static mote_status fluid_rigid_create(const mo_world_def *def, mo_coupling *coupling,
                                      mote_error *error)
{
    (void)def;
    MO_TRY(check(coupling, error));
    fluid_rigid *c = mo_allocate(coupling->host->memory, sizeof *c);
    if (!c) {
        return mo_fail_memory(error, sizeof *c);
    }
    coupling->state = c;
    mo_body_solve_init(&c->solve, coupling->host->memory);
    return build(coupling, error);
}

/* ---- the equations of joints and contacts ---- */

/* The solid of a row of the rigid step; -1: a guest or the world. */
static int32_t solid_at(const mo_coupling *coupling, int32_t row)
{
    const fluid_rigid *c = coupling->state;
    return row >= 0 && row < mo_store_owned(coupling->b->store) ? c->solid_of[row] : -1;
}

static void mark(const mo_coupling *coupling, const int32_t body[2])
{
    fluid_rigid *c = coupling->state;
    for (int side = 0; side < 2; ++side) {
        int32_t k = solid_at(coupling, body[side]);
        if (k >= 0) {
            c->solids[k].constrained = true;
        }
    }
}

/* Adds a row unless both sides are prescribed. */
static void add_equation(const mo_coupling *coupling, mo_body_row row, int64_t *count)
{
    fluid_rigid *c = coupling->state;
    for (int side = 0; side < 2; ++side) {
        bool movable = row.body[side] >= 0 && c->bodies[row.body[side]].inverse_mass > 0;
        row.body[side] = movable ? row.body[side] : -1;
    }
    if (row.body[0] >= 0 || row.body[1] >= 0) {
        c->solve.rows[(*count)++] = row;
    }
}

/* Equations, and the limit that was active in the last step. Springs and motors are forces of the
 * prediction. */
static void add_joint(const mo_coupling *coupling, const mo_rigid_joint *joint, int64_t *count)
{
    const mo_rigid_step *step = mo_rigid_system_step_of(coupling->b);
    const mo_particle_columns *columns = &coupling->b->columns;
    int64_t own = mo_store_owned(coupling->b->store);
    mo_rigid_joint copy = *joint; /* the rows follow its angle */
    mo_rigid_joint_row rows[MO_JOINT_ROWS];
    mo_vec3 x[2] = {{0}};
    mo_quat q[2] = {mo_quat_identity(), mo_quat_identity()};
    for (int side = 0; side < 2; ++side) {
        int32_t body = joint->body[side];
        if (body >= own) {
            x[side] = step->guests[body - own].x;
            q[side] = step->guests[body - own].q;
        } else if (body >= 0) {
            x[side] = mo_vec3_load(mo_f64(columns->x) + 3 * (int64_t)body);
            q[side] = mo_quat_load(mo_f64(columns->q) + 4 * (int64_t)body);
        }
    }
    bool soft =
        joint->frequency > 0 && (joint->kind == MO_JOINT_BALL || joint->kind == MO_JOINT_FIXED);
    int n = soft ? 0 : mo_rigid_joint_rows(&copy, x, q, rows);
    for (int k = 0; k < n; ++k) {
        const mo_rigid_joint_row *r = &rows[k];
        bool equation = r->slot < MO_JOINT_LIMIT || joint->kind == MO_JOINT_FIXED;
        bool active = r->slot == MO_JOINT_LIMIT && joint->impulse[MO_JOINT_LIMIT] != 0;
        if (equation || active) {
            mo_body_row row = {
                {solid_at(coupling, joint->body[0]), solid_at(coupling, joint->body[1])},
                {{r->linear, r->angular[0]},
                 {mo_scale(-1, r->linear), mo_scale(-1, r->angular[1])}}};
            add_equation(coupling, row, count);
        }
    }
}

/* Points that have transmitted an impulse stay closed. */
static void add_contact(const mo_coupling *coupling, const mo_rigid_contact *contact,
                        int64_t *count)
{
    const fluid_rigid *c = coupling->state;
    for (int i = 0; i < contact->count; ++i) {
        mo_body_row row = {
            .body = {solid_at(coupling, contact->body[0]), solid_at(coupling, contact->body[1])}};
        for (int side = 0; side < 2 && contact->normal_impulse[i] > 0; ++side) {
            mo_vec3 n = mo_scale(side == 0 ? 1 : -1, contact->normal);
            if (row.body[side] >= 0) {
                mo_wrench_add_force(
                    &row.J[side], n,
                    mo_sub(contact->position[i][side], c->solids[row.body[side]].x));
            }
        }
        if (contact->normal_impulse[i] > 0) {
            add_equation(coupling, row, count);
        }
    }
}

static mote_status add_equations(mo_coupling *coupling, int64_t *count, mote_error *error)
{
    fluid_rigid *c = coupling->state;
    const mo_rigid_step *step = mo_rigid_system_step_of(coupling->b);
    *count = 0;
    MO_TRY(mo_body_solve_reserve_rows(
        &c->solve, MO_JOINT_ROWS * step->joint_count + MO_RIGID_POINTS * step->contact_count,
        error));
    for (int64_t k = 0; k < step->joint_count; ++k) {
        mark(coupling, step->joints[k].body);
        add_joint(coupling, &step->joints[k], count);
    }
    for (int64_t k = 0; k < step->contact_count; ++k) {
        if (step->contacts[k].count > 0) {
            mark(coupling, step->contacts[k].body);
            add_contact(coupling, &step->contacts[k], count);
        }
    }
    return MOTE_OK;
}

/* ---- a step ---- */

/* Of the wrenches of the last two steps, component by component, the smaller one where both have
 * one sign: an impact is not repeated. */
static mo_wrench predict_contact(const fluid_rigid *c, int64_t k)
{
    const double *last = values_of(c, CONTACT, k), *before = values_of(c, BEFORE, k);
    double p[6];
    for (int i = 0; i < 6; ++i) {
        double smaller = fabs(before[i]) < fabs(last[i]) ? before[i] : last[i];
        p[i] = last[i] * before[i] > 0 ? smaller : 0;
    }
    return (mo_wrench){mo_vec3_load(p), mo_vec3_load(p + 3)};
}

static mo_mat3 inverse_inertia(const mo_coupling *coupling, int64_t row)
{
    const mo_particle_columns *columns = &coupling->b->columns;
    const double *inertia = mo_f64(columns->inertia) + 3 * row;
    bool movable = mo_f64(columns->inverse_mass)[row] > 0,
         plane = mo_rigid_system_dimension(coupling->b) == 2;
    double d[3];
    for (int k = 0; k < 3; ++k) {
        d[k] = movable && (!plane || k == 2) ? 1 / inertia[k] : 0;
    }
    return mo_rigid_turned_diagonal(mo_quat_matrix(mo_quat_load(mo_f64(columns->q) + 4 * row)),
                                    mo_vec3_load(d));
}

static void begin_solid(const mo_coupling *coupling, int64_t k)
{
    fluid_rigid *c = coupling->state;
    const mo_particle_columns *columns = &coupling->b->columns;
    solid *s = &c->solids[k];
    mo_free_body *body = &c->bodies[k];
    s->constrained = false;
    s->fluid = s->external = s->contact = (mo_wrench){0};
    s->row = mo_rigid_system_find(coupling->b, s->id);
    body->inverse_mass = 0;
    body->inverse_inertia = (mo_mat3){0};
    s->velocity = s->start = (mo_twist){0};
    if (s->piece >= 0) {
        mo_fluid_system_show_solid(coupling->a, s->piece, s->row >= 0);
    }
    if (s->row < 0) {
        return;
    }
    mo_pose pose = mo_rigid_system_pose(coupling->b, s->row);
    s->x = pose.p;
    s->q = mo_quat_load(mo_f64(columns->q) + 4 * s->row);
    s->start = s->velocity = (mo_twist){pose.v, pose.w};
    c->solid_of[s->row] = (int32_t)k;
    if (mo_f64(columns->inverse_mass)[s->row] > 0) {
        body->inverse_mass = mo_f64(columns->inverse_mass)[s->row];
        body->inverse_inertia = inverse_inertia(coupling, s->row);
        s->external = (mo_wrench){
            mo_scale(mo_f64(columns->mass)[s->row], mo_vec3_load(mo_f64(columns->a) + 3 * s->row)),
            mo_vec3_load(mo_f64(columns->torque) + 3 * s->row)};
    }
}

static mote_status fluid_rigid_gather(mo_coupling *coupling, const mo_step_time *now,
                                      mote_error *error)
{
    fluid_rigid *c = coupling->state;
    int64_t rows = mo_store_owned(coupling->b->store), equations;
    c->time = now->time;
    c->h = now->h;
    c->ready = true;
    MO_TRY(coupling->b->type->evaluate(coupling->b, now->time, error));
    MO_TRY(mo_reserve(coupling->host->memory, &c->solid_of, &c->solid_of_capacity, rows,
                      sizeof *c->solid_of, error));
    for (int64_t k = 0; k < rows; ++k) {
        c->solid_of[k] = -1;
    }
    for (int64_t k = 0; k < c->count; ++k) {
        begin_solid(coupling, k);
    }
    MO_TRY(add_equations(coupling, &equations, error));
    for (int64_t k = 0; k < c->count; ++k) {
        c->solids[k].contact = c->solids[k].constrained ? predict_contact(c, k) : (mo_wrench){0};
    }
    return mo_body_solve_begin(&c->solve, c->count, c->bodies, equations, error);
}

static bool is_zero(mo_wrench w)
{
    return mo_dot(w.force, w.force) == 0 && mo_dot(w.torque, w.torque) == 0;
}

/* A free body: its velocities at the end, reached at the start; then no force acts. */
static mote_status move_free(const mo_coupling *coupling, const solid *s, const mo_free_body *body,
                             double h, mote_error *error)
{
    const mo_particle_columns *columns = &coupling->b->columns;
    double *v = mo_f64(columns->v) + 3 * s->row, *w = mo_f64(columns->w) + 3 * s->row;
    mo_wrench all = mo_wrench_add(s->fluid, s->external);
    mo_mat3 R = mo_quat_matrix(s->q);
    mo_vec3 turning = mo_mat3_apply(body->inverse_inertia, all.torque);
    mo_vec3_store(v, mo_add_scaled(mo_vec3_load(v), h * body->inverse_mass, all.force));
    mo_vec3 spin = mo_add_scaled(s->start.angular, h, turning);
    mo_vec3_store(w, mo_mat3_apply_transposed(R, spin));
    mo_rigid_system_turn(coupling->b, s->row);
    return mo_rigid_system_add_force(coupling->b, s->row, mo_scale(-1, s->external.force),
                                     mo_scale(-1, s->external.torque), error);
}

static mote_status fluid_rigid_scatter(mo_coupling *coupling, const mo_system *solved,
                                       const mo_step_time *now, mote_error *error)
{
    fluid_rigid *c = coupling->state;
    if (solved != coupling->a) {
        return MOTE_OK;
    }
    for (int64_t k = 0; k < c->count; ++k) {
        const solid *s = &c->solids[k];
        store_wrench(values_of(c, WRENCH, k), s->fluid);
        if (s->row < 0 || c->bodies[k].inverse_mass == 0 || is_zero(s->fluid)) {
            continue;
        }
        ((uint8_t *)coupling->b->columns.age->data)[s->row] = 0;
        MO_TRY(s->constrained ? mo_rigid_system_add_force(coupling->b, s->row, s->fluid.force,
                                                          s->fluid.torque, error)
                              : move_free(coupling, s, &c->bodies[k], now->h, error));
    }
    return MOTE_OK;
}

/* ---- after the step ---- */

/* I w in the frame of the world, of rotation R. */
static mo_vec3 spin_of(const mo_coupling *coupling, int64_t row, mo_quat q, mo_vec3 w)
{
    mo_mat3 R = mo_quat_matrix(q);
    mo_vec3 inertia = mo_vec3_load(mo_f64(coupling->b->columns.inertia) + 3 * row);
    return mo_mat3_apply(R, mo_multiply(inertia, mo_mat3_apply_transposed(R, w)));
}

static mo_wrench contact_wrench(const mo_coupling *coupling, const solid *s, double h)
{
    const mo_particle_columns *columns = &coupling->b->columns;
    mo_pose end = mo_rigid_system_pose(coupling->b, s->row);
    mo_quat q = mo_quat_load(mo_f64(columns->q) + 4 * s->row);
    mo_vec3 dv = mo_sub(end.v, s->start.linear),
            dl = mo_sub(spin_of(coupling, s->row, q, end.w),
                        spin_of(coupling, s->row, s->q, s->start.angular));
    mo_wrench all = {mo_scale(mo_f64(columns->mass)[s->row] / h, dv), mo_scale(1 / h, dl)};
    mo_wrench known = mo_wrench_add(s->external, s->fluid);
    return (mo_wrench){mo_sub(all.force, known.force), mo_sub(all.torque, known.torque)};
}

/* The difference of velocities at the farthest point of the body. */
static double residual_of(const mo_coupling *coupling, const solid *s)
{
    mo_pose end = mo_rigid_system_pose(coupling->b, s->row);
    mo_vec3 w = mo_sub(end.w, s->velocity.angular);
    return mo_length(mo_sub(end.v, s->velocity.linear)) +
           prototype_of(coupling, s)->shape.reach * mo_length(w);
}

static mote_status fluid_rigid_project(mo_coupling *coupling, const mo_step_time *now,
                                       mote_error *error)
{
    fluid_rigid *c = coupling->state;
    (void)error;
    c->residual = 0;
    for (int64_t k = 0; k < c->count; ++k) {
        const solid *s = &c->solids[k];
        bool moves = s->row >= 0 && c->bodies[k].inverse_mass > 0;
        mo_wrench contact = {0};
        if (moves && s->constrained) {
            contact = contact_wrench(coupling, s, now->h);
        }
        if (moves && !is_zero(s->fluid)) {
            c->residual = fmax(c->residual, residual_of(coupling, s));
        }
        memcpy(values_of(c, BEFORE, k), values_of(c, CONTACT, k), 6 * sizeof(double));
        store_wrench(values_of(c, CONTACT, k), contact);
    }
    return MOTE_OK;
}

static int fluid_rigid_numbers(const mo_coupling *coupling, mote_quantity *numbers)
{
    const fluid_rigid *c = coupling->state;
    numbers[0] = (mote_quantity){
        .name = "coupling_residual", .unit = "m/s", .reduction = MOTE_MAX, .value = c->residual};
    return 1;
}

const mo_coupling_type mo_coupling_fluid_rigid = {
    .base = {.name = "fluid_rigid", .summary = "Fluids with rigid bodies, both ways."},
    .applies = fluid_rigid_applies,
    .create = fluid_rigid_create,
    .destroy = fluid_rigid_destroy,
    .gather = fluid_rigid_gather,
    .scatter = fluid_rigid_scatter,
    .project = fluid_rigid_project,
    .numbers = fluid_rigid_numbers,
};
