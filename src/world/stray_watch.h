/*
 * Strays: a few fast particles, droplets of a splash that fall on, that shorten the step of all the
 * others. A step that follows the fastest particle (cfl) is then as small as these ask for, and a
 * run takes several times as long without a word.
 *
 * Every EVERY steps the speeds in diameters a second are counted by their ratio to the largest one.
 * Strays are the rows, at most one in a hundred, above the speed that all others are below; what
 * they cost is the step that the control would choose for the others, by the step it chooses. Where
 * that is FACTOR or more in SAMPLES counts, one after the other, a warning says so.
 */
#ifndef MO_WORLD_STRAY_WATCH_H
#define MO_WORLD_STRAY_WATCH_H

#include "mote/world.h"

/* Consecutive counts with strays. */
typedef struct mo_stray_watch {
    int samples;
} mo_stray_watch;

/* After a step and the check of its health. */
mote_status mo_stray_watch_step(mote_world *world, mote_error *error);

#endif
