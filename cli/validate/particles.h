/* The cases of `mote validate particles`, a file each, and what they share. */
#ifndef MOTE_CLI_VALIDATE_PARTICLES_H
#define MOTE_CLI_VALIDATE_PARTICLES_H

#include "mote/mote.h"
#include "validate/validate.h"

#include <float.h>

/* The gap between 1 and the next number: a sum is wrong by half of that. */
#define PARTICLES_UNIT DBL_EPSILON

mote_status particles_steps(mote_world *world, int steps, mote_error *error);

/* The data of a column of doubles; NULL if there is none. */
double *particles_column(const mote_world *world, const char *name);

/* The fcc melt of LAMMPS's benchmark: 4 cells^3 atoms at density 0.8442 and T = 1.44, reduced
 * units. */
mote_status particles_melt(int cells, bool shift, int threads, mote_world **world,
                           mote_error *error);

/* Edge of a cell of that crystal. */
double particles_edge(void);

mote_status particles_heat_chain(void *context, mote_error *error);
mote_status particles_heat_wave(void *context, mote_error *error);
mote_status particles_drift(void *context, mote_error *error);

#endif
