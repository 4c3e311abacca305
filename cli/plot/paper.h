/*
 * The drawing interface of figures. The layout is independent of the output; SVG and pixel images
 * implement these operations.
 *
 * Strokes are grouped, each group with the pen of its lines. Group names are written to SVG, for
 * later styling.
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
    /* nothing, one colour, the colour map from bottom to top */
    enum { PLOT_EMPTY, PLOT_PLAIN, PLOT_ALL_COLOURS } kind;
    uint32_t colour;
    double opacity;
} plot_fill;

typedef enum plot_anchor { PLOT_START, PLOT_MIDDLE, PLOT_END } plot_anchor;

typedef struct plot_text {
    double x, y;      /* of the base line */
    double size;      /* of the font, in pixels */
    double max_width; /* wider texts are scaled down; 0: unlimited */
    plot_anchor anchor;
    bool upwards; /* rotated by 90 degrees */
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
    /* A group; without a pen it has no lines. */
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
    /* A cell of a matrix: neighbours share edges without gaps. */
    void (*cell)(plot_paper *paper, plot_box box, uint32_t colour);
    void (*triangle)(plot_paper *paper, const char *name, const plot_point corners[3],
                     uint32_t colour, const plot_pen *edge);
    void (*text)(plot_paper *paper, plot_text where, const char *text);
} plot_paper_type;

/* The first member of every implementation. */
struct plot_paper {
    const plot_paper_type *type;
};

/* Draws the complete figure except for its white background. */
void plot_draw_figure(plot_paper *paper, const plot_figure *figure);

#define PLOT_COLORMAP "viridis" /* of matrices */

/* Half the size of a marker, in pixels, and the width of its outline. */
#define PLOT_MARKER_RADIUS 3.0
#define PLOT_MARKER_EDGE 0.5

/* The figure in each output format. */
void plot_print_svg(const plot_figure *figure, FILE *stream);
mote_status plot_write_png(const plot_figure *figure, const char *path, mote_error *error);

#endif
