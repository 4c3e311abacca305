/*
 * Fills that overlap a collider are aligned with its surface.
 *
 * A box whose side is on or behind a plane face of a collider is clipped at that face, so that its
 * first layer of particles is half a spacing from it and its mass is that of the free volume. The
 * face is searched on five rays from the centre of the box to its side; all of them must hit it at
 * the same distance, perpendicularly. A plate that divides a box gives two, each aligned. Curved
 * and oblique faces, and solids around which the fluid continues, are handled by culling and
 * relaxation.
 */
#include "geometry/shape/shape.h"
#include "system/fluid/fluid.h"

#include <math.h>

enum { LINES = 5, STEPS = 200, ACROSS = 32, ALONG = 128 };

/* Tolerance of positions, in spacings. */
static const double SAME = 1e-6;

/* The smallest gap of all colliders, and its normal. */
static double least_gap(const mo_colliders *colliders, mo_vec3 x, mo_vec3 *normal)
{
    double least = INFINITY;
    for (int64_t k = 0; k < colliders->count; ++k) {
        mo_vec3 n;
        double gap = mo_collider_gap(&colliders->list[k], x, &n);
        if (gap < least) {
            least = gap;
            *normal = n;
        }
    }
    return least;
}

/* Distance of the first surface along a unit direction, by sphere tracing through free space
 * (sign 1) or solids (-1); infinite: none within `length`. */
static double first_surface(const mo_colliders *colliders, mo_vec3 from, mo_vec3 direction,
                            double sign, double length, double near, mo_vec3 *normal)
{
    double at = 0;
    for (int step = 0; step < STEPS && at <= length + near; ++step) {
        double gap = sign * least_gap(colliders, mo_add_scaled(from, at, direction), normal);
        if (gap < near) {
            return at + gap;
        }
        at += gap;
    }
    return INFINITY;
}

/* ---- faces ---- */

/* A side of a box and the face that it meets. */
typedef struct side {
    const mo_colliders *colliders;
    mo_vec3 low, high; /* the box */
    int axis;
    bool upper, flat;
    double spacing;
    double at;   /* of the side along the axis */
    double face; /* where it is clipped; `at`: it is not */
    double back; /* the other face of a plate; `at`: solid as far as the side */
} side;

/* Five lines from the centre to the side. */
static mo_vec3 start_of_line(const side *s, int k)
{
    static const double OFF[LINES][2] = {
        {0, 0}, {-0.3, -0.3}, {0.3, -0.3}, {-0.3, 0.3}, {0.3, 0.3}};
    double from[3];
    for (int c = 0, other = 0; c < 3; ++c) {
        double a = mo_vec3_at(s->low, c), b = mo_vec3_at(s->high, c);
        from[c] = 0.5 * (a + b) + (c == s->axis ? 0 : OFF[k][other++] * (b - a));
    }
    from[2] = s->flat ? 0 : from[2];
    return mo_vec3_load(from);
}

/* The common position along the axis of the first surface on all lines: through free space from the
 * centre, or through solids from `from`; NaN: none, or an oblique one. */
static double common_face(const side *s, bool solid, double from)
{
    double found = NAN, along[3] = {0, 0, 0}, slack = SAME * s->spacing;
    along[s->axis] = s->upper ? 1 : -1;
    for (int k = 0; k < LINES; ++k) {
        double start[3], normal[3];
        mo_vec3 n = mo_vec3_make(0, 0, 0);
        mo_vec3_store(start, start_of_line(s, k));
        start[s->axis] = solid ? from : start[s->axis];
        double length = fabs(s->at - start[s->axis]);
        double at = first_surface(s->colliders, mo_vec3_load(start), mo_vec3_load(along),
                                  solid ? -1 : 1, length + slack, 1e-3 * slack, &n);
        mo_vec3_store(normal, n);
        double position = start[s->axis] + along[s->axis] * at;
        bool met = at <= length + slack && fabs(normal[s->axis]) > 1 - 1e-9;
        if (!met || (k > 0 && fabs(position - found) > slack)) {
            return NAN;
        }
        found = position;
    }
    return found;
}

/* ---- behind a face ---- */

/* Cells across the box, of a spacing or larger. */
static int cells_across(const side *s, int axis)
{
    double width = mo_vec3_at(s->high, axis) - mo_vec3_at(s->low, axis);
    return s->flat && axis == 2 ? 1 : (int)fmin(ACROSS, ceil(width / s->spacing));
}

/* The largest free length on lines along the axis through cells across the box, from `begin` to
 * `end`. */
static double free_length(const side *s, double begin, double end)
{
    int a = (s->axis + 1) % 3, b = (s->axis + 2) % 3, na = cells_across(s, a),
        nb = cells_across(s, b), steps = (int)fmin(ALONG, ceil(4 * fabs(end - begin) / s->spacing));
    double most = 0;
    for (int cell = 0; cell < na * nb; ++cell) {
        double x[3], open = 0;
        x[a] = mo_vec3_at(s->low, a) +
               (mo_vec3_at(s->high, a) - mo_vec3_at(s->low, a)) * (cell % na + 0.5) / na;
        x[b] = mo_vec3_at(s->low, b) +
               (mo_vec3_at(s->high, b) - mo_vec3_at(s->low, b)) * (cell / na + 0.5) / nb;
        x[2] = s->flat ? 0 : x[2];
        for (int k = 0; k < steps; ++k) {
            mo_vec3 n;
            x[s->axis] = begin + (end - begin) * (k + 0.5) / steps;
            open += least_gap(s->colliders, mo_vec3_load(x), &n) > 0 ? 1 : 0;
        }
        most = fmax(most, open * fabs(end - begin) / steps);
    }
    return most;
}

/* The face that clips the side, and the other face of a plate. */
static void find_faces(side *s)
{
    double face = common_face(s, false, 0), slack = SAME * s->spacing;
    s->face = s->back = s->at;
    if (isnan(face)) {
        return;
    }
    if (fabs(s->at - face) <= s->spacing || free_length(s, face, s->at) <= s->spacing) {
        s->face = face;
        return;
    }
    double inside = face + (s->upper ? slack : -slack), back = common_face(s, true, inside);
    if (!isnan(back) && fabs(s->at - back) > s->spacing && free_length(s, face, back) == 0) {
        s->face = face;
        s->back = back;
    }
}

/* Clips a fill that is larger than its container. */
static void cut_by_containers(const mo_colliders *colliders, mo_vec3 *low, mo_vec3 *high)
{
    for (int64_t k = 0; k < colliders->count; ++k) {
        double a[3], b[3];
        if (colliders->list[k].inside && mo_collider_bounds(&colliders->list[k], a, b)) {
            *low = mo_vec3_make(fmax(low->x, a[0]), fmax(low->y, a[1]), fmax(low->z, a[2]));
            *high = mo_vec3_make(fmin(high->x, b[0]), fmin(high->y, b[1]), fmin(high->z, b[2]));
        }
    }
}

/* Clips a box at the faces of its sides, and adds the boxes behind plates to the parts. */
static void clip_part(const mo_fluid_system *fluid, int part, mo_fluid_parts *parts)
{
    const mo_colliders *colliders = fluid->system->host->colliders;
    const mo_fluid_def *def = fluid->fluid.def;
    bool flat = def->dimension == 2;
    double low[3], high[3];
    mo_vec3_store(low, parts->low[part]);
    mo_vec3_store(high, parts->high[part]);
    double clipped_low[3] = {low[0], low[1], -INFINITY},
           clipped_high[3] = {high[0], high[1], INFINITY};
    for (int k = 0; k < (flat ? 4 : 6); ++k) {
        int axis = k / 2;
        bool upper = k % 2 == 1;
        side s = {colliders,
                  mo_vec3_load(low),
                  mo_vec3_load(high),
                  axis,
                  upper,
                  flat,
                  def->spacing,
                  upper ? high[axis] : low[axis],
                  0,
                  0};
        find_faces(&s);
        if (s.back != s.at && parts->count < MO_FLUID_PARTS) {
            double *end = upper ? low : high; /* of the part behind */
            double kept = end[axis];
            end[axis] = s.back;
            parts->low[parts->count] = mo_vec3_load(low);
            parts->high[parts->count++] = mo_vec3_load(high);
            end[axis] = kept;
            *(upper ? &high[axis] : &low[axis]) = s.face;
        } else if (s.back != s.at) {
            s.face = s.at;
        }
        *(upper ? &clipped_high[axis] : &clipped_low[axis]) = s.face;
    }
    parts->low[part] = mo_vec3_load(clipped_low);
    parts->high[part] = mo_vec3_load(clipped_high);
}

void mo_fluid_system_snap(const mo_fluid_system *fluid, mo_method shape, mo_fluid_parts *parts)
{
    const mo_colliders *colliders = fluid->system->host->colliders;
    mo_vec3 from, to, n;
    parts->count = 1;
    parts->low[0] = mo_vec3_make(-INFINITY, -INFINITY, -INFINITY);
    parts->high[0] = mo_vec3_make(INFINITY, INFINITY, INFINITY);
    if (!((const mo_shape_type *)shape.type)->bounds(shape.params, &from, &to) ||
        colliders->count == 0) {
        return;
    }
    cut_by_containers(colliders, &from, &to);
    if (!(from.x < to.x && from.y < to.y && from.z < to.z)) {
        return; /* entirely outside its container */
    }
    parts->low[0] = from;
    parts->high[0] = to;
    for (int part = 0; part < parts->count; ++part) {
        mo_vec3 middle = mo_scale(0.5, mo_add(parts->low[part], parts->high[part]));
        middle.z = fluid->fluid.def->dimension == 2 ? 0 : middle.z;
        if (least_gap(colliders, middle, &n) > 0) { /* else particles are culled */
            clip_part(fluid, part, parts);
        }
    }
}
