/*
 * The solver of contacts and joints of rigid bodies.
 *
 * A step of h is divided into substeps (M. Macklin et al. 2019, SCA, "Small steps in physics
 * simulation"), and a substep s is kick, drift, kick, with constraint impulses at both kicks, as in
 * RATTLE (H. C. Andersen 1983, J. Comput. Phys. 52, 24):
 *
 *   v += s/2 a;  impulses so that no gap at x + s v is negative and joints close at x + s v
 *   x += s v;    torque-free rotation of q (mo_rigid_rotate_free)
 *   v += s/2 a;  impulses so that closed contacts do not approach and joints have no velocity
 *
 * A ballistic body follows its parabola exactly, and the velocity that corrects positions is
 * removed at the end of a substep. Impacts with restitution come first, in order of time within the
 * substep (impact.h).
 *
 * Contacts are solved by projected Gauss-Seidel, a manifold as one block, in the order of colours
 * of the contact graph; manifolds of a colour share no movable body and are solved four at a time,
 * on all threads. Joints, and islands of contacts with a high mass ratio, are solved directly
 * (direct.h). Results are the same bits on any number of threads.
 */
#ifndef MO_RIGID_SOLVER_H
#define MO_RIGID_SOLVER_H

#include "base/pool.h"
#include "rigid/bodies.h"
#include "rigid/contact.h"
#include "rigid/curvature.h"
#include "rigid/joint.h"

typedef struct mo_rigid_solver mo_rigid_solver;

typedef struct mo_rigid_solver_def {
    int substeps;           /* 6 */
    bool direct;            /* all islands directly and to rounding: RATTLE */
    double slop;            /* penetration that is not corrected [m] */
    double recovery_speed;  /* largest speed at which penetration is removed [m/s] */
    double high_mass_ratio; /* of an island's bodies, from which it is solved directly */
    double bounce_speed;    /* impacts slower than this have no restitution [m/s] */
} mo_rigid_solver_def;

mo_rigid_solver_def mo_rigid_solver_default(void);

typedef struct mo_rigid_report {
    int64_t contacts; /* manifolds */
    int64_t islands, colors, impacts;
    int64_t direct_islands;
    double iterations; /* of direct islands, mean per solve */
    double penetration_max,
        penetration_mean; /* over points with a negative gap, at the start of the step [m] */
    double joint_error;   /* largest distance of a joint's points [m] */
} mo_rigid_report;

/* `pool` may be NULL. */
mote_status mo_rigid_solver_create(mo_memory *memory, mo_pool *pool, const mo_rigid_solver_def *def,
                                   mo_rigid_solver **solver, mote_error *error);
void mo_rigid_solver_destroy(mo_rigid_solver *solver);

/* The geometry of contacts that are `curved`, for all steps to come; without it they are not
 * refreshed. */
void mo_rigid_solver_geometry(mo_rigid_solver *solver, mo_rigid_geometry geometry);

/* The constraints of a step. The arrays stay the caller's and are kept until the next begin.
 * Contacts must be in an order that does not depend on threads. */
mote_status mo_rigid_solver_begin(mo_rigid_solver *solver, const mo_rigid_bodies *bodies,
                                  mo_rigid_contact *contacts, int64_t contact_count,
                                  mo_rigid_joint *joints, int64_t joint_count, mote_error *error);

/* Whether a body has a contact or joint in this step: then the solver advances it, otherwise the
 * caller does. */
bool mo_rigid_solver_advances(const mo_rigid_solver *solver, int64_t row);

mote_status mo_rigid_solver_advance(mo_rigid_solver *solver, double h, mote_error *error);

const mo_rigid_report *mo_rigid_solver_report(const mo_rigid_solver *solver);

#endif
