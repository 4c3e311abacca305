/* A figure as pixels. */
#include "draw/png.h"
#include "draw/colormap.h"
#include "plot/file.h"
#include "plot/paper.h"

#include <math.h>
#include <stdlib.h>

typedef struct pixel_paper {
    plot_paper base;
    mo_canvas *canvas;
    mo_stroke stroke; /* of the group */
    mo_marker marker; /* of the points being drawn */
    uint32_t marker_colour;
    int64_t count, capacity; /* of the curve being drawn */
    mo_point2 *points;
    bool failed; /* no memory for a curve */
} pixel_paper;

static pixel_paper *pixels_of(plot_paper *paper)
{
    return (pixel_paper *)paper;
}

static mo_point2 point(plot_point p)
{
    return (mo_point2){p.x, p.y};
}

static mo_box2 box_of(plot_box b)
{
    return (mo_box2){b.left, b.top, b.right, fmax(b.bottom, b.top)};
}

static mo_stroke stroke_of(const plot_pen *pen)
{
    static const double DASHES[][MO_DASHES_MAX] = {
        [PLOT_SOLID] = {0}, [PLOT_DASHES] = {6, 4}, [PLOT_DASH_DOTS] = {9, 2, 2, 2}};
    const double *d = DASHES[pen->dashes];
    return (mo_stroke){mo_rgb(pen->colour), pen->width, {d[0], d[1], d[2], d[3]}, true};
}

/* ---- groups and lines ---- */

static void begin_group(plot_paper *paper, plot_group group, const plot_pen *pen)
{
    (void)group;
    if (pen) {
        pixels_of(paper)->stroke = stroke_of(pen);
    }
}

static void end_group(plot_paper *paper)
{
    (void)paper;
}

/* Thin axis-parallel lines are moved to pixel centres, where they are sharp. */
static double sharp(double x)
{
    return floor(x) + 0.5;
}

static void draw_line(plot_paper *paper, plot_point a, plot_point b)
{
    pixel_paper *p = pixels_of(paper);
    mo_point2 from = point(a), to = point(b);
    if (a.x == b.x) {
        from.x = to.x = sharp(a.x);
    } else if (a.y == b.y) {
        from.y = to.y = sharp(a.y);
    }
    mo_canvas_line(p->canvas, from, to, &p->stroke);
}

static void curve_to(plot_paper *paper, plot_point to)
{
    pixel_paper *p = pixels_of(paper);
    if (p->count == p->capacity) {
        int64_t capacity = p->capacity ? 2 * p->capacity : 256;
        mo_point2 *grown = realloc(p->points, (size_t)capacity * sizeof *grown);
        if (!grown) {
            p->failed = true;
            return;
        }
        p->points = grown;
        p->capacity = capacity;
    }
    p->points[p->count++] = point(to);
}

static void curve_end(plot_paper *paper)
{
    pixel_paper *p = pixels_of(paper);
    mo_canvas_polyline(p->canvas, p->count, p->points, &p->stroke);
    p->count = 0;
}

/* ---- points ---- */

static void draw_dot(plot_paper *paper, plot_point at, double radius, uint32_t colour)
{
    mo_canvas_circle(pixels_of(paper)->canvas, point(at), radius, mo_rgb(colour));
}

static void markers_begin(plot_paper *paper, mo_marker marker, uint32_t colour)
{
    pixels_of(paper)->marker = marker;
    pixels_of(paper)->marker_colour = colour;
}

/* On a white background, larger by half of the outline, and smaller by the same. */
static void draw_marker(plot_paper *paper, plot_point at)
{
    pixel_paper *p = pixels_of(paper);
    double half = 0.5 * PLOT_MARKER_EDGE;
    mo_canvas_marker(p->canvas, p->marker, point(at), PLOT_MARKER_RADIUS + half, mo_rgb(0xffffff));
    mo_canvas_marker(p->canvas, p->marker, point(at), PLOT_MARKER_RADIUS - half,
                     mo_rgb(p->marker_colour));
}

static void markers_end(plot_paper *paper)
{
    (void)paper;
}

/* ---- areas ---- */

/* The colours from the bottom to the top, one row of pixels each. */
static void fill_with_colours(mo_canvas *canvas, mo_box2 box)
{
    const mo_colormap *map = mo_colormap_find(PLOT_COLORMAP);
    double height = box.bottom - box.top;
    for (double y = box.top; y < box.bottom; y = floor(y) + 1) {
        double next = fmin(floor(y) + 1, box.bottom),
               position = (box.bottom - 0.5 * (y + next)) / height;
        mo_canvas_rectangle(canvas, (mo_box2){box.left, y, box.right, next},
                            mo_colormap_at(map, position));
    }
}

static void draw_rectangle(plot_paper *paper, const char *name, plot_box box, plot_fill fill,
                           const plot_pen *edge)
{
    (void)name;
    mo_canvas *canvas = pixels_of(paper)->canvas;
    mo_box2 inside = {sharp(box.left), sharp(box.top), sharp(box.right),
                      sharp(fmax(box.bottom, box.top))};
    if (fill.kind == PLOT_PLAIN) {
        mo_canvas_rectangle(canvas, inside, mo_rgba(fill.colour, fill.opacity));
    } else if (fill.kind == PLOT_ALL_COLOURS) {
        fill_with_colours(canvas, box_of(box));
    }
    if (edge) {
        mo_stroke stroke = stroke_of(edge);
        mo_canvas_frame(canvas, inside, 0, &stroke);
    }
}

/* Rounded to pixels, so that there are no gaps between neighbours. */
static void draw_cell(plot_paper *paper, plot_box b, uint32_t colour)
{
    mo_canvas_rectangle(pixels_of(paper)->canvas,
                        (mo_box2){round(b.left), round(b.top), round(b.right), round(b.bottom)},
                        mo_rgb(colour));
}

static void draw_triangle(plot_paper *paper, const char *name, const plot_point c[3],
                          uint32_t colour, const plot_pen *edge)
{
    (void)name;
    mo_canvas *canvas = pixels_of(paper)->canvas;
    mo_point2 corners[] = {point(c[0]), point(c[1]), point(c[2]), point(c[0])};
    mo_stroke stroke = stroke_of(edge);
    mo_canvas_polygon(canvas, 3, corners, mo_rgb(colour));
    mo_canvas_polyline(canvas, 4, corners, &stroke);
}

/* ---- texts ---- */

static void draw_text(plot_paper *paper, plot_text where, const char *text)
{
    static const double BOLD = 1.6, SMALLEST = 7;
    mo_canvas *canvas = pixels_of(paper)->canvas;
    mo_text_style style = {.size = where.size,
                           .color = mo_rgb(0x222222),
                           .weight = where.bold ? BOLD : 1,
                           .anchor = (mo_anchor)where.anchor,
                           .upwards = where.upwards};
    while (where.max_width > 0 && style.size > SMALLEST &&
           mo_canvas_text_width(canvas, text, style.size) > where.max_width) {
        style.size -= 0.5;
    }
    mo_canvas_text(canvas, (mo_point2){where.x, where.y}, &style, text);
}

/* ---- file ---- */

static mote_status draw_pixels(const plot_figure *figure, mo_image *image, mote_error *error)
{
    static const plot_paper_type TYPE = {
        begin_group, end_group,   draw_line,      curve_to,  curve_end,     draw_dot, markers_begin,
        draw_marker, markers_end, draw_rectangle, draw_cell, draw_triangle, draw_text};
    pixel_paper paper = {.base = {&TYPE}};
    MO_TRY(mo_canvas_create(image, 1, &paper.canvas, error));
    mo_image_fill(image, mo_rgb(0xffffff));
    plot_draw_figure(&paper.base, figure);
    mo_canvas_destroy(paper.canvas);
    free(paper.points);
    return paper.failed
               ? mo_fail(error, MOTE_ERROR_MEMORY, "out of memory: the figure could not be drawn")
               : MOTE_OK;
}

mote_status plot_write_png(const plot_figure *figure, const char *path, mote_error *error)
{
    mo_image image;
    MO_TRY(plot_file_check(figure, error));
    MO_TRY(mo_image_create((int)ceil(figure->width), (int)ceil(figure->height), &image, error));
    mote_status status = draw_pixels(figure, &image, error);
    if (status == MOTE_OK) {
        status = mo_png_write(path, &image, error);
    }
    mo_image_destroy(&image);
    return status;
}
