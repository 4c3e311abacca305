/*
 * mote/run.h: runs a scene to its end and writes frames, an index and report.json.
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
    const char *directory;   /* output directory of frames; NULL = no frames */
    const char *report_path; /* NULL = report.json in the directory */
    /* end time; NaN = the scene's */
    double until;
    int frames; /* stop after this many frames beyond the first; -1 = all */
    /* Checkpoints, as SCENE.checkpoint.STEPS.npz in the directory: at these intervals of simulated
     * and wall-clock time [s], and at the end; NaN = from the scene, 0 = disabled. They are written
     * in the background. */
    double checkpoint_every, checkpoint_wall;
    int checkpoint_keep; /* number to keep; 0 = from the scene */
    /* Resumes a checkpoint of the same scene (NULL: from the start); frames, index and table
     * continue as in an uninterrupted run. Options not given here are those of the interrupted
     * run. */
    const mote_snapshot *resume;
    /* Changes of the scene since the checkpoint ("time.end=3"): allowed if particles and columns
     * stay the same. */
    const char *const *changes;
    int change_count;
    /* Solves for static equilibrium (mote_world_solve_static) instead of integrating in time, with
     * prescribed particles at their final positions, and writes two frames: the initial state, and
     * the equilibrium at the end time. */
    bool solve_static;
    /* Called after every step; returns false to stop cleanly. May be NULL. */
    bool (*progress)(void *context, const mote_progress *progress);
    void *progress_context;
} mote_run_options;

typedef struct mote_run_summary {
    double time, wall;
    int64_t steps;
    int frames; /* frames written, including the initial state */
    int files;
    uint64_t state_hash;
    bool cancelled;
    int checkpoints; /* written */
    /* the last one; "" if none */
    char checkpoint_file[4096];
    char first_file[4096], index_file[4096], report_file[4096]; /* "" if there is none */
    /* step sizes of this run [s], and the active limits: "stability 90 %, courant 10 %" */
    double step_min, step_max;
    char step_limits[200];
} mote_run_summary;

mote_run_options mote_run_options_default(void);

/* The checks of mote_run before it writes anything: the scene, its world and its output. */
mote_status mote_run_check(const mote_scene *scene, MOTE_OPTIONAL const mote_config *config,
                           mote_error *error);

/* Scene and options are checked before anything is written: MOTE_ERROR_USAGE names an invalid
 * option, such as a negative count. Returns MOTE_CANCELLED when `progress` or config.cancel stopped
 * it; on MOTE_ERROR_NUMERIC everything computed so far is kept. `summary` may be NULL. */
mote_status mote_run(const mote_scene *scene, MOTE_OPTIONAL const mote_run_options *options,
                     MOTE_OPTIONAL mote_run_summary *summary, mote_error *error);

/* mote_world_modes of the scene's initial state, or (`at_equilibrium`) of its static
 * equilibrium: writes `count` angular frequencies [rad/s] and, unless the directory is NULL, a
 * frame for each: the world displaced by the mode shape, which is in the column "v". */
mote_status mote_run_modes(const mote_scene *scene, MOTE_OPTIONAL const mote_config *config,
                           MOTE_OPTIONAL const char *directory, int count, bool at_equilibrium,
                           double *omega, mote_error *error);

/* Contents of a frame written by a run. */
typedef struct mote_frame_info {
    double time; /* [s]; NaN: unknown */
    int64_t particles, edges, triangles;
    int columns; /* positions and fields */
} mote_frame_info;

/* Reads a .vtp or .ply and validates it: truncated data and invalid row indices are errors. */
mote_status mote_frame_examine(const char *path, mote_frame_info *info, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
