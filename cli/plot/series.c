/* Curves and points. */
#include "plot/draw.h"

#include <math.h>

/* M. Okabe, K. Ito 2008, "Color Universal Design": distinguishable with colour vision
 * deficiencies. Without their yellow, which is hard to see on white. */
static const uint32_t COLOURS[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                   0xe69f00, 0x56b4e9, 0x000000};

enum { COLOUR_COUNT = sizeof COLOURS / sizeof *COLOURS };

static uint32_t colour_of(const plot_series *s)
{
    return COLOURS[s->look % COLOUR_COUNT];
}

/* Lines of the same colour are distinguished by their dashes. */
static plot_pen pen_of(const plot_series *s)
{
    plot_dashes dashes = s->style & PLOT_DASHED    ? PLOT_DASHES
                         : s->look >= COLOUR_COUNT ? PLOT_DASH_DOTS
                                                   : PLOT_SOLID;
    return (plot_pen){.colour = colour_of(s), .width = 1.6, .dashes = dashes, .curves = true};
}

static bool has_line(const plot_series *s)
{
    return (s->style & (PLOT_LINE | PLOT_DASHED)) != 0;
}

static void begin_lines(plot_paper *paper, const plot_series *s)
{
    plot_pen pen = pen_of(s);
    paper->type->begin(paper, PLOT_CURVES, &pen);
}

static void begin_markers(plot_paper *paper, const plot_series *s)
{
    paper->type->markers_begin(paper, (mo_marker)(s->look % MO_MARKER_COUNT), colour_of(s));
}

/* Draws curves. A point too close to the previous one to be visible is deferred, and drawn only
 * if the curve ends there, which keeps curves of a million points small. */
typedef struct line_pen {
    plot_paper *paper;
    bool down, has_pending;
    plot_point drawn, pending;
} line_pen;

static void pen_draw(line_pen *pen, plot_point p)
{
    pen->paper->type->curve_to(pen->paper, p);
    pen->down = true;
    pen->has_pending = false;
    pen->drawn = p;
}

static void pen_line(line_pen *pen, plot_point p)
{
    static const double VISIBLE = 0.2; /* pixels */
    if (fabs(p.x - pen->drawn.x) < VISIBLE && fabs(p.y - pen->drawn.y) < VISIBLE) {
        pen->has_pending = true;
        pen->pending = p;
    } else {
        pen_draw(pen, p);
    }
}

static void pen_up(line_pen *pen)
{
    if (pen->down) {
        if (pen->has_pending) {
            pen_draw(pen, pen->pending);
        }
        pen->paper->type->curve_end(pen->paper);
        pen->down = false;
    }
}

/* Points on the frame are inside despite rounding. */
static plot_box with_slack(plot_box box)
{
    static const double SLACK = 1e-6;
    return (plot_box){box.left - SLACK, box.top - SLACK, box.right + SLACK, box.bottom + SLACK};
}

/* Continues the line from a to b, clipped to the box. */
static void draw_segment(line_pen *pen, const plot_box *box, plot_point a, plot_point b)
{
    plot_point from = a, to = b;
    if (!plot_clip(box, &from, &to)) {
        pen_up(pen);
        return;
    }
    if (!pen->down) {
        pen_draw(pen, from);
    }
    pen_line(pen, to);
    if (to.x != b.x || to.y != b.y) {
        pen_up(pen);
    }
}

/* A point between two gaps is drawn as a dot. */
static void draw_isolated_point(plot_paper *paper, const plot_series *s, plot_point p)
{
    paper->type->dot(paper, p, 1.6, colour_of(s));
}

static void draw_lines(plot_paper *paper, const plot_view *view, const plot_series *s)
{
    plot_box box = with_slack(view->frame);
    line_pen pen = {.paper = paper};
    plot_point last = {0}, p;
    int in_a_row = 0;
    begin_lines(paper, s);
    for (int64_t k = 0; k <= s->count; ++k) {
        bool here = k < s->count && plot_view_point(view, s->x[k], s->y[k], &p);
        if (here && in_a_row > 0) {
            draw_segment(&pen, &box, last, p);
        } else if (!here && in_a_row == 1 && plot_inside(&box, last)) {
            draw_isolated_point(paper, s, last);
        } else if (!here) {
            pen_up(&pen);
        }
        in_a_row = here ? in_a_row + (in_a_row < 2) : 0;
        last = p;
    }
    paper->type->end(paper);
}

static void draw_markers(plot_paper *paper, const plot_view *view, const plot_series *s)
{
    plot_box box = with_slack(view->frame);
    plot_point p;
    begin_markers(paper, s);
    for (int64_t k = 0; k < s->count; ++k) {
        if (plot_view_point(view, s->x[k], s->y[k], &p) && plot_inside(&box, p)) {
            paper->type->marker(paper, p);
        }
    }
    paper->type->markers_end(paper);
}

void plot_draw_series(plot_paper *paper, const plot_view *view, const plot_series *series)
{
    if (has_line(series)) {
        draw_lines(paper, view, series);
    }
    if (series->style & PLOT_POINTS) {
        draw_markers(paper, view, series);
    }
}

void plot_draw_sample(plot_paper *paper, const plot_series *series, plot_point left,
                      plot_point right)
{
    if (has_line(series)) {
        begin_lines(paper, series);
        paper->type->line(paper, left, right);
        paper->type->end(paper);
    }
    if (series->style & PLOT_POINTS) {
        begin_markers(paper, series);
        paper->type->marker(paper, (plot_point){(left.x + right.x) / 2, left.y});
        paper->type->markers_end(paper);
    }
}
