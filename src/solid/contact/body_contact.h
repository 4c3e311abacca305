/*
 * Bodies that touch each other: nodes of a body's surface against the surface triangles of other
 * bodies that are solid. (Not a body against itself, and not edges against edges: corners and faces
 * meet by their nodes.)
 *
 * A node within `gap` of a triangle, or inside it, is pushed away along the shortest way, as by a
 * spring with the potential 1/2 k (gap - d)^2, d the distance (negative inside). With the nearest
 * point c = sum b_i x_i of the triangle, n the direction from c to the node and w = (1, -b_1, -b_2,
 * -b_3):
 *     f_i = w_i (f_n n + f_t),   f_n = k (gap - d) - c s n . u >= 0,   u = sum w_i v_i,   s =
 *                                min((gap - d)/gap, 1),
 *     f_t = -mu f_n u_t / max(|u_t|, slip):
 * Coulomb's friction, smoothed below the speed `slip`, so that what rests creeps by less than that.
 * Damping grows with the depth (K. H. Hunt, F. R. E. Crossley 1975, J. Appl. Mech. 42, 440), or a
 * node that arrives would meet a wall of force where contact begins, and implicit steps that end
 * near that would have no solution. What the node gets the triangle gives: linear momentum is kept
 * to rounding, and without friction the angular one too, since f_n acts on the line from c to the
 * node. Each node touches the nearest triangle of every other body, up to four bodies.
 *
 * k of a node follows from the stiffness of its own body there (half of Gershgorin's bound, about
 * the diagonal of its stiffness), the smaller of that and the other body's mean counts, times
 * `stiffness`. (The mean, not the triangle's own: a k that changed with the place in the triangle
 * would give and take energy where nodes slide.) So contact is about as stiff as a cell of the
 * mesh, whatever the bodies are made of, and needs hardly shorter steps than they do. A node that
 * is deeper inside than `reach` (a cell) is lost: it is not pushed, since nobody knows whence it
 * came.
 *
 * Whether a point is inside is told by the nearest point's normal, the mean of those at the
 * triangle's corners.
 *
 * The Jacobian is what is semi-definite of it: -(k + c d/dt) n n^T and friction as a damping with
 * f_n as it is, less along u_t where that is faster than slip; how n and c change is left out
 * (Newton's method then converges linearly where surfaces slide).
 *
 * In a static solve there are no velocities: friction is an elastoplastic spring against the
 * tangential displacement (see static_friction.c).
 *
 * Else all is found anew in every evaluation (surfaces in a hashed grid of cells), so nothing has
 * to be kept: resumed runs go on with the same bits, and points are looked at in parallel, in any
 * order.
 */
#ifndef MO_SOLID_CONTACT_BODY_CONTACT_H
#define MO_SOLID_CONTACT_BODY_CONTACT_H

#include "base/param.h"
#include "integrate/force.h"

typedef struct mo_body_contact_def {
    /* stiffness NaN: bodies do not feel each other */
    double stiffness, gap, friction, slip, damping;
} mo_body_contact_def;

extern const mo_section mo_body_contact_section;

typedef struct mo_body_contacts mo_body_contacts;

/* `system`: whose rows the bodies have, in the world's list. */
mote_status mo_body_contacts_create(const mo_body_contact_def *def, int32_t system,
                                    mo_memory *memory, mo_body_contacts **contacts,
                                    mote_error *error);
void mo_body_contacts_destroy(void *contacts, mo_memory *memory);

/* The surface of a body, at rest; bodies come in the order of their rows. */
typedef struct mo_contact_surface {
    int64_t first, rows;      /* of the body */
    const double *x;          /* of all rows */
    const int64_t *id;        /* likewise */
    const int32_t *triangles; /* three rows each */
    int64_t triangle_count;
    bool solid; /* closed, with an inside: others collide with its triangles */
} mo_contact_surface;
mote_status mo_body_contacts_add(mo_body_contacts *contacts, const mo_contact_surface *surface,
                                 mote_error *error);

/* All bodies are known, and how stiff they are: `bound` has the sums of mo_force_type.stiffness,
 * three components per row. Makes the force, which then owns the contacts. */
void mo_body_contacts_finish(mo_body_contacts *contacts, const double *bound, mo_force *force);

#endif
