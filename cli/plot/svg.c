/* A figure as SVG. */
#include "draw/colormap.h"
#include "plot/paper.h"
#include "plot/text.h"

#include <math.h>

typedef struct svg_paper {
    plot_paper base;
    FILE *file;
    bool drawing;     /* a curve is open */
    bool lines;       /* the group has a pen, which its texts must not inherit */
    mo_marker marker; /* of the points being written */
} svg_paper;

static FILE *file_of(plot_paper *paper)
{
    return ((svg_paper *)paper)->file;
}

/* ---- groups ---- */

static const char *dashes_of(plot_dashes dashes)
{
    static const char *const TEXTS[] = {[PLOT_SOLID] = "",
                                        [PLOT_DASHES] = " stroke-dasharray=\"6 4\"",
                                        [PLOT_DASH_DOTS] = " stroke-dasharray=\"9 2 2 2\""};
    return TEXTS[dashes];
}

static void begin_group(plot_paper *paper, plot_group group, const plot_pen *pen)
{
    static const char *const NAMES[] = {
        [PLOT_PANEL] = "panel", [PLOT_GRID] = "grid",     [PLOT_TICKS] = "ticks",
        [PLOT_CURVES] = "line", [PLOT_MATRIX] = "matrix", [PLOT_LEGEND] = "legend"};
    FILE *file = file_of(paper);
    fprintf(file, "<g class=\"%s\"", NAMES[group]);
    if (pen) {
        fprintf(file, "%s stroke=\"#%06x\" stroke-width=\"%g\"%s%s",
                pen->curves ? " fill=\"none\"" : "", pen->colour, pen->width,
                pen->curves ? " stroke-linejoin=\"round\"" : "", dashes_of(pen->dashes));
    }
    if (group == PLOT_MATRIX) {
        /* antialiasing would appear as a grid of fine lines */
        fputs(" shape-rendering=\"crispEdges\"", file);
    }
    fputs(">\n", file);
    ((svg_paper *)paper)->lines = pen != NULL;
}

static void end_group(plot_paper *paper)
{
    fputs("</g>\n", file_of(paper));
    ((svg_paper *)paper)->lines = false;
}

/* ---- lines and points ---- */

static void draw_line(plot_paper *paper, plot_point a, plot_point b)
{
    fprintf(file_of(paper), "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>\n", a.x, a.y,
            b.x, b.y);
}

static void curve_to(plot_paper *paper, plot_point p)
{
    svg_paper *svg = (svg_paper *)paper;
    fprintf(svg->file, svg->drawing ? " %.2f,%.2f" : "<polyline points=\"%.2f,%.2f", p.x, p.y);
    svg->drawing = true;
}

static void curve_end(plot_paper *paper)
{
    svg_paper *svg = (svg_paper *)paper;
    if (svg->drawing) {
        fputs("\"/>\n", svg->file);
    }
    svg->drawing = false;
}

static void draw_dot(plot_paper *paper, plot_point p, double radius, uint32_t colour)
{
    fprintf(file_of(paper),
            "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%g\" stroke=\"none\" fill=\"#%06x\"/>\n", p.x, p.y,
            radius, colour);
}

/* One path for all markers of a series. */
static void markers_begin(plot_paper *paper, mo_marker marker, uint32_t colour)
{
    ((svg_paper *)paper)->marker = marker;
    fprintf(file_of(paper),
            "<path class=\"points\" fill=\"#%06x\" stroke=\"#ffffff\" stroke-width=\"%g\" d=\"",
            colour, PLOT_MARKER_EDGE);
}

static void draw_marker(plot_paper *paper, plot_point p)
{
    FILE *file = file_of(paper);
    mo_point2 corners[4];
    int count = mo_marker_corners(((svg_paper *)paper)->marker, (mo_point2){0, 0},
                                  PLOT_MARKER_RADIUS, corners);
    fprintf(file, "M%.2f,%.2f", p.x, p.y);
    if (count == 0) {
        double r = PLOT_MARKER_RADIUS;
        fprintf(file, "m%g,0a%g,%g 0 1 0 %g,0a%g,%g 0 1 0 %g,0z", -r, r, r, 2 * r, r, r, -2 * r);
        return;
    }
    fprintf(file, "m%g,%g", corners[0].x, corners[0].y);
    for (int k = 1; k < count; ++k) {
        fprintf(file, "l%g,%g", corners[k].x - corners[k - 1].x, corners[k].y - corners[k - 1].y);
    }
    fputc('z', file);
}

static void markers_end(plot_paper *paper)
{
    fputs("\"/>\n", file_of(paper));
}

/* ---- areas ---- */

static void print_edge(FILE *file, const plot_pen *edge)
{
    if (edge) {
        fprintf(file, " stroke=\"#%06x\" stroke-width=\"%g\"", edge->colour, edge->width);
    }
}

static void print_name(FILE *file, const char *name)
{
    if (name) {
        fprintf(file, " class=\"%s\"", name);
    }
}

static void draw_rectangle(plot_paper *paper, const char *name, plot_box b, plot_fill fill,
                           const plot_pen *edge)
{
    FILE *file = file_of(paper);
    fputs("<rect", file);
    print_name(file, name);
    fprintf(file, " x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"", b.left, b.top,
            b.right - b.left, fmax(b.bottom - b.top, 0));
    if (fill.kind == PLOT_PLAIN) {
        fprintf(file, " fill=\"#%06x\"", fill.colour);
        if (fill.opacity < 1) {
            fprintf(file, " fill-opacity=\"%g\"", fill.opacity);
        }
    } else {
        fputs(fill.kind == PLOT_EMPTY ? " fill=\"none\"" : " fill=\"url(#colours)\"", file);
    }
    print_edge(file, edge);
    fputs("/>\n", file);
}

/* All four edges are written, so that neighbours share identical coordinates. */
static void draw_cell(plot_paper *paper, plot_box b, uint32_t colour)
{
    fprintf(file_of(paper), "<path d=\"M%.2f,%.2fH%.2fV%.2fH%.2fz\" fill=\"#%06x\"/>\n", b.left,
            b.bottom, b.right, b.top, b.left, colour);
}

static void draw_triangle(plot_paper *paper, const char *name, const plot_point c[3],
                          uint32_t colour, const plot_pen *edge)
{
    FILE *file = file_of(paper);
    fputs("<path", file);
    print_name(file, name);
    print_edge(file, edge);
    fprintf(file, " d=\"M%.2f,%.2fL%.2f,%.2fL%.2f,%.2fz\" fill=\"#%06x\"/>\n", c[0].x, c[0].y,
            c[1].x, c[1].y, c[2].x, c[2].y, colour);
}

/* ---- texts ---- */

static void draw_text(plot_paper *paper, plot_text where, const char *text)
{
    svg_paper *svg = (svg_paper *)paper;
    if (svg->lines) {
        fputs("<g fill=\"#222222\" stroke=\"none\">", svg->file);
    }
    plot_text_write(svg->file, where, text);
    if (svg->lines) {
        fputs("</g>\n", svg->file);
    }
}

/* ---- file ---- */

static void define_colours(FILE *file)
{
    const mo_colormap *map = mo_colormap_find(PLOT_COLORMAP);
    int intervals = map->count - 1;
    fputs("<defs>\n<linearGradient id=\"colours\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">\n", file);
    for (int k = 0; k <= intervals; ++k) {
        fprintf(file, "<stop offset=\"%.5f\" stop-color=\"#%06x\"/>\n", (double)k / intervals,
                map->colors[k]);
    }
    fputs("</linearGradient>\n</defs>\n", file);
}

void plot_print_svg(const plot_figure *figure, FILE *stream)
{
    static const plot_paper_type TYPE = {
        begin_group, end_group,   draw_line,      curve_to,  curve_end,     draw_dot, markers_begin,
        draw_marker, markers_end, draw_rectangle, draw_cell, draw_triangle, draw_text};
    svg_paper svg = {.base = {&TYPE}, .file = stream};
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.10g\" height=\"%.10g\""
            " viewBox=\"0 0 %.10g %.10g\" font-family=\"sans-serif\" fill=\"#222222\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
            figure->width, figure->height, figure->width, figure->height);
    if (plot_has_matrix(figure)) {
        define_colours(stream);
    }
    plot_draw_figure(&svg.base, figure);
    fputs("</svg>\n", stream);
}
