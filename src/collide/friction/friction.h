/*
 * The family of friction laws: change of the tangential velocity in a contact.
 */
#ifndef MO_COLLIDE_FRICTION_FRICTION_H
#define MO_COLLIDE_FRICTION_FRICTION_H

#include "base/param.h"
#include "math/vec3.h"

typedef struct mo_friction_type {
    mo_descriptor base;
    /* The tangential velocity after a contact that changed the normal velocity by `kick` >= 0. */
    mo_vec3 (*slow)(const void *params, mo_vec3 tangential, double kick);
    /* The largest tangential force for a normal force, for force laws; NULL: velocity-based
     * only. */
    double (*limit)(const void *params, double press);
} mo_friction_type;

/* Whether a force law has friction. */
static inline bool mo_friction_acts(mo_method friction)
{
    const mo_friction_type *type = (const mo_friction_type *)friction.type;
    return type && type->limit && type->limit(friction.params, 1) > 0;
}

/* Coulomb's law with mu = 0: of a collider whose friction is not given; whether it is that one. */
mo_method mo_friction_none(void);
static inline bool mo_friction_given(mo_method friction)
{
    return friction.params != mo_friction_none().params;
}

extern const mo_family mo_frictions;

#endif
