/*
 * Islands solved directly: joints, and contacts where a heavy body rests on light ones.
 *
 * A phase of a substep solves for velocities v and impulses p of the equations J v + b + G p = 0, p
 * within bounds (joints: none; normal impulses: >= 0; friction: a disk of radius mu times the
 * normal impulse; motors), with M (v - v0) = J^T p. It is solved by the method of multipliers (M.
 * R. Hestenes 1969, J. Optim. Theory Appl. 4, 303): with a penalty d and multipliers p_k,
 *
 *     p(v) = projection of (p_k - d (J v + b)) / (1 + d G) onto the bounds,
 *     F(v) = M (v - v0) - J^T p(v) = 0,    then p_k := p(v).
 *
 * F is the gradient of a convex function, piecewise linear but for sliding friction; Newton's
 * method with an exact line search solves it in a few iterations with the matrix M + J^T p' J,
 * which has 6 x 6 blocks of the bodies of a contact or joint (ldl.h). With the penalty of 10^6
 * effective masses one iteration reduces the error of a joint a million times, for any masses and
 * number of joints in a chain; redundant joints and contacts are not singular. A factorisation of
 * the saddle-point matrix (J, M) itself would have to pivot around redundant equations.
 */
#ifndef MO_RIGID_DIRECT_H
#define MO_RIGID_DIRECT_H

#include "rigid/islands.h"
#include "rigid/ldl.h"

typedef struct mo_rigid_equation mo_rigid_equation;
typedef struct mo_rigid_direct_island mo_rigid_direct_island;
typedef struct mo_rigid_link mo_rigid_link;
typedef struct mo_rigid_direct_body mo_rigid_direct_body;

typedef struct mo_rigid_direct {
    mo_memory *memory;
    mo_rigid_pattern pattern;
    mo_rigid_motion *motion;
    mo_rigid_contact *contacts;
    mo_rigid_joint *joints;
    double slop, recovery_speed;
    /* The position phase is repeated until the joints close at the end of the drift, not only to
     * first order: with impulses along the Jacobian of the start of the substep this is RATTLE (B.
     * Leimkuhler, S. Reich 1994, Math. Comput. 63, 589), symplectic and time-reversible. No drag
     * of joints under tension (direct_equations.c). */
    bool exact;

    int64_t count; /* islands */
    mo_rigid_direct_island *island;
    mo_rigid_direct_body *body;
    mo_rigid_link *link;         /* contacts and joints */
    mo_rigid_equation *equation; /* of the links */
    int32_t *inverse_order, *pair,
        *local; /* elimination order; pairs of bodies; body -> its number in an island */
    int64_t *start;
    double *vector; /* 6 components per body, several vectors */
    double *diagonal, *value;
    int64_t island_capacity, body_capacity, link_capacity, equation_capacity,
        inverse_order_capacity, pair_capacity, local_capacity, start_capacity, vector_capacity,
        diagonal_capacity, value_capacity;
    int64_t bodies, links, equations, starts;
    double iterations; /* Newton iterations of the step, over all islands */
    int64_t solves;
} mo_rigid_direct;

typedef struct mo_rigid_direct_choice {
    bool all;               /* all islands */
    double high_mass_ratio; /* of an island's bodies */
} mo_rigid_direct_choice;

void mo_rigid_direct_release(mo_rigid_direct *direct);

/* Room for islands of this many bodies in all. */
mote_status mo_rigid_direct_reserve(mo_rigid_direct *direct, int64_t bodies, mote_error *error);

/* Room to choose from this many islands, the largest with this many contacts and joints. */
mote_status mo_rigid_direct_reserve_choice(mo_rigid_direct *direct, int64_t islands, int64_t links,
                                           mote_error *error);

/* Chooses the islands of the step; their bodies get motion->active = 2, and use[k] of their
 * contacts and joint_use[k] of their joints is cleared. */
mote_status mo_rigid_direct_choose(mo_rigid_direct *direct, mo_rigid_motion *motion,
                                   const mo_rigid_islands *islands, mo_rigid_contact *contacts,
                                   uint8_t *use, mo_rigid_joint *joints, uint8_t *joint_use,
                                   const mo_rigid_direct_choice *choice, mote_error *error);

/* The equations of the islands at the start of a step. */
void mo_rigid_direct_prepare(mo_rigid_direct *direct, mo_pool *pool, double substep);
void mo_rigid_direct_positions(mo_rigid_direct *direct, mo_pool *pool, double substep);
void mo_rigid_direct_velocities(mo_rigid_direct *direct, mo_pool *pool, double substep);

/* Mean forces of curved contacts in the substeps with the present normal, before it changes. */
void mo_rigid_direct_flush(mo_rigid_direct *direct, double h);

/* Impulses and mean forces of the step back to contacts and joints. */
void mo_rigid_direct_finish(mo_rigid_direct *direct, double h);

#endif
