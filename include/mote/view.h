/*
 * mote/view.h: pictures, films and a window. These functions live in a library of their own,
 * libmote_view, which needs OpenGL ES 3.0 (a software driver is enough); everything else works
 * without it.
 *
 * How a scene is drawn is said by its "view" block: set it with mote_scene_set(scene, "view.style",
 * "cubes").
 */
#ifndef MOTE_VIEW_H
#define MOTE_VIEW_H

#include "mote/base.h"
#include "mote/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The scene that a run left beside its results (a directory, or an index: DIR/NAME.pvd): its
 * colliders and its view block are those of the pictures. Results without one give an empty scene
 * that shows them. */
mote_status mote_results_scene(const char *results, mote_scene **scene, mote_error *error);

typedef struct mote_render_progress {
    int frame, frames; /* drawn so far, and in all */
    double time;       /* simulated [s] */
    /* looking for the range of the colours and the size of things, before drawing */
    bool surveying;
    double wall; /* seconds since the start */
} mote_render_progress;

typedef struct mote_render_options {
    mote_config config;
    /* stored frames to draw: a directory or an index; NULL: the scene is run */
    const char *results;
    const char *output; /* "a.png": one picture; "a.mp4": a film; otherwise a folder of pictures */
    int64_t frame;      /* of one picture, from 0; -1: the last */
    /* of one picture [s]; NaN: by `frame`; with both left open the scene's view.time */
    double time;
    double fps;   /* pictures a second of a film; NaN: the scene's, at most 60 */
    double speed; /* simulated seconds in a second of a film */
    /* Called now and then; returns false to stop. May be NULL. */
    bool (*progress)(void *context, const mote_render_progress *progress);
    void *progress_context;
} mote_render_options;

typedef struct mote_render_summary {
    int frames; /* pictures made */
    int width, height;
    double time;    /* of the last picture [s] */
    char field[96]; /* what the colours mean; "" if nothing is coloured */
    char unit[32];
    double low, high;   /* the numbers at the ends of the colours */
    char renderer[256]; /* the graphics driver */
    char first_file[4096];
} mote_render_summary;

mote_render_options mote_render_options_default(void);

/* Nothing is drawn before the scene, the output and the graphics driver are known to be good.
 * Without a range of colours or a place for the camera, a film of a scene is run twice: the first
 * time to find them. `summary` may be NULL. */
mote_status mote_render(const mote_scene *scene, const mote_render_options *options,
                        MOTE_OPTIONAL mote_render_summary *summary, mote_error *error);

typedef struct mote_window_options {
    mote_config config;
    const char *results;     /* stored frames to play; NULL: the scene is run */
    const char *screenshots; /* where they go: "NAME" for NAME.0000.png; NULL: the scene's name */
    bool paused;             /* at the start */
    /* Told what happens ("paused at t = 0.5"); may be NULL. */
    void (*report)(void *context, const char *text);
    void *report_context;
} mote_window_options;

mote_window_options mote_window_options_default(void);

/* Opens a window and returns when it is closed. It must be called from the main thread. */
mote_status mote_window(const mote_scene *scene, const mote_window_options *options,
                        mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
