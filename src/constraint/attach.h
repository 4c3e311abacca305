/* Attachment: parameters and the selection of nodes, for its forms. */
#ifndef MO_CONSTRAINT_ATTACH_H
#define MO_CONSTRAINT_ATTACH_H

#include "constraint/attached_body.h"
#include "constraint/problem.h"

typedef struct mo_attach {
    mo_constraint_common common;
    const char *set, *body_set;
    mo_list nodes, body_nodes;
    mo_method region;
    mo_reference body, collider;
    double reach;
} mo_attach;

/* Selected nodes, in memory of their own. */
typedef struct mo_attached_nodes {
    int32_t *nodes;
    int64_t count;
} mo_attached_nodes;

/* The nodes of the body that the constraint belongs to. */
mote_status mo_attach_select(const mo_constraint_set *set, const mo_mesh *mesh,
                             mo_attached_nodes *to, mote_error *error);

/* The form for a rigid body as partner (attach_rigid.c). */
extern const mo_constraint_type mo_attach_rigid;

/* The points of the attached nodes in the frame of body `index`, from the positions x (three
 * components per row) at its pose x, q. */
void mo_attach_rigid_place(mo_constraint_set *set, int64_t index, const double *x);

/* The rows that are attached to body `index`; returns their number. */
int64_t mo_attach_rigid_rows(const mo_constraint_set *set, int64_t index, const int32_t **rows);

#endif
