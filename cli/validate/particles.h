/*
 * The cases of `mote validate particles`, one file each, and shared code.
 */
#ifndef MOTE_CLI_VALIDATE_PARTICLES_H
#define MOTE_CLI_VALIDATE_PARTICLES_H

#include "mote/mote.h"
#include "validate/validate.h"

#include <float.h>

/* Machine epsilon: a rounding error is at most half of it. */
#define PARTICLES_UNIT DBL_EPSILON

mote_status particles_steps(mote_world *world, int steps, mote_error *error);

/* The data of a column of doubles; NULL if there is none. */
double *particles_column(const mote_world *world, const char *name);

/* The fcc melt of LAMMPS's benchmark: 4 cells^3 atoms at density 0.8442 and T = 1.44, reduced
 * units. */
mote_status particles_melt(int cells, bool shift, int threads, mote_world **world,
                           mote_error *error);

/* Lattice constant of that crystal. */
double particles_edge(void);

mote_status particles_heat_chain(void *context, mote_error *error);
mote_status particles_heat_wave(void *context, mote_error *error);
mote_status particles_melting_front(void *context, mote_error *error);
mote_status particles_thermostat(void *context, mote_error *error);
mote_status particles_surfaces(void *context, mote_error *error);
mote_status particles_drift(void *context, mote_error *error);

#endif
