/* The system of a static or modal analysis (static.c, modes.c). */
#ifndef MO_ANALYSIS_STATIC_H
#define MO_ANALYSIS_STATIC_H

#include "world/world.h"

/* The system whose static equilibrium and modes are computed: the first with the hooks
 * (mo_static_hooks). An error for worlds without one, and for dynamics without equilibria. */
mote_status mo_static_system(mote_world *world, mo_system **system, mote_error *error);

#endif
