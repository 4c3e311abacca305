/* A matrix in colour, and the bar that tells what the colours mean. */
#include "plot/draw.h"

#include <math.h>

/* Every 15th of the 256 colours of viridis (S. van der Walt, N. Smith, E. Firing 2015; in the public domain),
   which are equally far apart for the eye, in grey too. */
static const unsigned char VIRIDIS[][3] = {
    {68, 1, 84},    {72, 23, 105},  {71, 42, 122},  {67, 61, 132},  {61, 78, 138},  {53, 94, 141},
    {46, 109, 142}, {41, 123, 142}, {35, 137, 142}, {31, 151, 139}, {33, 165, 133}, {46, 179, 124},
    {70, 192, 111}, {101, 203, 94}, {137, 213, 72}, {176, 221, 47}, {216, 226, 25}, {253, 231, 37}};

enum { INTERVALS = sizeof VIRIDIS / sizeof *VIRIDIS - 1, SHADES = 256, BLANK = -1 };

static const double POINT_HEIGHT = 10; /* of the ends of the bar, where there are values beyond */

/* Colour at a place from 0 to 1. */
static void write_colour(FILE *file, double place)
{
    int k = (int)(place * INTERVALS);
    k = k < INTERVALS ? k : INTERVALS - 1;
    double t = place * INTERVALS - k;
    fputc('#', file);
    for (int c = 0; c < 3; ++c) {
        fprintf(file, "%02x", (unsigned)lround((1 - t) * VIRIDIS[k][c] + t * VIRIDIS[k + 1][c]));
    }
}

/* The number of the colour of a value, clamped to the scale; BLANK if it has none. */
static int shade_of(const mo_scale *scale, double value)
{
    if (!isfinite(value)) {
        return BLANK;
    }
    double place = scale->log && value <= 0 ? 0 : mo_scale_place(scale, value);
    return (int)lround(fmin(fmax(place, 0), 1) * (SHADES - 1));
}

/* One direction of the matrix on paper. `cells` is less than `count` where the cells of the matrix are too
   small to be seen one by one; then some of them stand for their neighbours. */
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
    double place = (double)k / s->cells;
    return fmin(fmax(s->from * (1 - place) + s->to * place, s->low), s->high);
}

static int cell(const side *s, int k)
{
    return s->cells == s->count ? k : (int)((k + 0.5) * s->count / s->cells);
}

/* Neighbours of the same colour are one rectangle, which keeps files small. */
static void draw_row(FILE *file, const mo_scale *scale, const double *values, const side *x, double top,
                     double bottom)
{
    for (int first = 0, next; first < x->cells; first = next) {
        int shade = shade_of(scale, values[cell(x, first)]);
        next = first + 1;
        while (next < x->cells && shade_of(scale, values[cell(x, next)]) == shade) {
            ++next;
        }
        double left = edge(x, first), right = edge(x, next);
        if (shade != BLANK && right > left) {
            /* all four edges are written, so that neighbours share theirs to the last digit */
            fprintf(file, "<path d=\"M%.2f,%.2fH%.2fV%.2fH%.2fz\" fill=\"", left, bottom, right, top, left);
            write_colour(file, (double)shade / (SHADES - 1));
            fputs("\"/>\n", file);
        }
    }
}

void plot_draw_matrix(FILE *file, const plot_view *view, const plot_matrix *matrix)
{
    const plot_box *f = &view->frame;
    plot_point start, end;
    if (!plot_view_point(view, matrix->x[0], matrix->y[0], &start) ||
        !plot_view_point(view, matrix->x[1], matrix->y[1], &end)) {
        return;
    }
    side x = make_side(start.x, end.x, f->left, f->right, matrix->columns);
    side y = make_side(start.y, end.y, f->top, f->bottom, matrix->rows);
    /* without smoothing at the edges, which would show as a grid of fine lines */
    fputs("<g class=\"matrix\" shape-rendering=\"crispEdges\">\n", file);
    for (int k = 0; k < y.cells; ++k) {
        const double *values = matrix->values + (int64_t)cell(&y, k) * matrix->columns;
        double bottom = edge(&y, k), top = edge(&y, k + 1);
        if (bottom > top) {
            draw_row(file, &view->scale[PLOT_COLOUR], values, &x, top, bottom);
        }
    }
    fputs("</g>\n", file);
}

void plot_define_colours(FILE *file)
{
    fputs("<defs>\n<linearGradient id=\"viridis\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">\n", file);
    for (int k = 0; k <= INTERVALS; ++k) {
        fprintf(file, "<stop offset=\"%.5f\" stop-color=\"", (double)k / INTERVALS);
        write_colour(file, (double)k / INTERVALS);
        fputs("\"/>\n", file);
    }
    fputs("</linearGradient>\n</defs>\n", file);
}

/* Whether colours are clamped at the low end and at the high end. */
static void find_values_beyond(const plot_view *view, const plot_matrix *m, bool beyond[2])
{
    const mo_scale *scale = &view->scale[PLOT_COLOUR];
    beyond[0] = beyond[1] = false;
    for (int64_t k = 0; k < (int64_t)m->columns * m->rows; ++k) {
        double value = m->values[k], place = mo_scale_place(scale, value);
        beyond[0] = beyond[0] || place < 0 || (scale->log && isfinite(value) && value <= 0);
        beyond[1] = beyond[1] || place > 1;
    }
}

/* A triangle on an edge of the bar, from `base` to `tip`, in the colour of that end. */
static void draw_end(FILE *file, const plot_box *bar, double base, double tip, double place)
{
    fprintf(file,
            "<path class=\"beyond\" stroke=\"#444444\" stroke-width=\"0.8\" d=\"M%.2f,%.2fH%.2fL%.2f,%.2fz\""
            " fill=\"",
            bar->left, base, bar->right, (bar->left + bar->right) / 2, tip);
    write_colour(file, place);
    fputs("\"/>\n", file);
}

plot_box plot_draw_bar(FILE *file, const plot_view *view, const plot_matrix *matrix)
{
    plot_box bar = view->bar;
    bool beyond[2];
    find_values_beyond(view, matrix, beyond);
    if (beyond[0]) {
        bar.bottom -= POINT_HEIGHT;
        draw_end(file, &bar, bar.bottom, view->bar.bottom, 0);
    }
    if (beyond[1]) {
        bar.top += POINT_HEIGHT;
        draw_end(file, &bar, bar.top, view->bar.top, 1);
    }
    fprintf(file,
            "<rect class=\"bar\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"url(#viridis)\""
            " stroke=\"#444444\" stroke-width=\"0.8\"/>\n",
            bar.left, bar.top, bar.right - bar.left, fmax(bar.bottom - bar.top, 0));
    return bar;
}
