/*
 * The frames of skins (host/skin.h): all surfaces that ride on bodies in one file a frame and
 * format, in a directory of their own beside the frames of particles: `skin/name.skin.000001.vtp`
 * with `skin/name.skin.pvd`. They hold those of the output's fields that can be carried over to a
 * surface: real numbers are mixed, whole ones are those of the row that counts most, the identities
 * of particles are left out.
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

/* Removes the frames that an earlier run left from `frame` on. */
void mo_skin_frames_remove(const mo_skin_frames *s, int frame);

#endif
