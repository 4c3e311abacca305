/*
 * Joints of rigid bodies: the scene's `joints`, each between rows of given ids or a row and the
 * world. gather adds joints with existing bodies to the solver of the rigid system, with the
 * impulses of the previous step; project stores impulses and angles. They are the state of this
 * coupling, one row per joint.
 */
#include "host/coupling.h"
#include "system/rigid/def.h"
#include "system/rigid/rigid.h"

#include <stdlib.h>
#include <string.h>

typedef struct link {
    int64_t id[2]; /* -1: the world */
    mo_rigid_joint joint;
} link;

typedef struct joints {
    int64_t count, capacity;
    link *links;
    mo_column *impulse, *angle;
    int64_t first; /* in the list of the step */
} joints;

static const mo_column_spec IMPULSE = {"impulse", MOTE_F64, MO_JOINT_ROWS,
                                       MO_STATE,  "N s",    "impulses of a substep"};
static const mo_column_spec ANGLE = {"angle", MOTE_F64, 1, MO_STATE, "rad", "angle of a hinge"};

static const mo_rigid_def *def_of(const mo_world_def *def)
{
    return mo_rigid_def_of(def);
}

static bool rigid_joint_applies(const mo_world_def *def, const mo_system *a, const mo_system *b)
{
    return !b && a->type == &mo_system_rigid && def_of(def)->joints.count > 0;
}

static void rigid_joint_destroy(mo_coupling *coupling)
{
    joints *j = coupling->state;
    if (j) {
        mo_release(coupling->host->memory, j->links);
        if (coupling->store) {
            mo_store_destroy(coupling->store);
        }
        mo_release(coupling->host->memory, j);
    }
    coupling->store = NULL;
    coupling->state = NULL;
}

/* ---- from the scene ---- */

/* The rows of a body of the scene. */
static const mote_body *rows_of(const mo_world_def *def, const mo_system *system,
                                const mo_reference *reference)
{
    const mo_body_def *bodies = def->bodies.items;
    int64_t index = 0;
    for (int64_t k = 0; k < reference->index; ++k) {
        index += mo_body_def_system(&bodies[k]) == system->type;
    }
    return &system->bodies.list[index];
}

static mo_rigid_joint_kind kind_of(const char *type)
{
    static const char NAMES[] = "bhsfd"; /* ball, hinge, slider, fixed, distance */
    return (mo_rigid_joint_kind)(strchr(NAMES, type[0]) - NAMES);
}

/* A joint between two rows, or a row and the world (-1), at a position shifted by `offset`. */
static mote_status add_link(mo_coupling *coupling, const mo_joint_def *def, const int64_t row[2],
                            mo_vec3 offset, mote_error *error)
{
    joints *j = coupling->state;
    const mo_particle_columns *c = &coupling->a->columns;
    MO_TRY(mo_make_room(coupling->host->memory, &j->links, &j->capacity, j->count + 1,
                        sizeof *j->links, error));
    link *l = &j->links[j->count++];
    int32_t body[2] = {(int32_t)row[0], (int32_t)row[1]};
    mo_vec3 x[2] = {{0, 0, 0}, {0, 0, 0}};
    mo_quat q[2] = {mo_quat_identity(), mo_quat_identity()};
    for (int k = 0; k < 2; ++k) {
        l->id[k] = row[k] < 0 ? -1 : mo_i64(c->id)[row[k]];
        if (row[k] >= 0) {
            x[k] = mo_vec3_load(mo_f64(c->x) + 3 * row[k]);
            q[k] = mo_quat_load(mo_f64(c->q) + 4 * row[k]);
        }
    }
    mo_vec3 other = isnan(def->other.x) ? def->point : def->other;
    l->joint = mo_rigid_joint_make(kind_of(def->type), body, x, q, mo_add(def->point, offset),
                                   mo_add(other, offset), mo_unit(def->axis, def->axis));
    mo_rigid_joint *out = &l->joint;
    out->rest = isnan(def->rest) ? out->rest : def->rest;
    out->rope = def->rope;
    double upper = isnan(def->upper) && def->rope ? out->rest : def->upper;
    out->limited = !isnan(def->lower) || !isnan(upper);
    out->lower = isnan(def->lower) ? (out->kind == MO_JOINT_DISTANCE ? 0 : -INFINITY) : def->lower;
    out->upper = isnan(upper) ? INFINITY : upper;
    out->motor = !isnan(def->motor_speed);
    out->motor_speed = out->motor ? def->motor_speed : 0;
    out->motor_maximum = isnan(def->motor_maximum) ? INFINITY : def->motor_maximum;
    out->frequency = def->frequency;
    out->damping_ratio = def->damping_ratio;
    out->collide = def->collide;
    return MOTE_OK;
}

/* The row of a body that a joint is attached to. */
static mote_status find_row(const mo_joint_def *def, const mote_body *body, int64_t k, int64_t *row,
                            mote_error *error)
{
    const int64_t *copies = def->copies.items;
    int64_t copy = k < def->copies.count ? copies[k] : 0;
    if (copy >= body->count || copy < -body->count) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "copies[%lld]: '%.60s' has no copy %lld, the last is %lld", (long long)k,
                       body->name, (long long)copy, (long long)body->count - 1);
    }
    *row = body->first + (copy < 0 ? body->count + copy : copy);
    return MOTE_OK;
}

static mote_status add_joint(mo_coupling *coupling, const mo_world_def *def,
                             const mo_joint_def *joint, mote_error *error)
{
    const mo_reference *to = joint->bodies.items;
    const mote_body *first = rows_of(def, coupling->a, &to[0]);
    const double *x = mo_f64(coupling->a->columns.x);
    mo_vec3 zero = {0, 0, 0};
    int64_t row[2] = {-1, -1};
    for (int64_t k = 0; joint->chain && k + 1 < first->count; ++k) {
        int64_t pair[2] = {first->first + k, first->first + k + 1};
        mo_vec3 offset = mo_sub(mo_vec3_load(x + 3 * pair[0]), mo_vec3_load(x + 3 * first->first));
        MO_TRY(add_link(coupling, joint, pair, offset, error));
    }
    if (joint->chain) {
        return first->count > 1
                   ? MOTE_OK
                   : mo_fail(error, MOTE_ERROR_INPUT,
                             "chain: '%.60s' has one copy only; give it copies", first->name);
    }
    for (int64_t k = 0; k < joint->bodies.count; ++k) {
        MO_TRY(find_row(joint, rows_of(def, coupling->a, &to[k]), k, &row[k], error));
    }
    if (row[0] == row[1]) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "bodies: '%.60s' is joined to itself; a joint needs two different bodies, "
                       "or one for a joint to the world",
                       first->name);
    }
    const double *inverse_mass = mo_f64(coupling->a->columns.inverse_mass);
    if (!(inverse_mass[row[0]] > 0) && !(row[1] >= 0 && inverse_mass[row[1]] > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "bodies: neither body of the joint is free to move");
    }
    return add_link(coupling, joint, row, zero, error);
}

static mote_status fill(mo_coupling *coupling, const mo_world_def *def, mote_error *error)
{
    joints *j = coupling->state;
    const mo_joint_def *list = def_of(def)->joints.items;
    MO_TRY(mo_store_create(coupling->host->memory, &coupling->store, error));
    MO_TRY(mo_store_declare(coupling->store, &IMPULSE, &j->impulse, error));
    MO_TRY(mo_store_declare(coupling->store, &ANGLE, &j->angle, error));
    for (int64_t k = 0; k < def_of(def)->joints.count; ++k) {
        mote_status status = add_joint(coupling, def, &list[k], error);
        MO_TRY(mo_at_path(status, error, "joints[%lld].", k));
    }
    MO_TRY(mo_store_resize(coupling->store, j->count, j->count, error));
    for (int64_t k = 0; k < j->count; ++k) {
        mo_i64(mo_store_find(coupling->store, "id"))[k] = k;
        mo_f64(j->angle)[k] = j->links[k].joint.angle;
    }
    return MOTE_OK;
}

static mote_status rigid_joint_create(const mo_world_def *def, mo_coupling *coupling,
                                      mote_error *error)
{
    coupling->state = mo_allocate(coupling->host->memory, sizeof(joints));
    if (!coupling->state) {
        return mo_fail_memory(error, sizeof(joints));
    }
    mote_status status = fill(coupling, def, error);
    if (status != MOTE_OK) {
        rigid_joint_destroy(coupling);
    }
    return status;
}

/* ---- a step ---- */

static int compare_pairs(const void *a, const void *b)
{
    uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return (p > q) - (p < q);
}

static bool find_rows(const mo_system *system, const link *l, int32_t row[2])
{
    for (int k = 0; k < 2; ++k) {
        int64_t found = l->id[k] < 0 ? -1 : mo_rigid_find(system, l->id[k]);
        if (l->id[k] >= 0 && found < 0) {
            return false;
        }
        row[k] = (int32_t)found;
    }
    return true;
}

static mote_status rigid_joint_gather(mo_coupling *coupling, const mo_step_time *now,
                                      mote_error *error)
{
    joints *j = coupling->state;
    mo_rigid_step *step = mo_rigid_step_of(coupling->a);
    (void)now;
    MO_TRY(mo_rigid_reserve(coupling->a, 0, 0, j->count, error));
    MO_TRY(mo_make_room(coupling->host->memory, &step->apart, &step->apart_capacity,
                        step->apart_count + j->count, sizeof *step->apart, error));
    j->first = step->joint_count;
    for (int64_t k = 0; k < j->count; ++k) {
        mo_rigid_joint joint = j->links[k].joint;
        if (!find_rows(coupling->a, &j->links[k], joint.body)) {
            continue; /* one of its bodies was removed */
        }
        memcpy(joint.impulse, mo_f64(j->impulse) + MO_JOINT_ROWS * k, sizeof joint.impulse);
        joint.angle = mo_f64(j->angle)[k];
        step->joints[step->joint_count++] = joint;
        if (!joint.collide && joint.body[0] >= 0 && joint.body[1] >= 0) {
            step->apart[step->apart_count++] = mo_rigid_pair(joint.body[0], joint.body[1]);
        }
    }
    qsort(step->apart, (size_t)step->apart_count, sizeof *step->apart, compare_pairs);
    return MOTE_OK;
}

static mote_status rigid_joint_project(mo_coupling *coupling, const mo_step_time *now,
                                       mote_error *error)
{
    joints *j = coupling->state;
    const mo_rigid_joint *joint = mo_rigid_step_of(coupling->a)->joints + j->first;
    (void)now, (void)error;
    for (int64_t k = 0; k < j->count; ++k) {
        int32_t row[2];
        if (find_rows(coupling->a, &j->links[k], row)) {
            memcpy(mo_f64(j->impulse) + MO_JOINT_ROWS * k, joint->impulse, sizeof joint->impulse);
            mo_f64(j->angle)[k] = joint->angle;
            ++joint;
        }
    }
    return MOTE_OK;
}

const mo_coupling_type mo_coupling_rigid_joint = {
    .base = {.name = "rigid_joint", .summary = "Joints of rigid bodies."},
    .applies = rigid_joint_applies,
    .create = rigid_joint_create,
    .destroy = rigid_joint_destroy,
    .gather = rigid_joint_gather,
    .project = rigid_joint_project,
};
