/*
 * Contacts with colliders in static equilibrium: unilateral constraints with Coulomb friction
 * (analysis/static.c).
 */
#ifndef MO_ANALYSIS_STATIC_CONTACTS_H
#define MO_ANALYSIS_STATIC_CONTACTS_H

#include "collide/active.h"
#include "collide/contact_set.h"
#include "host/system.h"

/* The colliders that support a row: so many numbers each, -1 for no more. */
enum { MO_STATIC_SUPPORTS = 2 };

/* Projects rows that have entered a collider onto its surface, with the colliders where they are at
 * `time`; rows that one of `supports` (NULL: none) supports are reprojected onto it when they have
 * left its curved surface by sliding in a plane. */
void mo_static_contacts_project(mo_colliders *colliders, mo_system *system, double time,
                                int32_t *supports);

/* Subtracts from the forces f, three components per particle, the reactions of the colliders: the
 * part that points into them, and across it the part that friction balances. active->kind says which
 * rows are constrained and how; on entry it is NONE, or SLIP of rows that are constrained to a plane
 * anyway. Writes `supports`, and in `geometric` (NULL: not wanted) the geometric stiffness of the
 * contacts, a symmetric block per row. Returns whether any row is constrained. */
bool mo_static_contacts_react(mo_colliders *colliders, mo_system *system, double time, double *f,
                              const mo_active *active, int32_t *supports, double *geometric);

/* The same contacts as records with the forces in them, appended to a set. Changes f and
 * active->kind likewise. */
mote_status mo_static_contacts_list(mo_colliders *colliders, mo_system *system, double time,
                                    double *f, const mo_active *active, mo_contact_set *set,
                                    mote_error *error);

#endif
