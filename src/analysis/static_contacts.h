/*
 * Contacts with colliders in static equilibrium: unilateral constraints with Coulomb friction
 * (analysis/static.c).
 */
#ifndef MO_ANALYSIS_STATIC_CONTACTS_H
#define MO_ANALYSIS_STATIC_CONTACTS_H

#include "collide/active.h"
#include "collide/contact_set.h"
#include "host/system.h"

/* Number of supporting colliders stored per row; -1 for unused entries. */
enum { MO_STATIC_SUPPORTS = 2 };

/* Projects rows that have penetrated a collider onto its surface, with the colliders posed at
 * `time`; rows supported by one of `supports` (NULL: none) are reprojected when slip in the
 * tangent plane has left its curved surface. */
void mo_static_contacts_project(mo_colliders *colliders, mo_system *system, double time,
                                int32_t *supports);

/* Subtracts from the forces f, three components per particle, the reactions of the colliders:
 * the normal component, and the tangential component balanced by friction. active->kind gives
 * the constraint of each row; on entry it is NONE, or SLIP for rows confined to a plane. Writes
 * `supports`, and in `geometric` (NULL: not required) the geometric stiffness of the contacts, a
 * symmetric block per row. Returns whether any row is constrained. */
bool mo_static_contacts_react(mo_colliders *colliders, mo_system *system, double time, double *f,
                              const mo_active *active, int32_t *supports, double *geometric);

/* The same contacts as records with their forces, appended to a set. Modifies f and active->kind
 * likewise. */
mote_status mo_static_contacts_list(mo_colliders *colliders, mo_system *system, double time,
                                    double *f, const mo_active *active, mo_contact_set *set,
                                    mote_error *error);

#endif
