#include "fluid/boundary/solid_cells.h"

#include "geometry/shape/filling.h"

#include <math.h>

/* Parts of a cut cell along an axis. */
enum { PARTS = 4 };

#define CELLS_MOST 1e9

/* Relative tolerance of lengths, in spacings. */
static const double SAME = 1e-6;

void mo_solid_cells_init(mo_solid_cells *cells, mo_memory *memory)
{
    *cells = (mo_solid_cells){.memory = memory};
}

void mo_solid_cells_release(mo_solid_cells *cells)
{
    mo_release(cells->memory, cells->x);
    mo_release(cells->memory, cells->volume);
    mo_release(cells->memory, cells->depth);
    mo_solid_cells_init(cells, cells->memory);
}

static mote_status add(mo_solid_cells *c, mo_vec3 x, double volume, double depth, mote_error *error)
{
    MO_TRY(mo_reserve(c->memory, &c->x, &c->x_capacity, 3 * c->count + 3, sizeof *c->x, error));
    MO_TRY(mo_reserve(c->memory, &c->volume, &c->volume_capacity, c->count + 1, sizeof *c->volume,
                      error));
    MO_TRY(mo_reserve(c->memory, &c->depth, &c->depth_capacity, c->count + 1, sizeof *c->depth,
                      error));
    mo_vec3_store(c->x + 3 * c->count, x);
    c->volume[c->count] = volume;
    c->depth[c->count++] = depth;
    return MOTE_OK;
}

/* ---- the lattice ---- */

/* Cell (i, j, k) has its centre at origin + i step[0] axis[0] + ..., first <= i < last. */
typedef struct lattice {
    mo_vec3 origin, axis[3];
    double step[3];
    int64_t first[3], last[3];
} lattice;

static mo_vec3 point_of(const lattice *l, const double at[3])
{
    mo_vec3 x = l->origin;
    for (int c = 0; c < 3; ++c) {
        x = mo_add_scaled(x, at[c] * l->step[c], l->axis[c]);
    }
    return x;
}

static bool fills_bounds(mo_method shape, mo_vec3 low, mo_vec3 high, double spacing)
{
    for (int k = 0; k < 8; ++k) {
        double x[3] = {k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z},
               distance;
        mo_shape_distances(shape, 1, x, &distance, NULL);
        if (!(fabs(distance) <= SAME * spacing)) {
            return false;
        }
    }
    return true;
}

/* Steps of cells are fitted to a side if that changes them by no more than this part: they should
 * have the volume of the fluid's particles. */
static const double STRETCH = 0.05;

static void box_axis(lattice *l, int c, double low, double high, double spacing, bool fit,
                     double beyond)
{
    double side = high - low, count = fmax(1, round(side / spacing)), origin[3];
    bool stretched = fit && fabs(side / count - spacing) <= STRETCH * spacing;
    double step = stretched ? side / count : spacing;
    mo_vec3_store(origin, l->origin);
    l->step[c] = step;
    origin[c] = fit ? low + 0.5 * step : 0.5 * (low + high);
    l->first[c] = (int64_t)floor((low - beyond - origin[c]) / step);
    l->last[c] = (int64_t)ceil((high + beyond - origin[c]) / step) + 1;
    l->origin = mo_vec3_load(origin);
}

static lattice bounded_lattice(const mo_solid_cells_def *d, mo_vec3 low, mo_vec3 high)
{
    const mo_collider *solid = &d->colliders->list[d->number];
    const mo_fluid *f = d->fluid;
    lattice l = {.axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .step = {1, 1, 1}, .last = {1, 1, 1}};
    bool box = fills_bounds(solid->shape, low, high, f->spacing);
    double beyond = solid->inside ? d->depth : 0;
    for (int c = 0; c < f->dimension; ++c) {
        box_axis(&l, c, mo_vec3_at(low, c), mo_vec3_at(high, c), f->spacing, box, beyond);
    }
    l.step[2] = f->dimension == 2 ? f->spacing : l.step[2];
    return l;
}

/* Along a periodic axis an integer number of steps; else the range of the extent's corners. */
static void plane_axis(lattice *l, int c, const mo_solid_cells_def *d, const mo_pose *pose,
                       double beyond)
{
    const mo_fluid *f = d->fluid;
    double low = INFINITY, high = -INFINITY, step = f->spacing;
    mo_vec3 across = mo_mat3_apply(pose->R, l->axis[c]);
    for (int k = 0; k < 3; ++k) {
        double length = f->domain.high[k] - f->domain.low[k];
        if (f->domain.periodic[k] && fabs(mo_vec3_at(across, k)) > 1 - 1e-12) {
            double count = fmax(1, round(length / step));
            l->step[c] = length / count;
            l->first[c] = 0;
            l->last[c] = (int64_t)count;
            return;
        }
    }
    for (int k = 0; k < 8; ++k) {
        mo_vec3 x = mo_vec3_make(k & 1 ? d->extent.high[0] + beyond : d->extent.low[0] - beyond,
                                 k & 2 ? d->extent.high[1] + beyond : d->extent.low[1] - beyond,
                                 k & 4 ? d->extent.high[2] + beyond : d->extent.low[2] - beyond);
        double at = mo_dot(mo_sub(mo_pose_undo(pose, x), l->origin), l->axis[c]);
        low = fmin(low, at);
        high = fmax(high, at);
    }
    l->first[c] = (int64_t)floor(low / step);
    l->last[c] = (int64_t)ceil(high / step) + 1;
}

/* Axes of the frame if the plane is aligned with them, else arbitrary ones. */
static void plane_axes(lattice *l, mo_vec3 n, bool flat)
{
    const mo_vec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    l->axis[0] = n;
    l->axis[1] = flat ? mo_vec3_make(-n.y, n.x, 0) : mo_perpendicular(n);
    for (int c = 0; c < 3 && !flat; ++c) {
        l->axis[1] = fabs(mo_vec3_at(n, c)) > 1 - 1e-12 ? units[(c + 1) % 3] : l->axis[1];
    }
    l->axis[2] = flat ? units[2] : mo_cross(n, l->axis[1]);
}

static lattice plane_lattice(const mo_solid_cells_def *d)
{
    const mo_collider *solid = &d->colliders->list[d->number];
    const mo_fluid *f = d->fluid;
    bool flat = f->dimension == 2;
    double widest = mo_extent_widest(&d->extent), beyond = isnan(d->margin) ? widest : d->margin;
    mo_vec3 anchor = {0, 0, 0}, n;
    lattice l = {.step = {f->spacing, f->spacing, f->spacing}, .last = {0, 1, 1}};
    if (mo_store_owned(f->store) > 0) {
        anchor = mo_pose_undo(&solid->pose, mo_vec3_load(mo_f64(f->columns.x)));
    }
    double gap = mo_collider_local_gap(solid, anchor, &n);
    plane_axes(&l, n, flat);
    l.origin = mo_add_scaled(anchor, -gap - 0.5 * f->spacing, n);
    l.first[0] = -(int64_t)ceil(d->depth / f->spacing);
    l.last[0] = widest > 0 ? 1 : l.first[0];
    plane_axis(&l, 1, d, &solid->pose, beyond);
    if (!flat) {
        plane_axis(&l, 2, d, &solid->pose, beyond);
    }
    return l;
}

/* ---- cells ---- */

typedef struct filler {
    const mo_solid_cells_def *def;
    const mo_collider *solid;
    lattice lattice;
    mo_solid_cells *cells;
} filler;

static bool is_still(const mo_collider *solid)
{
    return !solid->motion.type;
}

/* The smallest gap of earlier solids, if both are static. */
static double others_at(const filler *f, mo_vec3 x)
{
    double least = INFINITY;
    for (int64_t k = 0; is_still(f->solid) && k < f->def->number; ++k) {
        const mo_collider *other = &f->def->colliders->list[k];
        if (is_still(other)) {
            least = fmin(least, mo_collider_gap(other, mo_pose_apply(&f->solid->pose, x), NULL));
        }
    }
    return least;
}

static double half_diagonal(const lattice *l, int dimension)
{
    double sum = 0;
    for (int c = 0; c < dimension; ++c) {
        sum += 0.25 * l->step[c] * l->step[c];
    }
    return sqrt(sum);
}

static mote_status add_cell(const filler *f, const double at[3], mote_error *error)
{
    int dimension = f->def->fluid->dimension, parts = dimension == 3 ? PARTS : 1, inside = 0;
    const lattice *l = &f->lattice;
    mo_vec3 center = point_of(l, at), sum = {0};
    double gap = mo_collider_local_gap(f->solid, center, NULL), others = others_at(f, center);
    double half = half_diagonal(l, dimension), volume = l->step[0] * l->step[1];
    volume *= dimension == 3 ? l->step[2] : 1;
    if (gap >= half || others <= -half) {
        return MOTE_OK;
    }
    if (gap <= -half && others >= half) {
        return -gap < f->def->depth ? add(f->cells, center, volume, -gap, error) : MOTE_OK;
    }
    for (int k = 0; k < PARTS * PARTS * parts; ++k) {
        const double part[3] = {at[0] + (k % PARTS + 0.5) / PARTS - 0.5,
                                at[1] + (k / PARTS % PARTS + 0.5) / PARTS - 0.5,
                                parts == 1 ? at[2]
                                           : at[2] + (k / (PARTS * PARTS) + 0.5) / PARTS - 0.5};
        mo_vec3 x = point_of(l, part);
        if (mo_collider_local_gap(f->solid, x, NULL) < 0 && others_at(f, x) >= 0) {
            sum = mo_add(sum, x);
            ++inside;
        }
    }
    if (inside == 0) {
        return MOTE_OK;
    }
    bool whole = inside == PARTS * PARTS * parts;
    mo_vec3 x = whole ? center : mo_scale(1.0 / inside, sum);
    double depth = -mo_collider_local_gap(f->solid, x, NULL);
    return depth < f->def->depth
               ? add(f->cells, x, volume * inside / (PARTS * PARTS * parts), depth, error)
               : MOTE_OK;
}

/* Bisects the block [first, last) until it is beyond the reach of the surface, or one cell. */
static mote_status add_block(const filler *f, const int64_t first[3], const int64_t last[3],
                             mote_error *error)
{
    const lattice *l = &f->lattice;
    double middle[3], square = 0;
    int longest = 0;
    for (int c = 0; c < 3; ++c) {
        double side = (double)(last[c] - first[c]) * l->step[c];
        if (last[c] <= first[c]) {
            return MOTE_OK;
        }
        middle[c] = 0.5 * (double)(first[c] + last[c] - 1);
        square += c < f->def->fluid->dimension ? 0.25 * side * side : 0;
        longest = last[c] - first[c] > last[longest] - first[longest] ? c : longest;
    }
    double gap = mo_collider_local_gap(f->solid, point_of(l, middle), NULL), half = sqrt(square);
    if (gap >= half || gap <= -f->def->depth - half) {
        return MOTE_OK;
    }
    if (last[longest] - first[longest] == 1) {
        return add_cell(f, middle, error);
    }
    int64_t split = (first[longest] + last[longest]) / 2;
    int64_t until[3] = {last[0], last[1], last[2]}, from[3] = {first[0], first[1], first[2]};
    until[longest] = from[longest] = split;
    MO_TRY(add_block(f, first, until, error));
    return add_block(f, from, last, error);
}

mote_status mo_solid_cells_add(mo_solid_cells *cells, const mo_solid_cells_def *d,
                               mote_error *error)
{
    const mo_collider *solid = &d->colliders->list[d->number];
    mo_vec3 low, high, point, normal;
    bool bounded = mo_shape_bounds(solid->shape, &low, &high);
    if (!bounded && !mo_shape_half_space(solid->shape, &point, &normal)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "collider '%.60s': an unbounded collider must be a plane to be a fluid "
                       "boundary",
                       solid->name);
    }
    filler f = {d, solid, bounded ? bounded_lattice(d, low, high) : plane_lattice(d), cells};
    double count = 1;
    for (int c = 0; c < 3; ++c) {
        count *= fmax(0, (double)(f.lattice.last[c] - f.lattice.first[c]));
    }
    if (!(count < CELLS_MOST)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "collider '%.60s' has %.3g cells of the fluid's spacing; use a larger spacing, or a "
            "smaller margin for planes",
            solid->name, count);
    }
    return add_block(&f, f.lattice.first, f.lattice.last, error);
}
