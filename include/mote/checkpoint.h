/*
 * mote/checkpoint.h: the state of a world, stored in memory or in a file.
 *
 * A snapshot contains everything the next step depends on: particles in storage order, the history
 * of integrators and methods, bodies, the time, the warnings so far. A world restored from it
 * continues bitwise identically to an uninterrupted one, on any number of threads. Taking a
 * snapshot does not change the world.
 *
 * A checkpoint is a snapshot in a file: a zip of one .npy for each column and a header.json, which
 * numpy.load opens. It contains its scene, so that the file alone suffices to resume.
 *
 * Force callbacks (mote_world_add_force) are not stored: a world must have as many of them as the
 * snapshot's world before the snapshot is restored.
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

/* Saves the world's state. *snapshot is NULL, or a snapshot whose memory is reused. */
mote_status mote_world_save(const mote_world *world, mote_snapshot **snapshot, mote_error *error);
void mote_snapshot_destroy(MOTE_OPTIONAL mote_snapshot *snapshot);

/* Restores a state of this world, or of another world of the same scene; particles added since are
 * removed, removed ones are restored. Pointers to columns are invalid afterwards. On failure the
 * world is unchanged. */
mote_status mote_world_restore(mote_world *world, const mote_snapshot *snapshot, mote_error *error);

/* The same for a world of a changed scene (softer springs, another step), if its initial particles
 * and the columns of its methods are the same. Integrators discard their history, unless the scenes
 * differ only in parameters that do not affect the motion: time.end, time.fps, output, view,
 * observables. */
mote_status mote_world_adopt(mote_world *world, const mote_snapshot *snapshot, mote_error *error);

/* An independent world in the same state. A world with force callbacks cannot be cloned: create a
 * world, add them, restore a snapshot. `config` may be NULL. */
mote_status mote_world_clone(const mote_world *world, MOTE_OPTIONAL const mote_config *config,
                             mote_world **clone, mote_error *error);

double mote_snapshot_time(const mote_snapshot *snapshot);
int64_t mote_snapshot_steps(const mote_snapshot *snapshot);
/* The mote_world_state_hash of the saved state. */
uint64_t mote_snapshot_hash(const mote_snapshot *snapshot);

/* A copy of the scene of the snapshot's world. */
mote_status mote_snapshot_scene(const mote_snapshot *snapshot, mote_scene **scene,
                                mote_error *error);

/* Writes and reads checkpoint files. Writing is atomic; truncated, modified or newer files are
 * rejected with the reason. `config` gives the memory hooks and may be NULL. */
mote_status mote_snapshot_write(const mote_snapshot *snapshot, const char *path, mote_error *error);
mote_status mote_snapshot_read(const char *path, MOTE_OPTIONAL const mote_config *config,
                               mote_snapshot **snapshot, mote_error *error);

/* Contents as JSON: the header.json of its file. Free with mote_text_free. */
mote_status mote_snapshot_header(const mote_snapshot *snapshot, char **text, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
