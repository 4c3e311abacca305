/* The family of artificial viscosities: terms (term/term.h) that dissipate disorder of velocities
 * at the scale of the spacing, which no physical viscosity resolves. */
#ifndef MO_FLUID_ARTIFICIAL_VISCOSITY_H
#define MO_FLUID_ARTIFICIAL_VISCOSITY_H

#include "fluid/term/term.h"

typedef mo_term_type mo_artificial_viscosity_type;

extern const mo_family mo_artificial_viscosities;

#endif
