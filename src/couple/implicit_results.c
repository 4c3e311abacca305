/* Forces, displacements and impulses that a solve of implicit contacts has found. */
#include "couple/implicit_contact_state.h"

#include "integrate/rotation.h"
#include "system/forces/forces.h"

#include <math.h>
#include <string.h>

/* Approach that is stopped at once instead of through the step, in velocities of a step's fall. */
static const double FAST = 3;

/* The residual of the linear solver at nodes in contact becomes part of the force of their first
 * contact, so that bodies receive the momentum of the nodes to rounding. */
void mo_implicit_balance(const mo_implicit_solve *s)
{
    mo_implicit_contacts *c = s->c;
    double *left = c->right;
    mo_newton_multiply(s->newton, c->x, left);
    for (int64_t k = 0; k < 3 * s->node_rows; ++k) {
        left[k] /= s->end_x;
    }
    for (int64_t k = 0; k < c->count; ++k) {
        const mo_implicit_contact *t = &c->list[k];
        for (int i = 0; i < t->nodes; ++i) {
            mo_vec3 f = mo_scale(-t->weight[i], t->force);
            mo_implicit_add_to(left + 3 * t->node[i], mo_implicit_project_node(s, t->node[i], f));
        }
    }
    for (int64_t k = 0; k < c->count; ++k) {
        mo_implicit_contact *t = &c->list[k];
        for (int i = 0; i < t->nodes && mo_dot(t->force, t->force) > 0; ++i) {
            t->force = mo_add(t->force, mo_vec3_load(left + 3 * t->node[i]));
            mo_vec3_store(left + 3 * t->node[i], mo_vec3_make(0, 0, 0));
        }
    }
}

/* Colliders support A d - f at the active constraints of the nodes. */
mote_status mo_implicit_react(const mo_implicit_solve *s, mote_error *error)
{
    mo_implicit_contacts *c = s->c;
    double *left = c->right;
    if (!s->nodes->host->wants_reactions) {
        return MOTE_OK;
    }
    mo_jacobian_product product = {&s->newton->jacobian, &s->newton->args, s->newton->weights};
    mo_jacobian_apply_unprojected(&product, c->x, left);
    for (int64_t k = 0; k < 3 * s->node_rows; ++k) {
        left[k] /= s->end_x;
    }
    for (int64_t k = 0; k < c->count; ++k) {
        const mo_implicit_contact *t = &c->list[k];
        for (int i = 0; i < t->nodes; ++i) {
            mo_implicit_add_to(left + 3 * t->node[i], mo_scale(-t->weight[i], t->force));
        }
    }
    return mo_forces_add_reactions(s->nodes, left, s->duration / s->now->h, s->now, error);
}

static void move_range(void *context, int64_t first, int64_t last)
{
    const mo_implicit_solve *s = context;
    const double *gamma = s->newton->weights.gamma, *d = s->c->x;
    const mo_newton_stage *stage = &s->newton->stage;
    double *x = mo_f64(s->nodes->columns.x), *v = mo_f64(s->nodes->columns.v);
    double *past = s->newton->past_v;
    double rate = s->constant ? stage->end_v / stage->end_x : 1 / stage->c_v;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        double change = d[k] * (gamma ? 1 / gamma[k] : rate);
        x[k] += d[k];
        v[k] += change;
        if (past) {
            past[k] += change;
        }
    }
}

/* The part of Newmark's velocity that does not follow from the displacement. */
static void kick_nodes(const mo_implicit_solve *s)
{
    double *v = mo_f64(s->nodes->columns.v), end_f = s->newton->stage.end_f;
    for (int64_t k = 0; k < s->c->count && end_f != 0; ++k) {
        const mo_implicit_contact *t = &s->c->list[k];
        for (int i = 0; i < t->nodes; ++i) {
            double w = mo_f64(s->nodes->columns.inverse_mass)[t->node[i]];
            mo_vec3 f = mo_scale(end_f * w * t->weight[i], t->force);
            mo_implicit_add_to(v + 3 * t->node[i], mo_implicit_project_node(s, t->node[i], f));
        }
    }
}

/* A body whose contacts close fast receives the impulse at once. */
static void kick_body(const mo_implicit_solve *s, int32_t row, mo_vec3 impulse, mo_vec3 moment)
{
    const mo_particle_columns *c = &s->rigid->columns;
    double *v = mo_f64(c->v) + 3 * row, *w = mo_f64(c->w) + 3 * row;
    mo_quat q = mo_quat_load(mo_f64(c->q) + 4 * row);
    mo_vec3 i = mo_vec3_load(mo_f64(c->inertia) + 3 * row);
    mo_vec3 l = mo_mat3_apply_transposed(mo_quat_matrix(q), moment);
    mo_vec3 change = {l.x / i.x, l.y / i.y, l.z / i.z};
    if (mo_rigid_system_dimension(s->rigid) == 2) {
        change.x = change.y = impulse.z = 0;
    }
    mo_vec3_store(v, mo_add_scaled(mo_vec3_load(v), mo_f64(c->inverse_mass)[row], impulse));
    mo_vec3_store(w, mo_add(mo_vec3_load(w), change));
    mo_quat_store(mo_f64(c->q_rate) + 4 * row, mo_rotation_rate(q, mo_vec3_load(w)));
    ((uint8_t *)c->age->data)[row] = 0;
}

/* Impulse and angular impulse on each body, opposite to those on the nodes. */
mote_status mo_implicit_push_bodies(const mo_implicit_solve *s, mote_error *error)
{
    mo_implicit_contacts *c = s->c;
    double *sum = c->right, h = s->now->h,
           g = mo_length(mo_host_gravity(s->rigid->host, s->now->time));
    double *fastest = c->x; /* no longer used */
    memset(sum, 0, (size_t)(6 * c->body_count) * sizeof *sum);
    memset(fastest, 0, (size_t)c->body_count * sizeof *fastest);
    for (int64_t k = 0; k < c->count; ++k) {
        const mo_implicit_contact *t = &c->list[k];
        if (t->nodes > 0 && mo_implicit_is_part(s, t->body[1])) {
            int32_t body = c->number[t->body[1]];
            mo_vec3 p = mo_scale(-s->duration, t->force);
            mo_implicit_add_to(sum + 6 * body, p);
            mo_implicit_add_to(sum + 6 * body + 3, mo_cross(t->arm[1], p));
            if (mo_dot(t->force, t->force) > 0) {
                fastest[body] = fmax(fastest[body], t->approach);
            }
        }
    }
    for (int64_t k = 0; k < c->body_count; ++k) {
        mo_vec3 p = mo_vec3_load(sum + 6 * k), l = mo_vec3_load(sum + 6 * k + 3);
        if (!s->constant && fastest[k] > FAST * g * h) {
            kick_body(s, c->bodies[k], p, l);
        } else {
            MO_TRY(mo_rigid_system_add_force(s->rigid, c->bodies[k], mo_scale(1 / h, p),
                                             mo_scale(1 / h, l), error));
        }
    }
    return MOTE_OK;
}

void mo_implicit_move_nodes(const mo_implicit_solve *s)
{
    mo_parallel_for(s->nodes->host->pool, s->node_rows, MO_FORCE_GRAIN, move_range, (void *)s);
    kick_nodes(s);
}
