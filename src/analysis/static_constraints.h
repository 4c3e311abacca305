/*
 * The constraints of static equilibrium (static.c) and of vibrations about it (modes.c) beside
 * pins: contacts with colliders, and the plane of planar bodies, which have no stiffness along z. A
 * constrained row is free in a plane, along a line or not at all (collide/active.h).
 */
#ifndef MO_ANALYSIS_STATIC_CONSTRAINTS_H
#define MO_ANALYSIS_STATIC_CONSTRAINTS_H

#include "collide/contact_set.h"
#include "world/world.h"

typedef struct mo_static_constraints {
    mo_colliders *colliders; /* NULL: no colliders */
    bool any_planar;
    /* sum of the forces on planar rows normal to their plane, at the last call [N] */
    double plane_force;
    uint8_t *planar; /* per row: 1 if confined to the x-y plane */
    mo_active active;
    /* the colliders in contact with each row (static_contacts.h), of the last call and of the
     * accepted iterate */
    int32_t *supports, *accepted;
    double *geometric; /* stiffness of the contacts, nine components per row (static_contacts.h) */
    mo_work work;
} mo_static_constraints;

/* Warns about colliders whose contacts are neglected. */
mote_status mo_static_constraints_create(mo_static_constraints *constraints, mote_world *world,
                                         mo_system *system, double time, mote_error *error);
void mo_static_constraints_destroy(mo_static_constraints *constraints, mote_world *world);

/* The rows constrained under the forces f, three components per row; subtracts the constraint
 * forces from f. NULL: none. */
const mo_active *mo_static_constraints_find(mo_static_constraints *constraints, mo_system *system,
                                            double time, double *f);

/* The active contacts of the current state under these forces, with their forces, appended to a
 * set; modifies f likewise. */
mote_status mo_static_constraints_list_contacts(mo_static_constraints *constraints,
                                                mo_system *system, double time, double *f,
                                                mo_contact_set *set, mote_error *error);

/* Accepts the contacts found last: mo_static_constraints_project reprojects rows onto these
 * colliders. */
void mo_static_constraints_accept(mo_static_constraints *constraints, const mo_system *system);
void mo_static_constraints_project(mo_static_constraints *constraints, mo_system *system,
                                   double time);

/* Notifies the forces of an accepted iterate (mo_force_statics.accept); x NULL: the solve has
 * ended. */
mote_status mo_static_constraints_notify(const mo_system *system, const double *x,
                                         mote_error *error);

/* Subtracts from A = -K the geometric stiffness of contacts with curved colliders, for slipping
 * rows; with `definite` only where it is positive. */
void mo_static_constraints_add_stiffness(const mo_static_constraints *constraints,
                                         const mo_active *active, mo_block_matrix *m,
                                         bool definite);

#endif
