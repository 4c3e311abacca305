/*
 * The images of observables on planes and grids: `images/name.probe.000001.vti` for each frame,
 * with an index `images/name.probe.pvd`; in a separate directory, since the index of a run is
 * another one.
 */
#ifndef MO_IO_OUTPUT_IMAGE_FRAMES_H
#define MO_IO_OUTPUT_IMAGE_FRAMES_H

#include "base/memory.h"
#include "mote/world.h"
#include "observe/observable.h"

typedef struct mo_image_frames {
    const char *directory, *name; /* of the run */
    const char *observable;       /* its name */
    mo_observable_image image;
} mo_image_frames;

/* Writes frame number `frame`. */
mote_status mo_image_frames_write(const mo_image_frames *frames, int frame, double time,
                                  double *values, mo_memory *memory, mote_error *error);

/* The index of the frames first .. last - 1. */
mote_status mo_image_frames_index(const mo_image_frames *frames, int first, int last,
                                  double (*time)(const void *, int), const void *context,
                                  mo_memory *memory, mote_error *error);

/* Removes the frames of an earlier run from `frame` on. */
void mo_image_frames_remove(const mo_image_frames *frames, int frame);

#endif
