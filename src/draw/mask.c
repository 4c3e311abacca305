#include "draw/mask.h"

#include <math.h>
#include <string.h>

/* Inlined, since library calls per pixel would dominate. */
static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

void mo_mask_init(mo_mask *m, int width, int height, float *zeroed)
{
    *m = (mo_mask){
        .width = width, .height = height, .coverage = zeroed, .left = width, .top = height};
}

void mo_mask_clear(mo_mask *m)
{
    for (int y = m->top; y < m->bottom && m->left < m->right; ++y) {
        memset(m->coverage + (size_t)y * (size_t)m->width + m->left, 0,
               (size_t)(m->right - m->left) * sizeof *m->coverage);
    }
    mo_mask_init(m, m->width, m->height, m->coverage);
}

/* Pixels, exclusive of the ends. */
typedef struct range {
    int first, last;
} range;

/* Pixels that overlap the interval, clamped to [0, size]. */
static range pixels(double low, double high, int size)
{
    double first = greater(floor(low), 0), last = lesser(ceil(high), size);
    return first < last ? (range){(int)first, (int)last} : (range){0, 0};
}

/* Extends the bounding box of non-zero coverage. */
static void extend_bounds(mo_mask *m, int y, range x)
{
    if (x.first < x.last) {
        m->left = x.first < m->left ? x.first : m->left;
        m->right = x.last > m->right ? x.last : m->right;
        m->top = y < m->top ? y : m->top;
        m->bottom = y + 1 > m->bottom ? y + 1 : m->bottom;
    }
}

static void unite(float *cell, double part)
{
    *cell = part > *cell ? (float)lesser(part, 1) : *cell;
}

/* The area of the centred unit square with n . p <= d: 1/2 at d = 0, linear while the line crosses
 * two opposite edges, quadratic while it cuts off a corner. */
double mo_half_plane(double distance, double nx, double ny)
{
    double a = fabs(nx), b = fabs(ny), d = fabs(distance), part;
    double large = greater(a, b), small = lesser(a, b), straight = 0.5 * (large - small),
           reach = 0.5 * (large + small);
    if (d >= reach) {
        part = 1;
    } else if (d <= straight) {
        part = 0.5 + d / large;
    } else {
        part = 1 - (reach - d) * (reach - d) / (2 * large * small);
    }
    return distance < 0 ? 1 - part : part;
}

/* ---- lines ---- */

static void cut(double from, double along, double low, double high, double *enter, double *leave)
{
    if (along == 0) {
        *leave = from < low || from > high ? -1 : *leave;
        return;
    }
    double to_low = (low - from) / along, to_high = (high - from) / along;
    *enter = greater(*enter, lesser(to_low, to_high));
    *leave = lesser(*leave, greater(to_low, to_high));
}

/* Y.-D. Liang, B. A. Barsky 1984, ACM Trans. Graphics 3, 1 */
bool mo_mask_reaches(const mo_mask *m, mo_point2 a, mo_point2 b, double half, double *enter,
                     double *leave)
{
    double margin = half + 2;
    *enter = 0;
    *leave = 1;
    cut(a.x, b.x - a.x, -margin, m->width + margin, enter, leave);
    cut(a.y, b.y - a.y, -margin, m->height + margin, enter, leave);
    return *enter <= *leave;
}

/* From the middle of a pixel to its corners; pixels farther from a line's edge are not affected. */
static const double HALF_DIAGONAL = 0.70710678118654753;

typedef struct segment {
    mo_point2 a, direction; /* a unit vector */
    double length, half;
    bool flat_a, flat_b;
} segment;

/* Coverage of a pixel at `distance` from the centre of a segment. */
static double band(const segment *s, double distance, double nx, double ny)
{
    return mo_half_plane(s->half + distance, nx, ny) + mo_half_plane(s->half - distance, nx, ny) -
           1;
}

/* Overlap of a pixel at `distance` with an interval of length 2 `half`, along one axis. */
static double shared(double distance, double half)
{
    return greater(lesser(distance + 0.5, half) - greater(distance - 0.5, -half), 0);
}

static double cover(const segment *s, double x, double y)
{
    mo_point2 d = s->direction, p = {x - s->a.x, y - s->a.y};
    double along = p.x * d.x + p.y * d.y, across = p.x * d.y - p.y * d.x;
    double outwards = along < 0 ? -along : along - s->length;
    if (fabs(across) >= s->half + HALF_DIAGONAL || outwards >= s->half + HALF_DIAGONAL) {
        return 0;
    }
    bool before = along < 0;
    bool after = along > s->length;
    if ((before && !s->flat_a) || (after && !s->flat_b)) {
        double ex = p.x - (after ? s->length * d.x : 0), ey = p.y - (after ? s->length * d.y : 0);
        double distance = sqrt(ex * ex + ey * ey), box = shared(ex, s->half) * shared(ey, s->half);
        return lesser(band(s, distance, ex / distance, ey / distance), box);
    }
    double part = band(s, across, d.y, d.x);
    if (s->flat_a && part > 0) {
        part *= mo_half_plane(along, d.x, d.y);
    }
    if (s->flat_b && part > 0) {
        part *= mo_half_plane(s->length - along, d.x, d.y);
    }
    return part;
}

/* The range of pixels of a row that the segment may cover. */
static range row_range(const segment *s, int y, int width)
{
    double margin = s->half + HALF_DIAGONAL, enter = 0, leave = s->length;
    cut(s->a.y, s->direction.y, y + 0.5 - margin, y + 0.5 + margin, &enter, &leave);
    if (enter > leave) {
        return (range){0, 0};
    }
    double from = s->a.x + enter * s->direction.x, to = s->a.x + leave * s->direction.x;
    return pixels(lesser(from, to) - margin, greater(from, to) + margin, width);
}

void mo_mask_segment(mo_mask *m, mo_point2 a, mo_point2 b, double half, bool flat_a, bool flat_b)
{
    double enter, leave, length = hypot(b.x - a.x, b.y - a.y);
    if (!mo_mask_reaches(m, a, b, half, &enter, &leave)) {
        return;
    }
    segment s = {a, {1, 0}, length, half, flat_a && length > 0, flat_b && length > 0};
    if (length > 0) {
        s.direction = (mo_point2){(b.x - a.x) / length, (b.y - a.y) / length};
    }
    range rows = pixels(lesser(a.y, b.y) - half, greater(a.y, b.y) + half, m->height);
    for (int y = rows.first; y < rows.last; ++y) {
        range x = row_range(&s, y, m->width);
        float *cells = m->coverage + (size_t)y * (size_t)m->width;
        extend_bounds(m, y, x);
        for (int k = x.first; k < x.last; ++k) {
            unite(&cells[k], cover(&s, k + 0.5, y + 0.5));
        }
    }
}

/* ---- rectangles and circles ---- */

/* The distance of a coordinate beyond the straight part of a side; 0 beside it. */
static double beyond(double x, double low, double high, double radius)
{
    return x < low + radius ? x - (low + radius) : x > high - radius ? x - (high - radius) : 0;
}

void mo_mask_rounded(mo_mask *m, mo_box2 box, double radius)
{
    bool finite =
        isfinite(box.left) && isfinite(box.right) && isfinite(box.top) && isfinite(box.bottom);
    if (!finite || !(box.left < box.right) || !(box.top < box.bottom)) {
        return;
    }
    double r = lesser(greater(radius, 0), 0.5 * lesser(box.right - box.left, box.bottom - box.top));
    range rows = pixels(box.top, box.bottom, m->height),
          columns = pixels(box.left, box.right, m->width);
    for (int y = rows.first; y < rows.last; ++y) {
        float *cells = m->coverage + (size_t)y * (size_t)m->width;
        double height = mo_overlap(y, box.top, box.bottom),
               dy = beyond(y + 0.5, box.top, box.bottom, r);
        extend_bounds(m, y, columns);
        for (int x = columns.first; x < columns.last; ++x) {
            double dx = beyond(x + 0.5, box.left, box.right, r),
                   part = height * mo_overlap(x, box.left, box.right);
            if (dx != 0 && dy != 0 && r > 0) {
                double d = sqrt(dx * dx + dy * dy);
                part = lesser(part, mo_half_plane(r - d, dx / d, dy / d));
            }
            unite(&cells[x], part);
        }
    }
}

/* ---- polygons ---- */

/* Clipping turns two corners into at most three; there are four clips. */
typedef struct outline {
    int count;
    mo_point2 p[6 * MO_POLYGON_MAX];
} outline;

static double coordinate(mo_point2 p, int axis)
{
    return axis == 0 ? p.x : p.y;
}

/* Clips against an axis-aligned line (I. Sutherland, G. Hodgman 1974). If a polygon splits, the
 * edges between its parts coincide and enclose no area. */
static void keep(const outline *from, int axis, double limit, bool above, outline *to)
{
    to->count = 0;
    for (int k = 0; k < from->count; ++k) {
        mo_point2 a = from->p[k], b = from->p[(k + 1) % from->count];
        double da = coordinate(a, axis) - limit, db = coordinate(b, axis) - limit;
        bool in_a = above ? da >= 0 : da <= 0, in_b = above ? db >= 0 : db <= 0;
        if (in_a) {
            to->p[to->count++] = a;
        }
        if (in_a != in_b) {
            double t = da / (da - db);
            to->p[to->count++] = (mo_point2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        }
    }
}

static void keep_between(const outline *from, int axis, double low, double high, outline *to)
{
    outline half;
    keep(from, axis, low, true, &half);
    keep(&half, axis, high, false, to);
}

static double area(const outline *o)
{
    double sum = 0;
    for (int k = 0; k < o->count; ++k) {
        mo_point2 a = o->p[k], b = o->p[(k + 1) % o->count], c = o->p[0];
        sum += (a.x - c.x) * (b.y - c.y) - (b.x - c.x) * (a.y - c.y);
    }
    return 0.5 * fabs(sum);
}

static mo_box2 bounds(const outline *o)
{
    mo_box2 box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int k = 0; k < o->count; ++k) {
        box.left = lesser(box.left, o->p[k].x);
        box.right = greater(box.right, o->p[k].x);
        box.top = lesser(box.top, o->p[k].y);
        box.bottom = greater(box.bottom, o->p[k].y);
    }
    return box;
}

void mo_mask_polygon(mo_mask *m, int count, const mo_point2 *corners)
{
    outline whole, row, cell;
    whole.count = count;
    for (int k = 0; k < count; ++k) {
        if (!isfinite(corners[k].x) || !isfinite(corners[k].y)) {
            return;
        }
        whole.p[k] = corners[k];
    }
    mo_box2 box = bounds(&whole);
    range rows = pixels(box.top, box.bottom, m->height);
    for (int y = rows.first; y < rows.last; ++y) {
        keep_between(&whole, 1, y, y + 1, &row);
        mo_box2 in_row = bounds(&row);
        range x = pixels(in_row.left, in_row.right, m->width);
        float *cells = m->coverage + (size_t)y * (size_t)m->width;
        extend_bounds(m, y, x);
        for (int k = x.first; k < x.last; ++k) {
            keep_between(&row, 0, k, k + 1, &cell);
            unite(&cells[k], area(&cell));
        }
    }
}
