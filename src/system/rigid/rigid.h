/*
 * The rigid system: one row per rigid body. x is the centre of mass, q turns the principal axes of
 * inertia into the world frame, w is the angular velocity about these axes.
 *
 * A body of the scene with copies is one body of the body table with a row for each copy; all that
 * copies share (collision shape, mass, material) is its prototype, the body's index in the table.
 *
 * A step. Bodies without contacts and joints are advanced by the integrator of `rigid.integrator`;
 * islands of contacts and joints by the solver (rigid/solver.h). Contacts and joints of a step come
 * from couplings (couple/rigid_contact.c, rigid_joint.c), which fill mo_rigid_step before the
 * solve and keep what has to be remembered of them.
 */
#ifndef MO_SYSTEM_RIGID_H
#define MO_SYSTEM_RIGID_H

#include "collide/narrow/narrow.h"
#include "host/system.h"
#include "rigid/mass.h"
#include "rigid/solver.h"

extern const mo_system_type mo_system_rigid;

struct mo_rigid_body_def;

typedef struct mo_rigid_material {
    double friction, restitution, rolling_friction;
} mo_rigid_material;

/* Data shared by all copies of a body. */
typedef struct mo_rigid_prototype {
    const struct mo_rigid_body_def *def;
    mo_collision_shape shape; /* in the frame of the principal axes */
    mo_mass_properties mass;  /* of the first copy, in the world */
    mo_principal_axes axes;
    double size; /* the smallest inner radius of a part */
    mo_rigid_material material;
    mo_method motion;
    bool fixed; /* or kinematic */
} mo_rigid_prototype;

/* Rows of a step beyond the bodies: moving colliders, and nodes of other systems in contact. */
typedef struct mo_rigid_guest {
    mo_vec3 x, v, w;
    mo_quat q;
    double inverse_mass; /* 0: prescribed */
    mo_vec3 acceleration;
    const mo_system *system; /* of a node; NULL: a collider */
    int64_t node;            /* its row there */
} mo_rigid_guest;

/* The constraints of a step: couplings add to them in `gather`, and read the results in
 * `project`. */
typedef struct mo_rigid_step {
    int64_t contact_count, contact_capacity;
    mo_rigid_contact *contacts;
    mo_rigid_geometry geometry; /* of curved contacts */
    int64_t guest_count, guest_capacity;
    mo_rigid_guest *guests; /* row of guest k: rows of the store + k; x and v after the solve */
    int64_t joint_count, joint_capacity;
    mo_rigid_joint *joints;
    /* force and torque on each row through the step, besides those of the scene; 0: none */
    int64_t added_count, added_capacity;
    double *added_forces;
    int64_t apart_count, apart_capacity;
    uint64_t *apart; /* pairs of rows that do not collide, see mo_rigid_system_pair; sorted */
} mo_rigid_step;

/* Numbers of colliders and of attached nodes (their rows) in pairs, beyond those of bodies and
 * guests. */
enum { MO_RIGID_COLLIDER = 1 << 30, MO_RIGID_ATTACHED = 1 << 29 };

static inline uint64_t mo_rigid_system_pair(int64_t a, int64_t b)
{
    return a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
}

/* Whether joints exclude contacts of a pair. */
bool mo_rigid_system_apart(const mo_rigid_step *step, int64_t a, int64_t b);

mo_rigid_step *mo_rigid_system_step_of(const mo_system *system);
const mo_rigid_prototype *mo_rigid_system_prototype_of(const mo_system *system, int64_t row);
int mo_rigid_system_dimension(const mo_system *system);

/* Reserves further elements. */
mote_status mo_rigid_system_reserve(mo_system *system, int64_t contacts, int64_t guests,
                                    int64_t joints, mote_error *error);

/* Adds a constant force and torque on a row for the solve of this step. */
mote_status mo_rigid_system_add_force(mo_system *system, int64_t row, mo_vec3 force, mo_vec3 torque,
                                      mote_error *error);

/* The angular velocity of a row was changed: its quaternion's rate follows. */
void mo_rigid_system_turn(mo_system *system, int64_t row);

/* The pose of a row: principal axes, velocities in the world frame. */
mo_pose mo_rigid_system_pose(const mo_system *system, int64_t row);

/* Gap up to which contacts are found beyond the approach in a step [m]. */
double mo_rigid_system_margin(const mo_system *system);

/* Substeps of the solver: impulses of warm starts are those of a substep. */
int mo_rigid_system_substeps(const mo_system *system);

/* The row of an id; -1 if it was removed. */
int64_t mo_rigid_system_find(const mo_system *system, int64_t id);

#endif
