/*
 * The constraints of static equilibrium (static.c) and of vibrations about it (modes.c) beside pins:
 * contacts with colliders, and the plane of planar bodies, which have no stiffness along z. Each
 * leaves a row a plane, a line or no direction to move in (collide/active.h).
 */
#ifndef MO_ANALYSIS_CONSTRAINTS_H
#define MO_ANALYSIS_CONSTRAINTS_H

#include "collide/contact_set.h"
#include "system/forces/state.h"
#include "world/world.h"

typedef struct mo_constraints {
    mo_colliders *colliders; /* NULL: none */
    bool any_planar;
    double
        plane_force; /* sum of the forces on planar rows across their plane, when last found [N] */
    uint8_t *planar; /* of each row: it moves in the x-y plane alone */
    mo_active active;
    /* the colliders that support each row (static_contacts.h), as last found and as accepted */
    int32_t *supports, *accepted;
    double *geometric; /* stiffness of the contacts, nine components per row (static_contacts.h) */
    mo_work work;
} mo_constraints;

/* Warns where there are colliders whose contacts are neglected. */
mote_status mo_constraints_create(mo_constraints *constraints, mote_world *world, mo_system *system,
                                  double time, mote_error *error);
void mo_constraints_destroy(mo_constraints *constraints, mote_world *world);

/* The rows that are constrained under the forces f, three components per row; subtracts the
 * constraint forces from f. NULL: none is. */
const mo_active *mo_constraints_find(mo_constraints *constraints, mo_system *system, double time,
                                     double *f);

/* The contacts that support the state as it is under these forces, with the forces in them,
 * appended to a set; changes f likewise. */
mote_status mo_constraints_list_contacts(mo_constraints *constraints, mo_system *system,
                                         double time, double *f, mo_contact_set *set,
                                         mote_error *error);

/* The supports found last become those that mo_constraints_project reprojects rows onto. */
void mo_constraints_accept(mo_constraints *constraints, const mo_system *system);
void mo_constraints_project(mo_constraints *constraints, mo_system *system, double time);

/* Notifies the forces of an accepted iterate (mo_force_statics.accept); x NULL: the solve has
 * ended. */
mote_status mo_constraints_notify(const mo_system *system, const double *x, mote_error *error);

/* Subtracts from A = -K the geometric stiffness of contacts with curved colliders, of rows that
 * slip; with `definite` only where it stiffens. */
void mo_constraints_add_stiffness(const mo_constraints *constraints, const mo_active *active,
                                  mo_block_matrix *m, bool definite);

/* The system that static equilibrium and modes are found of; refuses worlds without one and
 * first-order dynamics. */
mote_status mo_world_find_forces(mote_world *world, mo_system **system, mote_error *error);

/* Whether the world has what mote_world_solve_static and mote_world_modes work on; nothing is
 * changed. */
mote_status mo_world_check_static(mote_world *world, mote_error *error);

#endif
