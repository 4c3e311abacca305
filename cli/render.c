/*
 * `mote render SCENE|RESULTS -o out.png|folder/|film.mp4`: offscreen rendering.
 */
#include "commands.h"
#include "interrupt.h"
#include "picture.h"
#include "progress.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct session {
    bool silent;
    progress_view view;
} session;

static bool on_progress(void *context, const mote_render_progress *p)
{
    session *s = context;
    if (!s->silent) {
        mote_progress shown = {.time = p->frame,
                               .end = p->frames,
                               .wall = p->wall,
                               .remaining =
                                   p->frame > 0 ? p->wall * ((double)p->frames / p->frame - 1) : -1,
                               .frames = p->frame,
                               .frames_total = p->frames};
        progress_show_frames(&s->view, &shown, p->surveying ? "looking at" : "drawing", p->time);
    }
    return !interrupt_seen();
}

static void print_json(const char *output, const mote_render_summary *s)
{
    json_t *o = json_pack("{s:s, s:s, s:i, s:i, s:i, s:f, s:s}", "output", output, "first_file",
                          s->first_file, "frames", s->frames, "width", s->width, "height",
                          s->height, "time", s->time, "renderer", s->renderer);
    if (s->field[0]) {
        json_object_set_new(o, "field", json_string(s->field));
        json_object_set_new(o, "unit", json_string(s->unit));
        json_object_set_new(o, "min", json_real(s->low));
        json_object_set_new(o, "max", json_real(s->high));
    }
    char *text = json_dumps(o, JSON_COMPACT);
    puts(text ? text : "{}");
    free(text);
    json_decref(o);
}

static void print_summary(const char *output, const mote_render_summary *s)
{
    if (s->frames == 1) {
        printf("%s: %d x %d pixels, t = %.6g s", output, s->width, s->height, s->time);
    } else {
        printf("%s: %d images of %d x %d pixels, up to t = %.6g s", output, s->frames, s->width,
               s->height, s->time);
    }
    if (s->field[0]) {
        printf(", %s from %.4g to %.4g%s%s", s->field, s->low, s->high, s->unit[0] ? " " : "",
               s->unit);
    }
    putchar('\n');
}

static int render(const picture_library *library, const mote_scene *scene, const picture_options *o)
{
    session s = {.silent = o->common.quiet || o->common.json};
    mote_render_options r = library->render_options_default();
    r.config.threads = o->common.threads;
    r.results = o->results ? o->common.scene : NULL;
    r.output = o->common.directory;
    r.frame = o->frame;
    r.time = o->time;
    r.fps = o->fps;
    r.speed = isnan(o->speed) ? 1 : o->speed;
    r.progress = on_progress;
    r.progress_context = &s;
    interrupt_catch();
    progress_open(&s.view);
    mote_render_summary summary = {0};
    mote_error error = {0};
    mote_status status = library->render(scene, &r, &summary, &error);
    progress_close(&s.view);
    if (status != MOTE_OK) {
        print_file_error(o->common.scene, &error);
    } else if (o->common.json) {
        print_json(r.output, &summary);
    } else if (!o->common.quiet) {
        print_summary(r.output, &summary);
    }
    /* errors before the first image are usage errors, later ones are failures */
    int code = picture_exit_code(status);
    return code == EXIT_USAGE && summary.frames > 0 ? EXIT_FAILED : code;
}

static const flag FLAGS[] = {
    {"-o", "FILE|DIR", FLAG_TEXT, offsetof(options, directory),
     .doc = "output: an image (a.png), a video (a.mp4) or a directory of images (a/)"},
    {"--frame", "N", FLAG_INT, offsetof(picture_options, frame),
     .doc = "frame of a single image (the last)"},
    {"--time", "T", FLAG_REAL, offsetof(picture_options, time),
     .doc = "the same by simulated time [s]"},
    {"--fps", "N", FLAG_REAL, offsetof(picture_options, fps), .above = true,
     .doc = "images per second"},
    {"--speed", "S", FLAG_REAL, offsetof(picture_options, speed), .above = true,
     .doc = "simulated seconds per second of video (1)"},
    OPTIONS_SET,
    OPTIONS_THREADS,
    OPTIONS_QUIET,
    OPTIONS_JSON,
    {0}};

static int render_command(const command *self, int count, char **arguments)
{
    picture_options o;
    picture_library library;
    if (!picture_read(self, count, arguments, &o)) {
        return EXIT_USAGE;
    }
    if (!o.common.directory) {
        complain("render: no output given; use -o picture.png, -o film.mp4 or -o folder/");
        return EXIT_USAGE;
    }
    if (!picture_load_library(&library)) {
        return EXIT_USAGE;
    }
    mote_scene *scene = picture_load_scene(&library, &o);
    if (!scene) {
        return EXIT_USAGE;
    }
    int code = render(&library, scene, &o);
    mote_scene_destroy(scene);
    return code;
}

const command command_render = {
    .name = "render",
    .operand = "SCENE|DIR",
    .summary = "render an image (-o a.png), a video (-o a.mp4) or a directory of images (-o a/)",
    .missing = "a scene or results are missing: mote render SCENE.json or mote render DIR",
    .operand_field = offsetof(options, scene),
    .flags = FLAGS,
    .more_flags = picture_flags,
    .more_doc = PICTURE_FLAGS_DOC,
    .run = render_command,
};
