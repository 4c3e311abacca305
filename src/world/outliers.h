/*
 * Outliers in speed: a few fast particles, droplets of a splash, for one, that shorten the step of
 * all others. A step that follows the fastest particle (cfl) is then as small as these require, and
 * a run takes several times as long.
 *
 * Every EVERY steps the speeds in diameters per second are counted by their ratio to the largest
 * one. Outliers are the rows, at most one in a hundred, above the speed that all others are below;
 * their cost is the step that the control would choose for the others over the step it chooses.
 * Where that is FACTOR or more in SAMPLES consecutive counts, there is a warning.
 */
#ifndef MO_WORLD_OUTLIERS_H
#define MO_WORLD_OUTLIERS_H

#include "mote/world.h"

/* Consecutive counts with outliers. */
typedef struct mo_outliers {
    int samples;
} mo_outliers;

/* After a step and the check of its health. */
mote_status mo_outliers_step(mote_world *world, mote_error *error);

#endif
