/*
 * Outliers in speed: a few fast particles, such as droplets of a splash, that limit the CFL step of
 * the whole world and multiply the run time.
 *
 * Every EVERY steps a histogram of the speeds in diameters per second, relative to the largest, is
 * computed. Outliers are the rows, at most one in a hundred, above the speed of all others; their
 * cost is the ratio of the step without them to the step chosen. A ratio of FACTOR or more in
 * SAMPLES consecutive histograms is reported.
 */
#ifndef MO_WORLD_OUTLIERS_H
#define MO_WORLD_OUTLIERS_H

#include "mote/world.h"

/* Consecutive histograms with outliers. */
typedef struct mo_outliers {
    int samples;
} mo_outliers;

/* After a step and the check of its health. */
mote_status mo_outliers_step(mote_world *world, mote_error *error);

#endif
