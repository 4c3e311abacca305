/* The family of frictions: what a contact does to the tangential velocity. */
#ifndef MO_COLLIDE_FRICTION_FRICTION_H
#define MO_COLLIDE_FRICTION_FRICTION_H

#include "base/param.h"
#include "math/vec3.h"

typedef struct mo_friction_type {
    mo_descriptor base;
    /* The tangential velocity after a contact that changed the normal velocity by `kick` >= 0. */
    mo_vec3 (*slow)(const void *params, mo_vec3 tangential, double kick);
} mo_friction_type;

extern const mo_family mo_frictions;

#endif
