/* Cases of position-based bodies in several files. */
#ifndef VALIDATE_CONSTRAINTS_H
#define VALIDATE_CONSTRAINTS_H

#include "mote/mote.h"

/* Cloth in contact: without intersections at every frame; small meshes. */
mote_status constraints_cloth(void *context, mote_error *error);

/* Strain of woven cloth. */
mote_status constraints_fabric(void *context, mote_error *error);

/* Every constraint's derivatives. */
mote_status constraints_derivatives(void *context, mote_error *error);

/* Converged steps beside those of finite elements. */
mote_status constraints_newton(void *context, mote_error *error);

/* Stresses on a plane. */
mote_status constraints_section(void *context, mote_error *error);

/* A sheet of 50 m/s against a thin plate. */
mote_status constraints_plate(void *context, mote_error *error);

#endif
