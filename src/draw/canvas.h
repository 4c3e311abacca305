/*
 * Anti-aliased lines, shapes and text on an image: a pixel's colour is weighted by coverage. The
 * shapes of one call are united before blending, so that a transparent curve does not darken where
 * it overlaps itself.
 *
 * Coverage is exact for rectangles and polygons and inside long lines (the area of a unit square
 * cut by a half plane); for round ends, joins and large circles the edge is taken as straight
 * within a pixel.
 *
 * Coordinates are pixels, y downwards, (0, 0) the top left corner of the top left pixel: a line of
 * width 1 is sharp at y = 10.5. The scale multiplies all sizes, for high resolutions. Non-finite
 * coordinates are not drawn. Drawing cannot fail.
 */
#ifndef MO_DRAW_CANVAS_H
#define MO_DRAW_CANVAS_H

#include "draw/font.h"
#include "draw/image.h"

typedef struct mo_canvas mo_canvas;

typedef struct mo_box2 {
    double left, top, right, bottom;
} mo_box2;

enum { MO_DASHES_MAX = 4, MO_POLYGON_MAX = 32 };

typedef struct mo_stroke {
    mo_color color;
    double width;
    /* lengths on, off, on, off; all 0: a solid line. Dashes have flat ends */
    double dash[MO_DASHES_MAX];
    bool flat; /* ends without a half circle */
} mo_stroke;

typedef enum mo_marker {
    MO_MARKER_CIRCLE,
    MO_MARKER_SQUARE,
    MO_MARKER_TRIANGLE,
    MO_MARKER_DIAMOND,
    MO_MARKER_TRIANGLE_DOWN,
    MO_MARKER_COUNT
} mo_marker;

typedef enum mo_anchor { MO_ANCHOR_START, MO_ANCHOR_MIDDLE, MO_ANCHOR_END } mo_anchor;

typedef struct mo_text_style {
    double size;
    mo_color color;
    double weight; /* 0 or 1: regular, 1.6: bold */
    mo_anchor anchor;
    bool upwards; /* rotated by 90 degrees counter-clockwise */
} mo_text_style;

/* Draws onto the pixels of `image`, which must outlive the canvas. */
mote_status mo_canvas_create(mo_image *image, double scale, mo_canvas **canvas, mote_error *error);
void mo_canvas_destroy(mo_canvas *canvas);

/* The size of the image in canvas coordinates. */
mo_point2 mo_canvas_size(const mo_canvas *canvas);

/* Clipping box; NULL: none. */
void mo_canvas_clip(mo_canvas *canvas, const mo_box2 *box);

void mo_canvas_line(mo_canvas *canvas, mo_point2 a, mo_point2 b, const mo_stroke *stroke);
/* With round joins; one point is a dot; equal first and last points close it. */
void mo_canvas_polyline(mo_canvas *canvas, int64_t count, const mo_point2 *points,
                        const mo_stroke *stroke);

void mo_canvas_rectangle(mo_canvas *canvas, mo_box2 box, mo_color color);
void mo_canvas_rounded(mo_canvas *canvas, mo_box2 box, double radius, mo_color color);
/* The edge of a rectangle, with round corners if the radius is above 0. */
void mo_canvas_frame(mo_canvas *canvas, mo_box2 box, double radius, const mo_stroke *stroke);

void mo_canvas_circle(mo_canvas *canvas, mo_point2 center, double radius, mo_color color);
/* A simple polygon of up to MO_POLYGON_MAX corners. */
void mo_canvas_polygon(mo_canvas *canvas, int count, const mo_point2 *corners, mo_color color);
/* A marker with its corners (none for the circle) about `radius` from its centre. */
void mo_canvas_marker(mo_canvas *canvas, mo_marker marker, mo_point2 at, double radius,
                      mo_color color);
int mo_marker_corners(mo_marker marker, mo_point2 at, double radius, mo_point2 corners[4]);

/* `at` is on the base line: the start, centre or end of the text. */
void mo_canvas_text(mo_canvas *canvas, mo_point2 at, const mo_text_style *style, const char *text);
double mo_canvas_text_width(const mo_canvas *canvas, const char *text, double size);

#endif
