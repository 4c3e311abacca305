#include "draw/legend.h"

#include "draw/scale.h"

#include <math.h>
#include <stdio.h>

mo_legend_look mo_legend_look_dark(double size)
{
    return (mo_legend_look){size, mo_rgb(0xf2f2f2), mo_rgb(0xb4bcc8), mo_rgba(0x10141c, 0.72),
                            mo_rgba(0xffffff, 0.25)};
}

mo_legend_look mo_legend_look_light(double size)
{
    return (mo_legend_look){size, mo_rgb(0x222222), mo_rgb(0x5a6470), mo_rgba(0xffffff, 0.82),
                            mo_rgba(0x000000, 0.25)};
}

/* ---- background boxes ---- */

static double padding(const mo_legend_look *look)
{
    return round(0.8 * look->size);
}

/* Aligned to pixels, so that edges are sharp. */
static mo_box2 box_in_corner(const mo_canvas *canvas, mo_corner corner, double width, double height,
                             double margin)
{
    mo_point2 all = mo_canvas_size(canvas);
    bool right = corner == MO_TOP_RIGHT || corner == MO_BOTTOM_RIGHT;
    bool bottom = corner == MO_BOTTOM_LEFT || corner == MO_BOTTOM_RIGHT;
    double x = right ? all.x - margin - width : margin,
           y = bottom ? all.y - margin - height : margin;
    if (corner == MO_MIDDLE) {
        x = 0.5 * (all.x - width);
        y = 0.5 * (all.y - height);
    }
    x = floor(x);
    y = floor(y);
    return (mo_box2){x, y, x + ceil(width), y + ceil(height)};
}

static void draw_ground(mo_canvas *canvas, const mo_legend_look *look, mo_box2 box)
{
    double radius = 0.4 * look->size;
    mo_stroke edge = {look->line, 1, {0}, false};
    mo_canvas_rounded(canvas, box, radius, look->back);
    mo_canvas_frame(canvas,
                    (mo_box2){box.left + 0.5, box.top + 0.5, box.right - 0.5, box.bottom - 0.5},
                    radius, &edge);
}

static void put(mo_canvas *canvas, const mo_legend_look *look, double x, double y, const char *text,
                mo_color color, mo_anchor anchor, double weight)
{
    mo_text_style style = {.size = look->size, .color = color, .anchor = anchor, .weight = weight};
    mo_canvas_text(canvas, (mo_point2){x, y}, &style, text);
}

/* ---- colour scale ---- */

enum { TITLE_MAX = 160 };

/* A valid range for any input. */
static mo_scale scale_of(const mo_legend *l)
{
    bool finite = isfinite(l->low) && isfinite(l->high) && l->low <= l->high;
    double range[2] = {finite ? l->low : 0, finite ? l->high : 1};
    return mo_scale_choose(l->log && range[0] > 0, range, range, 0);
}

static void print_title(const mo_legend *l, int exponent, char title[TITLE_MAX])
{
    char power[24] = "";
    const char *label = l->label ? l->label : "", *unit = l->unit ? l->unit : "";
    if (exponent != 0) {
        snprintf(power, sizeof power, "10^%d%s", exponent, unit[0] ? " " : "");
    }
    bool bracket = power[0] || unit[0];
    snprintf(title, TITLE_MAX, "%s%s%s%s%s%s", label, bracket && label[0] ? " " : "",
             bracket ? "[" : "", power, unit, bracket ? "]" : "");
}

static double widest_label(const mo_canvas *canvas, const mo_legend_look *look,
                           const mo_ticks *ticks)
{
    double width = 0;
    for (int k = 0; k < ticks->count; ++k) {
        width = fmax(width, mo_canvas_text_width(canvas, ticks->tick[k].label, look->size));
    }
    return width;
}

/* Draws the bar one row of pixels at a time. */
static void draw_bar(mo_canvas *canvas, const mo_legend_look *look, const mo_colormap *map,
                     mo_box2 bar)
{
    double height = bar.bottom - bar.top;
    for (int k = 0; k < (int)height; ++k) {
        mo_box2 row = {bar.left, bar.top + k, bar.right, bar.top + k + 1};
        mo_canvas_rectangle(canvas, row, mo_colormap_at(map, 1 - (k + 0.5) / height));
    }
    mo_stroke edge = {look->line, 1, {0}, false};
    mo_canvas_frame(canvas,
                    (mo_box2){bar.left - 0.5, bar.top - 0.5, bar.right + 0.5, bar.bottom + 0.5}, 0,
                    &edge);
}

static void draw_ticks(mo_canvas *canvas, const mo_legend_look *look, const mo_scale *scale,
                       const mo_ticks *ticks, mo_box2 bar)
{
    static const double SLACK = 1e-6;
    mo_stroke line = {look->text, 1, {0}, true};
    double length = 0.4 * look->size, half = 0.5 * mo_font_height(look->size);
    for (int k = 0; k < ticks->count; ++k) {
        double position = mo_scale_position(scale, ticks->tick[k].value);
        if (!(position >= -SLACK && position <= 1 + SLACK)) {
            continue;
        }
        /* in the centre of a pixel row, and not below the last */
        double y =
            fmin(floor(bar.bottom - position * (bar.bottom - bar.top)), bar.bottom - 1) + 0.5;
        bool labelled = ticks->tick[k].label[0] != '\0';
        mo_canvas_line(canvas, (mo_point2){bar.right, y},
                       (mo_point2){bar.right + (labelled ? 1 : 0.6) * length, y}, &line);
        put(canvas, look, bar.right + 1.6 * length, y + half, ticks->tick[k].label, look->text,
            MO_ANCHOR_START, 1);
    }
}

/* The layout of a legend. */
typedef struct legend_plan {
    char title[TITLE_MAX];
    mo_scale scale;
    mo_ticks ticks;
    double edge, top, bar_width, width;
} legend_plan;

static double widest_name(const mo_canvas *canvas, const mo_legend_look *look, const mo_legend *l)
{
    double width = 0;
    for (int k = 0; k < l->count; ++k) {
        width = fmax(width, mo_canvas_text_width(canvas, l->entries[k].name, look->size));
    }
    return width;
}

static legend_plan plan_legend(const mo_canvas *canvas, const mo_legend_look *look,
                               const mo_legend *legend)
{
    enum { LABELS = 6 };
    legend_plan p = {.scale = scale_of(legend)};
    mo_ticks_choose(&p.scale, LABELS, &p.ticks);
    print_title(legend, legend->count > 0 ? 0 : p.ticks.exponent, p.title);
    p.edge = padding(look);
    p.top = p.title[0] ? mo_font_height(look->size) + p.edge : 0;
    p.bar_width = round(1.3 * look->size);
    double inner = fmax(mo_canvas_text_width(canvas, p.title, look->size),
                        p.bar_width + 0.7 * look->size +
                            (legend->count > 0 ? widest_name(canvas, look, legend)
                                               : widest_label(canvas, look, &p.ticks)));
    p.width = inner + 2 * p.edge;
    return p;
}

double mo_legend_width(const mo_canvas *canvas, const mo_legend_look *look, const mo_legend *legend)
{
    legend_plan p = plan_legend(canvas, look, legend);
    return ceil(p.width + 2 * p.edge);
}

/* One line per category. */
static void draw_entries(mo_canvas *canvas, const mo_legend_look *look, const mo_legend *l,
                         const legend_plan *p, mo_box2 box)
{
    double pitch = 1.5 * look->size, half = 0.5 * mo_font_height(look->size);
    mo_stroke edge = {look->line, 1, {0}, false};
    for (int k = 0; k < l->count; ++k) {
        double top = round(box.top + p->edge + p->top + k * pitch), left = box.left + p->edge;
        mo_box2 square = {left, top, left + p->bar_width, top + round(look->size)};
        mo_canvas_rectangle(canvas, square, l->entries[k].color);
        mo_canvas_frame(canvas, square, 0, &edge);
        put(canvas, look, square.right + 0.7 * look->size,
            0.5 * (square.top + square.bottom) + half, l->entries[k].name, look->text,
            MO_ANCHOR_START, 1);
    }
}

mo_box2 mo_legend_draw(mo_canvas *canvas, mo_corner corner, const mo_legend_look *look,
                       const mo_legend *legend)
{
    enum { HEIGHT = 14 }; /* of the bar, in font sizes */
    legend_plan p = plan_legend(canvas, look, legend);
    double available = mo_canvas_size(canvas).y - 4 * p.edge - p.top;
    double bar_height = legend->count > 0
                            ? (1.5 * legend->count - 0.5) * look->size
                            : floor(fmax(fmin(HEIGHT * look->size, available), 2 * look->size));
    mo_box2 box = box_in_corner(canvas, corner, p.width, p.top + bar_height + 2 * p.edge, p.edge);
    draw_ground(canvas, look, box);
    put(canvas, look, box.left + p.edge, box.top + p.edge + mo_font_height(look->size), p.title,
        look->text, MO_ANCHOR_START, 1);
    if (legend->count > 0) {
        draw_entries(canvas, look, legend, &p, box);
        return box;
    }
    mo_box2 bar = {box.left + p.edge, box.top + p.edge + p.top, box.left + p.edge + p.bar_width,
                   box.bottom - p.edge};
    draw_bar(canvas, look, legend->map, bar);
    draw_ticks(canvas, look, &p.scale, &p.ticks, bar);
    return box;
}

/* ---- tables ---- */

typedef struct table_size {
    double left, right, gap, width, height;
} table_size;

static table_size measure(const mo_canvas *canvas, const mo_legend_look *look, const mo_table *t)
{
    table_size s = {.gap = 1.2 * look->size};
    double whole = t->title ? 1.1 * mo_canvas_text_width(canvas, t->title, look->size) : 0;
    for (int k = 0; k < t->count; ++k) {
        double left = mo_canvas_text_width(canvas, t->rows[k].left, look->size);
        if (t->rows[k].right) {
            s.left = fmax(s.left, left);
            s.right = fmax(s.right, mo_canvas_text_width(canvas, t->rows[k].right, look->size));
        } else {
            whole = fmax(whole, left);
        }
    }
    double pitch = mo_font_pitch(look->size), lines = t->count + (t->title ? 1.3 : 0);
    s.width = fmax(whole, s.left + (s.right > 0 ? s.gap + s.right : 0));
    s.height = fmax(lines * pitch - (pitch - mo_font_height(look->size)), 0);
    return s;
}

/* The text size at which the table fits into the canvas. */
static mo_legend_look fitting(const mo_canvas *canvas, const mo_legend_look *look,
                              const mo_table *t)
{
    static const double SMALLEST = 6;
    mo_legend_look fit = *look;
    mo_point2 all = mo_canvas_size(canvas);
    for (; fit.size > SMALLEST; fit.size -= 1) {
        table_size s = measure(canvas, &fit, t);
        if (s.width + 4 * padding(&fit) <= all.x && s.height + 4 * padding(&fit) <= all.y) {
            break;
        }
    }
    return fit;
}

mo_box2 mo_table_draw(mo_canvas *canvas, mo_corner corner, const mo_legend_look *look,
                      const mo_table *t)
{
    mo_legend_look fit = fitting(canvas, look, t);
    table_size s = measure(canvas, &fit, t);
    double edge = padding(&fit), pitch = mo_font_pitch(fit.size);
    mo_box2 box = box_in_corner(canvas, corner, s.width + 2 * edge, s.height + 2 * edge, edge);
    double x = box.left + edge, y = box.top + edge + mo_font_height(fit.size);
    draw_ground(canvas, &fit, box);
    if (t->title) {
        put(canvas, &fit, x, y, t->title, fit.text, MO_ANCHOR_START, 1.6);
        y += 1.3 * pitch;
    }
    for (int k = 0; k < t->count; ++k, y += pitch) {
        const mo_table_row *row = &t->rows[k];
        put(canvas, &fit, x, y, row->left, row->right ? fit.faint : fit.text, MO_ANCHOR_START, 1);
        if (row->right) {
            put(canvas, &fit, t->align_right ? box.right - edge : x + s.left + s.gap, y, row->right,
                fit.text, t->align_right ? MO_ANCHOR_END : MO_ANCHOR_START, 1);
        }
    }
    return box;
}
