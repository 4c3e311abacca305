/*
 * Contact between the surfaces of bodies: nodes against the triangles of other surfaces and, if
 * `self` is set, of their own (not edges against edges). With the nearest point c = sum b_i x_i of
 * a triangle at the signed distance d < gap, n from c to the node, w = (1, -b_1, -b_2, -b_3) and
 * the relative velocity u = sum w_i v_i:
 *     f_i = w_i (f_n n + f_t),        f_t = -mu f_n u_t / max(|u_t|, slip),
 *     f_n = k (gap - d) - c s n.u >= 0,    s = min((gap - d)/gap, 1).
 * Damping grows with the depth (K. H. Hunt, F. R. E. Crossley 1975, J. Appl. Mech. 42, 440): else
 * the force would be discontinuous where contact begins, and implicit steps might have no solution.
 * f_n acts along the line from c to the node, so that momentum and angular momentum are conserved.
 *
 * k is `stiffness` times half of Gershgorin's bound at the node, or the mean of the other body if
 * that is less (a k that varied within a triangle would not conserve energy). Nodes deeper than
 * `reach`, a cell, are not in contact: the side they entered from is unknown. The inside follows
 * from the normal at c, interpolated from the corners; open surfaces and a body's own triangles
 * have two sides (two_sided.c). The Jacobian neglects the derivatives of n and c, and in slip most
 * of friction's. static_friction.c has friction in a static solve. docs/solids.md says more.
 * Contacts are found anew in every evaluation, so resumed runs have the same bits.
 */
#ifndef MO_SOLID_CONTACT_SURFACE_CONTACT_H
#define MO_SOLID_CONTACT_SURFACE_CONTACT_H

#include "base/param.h"
#include "integrate/force.h"
#include "solid/contact/detection.h"
#include "store/store.h"

typedef struct mo_body_contact_def {
    double stiffness; /* NaN: 1 */
    double gap, friction, slip, damping;
    bool self; /* each body with itself as well */
    mo_method detection;
} mo_body_contact_def;

extern const mo_section mo_body_contact_section;

typedef struct mo_body_contacts mo_body_contacts;

/* `system`: index of the system of the bodies in the world's list. */
mote_status mo_body_contacts_create(const mo_body_contact_def *def, int32_t system,
                                    mo_memory *memory, mo_body_contacts **contacts,
                                    mote_error *error);
void mo_body_contacts_destroy(void *contacts, mo_memory *memory);

/* The surface of a body in its rest shape; bodies in the order of their rows. */
typedef struct mo_contact_surface {
    int64_t first, rows;      /* of the body */
    const double *x;          /* of all rows */
    const int64_t *id;        /* likewise */
    const int32_t *triangles; /* three rows each */
    int64_t triangle_count;
    bool solid;                /* closed, with an inside; else both sides are in contact */
    const int32_t *tetrahedra; /* four rows each */
    int64_t tetrahedron_count;
} mo_contact_surface;
mote_status mo_body_contacts_add(mo_body_contacts *contacts, const mo_contact_surface *surface,
                                 mote_error *error);

/* Called after all bodies were added: whether the detection method can find any contact. */
mote_status mo_body_contacts_check(const mo_body_contacts *contacts, mote_error *error);

/* Called after all bodies were added, with their stiffness: `bound` has the sums of
 * mo_force_type.stiffness, three components per row. Creates the force, which then owns the
 * contacts. */
void mo_body_contacts_finish(mo_body_contacts *contacts, const double *bound, mo_force *force);

/* The sides of surfaces that nodes are on are a column of the system (two_sided.c). */
mote_status mo_body_contacts_declare(mo_body_contacts *contacts, mo_store *store,
                                     mote_error *error);
void mo_body_contacts_begin_step(mo_body_contacts *contacts);
/* The longest step in which no node crosses a surface with two sides unnoticed [s]; 0: any. */
double mo_body_contacts_step(const mo_body_contacts *contacts, const double *v);

#endif
