/*
 * Attachments of nodes of position-based bodies (b) to rigid bodies (a): constraint/attach_rigid.c.
 *
 * gather hands the bodies to the constraint system, which moves copies of them in its substeps;
 * scatter adds the mean force and torque of the attachments to the step of the rigid system.
 *
 * Copies need the acceleration of the bodies by everything else, such as gravity and contacts: that
 * of the last step, if it is not that of an impact, else gravity. A copy that has ended elsewhere
 * than its body approaches it at constant velocity in the next step: a jump would be a velocity
 * that grows with the number of substeps. Both are the state of this coupling, one row per body.
 * Attached nodes do not collide with their body.
 */
#include "constraint/attach.h"
#include "host/coupling.h"
#include "system/constraints/state.h"
#include "system/rigid/rigid.h"

#include <stdlib.h>

/* Larger accelerations are those of impacts, in units of gravity. */
static const double IMPACT = 2;

enum { ACCELERATION, OFFSET, ANGLE, COLUMNS };

static const mo_column_spec SPECS[COLUMNS] = {
    {"acceleration", MOTE_F64, 3, MO_STATE, "m/s^2", "of the body without attachments"},
    {"offset", MOTE_F64, 3, MO_STATE, "m", "from its copy to the body"},
    {"angle", MOTE_F64, 3, MO_STATE, "rad", "from the axes of the copy to those of the body"}};

typedef struct attachments {
    mo_column *column[COLUMNS];
} attachments;

static mo_constraint_system *constraints_of(const mo_coupling *coupling)
{
    return coupling->b->state;
}

static double *values_of(const mo_coupling *coupling, int column, int64_t k)
{
    return mo_f64(((const attachments *)coupling->state)->column[column]) + 3 * k;
}

static bool rigid_attach_applies(const mo_world_def *def, const mo_system *a, const mo_system *b)
{
    return b && a->type == &mo_system_rigid && b->type == &mo_system_constraints &&
           mo_constraint_system_attaches(def);
}

/* The first row of body `index` of the scene. */
static int64_t row_of(const mo_world_def *def, const mo_system *rigid, int64_t index)
{
    const mo_body_def *bodies = def->bodies.items;
    int64_t number = 0;
    for (int64_t k = 0; k < index; ++k) {
        number += mo_body_def_system(&bodies[k]) == rigid->type;
    }
    return rigid->bodies.list[number].first;
}

static void load_body(const mo_system *rigid, int64_t row, mo_attached_body *body)
{
    const mo_particle_columns *c = &rigid->columns;
    mo_pose pose = mo_rigid_system_pose(rigid, row);
    const double *inertia = mo_f64(c->inertia) + 3 * row;
    bool plane = mo_rigid_system_dimension(rigid) == 2;
    body->x = pose.p;
    body->v = body->before = pose.v;
    body->w = pose.w;
    body->q = mo_quat_load(mo_f64(c->q) + 4 * row);
    body->inverse_mass = mo_f64(c->inverse_mass)[row];
    bool moves = body->inverse_mass > 0;
    body->inverse_moments =
        mo_vec3_make(moves && !plane ? 1 / inertia[0] : 0, moves && !plane ? 1 / inertia[1] : 0,
                     moves ? 1 / inertia[2] : 0);
    body->impulse = body->moment = mo_vec3_make(0, 0, 0);
}

static mote_status fill(const mo_world_def *def, mo_coupling *coupling, mote_error *error)
{
    mo_constraint_system *c = constraints_of(coupling);
    attachments *own = coupling->state;
    MO_TRY(mo_store_create(coupling->host->memory, &coupling->store, error));
    for (int k = 0; k < COLUMNS; ++k) {
        MO_TRY(mo_store_declare(coupling->store, &SPECS[k], &own->column[k], error));
    }
    MO_TRY(mo_store_resize(coupling->store, c->attached.count, c->attached.count, error));
    for (int64_t k = 0; k < c->attached.count; ++k) {
        mo_attached_body *body = &c->attached.list[k];
        int64_t row = row_of(def, coupling->a, body->body);
        body->id = mo_i64(coupling->a->columns.id)[row];
        load_body(coupling->a, row, body);
        mo_i64(mo_store_find(coupling->store, "id"))[k] = k;
        mo_vec3_store(values_of(coupling, ACCELERATION, k), mo_host_gravity(coupling->host, 0));
        for (int64_t s = 0; s < c->set_count; ++s) {
            if (c->sets[s].type == &mo_attach_rigid) {
                mo_attach_rigid_place(&c->sets[s], k, mo_f64(coupling->b->columns.x));
            }
        }
    }
    return MOTE_OK;
}

static void rigid_attach_destroy(mo_coupling *coupling)
{
    if (coupling->store) {
        mo_store_destroy(coupling->store);
    }
    mo_release(coupling->host->memory, coupling->state);
    coupling->store = NULL;
    coupling->state = NULL;
}

static mote_status rigid_attach_create(const mo_world_def *def, mo_coupling *coupling,
                                       mote_error *error)
{
    coupling->state = mo_allocate(coupling->host->memory, sizeof(attachments));
    if (!coupling->state) {
        return mo_fail_memory(error, sizeof(attachments));
    }
    mote_status status = fill(def, coupling, error);
    if (status != MOTE_OK) {
        rigid_attach_destroy(coupling);
    }
    return status;
}

static int compare_pairs(const void *a, const void *b)
{
    uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return (p > q) - (p < q);
}

/* Excludes contacts of a body with the nodes attached to it. */
static mote_status exclude_contacts(mo_coupling *coupling, int64_t k, int64_t row,
                                    mote_error *error)
{
    const mo_constraint_system *c = constraints_of(coupling);
    mo_rigid_step *step = mo_rigid_system_step_of(coupling->a);
    for (int64_t s = 0; s < c->set_count; ++s) {
        const int32_t *rows;
        bool own = c->sets[s].type == &mo_attach_rigid;
        int64_t count = own ? mo_attach_rigid_rows(&c->sets[s], k, &rows) : 0;
        MO_TRY(mo_reserve(coupling->host->memory, &step->apart, &step->apart_capacity,
                          step->apart_count + count, sizeof *step->apart, error));
        for (int64_t n = 0; n < count; ++n) {
            step->apart[step->apart_count++] =
                mo_rigid_system_pair(row, MO_RIGID_ATTACHED + rows[n]);
        }
    }
    return MOTE_OK;
}

/* The copy at its last pose relative to the body, and the velocities that close the gap. */
static void begin_copy(const mo_coupling *coupling, int64_t k, double h, mo_attached_body *body)
{
    mo_vec3 offset = mo_vec3_load(values_of(coupling, OFFSET, k)),
            angle = mo_vec3_load(values_of(coupling, ANGLE, k));
    body->acceleration = mo_vec3_load(values_of(coupling, ACCELERATION, k));
    body->x = mo_sub(body->x, offset);
    body->q = mo_quat_product(mo_quat_exponential(mo_scale(-1, angle)), body->q);
    body->drift = mo_scale(1 / h, offset);
    body->turn = mo_scale(1 / h, angle);
}

static mote_status rigid_attach_gather(mo_coupling *coupling, const mo_step_time *now,
                                       mote_error *error)
{
    mo_constraint_system *c = constraints_of(coupling);
    mo_rigid_step *step = mo_rigid_system_step_of(coupling->a);
    for (int64_t k = 0; k < c->attached.count; ++k) {
        mo_attached_body *body = &c->attached.list[k];
        int64_t row = body->id < 0 ? -1 : mo_rigid_system_find(coupling->a, body->id);
        if (row < 0) {
            body->id = -1;
            continue;
        }
        load_body(coupling->a, row, body);
        begin_copy(coupling, k, now->h, body);
        MO_TRY(exclude_contacts(coupling, k, row, error));
    }
    qsort(step->apart, (size_t)step->apart_count, sizeof *step->apart, compare_pairs);
    return MOTE_OK;
}

/* Whether a body may be in contact in this step. */
static bool has_contact(const mo_coupling *coupling, int64_t row)
{
    const mo_rigid_step *step = mo_rigid_system_step_of(coupling->a);
    for (int64_t k = 0; k < step->contact_count; ++k) {
        if (step->contacts[k].body[0] == row || step->contacts[k].body[1] == row) {
            return true;
        }
    }
    return false;
}

/* Attachments also correct positions. The pose that the copy has reached, relative to the one of a
 * constant force and torque through the step, is added to that of a body without contacts before it
 * takes that step, and both end at the same pose. */
static void shift_body(const mo_coupling *coupling, const mo_attached_body *body, int64_t row,
                       double h)
{
    const mo_particle_columns *c = &coupling->a->columns;
    mo_pose pose = mo_rigid_system_pose(coupling->a, row);
    mo_quat q = mo_quat_load(mo_f64(c->q) + 4 * row);
    mo_vec3 moved = mo_sub(body->x, pose.p),
            turned = mo_quat_logarithm(mo_quat_product(body->q, mo_quat_conjugate(q)));
    moved = mo_add_scaled(moved, -h, pose.v);
    moved = mo_add_scaled(moved, -0.5 * h * h, body->acceleration);
    moved = mo_add_scaled(moved, -0.5 * h * body->inverse_mass, body->impulse);
    turned = mo_add_scaled(turned, -h, pose.w);
    turned = mo_add_scaled(turned, -0.5 * h, mo_attached_body_spin(body, body->moment));
    mo_vec3_store(mo_f64(c->x) + 3 * row, mo_add(pose.p, moved));
    mo_quat_store(mo_f64(c->q) + 4 * row,
                  mo_quat_normalize(mo_quat_product(mo_quat_exponential(turned), q)));
}

static mote_status rigid_attach_scatter(mo_coupling *coupling, const mo_system *solved,
                                        const mo_step_time *now, mote_error *error)
{
    const mo_constraint_system *c = constraints_of(coupling);
    for (int64_t k = 0; solved == coupling->b && k < c->attached.count; ++k) {
        const mo_attached_body *body = &c->attached.list[k];
        if (body->id >= 0 && body->inverse_mass > 0) {
            int64_t row = mo_rigid_system_find(coupling->a, body->id);
            if (!has_contact(coupling, row)) {
                shift_body(coupling, body, row, now->h);
            }
            MO_TRY(mo_rigid_system_add_force(coupling->a, row, mo_scale(1 / now->h, body->impulse),
                                             mo_scale(1 / now->h, body->moment), error));
        }
    }
    return MOTE_OK;
}

static mote_status rigid_attach_project(mo_coupling *coupling, const mo_step_time *now,
                                        mote_error *error)
{
    const mo_constraint_system *c = constraints_of(coupling);
    mo_vec3 g = mo_host_gravity(coupling->host, now->end);
    (void)error;
    for (int64_t k = 0; k < c->attached.count; ++k) {
        const mo_attached_body *body = &c->attached.list[k];
        if (body->id >= 0) {
            int64_t row = mo_rigid_system_find(coupling->a, body->id);
            mo_pose pose = mo_rigid_system_pose(coupling->a, row);
            mo_quat q = mo_quat_load(mo_f64(coupling->a->columns.q) + 4 * row);
            mo_vec3 change = mo_sub(pose.v, body->before);
            mo_vec3 own =
                mo_scale(1 / now->h, mo_add_scaled(change, -body->inverse_mass, body->impulse));
            bool impact = mo_length(own) > IMPACT * mo_length(g);
            mo_vec3_store(values_of(coupling, ACCELERATION, k), impact ? g : own);
            mo_vec3_store(values_of(coupling, OFFSET, k), mo_sub(pose.p, body->x));
            mo_vec3_store(values_of(coupling, ANGLE, k),
                          mo_quat_logarithm(mo_quat_product(q, mo_quat_conjugate(body->q))));
        }
    }
    return MOTE_OK;
}

const mo_coupling_type mo_coupling_rigid_attach = {
    .base = {.name = "rigid_attach",
             .summary = "Nodes of position-based bodies attached to rigid bodies."},
    .applies = rigid_attach_applies,
    .create = rigid_attach_create,
    .destroy = rigid_attach_destroy,
    .gather = rigid_attach_gather,
    .scatter = rigid_attach_scatter,
    .project = rigid_attach_project,
};
