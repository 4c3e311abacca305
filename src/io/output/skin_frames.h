/*
 * The frames of skins (host/skin.h): all embedded surfaces in one file per frame and format, in a
 * separate directory: `skin/name.skin.000001.vtp` with `skin/name.skin.pvd`. They have the output
 * fields interpolated to the surface: real columns by weights, integer ones from the row of largest
 * weight, without particle ids.
 */
#ifndef MO_IO_OUTPUT_SKIN_FRAMES_H
#define MO_IO_OUTPUT_SKIN_FRAMES_H

#include "base/memory.h"
#include "io/output/output.h"
#include "mote/world.h"

typedef struct mo_skin_frames {
    mo_memory *memory;
    const char *directory, *name; /* of the run */
    const mo_output_def *output;
    bool any; /* whether the world has skins */
} mo_skin_frames;

void mo_skin_frames_init(mo_skin_frames *s, mo_memory *memory, const char *directory,
                         const char *name, const mo_output_def *output, const mote_world *world);

/* Writes frame number `frame` of each format; *files grows by the files written. */
mote_status mo_skin_frames_write(const mo_skin_frames *s, const mote_world *world, int frame,
                                 int *files, mote_error *error);

/* The index of the frames first .. last, whose times are `times`. */
mote_status mo_skin_frames_index(const mo_skin_frames *s, int first, int last,
                                 double (*time)(const void *, int), const void *context,
                                 mote_error *error);

/* Removes the frames of an earlier run from `frame` on. */
void mo_skin_frames_remove(const mo_skin_frames *s, int frame);

#endif
