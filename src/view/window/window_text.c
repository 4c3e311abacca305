/*
 * The text overlay of the window: numbers, the picked particle, help, messages.
 */
#include "view/window/window.h"

#include "base/timer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ROWS_MAX = 48, CELL = 96 };

/* A table that owns its texts. */
typedef struct page {
    int count;
    mo_table_row rows[ROWS_MAX];
    char left[ROWS_MAX][CELL], right[ROWS_MAX][CELL];
} page;

static void add(page *p, const char *left, const char *format, ...) MO_PRINTF(3, 4);
static void add(page *p, const char *left, const char *format, ...)
{
    va_list arguments;
    if (p->count == ROWS_MAX) {
        return;
    }
    snprintf(p->left[p->count], CELL, "%s", left);
    va_start(arguments, format);
    vsnprintf(p->right[p->count], CELL, format, arguments);
    va_end(arguments);
    p->rows[p->count] = (mo_table_row){p->left[p->count], p->right[p->count]};
    p->count++;
}

static void put(mo_canvas *canvas, const mo_window *w, mo_corner corner, const char *title,
                const page *p, bool numbers)
{
    double size = 0.9 * mo_annotation_size(&w->overlay);
    mo_legend_look look =
        mo_look_is_dark(&w->studio.look) ? mo_legend_look_dark(size) : mo_legend_look_light(size);
    mo_table table = {title, p->count, p->rows, numbers};
    mo_table_draw(canvas, corner, &look, &table);
}

static void write_numbers(mo_canvas *canvas, const mo_window *w)
{
    page p = {0};
    mo_show *show = w->studio.show;
    const mote_world *world = mo_show_world(show);
    add(&p, "time", "%.4f s", mo_show_moment(show)->time);
    if (world) {
        add(&p, "step", "%lld", (long long)mote_world_steps(world));
        add(&p, "step size", "%.3g s", w->step.dt);
        add(&p, "step takes", "%.3g ms", 1e3 * w->step_seconds);
        add(&p, "contacts", "%lld", (long long)w->step.contacts);
        if (mote_world_warning_count(world) > 0) {
            add(&p, "warnings", "%d", mote_world_warning_count(world));
        }
    } else {
        add(&p, "frame", "%lld of %lld", (long long)mo_show_current(show) + 1,
            (long long)mo_show_count(show));
    }
    add(&p, "particles", "%lld",
        (long long)(w->studio.maker.picture.count - w->studio.maker.picture.riders));
    add(&p, "pictures", "%.0f /s", w->fps);
    put(canvas, w, MO_TOP_LEFT, w->playing ? "playing" : "paused", &p, true);
}

static void format_cell(const mote_column *c, int64_t row, char *out, size_t size)
{
    size_t used = 0;
    for (int k = 0; k < c->components && used < size; ++k) {
        used += (size_t)snprintf(out + used, size - used, "%s%.5g", k ? "  " : "",
                                 mo_column_number(c, row, k));
    }
}

static void write_particle(mo_canvas *canvas, const mo_window *w)
{
    page p = {0};
    int64_t row;
    char name[CELL], value[CELL];
    const mo_part *part = mo_picture_locate(mo_show_moment(w->studio.show), w->picked, &row);
    for (int k = 0; part && k < part->column_count; ++k) {
        const mote_column *c = &part->columns[k];
        bool bare = !c->unit || !c->unit[0] || strcmp(c->unit, "1") == 0;
        snprintf(name, sizeof name, bare ? "%.40s" : "%.40s [%.30s]", c->name, c->unit);
        format_cell(c, row, value, sizeof value);
        add(&p, name, "%s", value);
    }
    put(canvas, w, MO_BOTTOM_RIGHT, "particle", &p, false);
}

/* Without a picked particle: energies and stage times. */
static void write_whole(mo_canvas *canvas, const mo_window *w)
{
    page p = {0};
    mote_measures m;
    mote_world *world = mo_show_world(w->studio.show);
    if (!world) {
        add(&p, "click a particle", "%s", "to see its columns");
    } else if (mote_world_measure(world, &m, NULL) == MOTE_OK) {
        add(&p, "mass", "%.5g kg", m.mass);
        add(&p, "kinetic", "%.5g J", m.kinetic);
        add(&p, "potential", "%.5g J", m.potential);
        add(&p, "elastic", "%.5g J", m.elastic);
        add(&p, "total", "%.5g J", m.kinetic + m.potential + m.elastic);
        add(&p, "momentum", "%.3g  %.3g  %.3g kg m/s", m.momentum[0], m.momentum[1], m.momentum[2]);
        add(&p, "limited by", "%s", w->step.limited_by ? w->step.limited_by : "-");
        add(&p, "Courant number", "%.3g", w->step.courant);
        for (int k = 0; k < mote_world_stage_count(world); ++k) {
            mote_stage stage = mote_world_stage(world, k);
            add(&p, stage.name, "%.3g s", stage.seconds);
        }
        for (int k = 0; k < mote_world_warning_count(world) && k < 3; ++k) {
            add(&p, "warning", "%.80s", mote_world_warning(world, k).text);
        }
    }
    put(canvas, w, MO_BOTTOM_RIGHT, "world", &p, true);
}

static void write_help(mo_canvas *canvas, const mo_window *w)
{
    static const char *const KEYS[][2] = {{"space", "play, pause"},
                                          {"+  right arrow", "a single step"},
                                          {"-  left arrow", "a frame back (stored results)"},
                                          {"r", "reset to the start"},
                                          {"s  l", "save, load the state"},
                                          {"v  V", "next, previous style of particles"},
                                          {"c  C", "next, previous colour field"},
                                          {"m", "rescale the colour map to the current range"},
                                          {"w", "wireframe"},
                                          {"f", "fit the view to the scene"},
                                          {"o", "orthographic, perspective"},
                                          {"i", "inspect the clicked particle, or the system"},
                                          {"n", "numbers on, off"},
                                          {"p", "screenshot"},
                                          {"h  F1", "this help"},
                                          {"q  Esc", "quit"},
                                          {"left drag", "orbit"},
                                          {"right drag", "pan"},
                                          {"wheel", "zoom"},
                                          {"click", "pick a particle"},
                                          {"t", "next tool: grab, push, delete, heat, add"},
                                          {"control, left drag", "use the tool"}};
    page p = {0};
    for (size_t k = 0; k < sizeof KEYS / sizeof *KEYS; ++k) {
        add(&p, KEYS[k][0], "%s", KEYS[k][1]);
    }
    put(canvas, w, MO_MIDDLE, "keys", &p, false);
}

/* A ring around the picked particle. */
static void mark_picked(mo_canvas *canvas, const mo_window *w)
{
    enum { CORNERS = 24 };
    mo_point2 ring[CORNERS + 1];
    double x, y, depth;
    const double *at = w->studio.maker.picture.x + 3 * w->picked;
    if (!mo_camera_project(&w->studio.camera, w->width, w->height, mo_vec3_load(at), &x, &y,
                           &depth)) {
        return;
    }
    for (int k = 0; k <= CORNERS; ++k) {
        double angle = 2 * 3.14159265358979323846 * k / CORNERS;
        ring[k] = (mo_point2){x + 9 * cos(angle), y + 9 * sin(angle)};
    }
    mo_canvas_polyline(canvas, CORNERS + 1, ring,
                       &(mo_stroke){.color = mo_rgba(0x000000, 0.6), .width = 4});
    mo_canvas_polyline(canvas, CORNERS + 1, ring,
                       &(mo_stroke){.color = mo_rgb(0xffffff), .width = 2});
}

static void write_message(mo_canvas *canvas, const mo_window *w)
{
    double size = mo_annotation_size(&w->overlay);
    mo_point2 all = mo_canvas_size(canvas);
    double half = 0.5 * mo_canvas_text_width(canvas, w->message, size) + 0.8 * size;
    mo_box2 box = {0.5 * all.x - half, 0.6 * size, 0.5 * all.x + half, 2.6 * size};
    mo_text_style style = {.size = size, .color = mo_rgb(0xffffff), .anchor = MO_ANCHOR_MIDDLE};
    mo_canvas_rounded(canvas, box, 0.4 * size, mo_rgba(0x10141c, 0.8));
    mo_canvas_text(canvas, (mo_point2){0.5 * all.x, 1.95 * size}, &style, w->message);
}

mote_status mo_window_write(mo_window *w, mote_error *error)
{
    mo_canvas *canvas;
    mo_image_fill(&w->overlay, (mo_color){0});
    MO_TRY(mo_studio_annotate(&w->studio, 0, &w->overlay, error));
    MO_TRY(mo_canvas_create(&w->overlay, 1, &canvas, error));
    if (w->numbers) {
        write_numbers(canvas, w);
    }
    if (w->picked >= 0) {
        mark_picked(canvas, w);
    }
    if (w->inspect && w->picked >= 0) {
        write_particle(canvas, w);
    } else if (w->inspect) {
        write_whole(canvas, w);
    }
    if (w->help) {
        write_help(canvas, w);
    }
    if (w->message[0]) {
        write_message(canvas, w);
    }
    mo_canvas_destroy(canvas);
    return MOTE_OK;
}
