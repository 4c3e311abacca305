/* The equations of direct islands (direct.h), shared by their files. */
#ifndef MO_RIGID_DIRECT_STATE_H
#define MO_RIGID_DIRECT_STATE_H

#include "rigid/direct.h"

typedef enum mo_rigid_bound {
    MO_BOUND_NONE,  /* an equation */
    MO_BOUND_RANGE, /* low <= p <= high */
    MO_BOUND_DISK,  /* the first of two equations, |p| <= high */
    MO_BOUND_SECOND /* the second one */
} mo_rigid_bound;

struct mo_rigid_equation {
    mo_rigid_bound bound;
    bool friction;
    double j[2][MO_LDL]; /* of either body: J v = j[0] . v0 + j[1] . v1 */
    double prescribed;   /* the part of J v of bodies that are not movable */
    double b, softness;  /* J v + b + softness p = 0 */
    double low, high;
    double inverse_mass;      /* J M^-1 J^T */
    double multiplier;        /* p_k */
    double p;                 /* impulse of the substep */
    double base;              /* impulse that the velocities contain already */
    double half, last, total; /* of the substep before: half, whole; sum of the step */
    double u, change;         /* J v; its change along the search direction */
    double slope;             /* -dp/d(J v) of this equation */
    double across[2]; /* direction in the plane of a disk at whose bound p is; 0, 0: within */
    double error;     /* of positions: a joint's, or the gap of a contact */
    double sign;      /* of a limit: -1 of the upper one */
    int slot;         /* of a joint's impulses */
    double stiffness, damping; /* of a spring; both 0: none */
};

/* A contact or a joint. */
struct mo_rigid_link {
    int32_t contact, joint; /* index; -1: the other kind */
    int32_t body[2];        /* numbers in the island; -1: not movable */
    int64_t first;          /* equation */
    int32_t count;
    int32_t points; /* of a contact: its first equations */
    int64_t block;  /* of the pair, -1: none */
    bool transposed;
    mo_vec3 impulse, moment; /* of a joint on body 0, about its point: sums of the step */
    double drag, next_drag;  /* angular impulse per relative angular velocity: now; in positions */
};

struct mo_rigid_direct_body {
    int32_t row;
    double mass, inverse_mass;
    double inertia[9], inverse_inertia[9]; /* in the frame of the world, now */
    mo_vec3 force;                         /* of the joints */
    double tension, reach;                 /* sum of f . r; largest r */
};

struct mo_rigid_direct_island {
    int64_t body, bodies, link, links;
    mo_rigid_ldl ldl;
    double *v, *start_v, *f, *step, *work; /* six components per body */
    double substep;
    int64_t drags;  /* links with drag in this phase */
    bool factored;  /* for the present Jacobian and the slopes of the equations */
    int iterations; /* of Newton's method in this step */
    int64_t solves;
};

/* ---- equations (direct_equations.c) ---- */

/* Inertia tensors and Jacobians at the present positions. */
void mo_rigid_direct_refresh(mo_rigid_direct *direct, mo_rigid_direct_island *island,
                             double substep);
/* Right-hand sides and bounds of a phase. */
void mo_rigid_direct_aim(mo_rigid_direct *direct, mo_rigid_direct_island *island, bool positions);
/* Errors of joints after a drift at the present velocities; returns the largest, and adds their
 * rates to the right-hand sides where it is at most `most`. */
double mo_rigid_direct_close(mo_rigid_direct *direct, mo_rigid_direct_island *island, double most);

/* ---- solution (direct_solve.c) ---- */

/* Velocities and impulses of a phase. */
void mo_rigid_direct_solve(mo_rigid_direct *direct, mo_rigid_direct_island *island);

#endif
