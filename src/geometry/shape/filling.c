#include "geometry/shape/filling.h"
#include "math/portable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRAIN = 256, BATCH = 128 };
enum { LEAF = 4, MOST_BLOCKS = 1 << 21 }; /* a leaf is LEAF^3 = 64 points, one bit each */

/* Tolerance of limits, in spacings. */
static const double SLACK = 1e-6;

mo_filling mo_filling_make(double spacing, int dimension)
{
    return (mo_filling){.spacing = spacing,
                        .dimension = dimension,
                        .offset = {0.5, 0.5, 0.5},
                        .low = {-INFINITY, -INFINITY, -INFINITY},
                        .high = {INFINITY, INFINITY, INFINITY},
                        .longest = 0x1p31};
}

void mo_fill_points_init(mo_fill_points *points, mo_memory *memory)
{
    *points = (mo_fill_points){.memory = memory};
}

void mo_fill_points_release(mo_fill_points *points)
{
    mo_release(points->memory, points->x);
    mo_fill_points_init(points, points->memory);
}

/* ---- lattices ---- */

/* Dense lattices: in 2D rows of step a, a sqrt(3)/2 apart, every second shifted by a/2; in 3D
 * layers of squares of side a, a/sqrt(2) apart, every second shifted by a/2 along both sides: a
 * rotated face-centred cubic lattice. */
typedef struct lattice {
    double origin[3], step[3];
    int64_t count[3];
    bool dense, flat;
    bool box; /* the shape is one */
} lattice;

/* The nearest-neighbour distance for a volume of spacing^dimension per point. */
static void set_steps(lattice *l, const mo_filling *how)
{
    double d = how->spacing;
    if (how->lattice == MO_FILL_CUBIC) {
        l->step[0] = l->step[1] = l->step[2] = d;
    } else if (l->flat) { /* a * a sqrt(3)/2 = d^2 */
        l->step[0] = d * sqrt(2 / sqrt(3.0));
        l->step[1] = l->step[0] * sqrt(3.0) / 2;
        l->step[2] = d;
    } else { /* squares of side a, a/sqrt(2) apart: a^3/sqrt(2) = d^3 */
        l->step[0] = l->step[1] = d * cbrt(sqrt(2.0));
        l->step[2] = l->step[0] / sqrt(2.0);
    }
}

static mo_vec3 lattice_point(const lattice *l, int64_t i, int64_t j, int64_t k)
{
    double shift_x = 0, shift_y = 0;
    if (l->dense && l->flat) {
        shift_x = j & 1 ? 0.5 : 0;
    } else if (l->dense) {
        shift_x = shift_y = k & 1 ? 0.5 : 0;
    }
    return mo_vec3_make(l->origin[0] + l->step[0] * ((double)i + shift_x),
                        l->origin[1] + l->step[1] * ((double)j + shift_y),
                        l->flat ? 0 : l->origin[2] + l->step[2] * (double)k);
}

/* Whether a shape's bounds are the shape: all their corners are on its surface. */
static bool fills_its_bounds(mo_method shape, mo_vec3 low, mo_vec3 high, const mo_filling *how)
{
    for (int k = 0; k < 8; ++k) {
        double x[3] = {k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z},
               distance;
        mo_shape_distances(shape, 1, x, &distance, NULL);
        if (!(fabs(distance) <= SLACK * how->spacing)) {
            return false;
        }
    }
    return true;
}

/* Limits the number of points, since rows are counted in 32 bits. */
static mote_status check_points(double points, const mo_filling *how, mote_error *error)
{
    return points <= MO_FILL_MOST
               ? MOTE_OK
               : mo_fail(
                     error, MOTE_ERROR_INPUT,
                     "fill: about %.3g particles with a spacing of %g m; allowed: up to %.3g; use "
                     "a larger spacing or a smaller shape",
                     points, how->spacing, MO_FILL_MOST);
}

/* Fails if there are more points along an axis than positions can resolve. */
static mote_status lay_out_lattice(lattice *l, mo_method shape, mo_vec3 low, mo_vec3 high,
                                   const mo_filling *how, mote_error *error)
{
    bool box = l->box = fills_its_bounds(shape, low, high, how);
    double points = 1;
    set_steps(l, how);
    for (int axis = 0; axis < 3; ++axis) {
        double from = mo_vec3_at(low, axis), to = mo_vec3_at(high, axis);
        if (box) {
            from = fmax(from, mo_vec3_at(how->low, axis));
            to = fmax(from, fmin(to, mo_vec3_at(how->high, axis)));
        }
        if (box && how->fit && how->lattice == MO_FILL_CUBIC && !(axis == 2 && l->flat)) {
            l->step[axis] = mo_fill_step(to - from, l->step[axis]);
        }
        double steps = floor((to - from) / l->step[axis] + SLACK);
        if (axis == 2 && l->flat) {
            l->count[2] = from <= 0 && to >= 0;
            continue;
        }
        if (!(steps < how->longest)) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "fill: it is %.3g spacings of %g m long; allowed: up to %.3g; use a larger spacing "
                "or a smaller shape",
                steps, how->spacing, how->longest);
        }
        double rest = box ? 0 : 0.5 * (to - from - steps * l->step[axis]);
        l->origin[axis] = from + rest + mo_vec3_at(how->offset, axis) * l->step[axis];
        l->count[axis] = (int64_t)steps;
        points *= steps;
        if (!box) { /* the remainder may contain points too */
            l->origin[axis] -= l->step[axis];
            l->count[axis] += 2;
        }
    }
    return box ? check_points(points * (double)(l->flat ? l->count[2] : 1), how, error) : MOTE_OK;
}

/* ---- blocks: hierarchical subdivision of the lattice ---- */

/*
 * The lattice is divided into blocks that are halved until they are inside, outside or of LEAF
 * points per side: a distance larger than half a block's diagonal decides for the whole block. So
 * the cost grows with the surface and the interior, not with the bounding box, and points are
 * counted before memory is allocated.
 */
typedef struct block {
    int64_t low[3]; /* its first point */
} block;

/* Points from i on along the rows of a tile. */
typedef struct run {
    int64_t i, count;
    bool inside;   /* completely */
    uint64_t mask; /* otherwise of a leaf: bit i + LEAF * row is set if the point is inside */
} run;

/* LEAF by LEAF rows. */
typedef struct tile {
    int64_t j, k;
    int64_t first, last;        /* its runs */
    int64_t found[LEAF * LEAF]; /* points of each row, then their offsets */
} tile;

/* A run, and the tile that it belongs to. */
typedef struct piece {
    int64_t k, j;
    run run;
} piece;

enum side { OUTSIDE, INSIDE, BOTH };

typedef struct filling {
    mo_method shape;
    const mo_filling *how;
    const lattice *lattice;
    mo_memory *memory;
    double limit;  /* distances up to this are inside */
    double inside; /* points of blocks entirely inside, so far */
    int64_t size;  /* points along a side of the blocks that are open */
    block *open;   /* undecided */
    block *next;   /* of half that size */
    uint8_t *side; /* of each open block */
    int64_t open_count, open_capacity, next_count, next_capacity, side_capacity;
    piece *piece;
    int64_t pieces, piece_capacity;
    tile *tile;
    int64_t tiles;
    double *x;
} filling;

/* The number of points of a block along each axis; blocks are clipped at the lattice's end. */
static void block_size(const filling *f, const block *b, int64_t size[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        int64_t left = f->lattice->count[axis] - b->low[axis];
        size[axis] = left < f->size ? left : f->size;
    }
}

static enum side side_of(const filling *f, const block *b)
{
    const lattice *l = f->lattice;
    int64_t size[3];
    block_size(f, b, size);
    double middle[3], half[3], distance, square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double shift = l->dense ? 0.5 : 0; /* of every second row or layer */
        bool fixed = axis == 2 && l->flat;
        half[axis] = fixed ? 0 : 0.5 * l->step[axis] * ((double)(size[axis] - 1) + shift);
        middle[axis] =
            fixed ? 0 : l->origin[axis] + l->step[axis] * (double)b->low[axis] + half[axis];
        square += half[axis] * half[axis];
    }
    mo_shape_distances(f->shape, 1, middle, &distance, NULL);
    if (!((1 - 1e-9) * fabs(distance - f->limit) > sqrt(square))) {
        return BOTH;
    }
    return distance <= f->limit ? INSIDE : OUTSIDE;
}

static void side_range(void *context, int64_t first, int64_t last)
{
    const filling *f = context;
    for (int64_t n = first; n < last; ++n) {
        f->side[n] = (uint8_t)side_of(f, &f->open[n]);
    }
}

/* Adds a block as runs of its tiles. */
static mote_status add_pieces(filling *f, const block *b, const int64_t size[3], bool inside,
                              mote_error *error)
{
    int64_t deep = (size[2] + LEAF - 1) / LEAF, wide = (size[1] + LEAF - 1) / LEAF;
    MO_TRY(mo_grow(f->memory, (void **)&f->piece, &f->piece_capacity, f->pieces + deep * wide,
                   sizeof *f->piece, error));
    for (int64_t k = 0; k < deep; ++k) {
        for (int64_t j = 0; j < wide; ++j) {
            f->piece[f->pieces++] = (piece){
                b->low[2] / LEAF + k, b->low[1] / LEAF + j, {b->low[0], size[0], inside, 0}};
        }
    }
    return MOTE_OK;
}

static mote_status halve(filling *f, const block *b, int64_t half, mote_error *error)
{
    MO_TRY(mo_grow(f->memory, (void **)&f->next, &f->next_capacity, f->next_count + 8,
                   sizeof *f->next, error));
    for (int k = 0; k < 8; ++k) {
        block part = *b;
        bool there = true;
        for (int axis = 0; axis < 3; ++axis) {
            part.low[axis] += k >> axis & 1 ? half : 0;
            there = there && part.low[axis] < f->lattice->count[axis];
        }
        if (there) {
            f->next[f->next_count++] = part;
        }
    }
    return MOTE_OK;
}

/* Classifies all blocks of one size. */
static mote_status decide_blocks(filling *f, mote_error *error)
{
    double undecided = 0;
    MO_TRY(mo_grow(f->memory, (void **)&f->side, &f->side_capacity, f->open_count, sizeof *f->side,
                   error));
    mo_parallel_for(f->how->pool, f->open_count, GRAIN, side_range, f);
    f->next_count = 0;
    for (int64_t n = 0; n < f->open_count; ++n) {
        const block *b = &f->open[n];
        enum side side = (enum side)f->side[n];
        int64_t size[3];
        block_size(f, b, size);
        double points = (double)size[0] * (double)size[1] * (double)size[2];
        f->inside += side == INSIDE ? points : 0;
        undecided += side == BOTH ? points : 0;
        if (f->inside > MO_FILL_MOST) { /* estimate: half of the undecided points are inside */
            return check_points(f->inside + 0.5 * undecided, f->how, error);
        }
        if (side == INSIDE || (side == BOTH && f->size == LEAF)) {
            MO_TRY(add_pieces(f, b, size, side == INSIDE, error));
        } else if (side == BOTH) {
            MO_TRY(halve(f, b, f->size / 2, error));
        }
    }
    if (f->next_count > MOST_BLOCKS) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "fill: its surface is too large for a spacing of %g m: it crosses more than %d blocks "
            "of %lld spacings; use a larger spacing, or remove outlying vertices",
            f->how->spacing, MOST_BLOCKS, (long long)(f->size / 2));
    }
    return MOTE_OK;
}

static mote_status cut_into_pieces(filling *f, mote_error *error)
{
    const int64_t *count = f->lattice->count;
    if (count[0] <= 0 || count[1] <= 0 || count[2] <= 0) {
        return MOTE_OK;
    }
    for (f->size = LEAF; f->size < count[0] || f->size < count[1] || f->size < count[2];) {
        f->size *= 2;
    }
    MO_TRY(mo_grow(f->memory, (void **)&f->open, &f->open_capacity, 1, sizeof *f->open, error));
    f->open[0] = (block){{0, 0, 0}};
    f->open_count = 1;
    for (; f->size >= LEAF; f->size /= 2) {
        MO_TRY(decide_blocks(f, error));
        block *blocks = f->open;
        int64_t capacity = f->open_capacity;
        f->open = f->next;
        f->open_capacity = f->next_capacity;
        f->open_count = f->next_count;
        f->next = blocks;
        f->next_capacity = capacity;
    }
    return MOTE_OK;
}

/* ---- leaves: point by point ---- */

/* The distance bounds the change of side, so the points of a row that are certainly on the same
 * side are skipped. */
static uint64_t row_bits(const filling *f, const run *r, int64_t j, int64_t k)
{
    uint64_t bits = 0;
    for (int64_t i = 0; i < r->count;) {
        double x[3], distance;
        mo_vec3_store(x, lattice_point(f->lattice, r->i + i, j, k));
        mo_shape_distances(f->shape, 1, x, &distance, NULL);
        double same =
            /* after this one */
            floor((1 - 1e-9) * fabs(distance - f->limit) / f->lattice->step[0]);
        int64_t left = r->count - i, alike = same < (double)left - 1 ? (int64_t)same + 1 : left;
        bits |= distance <= f->limit ? ((UINT64_C(1) << alike) - 1) << i : 0;
        i += alike;
    }
    return bits;
}

static void mask_range(void *context, int64_t first, int64_t last)
{
    const filling *f = context;
    for (int64_t n = first; n < last; ++n) {
        piece *p = &f->piece[n];
        for (int row = 0; row < LEAF * LEAF && !p->run.inside; ++row) {
            int64_t j = p->j * LEAF + row % LEAF, k = p->k * LEAF + row / LEAF;
            if (j < f->lattice->count[1] && k < f->lattice->count[2]) {
                p->run.mask |= row_bits(f, &p->run, j, k) << (LEAF * row);
            }
        }
    }
}

/* ---- tiles: consecutive points of a row ---- */

static int compare_pieces(const void *a, const void *b)
{
    const piece *p = a, *q = b;
    int k = (p->k > q->k) - (p->k < q->k), j = (p->j > q->j) - (p->j < q->j);
    return k ? k : j ? j : (p->run.i > q->run.i) - (p->run.i < q->run.i);
}

/* Sorts tiles by k and j, their pieces by i. */
static mote_status sort_into_tiles(filling *f, mote_error *error)
{
    void *tiles;
    int64_t count = 0;
    if (f->pieces == 0) {
        return MOTE_OK;
    }
    qsort(f->piece, (size_t)f->pieces, sizeof *f->piece, compare_pieces);
    for (int64_t n = 0; n < f->pieces; ++n) {
        count += n == 0 || f->piece[n].k != f->piece[n - 1].k || f->piece[n].j != f->piece[n - 1].j;
    }
    MO_TRY(mo_allocate_array(f->memory, count, sizeof *f->tile, &tiles, error));
    f->tile = tiles;
    for (int64_t n = 0; n < f->pieces; ++n) {
        const piece *p = &f->piece[n];
        if (n == 0 || p->k != p[-1].k || p->j != p[-1].j) {
            f->tile[f->tiles++] = (tile){.j = p->j, .k = p->k, .first = n};
        }
        f->tile[f->tiles - 1].last = n + 1;
    }
    return MOTE_OK;
}

static uint64_t bits_of(const run *r, int row)
{
    return r->mask >> (LEAF * row) & ((UINT64_C(1) << LEAF) - 1);
}

static bool has_row(const filling *f, const tile *t, int row)
{
    return t->j * LEAF + row % LEAF < f->lattice->count[1] &&
           t->k * LEAF + row / LEAF < f->lattice->count[2];
}

static void count_range(void *context, int64_t first, int64_t last)
{
    const filling *f = context;
    for (int64_t n = first; n < last; ++n) {
        tile *t = &f->tile[n];
        for (int row = 0; row < LEAF * LEAF; ++row) {
            for (int64_t p = t->first; p < t->last && has_row(f, t, row); ++p) {
                const run *r = &f->piece[p].run;
                t->found[row] += r->inside ? r->count : __builtin_popcountll(bits_of(r, row));
            }
        }
    }
}

/* Offsets of each row's points, in the order of z, y, x; `total` is the end. */
static void find_offsets(filling *f, int64_t *total)
{
    for (int64_t first = 0, last; first < f->tiles; first = last) {
        for (last = first; last < f->tiles && f->tile[last].k == f->tile[first].k;) {
            ++last;
        }
        for (int layer = 0; layer < LEAF; ++layer) {
            for (int64_t n = first; n < last; ++n) {
                for (int row = layer * LEAF; row < (layer + 1) * LEAF; ++row) {
                    int64_t count = f->tile[n].found[row];
                    f->tile[n].found[row] = *total;
                    *total += count;
                }
            }
        }
    }
}

static void fill_row(const filling *f, const tile *t, int row)
{
    double *x = f->x + 3 * t->found[row];
    for (int64_t p = t->first; p < t->last; ++p) {
        const run *r = &f->piece[p].run;
        for (int64_t i = 0; i < r->count; ++i) {
            if (r->inside || bits_of(r, row) >> i & 1) {
                mo_vec3_store(x, lattice_point(f->lattice, r->i + i, t->j * LEAF + row % LEAF,
                                               t->k * LEAF + row / LEAF));
                x += 3;
            }
        }
    }
}

static void fill_range(void *context, int64_t first, int64_t last)
{
    const filling *f = context;
    for (int64_t n = first; n < last; ++n) {
        for (int row = 0; row < LEAF * LEAF; ++row) {
            if (has_row(f, &f->tile[n], row)) {
                fill_row(f, &f->tile[n], row);
            }
        }
    }
}

/* Counts, allocates, fills. */
static mote_status fill(filling *f, mo_fill_points *points, mote_error *error)
{
    int64_t total = points->count;
    MO_TRY(cut_into_pieces(f, error));
    mo_parallel_for(f->how->pool, f->pieces, GRAIN, mask_range, f);
    MO_TRY(sort_into_tiles(f, error));
    mo_parallel_for(f->how->pool, f->tiles, GRAIN, count_range, f);
    find_offsets(f, &total);
    MO_TRY(check_points((double)total, f->how, error));
    MO_TRY(mo_grow(points->memory, (void **)&points->x, &points->capacity, total + 1,
                   3 * sizeof *points->x, error));
    f->x = points->x;
    mo_parallel_for(f->how->pool, f->tiles, GRAIN, fill_range, f);
    points->count = total;
    return MOTE_OK;
}

/* The bounds of the shape, or of the cells that fill a box. */
static void set_bounds(mo_fill_points *points, const lattice *l, mo_vec3 low, mo_vec3 high)
{
    double from[3], to[3];
    points->tiled = l->box && !l->dense;
    for (int c = 0; c < 3; ++c) {
        bool cells = points->tiled && !(c == 2 && l->flat);
        from[c] = cells ? l->origin[c] - 0.5 * l->step[c] : mo_vec3_at(low, c);
        to[c] = cells ? from[c] + (double)l->count[c] * l->step[c] : mo_vec3_at(high, c);
    }
    points->low = mo_vec3_load(from);
    points->high = mo_vec3_load(to);
}

mote_status mo_fill_shape(mo_method shape, const mo_filling *how, mo_fill_points *points,
                          mote_error *error)
{
    mo_vec3 low, high;
    if (!(how->spacing > 0) || !isfinite(how->spacing)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "fill: the spacing is %g; allowed: above 0",
                       how->spacing);
    }
    if (!((const mo_shape_type *)shape.type)->bounds(shape.params, &low, &high)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "fill: a %s is unbounded and cannot be filled; use a box, a sphere or a "
                       "mesh",
                       shape.type->name);
    }
    lattice l = {.dense = how->lattice == MO_FILL_DENSE, .flat = how->dimension == 2};
    MO_TRY(lay_out_lattice(&l, shape, low, high, how, error));
    points->cell = how->lattice == MO_FILL_CUBIC ? l.step[0] * l.step[1] * (l.flat ? 1 : l.step[2])
                                                 : mo_power(how->spacing, how->dimension);
    set_bounds(points, &l, low, high);
    filling f = {.shape = shape,
                 .how = how,
                 .lattice = &l,
                 .memory = points->memory,
                 .limit = SLACK * how->spacing - how->margin};
    mote_status status = fill(&f, points, error);
    void *const arrays[] = {f.open, f.next, f.side, f.piece, f.tile};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        mo_release(f.memory, arrays[k]);
    }
    return status;
}
