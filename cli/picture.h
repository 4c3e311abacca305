/*
 * Common to `mote render` and `mote view`: flags of pictures, and loading of the rendering library.
 */
#ifndef MOTE_CLI_PICTURE_H
#define MOTE_CLI_PICTURE_H

#include "options.h"

#include <mote/view.h>

enum { PICTURE_SETS_MAX = 32 };

typedef struct picture_options {
    options common; /* first, so that rows for options apply here too */
    bool results;   /* the operand names results, not a scene */
    /* view.* parameters set by flags; values are JSON or text */
    struct {
        const char *path;
        char value[400];
    } sets[PICTURE_SETS_MAX];
    int set_count;
    int frame;               /* -1: not given */
    double time, fps, speed; /* NaN: not given */
    bool paused, verbose;
} picture_options;

/* The flags of the appearance of pictures, and their heading in the help. */
extern const flag picture_flags[];
#define PICTURE_FLAGS_DOC "Options that override the scene's view block (docs/rendering.md):"

/* command_read with a check of the source. */
bool picture_read(const command *c, int count, char **arguments, picture_options *out);

/* The functions of libmote_view, loaded on demand. */
typedef struct picture_library {
    __typeof__(mote_results_scene) *results_scene;
    __typeof__(mote_render_options_default) *render_options_default;
    __typeof__(mote_render) *render;
    __typeof__(mote_window_options_default) *window_options_default;
    __typeof__(mote_window) *window;
} picture_library;

/* Names the package to install if it is missing. */
bool picture_load_library(picture_library *library);

/* The scene, or that of the results, with --set and the flags applied; NULL after an error. */
mote_scene *picture_load_scene(const picture_library *library, const picture_options *o);

/* 0, 1 or 2: errors are usage errors, unless the simulation failed. */
int picture_exit_code(mote_status status);

#endif
