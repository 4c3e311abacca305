/*
 * The tables of a run's observables: `name.radial_distribution.csv` and so on, a row for each
 * frame: its time, and the numbers of the observable under their labels; of observables on planes
 * and grids the images of frames (image_frames.h). Reproducible bitwise.
 */
#ifndef MO_IO_OUTPUT_OBSERVATIONS_H
#define MO_IO_OUTPUT_OBSERVATIONS_H

#include "base/memory.h"
#include "mote/world.h"

typedef struct mo_observations {
    mo_memory *memory;
    const char *directory, *run; /* where images are written */
    int count;
    struct mo_observation *list;
} mo_observations;

mote_status mo_observations_init(mo_observations *observations, mo_memory *memory,
                                 const char *directory, const char *run, const mote_world *world,
                                 mote_error *error);
void mo_observations_release(mo_observations *observations);

/* Adds a row with the current state of the world to each table, and writes the images of the frame
 * with this number. */
mote_status mo_observations_add(mo_observations *observations, mote_world *world, int frame,
                                mote_error *error);

/* Writes the indices of the images of the frames first .. last - 1. */
mote_status mo_observations_index(const mo_observations *observations, int first, int last,
                                  double (*time)(const void *, int), const void *context,
                                  mote_error *error);

/* Removes the images of an earlier run from `frame` on. */
void mo_observations_remove_stale(const mo_observations *observations, int frame);

/* Writes the tables as `base`.<observable>.csv. */
mote_status mo_observations_write(const mo_observations *observations, const char *base,
                                  mote_error *error);

/* Continues after the first `rows` rows of an earlier run at `base`; a missing or shorter table
 * continues with its rows. */
mote_status mo_observations_resume(mo_observations *observations, const char *base, int64_t rows,
                                   mote_error *error);

#endif
