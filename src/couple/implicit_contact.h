/*
 * Contacts of rigid bodies with nodes and triangles of a system that an implicit scheme has
 * advanced. The point of a triangle is sum b_i x_i, its force on node i is b_i f.
 *
 * An impulse on a node acts on its neighbours within an implicit step, so the response of the nodes
 * is that of the matrix A of the step (integrate/newton.h), not of their masses. The end of the
 * step without contact forces is corrected by displacements d of the nodes and D of the bodies
 * (translation and rotation vector) and contact forces f, the solution of
 *     A d = sum f,   M/h^2 D = - sum (f, r x f),
 *     f_n = -k (g + n.(d - D - D_r x r)) >= 0,   |f_t| <= mu f_n,
 * g being the gap at the end of the step without f. k is 1,000 times the larger one of the node's
 * own A and of the body's mass per contact, so that the remaining penetration is 1/1000 of the
 * deformation that the load causes anyway. Contacts among the bodies and with colliders, and
 * joints, are part of the system, as supports: what they transmit is found again by the rigid
 * solver. The active set (open, sliding, sticking) is iterated, each time with one solve by
 * conjugate gradients.
 *
 * Nodes and bodies receive equal and opposite impulses h f (c_v f where c_v, the weight of the new
 * acceleration, is not h); the body's is applied through the step as a constant force.
 */
/* These are the equations of schemes that end at their stage, such as implicit Euler: v changes by
 * d/h, the body's displacement in the constraint is h V at the end of the step, and where f stops a
 * fast approach the body receives it at once. In other schemes (the first step of bdf2) f is
 * constant in the step: x changes by end_x d (integrate/newton.h) and the body by h^2/2 f/M. The
 * common form is A/end_x d, c M/h^2 D, c = 1 or 2, with d and D at the end of the step. */

#ifndef MO_COUPLE_IMPLICIT_CONTACT_H
#define MO_COUPLE_IMPLICIT_CONTACT_H

#include "host/system.h"
#include "linear/solver/solver.h"
#include "system/rigid/rigid.h"

enum { MO_CONTACT_OPEN, MO_CONTACT_SLIDES, MO_CONTACT_STICKS };

typedef struct mo_implicit_contact {
    int nodes; /* side 0: a node of the deformable system, or three of a triangle; 0: the body */
    int64_t node[3];  /* rows */
    double weight[3]; /* barycentric coordinates */
    int32_t body[2];  /* rows of the rigid system; -1: immovable */
    mo_vec3 arm[2];   /* from the bodies' centres to the point; of nodes: its initial position */
    mo_vec3 normal;   /* from side 1 to side 0 */
    /* gap along the normal, and relative displacement across it, at the end of the step without
     * contact forces */
    mo_vec3 offset;
    double friction; /* coefficient */
    double restitution;
    double approach; /* speed before the step */
    double stiffness;
    int state;
    mo_vec3 sliding; /* friction force */
    mo_vec3 force;   /* on side 0 */
} mo_implicit_contact;

/* One equation of a joint among bodies (rigid/joint.h): always active. */
typedef struct mo_implicit_joint {
    int32_t body[2];
    mo_vec3 linear, angular[2];
    double error, stiffness;
} mo_implicit_joint;

typedef struct mo_implicit_contacts {
    mo_memory *memory;
    mo_linear_solver solver;
    bool open;
    int64_t count, capacity, joint_count, joint_capacity, map_capacity, body_capacity;
    mo_implicit_contact *list;
    mo_implicit_joint *joints;
    int32_t *number; /* of a rigid row among the bodies of the solve; -1: not one */
    int64_t body_count;
    int32_t *bodies; /* their rows */
    mo_block_pattern pattern;
    mo_block_matrix diagonal; /* nodes, then translation and rotation of each body */
    int64_t rows;
    mo_work work;
    double *right, *x, *mass, *inertia; /* vectors; of bodies: 3 and 9 each, times c/h^2 */
    /* of the last step */
    int64_t passes, iterations;
} mo_implicit_contacts;

void mo_implicit_contacts_init(mo_implicit_contacts *contacts, mo_memory *memory);
void mo_implicit_contacts_release(mo_implicit_contacts *contacts);

/* A further contact, its offset being that of the start of the step: filled by the solve. */
mote_status mo_implicit_contacts_add(mo_implicit_contacts *contacts,
                                     const mo_implicit_contact *contact, mote_error *error);

/* After the solve of the nodes' system: corrects its x and v and applies the opposite impulses to
 * the rigid bodies. */
mote_status mo_implicit_contacts_solve(mo_implicit_contacts *contacts, mo_system *rigid,
                                       mo_system *nodes, mo_newton *newton, const mo_step_time *now,
                                       mote_error *error);

#endif
