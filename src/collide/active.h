/*
 * Active contact constraints of an implicit step. A bounce after the step is too late for an
 * implicit scheme: its step is long enough for the whole body to respond to the collider, and
 * without the constraint the lightest, lowest particles would yield instead of supporting the body.
 * Particles in compressive contact are therefore constrained in the linear system: along the normal
 * they move with the collider, and in sticking contact in all directions (D. Baraff, A. Witkin
 * 1998, section 5). Sliding friction is a force of this step. The active set is determined at the
 * start of the step; contacts under tension are inactive.
 *
 * Newton's method uses the constraints by row (mo_active); the contacts are records of a contact
 * set, which receive the constraint forces after the solve and convert them to reactions.
 */
#ifndef MO_COLLIDE_ACTIVE_H
#define MO_COLLIDE_ACTIVE_H

#include "collide/contact_set.h"
#include "collide/rows.h"

/* Constraint of a row: none, in a plane (slip), along a line (two contacts; `normal` is the
 * line's direction), in all directions. */
enum { MO_ACTIVE_NONE, MO_ACTIVE_SLIP, MO_ACTIVE_LINE, MO_ACTIVE_STICK };

/* Three components per row, except for the kind and the collider. */
typedef struct mo_active {
    uint8_t *kind;
    int32_t *collider; /* in contact with the row; NULL: not required */
    double *normal;
    double *velocity; /* of the collider at the contact */
    double *friction; /* friction acceleration of slip */
} mo_active;

/* Removes the constrained components of a row's vector. */
static inline void mo_active_project(const mo_active *active, int64_t row, double v[3])
{
    const double *n = active->normal + 3 * row;
    if (active->kind[row] == MO_ACTIVE_STICK) {
        v[0] = v[1] = v[2] = 0;
    } else if (active->kind[row] != MO_ACTIVE_NONE) {
        double along = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
        bool line = active->kind[row] == MO_ACTIVE_LINE;
        for (int k = 0; k < 3; ++k) {
            v[k] = (line ? 0 : v[k]) + (line ? along : -along) * n[k];
        }
    }
}

/* The active contacts with colliders in a step of h from `time`, under gravity g: rows in
 * contact whose current accelerations `a` point into the collider. They become the contacts of
 * the set, without forces. */
mote_status mo_active_find(mo_colliders *colliders, const mo_contact_rows *rows, double time,
                           double h, double g, const double *a, const mo_active *active,
                           mo_contact_set *set, mote_error *error);

/* Sets the forces of the set's contacts after the solve: those on the rows, three components
 * each, times `share`. They act at the positions at the start of the step. */
void mo_active_set_forces(mo_contact_set *set, const double *force, double share);

#endif
