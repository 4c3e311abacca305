/* Curves and points. */
#include "plot/draw.h"

#include <math.h>

/* M. Okabe, K. Ito 2008, "Color Universal Design": told apart by colour-blind readers too. Without their
   yellow, which is hard to see on white. */
static const char *const COLOURS[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000"};

/* Markers as paths relative to their middle: circle, square, triangle, diamond, triangle downwards. */
static const char *const MARKERS[] = {"m-3,0a3,3 0 1 0 6,0a3,3 0 1 0 -6,0z", "m-2.7,-2.7h5.4v5.4h-5.4z",
                                      "m0,-3.8l3.6,6.4h-7.2z", "m0,-4l4,4l-4,4l-4,-4z",
                                      "m0,3.8l3.6,-6.4h-7.2z"};

enum { COLOUR_COUNT = sizeof COLOURS / sizeof *COLOURS, MARKER_COUNT = sizeof MARKERS / sizeof *MARKERS };

static const char *colour_of(const plot_series *s)
{
    return COLOURS[s->look % COLOUR_COUNT];
}

/* Lines of the same colour are told apart by their dashes. */
static const char *dashes_of(const plot_series *s)
{
    return s->style & PLOT_DASHED    ? " stroke-dasharray=\"6 4\""
           : s->look >= COLOUR_COUNT ? " stroke-dasharray=\"9 2 2 2\""
                                     : "";
}

static bool has_line(const plot_series *s)
{
    return (s->style & (PLOT_LINE | PLOT_DASHED)) != 0;
}

static void begin_lines(FILE *file, const plot_series *s)
{
    fprintf(
        file,
        "<g class=\"line\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" stroke-linejoin=\"round\"%s>\n",
        colour_of(s), dashes_of(s));
}

static void begin_markers(FILE *file, const plot_series *s)
{
    fprintf(file, "<path class=\"points\" fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"0.5\" d=\"",
            colour_of(s));
}

static void write_marker(FILE *file, const plot_series *s, plot_point p)
{
    fprintf(file, "M%.2f,%.2f%s", p.x, p.y, MARKERS[s->look % MARKER_COUNT]);
}

/* Writes polylines. A point too close to the last one to be seen is held back, and written only if the line
   ends there: curves of a million points stay small. */
typedef struct line_pen {
    FILE *file;
    bool down, holding;
    plot_point written, held;
} line_pen;

static void pen_write(line_pen *pen, plot_point p)
{
    fprintf(pen->file, pen->down ? " %.2f,%.2f" : "<polyline points=\"%.2f,%.2f", p.x, p.y);
    pen->down = true;
    pen->holding = false;
    pen->written = p;
}

static void pen_line(line_pen *pen, plot_point p)
{
    static const double VISIBLE = 0.2; /* pixels */
    if (fabs(p.x - pen->written.x) < VISIBLE && fabs(p.y - pen->written.y) < VISIBLE) {
        pen->holding = true;
        pen->held = p;
    } else {
        pen_write(pen, p);
    }
}

static void pen_up(line_pen *pen)
{
    if (pen->down) {
        if (pen->holding) {
            pen_write(pen, pen->held);
        }
        fputs("\"/>\n", pen->file);
        pen->down = false;
    }
}

/* What lies on the frame is inside, whatever the last bit says. */
static plot_box with_slack(plot_box box)
{
    static const double SLACK = 1e-6;
    return (plot_box){box.left - SLACK, box.top - SLACK, box.right + SLACK, box.bottom + SLACK};
}

/* The line goes on from a to b; what of it lies outside of the box is left out. */
static void draw_segment(line_pen *pen, const plot_box *box, plot_point a, plot_point b)
{
    plot_point from = a, to = b;
    if (!plot_clip(box, &from, &to)) {
        pen_up(pen);
        return;
    }
    if (!pen->down) {
        pen_write(pen, from);
    }
    pen_line(pen, to);
    if (to.x != b.x || to.y != b.y) {
        pen_up(pen);
    }
}

/* A point between two gaps has no line to be seen by. */
static void draw_lone_point(FILE *file, const plot_series *s, plot_point p)
{
    fprintf(file, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"1.6\" stroke=\"none\" fill=\"%s\"/>\n", p.x, p.y,
            colour_of(s));
}

static void draw_lines(FILE *file, const plot_view *view, const plot_series *s)
{
    plot_box box = with_slack(view->frame);
    line_pen pen = {.file = file};
    plot_point last = {0}, p;
    int in_a_row = 0;
    begin_lines(file, s);
    for (int64_t k = 0; k <= s->count; ++k) {
        bool here = k < s->count && plot_view_point(view, s->x[k], s->y[k], &p);
        if (here && in_a_row > 0) {
            draw_segment(&pen, &box, last, p);
        } else if (!here && in_a_row == 1 && plot_inside(&box, last)) {
            draw_lone_point(file, s, last);
        } else if (!here) {
            pen_up(&pen);
        }
        in_a_row = here ? in_a_row + (in_a_row < 2) : 0;
        last = p;
    }
    fputs("</g>\n", file);
}

static void draw_markers(FILE *file, const plot_view *view, const plot_series *s)
{
    plot_box box = with_slack(view->frame);
    plot_point p;
    begin_markers(file, s);
    for (int64_t k = 0; k < s->count; ++k) {
        if (plot_view_point(view, s->x[k], s->y[k], &p) && plot_inside(&box, p)) {
            write_marker(file, s, p);
        }
    }
    fputs("\"/>\n", file);
}

void plot_draw_series(FILE *file, const plot_view *view, const plot_series *series)
{
    if (has_line(series)) {
        draw_lines(file, view, series);
    }
    if (series->style & PLOT_POINTS) {
        draw_markers(file, view, series);
    }
}

void plot_draw_sample(FILE *file, const plot_series *series, plot_point left, plot_point right)
{
    if (has_line(series)) {
        begin_lines(file, series);
        fprintf(file, "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>\n</g>\n", left.x, left.y,
                right.x, right.y);
    }
    if (series->style & PLOT_POINTS) {
        begin_markers(file, series);
        write_marker(file, series, (plot_point){(left.x + right.x) / 2, left.y});
        fputs("\"/>\n", file);
    }
}
