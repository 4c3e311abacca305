/*
 * The family of flows: initial velocities as a function of the position, of fluids and of bodies.
 * They are added to the velocity of the phase or body.
 */
#ifndef MO_GEOMETRY_FLOW_H
#define MO_GEOMETRY_FLOW_H

#include "base/param.h"
#include "math/vec3.h"

typedef struct mo_flow_type {
    mo_descriptor base;
    mo_vec3 (*velocity)(const void *params, mo_vec3 x);
} mo_flow_type;

extern const mo_family mo_flows;

/* The velocity of a scene's flow; an absent one is 0. */
mo_vec3 mo_flow_velocity(mo_method flow, mo_vec3 x);

/* Fails if a velocity is not finite at one of `count` positions (three coordinates each). */
mote_status mo_flow_check(mo_method flow, int64_t count, const double *positions,
                          mote_error *error);

#endif
