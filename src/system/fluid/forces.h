/*
 * External forces on the rows of a fluid: those of the scene, of couplings, and callbacks. One term
 * of the fluid (fluid/term/term.h) sums them and adds f/m to the accelerations, after all other
 * terms, for every pressure solver.
 *
 * Only forces that depend on x, v and m of a single particle are supported (MO_FORCE_EXTERNAL).
 * Pair forces are rejected: fluid particles interact by pressure and viscosity, and the neighbour
 * lists have fixed-point positions and another radius. Forces with stored row indices are rejected
 * too, since the rows of a fluid are sorted.
 *
 * They are integrated explicitly, v += h a and x += h v, with the step limit of that scheme.
 */
#ifndef MO_SYSTEM_FLUID_FORCES_H
#define MO_SYSTEM_FLUID_FORCES_H

#include "host/external_forces.h"

struct mo_fluid_system;

/* Checks beyond the table: forces of the scene that have no effect. */
mote_status mo_fluid_system_forces_check(const mo_world_def *def, mote_error *error);

/* Creates the scene's forces; rows and their velocities are there. */
mote_status mo_fluid_system_forces_create(struct mo_fluid_system *fluid, const mo_world_def *def,
                                          mote_error *error);

/* The sum of all forces at `time`, three components per row [N]; *f NULL: none. */
mote_status mo_fluid_system_forces_sum(mo_external_forces *forces, double time, const double **f,
                                       mote_error *error);

/* The largest stable step [s], infinite: any. Bounds are those at the rows' x and v. */
double mo_fluid_system_forces_limit(mo_external_forces *forces);

extern const mo_force_hooks mo_fluid_system_force_hooks;

#endif
