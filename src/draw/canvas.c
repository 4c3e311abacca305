/* The coverage of each pixel is accumulated in a mask and blended over the image when a shape is
 * complete. */
#include "draw/canvas.h"

#include "base/memory.h"
#include "draw/mask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct mo_canvas {
    mo_image image; /* its pixels are borrowed */
    double scale;
    mo_mask mask;
    mo_box2 clip; /* pixels */
};

mote_status mo_canvas_create(mo_image *image, double scale, mo_canvas **out, mote_error *error)
{
    size_t cells = (size_t)image->width * (size_t)image->height;
    mo_canvas *c = mo_heap_allocate(1, sizeof *c);
    float *coverage = c ? mo_heap_allocate(cells, sizeof *coverage) : NULL;
    if (!coverage) {
        mo_heap_release(c);
        return mo_fail_memory(error, sizeof *c + cells * sizeof *coverage);
    }
    c->image = *image;
    c->scale = scale;
    mo_mask_init(&c->mask, image->width, image->height, coverage);
    mo_canvas_clip(c, NULL);
    *out = c;
    return MOTE_OK;
}

void mo_canvas_destroy(mo_canvas *c)
{
    if (c) {
        mo_heap_release(c->mask.coverage);
        mo_heap_release(c);
    }
}

mo_point2 mo_canvas_size(const mo_canvas *c)
{
    return (mo_point2){c->image.width / c->scale, c->image.height / c->scale};
}

static mo_point2 scaled(const mo_canvas *c, mo_point2 p)
{
    return (mo_point2){p.x * c->scale, p.y * c->scale};
}

static mo_box2 scaled_box(const mo_canvas *c, mo_box2 b)
{
    return (mo_box2){b.left * c->scale, b.top * c->scale, b.right * c->scale, b.bottom * c->scale};
}

void mo_canvas_clip(mo_canvas *c, const mo_box2 *box)
{
    c->clip = box ? scaled_box(c, *box) : (mo_box2){0, 0, c->image.width, c->image.height};
}

/* Blends the mask over the image and clears it. */
static void paint(mo_canvas *c, mo_color color)
{
    mo_mask *m = &c->mask;
    for (int y = m->top; y < m->bottom; ++y) {
        double rows = mo_overlap(y, c->clip.top, c->clip.bottom);
        float *coverage = m->coverage + (size_t)y * (size_t)m->width;
        uint8_t *pixel = mo_image_pixel(&c->image, m->left, y);
        for (int x = m->left; x < m->right; ++x, pixel += 4) {
            double part = coverage[x] > 0
                              ? coverage[x] * rows * mo_overlap(x, c->clip.left, c->clip.right)
                              : 0;
            if (part > 0) {
                mo_color under = {pixel[0], pixel[1], pixel[2], pixel[3]};
                mo_color mixed = mo_color_over(color, under, part);
                memcpy(pixel, (uint8_t[]){mixed.r, mixed.g, mixed.b, mixed.a}, 4);
            }
        }
    }
    mo_mask_clear(m);
}

/* ---- lines ---- */

static double period_of(const mo_stroke *s)
{
    double sum = 0;
    for (int k = 0; k < MO_DASHES_MAX; ++k) {
        sum += s->dash[k] > 0 ? s->dash[k] : 0;
    }
    return sum;
}

/* The dash phase of a line. */
typedef struct dash_pen {
    const mo_stroke *stroke;
    double scale, period; /* pixels */
    double travelled;     /* since the start of the period */
} dash_pen;

/* The remaining length of the current dash or gap. */
static double rest_length(const dash_pen *pen, bool *down)
{
    double end = 0;
    for (int k = 0; k < MO_DASHES_MAX; ++k) {
        end += fmax(pen->stroke->dash[k], 0) * pen->scale;
        if (pen->travelled < end) {
            *down = k % 2 == 0;
            return end - pen->travelled;
        }
    }
    *down = false;
    return 0;
}

static mo_point2 between(mo_point2 a, mo_point2 b, double t)
{
    return (mo_point2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

static void advance(dash_pen *pen, double length)
{
    pen->travelled = fmod(pen->travelled + length, pen->period);
}

/* Dashes of one segment, of which only the part from `enter` to `leave` (0 to 1) can be seen. A
 * dash that continues around a corner has no end there: the next segment's round start forms the
 * join. */
static void dash_segment(mo_mask *mask, dash_pen *pen, mo_point2 a, mo_point2 b, double half)
{
    static const double TINY = 1e-9;
    double length = hypot(b.x - a.x, b.y - a.y), enter, leave;
    if (!(length > 0) || !mo_mask_reaches(mask, a, b, half, &enter, &leave)) {
        advance(pen, length);
        return;
    }
    double at = enter * length, last = leave * length;
    advance(pen, at);
    while (at < last - TINY) {
        bool down;
        double piece = fmin(fmax(rest_length(pen, &down), TINY), length - at);
        if (down) {
            bool begins = at > 0 || pen->travelled == 0, ends = at + piece < length;
            mo_mask_segment(mask, between(a, b, at / length), between(a, b, (at + piece) / length),
                            half, begins, ends);
        }
        advance(pen, piece);
        at += piece;
    }
    advance(pen, length - at);
}

static void stroke_points(mo_canvas *c, int64_t count, const mo_point2 *points, const mo_stroke *s)
{
    double half = 0.5 * s->width * c->scale, period = period_of(s) * c->scale;
    dash_pen pen = {s, c->scale, period, 0};
    for (int64_t k = 1; k < count; ++k) {
        mo_point2 a = scaled(c, points[k - 1]), b = scaled(c, points[k]);
        if (!(isfinite(a.x) && isfinite(a.y) && isfinite(b.x) && isfinite(b.y))) {
            continue;
        }
        if (period > 0) {
            dash_segment(&c->mask, &pen, a, b, half);
        } else {
            mo_mask_segment(&c->mask, a, b, half, s->flat && k == 1, s->flat && k == count - 1);
        }
    }
}

void mo_canvas_polyline(mo_canvas *c, int64_t count, const mo_point2 *points,
                        const mo_stroke *stroke)
{
    if (!(stroke->width > 0) || count < 1) {
        return;
    }
    if (count == 1) {
        mo_canvas_circle(c, points[0], 0.5 * stroke->width, stroke->color);
        return;
    }
    stroke_points(c, count, points, stroke);
    paint(c, stroke->color);
}

void mo_canvas_line(mo_canvas *c, mo_point2 a, mo_point2 b, const mo_stroke *stroke)
{
    mo_canvas_polyline(c, 2, (mo_point2[]){a, b}, stroke);
}

/* ---- shapes ---- */

void mo_canvas_rectangle(mo_canvas *c, mo_box2 box, mo_color color)
{
    mo_canvas_rounded(c, box, 0, color);
}

void mo_canvas_rounded(mo_canvas *c, mo_box2 box, double radius, mo_color color)
{
    mo_mask_rounded(&c->mask, scaled_box(c, box), radius * c->scale);
    paint(c, color);
}

/* The corners of a rectangle as quarter circles; returns the number of points. */
static int outline(mo_box2 b, double radius, mo_point2 *points)
{
    enum { STEPS = 8 };
    double r = fmin(radius, 0.5 * fmin(b.right - b.left, b.bottom - b.top));
    mo_point2 centers[] = {{b.right - r, b.top + r},
                           {b.right - r, b.bottom - r},
                           {b.left + r, b.bottom - r},
                           {b.left + r, b.top + r}};
    int count = 0, steps = r > 0 ? STEPS : 0;
    for (int corner = 0; corner < 4; ++corner) {
        for (int k = 0; k <= steps; ++k) {
            double angle = (corner - 1 + (steps ? (double)k / steps : 0)) * 1.5707963267948966;
            points[count++] =
                (mo_point2){centers[corner].x + r * cos(angle), centers[corner].y + r * sin(angle)};
        }
    }
    points[count] = points[0];
    return count + 1;
}

void mo_canvas_frame(mo_canvas *c, mo_box2 box, double radius, const mo_stroke *stroke)
{
    mo_point2 points[40];
    int count = outline(box, fmax(radius, 0), points);
    if (radius > 0) {
        mo_canvas_polyline(c, count, points, stroke);
        return;
    }
    /* square corners */
    double half = 0.5 * stroke->width;
    mo_box2 outer = {box.left - half, box.top - half, box.right + half, box.bottom + half};
    mo_box2 inner = {box.left + half, box.top + half, box.right - half, box.bottom - half};
    if (inner.left >= inner.right || inner.top >= inner.bottom) {
        mo_canvas_rectangle(c, outer, stroke->color);
        return;
    }
    mo_canvas_rectangle(c, (mo_box2){outer.left, outer.top, outer.right, inner.top}, stroke->color);
    mo_canvas_rectangle(c, (mo_box2){outer.left, inner.bottom, outer.right, outer.bottom},
                        stroke->color);
    mo_canvas_rectangle(c, (mo_box2){outer.left, inner.top, inner.left, inner.bottom},
                        stroke->color);
    mo_canvas_rectangle(c, (mo_box2){inner.right, inner.top, outer.right, inner.bottom},
                        stroke->color);
}

/* A small circle is drawn as a polygon of the same area, since its edge is not straight within a
 * pixel. */
static void small_circle(mo_point2 center, double radius, mo_point2 corners[MO_POLYGON_MAX])
{
    double angle = 6.283185307179586 / MO_POLYGON_MAX, r = radius * sqrt(angle / sin(angle));
    for (int k = 0; k < MO_POLYGON_MAX; ++k) {
        corners[k] = (mo_point2){center.x + r * cos(k * angle), center.y + r * sin(k * angle)};
    }
}

void mo_canvas_circle(mo_canvas *c, mo_point2 center, double radius, mo_color color)
{
    static const double ROUND_ENOUGH = 8; /* pixels */
    mo_point2 p = scaled(c, center);
    double r = radius * c->scale;
    if (r < ROUND_ENOUGH) {
        mo_point2 corners[MO_POLYGON_MAX];
        small_circle(p, r, corners);
        mo_mask_polygon(&c->mask, r > 0 ? MO_POLYGON_MAX : 0, corners);
        paint(c, color);
        return;
    }
    mo_mask_rounded(&c->mask, (mo_box2){p.x - r, p.y - r, p.x + r, p.y + r}, r);
    paint(c, color);
}

void mo_canvas_polygon(mo_canvas *c, int count, const mo_point2 *corners, mo_color color)
{
    mo_point2 points[MO_POLYGON_MAX];
    if (count < 3 || count > MO_POLYGON_MAX) {
        return;
    }
    for (int k = 0; k < count; ++k) {
        points[k] = scaled(c, corners[k]);
    }
    mo_mask_polygon(&c->mask, count, points);
    paint(c, color);
}

int mo_marker_corners(mo_marker marker, mo_point2 at, double radius, mo_point2 corners[4])
{
    /* of nearly the area of the circle */
    static const struct {
        int count;
        mo_point2 corner[4];
    } SHAPES[MO_MARKER_COUNT] = {
        [MO_MARKER_SQUARE] = {4, {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}}},
        [MO_MARKER_TRIANGLE] = {3, {{0, -1.27}, {1.2, 0.87}, {-1.2, 0.87}}},
        [MO_MARKER_DIAMOND] = {4, {{0, -1.33}, {1.33, 0}, {0, 1.33}, {-1.33, 0}}},
        [MO_MARKER_TRIANGLE_DOWN] = {3, {{0, 1.27}, {1.2, -0.87}, {-1.2, -0.87}}},
    };
    for (int k = 0; k < SHAPES[marker].count; ++k) {
        mo_point2 p = SHAPES[marker].corner[k];
        corners[k] = (mo_point2){at.x + radius * p.x, at.y + radius * p.y};
    }
    return SHAPES[marker].count;
}

void mo_canvas_marker(mo_canvas *c, mo_marker marker, mo_point2 at, double radius, mo_color color)
{
    mo_point2 corners[4];
    int count = mo_marker_corners(marker, at, radius, corners);
    if (count > 0) {
        mo_canvas_polygon(c, count, corners, color);
    } else {
        mo_canvas_circle(c, at, radius, color);
    }
}

/* ---- text ---- */

typedef struct text_pen {
    mo_mask *mask;
    mo_point2 start;
    bool upwards;
    double half;
} text_pen;

static mo_point2 turned(const text_pen *pen, mo_point2 p)
{
    return pen->upwards ? (mo_point2){pen->start.x + p.y, pen->start.y - p.x}
                        : (mo_point2){pen->start.x + p.x, pen->start.y + p.y};
}

static void stroke_glyph(void *context, int count, const mo_point2 *points)
{
    text_pen *pen = context;
    mo_point2 last = turned(pen, points[0]);
    if (count == 1) {
        /* enlarged, since dots appear small */
        mo_mask_segment(pen->mask, last, last, 1.15 * pen->half, false, false);
    }
    for (int k = 1; k < count; ++k) {
        mo_point2 next = turned(pen, points[k]);
        mo_mask_segment(pen->mask, last, next, pen->half, false, false);
        last = next;
    }
}

/* The nearest coordinate at `phase` from a pixel edge. */
static double snapped(double x, double phase)
{
    return floor(x - phase + 0.5) + phase;
}

void mo_canvas_text(mo_canvas *c, mo_point2 at, const mo_text_style *style, const char *text)
{
    double size = style->size * c->scale,
           pen_width = mo_font_pen(size, style->weight > 0 ? style->weight : 1);
    double width = mo_font_width(text, size);
    double back = style->anchor == MO_ANCHOR_START    ? 0
                  : style->anchor == MO_ANCHOR_MIDDLE ? 0.5 * width
                                                      : width;
    mo_point2 start = scaled(c, at);
    if (!isfinite(start.x) || !isfinite(start.y) || !(size > 0)) {
        return;
    }
    /* a pen of odd width is centred in a pixel, of even width on an edge */
    double phase = lround(pen_width) % 2 ? 0.5 : 0, rise = 0.5 * pen_width;
    if (style->upwards) {
        start = (mo_point2){snapped(start.x - rise, phase), -snapped(-start.y - back, phase)};
    } else {
        start = (mo_point2){snapped(start.x - back, phase), snapped(start.y - rise, phase)};
    }
    text_pen pen = {&c->mask, start, style->upwards, 0.5 * pen_width};
    mo_font_draw(text, size, stroke_glyph, &pen);
    paint(c, style->color);
}

double mo_canvas_text_width(const mo_canvas *c, const char *text, double size)
{
    return mo_font_width(text, size * c->scale) / c->scale;
}
