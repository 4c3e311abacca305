/* The health of a step: numbers that ran away, particles that are too fast, walls that leak, steps that collapse. */
#ifndef MO_WORLD_WATCH_H
#define MO_WORLD_WATCH_H

#include "world/world.h"

/* So many steps on end at the least size are a collapse. */
enum { MO_STEPS_AT_MIN = 500 };

/* Numbers beyond these have run away, though they are still finite: places [m] and speeds [m/s], and speeds in diameters a
   second. Far above light and below what frames can hold, whose floats end at 3e38. */
#define MO_RANGE 1e18
#define MO_RANGE_RATE 1e24

/* The first row of a system that has run away, or the fastest one; -1: none has. */
int64_t mo_watch_find(const mo_system *system, bool lost);

/* Something has run away: says what, where and why. */
mote_status mo_watch_fail(const mote_world *world, double h, mote_error *error);

/* A particle goes further than its diameter in a step. */
void mo_watch_courant(mote_world *world, double courant, mote_step_report *report);

/* After the contacts of a system: a fluid that its walls should have held. */
void mo_watch_walls(mote_world *world, const mo_system *system, mote_step_report *report);

/* After a step: emitters that have reached their most. */
void mo_watch_emitters(mote_world *world);

/* After a step: whether it was as small as it may be. */
void mo_watch_step(mote_world *world, const mo_step_choice *choice);

/* After the first step: plane bodies that leave their plane. */
mote_status mo_watch_planes(mote_world *world, mote_error *error);

#endif
