/*
 * Limits of the speed and of its change in one step: a safeguard for interactive use with
 * overlapping particles. Limited particles get age 0, which invalidates their integrator history.
 */
#ifndef MO_SYSTEM_FORCES_SPEED_LIMIT_H
#define MO_SYSTEM_FORCES_SPEED_LIMIT_H

#include "host/system.h"

typedef struct mo_speed_limit {
    double speed, change; /* [m/s], and [m/s] per step; NaN: none */
    mo_column *before;    /* velocities at the start of the step, for `change` */
} mo_speed_limit;

mote_status mo_speed_limit_declare(mo_speed_limit *limit, mo_system *system, mote_error *error);
void mo_speed_limit_begin(const mo_speed_limit *limit, mo_system *system);
void mo_speed_limit_apply(const mo_speed_limit *limit, mo_system *system);

#endif
