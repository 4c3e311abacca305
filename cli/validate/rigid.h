/* The cases of `mote validate rigid`, a file each, and what they share. */
#ifndef MOTE_CLI_VALIDATE_RIGID_H
#define MOTE_CLI_VALIDATE_RIGID_H

#include "mote/mote.h"
#include "validate/validate.h"

/* A world of a scene on one thread; a column of its system "rigid". */
mote_status rigid_world(const char *text, mote_world **world, mote_error *error);
double *rigid_column(const mote_world *world, const char *name);

/* Free bodies (rigid_free.c) and mass properties (rigid_mass.c). */
mote_status rigid_symmetric_top(void *context, mote_error *error);
mote_status rigid_asymmetric_top(void *context, mote_error *error);
mote_status rigid_integrators(void *context, mote_error *error);
mote_status rigid_rotation_matrix(void *context, mote_error *error);
mote_status rigid_inertia(void *context, mote_error *error);

/* Contacts (rigid_contacts.c) and joints (rigid_joints.c). */
mote_status rigid_sliding(void *context, mote_error *error);
mote_status rigid_slope(void *context, mote_error *error);
mote_status rigid_rolling(void *context, mote_error *error);
mote_status rigid_bowling(void *context, mote_error *error);
mote_status rigid_bouncing(void *context, mote_error *error);
mote_status rigid_oblique(void *context, mote_error *error);
mote_status rigid_cradle(void *context, mote_error *error);
mote_status rigid_stacks(void *context, mote_error *error);
mote_status rigid_pendulum(void *context, mote_error *error);
mote_status rigid_direct(void *context, mote_error *error);
mote_status rigid_gyroscope(void *context, mote_error *error);
mote_status rigid_chain(void *context, mote_error *error);

/* Assemblies (rigid_assemblies.c). */
mote_status rigid_heavy_top(void *context, mote_error *error);
mote_status rigid_catenary(void *context, mote_error *error);
mote_status rigid_dominoes(void *context, mote_error *error);
mote_status rigid_cradle_strings(void *context, mote_error *error);

#endif
