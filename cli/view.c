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

int command_view(int count, char **arguments)
{
    static const char *const FLAGS[] = {"--set", "--threads", "--paused", "--verbose", NULL};
    picture_options o;
    picture_library library;
    if (!picture_parse(count, arguments, "view", FLAGS, &o) || !picture_load_library(&library)) {
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
        complain("%s", error.text);
    }
    mote_scene_destroy(scene);
    return picture_exit_code(status);
}
