/*
 * Active contact constraints of an implicit step. A bounce after the step is too late for an
 * implicit scheme: its step is long enough for the whole body to respond to the collider, and solved
 * without it the lowest particles, which are lighter than the rest, would give way instead of
 * supporting the body. So particles in contact under compression are constrained in the linear
 * system: along the normal they move with the collider, and in sticking contact in all directions
 * (D. Baraff, A. Witkin 1998, section 5). Sliding friction is a force of this step. The active set
 * follows from the state at the start of the step: contacts under tension are not in it, and new
 * ones are from the next step on.
 *
 * The Newton solve needs the constraints by row (mo_active); the contacts themselves are records of
 * a contact set, which get the constraint forces after the solve and turn them into reactions.
 */
#ifndef MO_COLLIDE_ACTIVE_H
#define MO_COLLIDE_ACTIVE_H

#include "collide/contact_set.h"
#include "collide/rows.h"

/* How a row is constrained: not at all, to a plane (a contact that slips), to a line (two of them;
 * `normal` is the line's direction then), in all directions. */
enum { MO_ACTIVE_NONE, MO_ACTIVE_SLIP, MO_ACTIVE_LINE, MO_ACTIVE_STICK };

/* Three components per row, but for the kind and the collider. */
typedef struct mo_active {
    uint8_t *kind;
    int32_t *collider; /* in contact with; NULL: not wanted */
    double *normal;
    double *velocity; /* of the collider at the contact */
    double *friction; /* acceleration by friction, in slip */
} mo_active;

/* Removes the constrained part of a row's vector. */
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

/* The contacts with colliders that are active in a step of h from `time` on, under gravity g: rows
 * in contact whose accelerations `a` in the state now point into the collider. They become the
 * contacts of the set, without forces. */
mote_status mo_active_find(mo_colliders *colliders, const mo_contact_rows *rows, double time,
                           double h, double g, const double *a, const mo_active *active,
                           mo_contact_set *set, mote_error *error);

/* The forces of the set's contacts, after the solve: those on the rows, three components each,
 * times `share`. They act where the rows were at the start of the step. */
void mo_active_set_forces(mo_contact_set *set, const double *force, double share);

#endif
