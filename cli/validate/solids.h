/*
 * The cases of `mote validate solids`, one file each, and shared code.
 */
#ifndef MOTE_CLI_VALIDATE_SOLIDS_H
#define MOTE_CLI_VALIDATE_SOLIDS_H

#include "mote/mote.h"
#include "solid/material/material.h"
#include "validate/validate.h"
#include "world/world.h"

mote_status solids_create(const char *text, mote_world **world, mote_error *error);
double *solids_column(const mote_world *world, const char *name);

/* The forces on all rows of the current state, three components per row. */
mote_status solids_forces(mote_world *world, double *f, mote_error *error);

/* A material with Young's modulus 3.5 and Poisson's ratio 0.31 (or equivalent), as created from
 * a scene; along the first axis in orthotropic ones. It has the lifetime of the world. */
mote_status solids_material(const char *name, mote_world **world, mo_material *material,
                            mote_error *error);
#define SOLIDS_YOUNG 3.5
#define SOLIDS_POISSON 0.31

/* The constants of a material in a scene's text. */
const char *solids_constants(const char *name);

mote_status solids_derivatives(void *context, mote_error *error);
mote_status solids_symmetries(void *context, mote_error *error);
mote_status solids_uniaxial(void *context, mote_error *error);
mote_status solids_cantilever(void *context, mote_error *error);
mote_status solids_frequency(void *context, mote_error *error);
mote_status solids_calculix(void *context, mote_error *error);

#endif
