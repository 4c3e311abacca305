/*
 * A result directory: its runs and their frames. The index of a run (NAME.pvd) lists them if
 * present; otherwise the file names do, and the times are in the files. A frame has a file for each
 * system.
 */
#ifndef MO_IO_STORED_FRAMES_H
#define MO_IO_STORED_FRAMES_H

#include "host/def.h"
#include "io/stored/stored.h"

enum { MO_FRAMES_PARTS = MO_SYSTEMS_MAX };

typedef struct mo_frames_entry {
    double time;
    const char *files[MO_FRAMES_PARTS]; /* full paths, one per system; NULL: none */
} mo_frames_entry;

typedef struct mo_frames {
    mo_memory memory;
    mo_arena arena;
    const char *directory, *name; /* of the run */
    /* NAME.scene.json, the scene of the run; NULL if missing */
    const char *scene;
    int part_count;
    const char *parts[MO_FRAMES_PARTS]; /* systems; "" if the run has one and does not name it */
    int64_t count, capacity;
    mo_frames_entry *entries; /* by number */
} mo_frames;

/* `path` is a directory with one run, or an index (DIR/NAME.pvd) where there are several. */
mote_status mo_frames_open(const char *path, mo_frames *frames, mote_error *error);
void mo_frames_release(mo_frames *frames);

/* Adds the entries of an index (NAME.pvd) to frames whose memory, directory and name are set. */
mote_status mo_frames_read_index(mo_frames *frames, const char *text, size_t size,
                                 mote_error *error);

/* The frame nearest in time. */
int64_t mo_frames_at(const mo_frames *frames, double time);

#endif
