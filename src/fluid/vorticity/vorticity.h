/* The family of vorticity methods: terms (term/term.h) that retain or create eddies which the
 * numerical dissipation of the fluid would remove. */
#ifndef MO_FLUID_VORTICITY_H
#define MO_FLUID_VORTICITY_H

#include "fluid/term/term.h"

typedef mo_term_type mo_vorticity_type;

extern const mo_family mo_vorticities;

/* The curl of the velocity of every row in difference form, sum_j V_j grad W_ij x (v_j - v_i), and
 * its length: rows x (curl, |curl|). Velocities are packed. */
void mo_vorticity_curl(mo_fluid *fluid, float *curl);

#endif
