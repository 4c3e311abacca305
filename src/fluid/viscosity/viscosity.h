/* The family of viscosities: terms (term/term.h) that damp differences of velocity, within the
 * fluid and at its boundary. */
#ifndef MO_FLUID_VISCOSITY_H
#define MO_FLUID_VISCOSITY_H

#include "fluid/term/term.h"

typedef mo_term_type mo_viscosity_type;

/* Phases may have their own viscosities. */
enum { MO_VISCOSITY_PHASES = 1u << 0 };

extern const mo_family mo_viscosities;

/* The default method of phases with their own viscosity: the one that supports them, with zero
 * viscosity for the others. */
extern const mo_method mo_viscosity_of_phases;

/* The columns of explicit viscosities in physical units: `accelerate` fills an upper bound of the
   damping rate [1/s], from which `limit` follows. */
enum { MO_VISCOUS_RATE };
extern const mo_column_spec mo_viscosity_columns[];
double mo_viscosity_limit(const mo_instance *self, const mo_fluid *fluid);

#endif
