/*
 * Actions of keys and clicks.
 */
#define GLFW_INCLUDE_NONE
#include "view/window/window.h"

#include "draw/png.h"
#include "view/picture/pick.h"

#include <GLFW/glfw3.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const STYLES[] = {"auto",  "spheres",  "points",     "stars",          "volume",
                                     "discs", "hexagons", "wire_discs", "wire_hexagons",  "cubes",
                                     "axes",  "crosses",  "strokes",    "smooth_spheres", "none"};
enum { STYLE_COUNT = sizeof STYLES / sizeof *STYLES };

static double time_of(const mo_window *w)
{
    return mo_show_moment(w->studio.show)->time;
}

void mo_window_begin(mo_window *w)
{
    const mo_view_def *view = &mo_show_def(w->studio.show)->view;
    mo_field field;
    for (int k = 0; k < STYLE_COUNT; ++k) {
        w->style = strcmp(STYLES[k], view->style) == 0 ? k : w->style;
    }
    int count = 0;
    for (; view->color.field && mo_field_number(mo_show_moment(w->studio.show), count, &field);
         ++count) {
        w->field = strcmp(field.name, view->color.field) == 0 ? count + 1 : w->field;
    }
    if (view->color.field && strcmp(view->color.field, "none") == 0) {
        w->field = count + 1;
    }
}

void mo_window_refresh(mo_window *w)
{
    mote_error problem = {0};
    if (mo_studio_picture(&w->studio, &problem) != MOTE_OK) {
        w->playing = false;
        w->picked = -1;
        mo_window_message(w, "%.500s", problem.text);
        return;
    }
    mo_studio_survey(&w->studio);
    if (w->picked >= w->studio.maker.picture.count - w->studio.maker.picture.riders) {
        w->picked = -1;
    }
    w->dirty = true;
}

void mo_window_play(mo_window *w, bool play)
{
    mo_show *show = w->studio.show;
    if (play && mo_show_stored(show) && mo_show_current(show) + 1 >= mo_show_count(show) &&
        mo_show_count(show) > 1) {
        mo_show_restart(show, NULL);
    }
    w->playing = play;
    w->due = time_of(w);
    w->dirty = true;
    mo_window_note(w, play ? "playing from t = %.9g s" : "paused at t = %.9g s", time_of(w));
}

static void step_once(mo_window *w)
{
    mote_error problem = {0};
    w->playing = false;
    if (mo_show_world(w->studio.show)) {
        mo_window_tool_step(w, mo_show_world(w->studio.show));
    }
    if (mo_show_step(w->studio.show, &w->step, &problem) != MOTE_OK) {
        mo_window_message(w, "%.500s", problem.text);
        return;
    }
    mo_window_refresh(w);
    mo_window_note(w, "step to t = %.9g s", time_of(w));
}

static void step_back(mo_window *w)
{
    mote_error problem = {0};
    mo_show *show = w->studio.show;
    w->playing = false;
    if (!mo_show_stored(show)) {
        mo_window_message(w, "a simulation cannot step backwards; s saves a state, l restores it");
    } else if (mo_show_current(show) > 0) {
        if (mo_show_seek(show, mo_show_current(show) - 1, NULL, NULL, &problem) != MOTE_OK) {
            mo_window_message(w, "%.500s", problem.text);
        }
        mo_window_refresh(w);
        mo_window_note(w, "step to t = %.9g s", time_of(w));
    }
}

/* Restores a running world to a state. */
static bool put_back(mo_window *w, const mote_snapshot *state)
{
    mote_error problem = {.text = "no state was saved"};
    if (!state || mote_world_restore(mo_show_world(w->studio.show), state, &problem) != MOTE_OK) {
        mo_window_message(w, "%.500s", problem.text);
        return false;
    }
    mo_show_refresh(w->studio.show);
    return true;
}

static void moved_in_time(mo_window *w, const char *what)
{
    w->due = time_of(w);
    w->ended = false;
    mo_window_refresh(w);
    mo_window_message(w, "%s t = %.9g s", what, w->due);
}

static void reset(mo_window *w)
{
    bool stored = mo_show_stored(w->studio.show);
    if (stored ? mo_show_restart(w->studio.show, NULL) == MOTE_OK : put_back(w, w->first)) {
        moved_in_time(w, "reset to");
    }
}

static void save(mo_window *w)
{
    mote_error problem = {0};
    w->saved_frame = mo_show_current(w->studio.show);
    if (!mo_show_stored(w->studio.show) &&
        mote_world_save(mo_show_world(w->studio.show), &w->saved, &problem) != MOTE_OK) {
        mo_window_message(w, "%.500s", problem.text);
        return;
    }
    mo_window_message(w, "saved t = %.9g s", time_of(w));
}

static void load(mo_window *w)
{
    if (w->saved_frame < 0) {
        mo_window_message(w, "no state was saved; s saves one");
        return;
    }
    bool stored = mo_show_stored(w->studio.show);
    if (stored ? mo_show_seek(w->studio.show, w->saved_frame, NULL, NULL, NULL) == MOTE_OK
               : put_back(w, w->saved)) {
        moved_in_time(w, "loaded");
    }
}

static void next_style(mo_window *w, int by)
{
    mo_studio *s = &w->studio;
    w->style = (w->style + by + STYLE_COUNT) % STYLE_COUNT;
    mo_look_set_style(&s->look, &mo_show_def(s->show)->view, STYLES[w->style]);
    s->wish.hide_covered = w->style == 0;
    mo_window_refresh(w);
    mo_window_message(w, "style %s", STYLES[w->style]);
}

static void rescale(mo_window *w)
{
    mo_studio *s = &w->studio;
    s->low_free = s->high_free = true;
    mo_studio_reset_range(s);
    mo_window_refresh(w);
    if (s->maker.has_values) {
        mo_window_message(w, "%s from %.4g to %.4g %s", s->maker.field.label, s->low, s->high,
                          s->maker.field.unit);
    }
}

/* 0: automatic; then every column; then one colour. */
static void next_field(mo_window *w, int by)
{
    mo_studio *s = &w->studio;
    const mo_moment *moment = mo_show_moment(s->show);
    mo_field field;
    int count = 0;
    while (mo_field_number(moment, count, &field)) {
        ++count;
    }
    w->field = (w->field + by + count + 2) % (count + 2);
    s->wish.field = w->field == 0 ? NULL : w->field_name;
    if (w->field == count + 1) {
        snprintf(w->field_name, sizeof w->field_name, "none");
    } else if (w->field > 0 && mo_field_number(moment, w->field - 1, &field)) {
        snprintf(w->field_name, sizeof w->field_name, "%s", field.name);
    }
    mo_look_set_field(&s->look, s->wish.field);
    rescale(w);
    mo_window_note(w, "field %s", w->field == 0 ? "auto" : w->field_name);
}

static void toggle_wire(mo_window *w)
{
    mo_look *look = &w->studio.look;
    w->wire = !w->wire;
    look->triangles = w->wire ? MO_MESH_WIRE : MO_MESH_SMOOTH;
    look->surface = look->triangles;
    if (!w->wire) {
        mo_mesh_style_find(mo_show_def(w->studio.show)->view.mesh, &look->triangles);
    }
    /* wireframe shows a mesh that is otherwise hidden, unless a surface replaces it */
    bool hidden = strcmp(mo_show_def(w->studio.show)->view.mesh, "none") == 0;
    w->studio.wish.mesh = !hidden || (w->wire && !w->studio.wish.surface.type);
    mo_window_refresh(w);
    mo_window_message(w, "mesh %s", mo_mesh_style_name(look->triangles));
}

static void frame_all(mo_window *w)
{
    mo_studio *s = &w->studio;
    s->extent = mo_extent_none();
    mo_extent_add(&s->extent, &s->maker.picture);
    mo_camera_frame(&s->camera, s->extent.low, s->extent.high, (double)w->width / w->height, 0.06);
    mo_window_message(w, "everything in view");
}

static void toggle_projection(mo_window *w)
{
    mo_camera *camera = &w->studio.camera;
    bool parallel = camera->angle > 0;
    double angle =
        mo_show_def(w->studio.show)->view.camera.field_of_view * 3.14159265358979323846 / 180;
    mo_camera_set_parallel(camera, parallel, angle);
    mo_window_message(w, parallel ? "orthographic" : "perspective");
}

/* An unused file name. */
static void screenshot_path(mo_window *w, char *path, size_t size)
{
    const char *name =
        w->options->screenshots ? w->options->screenshots : mote_scene_name(w->scene);
    do {
        snprintf(path, size, "%.4000s.%04d.png", name, w->screenshots++);
    } while (access(path, F_OK) == 0 && w->screenshots < 10000);
}

static void screenshot(mo_window *w)
{
    char path[4096];
    mo_image image = {0};
    mote_error problem = {0};
    mote_status status = mo_image_create(w->width, w->height, &image, &problem);
    if (status == MOTE_OK) {
        status = mo_studio_draw(&w->studio, w->renderer, w->width, w->height, &problem);
    }
    if (status == MOTE_OK) {
        status = mo_renderer_read(w->renderer, &image, &problem);
    }
    if (status == MOTE_OK) {
        status = mo_studio_annotate(&w->studio, 0, &image, &problem);
    }
    screenshot_path(w, path, sizeof path);
    if (status == MOTE_OK) {
        status = mo_png_write(path, &image, &problem);
    }
    mo_image_destroy(&image);
    if (status == MOTE_OK) {
        mo_window_message(w, "screenshot %.500s", path);
    } else {
        mo_window_message(w, "%.500s", problem.text);
    }
}

void mo_window_pick(mo_window *w, double x, double y)
{
    mo_studio *s = &w->studio;
    w->picked =
        mo_pick_particle(&s->maker.picture, &s->camera, &s->look, w->width, w->height, x, y, 4);
    w->dirty = true;
    if (w->picked < 0) {
        mo_window_note(w, "picked nothing");
        return;
    }
    int64_t row;
    const mo_part *part = mo_picture_locate(mo_show_moment(s->show), w->picked, &row);
    const mote_column *id = part ? mo_part_find(part, "id") : NULL;
    const double *at = s->maker.picture.x + 3 * w->picked;
    w->inspect = true;
    mo_window_note(w, "picked %s %lld at %.6g %.6g %.6g", id ? "id" : "row",
                   id ? (long long)mo_column_number(id, row, 0) : (long long)row, at[0], at[1],
                   at[2]);
}

static void toggle(mo_window *w, bool *what, const char *name)
{
    *what = !*what;
    w->dirty = true;
    mo_window_note(w, "%s %s", name, *what ? "on" : "off");
}

void mo_window_type(mo_window *w, unsigned character)
{
    switch (character) {
    case ' ':
        mo_window_play(w, !w->playing);
        break;
    case '+':
    case '=':
        step_once(w);
        break;
    case '-':
        step_back(w);
        break;
    case 'r':
        reset(w);
        break;
    case 's':
        save(w);
        break;
    case 'l':
        load(w);
        break;
    case 'v':
    case 'V':
        next_style(w, character == 'v' ? 1 : -1);
        break;
    case 'c':
    case 'C':
        next_field(w, character == 'c' ? 1 : -1);
        break;
    case 'm':
        rescale(w);
        break;
    case 't':
        mo_window_next_tool(w);
        break;
    case 'w':
        toggle_wire(w);
        break;
    case 'f':
        frame_all(w);
        break;
    case 'o':
        toggle_projection(w);
        break;
    case 'p':
        screenshot(w);
        break;
    case 'i':
        toggle(w, &w->inspect, "inspect");
        break;
    case 'n':
        toggle(w, &w->numbers, "numbers");
        break;
    case 'h':
        toggle(w, &w->help, "help");
        break;
    case 'q':
        glfwSetWindowShouldClose(w->handle, 1);
        break;
    default:
        break;
    }
}
