/*
 * Bodies on colliders that are only known by their signed distance: tori, boolean combinations,
 * containers. Points of a convex part's core (corners, and points of its edges and faces) descend
 * in the distance along the part's surface; each minimum within the margin is a point of contact.
 * In a container whose complement is convex the minima are at corners, and exact at once.
 */
#ifndef MO_COLLIDE_FIELD_H
#define MO_COLLIDE_FIELD_H

#include "collide/narrow/pairs.h"

/* Points of contact of a part, up to the margin. */
void mo_field_contact(const mo_posed *part, const mo_collider *collider, double margin,
                      mo_scatter *scatter);

/* The time at which a moving part comes within `target` of the collider; infinite if it does not
 * within h. */
double mo_field_impact(const mo_side *part, const mo_collider *collider, double h, double target);

#endif
