/* Velocities of a temperature: what a gas at rest has. */
#ifndef MO_SYSTEM_FORCES_THERMAL_H
#define MO_SYSTEM_FORCES_THERMAL_H

#include "host/system.h"
#include "system/forces/def.h"

/*
 * Adds to each free particle of a body normal velocities of variance kB T/m along each axis, drawn
 * from (seed, id). The body's own momentum is taken out and the rest scaled, so that its
 * temperature is T exactly:
 *     sum m |v|^2 = 3 (n - 1) kB T  for n particles,
 * the common motion being no heat. A single particle keeps what it drew.
 */
void mo_thermal_fill(mo_system *system, const mo_body_def *body, double boltzmann, int64_t first,
                     int64_t count);

#endif
