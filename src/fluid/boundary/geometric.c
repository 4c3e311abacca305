/*
 * Geometric boundary: particles closer to a solid than their radius are projected and lose their
 * normal velocity, as any other particle (collide/contact.h), with the collider's restitution and
 * friction. There is no boundary density, so densities and pressures near boundaries are too low.
 * Cheap, with exact geometry.
 */
#include "fluid/boundary/boundary.h"

static const mo_param PARAMS[] = {{0}};

const mo_boundary_type mo_boundary_geometric = {
    .base =
        {.name = "geometric",
         .summary =
             "Position projection onto the collider's surface; cheap, without boundary pressure.",
         .capabilities = MO_PORTABLE,
         .params = PARAMS},
    .contacts = true,
};
