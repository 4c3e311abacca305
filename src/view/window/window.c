#define GLFW_INCLUDE_NONE
#include "view/window/window.h"

#include "base/timer.h"

#include <GLFW/glfw3.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double BUDGET = 0.03; /* maximum seconds of steps between two pictures */
static const double SLOW = 0.06;   /* pictures that take longer are drafts during motion */
static const double CLICK = 4;     /* pixels the pointer may move in a click */
static const double LONGEST_LEAP =
    0.1; /* of wall time: after a suspension of the machine the simulation does not catch up */

mote_window_options mote_window_options_default(void)
{
    return (mote_window_options){.config = mote_config_default()};
}

void mo_window_note(mo_window *w, const char *format, ...)
{
    char text[MO_WINDOW_TEXT];
    va_list arguments;
    if (w->options->report) {
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        w->options->report(w->options->report_context, text);
    }
}

void mo_window_message(mo_window *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(w->message, sizeof w->message, format, arguments);
    va_end(arguments);
    w->message_until = mo_clock() + 4;
    w->dirty = true;
    mo_window_note(w, "%s", w->message);
}

/* ---- events */

static mo_window *window_of(GLFWwindow *handle)
{
    return glfwGetWindowUserPointer(handle);
}

static void on_character(GLFWwindow *handle, unsigned character)
{
    mo_window_type(window_of(handle), character);
}

static void on_key(GLFWwindow *handle, int key, int scancode, int action, int modifiers)
{
    (void)scancode;
    (void)modifiers;
    static const struct {
        int key;
        unsigned character;
    } KEYS[] = {{GLFW_KEY_ESCAPE, MO_KEY_QUIT},
                {GLFW_KEY_F1, MO_KEY_HELP},
                {GLFW_KEY_RIGHT, MO_KEY_STEP},
                {GLFW_KEY_LEFT, MO_KEY_BACK},
                {GLFW_KEY_HOME, 'r'}};
    for (size_t k = 0; k < sizeof KEYS / sizeof *KEYS; ++k) {
        if (action != GLFW_RELEASE && KEYS[k].key == key) {
            mo_window_type(window_of(handle), KEYS[k].character);
        }
    }
}

/* Positions are in screen units; pictures are in pixels. */
static void to_pixels(const mo_window *w, double *x, double *y)
{
    int width, height;
    glfwGetWindowSize(w->handle, &width, &height);
    *x *= width > 0 ? (double)w->width / width : 1;
    *y *= height > 0 ? (double)w->height / height : 1;
}

/* The pointer's position at the event: a slow picture may have delayed it. */
static void on_button(GLFWwindow *handle, int button, int action, int modifiers)
{
    mo_window *w = window_of(handle);
    double x = w->mouse_x, y = w->mouse_y;
    bool tool = button == GLFW_MOUSE_BUTTON_LEFT && (modifiers & GLFW_MOD_CONTROL);
    if (action == GLFW_PRESS && tool && w->button < 0 && !w->tool.active) {
        mo_window_tool_press(w, x, y);
    } else if (action == GLFW_RELEASE && button == GLFW_MOUSE_BUTTON_LEFT && w->tool.active) {
        mo_window_tool_release(w);
    } else if (action == GLFW_PRESS && w->button < 0 && !w->tool.active) {
        w->button = button;
        w->pans = button != GLFW_MOUSE_BUTTON_LEFT || (modifiers & GLFW_MOD_SHIFT);
        w->press_x = x;
        w->press_y = y;
    } else if (action == GLFW_RELEASE && button == w->button) {
        w->button = -1;
        w->dirty = true;
        if (hypot(x - w->press_x, y - w->press_y) >= CLICK) {
            const mo_vec3 *e = &w->studio.camera.eye;
            mo_window_note(w, "camera at %.6g %.6g %.6g", e->x, e->y, e->z);
        } else if (button == GLFW_MOUSE_BUTTON_LEFT) {
            mo_window_pick(w, x, y);
        }
    }
}

static void on_move(GLFWwindow *handle, double x, double y)
{
    mo_window *w = window_of(handle);
    to_pixels(w, &x, &y);
    double right = x - w->mouse_x, down = y - w->mouse_y;
    w->mouse_x = x;
    w->mouse_y = y;
    if (w->tool.active) {
        mo_window_tool_move(w, x, y);
        return;
    }
    bool dragged = w->button >= 0 && hypot(x - w->press_x, y - w->press_y) >= CLICK;
    if (!dragged) {
        return;
    }
    if (w->pans) {
        mo_camera_pan(&w->studio.camera, -right / w->height, down / w->height);
    } else { /* half a revolution across the window */
        mo_camera_orbit(&w->studio.camera, -3.14 * right / w->width, 3.14 * down / w->width);
    }
    w->dirty = w->moving = true;
}

static void on_scroll(GLFWwindow *handle, double right, double up)
{
    (void)right;
    mo_window *w = window_of(handle);
    mo_camera_zoom(&w->studio.camera, pow(0.9, up));
    w->dirty = true;
    const mo_vec3 *e = &w->studio.camera.eye;
    mo_window_note(w, "camera at %.6g %.6g %.6g", e->x, e->y, e->z);
}

static void on_expose(GLFWwindow *handle)
{
    window_of(handle)->dirty = true;
}

/* ---- opening */

static mote_status fail_glfw(const char *what, const char *remedy, mote_error *error)
{
    const char *words = NULL;
    glfwGetError(&words);
    return mo_fail(error, MOTE_ERROR_IO, "view: %s: %s; %s", what,
                   words ? words : "no reason is known", remedy);
}

static mote_status open_window(mo_window *w, mote_error *error)
{
    char title[300];
    const int64_t *size = mo_show_def(w->studio.show)->view.size.items;
    snprintf(title, sizeof title, "%.200s - mote", mote_scene_name(w->scene));
    glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_ES_API);
    glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_EGL_CONTEXT_API);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 0);
    glfwWindowHint(GLFW_DEPTH_BITS, 0); /* depth is in an offscreen target */
    w->handle = glfwCreateWindow((int)size[0], (int)size[1], title, NULL, NULL);
    if (!w->handle) {
        return fail_glfw(
            "no window with OpenGL ES 3.0 could be opened",
            "install a driver (Debian: libgl1-mesa-dri libegl1 libgles2), or draw without a window: "
            "`mote render`",
            error);
    }
    glfwSetWindowUserPointer(w->handle, w);
    glfwSetCharCallback(w->handle, on_character);
    glfwSetKeyCallback(w->handle, on_key);
    glfwSetMouseButtonCallback(w->handle, on_button);
    glfwSetCursorPosCallback(w->handle, on_move);
    glfwSetScrollCallback(w->handle, on_scroll);
    glfwSetWindowRefreshCallback(w->handle, on_expose);
    glfwMakeContextCurrent(w->handle);
    glfwSwapInterval(1);
    glfwGetFramebufferSize(w->handle, &w->width, &w->height);
    glfwGetCursorPos(w->handle, &w->mouse_x, &w->mouse_y);
    to_pixels(w, &w->mouse_x, &w->mouse_y);
    return mo_renderer_create(&w->renderer, error);
}

static mote_status prepare(mo_window *w, mote_error *error)
{
    mote_world *world = mo_show_world(w->studio.show);
    if (world) {
        MO_TRY(mote_world_save(world, &w->first, error));
    }
    mo_window_begin(w);
    mo_studio_survey(&w->studio);
    mo_studio_aim(&w->studio, w->width, w->height);
    w->due = mo_show_moment(w->studio.show)->time;
    mo_window_note(w, "opened %s, %d x %d pixels", mote_scene_name(w->scene), w->width, w->height);
    mo_window_play(w, !w->options->paused);
    return MOTE_OK;
}

/* ---- the loop */

static void run_world(mo_window *w, mote_world *world)
{
    double begin = mo_clock(), end = mo_show_def(w->studio.show)->world.time.end;
    int steps = 0;
    mote_error problem = {0};
    while (w->playing && mote_world_time(world) < w->due && mo_clock() - begin < BUDGET) {
        mo_window_tool_step(w, world);
        if (mo_show_step(w->studio.show, &w->step, &problem) != MOTE_OK) {
            mo_window_play(w, false);
            mo_window_message(w, "%.500s", problem.text);
        }
        ++steps;
        if (!w->ended && mote_world_time(world) >= end) {
            w->ended = true;
            mo_window_play(w, false);
            mo_window_message(w, "the scene ends here, at t = %.6g s; space continues",
                              mote_world_time(world));
        }
    }
    if (steps > 0) {
        w->step_seconds = (mo_clock() - begin) / steps;
    }
    /* a simulation slower than real time does not accumulate a backlog */
    w->due = fmin(w->due, mote_world_time(world) + BUDGET);
}

static void run_frames(mo_window *w)
{
    mo_show *show = w->studio.show;
    mote_error problem = {0};
    if (mo_show_seek_time(show, w->due, NULL, NULL, &problem) != MOTE_OK) {
        mo_window_play(w, false);
        mo_window_message(w, "%.500s", problem.text);
    } else if (mo_show_current(show) + 1 >= mo_show_count(show)) {
        mo_window_play(w, false);
        mo_window_message(w, "the last frame, at t = %.6g s; space restarts",
                          mo_show_moment(show)->time);
    }
}

static void let_time_pass(mo_window *w)
{
    double now = mo_clock();
    double passed = fmin(now - w->last, LONGEST_LEAP);
    w->last = now;
    if (!w->playing) {
        return;
    }
    w->due += passed;
    mote_world *world = mo_show_world(w->studio.show);
    if (world) {
        run_world(w, world);
    } else {
        run_frames(w);
    }
    mo_window_refresh(w);
}

/* Resizes the overlay with the window. */
static mote_status fit(mo_window *w, mote_error *error)
{
    int width, height;
    glfwGetFramebufferSize(w->handle, &width, &height);
    width = width < 16 ? 16 : width;
    height = height < 16 ? 16 : height;
    if (width == w->overlay.width && height == w->overlay.height) {
        return MOTE_OK;
    }
    mo_image_destroy(&w->overlay);
    w->width = width;
    w->height = height;
    return mo_image_create(width, height, &w->overlay, error);
}

static mote_status draw(mo_window *w, mote_error *error)
{
    double begin = mo_clock();
    mo_look kept = w->studio.look;
    w->draft = (w->playing || w->moving) && w->draw_seconds > SLOW;
    if (w->draft) {
        w->studio.look.samples = 1;
        w->studio.look.occlusion = false;
    }
    MO_TRY(fit(w, error));
    mote_status status = mo_studio_draw(&w->studio, w->renderer, w->width, w->height, error);
    w->studio.look = kept;
    MO_TRY(status);
    MO_TRY(mo_window_write(w, error));
    MO_TRY(mo_renderer_overlay(w->renderer, &w->overlay, 0, 0, error));
    MO_TRY(mo_renderer_present(w->renderer, 0, w->width, w->height, error));
    glfwSwapBuffers(w->handle);
    double seconds = mo_clock() - begin;
    w->draw_seconds = w->draft ? fmax(w->draw_seconds, 1.1 * SLOW) : seconds;
    /* between pictures, steps and waiting included; after a pause the time of this one */
    w->fps = 1 / fmax(w->shown > 0 ? begin + seconds - w->shown : seconds, 1e-4);
    w->shown = w->playing ? begin + seconds : 0;
    /* a draft is redrawn when the motion has stopped */
    w->dirty = w->draft && !w->playing;
    w->moving = false;
    return MOTE_OK;
}

static mote_status run(mo_window *w, mote_error *error)
{
    w->last = mo_clock();
    w->dirty = true;
    while (!glfwWindowShouldClose(w->handle)) {
        if (w->playing || w->dirty) {
            glfwPollEvents();
        } else {
            glfwWaitEventsTimeout(0.25);
        }
        let_time_pass(w);
        if (w->message[0] && mo_clock() > w->message_until) {
            w->message[0] = '\0';
            w->dirty = true;
        }
        if (w->playing || w->dirty) {
            MO_TRY(draw(w, error));
        }
    }
    mo_window_note(w, "closed at t = %.9g s", mo_show_moment(w->studio.show)->time);
    return MOTE_OK;
}

static mote_status show_window(mo_window *w, mote_error *error)
{
    if (!glfwInit()) {
        return fail_glfw("no display could be opened",
                         "draw pictures without one: `mote render SCENE -o picture.png`", error);
    }
    mote_status status = open_window(w, error);
    if (status == MOTE_OK) {
        status = prepare(w, error);
    }
    if (status == MOTE_OK) {
        status = run(w, error);
    }
    mo_renderer_destroy(w->renderer);
    if (w->handle) {
        glfwDestroyWindow(w->handle);
    }
    glfwTerminate();
    return status;
}

mote_status mote_window(const mote_scene *scene, const mote_window_options *options,
                        mote_error *error)
{
    MO_NEED(scene);
    MO_NEED(options);
    mo_window w = {
        .scene = scene, .options = options, .picked = -1, .button = -1, .saved_frame = -1};
    mo_error_clear(error);
    w.numbers = true;
    MO_TRY(mo_studio_open(scene, options->results, &options->config, &w.studio, error));
    mote_status status = show_window(&w, error);
    mo_image_destroy(&w.overlay);
    mo_window_tool_close(&w);
    mote_snapshot_destroy(w.first);
    mote_snapshot_destroy(w.saved);
    mo_studio_close(&w.studio);
    return status;
}
