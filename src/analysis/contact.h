/*
 * Contacts with colliders in static equilibrium: rows are kept outside, and colliders react to what
 * presses on them, with Coulomb friction (analysis/static.c).
 */
#ifndef MO_ANALYSIS_CONTACT_H
#define MO_ANALYSIS_CONTACT_H

#include "collide/active.h"
#include "collide/contact_set.h"
#include "host/system.h"

/* The colliders that support a row: so many numbers each, -1 for no more. */
enum { MO_CONTACT_ON = 2 };

/* Projects rows that have entered a collider onto its surface, with the colliders where they are at
 * `time`; rows that one of `on` (NULL: none) supports are reprojected onto it when they have left
 * its curved surface by sliding in a plane. */
void mo_contacts_put_out(mo_colliders *colliders, mo_system *system, double time, int32_t *on);

/* Subtracts from the forces f, three components per particle, the reactions of the colliders: what
 * presses into them, and across it what friction balances. touch->kind says which rows are
 * constrained and how; on entry it is FREE, or SLIDES of rows that keep to a plane anyway. Writes
 * `on`, and in `bend` (NULL: not wanted) the geometric stiffness of the contacts, a symmetric block
 * a row. Returns whether any row is in contact. */
bool mo_contacts_carry(mo_colliders *colliders, mo_system *system, double time, double *f,
                       const mo_touch *touch, int32_t *on, double *bend);

/* The same contacts as records with the forces in them, appended to a set. Changes f and
 * touch->kind likewise. */
mote_status mo_contacts_list(mo_colliders *colliders, mo_system *system, double time, double *f,
                             const mo_touch *touch, mo_contact_set *set, mote_error *error);

#endif
