/*
 * Walls without samples: particles that come nearer to a solid than their radius are put back and
 * lose their normal velocity, as any other particle of the world (collide/contact.h), with the
 * collider's restitution and friction. The fluid does not feel the wall before it touches it, so
 * densities and pressures near walls are too low. Cheap, and exact in where the wall is; for
 * starters and for open scenes.
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
