/* Which colliders are vessels: a glass, a bowl, a jug. */
#ifndef MO_VIEW_SHOW_VESSEL_H
#define MO_VIEW_SHOW_VESSEL_H

#include "collide/collider.h"

/* Whether a solid has a cavity that could hold a fluid at the start: there are points outside of it
 * from which it is met downwards and to all four sides. Half spaces and `inside` colliders are
 * none. */
bool mo_is_vessel(const mo_collider_def *collider, mo_vec3 gravity);

bool mo_shape_is_half_space(mo_method shape);

#endif
