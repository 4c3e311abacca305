/* `mote view SCENE|RESULTS`: a window. */
#include "commands.h"
#include "picture.h"

#include <stdio.h>

static void on_report(void *context, const char *text)
{
    (void)context;
    puts(text);
    fflush(stdout);
}

static const flag FLAGS[] = {
    OPTIONS_SET,
    OPTIONS_THREADS,
    {"--paused", NULL, FLAG_SWITCH, offsetof(picture_options, paused), .doc = "start paused"},
    {"--verbose", NULL, FLAG_SWITCH, offsetof(picture_options, verbose), .doc = "print events"},
    {0}};

static int view(const command *self, int count, char **arguments)
{
    picture_options o;
    picture_library library;
    if (!picture_read(self, count, arguments, &o) || !picture_load_library(&library)) {
        return EXIT_USAGE;
    }
    mote_scene *scene = picture_load_scene(&library, &o);
    if (!scene) {
        return EXIT_USAGE;
    }
    mote_window_options w = library.window_options_default();
    w.config.threads = o.common.threads;
    w.results = o.results ? o.common.scene : NULL;
    w.paused = o.paused;
    w.report = o.verbose ? on_report : NULL;
    mote_error error = {0};
    mote_status status = library.window(scene, &w, &error);
    if (status != MOTE_OK) {
        print_file_error(o.common.scene, &error);
    }
    mote_scene_destroy(scene);
    return picture_exit_code(status);
}

const command command_view = {
    .name = "view",
    .operand = "SCENE|DIR",
    .summary = "view a running scene, or the results in a directory, in a window",
    .missing = "a scene or results are missing: mote view SCENE.json or mote view DIR",
    .operand_field = offsetof(options, scene),
    .flags = FLAGS,
    .more_flags = picture_flags,
    .more_doc = PICTURE_FLAGS_DOC,
    .run = view,
};
