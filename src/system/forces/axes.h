/* Initial orientations of oriented particles. */
#ifndef MO_SYSTEM_FORCES_AXES_H
#define MO_SYSTEM_FORCES_AXES_H

#include "geometry/mesh/mesh.h"
#include "host/system.h"
#include "system/forces/def.h"

/* The rows of one body from `first` on, oriented or (with inertia 0) not. */
mote_status mo_axes_fill(mo_system *system, const mo_body_def *body, const mo_mesh *mesh,
                         int64_t first, mote_error *error);

#endif
