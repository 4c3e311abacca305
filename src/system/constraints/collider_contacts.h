/*
 * Contacts of position-based rows with colliders: inequality constraints C = (p - q) . n - r >= 0,
 * generated along the path of a substep and projected in every iteration, with friction at the
 * level of positions.
 *
 * A candidate is a row whose path is near a collider. Its constraint is the tangent plane of the
 * surface at the predicted position, or at the point of entry of a path that crosses a thin solid
 * (mo_collider_passed). After the last iteration rows are tested against the surfaces themselves,
 * and those that penetrate are projected: no row ends a substep inside a collider, however fast it
 * is.
 */
#ifndef MO_SYSTEM_CONSTRAINTS_COLLIDER_CONTACTS_H
#define MO_SYSTEM_CONSTRAINTS_COLLIDER_CONTACTS_H

#include "collide/contact_set.h"
#include "collide/rows.h"

enum { MO_CONTACT_SLOTS = 3 }; /* planes of a row: a corner has three */

typedef struct mo_plane_contact {
    mo_vec3 normal;
    double offset;  /* normal . p >= offset */
    mo_vec3 image;  /* from the row to the image that is in contact */
    mo_vec3 change; /* sum of the corrections of this substep */
    double push;    /* their normal part */
    int32_t collider;
} mo_plane_contact;

typedef struct mo_collider_contacts {
    mo_memory *memory;
    mo_colliders *colliders;
    int64_t number_capacity, slot_capacity;
    uint8_t *number; /* of the planes of a row */
    mo_plane_contact *slots;
    /* of the substep: */
    double h, rest_speed;
    mo_contact_rows rows;
    double *p;           /* positions in iterations, four components per row */
    const double *start; /* at the start of the substep */
    /* over the step: */
    mo_contact_set set; /* with forces, for reactions; filled on request */
    mo_reactions reactions;
    int64_t contacts; /* rows in contact in the last substep */
} mo_collider_contacts;

void mo_collider_contacts_init(mo_collider_contacts *contacts, mo_colliders *colliders,
                               mo_memory *memory);
void mo_collider_contacts_release(mo_collider_contacts *contacts);

/* Projects rows of age 0 (new, or moved by a coupling) out of the colliders at the start `time` of
 * a step, without changing velocities (pre-stabilization, M. Macklin et al. 2014, section 4.4):
 * otherwise a depth d becomes the velocity d/h, which shortens h by the Courant condition, which
 * increases d/h. x: three components per row. */
mote_status mo_collider_contacts_prestabilize(mo_collider_contacts *contacts, double time,
                                              const uint8_t *age, double *x, mote_error *error);

/* Finds the candidates of a substep of h that ends at `time`; `g` is gravity. */
mote_status mo_collider_contacts_find(mo_collider_contacts *contacts, double time, double h,
                                      double g, mote_error *error);

/* Projects the planes, with friction. */
void mo_collider_contacts_project(mo_collider_contacts *contacts);

/* Projects rows that penetrate a surface. */
void mo_collider_contacts_separate(mo_collider_contacts *contacts);

/* After the velocities v of the end: restitution, from the velocities v0 before the solve; both
 * three components per row. */
void mo_collider_contacts_restitute(mo_collider_contacts *contacts, const double *v0, double *v);

/* Counts the rows in contact, and appends their forces, times `share`, to the set, if `record`. */
mote_status mo_collider_contacts_close(mo_collider_contacts *contacts, double share, bool record,
                                       mote_error *error);

#endif
