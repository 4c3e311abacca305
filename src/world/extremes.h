/*
 * The extremes of a state: what the step control and the check of numerical health look at, found
 * in one pass over the rows of all systems after every step. |x| and |v| are bounded by themselves,
 * since a particle without a radius has no |v|/diameter. Positions are read (a quarter of the pass)
 * where contacts have written some, and else every 16 steps: x + h v of finite numbers stays
 * finite. Forces are not read: a system checks them where it sums them, while the positions that
 * caused them are still known.
 */
#ifndef MO_WORLD_EXTREMES_H
#define MO_WORLD_EXTREMES_H

#include "world/world.h"

/* Numbers beyond these have run away, though they are still finite: positions [m] and speeds
   [m/s], speeds in diameters a second, and temperatures [K]. Far above light and below what
   frames can hold, whose floats end at 3e38. */
#define MO_RANGE 1e18
#define MO_RANGE_RATE 1e24
#define MO_RANGE_TEMPERATURE 1e30

/* Largest magnitudes; not a number if one of a row is not. */
typedef struct mo_extremes {
    double speed;        /* |v|/diameter [1/s] */
    double acceleration; /* |a|/diameter [1/s^2]; 0 unless the step control looks at it */
    /* sqrt(|x|^2 + |v|^2) in m and m/s; |v| where positions are not looked at */
    double reach;
    double turning;     /* |w| [rad/s]; 0 if nothing is oriented */
    double temperature; /* [K]; 0 if nothing has one */
} mo_extremes;

/* `changed`: the state was written from outside, so that positions are looked at in any case. */
mote_status mo_extremes_find(mote_world *world, bool changed, mo_extremes *extremes,
                             mote_error *error);

/* The same, and of them what a step control looks at goes to world->rates. */
mote_status mo_world_find_extremes(mote_world *world, bool changed, mo_extremes *extremes,
                                   mote_error *error);

bool mo_extremes_within_range(const mo_extremes *extremes);

/* The first row of a system that is beyond the range, or its acceleration if that is asked for;
   -1: none is. */
int64_t mo_extremes_row(const mo_system *system, bool accelerations);

#endif
