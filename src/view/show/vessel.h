/*
 * Detection of vessels among colliders: glasses, bowls, jugs.
 */
#ifndef MO_VIEW_SHOW_VESSEL_H
#define MO_VIEW_SHOW_VESSEL_H

#include "collide/collider.h"

/* Whether a solid has a cavity that could contain a fluid: outside points from which rays
 * downwards and to all four sides hit it. Half spaces and `inside` colliders are not vessels. */
bool mo_is_vessel(const mo_collider_def *collider, mo_vec3 gravity);

bool mo_vessel_is_half_space(mo_method shape);

#endif
