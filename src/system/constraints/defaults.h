/* The constraints of a position-based body without a list of constraints. */
#ifndef MO_SYSTEM_CONSTRAINTS_DEFAULTS_H
#define MO_SYSTEM_CONSTRAINTS_DEFAULTS_H

#include "constraint/constraint.h"

enum { MO_CONSTRAINT_DEFAULTS_MAX = 4 };

/* Lines have distance; cloth distance and bend_isometric; tetrahedra neo_hookean_pair (xpbd), or
 * distance and volume (pbd). Parameters are in the arena. */
mote_status mo_constraint_defaults(const mo_mesh *mesh, bool extended, mo_arena *arena,
                                   mo_method list[MO_CONSTRAINT_DEFAULTS_MAX], int *count,
                                   mote_error *error);

#endif
