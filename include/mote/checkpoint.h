/*
 * mote/checkpoint.h: the state of a world, kept in memory or in a file.
 *
 * A snapshot holds everything the next step depends on: particles in their storage order, what
 * integrators and methods remember of earlier steps, bodies, the clock, the warnings so far. A
 * world that goes on from it takes the same bits as one that was never interrupted, on any number
 * of threads. Taking one changes nothing.
 *
 * A checkpoint is a snapshot in a file: a zip of one .npy for each column and a header.json, which
 * numpy.load opens. It holds its scene, so the file alone is enough to go on.
 *
 * Forces of the caller's own (mote_world_add_force) are code and not kept: a world must have as
 * many of them as the snapshot was taken with before the snapshot is put into it.
 */
#ifndef MOTE_CHECKPOINT_H
#define MOTE_CHECKPOINT_H

#include "mote/base.h"
#include "mote/scene.h"
#include "mote/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mote_snapshot mote_snapshot;

/* Keeps the world's state. *snapshot is NULL, or a snapshot whose memory is used again. */
mote_status mote_world_save(const mote_world *world, mote_snapshot **snapshot, mote_error *error);
void mote_snapshot_destroy(MOTE_OPTIONAL mote_snapshot *snapshot);

/* Puts a world back into a state that it, or another world of the same scene, was saved in;
 * particles that were added or removed since go and come back. Pointers to columns are invalid
 * afterwards. On failure the world is as it was. */
mote_status mote_world_restore(mote_world *world, const mote_snapshot *snapshot, mote_error *error);

/* The same for a world of a changed scene (softer springs, another step), if its particles start
 * alike and its methods remember the same columns. Integrators drop what they remember of earlier
 * steps, unless the scenes differ only in what does not act on the motion: time.end, time.fps,
 * output, view, observables. */
mote_status mote_world_adopt(mote_world *world, const mote_snapshot *snapshot, mote_error *error);

/* A world of its own in the same state. A world with forces of the caller's own cannot be cloned:
 * make a world, add them, restore a snapshot. `config` may be NULL. */
mote_status mote_world_clone(const mote_world *world, MOTE_OPTIONAL const mote_config *config,
                             mote_world **clone, mote_error *error);

double mote_snapshot_time(const mote_snapshot *snapshot);
int64_t mote_snapshot_steps(const mote_snapshot *snapshot);
uint64_t
mote_snapshot_hash(const mote_snapshot *snapshot); /* the mote_world_state_hash it was saved with */

/* A new scene: the one that the snapshot's world was made from. */
mote_status mote_snapshot_scene(const mote_snapshot *snapshot, mote_scene **scene,
                                mote_error *error);

/* To a file and back. A file is whole under its name or not there; one that was cut off, changed,
 * or written by a newer version is refused with the reason. `config` gives the memory hooks and may
 * be NULL. */
mote_status mote_snapshot_write(const mote_snapshot *snapshot, const char *path, mote_error *error);
mote_status mote_snapshot_read(const char *path, MOTE_OPTIONAL const mote_config *config,
                               mote_snapshot **snapshot, mote_error *error);

/* What is in it, as JSON: the header.json of its file. Free with mote_text_free. */
mote_status mote_snapshot_header(const mote_snapshot *snapshot, char **text, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
