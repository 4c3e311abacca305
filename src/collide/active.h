/*
 * Active contact constraints of an implicit step. A bounce after the step is too late for an
 * implicit scheme: its step is long enough for the body to feel the collider, and solved without it
 * the lowest particles, which are lighter than the rest, would give way instead of supporting the
 * body. So particles in contact that press against a collider are constrained in the linear system:
 * along the normal they move with the collider, and in sticking contact in all directions (D.
 * Baraff, A. Witkin 1998, section 5). Sliding friction is a force of this step. The active set
 * follows from the state at the start of the step: contacts under tension are not in it, and new
 * ones are from the next step on.
 *
 * The Newton solve needs the constraints by row (mo_touch); the contacts themselves are records of
 * a contact set, which get the constraint forces after the solve and turn them into reactions.
 */
#ifndef MO_COLLIDE_ACTIVE_H
#define MO_COLLIDE_ACTIVE_H

#include "collide/contact_set.h"
#include "collide/rows.h"

/* GUIDED: along a line alone, as between two walls; `normal` is the line's direction then. */
enum { MO_TOUCH_FREE, MO_TOUCH_SLIDES, MO_TOUCH_GUIDED, MO_TOUCH_STICKS };

/* Three components per row, except for the kind. */
typedef struct mo_touch {
    uint8_t *kind;
    int32_t *collider; /* in contact with; NULL: nobody asks */
    double *normal;
    double *velocity; /* of the solid there */
    double *push;     /* acceleration by friction, of those that slide */
} mo_touch;

/* What is free to move of a row's vector: all, what is across the normal, what is along the line,
 * nothing. */
static inline void mo_touch_project(const mo_touch *t, int64_t row, double v[3])
{
    const double *n = t->normal + 3 * row;
    if (t->kind[row] == MO_TOUCH_STICKS) {
        v[0] = v[1] = v[2] = 0;
    } else if (t->kind[row] != MO_TOUCH_FREE) {
        double along = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
        bool guided = t->kind[row] == MO_TOUCH_GUIDED;
        for (int k = 0; k < 3; ++k) {
            v[k] = (guided ? 0 : v[k]) + (guided ? along : -along) * n[k];
        }
    }
}

/* The contacts with colliders that are active in a step of h from `time` on, under gravity g: rows
 * that press against a collider, by the accelerations `a` of the state now. They become the
 * contacts of the set, without forces. */
mote_status mo_active_find(mo_colliders *colliders, const mo_contact_rows *rows, double time,
                           double h, double g, const double *a, const mo_touch *touch,
                           mo_contact_set *set, mote_error *error);

/* The forces of the set's contacts, after the solve: those on the rows, three components each,
 * times `share`. They act where the rows were at the start of the step. */
void mo_active_set_forces(mo_contact_set *set, const double *force, double share);

#endif
