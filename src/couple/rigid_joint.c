/*
 * Joints of rigid bodies: the scene's `joints`, between bodies, a body and a collider or the world
 * (b is NULL), and between bodies and nodes of a deformable system b.
 *
 * gather adds the joints whose bodies exist to the solver of the rigid system, with the impulses of
 * the previous step. Moving colliders and nodes are guests of its step: a collider moves to its
 * next pose at constant velocities, so that joints are closed at the end of the step; a node is a
 * point mass, which couple/rigid_particle.c moves. project stores impulses, forces and errors. They
 * are the state of this coupling, one row per joint.
 */
#include "couple/joint_links.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRAIN = 256 };
enum { IMPULSE, ANGLE, FORCE, TORQUE, POINT, COORDINATE, ERRORS, COLUMNS };

static const mo_column_spec SPECS[COLUMNS] = {
    {"impulse", MOTE_F64, MO_JOINT_ROWS, MO_STATE, "N s", "impulses of a substep"},
    {"angle", MOTE_F64, 1, MO_STATE, "rad", "angle of a hinge"},
    {"force", MOTE_F64, 3, MO_STATE, "N", "mean force of the last step on the first body"},
    {"torque", MOTE_F64, 3, MO_STATE, "N m", "mean torque on it about the joint's point"},
    {"point", MOTE_F64, 3, MO_STATE, "m", "the joint's point on the first body"},
    {"coordinate", MOTE_F64, 1, MO_STATE, "rad or m", "angle, displacement or distance"},
    {"errors", MOTE_F64, 2, MO_STATE, "m, rad", "of positions and of angles"}};

typedef struct joints {
    mo_joint_links links;
    mo_column *column[COLUMNS];
    int64_t first_guest; /* in the list of the step */
    mo_reactions reactions;
} joints;

static double *values_of(const joints *j, int column, int64_t row)
{
    return mo_f64(j->column[column]) + (int64_t)SPECS[column].components * row;
}

static bool rigid_joint_applies(const mo_world_def *def, const mo_system *a, const mo_system *b)
{
    return a->type == &mo_system_rigid && b != a && (!b || mo_system_sums_contacts(b)) &&
           mo_joint_links_wanted(def, b);
}

static void rigid_joint_destroy(mo_coupling *coupling)
{
    joints *j = coupling->state;
    if (j) {
        mo_release(coupling->host->memory, j->links.list);
        mo_reactions_release(&j->reactions);
        if (coupling->store) {
            mo_store_destroy(coupling->store);
        }
        mo_release(coupling->host->memory, j);
    }
    coupling->store = NULL;
    coupling->state = NULL;
}

static mote_status name_links(mo_coupling *coupling, mote_error *error)
{
    joints *j = coupling->state;
    for (int64_t k = 0; k < j->links.count; ++k) {
        mo_joint_link *l = &j->links.list[k];
        char name[32];
        snprintf(name, sizeof name, "joint%lld", (long long)l->def);
        l->name = l->name ? l->name : mo_arena_text(coupling->host->arena, name);
        if (!l->name) {
            return mo_fail_memory(error, sizeof name);
        }
    }
    return MOTE_OK;
}

/* The impulse of a joint acts on the neighbours of its node within an implicit step, which the
 * solver of joints does not know: energy grows. */
static mote_status refuse_implicit(const mo_coupling *coupling, mote_error *error)
{
    const joints *j = coupling->state;
    const mo_stability_hooks *hooks = coupling->b ? coupling->b->type->stability : NULL;
    const mo_descriptor *scheme = hooks ? hooks->integrator(coupling->b).type : NULL;
    if (j->links.count == 0 || !scheme || !(scheme->capabilities & MO_IMPLICIT)) {
        return MOTE_OK;
    }
    return mo_fail(error, MOTE_ERROR_INPUT,
                   "integrator: '%s' does not support joints to nodes (joints[%lld]); use "
                   "'velocity_verlet' (the default), or another explicit integrator",
                   scheme->name, (long long)j->links.list[0].def);
}

static mote_status fill(mo_coupling *coupling, const mo_world_def *def, mote_error *error)
{
    joints *j = coupling->state;
    MO_TRY(mo_store_create(coupling->host->memory, &coupling->store, error));
    for (int k = 0; k < COLUMNS; ++k) {
        MO_TRY(mo_store_declare(coupling->store, &SPECS[k], &j->column[k], error));
    }
    MO_TRY(mo_joint_links_build(def, coupling, &j->links, error));
    MO_TRY(refuse_implicit(coupling, error));
    MO_TRY(name_links(coupling, error));
    MO_TRY(mo_store_resize(coupling->store, j->links.count, j->links.count, error));
    for (int64_t k = 0; k < j->links.count; ++k) {
        mo_i64(mo_store_find(coupling->store, "id"))[k] = k;
        *values_of(j, ANGLE, k) = j->links.list[k].joint.angle;
    }
    return MOTE_OK;
}

static mote_status rigid_joint_create(const mo_world_def *def, mo_coupling *coupling,
                                      mote_error *error)
{
    joints *j = mo_allocate(coupling->host->memory, sizeof(joints));
    if (!j) {
        return mo_fail_memory(error, sizeof(joints));
    }
    coupling->state = j;
    mo_reactions_init(&j->reactions, coupling->host->memory);
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

/* Joints in the order of their bodies give sorted pairs. */
static void sort_pairs(mo_rigid_step *step)
{
    int64_t k = 1;
    while (k < step->apart_count && step->apart[k - 1] <= step->apart[k]) {
        ++k;
    }
    if (k < step->apart_count) {
        qsort(step->apart, (size_t)step->apart_count, sizeof *step->apart, compare_pairs);
    }
}

/* A collider moves from its pose to the next at constant velocities. */
static mo_rigid_guest collider_guest(const mo_coupling *coupling, int64_t number,
                                     const mo_step_time *now)
{
    const mo_collider *collider = &coupling->host->colliders->list[number];
    mo_pose pose = mo_collider_pose_at(collider, now->time),
            next = mo_collider_pose_at(collider, now->end);
    mo_rigid_guest guest = {.x = pose.p, .q = mo_quat_of_matrix(pose.R)};
    mo_pose_mean_velocity(&pose, &next, now->h, &guest.v, &guest.w);
    return guest;
}

/* The guest of a node, shared by all its joints. */
static int64_t node_guest(mo_coupling *coupling, int64_t node)
{
    const joints *j = coupling->state;
    const mo_particle_columns *c = &coupling->b->columns;
    mo_rigid_step *step = mo_rigid_system_step_of(coupling->a);
    for (int64_t k = j->first_guest; k < step->guest_count; ++k) {
        if (step->guests[k].node == node) {
            return k;
        }
    }
    step->guests[step->guest_count] =
        (mo_rigid_guest){.x = mo_vec3_load(mo_f64(c->x) + 3 * node),
                         .v = mo_vec3_load(mo_f64(c->v) + 3 * node),
                         .q = mo_quat_identity(),
                         .inverse_mass = mo_f64(c->inverse_mass)[node],
                         .system = coupling->b,
                         .node = node};
    return step->guest_count++;
}

/* Whether both ends of a joint exist; `row` of bodies. */
static bool find_rows(const mo_coupling *coupling, mo_joint_link *l, int64_t row[2])
{
    for (int k = 0; k < 2; ++k) {
        row[k] = -1;
        if (l->end[k].kind == MO_END_BODY) {
            row[k] = mo_rigid_system_find(coupling->a, l->end[k].number);
        } else if (l->end[k].kind == MO_END_NODE) {
            row[k] = mo_joint_find_node(coupling->b, &l->end[k]);
        }
        if (row[k] < 0 && (l->end[k].kind == MO_END_BODY || l->end[k].kind == MO_END_NODE)) {
            return false;
        }
    }
    return true;
}

/* The rows of both ends in the solver. */
static void set_bodies(mo_coupling *coupling, const mo_joint_link *l, const int64_t row[2],
                       const mo_step_time *now, int32_t body[2])
{
    mo_rigid_step *step = mo_rigid_system_step_of(coupling->a);
    int64_t rows = mo_store_owned(coupling->a->store);
    for (int k = 0; k < 2; ++k) {
        body[k] = (int32_t)row[k];
        if (l->end[k].kind == MO_END_COLLIDER) {
            body[k] = (int32_t)(rows + step->guest_count);
            step->guests[step->guest_count++] = collider_guest(coupling, l->end[k].number, now);
        } else if (l->end[k].kind == MO_END_NODE) {
            body[k] = (int32_t)(rows + node_guest(coupling, row[k]));
        }
    }
}

static mote_status rigid_joint_gather(mo_coupling *coupling, const mo_step_time *now,
                                      mote_error *error)
{
    joints *j = coupling->state;
    mo_rigid_step *step = mo_rigid_system_step_of(coupling->a);
    int64_t count = j->links.count;
    MO_TRY(mo_rigid_system_reserve(coupling->a, 0, count, count, error));
    MO_TRY(mo_reserve(coupling->host->memory, &step->apart, &step->apart_capacity,
                      step->apart_count + count, sizeof *step->apart, error));
    j->first_guest = step->guest_count;
    for (int64_t k = 0; k < count; ++k) {
        mo_joint_link *l = &j->links.list[k];
        mo_rigid_joint joint = l->joint;
        int64_t row[2];
        l->index = -1;
        if (!find_rows(coupling, l, row)) {
            continue; /* one of its bodies was removed */
        }
        l->index = step->joint_count;
        set_bodies(coupling, l, row, now, joint.body);
        memcpy(joint.impulse, values_of(j, IMPULSE, k), sizeof joint.impulse);
        joint.angle = *values_of(j, ANGLE, k);
        step->joints[step->joint_count++] = joint;
        if (!joint.collide && l->collider >= 0) {
            step->apart[step->apart_count++] =
                mo_rigid_system_pair(joint.body[0], MO_RIGID_COLLIDER + l->collider);
        } else if (!joint.collide && joint.body[0] >= 0 && joint.body[1] >= 0) {
            step->apart[step->apart_count++] = mo_rigid_system_pair(joint.body[0], joint.body[1]);
        }
    }
    sort_pairs(step);
    return MOTE_OK;
}

/* ---- after the solve ---- */

static void keep(const mo_coupling *coupling, int64_t k, const mo_rigid_joint *joint)
{
    const joints *j = coupling->state;
    int64_t own = mo_store_owned(coupling->a->store), body = joint->body[0];
    const mo_rigid_guest *guests = mo_rigid_system_step_of(coupling->a)->guests;
    mo_vec3 point = body >= own ? guests[body - own].x : joint->point[0];
    if (body >= 0 && body < own) {
        mo_pose pose = mo_rigid_system_pose(coupling->a, body);
        point = mo_pose_apply(&pose, joint->point[0]);
    }
    memcpy(values_of(j, IMPULSE, k), joint->impulse, sizeof joint->impulse);
    *values_of(j, ANGLE, k) = joint->angle;
    mo_vec3_store(values_of(j, FORCE, k), joint->force);
    mo_vec3_store(values_of(j, TORQUE, k), joint->torque);
    mo_vec3_store(values_of(j, POINT, k), point);
    *values_of(j, COORDINATE, k) = joint->coordinate;
    values_of(j, ERRORS, k)[0] = joint->error;
    values_of(j, ERRORS, k)[1] = joint->angle_error;
}

/* The wrench on a collider is opposite to that on the body. */
static mote_status react(mo_coupling *coupling, double time, mote_error *error)
{
    joints *j = coupling->state;
    mo_reactions *r = &j->reactions;
    MO_TRY(mo_reactions_begin(r, coupling->host->colliders, time, 1, error));
    for (int64_t k = 0; k < j->links.count; ++k) {
        int32_t collider = (int32_t)j->links.list[k].collider;
        mo_reaction *slot = NULL;
        while (collider >= 0 && !(slot = mo_reactions_slot(r, 0, collider))) {
            MO_TRY(mo_reactions_widen(r, error));
        }
        if (slot) {
            mo_vec3 arm = mo_sub(mo_vec3_load(values_of(j, POINT, k)), r->center[collider]);
            mo_wrench_add_force(&slot->wrench, mo_scale(-1, mo_vec3_load(values_of(j, FORCE, k))),
                                arm);
            slot->wrench.torque =
                mo_sub(slot->wrench.torque, mo_vec3_load(values_of(j, TORQUE, k)));
        }
    }
    return mo_reactions_end(r, error);
}

static void keep_range(void *context, int64_t first, int64_t last)
{
    const mo_coupling *coupling = context;
    const joints *j = coupling->state;
    const mo_rigid_joint *list = mo_rigid_system_step_of(coupling->a)->joints;
    mo_rigid_joint none = {0};
    none.body[0] = -1;
    for (int64_t k = first; k < last; ++k) {
        int64_t index = j->links.list[k].index;
        keep(coupling, k, index >= 0 ? &list[index] : &none);
    }
}

static mote_status rigid_joint_project(mo_coupling *coupling, const mo_step_time *now,
                                       mote_error *error)
{
    const joints *j = coupling->state;
    mo_parallel_for(coupling->host->pool, j->links.count, GRAIN, keep_range, coupling);
    return coupling->host->wants_reactions && !coupling->b ? react(coupling, now->end, error)
                                                           : MOTE_OK;
}

static const mo_reactions *rigid_joint_reactions(const mo_coupling *coupling)
{
    return coupling->b ? NULL : &((const joints *)coupling->state)->reactions;
}

static int64_t rigid_joint_count(const mo_coupling *coupling)
{
    return ((const joints *)coupling->state)->links.count;
}

static void rigid_joint_read(const mo_coupling *coupling, int64_t index, mote_joint *out)
{
    const joints *j = coupling->state;
    const mo_joint_link *l = &j->links.list[index];
    *out = (mote_joint){.name = l->name,
                        .type = l->type,
                        .copy = l->copy,
                        .coordinate = *values_of(j, COORDINATE, index),
                        .error = values_of(j, ERRORS, index)[0],
                        .angle_error = values_of(j, ERRORS, index)[1]};
    memcpy(out->force, values_of(j, FORCE, index), sizeof out->force);
    memcpy(out->torque, values_of(j, TORQUE, index), sizeof out->torque);
    memcpy(out->point, values_of(j, POINT, index), sizeof out->point);
}

static bool rigid_joint_anchors(const mo_coupling *coupling, int64_t index,
                                mo_joint_anchor anchor[2])
{
    const joints *j = coupling->state;
    mo_joint_link *l = &j->links.list[index];
    int64_t row[2];
    bool found = find_rows(coupling, l, row);
    for (int k = 0; k < 2; ++k) {
        const mo_joint_end *end = &l->end[k];
        const mo_system *system = end->kind == MO_END_NODE ? coupling->b : coupling->a;
        anchor[k] = (mo_joint_anchor){.system = row[k] >= 0 ? system->number : -1,
                                      .row = row[k],
                                      .collider = end->kind == MO_END_COLLIDER ? end->number : -1,
                                      .point = l->joint.point[k]};
    }
    return found;
}

static const mo_joint_hooks JOINTS = {rigid_joint_count, rigid_joint_read, rigid_joint_anchors};

const mo_coupling_type mo_coupling_rigid_joint = {
    .base = {.name = "rigid_joint",
             .summary = "Joints of rigid bodies with each other, colliders and nodes."},
    .applies = rigid_joint_applies,
    .create = rigid_joint_create,
    .destroy = rigid_joint_destroy,
    .gather = rigid_joint_gather,
    .project = rigid_joint_project,
    .reactions = rigid_joint_reactions,
    .joints = &JOINTS,
};
