/* The state of a solve of implicit contacts, shared by its files. */
#ifndef MO_COUPLE_IMPLICIT_CONTACT_STATE_H
#define MO_COUPLE_IMPLICIT_CONTACT_STATE_H

#include "couple/implicit_contact.h"

typedef struct mo_implicit_solve {
    mo_implicit_contacts *c;
    mo_system *rigid, *nodes;
    mo_newton *newton;
    const mo_step_time *now;
    int64_t node_rows, body_rows;
    bool constant; /* contact forces are constant in the step */
    double end_x;
    double duration; /* of the force: the impulse is duration f */
} mo_implicit_solve;

/* Whether a row can move, hence has unknowns. */
static inline bool mo_implicit_is_movable(const mo_implicit_solve *s, int32_t row)
{
    return row >= 0 && row < s->body_rows && mo_f64(s->rigid->columns.inverse_mass)[row] > 0;
}

static inline bool mo_implicit_is_part(const mo_implicit_solve *s, int32_t row)
{
    return mo_implicit_is_movable(s, row) && s->c->number[row] >= 0;
}

/* The free part of a vector at a node. */
static inline mo_vec3 mo_implicit_project_node(const mo_implicit_solve *s, int64_t node, mo_vec3 v)
{
    const mo_jacobian *j = &s->newton->jacobian;
    double u[3] = {v.x, v.y, v.z};
    if (j->inverse_mass[node] == 0) {
        return mo_vec3_make(0, 0, 0);
    }
    if (j->active) {
        mo_active_project(j->active, node, u);
    }
    return mo_vec3_load(u);
}

static inline void mo_implicit_add_to(double *y, mo_vec3 f)
{
    y[0] += f.x;
    y[1] += f.y;
    y[2] += f.z;
}

/* ---- results (implicit_results.c) ---- */

/* Adds the residual of the linear solver at nodes in contact to the forces. */
void mo_implicit_balance(const mo_implicit_solve *s);

/* Adds the load that colliders support to the reactions of the nodes' system. */
mote_status mo_implicit_react(const mo_implicit_solve *s, mote_error *error);

/* Moves the nodes. */
void mo_implicit_move_nodes(const mo_implicit_solve *s);

/* Impulse and angular impulse on each body, opposite to those on the nodes. */
mote_status mo_implicit_push_bodies(const mo_implicit_solve *s, mote_error *error);

#endif
