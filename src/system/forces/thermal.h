/* Maxwell-Boltzmann velocities. */
#ifndef MO_SYSTEM_FORCES_THERMAL_H
#define MO_SYSTEM_FORCES_THERMAL_H

#include "host/system.h"
#include "system/forces/def.h"

/*
 * Adds to each free particle of a body normal velocities of variance kB T/m along each axis, drawn
 * from (seed, id). The total momentum is removed and the velocities are scaled, so that the
 * temperature is exactly T:
 *     sum m |v|^2 = 3 (n - 1) kB T  for n particles,
 * without the centre-of-mass motion. A single particle is not adjusted.
 */
void mo_thermal_fill(mo_system *system, const mo_body_def *body, double boltzmann, int64_t first,
                     int64_t count);

#endif
