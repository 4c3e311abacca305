/*
 * The response of free rigid bodies with joints (collide/responder.h): for wrenches w
 *     (M + S) a + G^T mu = w,    G a = 0,
 * with the masses M of the bodies, added inertia S and one row of G for each equation of a joint.
 *
 * Blocks of bodies are inverted in the form P = (1 + W S)^-1 W, W = M^-1: axes without inverse
 * inertia (two-dimensional worlds, fixed bodies) need no special case. Joints: bodies connected by
 * them are a group, with the dense matrix G P G^T and
 *     a = P w - P G^T (G P G^T)^-1 G P w.
 * Pairs of bodies that share fluid: conjugate gradients with that as preconditioner, whose iterates
 * satisfy the joints. Without such pairs one application is the solution.
 */
#ifndef MO_COLLIDE_BODY_SOLVE_H
#define MO_COLLIDE_BODY_SOLVE_H

#include "collide/responder.h"

/* Groups with more equations are left out: their joints act after the pressure solve. */
enum { MO_BODY_ROWS_MAX = 384 };

/* An equation: sum of J . twist of up to two bodies is 0. */
typedef struct mo_body_row {
    int32_t body[2]; /* -1: none */
    mo_wrench J[2];
} mo_body_row;

typedef struct mo_body_group {
    int64_t first, count;   /* of its rows */
    int64_t matrix;         /* of its factors */
    bool changed, singular; /* of the factors with added inertia */
} mo_body_group;

typedef struct mo_body_solve {
    mo_memory *memory;
    int64_t count;
    const mo_free_body *bodies;
    double *free, *loaded; /* W and P, MO_INERTIA each */
    /* joints */
    int64_t row_count, group_count, unsolved_rows;
    mo_body_row *rows;
    mo_body_group *groups;
    int32_t *group_of, *link;            /* of rows; union-find of bodies */
    double *free_factor, *loaded_factor; /* Cholesky factors of the groups */
    double *multiplier;
    /* conjugate gradients */
    double *vector; /* q, r, z, p, P^-1 p, K p: six components per body each */
    int64_t free_capacity, loaded_capacity, row_capacity, group_capacity, group_of_capacity,
        link_capacity, free_factor_capacity, loaded_factor_capacity, multiplier_capacity,
        vector_capacity;
    int iterations; /* of the last solve with pairs */
} mo_body_solve;

void mo_body_solve_init(mo_body_solve *solve, mo_memory *memory);
void mo_body_solve_release(mo_body_solve *solve);

/* A step: the bodies, which must not move until the next, and the rows that the caller has written
 * to solve->rows (mo_body_solve_reserve_rows). */
mote_status mo_body_solve_reserve_rows(mo_body_solve *solve, int64_t rows, mote_error *error);
mote_status mo_body_solve_begin(mo_body_solve *solve, int64_t count, const mo_free_body *bodies,
                                int64_t rows, mote_error *error);

/* See mo_responder.respond. */
void mo_body_solve_respond(mo_body_solve *solve, const mo_added_inertia *added,
                           const mo_wrench *wrench, mo_twist *acceleration);

#endif
