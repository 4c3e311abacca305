/* The names of the series, with a sample of each. */
#include "plot/draw.h"
#include "plot/text.h"

#include <math.h>

enum { PITCH = 16, SAMPLE = 26, PADDING = 6 };

static int count_lines(const plot_panel *panel)
{
    int lines = 0;
    for (int k = 0; k < panel->series_count; ++k) {
        lines += panel->series[k].name != NULL;
    }
    return lines;
}

static plot_point size_of(const plot_panel *panel)
{
    double width = 0;
    for (int k = 0; k < panel->series_count; ++k) {
        const char *name = panel->series[k].name;
        width = fmax(width, name ? plot_text_width(name, PLOT_SMALL_SIZE) : 0);
    }
    return (plot_point){width + SAMPLE + 3 * PADDING, count_lines(panel) * PITCH + PADDING};
}

/* Whether a series is visible in the box. */
static bool overlaps(const plot_view *view, const plot_series *s, const plot_box *box)
{
    bool line = (s->style & (PLOT_LINE | PLOT_DASHED)) != 0, before = false;
    plot_point last = {0}, p;
    for (int64_t k = 0; k < s->count; ++k) {
        bool here = plot_view_point(view, s->x[k], s->y[k], &p);
        plot_point from = last, to = p;
        if (here && (plot_inside(box, p) || (line && before && plot_clip(box, &from, &to)))) {
            return true;
        }
        before = here;
        last = p;
    }
    return false;
}

static bool is_free(const plot_panel *panel, const plot_view *view, const plot_box *box)
{
    for (int k = 0; k < panel->series_count; ++k) {
        if (overlaps(view, &panel->series[k], box)) {
            return false;
        }
    }
    return true;
}

/* A corner of the frame: 0 top right, 1 top left, 2 bottom right, 3 bottom left. */
static plot_box corner(const plot_box *frame, plot_point size, int which)
{
    bool left = which & 1, bottom = which & 2;
    double x = left ? frame->left + PLOT_EDGE : frame->right - PLOT_EDGE - size.x;
    double y = bottom ? frame->bottom - PLOT_EDGE - size.y : frame->top + PLOT_EDGE;
    return (plot_box){x, y, x + size.x, y + size.y};
}

static bool lay_out_inside(const plot_panel *panel, plot_view *view, plot_point size)
{
    static const double SHARE_MAX = 0.6; /* of the frame */
    const plot_box *f = &view->frame;
    if (size.x > SHARE_MAX * (f->right - f->left) || size.y > SHARE_MAX * (f->bottom - f->top)) {
        return false;
    }
    for (int which = 0; which < 4; ++which) {
        view->legend = corner(f, size, which);
        if (is_free(panel, view, &view->legend)) {
            return true;
        }
    }
    return false;
}

static void lay_out_outside(plot_view *view, plot_point size)
{
    static const double SHARE_MAX = 0.45; /* of the panel */
    plot_box cell = view->cell, *frame = &view->frame;
    double width = fmin(size.x, SHARE_MAX * (cell.right - cell.left));
    double height = fmin(size.y, cell.bottom - PLOT_EDGE - frame->top);
    double left = cell.right - PLOT_EDGE - width;
    view->legend = (plot_box){left, frame->top, left + width, frame->top + height};
    frame->right = fmax(frame->right - width - PLOT_GAP, frame->left + PLOT_FRAME_MIN);
}

void plot_legend_layout(const plot_panel *panel, plot_view *view)
{
    plot_point size = size_of(panel);
    if (count_lines(panel) > 0 && !lay_out_inside(panel, view, size)) {
        lay_out_outside(view, size);
    }
}

static void draw_line(plot_paper *paper, const plot_series *s, const plot_box *box, double y)
{
    double sample = box->left + PADDING, text = sample + SAMPLE + PADDING;
    plot_draw_sample(paper, s, (plot_point){sample, y}, (plot_point){sample + SAMPLE, y});
    paper->type->text(paper,
                      (plot_text){.x = text,
                                  .y = y + 0.35 * PLOT_SMALL_SIZE,
                                  .size = PLOT_SMALL_SIZE,
                                  .max_width = fmax(box->right - PADDING - text, PADDING)},
                      s->name);
}

void plot_draw_legend(plot_paper *paper, const plot_panel *panel, const plot_view *view)
{
    const plot_box *box = &view->legend;
    int lines = count_lines(panel), line = 0;
    if (lines == 0) {
        return;
    }
    /* reduced if there are too many */
    double pitch = (box->bottom - box->top - PADDING) / lines;
    plot_pen edge = {.colour = 0xcccccc, .width = 0.8};
    paper->type->begin(paper, PLOT_LEGEND, NULL);
    paper->type->rectangle(paper, NULL, *box, (plot_fill){PLOT_PLAIN, 0xffffff, 0.85}, &edge);
    for (int k = 0; k < panel->series_count; ++k) {
        if (panel->series[k].name) {
            draw_line(paper, &panel->series[k], box,
                      box->top + PADDING / 2 + (line++ + 0.5) * pitch);
        }
    }
    paper->type->end(paper);
}
