/* The reactions of a fluid's boundary on the colliders, kept from step to step. */
#ifndef MO_COUPLE_BOUNDARY_REACTION_H
#define MO_COUPLE_BOUNDARY_REACTION_H

#include "collide/reactions.h"
#include "host/coupling.h"

extern const mo_coupling_type mo_coupling_boundary_reaction;

/* Those of the last step, for mo_reactions_of and mo_reactions_wrench; none before the first. Valid until
   the coupling steps or is restored. */
mo_reactions mo_boundary_reactions(const mo_coupling *coupling);

#endif
