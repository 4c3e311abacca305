#include "couple/implicit_contact_state.h"

#include <math.h>
#include <string.h>

/* Passes in which contacts may close and stick again; afterwards they only open or slide, so that
 * redundant contacts do not alternate for ever. */
enum { FREE_PASSES = 8, PASSES_MAX = 40 };

/* Stiffness of contacts, by the larger stiffness of the two sides. */
static const double STIFF = 1e3;
/* Approach that rebounds, in velocities of a step's fall. */
static const double BOUNCES = 2;
/* Inertia in the directions that do not exist in two dimensions. */
static const double LOCKED = 1e12;

void mo_implicit_contacts_init(mo_implicit_contacts *contacts, mo_memory *memory)
{
    *contacts = (mo_implicit_contacts){.memory = memory};
}

void mo_implicit_contacts_release(mo_implicit_contacts *contacts)
{
    mo_implicit_contacts *c = contacts;
    if (c->open) {
        mo_linear_close(&c->solver);
    }
    mo_release(c->memory, c->list);
    mo_release(c->memory, c->joints);
    mo_release(c->memory, c->number);
    mo_release(c->memory, c->bodies);
    mo_block_pattern_release(c->memory, &c->pattern);
    mo_block_matrix_release(c->memory, &c->diagonal);
    mo_release(c->memory, c->work.block);
}

mote_status mo_implicit_contacts_add(mo_implicit_contacts *contacts,
                                     const mo_implicit_contact *contact, mote_error *error)
{
    MO_TRY(mo_reserve(contacts->memory, &contacts->list, &contacts->capacity, contacts->count + 1,
                      sizeof *contacts->list, error));
    contacts->list[contacts->count++] = *contact;
    return MOTE_OK;
}

/* ---- bodies ---- */

static void take_body(const mo_implicit_solve *s, int32_t row)
{
    if (mo_implicit_is_movable(s, row) && s->c->number[row] < 0) {
        s->c->number[row] = (int32_t)s->c->body_count;
        s->c->bodies[s->c->body_count++] = row;
    }
}

/* Bodies in contact with nodes, and all that are connected to them by contacts and joints, in
 * whose order they are numbered. */
static mote_status find_bodies(const mo_implicit_solve *s, mote_error *error)
{
    mo_implicit_contacts *c = s->c;
    const mo_rigid_step *step = mo_rigid_system_step_of(s->rigid);
    int64_t size = s->body_rows + 1, before = -1;
    MO_TRY(mo_reserve(c->memory, &c->number, &c->map_capacity, size, sizeof *c->number, error));
    MO_TRY(mo_reserve(c->memory, &c->bodies, &c->body_capacity, size, sizeof *c->bodies, error));
    memset(c->number, 0xff, (size_t)size * sizeof *c->number);
    c->body_count = 0;
    for (int64_t k = 0; k < c->count; ++k) {
        take_body(s, c->list[k].body[1]);
    }
    while (c->body_count > before) {
        before = c->body_count;
        for (int64_t k = 0; k < step->contact_count + step->joint_count; ++k) {
            const int32_t *pair = k < step->contact_count
                                      ? step->contacts[k].body
                                      : step->joints[k - step->contact_count].body;
            bool a = mo_implicit_is_movable(s, pair[0]) && c->number[pair[0]] >= 0,
                 b = mo_implicit_is_movable(s, pair[1]) && c->number[pair[1]] >= 0;
            if (a || b) {
                take_body(s, pair[0]);
                take_body(s, pair[1]);
            }
        }
    }
    return MOTE_OK;
}

/* The displacement of a body's point in the step without contact forces; of prescribed ones too. */
static mo_vec3 free_displacement(const mo_implicit_solve *s, int32_t row, mo_vec3 arm)
{
    double h = s->now->h;
    if (row < 0) {
        return mo_vec3_make(0, 0, 0);
    }
    if (row >= s->body_rows) {
        const mo_rigid_guest *g = &mo_rigid_system_step_of(s->rigid)->guests[row - s->body_rows];
        return mo_scale(h, mo_add(g->v, mo_cross(g->w, arm)));
    }
    mo_pose pose = mo_rigid_system_pose(s->rigid, row);
    mo_vec3 v = pose.v;
    if (mo_implicit_is_movable(s, row)) {
        v = mo_add_scaled(v, s->constant ? 0.5 * h : h,
                          mo_vec3_load(mo_f64(s->rigid->columns.a) + 3 * row));
    }
    return mo_scale(h, mo_add(v, mo_cross(pose.w, arm)));
}

static mo_vec3 center_of(const mo_implicit_solve *s, int32_t row)
{
    return row < 0              ? mo_vec3_make(0, 0, 0)
           : row < s->body_rows ? mo_vec3_load(mo_f64(s->rigid->columns.x) + 3 * row)
                                : mo_rigid_system_step_of(s->rigid)->guests[row - s->body_rows].x;
}

/* Offset of the end of the step: that of the start plus the relative displacement. */
static void predict(const mo_implicit_solve *s, mo_implicit_contact *t, mo_vec3 displacement)
{
    mo_vec3 relative = mo_sub(displacement, free_displacement(s, t->body[1], t->arm[1]));
    t->offset = mo_add(t->offset, relative);
}

/* Restitution: a contact that closes in the step ends it with the separating speed e times the
 * approach, so its end is h e u beyond its start instead of the surface. */
static void rebound(const mo_implicit_solve *s, mo_implicit_contact *t, double start)
{
    double h = s->now->h, g = mo_length(mo_host_gravity(s->rigid->host, s->now->time));
    bool closes = mo_dot(t->normal, t->offset) < 0;
    if (closes && t->restitution > 0 && t->approach > BOUNCES * g * h) {
        double shift = start + h * t->restitution * t->approach;
        t->offset = mo_add_scaled(t->offset, -shift, t->normal);
    }
}

/* ---- supports: contacts and joints among bodies ---- */

static mote_status add_support(const mo_implicit_solve *s, const mo_rigid_contact *r, int point,
                               mote_error *error)
{
    mo_implicit_contact t = {.body = {r->body[0], r->body[1]},
                             .normal = r->normal,
                             .offset = mo_scale(r->gap[point], r->normal),
                             .friction = r->friction_coefficient};
    for (int k = 0; k < 2; ++k) {
        t.arm[k] = mo_sub(r->position[point][k], center_of(s, r->body[k]));
    }
    predict(s, &t, free_displacement(s, t.body[0], t.arm[0]));
    return mo_implicit_contacts_add(s->c, &t, error);
}

static mo_quat rotation_of(const mo_implicit_solve *s, int32_t row)
{
    return row < 0              ? mo_quat_identity()
           : row < s->body_rows ? mo_quat_load(mo_f64(s->rigid->columns.q) + 4 * row)
                                : mo_rigid_system_step_of(s->rigid)->guests[row - s->body_rows].q;
}

/* The constraints of a joint; limits, motors and springs are left to the rigid solver. */
static mote_status add_joint(const mo_implicit_solve *s, const mo_rigid_joint *joint,
                             mote_error *error)
{
    mo_implicit_contacts *c = s->c;
    mo_rigid_joint copy = *joint;
    mo_rigid_joint_row row[MO_JOINT_ROWS];
    mo_vec3 x[2] = {center_of(s, copy.body[0]), center_of(s, copy.body[1])};
    mo_quat q[2] = {rotation_of(s, copy.body[0]), rotation_of(s, copy.body[1])};
    int rows = copy.frequency > 0 ? 0 : mo_rigid_joint_rows(&copy, x, q, row);
    MO_TRY(mo_reserve(c->memory, &c->joints, &c->joint_capacity, c->joint_count + rows,
                      sizeof *c->joints, error));
    for (int k = 0; k < rows; ++k) {
        if (row[k].slot >= MO_JOINT_LIMIT) {
            continue;
        }
        mo_implicit_joint *out = &c->joints[c->joint_count++];
        *out = (mo_implicit_joint){.body = {copy.body[0], copy.body[1]},
                                   .linear = row[k].linear,
                                   .angular = {row[k].angular[0], row[k].angular[1]},
                                   .error = row[k].error};
        for (int i = 0; i < 2; ++i) {
            mo_vec3 zero = {0, 0, 0}, moved = free_displacement(s, copy.body[i], zero);
            mo_vec3 w = copy.body[i] >= 0 && copy.body[i] < s->body_rows
                            ? mo_rigid_system_pose(s->rigid, copy.body[i]).w
                            : zero;
            double rate = mo_dot(out->linear, moved) + s->now->h * mo_dot(out->angular[i], w);
            out->error += i == 0 ? rate : -rate;
        }
    }
    return MOTE_OK;
}

static mote_status add_supports(const mo_implicit_solve *s, mote_error *error)
{
    const mo_rigid_step *step = mo_rigid_system_step_of(s->rigid);
    s->c->joint_count = 0;
    for (int64_t k = 0; k < step->contact_count; ++k) {
        const mo_rigid_contact *r = &step->contacts[k];
        for (int i = 0; i < r->count &&
                        (mo_implicit_is_part(s, r->body[0]) || mo_implicit_is_part(s, r->body[1]));
             ++i) {
            MO_TRY(add_support(s, r, i, error));
        }
    }
    for (int64_t k = 0; k < step->joint_count; ++k) {
        const mo_rigid_joint *joint = &step->joints[k];
        bool node = false;
        for (int i = 0; i < 2; ++i) {
            node = node || (joint->body[i] >= s->body_rows &&
                            step->guests[joint->body[i] - s->body_rows].system);
        }
        if (!node &&
            (mo_implicit_is_part(s, joint->body[0]) || mo_implicit_is_part(s, joint->body[1]))) {
            MO_TRY(add_joint(s, joint, error));
        }
    }
    return MOTE_OK;
}

/* ---- the linear system ---- */

/* Stiffness of the point of a contact if its nodes moved alone: 1 / sum b_i^2/k_i; 0 of bodies. */
static double point_stiffness(const mo_implicit_solve *s, const mo_implicit_contact *t)
{
    const mo_block_matrix *m = &s->newton->jacobian.matrix;
    double softness = 0;
    for (int i = 0; i < t->nodes; ++i) {
        const double *block = m->value + 9 * m->diagonal[t->node[i]];
        softness += t->weight[i] * t->weight[i] * 3 * s->end_x / (block[0] + block[4] + block[8]);
    }
    return softness > 0 ? 1 / softness : 0;
}

/* sum b_i u_i over the nodes of a contact, for a vector of the system. */
static mo_vec3 mean_over_nodes(const mo_implicit_contact *t, const double *u)
{
    mo_vec3 sum = mo_scale(t->weight[0], mo_vec3_load(u + 3 * t->node[0]));
    for (int i = 1; i < t->nodes; ++i) {
        sum = mo_add_scaled(sum, t->weight[i], mo_vec3_load(u + 3 * t->node[i]));
    }
    return sum;
}

static mo_vec3 point_displacement(const mo_implicit_solve *s, const double *x, int32_t row,
                                  mo_vec3 arm)
{
    if (!mo_implicit_is_part(s, row)) {
        return mo_vec3_make(0, 0, 0);
    }
    const double *p = x + 3 * s->node_rows + 6 * s->c->number[row];
    return mo_add(mo_vec3_load(p), mo_cross(mo_vec3_load(p + 3), arm));
}

/* Side 0 relative to side 1. */
static mo_vec3 relative_displacement(const mo_implicit_solve *s, const double *x,
                                     const mo_implicit_contact *t)
{
    mo_vec3 a =
        t->nodes > 0 ? mean_over_nodes(t, x) : point_displacement(s, x, t->body[0], t->arm[0]);
    return mo_sub(a, point_displacement(s, x, t->body[1], t->arm[1]));
}

static void add_body_force(const mo_implicit_solve *s, double *y, int32_t row, mo_vec3 arm,
                           mo_vec3 f)
{
    if (mo_implicit_is_part(s, row)) {
        double *p = y + 3 * s->node_rows + 6 * s->c->number[row];
        mo_implicit_add_to(p, f);
        mo_implicit_add_to(p + 3, mo_cross(arm, f));
    }
}

/* f on side 0, -f on side 1 */
static void add_force(const mo_implicit_solve *s, double *y, const mo_implicit_contact *t,
                      mo_vec3 f)
{
    for (int i = 0; i < t->nodes; ++i) {
        mo_implicit_add_to(y + 3 * t->node[i],
                           mo_implicit_project_node(s, t->node[i], mo_scale(t->weight[i], f)));
    }
    if (t->nodes == 0) {
        add_body_force(s, y, t->body[0], t->arm[0], f);
    }
    add_body_force(s, y, t->body[1], t->arm[1], mo_scale(-1, f));
}

/* k times the components of a displacement that the contact resists. */
static mo_vec3 resisted(const mo_implicit_contact *t, mo_vec3 u)
{
    mo_vec3 along = mo_scale(mo_dot(u, t->normal), t->normal);
    return t->state == MO_CONTACT_OPEN
               ? mo_vec3_make(0, 0, 0)
               : mo_scale(t->stiffness, t->state == MO_CONTACT_STICKS ? u : along);
}

static double joint_rate(const mo_implicit_solve *s, const double *x, const mo_implicit_joint *j)
{
    double rate = 0;
    for (int i = 0; i < 2; ++i) {
        if (mo_implicit_is_part(s, j->body[i])) {
            const double *p = x + 3 * s->node_rows + 6 * s->c->number[j->body[i]];
            double own =
                mo_dot(j->linear, mo_vec3_load(p)) + mo_dot(j->angular[i], mo_vec3_load(p + 3));
            rate += i == 0 ? own : -own;
        }
    }
    return rate;
}

static void add_joint_force(const mo_implicit_solve *s, double *y, const mo_implicit_joint *j,
                            double f)
{
    for (int i = 0; i < 2; ++i) {
        if (mo_implicit_is_part(s, j->body[i])) {
            double *p = y + 3 * s->node_rows + 6 * s->c->number[j->body[i]];
            mo_implicit_add_to(p, mo_scale(i == 0 ? f : -f, j->linear));
            mo_implicit_add_to(p + 3, mo_scale(i == 0 ? f : -f, j->angular[i]));
        }
    }
}

static void scale_range(void *context, int64_t first, int64_t last)
{
    const mo_implicit_solve *s = ((void **)context)[0];
    double *y = ((void **)context)[1];
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        y[k] /= s->end_x;
    }
}

static void implicit_contacts_apply(void *context, const double *p, double *y)
{
    const mo_implicit_solve *s = context;
    const mo_implicit_contacts *c = s->c;
    mo_newton_multiply(s->newton, p, y);
    if (s->end_x != 1) {
        mo_parallel_for(s->nodes->host->pool, s->node_rows, MO_FORCE_GRAIN, scale_range,
                        (void *[]){(void *)s, y});
    }
    for (int64_t k = 0; k < c->body_count; ++k) {
        const double *u = p + 3 * s->node_rows + 6 * k;
        double *f = y + 3 * s->node_rows + 6 * k;
        mo_mat3 inertia;
        memcpy(inertia.m, c->inertia + 9 * k, sizeof inertia.m);
        for (int i = 0; i < 3; ++i) {
            f[i] = c->mass[3 * k + i] * u[i];
        }
        mo_vec3_store(f + 3, mo_mat3_apply(inertia, mo_vec3_load(u + 3)));
    }
    for (int64_t k = 0; k < c->count; ++k) {
        if (c->list[k].state != MO_CONTACT_OPEN) {
            add_force(s, y, &c->list[k],
                      resisted(&c->list[k], relative_displacement(s, p, &c->list[k])));
        }
    }
    for (int64_t k = 0; k < c->joint_count; ++k) {
        add_joint_force(s, y, &c->joints[k],
                        c->joints[k].stiffness * joint_rate(s, p, &c->joints[k]));
    }
}

/* ---- diagonal blocks, for the preconditioner ---- */

static void add_square(double *block, double k, mo_vec3 u)
{
    double a[3] = {u.x, u.y, u.z};
    for (int i = 0; i < 9; ++i) {
        block[i] += k * a[i % 3] * a[i / 3];
    }
}

static void add_side(const mo_implicit_solve *s, const mo_implicit_contact *t, int side, mo_vec3 n)
{
    double *value = s->c->diagonal.value;
    if (side == 0 && t->nodes > 0) {
        for (int i = 0; i < t->nodes; ++i) {
            mo_vec3 part = mo_scale(t->weight[i], n);
            add_square(value + 9 * t->node[i], t->stiffness,
                       mo_implicit_project_node(s, t->node[i], part));
        }
    } else if (mo_implicit_is_part(s, t->body[side])) {
        double *block = value + 9 * (s->node_rows + 2 * s->c->number[t->body[side]]);
        add_square(block, t->stiffness, n);
        add_square(block + 9, t->stiffness, mo_cross(t->arm[side], n));
    }
}

static void fill_diagonal(const mo_implicit_solve *s)
{
    mo_implicit_contacts *c = s->c;
    const mo_block_matrix *m = &s->newton->jacobian.matrix;
    const mo_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int64_t row = 0; row < s->node_rows; ++row) {
        for (int i = 0; i < 9; ++i) {
            c->diagonal.value[9 * row + i] = m->value[9 * m->diagonal[row] + i] / s->end_x;
        }
    }
    for (int64_t k = 0; k < c->body_count; ++k) {
        double *block = c->diagonal.value + 9 * (s->node_rows + 2 * k);
        memset(block, 0, 9 * sizeof *block);
        for (int i = 0; i < 3; ++i) {
            block[4 * i] = c->mass[3 * k + i];
        }
        memcpy(block + 9, c->inertia + 9 * k, 9 * sizeof *block);
    }
    for (int64_t k = 0; k < 2 * c->count; ++k) {
        const mo_implicit_contact *t = &c->list[k / 2];
        if (t->state == MO_CONTACT_SLIDES) {
            add_side(s, t, (int)(k % 2), t->normal);
        }
        for (int i = 0; i < 3 && t->state == MO_CONTACT_STICKS; ++i) {
            add_side(s, t, (int)(k % 2), axes[i]);
        }
    }
    for (int64_t k = 0; k < 2 * c->joint_count; ++k) {
        const mo_implicit_joint *j = &c->joints[k / 2];
        if (mo_implicit_is_part(s, j->body[k % 2])) {
            double *block = c->diagonal.value + 9 * (s->node_rows + 2 * c->number[j->body[k % 2]]);
            add_square(block, j->stiffness, j->linear);
            add_square(block + 9, j->stiffness, j->angular[k % 2]);
        }
    }
}

/* ---- set-up ---- */

static mote_status reserve(const mo_implicit_solve *s, mote_error *error)
{
    mo_implicit_contacts *c = s->c;
    int64_t rows = s->node_rows + 2 * c->body_count;
    double *vectors[4];
    if (!c->open) {
        MO_TRY(mo_linear_open(c->memory, mo_linear_cg_exact(), &c->solver, error));
        c->open = true;
    }
    MO_TRY(
        mo_work_vectors(c->memory, &c->work, 4, 3 * rows + 9 * c->body_count + 1, vectors, error));
    c->right = vectors[0];
    c->x = vectors[1];
    c->mass = vectors[2];
    c->inertia = vectors[3];
    if (c->rows != rows) {
        mo_block_pattern_clear(&c->pattern, rows);
        MO_TRY(mo_block_matrix_build(c->memory, &c->pattern, &c->diagonal, error));
        c->rows = rows;
    }
    return MOTE_OK;
}

/* Masses and inertia tensors, times c/h^2. */
static void weigh(const mo_implicit_solve *s)
{
    mo_implicit_contacts *c = s->c;
    bool plane = mo_rigid_system_dimension(s->rigid) == 2;
    double weight = (s->constant ? 2 : 1) / (s->now->h * s->duration);
    for (int64_t k = 0; k < c->body_count; ++k) {
        int32_t row = c->bodies[k];
        double m = weight * mo_f64(s->rigid->columns.mass)[row];
        mo_mat3 R = mo_rigid_system_pose(s->rigid, row).R;
        mo_vec3 d = mo_vec3_load(mo_f64(s->rigid->columns.inertia) + 3 * row);
        mo_mat3 inertia = mo_rigid_turned_diagonal(R, mo_scale(weight, d));
        for (int i = 0; i < 3; ++i) {
            c->mass[3 * k + i] = plane && i == 2 ? LOCKED * m : m;
        }
        if (plane) {
            inertia.m[0] = inertia.m[4] = LOCKED * inertia.m[8];
        }
        memcpy(c->inertia + 9 * k, inertia.m, sizeof inertia.m);
    }
}

/* The load that a contact may have to support without a penetration to be seen: the stiffness of
 * its node, or its bodies' masses by the number of their contacts, with the nodes on them. */
static void set_stiffness(const mo_implicit_solve *s)
{
    mo_implicit_contacts *c = s->c;
    double *share = c->right; /* of each body: stiffness, contacts */
    memset(share, 0, (size_t)(2 * c->body_count) * sizeof *share);
    for (int64_t k = 0; k < c->body_count; ++k) {
        share[2 * k] = c->mass[3 * k];
    }
    for (int64_t k = 0; k < c->count; ++k) {
        const mo_implicit_contact *t = &c->list[k];
        for (int i = 0; i < 2; ++i) {
            if (mo_implicit_is_part(s, t->body[i])) {
                double *own = share + 2 * c->number[t->body[i]];
                own[0] += point_stiffness(s, t);
                own[1] += 1;
            }
        }
    }
    for (int64_t k = 0; k < c->count; ++k) {
        mo_implicit_contact *t = &c->list[k];
        double most = point_stiffness(s, t);
        for (int i = 0; i < 2; ++i) {
            const double *own =
                mo_implicit_is_part(s, t->body[i]) ? share + 2 * c->number[t->body[i]] : NULL;
            most = own ? fmax(most, own[0] / (t->nodes > 0 ? own[1] : 1)) : most;
        }
        t->stiffness = STIFF * most;
    }
    for (int64_t k = 0; k < c->joint_count; ++k) {
        mo_implicit_joint *j = &c->joints[k];
        double l = mo_dot(j->linear, j->linear), a = 0, most = 0;
        for (int i = 0; i < 2; ++i) {
            if (mo_implicit_is_part(s, j->body[i])) {
                const double *inertia = c->inertia + 9 * c->number[j->body[i]];
                double own = share[2 * c->number[j->body[i]]];
                a = (inertia[0] + inertia[4] + inertia[8]) / 3;
                most = fmax(most, l > 0 ? own : a);
            }
        }
        j->stiffness = STIFF * most;
    }
}

/* ---- the active set ---- */

static double normal_gap(const mo_implicit_contact *t, mo_vec3 u)
{
    return mo_dot(t->normal, mo_add(t->offset, u));
}

/* Contacts that penetrate at the end of the step without contact forces. */
static void start_set(mo_implicit_contacts *c)
{
    for (int64_t k = 0; k < c->count; ++k) {
        mo_implicit_contact *t = &c->list[k];
        bool closes = mo_dot(t->normal, t->offset) < 0;
        t->force = t->sliding = mo_vec3_make(0, 0, 0);
        t->state = !closes           ? MO_CONTACT_OPEN
                   : t->friction > 0 ? MO_CONTACT_STICKS
                                     : MO_CONTACT_SLIDES;
    }
}

/* The force of a contact and its next state; whether that differs. `ends`: it does not close. */
static bool judge(const mo_implicit_solve *s, mo_implicit_contact *t, bool ends)
{
    mo_vec3 u = relative_displacement(s, s->c->x, t), n = t->normal;
    mo_vec3 end = mo_add(t->offset, u), along = mo_scale(mo_dot(end, n), n);
    int before = t->state;
    if (before == MO_CONTACT_OPEN) {
        t->force = mo_vec3_make(0, 0, 0);
        t->state = ends || normal_gap(t, u) >= 0 ? MO_CONTACT_OPEN
                   : t->friction > 0             ? MO_CONTACT_STICKS
                                                 : MO_CONTACT_SLIDES;
        return t->state != before;
    }
    mo_vec3 last = t->sliding;
    double normal = -t->stiffness * mo_dot(end, n), limit = t->friction * normal;
    mo_vec3 across =
        before == MO_CONTACT_STICKS ? mo_scale(-t->stiffness, mo_sub(end, along)) : t->sliding;
    t->force = mo_add(mo_scale(normal, n), across);
    if (normal < 0) {
        t->state = MO_CONTACT_OPEN;
        t->sliding = mo_vec3_make(0, 0, 0);
    } else if (before == MO_CONTACT_STICKS) {
        double size = mo_length(across);
        if (size > limit) {
            t->state = MO_CONTACT_SLIDES;
            t->sliding = mo_scale(limit / size, across);
        }
    } else if (t->friction > 0) {
        /* opposite to the displacement; where friction would reverse it, it sticks */
        mo_vec3 slip = mo_sub(end, along);
        double size = mo_length(last);
        t->state = !ends && mo_dot(slip, last) > 0 ? MO_CONTACT_STICKS : before;
        t->sliding = size > 0 ? mo_scale(limit / size, last) : last;
        mo_vec3 change = mo_sub(t->sliding, last);
        return t->state != before || mo_length(change) > 1e-3 * limit;
    }
    return t->state != before;
}

static void fill_right(const mo_implicit_solve *s)
{
    mo_implicit_contacts *c = s->c;
    memset(c->right, 0, (size_t)(3 * c->rows + 1) * sizeof *c->right);
    for (int64_t k = 0; k < c->count; ++k) {
        const mo_implicit_contact *t = &c->list[k];
        mo_vec3 f = mo_scale(-1, resisted(t, t->offset));
        add_force(s, c->right, t, t->state == MO_CONTACT_SLIDES ? mo_add(f, t->sliding) : f);
    }
    for (int64_t k = 0; k < c->joint_count; ++k) {
        add_joint_force(s, c->right, &c->joints[k], -c->joints[k].stiffness * c->joints[k].error);
    }
}

static mote_status solve_set(const mo_implicit_solve *s, mote_error *error)
{
    mo_implicit_contacts *c = s->c;
    mo_linear_result result;
    mo_linear_system system = {.memory = c->memory,
                               .pool = s->nodes->host->pool,
                               .matrix = &c->diagonal,
                               .apply = implicit_contacts_apply,
                               .context = (void *)s,
                               .b = c->right,
                               .x = c->x};
    bool changed = true;
    memset(c->x, 0, (size_t)(3 * c->rows + 1) * sizeof *c->x);
    c->iterations = 0;
    for (c->passes = 0; c->passes < PASSES_MAX && changed; ++c->passes) {
        fill_diagonal(s);
        fill_right(s);
        MO_TRY(mo_linear_solve(&c->solver, &system, &result, error));
        c->iterations += result.iterations;
        changed = false;
        for (int64_t k = 0; k < c->count; ++k) {
            changed = judge(s, &c->list[k], c->passes >= FREE_PASSES) || changed;
        }
    }
    return MOTE_OK;
}

mote_status mo_implicit_contacts_solve(mo_implicit_contacts *contacts, mo_system *rigid,
                                       mo_system *nodes, mo_newton *newton, const mo_step_time *now,
                                       mote_error *error)
{
    mo_implicit_solve s = {.c = contacts,
                           .rigid = rigid,
                           .nodes = nodes,
                           .newton = newton,
                           .now = now,
                           .constant = newton->stage.end_x > 0,
                           .end_x = newton->stage.end_x > 0 ? newton->stage.end_x : 1,
                           .duration = newton->stage.end_x > 0 ? now->h : newton->stage.c_v,
                           .node_rows = mo_store_owned(nodes->store),
                           .body_rows = mo_store_owned(rigid->store)};
    const double *x = mo_f64(nodes->columns.x);
    bool closes = false;
    contacts->passes = contacts->iterations = 0;
    MO_TRY(rigid->type->evaluate(rigid, now->time, error));
    for (int64_t k = 0; k < contacts->count; ++k) {
        mo_implicit_contact *t = &contacts->list[k];
        double start = mo_dot(t->normal, t->offset);
        predict(&s, t, mo_sub(mean_over_nodes(t, x), t->arm[0]));
        rebound(&s, t, start);
        closes = closes || mo_dot(t->normal, t->offset) < 0;
    }
    if (!closes) {
        return MOTE_OK;
    }
    MO_TRY(find_bodies(&s, error));
    MO_TRY(add_supports(&s, error));
    MO_TRY(reserve(&s, error));
    weigh(&s);
    set_stiffness(&s);
    start_set(contacts);
    MO_TRY(solve_set(&s, error));
    mo_implicit_balance(&s);
    MO_TRY(mo_implicit_react(&s, error));
    mo_implicit_move_nodes(&s);
    return mo_implicit_push_bodies(&s, error);
}
