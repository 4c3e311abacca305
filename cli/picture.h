/* What `mote render` and `mote view` have in common: flags about pictures, and the library that
 * draws them. */
#ifndef MOTE_CLI_PICTURE_H
#define MOTE_CLI_PICTURE_H

#include "options.h"

#include <mote/view.h>

enum { PICTURE_SETS_MAX = 32 };

typedef struct picture_options {
    options common; /* first, so that rows for options fit here too */
    bool results;   /* the name is that of results, not of a scene */
    /* view.* of the scene that flags change; values are JSON or words */
    struct {
        const char *path;
        char value[400];
    } sets[PICTURE_SETS_MAX];
    int set_count;
    int frame;               /* -1: none given */
    double time, fps, speed; /* NaN: none given */
    bool paused, verbose;
} picture_options;

/* The flags about the look of pictures, and the line above them in the help. */
extern const flag picture_flags[];
#define PICTURE_FLAGS_DOC "Options that override the scene's view block (docs/rendering.md):"

/* command_read, and a look at what is to be drawn. */
bool picture_read(const command *c, int count, char **arguments, picture_options *out);

/* The functions of libmote_view, loaded when they are needed. */
typedef struct picture_library {
    __typeof__(mote_results_scene) *results_scene;
    __typeof__(mote_render_options_default) *render_options_default;
    __typeof__(mote_render) *render;
    __typeof__(mote_window_options_default) *window_options_default;
    __typeof__(mote_window) *window;
} picture_library;

/* Says what to install if it is not there. */
bool picture_load_library(picture_library *library);

/* The scene, or that of the results, with --set and the flags applied; NULL after a complaint. */
mote_scene *picture_load_scene(const picture_library *library, const picture_options *o);

/* 0, 1 or 2: what cannot be drawn is the user's to mend, unless the numbers failed. */
int picture_exit_code(mote_status status);

#endif
