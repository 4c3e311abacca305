/*
 * The cases of `mote validate coupled`, and shared code: tanks of water with one rigid body.
 */
#ifndef MOTE_CLI_VALIDATE_COUPLED_H
#define MOTE_CLI_VALIDATE_COUPLED_H

#include "mote/mote.h"
#include "validate/validate.h"

mote_status coupled_momentum(void *context, mote_error *error);
mote_status coupled_iterations(void *context, mote_error *error);
mote_status coupled_draft(void *context, mote_error *error);
mote_status coupled_added_mass(void *context, mote_error *error);
mote_status coupled_light(void *context, mote_error *error);
mote_status coupled_corner(void *context, mote_error *error);
mote_status coupled_pile(void *context, mote_error *error);

/* A column of the system with this name; NULL: there is none. */
void *coupled_column(const mote_world *world, const char *system, const char *column);
int64_t coupled_rows(const mote_world *world, const char *system);

/* A quantity of the last step by its name; NaN: there is none. */
double coupled_quantity(const mote_world *world, const char *name);

#endif
