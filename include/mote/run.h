/*
 * mote/run.h: a run takes a scene to its end and leaves files: frames, an index, report.json.
 */
#ifndef MOTE_RUN_H
#define MOTE_RUN_H

#include "mote/base.h"
#include "mote/checkpoint.h"
#include "mote/scene.h"
#include "mote/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mote_progress {
    double time, end; /* simulated [s] */
    double wall;      /* seconds since the start */
    double remaining; /* estimate [s]; negative while unknown */
    int64_t steps;
    int frames, frames_total;
    int64_t particles;
    mote_step_report last;
} mote_progress;

typedef struct mote_run_options {
    mote_config config;
    const char *directory;   /* where the frames go; NULL = no frames */
    const char *report_path; /* NULL = report.json in the directory */
    /* stop at this simulated time instead of the scene's; NaN = the scene's */
    double until;
    int frames; /* stop after this many frames beyond the first; -1 = all */
    /* Checkpoints, as SCENE.checkpoint.STEPS.npz in the directory: whenever so many simulated or
     * real seconds have passed, and at the end; NaN = as the scene says, 0 = not by this. They are
     * written in the background. */
    double checkpoint_every, checkpoint_wall;
    int checkpoint_keep; /* how many to keep; 0 = as the scene says */
    /* Goes on from a checkpoint of the same scene (NULL: from the start), with frames, index and
     * table as if it had never stopped. What is not said here is as it was then. */
    const mote_snapshot *resume;
    /* The scene was changed since, in these ways ("time.end=3"): allowed where particles and
     * columns stay the same. */
    const char *const *changes;
    int change_count;
    /* Instead of running, looks for the state of rest (mote_world_solve_static) with prescribed
     * particles where they are at the end, and writes two frames: the start, and that state at the
     * end's time. */
    bool to_rest;
    /* Called after every step; returns false to stop cleanly. May be NULL. */
    bool (*progress)(void *context, const mote_progress *progress);
    void *progress_context;
} mote_run_options;

typedef struct mote_run_summary {
    double time, wall;
    int64_t steps;
    int frames; /* states written, the first included */
    int files;
    uint64_t state_hash;
    bool cancelled;
    int checkpoints; /* written */
    /* the last one; "" if there is none */
    char checkpoint_file[4096];
    char first_file[4096], index_file[4096], report_file[4096]; /* "" if there is none */
} mote_run_summary;

mote_run_options mote_run_options_default(void);

/* Everything that mote_run looks at before it writes: the scene, the world it makes, the output it
 * asks for.
 */
mote_status mote_run_check(const mote_scene *scene, MOTE_OPTIONAL const mote_config *config,
                           mote_error *error);

/* Nothing is written before the scene and the options are known to be good: MOTE_ERROR_USAGE names
 * an option that cannot be, such as a negative count. Returns MOTE_CANCELLED when `progress` or
 * config.cancel stopped it; on MOTE_ERROR_NUMERIC everything computed so far is kept. `summary` may
 * be NULL. */
mote_status mote_run(const mote_scene *scene, MOTE_OPTIONAL const mote_run_options *options,
                     MOTE_OPTIONAL mote_run_summary *summary, mote_error *error);

/* mote_world_modes of the scene's first state, or (`at_rest`) of its state of rest: writes `count`
 * angular frequencies [rad/s] and, unless the directory is NULL, a frame for each: the world bent
 * by the shape, which is in the column "v". */
mote_status mote_run_modes(const mote_scene *scene, MOTE_OPTIONAL const mote_config *config,
                           MOTE_OPTIONAL const char *directory, int count, bool at_rest,
                           double *omega, mote_error *error);

/* What is in a frame that a run has written. */
typedef struct mote_frame_info {
    double time; /* [s]; NaN: the file does not say */
    int64_t particles, edges, triangles;
    int columns; /* positions and fields */
} mote_frame_info;

/* Reads a .vtp or .ply and checks all of it: counts that the file does not hold, and rows that are
 * not there, are errors. */
mote_status mote_frame_examine(const char *path, mote_frame_info *info, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
