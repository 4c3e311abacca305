/*
 * `mote render`: one image, a directory of images, or a video.
 */
#include "mote/view.h"

#include "base/file.h"
#include "base/timer.h"
#include "draw/png.h"
#include "io/stored/frames.h"
#include "scene/scene.h"
#include "view/film.h"
#include "view/studio.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_LENGTH = 4096 };

typedef enum output_kind { ONE_PICTURE, PICTURES, FILM } output_kind;

typedef struct session {
    const mote_scene *scene;
    const mote_render_options *options;
    output_kind kind;
    mo_studio studio;
    mo_gl_context *context;
    mo_renderer *renderer;
    mo_film *film;
    mo_image image, scene_image; /* the image; the scene without the strip of the legend */
    int width, height, margin;   /* margin: width of that strip */
    double fps, start;
    double time; /* of a single picture */
    /* total number of frames; the frame of a single image, or -1: at `time` */
    int64_t count, target;
    bool surveying;
    mote_render_summary summary;
} session;

mote_render_options mote_render_options_default(void)
{
    return (mote_render_options){
        .config = mote_config_default(), .frame = -1, .time = NAN, .fps = NAN, .speed = 1};
}

mote_status mote_results_scene(const char *results, mote_scene **scene, mote_error *error)
{
    MO_NEED(results);
    MO_NEED(scene);
    mo_frames frames;
    char text[200];
    *scene = NULL;
    MO_TRY(mo_frames_open(results, &frames, error));
    double length = frames.entries[frames.count - 1].time - frames.entries[0].time;
    double fps = length > 0 ? (double)(frames.count - 1) / length : 25;
    mote_status status;
    if (frames.scene) {
        status = mote_scene_load(frames.scene, scene, error);
    } else {
        status = mote_scene_parse("{\"time\": {\"end\": 0, \"step\": 1}}", scene, error);
        snprintf(text, sizeof text, "%.15g", fps < 1e6 ? fps : 1e6);
        if (status == MOTE_OK) {
            status = mote_scene_set(*scene, "time.fps", text, error);
        }
    }
    mo_frames_release(&frames);
    return status;
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), more = strlen(ending);
    return length > more && strcasecmp(text + length - more, ending) == 0;
}

static mote_status find_kind(session *s, mote_error *error)
{
    const char *path = s->options->output;
    if (!path || !path[0]) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "render: no output given; use a .png, a .mp4 or a directory");
    }
    if (strlen(path) >= PATH_LENGTH - 64) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.60s...: the path is too long", path);
    }
    struct stat info;
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    bool folder =
        path[strlen(path) - 1] == '/' || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
    if (!folder && ends_with(path, ".png")) {
        s->kind = ONE_PICTURE;
    } else if (!folder &&
               (ends_with(path, ".mp4") || ends_with(path, ".mkv") || ends_with(path, ".mov"))) {
        s->kind = FILM;
    } else if (folder || !dot || dot[1] == '\0' || dot == path) {
        s->kind = PICTURES;
    } else {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "%s: '%s' is not a supported file extension; allowed: .png, .mp4, .mkv, .mov, or a "
            "directory (with a '/' at its end)",
            path, dot);
    }
    return MOTE_OK;
}

static mote_status check_options(const mote_render_options *o, mote_error *error)
{
    if (!isnan(o->fps) && !(o->fps > 0 && o->fps <= 1000)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "fps: %g is out of range; allowed: (0, 1000]",
                       o->fps);
    }
    if (!(o->speed > 0 && isfinite(o->speed))) {
        return mo_fail(error, MOTE_ERROR_INPUT, "speed: %g is out of range; allowed: above 0",
                       o->speed);
    }
    if (!isnan(o->time) && !(o->time >= 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "time: %g s is before the start", o->time);
    }
    return MOTE_OK;
}

/* The number of frames, and the frame of a single image. */
static mote_status plan_frames(session *s, mote_error *error)
{
    const mote_render_options *o = s->options;
    mo_show *show = s->studio.show;
    s->fps = !isnan(o->fps) ? o->fps : fmin(mo_show_fps(show) * o->speed, 60);
    if (s->kind != ONE_PICTURE) {
        mo_show_set_fps(show, s->fps / o->speed);
    }
    s->count = mo_show_count(show);
    if (s->kind != ONE_PICTURE && (o->frame >= 0 || !isnan(o->time))) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "%s: a frame or a time selects a single image; use a .png, or remove it",
                       o->output);
    }
    double last = mo_show_time(show, s->count - 1);
    bool open = isnan(o->time) && o->frame < 0; /* then the scene decides */
    double wanted = mo_show_def(show)->view.time;
    s->time = !open ? o->time : isnan(wanted) ? NAN : fmin(wanted, last);
    if (!isnan(s->time) && s->kind == ONE_PICTURE) {
        s->target = mo_show_stored(show) ? mo_show_at(show, s->time) : -1;
        return s->time <= last * (1 + 1e-9)
                   ? MOTE_OK
                   : mo_fail(error, MOTE_ERROR_INPUT,
                             "time: %g s is beyond the end; the last frame is at %g s", s->time,
                             last);
    }
    s->target = o->frame < 0 ? s->count - 1 : o->frame;
    if (s->target >= s->count) {
        return mo_fail(error, MOTE_ERROR_INPUT, "frame: there is no frame %lld; allowed: 0 to %lld",
                       (long long)s->target, (long long)s->count - 1);
    }
    return MOTE_OK;
}

static mote_status choose_size(session *s, mote_error *error)
{
    const int64_t *size = mo_show_def(s->studio.show)->view.size.items;
    s->width = (int)size[0];
    s->height = (int)size[1];
    if (s->kind == FILM) { /* H.264 stores chroma for blocks of 2 x 2 pixels */
        s->width -= s->width % 2;
        s->height -= s->height % 2;
    }
    int largest = mo_renderer_largest(s->renderer);
    if (s->width > largest || s->height > largest) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "view.size: %d x %d pixels exceed the limit of this graphics driver; allowed: up to "
            "%d",
            s->width, s->height, largest);
    }
    return mo_image_create(s->width, s->height, &s->image, error);
}

/* An output that cannot be written is reported before the run. */
static mote_status check_output(session *s, mote_error *error)
{
    mo_file file;
    const char *path = s->options->output;
    if (s->kind == PICTURES) {
        return mo_directory_check(path, error);
    }
    MO_TRY(mo_file_create(path, &file, error));
    mo_file_abandon(&file);
    return MOTE_OK;
}

static bool tell(session *s, int frame)
{
    const mote_render_options *o = s->options;
    mote_render_progress p = {.frame = frame,
                              .frames = s->kind == ONE_PICTURE ? 1 : (int)s->count,
                              .time = mo_show_moment(s->studio.show)->time,
                              .surveying = s->surveying,
                              .wall = mo_clock() - s->start};
    return !o->progress || o->progress(o->progress_context, &p);
}

static bool on_step(void *context, const mote_step_report *report)
{
    session *s = context;
    const mote_render_options *o = s->options;
    mote_render_progress p = {.frame = s->summary.frames,
                              .frames = s->kind == ONE_PICTURE ? 1 : (int)s->count,
                              .time = report->time,
                              .surveying = s->surveying,
                              .wall = mo_clock() - s->start};
    return !o->progress || o->progress(o->progress_context, &p);
}

static mote_status go_to(session *s, int64_t frame, mote_error *error)
{
    mo_show *show = s->studio.show;
    MO_TRY(frame < 0 ? mo_show_seek_time(show, s->time, on_step, s, error)
                     : mo_show_seek(show, frame, on_step, s, error));
    return mo_studio_picture(&s->studio, error);
}

/* Whether a first pass over all frames is required before drawing. */
static bool needs_survey(const session *s)
{
    const mo_view_def *view = &mo_show_def(s->studio.show)->view;
    bool colors = s->studio.maker.has_values && (s->studio.low_free || s->studio.high_free);
    const mo_camera_def *camera = mo_view_def_camera(view);
    bool placed = !isnan(camera->eye.x) || camera->keyframes.count > 0;
    return s->kind != ONE_PICTURE && (colors || !placed);
}

static mote_status survey(session *s, mote_error *error)
{
    s->surveying = true;
    for (int64_t k = 0; k < s->count; ++k) {
        MO_TRY(go_to(s, k, error));
        mo_studio_survey(&s->studio);
        if (!tell(s, (int)k)) {
            return mo_fail(error, MOTE_CANCELLED, "stopped");
        }
    }
    s->surveying = false;
    return MOTE_OK;
}

/* Reserves the strip of the legend; the camera and its range are set. */
static mote_status lay_out(session *s, mote_error *error)
{
    mo_image_destroy(&s->scene_image);
    MO_TRY(mo_studio_margin(&s->studio, s->width, s->height, &s->margin, error));
    return mo_image_create(s->width - s->margin, s->height, &s->scene_image, error);
}

/* Fills the strip with the background. */
static void fill_strip(session *s)
{
    const mo_look *look = &s->studio.look;
    for (int y = 0; y < s->height; ++y) {
        double t = (y + 0.5) / s->height;
        for (int x = s->width - s->margin; x < s->width; ++x) {
            uint8_t *pixel = mo_image_pixel(&s->image, x, y);
            for (int k = 0; k < 3; ++k) {
                double level = (1 - t) * (double)look->background_top[k] +
                               t * (double)look->background_bottom[k];
                pixel[k] = (uint8_t)lrint(255 * level);
            }
            pixel[3] = 255;
        }
    }
}

static mote_status draw(session *s, mote_error *error)
{
    int width = s->width - s->margin;
    mo_studio_aim(&s->studio, width, s->height);
    MO_TRY(mo_studio_draw(&s->studio, s->renderer, width, s->height, error));
    MO_TRY(mo_renderer_read(s->renderer, &s->scene_image, error));
    fill_strip(s);
    mo_image_draw(&s->image, &s->scene_image, 0, 0);
    MO_TRY(mo_studio_annotate(&s->studio, s->margin, &s->image, error));
    s->summary.frames++;
    s->summary.time = s->studio.maker.picture.time;
    return MOTE_OK;
}

static mote_status draw_one(session *s, mote_error *error)
{
    /* the first frame contributes to the extent, not to the colour range */
    mo_studio_survey(&s->studio);
    mo_studio_reset_range(&s->studio);
    MO_TRY(go_to(s, s->target, error));
    mo_studio_survey(&s->studio);
    MO_TRY(lay_out(s, error));
    MO_TRY(draw(s, error));
    snprintf(s->summary.first_file, sizeof s->summary.first_file, "%s", s->options->output);
    return mo_png_write(s->options->output, &s->image, error);
}

static mote_status keep(session *s, int64_t frame, mote_error *error)
{
    if (s->kind == FILM) {
        return mo_film_add(s->film, &s->image, error);
    }
    char path[PATH_LENGTH];
    const char *folder = s->options->output;
    snprintf(path, sizeof path, "%s%s%.200s.%06lld.png", folder,
             folder[strlen(folder) - 1] == '/' ? "" : "/", mote_scene_name(s->scene),
             (long long)frame);
    if (frame == 0) { /* the directory is created with the first image */
        MO_TRY(mo_directory_create(folder, error));
        snprintf(s->summary.first_file, sizeof s->summary.first_file, "%s", path);
    }
    return mo_png_write(path, &s->image, error);
}

static mote_status draw_all(session *s, mote_error *error)
{
    if (s->kind == FILM) {
        MO_TRY(mo_film_open(s->options->output, s->width, s->height, s->fps, &s->film, error));
        snprintf(s->summary.first_file, sizeof s->summary.first_file, "%s", s->options->output);
    }
    mo_studio_survey(&s->studio);
    if (needs_survey(s)) {
        MO_TRY(survey(s, error));
    }
    MO_TRY(lay_out(s, error));
    for (int64_t k = 0; k < s->count; ++k) {
        MO_TRY(go_to(s, k, error));
        MO_TRY(draw(s, error));
        MO_TRY(keep(s, k, error));
        if (!tell(s, (int)k + 1)) {
            return mo_fail(error, MOTE_CANCELLED, "stopped");
        }
    }
    mo_film *film = s->film;
    s->film = NULL;
    return film ? mo_film_close(film, error) : MOTE_OK;
}

static void summarize(session *s)
{
    mote_render_summary *out = &s->summary;
    out->width = s->width;
    out->height = s->height;
    mo_gl_describe(out->renderer, sizeof out->renderer);
    if (mo_studio_is_colored(&s->studio)) {
        snprintf(out->field, sizeof out->field, "%s", s->studio.maker.field.label);
        snprintf(out->unit, sizeof out->unit, "%s", s->studio.maker.field.unit);
        out->low = s->studio.look.map_min;
        out->high = s->studio.look.map_max;
    }
}

static mote_status render(session *s, mote_error *error)
{
    MO_TRY(check_options(s->options, error));
    MO_TRY(find_kind(s, error));
    MO_TRY(mo_studio_open(s->scene, s->options->results, &s->options->config, &s->studio, error));
    MO_TRY(plan_frames(s, error));
    MO_TRY(mo_gl_context_create(&s->context, error));
    MO_TRY(mo_renderer_create(&s->renderer, error));
    MO_TRY(choose_size(s, error));
    MO_TRY(check_output(s, error));
    MO_TRY(s->kind == ONE_PICTURE ? draw_one(s, error) : draw_all(s, error));
    summarize(s);
    return MOTE_OK;
}

mote_status mote_render(const mote_scene *scene, const mote_render_options *options,
                        mote_render_summary *summary, mote_error *error)
{
    MO_NEED(scene);
    MO_NEED(options);
    session s = {.scene = scene, .options = options, .start = mo_clock()};
    mo_error_clear(error);
    mote_status status = render(&s, error);
    mo_film_abandon(s.film);
    mo_image_destroy(&s.image);
    mo_image_destroy(&s.scene_image);
    mo_renderer_destroy(s.renderer);
    if (s.context) {
        mo_gl_context_destroy(s.context);
    }
    mo_studio_close(&s.studio);
    if (summary) {
        *summary = s.summary;
    }
    return status;
}
