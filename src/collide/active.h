/*
 * Contacts within an implicit step. Contacts are resolved after a step, by velocities; for an implicit scheme that is too late: its
 * step is long enough for the body to feel the ground, and solved without the ground the lowest particles, which are lighter than
 * the rest, give way instead of carrying it. So particles that lie on a solid and press against it are held by it in the
 * system: along the normal they go with the solid, and altogether if friction holds them (D. Baraff, A. Witkin 1998, section 5,
 * for constraints in the linear system). Friction that does not hold is a force of this step. Which ones they are follows from the state at
 * its start: those that are pulled off are not held, and those that arrive are held from the next step on.
 */
#ifndef MO_COLLIDE_ACTIVE_H
#define MO_COLLIDE_ACTIVE_H

#include "collide/rows.h"

/* GUIDED: along a line alone, as between two walls; `normal` is the line's direction then. */
enum { MO_TOUCH_FREE, MO_TOUCH_SLIDES, MO_TOUCH_GUIDED, MO_TOUCH_STICKS };

/* Three numbers a row, but for the kind. */
typedef struct mo_touch {
    uint8_t *kind;
    double *normal;
    double *velocity; /* of the solid there */
    double *push;     /* acceleration by friction, of those that slide */
} mo_touch;

/* What is free to move of a row's vector: all, what is across the normal, what is along the line, nothing. */
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
   that lie on a collider and press against it, by the accelerations `a` of the state now. */
mote_status mo_active_find(mo_colliders *colliders, const mo_contact_rows *rows, double time, double h,
                           double g, const double *a, const mo_touch *touch, bool *any, mote_error *error);

#endif
