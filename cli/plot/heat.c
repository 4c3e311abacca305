/*
 * A matrix in colour, and its colour bar.
 */
#include "draw/colormap.h"
#include "plot/draw.h"

#include <math.h>

enum { SHADES = 256, BLANK = -1 };

static const plot_pen BAR_EDGE = {.colour = 0x444444, .width = 0.8};

/* of the ends of the bar, where there are values beyond */
static const double POINT_HEIGHT = 10;

/* Colour at a coordinate from 0 to 1. */
static uint32_t colour_at(double position)
{
    mo_color c = mo_colormap_at(mo_colormap_find(PLOT_COLORMAP), position);
    return (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b;
}

/* The index of the colour of a value, clamped to the scale; BLANK if it has none. */
static int shade_of(const mo_scale *scale, double value)
{
    if (!isfinite(value)) {
        return BLANK;
    }
    double position = scale->log && value <= 0 ? 0 : mo_scale_position(scale, value);
    return (int)lround(fmin(fmax(position, 0), 1) * (SHADES - 1));
}

/* One direction of the matrix on paper. `cells` is less than `count` where the cells of the
 * matrix are too small to be visible; some of them are then skipped. */
typedef struct side {
    double from, to, low, high; /* edges of the matrix and of the frame */
    int cells, count;
} side;

static side make_side(double from, double to, double low, double high, int count)
{
    static const double SMALLEST = 0.5; /* pixels */
    double most = ceil(fabs(to - from) / SMALLEST);
    return (side){from, to, low, high, most < count ? (int)fmax(most, 1) : count, count};
}

/* The edge before cell k, not beyond the frame. */
static double edge(const side *s, int k)
{
    double position = (double)k / s->cells;
    return fmin(fmax(s->from * (1 - position) + s->to * position, s->low), s->high);
}

static int cell(const side *s, int k)
{
    return s->cells == s->count ? k : (int)((k + 0.5) * s->count / s->cells);
}

/* Neighbours of equal colour are merged into one rectangle, which keeps files small. */
static void draw_row(plot_paper *paper, const mo_scale *scale, const double *values, const side *x,
                     double top, double bottom)
{
    for (int first = 0, next; first < x->cells; first = next) {
        int shade = shade_of(scale, values[cell(x, first)]);
        next = first + 1;
        while (next < x->cells && shade_of(scale, values[cell(x, next)]) == shade) {
            ++next;
        }
        double left = edge(x, first), right = edge(x, next);
        if (shade != BLANK && right > left) {
            paper->type->cell(paper, (plot_box){left, top, right, bottom},
                              colour_at((double)shade / (SHADES - 1)));
        }
    }
}

void plot_draw_matrix(plot_paper *paper, const plot_view *view, const plot_matrix *matrix)
{
    const plot_box *f = &view->frame;
    plot_point start, end;
    if (!plot_view_point(view, matrix->x[0], matrix->y[0], &start) ||
        !plot_view_point(view, matrix->x[1], matrix->y[1], &end)) {
        return;
    }
    side x = make_side(start.x, end.x, f->left, f->right, matrix->columns);
    side y = make_side(start.y, end.y, f->top, f->bottom, matrix->rows);
    paper->type->begin(paper, PLOT_MATRIX, NULL);
    for (int k = 0; k < y.cells; ++k) {
        const double *values = matrix->values + (int64_t)cell(&y, k) * matrix->columns;
        double bottom = edge(&y, k), top = edge(&y, k + 1);
        if (bottom > top) {
            draw_row(paper, &view->scale[PLOT_COLOUR], values, &x, top, bottom);
        }
    }
    paper->type->end(paper);
}

/* Whether colours are clamped at the low end and at the high end. */
static void find_values_beyond(const plot_view *view, const plot_matrix *m, bool beyond[2])
{
    const mo_scale *scale = &view->scale[PLOT_COLOUR];
    beyond[0] = beyond[1] = false;
    for (int64_t k = 0; k < (int64_t)m->columns * m->rows; ++k) {
        double value = m->values[k], position = mo_scale_position(scale, value);
        beyond[0] = beyond[0] || position < 0 || (scale->log && isfinite(value) && value <= 0);
        beyond[1] = beyond[1] || position > 1;
    }
}

/* A triangle on an edge of the bar, from `base` to `tip`, in the colour of that end. */
static void draw_end(plot_paper *paper, const plot_box *bar, double base, double tip,
                     double position)
{
    plot_point corners[] = {
        {bar->left, base}, {bar->right, base}, {(bar->left + bar->right) / 2, tip}};
    paper->type->triangle(paper, "beyond", corners, colour_at(position), &BAR_EDGE);
}

plot_box plot_draw_bar(plot_paper *paper, const plot_view *view, const plot_matrix *matrix)
{
    plot_box bar = view->bar;
    bool beyond[2];
    find_values_beyond(view, matrix, beyond);
    if (beyond[0]) {
        bar.bottom -= POINT_HEIGHT;
        draw_end(paper, &bar, bar.bottom, view->bar.bottom, 0);
    }
    if (beyond[1]) {
        bar.top += POINT_HEIGHT;
        draw_end(paper, &bar, bar.top, view->bar.top, 1);
    }
    paper->type->rectangle(paper, "bar", bar, (plot_fill){.kind = PLOT_ALL_COLOURS}, &BAR_EDGE);
    return bar;
}
