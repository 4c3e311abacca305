/*
 * Rigid bodies that nodes of position-based bodies are attached to, as they move in the substeps of
 * a step: predicted with the acceleration that everything but attachments gives them, turned and
 * moved by the attachments in each iteration (M. Mueller et al. 2020, Comput. Graph. Forum 39(8),
 * 101, section 3.3). The sums of the impulses act on the bodies in their own system.
 */
#ifndef MO_CONSTRAINT_ATTACHED_BODY_H
#define MO_CONSTRAINT_ATTACHED_BODY_H

#include "base/memory.h"
#include "math/quat.h"

typedef struct mo_attached_body {
    int64_t body; /* index in the scene */
    int64_t id;   /* of its row in its system; -1: removed */
    double inverse_mass;
    mo_vec3 inverse_moments; /* about its axes */
    mo_vec3 acceleration;    /* without attachments */
    mo_vec3 x, v, w;         /* of the centre, and angular velocity in the world frame */
    mo_quat q;               /* its axes */
    mo_vec3 drift, turn;     /* velocities at which it approaches the body's own pose */
    mo_vec3 before;          /* v at the start of the step */
    mo_vec3 start;           /* x and q at the start of the substep */
    mo_quat start_q;
    mo_vec3 impulse, moment; /* on it in the step, about its centre */
} mo_attached_body;

typedef struct mo_attached_bodies {
    int64_t count, capacity;
    mo_attached_body *list;
} mo_attached_bodies;

/* The index of a body of the scene, added if it is new. */
mote_status mo_attached_bodies_add(mo_attached_bodies *bodies, mo_memory *memory, int64_t body,
                                   int64_t *index, mote_error *error);

/* Predicts poses at the end of a substep, and afterwards finds the velocities. */
void mo_attached_bodies_predict(mo_attached_bodies *bodies, double h);
void mo_attached_bodies_finish(mo_attached_bodies *bodies, double h);

/* A direction of the body's frame in the world. */
static inline mo_vec3 mo_attached_body_turn(mo_quat q, mo_vec3 local)
{
    return mo_mat3_apply(mo_quat_matrix(q), local);
}

/* I^-1 u in the world frame. */
mo_vec3 mo_attached_body_spin(const mo_attached_body *body, mo_vec3 u);

/* Moves the body by a position impulse (kg m) at the arm r from its centre. */
void mo_attached_body_correct(mo_attached_body *body, mo_vec3 r, mo_vec3 impulse);

#endif
