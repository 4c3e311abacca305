/*
 * What a figure is drawn on. The layout is made once and knows only these few strokes; an SVG file
 * and a picture of pixels each say how they make them.
 *
 * Strokes come in groups, each with the pen that its lines are drawn with. Names are kept by SVG,
 * for those who style a figure afterwards.
 */
#ifndef MOTE_CLI_PLOT_PAPER_H
#define MOTE_CLI_PLOT_PAPER_H

#include "plot/view.h"

#include "draw/canvas.h"

typedef enum plot_dashes { PLOT_SOLID, PLOT_DASHES, PLOT_DASH_DOTS } plot_dashes;

typedef struct plot_pen {
    uint32_t colour; /* 0xrrggbb */
    double width;
    plot_dashes dashes;
    bool curves; /* with round joins */
} plot_pen;

typedef struct plot_fill {
    /* nothing, one colour, the colour map upwards */
    enum { PLOT_EMPTY, PLOT_PLAIN, PLOT_ALL_COLOURS } kind;
    uint32_t colour;
    double opacity;
} plot_fill;

typedef enum plot_anchor { PLOT_START, PLOT_MIDDLE, PLOT_END } plot_anchor;

typedef struct plot_text {
    double x, y; /* of the base line */
    double size; /* of the font, in pixels */
    double room; /* a text that is wider is set smaller; 0: any width will do */
    plot_anchor anchor;
    bool upwards; /* turned by a quarter */
    bool bold;
} plot_text;

typedef enum plot_group {
    PLOT_PANEL,
    PLOT_GRID,
    PLOT_TICKS,
    PLOT_CURVES,
    PLOT_MATRIX,
    PLOT_LEGEND
} plot_group;

typedef struct plot_paper plot_paper;

typedef struct plot_paper_type {
    /* A group; without a pen it holds no lines. */
    void (*begin)(plot_paper *paper, plot_group group, const plot_pen *pen);
    void (*end)(plot_paper *paper);

    void (*line)(plot_paper *paper, plot_point a, plot_point b);
    /* A curve, point by point. */
    void (*curve_to)(plot_paper *paper, plot_point p);
    void (*curve_end)(plot_paper *paper);
    void (*dot)(plot_paper *paper, plot_point p, double radius, uint32_t colour);

    void (*markers_begin)(plot_paper *paper, mo_marker marker, uint32_t colour);
    void (*marker)(plot_paper *paper, plot_point p);
    void (*markers_end)(plot_paper *paper);

    void (*rectangle)(plot_paper *paper, const char *name, plot_box box, plot_fill fill,
                      const plot_pen *edge);
    /* A cell of a matrix: neighbours share their edges without a seam. */
    void (*cell)(plot_paper *paper, plot_box box, uint32_t colour);
    void (*triangle)(plot_paper *paper, const char *name, const plot_point corners[3],
                     uint32_t colour, const plot_pen *edge);
    void (*text)(plot_paper *paper, plot_text where, const char *text);
} plot_paper_type;

/* The first part of every paper. */
struct plot_paper {
    const plot_paper_type *type;
};

/* Draws the whole figure, but for its white ground. */
void plot_draw_figure(plot_paper *paper, const plot_figure *figure);

#define PLOT_COLORMAP "viridis" /* of matrices */

/* Half the size of a marker, in pixels, and what is drawn around it. */
#define PLOT_MARKER_RADIUS 3.0
#define PLOT_MARKER_EDGE 0.5

/* The figure on each kind of paper. */
void plot_print_svg(const plot_figure *figure, FILE *stream);
mote_status plot_write_png(const plot_figure *figure, const char *path, mote_error *error);

#endif
