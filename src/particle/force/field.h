/*
 * The family of external forces and of pair forces without a mesh: drag, damping, pair potentials.
 * A scene lists them under "forces".
 */
#ifndef MO_PARTICLE_FORCE_FIELD_H
#define MO_PARTICLE_FORCE_FIELD_H

#include "integrate/force.h"
#include "particle/species.h"

extern const mo_family mo_fields; /* of mo_force_type */

#endif
