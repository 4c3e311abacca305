#include "system/rigid/rigid.h"

#include "host/orientation.h"
#include "integrate/rotation.h"
#include "system/rigid/state.h"

#include <string.h>

/* ---- for couplings ---- */

mo_rigid_step *mo_rigid_system_step_of(const mo_system *system)
{
    return &((mo_rigid *)system->state)->step;
}

const mo_rigid_prototype *mo_rigid_system_prototype_of(const mo_system *system, int64_t row)
{
    const mo_rigid *rigid = system->state;
    return &rigid->prototypes[((const int32_t *)system->columns.body->data)[row]];
}

int mo_rigid_system_dimension(const mo_system *system)
{
    return (int)((const mo_rigid *)system->state)->settings.dimension;
}

double mo_rigid_system_margin(const mo_system *system)
{
    return ((const mo_rigid *)system->state)->margin;
}

int mo_rigid_system_substeps(const mo_system *system)
{
    return (int)((const mo_rigid *)system->state)->settings.substeps;
}

int64_t mo_rigid_system_find(const mo_system *system, int64_t id)
{
    const int64_t *ids = mo_i64(system->columns.id);
    int64_t low = 0, high = mo_store_owned(system->store);
    if (id >= 0 && id < high && ids[id] == id) {
        return id; /* nothing was removed */
    }
    while (low < high) { /* rows keep their order, so ids ascend */
        int64_t middle = low + (high - low) / 2;
        if (ids[middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < mo_store_owned(system->store) && ids[low] == id ? low : -1;
}

bool mo_rigid_system_apart(const mo_rigid_step *step, int64_t a, int64_t b)
{
    uint64_t wanted = mo_rigid_system_pair(a, b);
    int64_t low = 0, high = step->apart_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (step->apart[middle] < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < step->apart_count && step->apart[low] == wanted;
}

mo_pose mo_rigid_system_pose(const mo_system *system, int64_t row)
{
    const mo_particle_columns *c = &system->columns;
    mo_mat3 R = mo_quat_matrix(mo_quat_load(mo_f64(c->q) + 4 * row));
    return (mo_pose){.R = R,
                     .p = mo_vec3_load(mo_f64(c->x) + 3 * row),
                     .v = mo_vec3_load(mo_f64(c->v) + 3 * row),
                     .w = mo_mat3_apply(R, mo_vec3_load(mo_f64(c->w) + 3 * row))};
}

mote_status mo_rigid_system_reserve(mo_system *system, int64_t contacts, int64_t guests,
                                    int64_t joints, mote_error *error)
{
    mo_rigid_step *s = mo_rigid_system_step_of(system);
    mo_memory *memory = system->host->memory;
    MO_TRY(mo_reserve(memory, &s->contacts, &s->contact_capacity, s->contact_count + contacts,
                      sizeof *s->contacts, error));
    MO_TRY(mo_reserve(memory, &s->guests, &s->guest_capacity, s->guest_count + guests,
                      sizeof *s->guests, error));
    return mo_reserve(memory, &s->joints, &s->joint_capacity, s->joint_count + joints,
                      sizeof *s->joints, error);
}

mote_status mo_rigid_system_add_force(mo_system *system, int64_t row, mo_vec3 force, mo_vec3 torque,
                                      mote_error *error)
{
    mo_rigid_step *s = mo_rigid_system_step_of(system);
    int64_t rows = mo_store_owned(system->store);
    if (s->added_count == 0) {
        MO_TRY(mo_reserve(system->host->memory, &s->added_forces, &s->added_capacity, 6 * rows,
                          sizeof(double), error));
        memset(s->added_forces, 0, (size_t)(6 * rows) * sizeof(double));
        s->added_count = rows;
    }
    double *p = s->added_forces + 6 * row;
    mo_vec3_store(p, mo_add(mo_vec3_load(p), force));
    mo_vec3_store(p + 3, mo_add(mo_vec3_load(p + 3), torque));
    return MOTE_OK;
}

void mo_rigid_system_turn(mo_system *system, int64_t row)
{
    const mo_particle_columns *c = &system->columns;
    mo_quat q = mo_quat_load(mo_f64(c->q) + 4 * row);
    mo_vec3 w = mo_vec3_load(mo_f64(c->w) + 3 * row);
    mo_quat_store(mo_f64(c->q_rate) + 4 * row, mo_rotation_rate(q, w));
}

/* ---- the solver's arrays ---- */

enum { X = 0, Q = 3, V = 7, W = 10, MASS = 13, MOMENTS = 14, A = 17, TORQUE = 20, WIDTH = 23 };

static mote_status bind_arrays(mo_rigid *rigid, mote_error *error)
{
    int64_t count = mo_store_owned(rigid->system->store) + rigid->step.guest_count;
    MO_TRY(mo_reserve(rigid->system->host->memory, &rigid->arrays, &rigid->array_capacity,
                      WIDTH * count, sizeof(double), error));
    double *p = rigid->arrays;
    rigid->bodies = (mo_rigid_bodies){.count = count,
                                      .x = p + X * count,
                                      .q = p + Q * count,
                                      .v = p + V * count,
                                      .w = p + W * count,
                                      .inverse_mass = p + MASS * count,
                                      .inverse_moments = p + MOMENTS * count,
                                      .acceleration = p + A * count,
                                      .torque = p + TORQUE * count};
    return MOTE_OK;
}

static void enter_row(const mo_rigid *rigid, int64_t row)
{
    const mo_particle_columns *c = &rigid->system->columns;
    int64_t count = rigid->bodies.count;
    double *p = rigid->arrays, *moments = p + MOMENTS * count + 3 * row;
    const double *inertia = mo_f64(c->inertia) + 3 * row;
    double inverse_mass = mo_f64(c->inverse_mass)[row];
    bool plane = rigid->settings.dimension == 2;
    mo_mat3 R = mo_quat_matrix(mo_quat_load(mo_f64(c->q) + 4 * row));
    memcpy(p + X * count + 3 * row, mo_f64(c->x) + 3 * row, 3 * sizeof(double));
    memcpy(p + Q * count + 4 * row, mo_f64(c->q) + 4 * row, 4 * sizeof(double));
    memcpy(p + V * count + 3 * row, mo_f64(c->v) + 3 * row, 3 * sizeof(double));
    mo_vec3_store(p + W * count + 3 * row, mo_mat3_apply(R, mo_vec3_load(mo_f64(c->w) + 3 * row)));
    p[MASS * count + row] = inverse_mass;
    for (int k = 0; k < 3; ++k) {
        moments[k] = inverse_mass > 0 && (!plane || k == 2) ? 1 / inertia[k] : 0;
    }
    memcpy(p + A * count + 3 * row, mo_f64(c->a) + 3 * row, 3 * sizeof(double));
    memcpy(p + TORQUE * count + 3 * row, mo_f64(c->torque) + 3 * row, 3 * sizeof(double));
}

/* Kinematic bodies move to their next pose at constant velocities. */
static void enter_kinematic(const mo_rigid *rigid, double h)
{
    const mo_particle_columns *c = &rigid->system->columns;
    const mo_rigid_bodies *b = &rigid->bodies;
    for (int64_t row = 0; row < mo_store_owned(rigid->system->store); ++row) {
        if (mo_motion_moves(mo_rigid_system_prototype_of(rigid->system, row)->motion)) {
            mo_quat turn = mo_quat_product(mo_quat_load(mo_f64(c->q) + 4 * row),
                                           mo_quat_conjugate(mo_quat_load(b->q + 4 * row)));
            mo_vec3 d = mo_sub(mo_vec3_load(mo_f64(c->x) + 3 * row), mo_vec3_load(b->x + 3 * row));
            mo_vec3_store(b->v + 3 * row, mo_scale(1 / h, d));
            mo_vec3_store(b->w + 3 * row, mo_scale(1 / h, mo_quat_logarithm(turn)));
        }
    }
}

static void enter_guest(const mo_rigid *rigid, int64_t guest, int64_t row)
{
    const mo_rigid_guest *g = &rigid->step.guests[guest];
    int64_t count = rigid->bodies.count;
    double *p = rigid->arrays;
    mo_vec3 zero = {0, 0, 0};
    mo_vec3_store(p + X * count + 3 * row, g->x);
    mo_quat_store(p + Q * count + 4 * row, g->q);
    mo_vec3_store(p + V * count + 3 * row, g->v);
    mo_vec3_store(p + W * count + 3 * row, g->w);
    p[MASS * count + row] = g->inverse_mass;
    mo_vec3_store(p + MOMENTS * count + 3 * row, zero);
    mo_vec3_store(p + A * count + 3 * row, g->acceleration);
    mo_vec3_store(p + TORQUE * count + 3 * row, zero);
}

static void enter_range(void *context, int64_t first, int64_t last)
{
    const mo_rigid *rigid = context;
    int64_t own = mo_store_owned(rigid->system->store);
    for (int64_t row = first; row < last; ++row) {
        if (row < own) {
            enter_row(rigid, row);
        } else {
            enter_guest(rigid, row - own, row);
        }
    }
}

/* Removes the rounding across the plane of a two-dimensional world. */
static void keep_plane(const mo_rigid_bodies *b, int64_t row, double z)
{
    mo_quat q = mo_quat_load(b->q + 4 * row);
    q.x = q.y = 0;
    mo_quat_store(b->q + 4 * row, mo_quat_normalize(q));
    b->x[3 * row + 2] = z;
    b->v[3 * row + 2] = b->w[3 * row] = b->w[3 * row + 1] = 0;
}

/* Rows that the solver has advanced. */
static void leave_range(void *context, int64_t first, int64_t last)
{
    const mo_rigid *rigid = context;
    const mo_particle_columns *c = &rigid->system->columns;
    const mo_rigid_bodies *b = &rigid->bodies;
    int64_t own = mo_store_owned(rigid->system->store);
    for (int64_t row = first; row < last; ++row) {
        if (!mo_rigid_solver_advances(rigid->solver, row)) {
            continue;
        }
        if (row >= own) {
            mo_rigid_guest *g = &rigid->step.guests[row - own];
            g->x = mo_vec3_load(b->x + 3 * row);
            g->v = mo_vec3_load(b->v + 3 * row);
            continue;
        }
        if (rigid->settings.dimension == 2) {
            keep_plane(b, row, mo_f64(rigid->start)[3 * row + 2]);
        }
        mo_quat q = mo_quat_load(b->q + 4 * row);
        mo_vec3 w = mo_mat3_apply_transposed(mo_quat_matrix(q), mo_vec3_load(b->w + 3 * row));
        memcpy(mo_f64(c->x) + 3 * row, b->x + 3 * row, 3 * sizeof(double));
        memcpy(mo_f64(c->v) + 3 * row, b->v + 3 * row, 3 * sizeof(double));
        mo_quat_store(mo_f64(c->q) + 4 * row, q);
        mo_quat_store(mo_f64(c->q_rate) + 4 * row, mo_rotation_rate(q, w));
        mo_vec3_store(mo_f64(c->w) + 3 * row, w);
        ((uint8_t *)c->age->data)[row] = 0; /* its acceleration belongs to no integrator */
    }
}

/* ---- the step ---- */

enum { GRAIN = 256 };

static mote_status rigid_begin(mo_system *system, const mo_step_time *now, mote_error *error)
{
    mo_rigid_step *step = mo_rigid_system_step_of(system);
    (void)now, (void)error;
    step->contact_count = step->guest_count = step->joint_count = step->apart_count = 0;
    step->added_count = 0;
    return MOTE_OK;
}

/* Contacts and joints: the forces at the start act through the step. */
static mote_status begin_solver(mo_rigid *rigid, const mo_step_time *now, mote_error *error)
{
    mo_rigid_step *s = &rigid->step;
    MO_TRY(mo_rigid_system_evaluate(rigid->system, now->time, error));
    MO_TRY(bind_arrays(rigid, error));
    mo_parallel_for(rigid->system->host->pool, rigid->bodies.count, GRAIN, enter_range, rigid);
    mo_rigid_solver_geometry(rigid->solver, s->geometry);
    return mo_rigid_solver_begin(rigid->solver, &rigid->bodies, s->contacts, s->contact_count,
                                 s->joints, s->joint_count, error);
}

/* Whether the solver advances every body that can move: in a pile at rest the integrator has
 * nothing to do. */
static bool all_constrained(const mo_rigid *rigid)
{
    const double *inverse_mass = mo_f64(rigid->system->columns.inverse_mass);
    for (int64_t row = 0; row < mo_store_owned(rigid->system->store); ++row) {
        if (inverse_mass[row] > 0 && !mo_rigid_solver_advances(rigid->solver, row)) {
            return false;
        }
    }
    return true;
}

static mote_status rigid_solve(mo_system *system, const mo_step_time *now, mote_error *error)
{
    mo_rigid *rigid = system->state;
    mo_stages *stages = system->host->stages;
    bool constrained = rigid->step.contact_count + rigid->step.joint_count > 0;
    if (constrained) {
        MO_TRY(begin_solver(rigid, now, error));
        mo_stage_end(stages, rigid->stage_solve);
    }
    if (constrained && all_constrained(rigid)) {
        const mo_particle_columns *c = &system->columns;
        mo_rigid_system_prescribe(rigid, now->end, mo_f64(c->x), mo_f64(c->v), mo_f64(c->q),
                                  mo_f64(c->q_rate));
    } else {
        MO_TRY(mo_rigid_system_advance_free(rigid, now, error));
    }
    if (constrained) {
        enter_kinematic(rigid, now->h);
    }
    mo_system_count_age(system);
    mo_stage_end(stages, rigid->stage_free);
    if (constrained) {
        MO_TRY(mo_rigid_solver_advance(rigid->solver, now->h, error));
        mo_parallel_for(system->host->pool, rigid->bodies.count, GRAIN, leave_range, rigid);
        mo_stage_end(stages, rigid->stage_solve);
    }
    rigid->step.added_count = 0;
    return MOTE_OK;
}

static void disturb(mo_system *system)
{
    const mo_rigid *rigid = system->state;
    memset(system->columns.age->data, 0, (size_t)mo_store_owned(system->store));
    if (rigid->matrix) { /* q and q_rate may have been written; R follows at the next step */
        mo_orientation_finish(system);
    }
}

/* ---- numbers ---- */

/* Points that transmit an impulse at the end of the step. */
static int64_t loaded_points(const mo_rigid_step *step)
{
    int64_t points = 0;
    for (int64_t k = 0; k < step->contact_count; ++k) {
        for (int i = 0; i < step->contacts[k].count; ++i) {
            points += step->contacts[k].normal_impulse[i] > 0;
        }
    }
    return points;
}

static int rigid_numbers(const mo_system *system, mote_quantity *numbers)
{
    const mo_rigid *rigid = system->state;
    bool any = rigid->step.contact_count + rigid->step.joint_count > 0;
    mo_rigid_report none = {0}, r = any ? *mo_rigid_solver_report(rigid->solver) : none;
    const mote_quantity list[] = {
        {.name = "manifolds", .unit = "1", .reduction = MOTE_LAST, .value = (double)r.contacts},
        {.name = "contact_points",
         .unit = "1",
         .reduction = MOTE_LAST,
         .value = (double)loaded_points(&rigid->step)},
        {.name = "islands", .unit = "1", .reduction = MOTE_LAST, .value = (double)r.islands},
        {.name = "impacts", .unit = "1", .reduction = MOTE_SUM, .value = (double)r.impacts},
        {.name = "penetration_max", .unit = "m", .reduction = MOTE_MAX, .value = r.penetration_max},
        {.name = "penetration_mean",
         .unit = "m",
         .reduction = MOTE_MEAN,
         .value = r.penetration_mean},
        {.name = "joint_error", .unit = "m", .reduction = MOTE_MAX, .value = r.joint_error},
        {.name = "solver_iterations", .unit = "1", .reduction = MOTE_MEAN, .value = r.iterations},
        {.name = "rotation_drift", .unit = "1", .reduction = MOTE_MAX, .value = rigid->drift}};
    int count = (int)(sizeof list / sizeof *list) - !rigid->matrix;
    memcpy(numbers, list, (size_t)count * sizeof *list);
    return count;
}

/* ---- advice ---- */

static mote_status no_stiffness(mo_system *system, double time, double *square, mote_error *error)
{
    (void)system, (void)time, (void)error;
    *square = 0;
    return MOTE_OK;
}

static mote_status damping_of(mo_system *system, double time, double *rate, mote_error *error)
{
    const mo_rigid *rigid = system->state;
    (void)time, (void)error;
    *rate = 0;
    for (int64_t k = 0; k < rigid->prototype_count; ++k) {
        const mo_rigid_body_def *def = rigid->prototypes[k].def;
        *rate = fmax(*rate, fmax(def->linear_damping, def->angular_damping));
    }
    return MOTE_OK;
}

/* The frequency of a rotating body is its angular velocity. */
static mote_status motion_of(mo_system *system, double time, double frame, double *square,
                             mote_error *error)
{
    (void)time, (void)frame, (void)error;
    *square = 0;
    for (int64_t row = 0; row < mo_store_owned(system->store); ++row) {
        mo_vec3 w = mo_vec3_load(mo_f64(system->columns.w) + 3 * row);
        *square = fmax(*square, mo_dot(w, w));
    }
    return MOTE_OK;
}

static mo_method integrator_of(const mo_system *system)
{
    return ((const mo_rigid *)system->state)->integrator;
}

static bool never(const mo_system *system)
{
    (void)system;
    return false;
}

static mo_newton_count solved_of(const mo_system *system)
{
    return ((const mo_rigid *)system->state)->solved;
}

static const mo_stability_hooks STABILITY = {.stiffness = no_stiffness,
                                             .damping = damping_of,
                                             .motion = motion_of,
                                             .integrator = integrator_of,
                                             .first_order = never,
                                             .has_explicit = never,
                                             .solved = solved_of};

static void budget(const mo_system *system, const mo_world_def *def, mo_energy_budget *budget)
{
    const mo_rigid *rigid = system->state;
    const mo_joint_def *joints = mo_rigid_system_def_of(def)->joints.items;
    for (int64_t k = 0; k < rigid->prototype_count; ++k) {
        const mo_rigid_prototype *p = &rigid->prototypes[k];
        bool work = p->def->applied.count > 0 || p->motion.type != NULL;
        budget->open = budget->open || work;
    }
    for (int64_t k = 0; k < mo_rigid_system_def_of(def)->joints.count; ++k) {
        budget->open = budget->open || !isnan(joints[k].motor_speed);
        budget->stores = budget->stores || joints[k].frequency > 0;
    }
    budget->open = budget->open || rigid->matrix; /* its energy grows by design */
    for (int k = 1; k < rigid->force_count; ++k) {
        budget->open = budget->open || rigid->forces[k].open || !rigid->forces[k].type->energy;
    }
}

static mote_status added(mo_system *system, int64_t first, mote_error *error)
{
    mo_rigid *rigid = system->state;
    (void)error;
    if (rigid->matrix) {
        mo_rotation_matrix_begin(rigid, first);
    }
    return MOTE_OK;
}

static const mo_edit_hooks EDIT = {.added = added};

static bool rigid_wanted(const mo_world_def *def)
{
    return mo_world_def_has_bodies(def, &mo_system_rigid);
}

static const char *const KINDS[] = {"rigid", NULL};
static const mo_report_hooks REPORTED = {.kinds = KINDS};

const mo_system_type mo_system_rigid = {
    .base = {.name = "rigid", .summary = "Rigid bodies with contacts and joints."},
    .section = &mo_rigid_system_section,
    .body_section = &mo_rigid_system_body_section,
    .models = &mo_rigid_system_models,
    .observables = &mo_rigid_system_observables,
    .shapes = true,
    .check = mo_rigid_system_def_check,
    .wanted = rigid_wanted,
    .create = mo_rigid_system_create,
    .destroy = mo_rigid_system_release,
    .begin = rigid_begin,
    .solve = rigid_solve,
    .evaluate = mo_rigid_system_evaluate,
    .disturb = disturb,
    .measure = mo_rigid_system_measure,
    .numbers = rigid_numbers,
    .budget = budget,
    .remedy = "an angular velocity that the time step does not resolve, or an applied force; try a "
              "smaller time.step",
    .edit = &EDIT,
    .stability = &STABILITY,
    .reported = &REPORTED,
    .drawing = &mo_rigid_system_drawing,
};
