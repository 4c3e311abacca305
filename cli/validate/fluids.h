/*
 * The cases of `mote validate fluids`, one file each, and shared code.
 */
#ifndef MOTE_CLI_VALIDATE_FLUIDS_H
#define MOTE_CLI_VALIDATE_FLUIDS_H

#include "mote/mote.h"
#include "validate/validate.h"

#include <float.h>

/* Machine epsilon: a rounding error is at most half of it. */
#define FLUIDS_UNIT DBL_EPSILON

mote_status fluids_quiescent_2d(void *context, mote_error *error);
mote_status fluids_quiescent_3d(void *context, mote_error *error);
mote_status fluids_quiescent_2d_long(void *context, mote_error *error);
mote_status fluids_quiescent_3d_long(void *context, mote_error *error);
mote_status fluids_disc(void *context, mote_error *error);
mote_status fluids_dam_front(void *context, mote_error *error);
mote_status fluids_dam_gate(void *context, mote_error *error);
mote_status fluids_sloshing(void *context, mote_error *error);
mote_status fluids_sloshing_solvers(void *context, mote_error *error);
mote_status fluids_poiseuille(void *context, mote_error *error);
mote_status fluids_poiseuille_long(void *context, mote_error *error);
mote_status fluids_couette(void *context, mote_error *error);
mote_status fluids_couette_long(void *context, mote_error *error);
mote_status fluids_shear_wave(void *context, mote_error *error);
mote_status fluids_taylor_green(void *context, mote_error *error);
mote_status fluids_taylor_green_long(void *context, mote_error *error);
mote_status fluids_cavity(void *context, mote_error *error);
mote_status fluids_cavity_long(void *context, mote_error *error);
mote_status fluids_probe(void *context, mote_error *error);
mote_status fluids_lock(void *context, mote_error *error);
mote_status fluids_lattice(void *context, mote_error *error);
mote_status fluids_operators(void *context, mote_error *error);
mote_status fluids_still_tank(void *context, mote_error *error);
mote_status fluids_density(void *context, mote_error *error);

#endif
