/* The family of flows: how a fluid moves at the start, by place. It is added to the velocity of its
 * phase. */
#ifndef MO_FLUID_FLOW_H
#define MO_FLUID_FLOW_H

#include "base/param.h"
#include "math/vec3.h"

typedef struct mo_flow_type {
    mo_descriptor base;
    mo_vec3 (*velocity)(const void *params, mo_vec3 place);
} mo_flow_type;

extern const mo_family mo_flows;

#endif
