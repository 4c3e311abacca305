#include "geometry/surface/stars.h"

enum { NEAR_MAX = 96, CELL_MAX = MO_STAR_MAX };

/* Half the width of the square that the Voronoi cell is clipped from, in units of the largest
 * circumradius. */
static const double BOX = 1.5;

mo_tangents mo_tangents_at(const mo_star_points *points, int64_t row)
{
    mo_vec3 n = mo_vec3_load(points->normal + 3 * row);
    mo_tangents t = {.x = mo_vec3_load(points->x + 3 * row), .first = mo_perpendicular(n)};
    t.second = mo_cross(n, t.first);
    return t;
}

mo_planar mo_tangents_of(const mo_tangents *t, mo_vec3 x)
{
    mo_vec3 r = mo_sub(x, t->x);
    mo_planar p = {mo_dot(r, t->first), mo_dot(r, t->second)};
    double square = p.u * p.u + p.v * p.v;
    double scale = square > 0 ? sqrt(mo_dot(r, r) / square) : 0;
    return (mo_planar){scale * p.u, scale * p.v};
}

bool mo_star_joins(const mo_star_points *points, int64_t a, int64_t b)
{
    mo_vec3 n = mo_vec3_load(points->normal + 3 * a), m = mo_vec3_load(points->normal + 3 * b);
    mo_vec3 r = mo_sub(mo_vec3_load(points->x + 3 * b), mo_vec3_load(points->x + 3 * a));
    double limit = points->slope_square * mo_dot(r, r), out = mo_dot(n, r), in = mo_dot(m, r);
    return mo_dot(n, m) >= points->axis_cosine && out * out <= limit && in * in <= limit;
}

/* ---- neighbours in the tangent plane, by distance ---- */

typedef struct planar_near {
    int32_t count;
    int32_t row[NEAR_MAX];
    double square[NEAR_MAX];
    mo_planar at[NEAR_MAX];
} planar_near;

/* Equal distances are in the order of rows. With too many the farthest are left out. */
static void insert_near(planar_near *near, int32_t row, double square, mo_planar at)
{
    if (near->count == NEAR_MAX && square >= near->square[NEAR_MAX - 1]) {
        return;
    }
    int32_t k = near->count < NEAR_MAX ? near->count++ : NEAR_MAX - 1;
    for (; k > 0 && (near->square[k - 1] > square ||
                     (near->square[k - 1] == square && near->row[k - 1] > row));
         --k) {
        near->row[k] = near->row[k - 1];
        near->square[k] = near->square[k - 1];
        near->at[k] = near->at[k - 1];
    }
    near->row[k] = row;
    near->square[k] = square;
    near->at[k] = at;
}

static void find_near(const mo_star_points *points, int64_t row, planar_near *near)
{
    const int32_t *list = points->near + points->start[row];
    mo_tangents t = mo_tangents_at(points, row);
    double most = 4 * points->radius * points->radius;
    near->count = 0;
    for (int32_t k = 0; k < points->near_count[row]; ++k) {
        mo_planar p = mo_tangents_of(&t, mo_vec3_load(points->x + 3 * (int64_t)list[k]));
        double square = p.u * p.u + p.v * p.v;
        bool apart = square > 1e-12 * most && square < most;
        if (apart && mo_star_joins(points, row, list[k])) {
            insert_near(near, list[k], square, p);
        }
    }
}

/* ---- the Voronoi cell ---- */

/* Corners, counter-clockwise; edge k, from corner k on, is on the bisector with near[of[k]], or
 * of the box (-1). */
typedef struct cell {
    int count;
    mo_planar corner[CELL_MAX + 1];
    int32_t of[CELL_MAX + 1];
} cell;

static double cell_reach(const cell *c)
{
    double most = 0;
    for (int k = 0; k < c->count; ++k) {
        most = fmax(most, c->corner[k].u * c->corner[k].u + c->corner[k].v * c->corner[k].v);
    }
    return most;
}

static mo_planar between(mo_planar a, mo_planar b, double da, double db)
{
    double s = da / (da - db);
    return (mo_planar){a.u + s * (b.u - a.u), a.v + s * (b.v - a.v)};
}

/* Cuts the part of the cell beyond the bisector with p away. */
static void cut_cell(cell *c, mo_planar p, int32_t of)
{
    double half = 0.5 * (p.u * p.u + p.v * p.v), d[CELL_MAX + 1];
    cell kept = {0};
    bool cuts = false;
    for (int k = 0; k < c->count; ++k) {
        d[k] = c->corner[k].u * p.u + c->corner[k].v * p.v - half;
        cuts = cuts || d[k] > 0;
    }
    if (!cuts || c->count >= CELL_MAX) {
        return;
    }
    for (int k = 0; k < c->count; ++k) {
        int next = k + 1 < c->count ? k + 1 : 0;
        if (d[k] <= 0) {
            kept.corner[kept.count] = c->corner[k];
            kept.of[kept.count++] = c->of[k];
        }
        if ((d[k] <= 0) != (d[next] <= 0)) {
            bool leaves = d[k] <= 0; /* the new edge begins here; the old one is entered again */
            kept.corner[kept.count] = between(c->corner[k], c->corner[next], d[k], d[next]);
            kept.of[kept.count++] = leaves ? of : c->of[k];
        }
    }
    *c = kept;
}

static cell voronoi_cell(const planar_near *near, double width)
{
    cell c = {
        4, {{-width, -width}, {width, -width}, {width, width}, {-width, width}}, {-1, -1, -1, -1}};
    for (int32_t k = 0; k < near->count && near->square[k] < 4 * cell_reach(&c); ++k) {
        cut_cell(&c, near->at[k], k);
    }
    return c;
}

mo_star mo_star_at(const mo_star_points *points, int64_t row)
{
    planar_near near;
    find_near(points, row, &near);
    cell c = voronoi_cell(&near, BOX * points->radius);
    double most = points->radius * points->radius;
    mo_star star = {0};
    for (int k = 0; k < c.count; ++k) {
        int next = k + 1 < c.count ? k + 1 : 0;
        mo_planar center = c.corner[next]; /* between the edges k and next */
        if (c.of[k] < 0) {
            continue;
        }
        bool triangle = c.of[next] >= 0 && center.u * center.u + center.v * center.v <= most;
        star.triangles |= triangle ? 1u << star.count : 0;
        star.end[star.count++] = near.row[c.of[k]];
    }
    return star;
}

int mo_star_find(const mo_star *star, int32_t end, int32_t next)
{
    for (int k = 0; k < star->count; ++k) {
        int after = k + 1 < star->count ? k + 1 : 0;
        if (star->end[k] == end && star->end[after] == next && (star->triangles >> k & 1)) {
            return k;
        }
    }
    return -1;
}
