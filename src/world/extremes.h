/*
 * Extremes of a state, used by the step control and the numerical health check; found in one pass
 * over the rows of all systems after every step. |x| and |v| are bounded separately, since a
 * particle without a radius has no |v|/diameter. Positions are read and these bounds checked after
 * contacts have modified them, and otherwise every 16 steps: x + h v of finite values stays finite.
 * Forces are not read: systems check them where they are summed, while the positions that caused
 * them are available.
 */
#ifndef MO_WORLD_EXTREMES_H
#define MO_WORLD_EXTREMES_H

#include "world/world.h"

/* Limits beyond which a finite state counts as diverged: positions [m], speeds [m/s], speeds in
 * diameters per second, and temperatures [K]. Far above the speed of light and below the range
 * of the 32-bit floats of frames, 3e38. */
#define MO_RANGE 1e18
#define MO_RANGE_RATE 1e24
#define MO_RANGE_TEMPERATURE 1e30

/* Largest magnitudes; NaN if a row has one. */
typedef struct mo_extremes {
    double speed;        /* |v|/diameter [1/s] */
    double acceleration; /* |a|/diameter [1/s^2]; 0 unless the step control uses it */
    double reach;        /* sqrt(|x|^2 + |v|^2) in m and m/s; 0 where positions are not read */
    double turning;      /* |w| [rad/s]; 0 without oriented bodies */
    double temperature;  /* [K]; 0 without temperatures */
    double courant;      /* `speed` for the step control, see COURANT_MAX */
} mo_extremes;

/* `changed`: the state was written from outside, so that positions are read in any case. */
mote_status mo_extremes_find(mote_world *world, bool changed, mo_extremes *extremes,
                             mote_error *error);

/* The same; also stores the extremes used by the step control in world->rates. */
mote_status mo_world_find_extremes(mote_world *world, bool changed, mo_extremes *extremes,
                                   mote_error *error);

bool mo_extremes_within_range(const mo_extremes *extremes);

/* The first row of a system beyond the range (of its acceleration if `acceleration`); -1: none. */
int64_t mo_extremes_row(const mo_system *system, bool accelerations);

#endif
