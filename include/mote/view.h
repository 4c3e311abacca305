/*
 * mote/view.h: images, videos and a window. These functions are in a separate library,
 * libmote_view, which needs OpenGL ES 3.0 (a software driver is enough); everything else works
 * without it.
 *
 * The "view" block of a scene controls the rendering: set it with mote_scene_set(scene,
 * "view.style", "cubes").
 */
#ifndef MOTE_VIEW_H
#define MOTE_VIEW_H

#include "mote/base.h"
#include "mote/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The scene stored with the results of a run (a directory, or an index: DIR/NAME.pvd), for its
 * colliders and view block. Results without one give an empty scene suitable for rendering them. */
mote_status mote_results_scene(const char *results, mote_scene **scene, mote_error *error);

typedef struct mote_render_progress {
    int frame, frames; /* images drawn so far, and their total number */
    double time;       /* simulated [s] */
    /* first pass, which determines the colour range and the extent of the scene */
    bool surveying;
    double wall; /* seconds since the start */
} mote_render_progress;

typedef struct mote_render_options {
    mote_config config;
    /* stored frames to draw: a directory or an index; NULL: the scene is run */
    const char *results;
    const char *output; /* "a.png": an image; "a.mp4": a video; otherwise a directory of images */
    int64_t frame;      /* frame of a single image, from 0; -1: the last */
    /* time of a single image [s]; NaN: by `frame`; default: the scene's view.time */
    double time;
    double fps;   /* images per second of video; NaN: the scene's, at most 60 */
    double speed; /* simulated seconds per second of video */
    /* Called periodically; returns false to stop. May be NULL. */
    bool (*progress)(void *context, const mote_render_progress *progress);
    void *progress_context;
} mote_render_options;

typedef struct mote_render_summary {
    int frames; /* images written */
    int width, height;
    double time;    /* of the last image [s] */
    char field[96]; /* column mapped to colour; "" if none */
    char unit[32];
    double low, high;   /* range of the colour map */
    char renderer[256]; /* the graphics driver */
    char first_file[4096];
} mote_render_summary;

mote_render_options mote_render_options_default(void);

/* Scene, output and graphics driver are checked before anything is drawn. Without a colour range or
 * a camera position a scene is simulated twice for a video: the first pass determines them.
 * `summary` may be NULL. */
mote_status mote_render(const mote_scene *scene, const mote_render_options *options,
                        MOTE_OPTIONAL mote_render_summary *summary, mote_error *error);

typedef struct mote_window_options {
    mote_config config;
    const char *results;     /* stored frames to play; NULL: the scene is run */
    const char *screenshots; /* path of screenshots: "NAME" for NAME.0000.png; NULL: the scene's
                              * name */
    bool paused;             /* at the start */
    /* Receives events ("paused at t = 0.5"); may be NULL. */
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
