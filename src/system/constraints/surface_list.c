/* The list of pairs that may come near each other (surface_contacts.h). */
#include "system/constraints/surface_contacts.h"

#include <string.h>

enum { GRAIN = 1024, PAIR_GRAIN = 256, FEATURES = 15 };

/* Nodes may leave their expected paths by this part of the edges' length. Lists of a flat cloth are
 * empty as long as twice this and the thickness are less than 0.7 edges. */
static const double SLACK = 0.12, SLACK_LEAST = 0.04, FREE = 0.65;
/* The paths of this many substeps are expected, unless they are longer than the slack. */
static const double AHEAD = 4;
/* Pairs nearer than the thickness in the rest shape keep this part of their distance there. */
static const double REST = 0.9, TOUCHING = 1e-6;

static double slack_of(const mo_surface_body *body)
{
    double left = 0.5 * (FREE - body->thickness / body->edge);
    return body->edge * fmin(SLACK, fmax(SLACK_LEAST, left));
}

/* ---- common translation ---- */

static mo_vec3 moved_by(const mo_surface_contacts *c, const double *x, int64_t row)
{
    return mo_sub(mo_vec3_load(x + 4 * row), mo_vec3_load(c->origin + 3 * row));
}

/* The largest and, reversed, the smallest displacements at both ends of the substep. */
static void range_range(void *context, int64_t first, int64_t last, double *most)
{
    const mo_surface_contacts *c = context;
    for (int k = 0; k < 12; ++k) {
        most[k] = -(double)INFINITY;
    }
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 d[2] = {moved_by(c, c->start, row), moved_by(c, c->p, row)};
        for (int k = 0; k < 6; ++k) {
            double u = mo_vec3_at(d[k / 3], k % 3);
            most[k] = u > most[k] ? u : most[k];
            most[6 + k] = -u > most[6 + k] ? -u : most[6 + k];
        }
    }
}

/* The middle of the displacements since the list was made. */
static mote_status find_shift(mo_surface_contacts *c, mote_error *error)
{
    double most[12];
    MO_TRY(mo_parallel_reduce(c->pool, c->rows, GRAIN, MO_MAX, 12, range_range, c, most, error));
    for (int end = 0; end < 2; ++end) {
        const double *high = most + 3 * end, *low = most + 6 + 3 * end;
        c->shift[end] = mo_vec3_make(0.5 * (high[0] - low[0]), 0.5 * (high[1] - low[1]),
                                     0.5 * (high[2] - low[2]));
    }
    return MOTE_OK;
}

static bool is_inside(const mo_box *box, mo_vec3 x)
{
    return x.x >= box->low[0] && x.y >= box->low[1] && x.z >= box->low[2] && x.x <= box->high[0] &&
           x.y <= box->high[1] && x.z <= box->high[2];
}

/* The distance of rows from their origins; partial: 1 if one has left its region */
static void moved_range(void *context, int64_t first, int64_t last, double *partial)
{
    mo_surface_contacts *c = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 o = mo_vec3_load(c->origin + 3 * row);
        mo_vec3 a = mo_sub(moved_by(c, c->start, row), c->shift[0]),
                b = mo_sub(moved_by(c, c->p, row), c->shift[1]);
        double square = fmax(mo_dot(a, a), mo_dot(b, b));
        bool inside =
            is_inside(&c->regions[row], mo_add(o, a)) && is_inside(&c->regions[row], mo_add(o, b));
        c->moved[row] = sqrt(square);
        *partial = inside ? *partial : 1;
    }
}

static mote_status measure_motion(mo_surface_contacts *c, bool *valid, mote_error *error)
{
    double left;
    MO_TRY(find_shift(c, error));
    MO_TRY(mo_parallel_reduce(c->pool, c->rows, GRAIN, MO_MAX, 1, moved_range, c, &left, error));
    *valid = left == 0;
    return MOTE_OK;
}

/* ---- boxes along paths ---- */

/* Where a row may be while the list is valid. */
static mo_box region_of(const mo_surface_contacts *c, int64_t row, double slack)
{
    mo_vec3 x = mo_vec3_load(c->start + 4 * row);
    mo_vec3 path = mo_sub(mo_sub(mo_vec3_load(c->p + 4 * row), x), c->shift[1]);
    double length = mo_length(path), ahead = length > 0 ? slack / length : AHEAD;
    mo_vec3 y = mo_add_scaled(x, fmin(AHEAD, fmax(1, ahead)), path);
    double from[3] = {x.x, x.y, x.z}, to[3] = {y.x, y.y, y.z};
    mo_box box = mo_box_empty();
    mo_box_grow(&box, from);
    mo_box_grow(&box, to);
    for (int k = 0; k < 3; ++k) {
        box.low[k] -= slack;
        box.high[k] += slack;
    }
    return box;
}

static void join(mo_box *box, const mo_box *other)
{
    mo_box_grow(box, other->low);
    mo_box_grow(box, other->high);
}

static void box_range(void *context, int64_t first, int64_t last)
{
    mo_surface_contacts *c = context;
    for (int64_t k = first; k < last; ++k) {
        const mo_surface_cell *cell = &c->cells[k];
        const mo_surface_body *body = &c->bodies[cell->body];
        double slack = slack_of(body);
        mo_box box = mo_box_empty();
        for (int n = 0; n < 3; ++n) {
            mo_box region = region_of(c, cell->row[n], slack);
            join(&box, &region);
            if (cell->vertices >> n & 1) {
                c->regions[cell->row[n]] = region;
            }
        }
        for (int n = 0; n < 3; ++n) {
            box.low[n] -= 0.5 * body->thickness;
            box.high[n] += 0.5 * body->thickness;
        }
        c->boxes[k] = box;
    }
}

static void origin_range(void *context, int64_t first, int64_t last)
{
    mo_surface_contacts *c = context;
    for (int64_t row = first; row < last; ++row) {
        memcpy(c->origin + 3 * row, c->start + 4 * row, 3 * sizeof(double));
    }
}

/* ---- features of a pair of cells ---- */

static bool are_apart(const mo_surface_contacts *c, int32_t a, int32_t b)
{
    return c->joined[a] != c->joined[b];
}

/* Feature pair f of two cells: vertices of the first on the second, of the second on the first,
 * edges on edges. False: it does not exist, or is not this pair of cells' own. */
static bool feature_rows(const mo_surface_contacts *c, const mo_surface_cell *a,
                         const mo_surface_cell *b, int f, int32_t row[4])
{
    if (f < 6) {
        const mo_surface_cell *from = f < 3 ? a : b, *to = f < 3 ? b : a;
        if (!(from->vertices >> f % 3 & 1) || !to->triangle) {
            return false;
        }
        row[0] = from->row[f % 3];
        memcpy(row + 1, to->row, sizeof to->row);
        return are_apart(c, row[0], row[1]) && are_apart(c, row[0], row[2]) &&
               are_apart(c, row[0], row[3]);
    }
    int i = (f - 6) / 3, k = (f - 6) % 3;
    if (!(a->edges >> i & 1) || !(b->edges >> k & 1)) {
        return false;
    }
    row[0] = a->row[i], row[1] = a->row[(i + 1) % 3];
    row[2] = b->row[k], row[3] = b->row[(k + 1) % 3];
    return are_apart(c, row[0], row[2]) && are_apart(c, row[0], row[3]) &&
           are_apart(c, row[1], row[2]) && are_apart(c, row[1], row[3]);
}

/* Whether the regions of the rows are farther apart than `thickness`. */
static bool regions_apart(const mo_surface_contacts *c, const int32_t row[4], int split,
                          double thickness)
{
    for (int k = 0; k < 3; ++k) {
        double low[2] = {(double)INFINITY, (double)INFINITY},
               high[2] = {-(double)INFINITY, -(double)INFINITY};
        for (int n = 0; n < 4; ++n) {
            const mo_box *box = &c->regions[row[n]];
            int side = n >= split;
            low[side] = box->low[k] < low[side] ? box->low[k] : low[side];
            high[side] = box->high[k] > high[side] ? box->high[k] : high[side];
        }
        if (low[0] > high[1] + thickness || low[1] > high[0] + thickness) {
            return true;
        }
    }
    return false;
}

/* Whether features f of two cells may come nearer than the thickness. */
static bool is_listed(const mo_surface_contacts *c, const mo_surface_cell *a,
                      const mo_surface_cell *b, int f, double thickness, int32_t row[4])
{
    if (!feature_rows(c, a, b, f, row) || regions_apart(c, row, f < 6 ? 1 : 2, thickness)) {
        return false;
    }
    return c->start[4 * (int64_t)row[0] + 3] > 0 || c->start[4 * (int64_t)row[1] + 3] > 0 ||
           c->start[4 * (int64_t)row[2] + 3] > 0 || c->start[4 * (int64_t)row[3] + 3] > 0;
}

static bool may_touch(const mo_surface_contacts *c, const mo_surface_cell *a,
                      const mo_surface_cell *b)
{
    return a->body != b->body || c->bodies[a->body].self;
}

static void bits_range(void *context, int64_t first, int64_t last)
{
    mo_surface_contacts *c = context;
    int64_t count = 0;
    for (int64_t k = first; k < last; ++k) {
        const mo_surface_cell *a = &c->cells[c->search.pairs[k].a],
                              *b = &c->cells[c->search.pairs[k].b];
        double thickness = 0.5 * (c->bodies[a->body].thickness + c->bodies[b->body].thickness);
        int32_t row[4];
        uint16_t bits = 0;
        for (int f = 0; may_touch(c, a, b) && f < FEATURES; ++f) {
            bits |= (uint16_t)(is_listed(c, a, b, f, thickness, row) << f);
        }
        c->bits[k] = bits;
        count += __builtin_popcount(bits);
    }
    c->block_start[first / PAIR_GRAIN] = count;
}

/* Nodes that are close in the rest shape of a body are not pushed beyond that. */
static double thickness_of(const mo_surface_contacts *c, const mo_surface_pair *pair)
{
    const mo_surface_body *a = &c->bodies[pair->body[0]], *b = &c->bodies[pair->body[1]];
    double thickness = 0.5 * (a->thickness + b->thickness);
    if (a == b) {
        mo_vec3 x[4];
        for (int n = 0; n < 4; ++n) {
            x[n] = mo_vec3_load(c->rest + 3 * (int64_t)pair->row[n]);
        }
        /* no point of a feature is farther than an edge from any of its corners */
        double reach = thickness + 2 * c->longest;
        mo_vec3 between = mo_sub(x[3], x[0]);
        if (mo_dot(between, between) > reach * reach) {
            return thickness;
        }
        double rest = mo_proximity_of(pair->kind, x).distance;
        thickness = rest < TOUCHING * a->edge ? 0 : fmin(thickness, REST * rest);
    }
    return thickness;
}

static void fill_range(void *context, int64_t first, int64_t last)
{
    mo_surface_contacts *c = context;
    mo_surface_pair *out = c->pairs + c->block_start[first / PAIR_GRAIN];
    for (int64_t k = first; k < last; ++k) {
        const mo_surface_cell *a = &c->cells[c->search.pairs[k].a],
                              *b = &c->cells[c->search.pairs[k].b];
        for (unsigned bits = c->bits[k]; bits; bits &= bits - 1) {
            int f = __builtin_ctz(bits);
            bool swapped = f >= 3 && f < 6;
            mo_vec3 x[4];
            feature_rows(c, a, b, f, out->row);
            out->kind = f < 6 ? MO_VERTEX_TRIANGLE : MO_EDGE_EDGE;
            mo_surface_pair_load(out, c->start, x);
            out->distance = mo_proximity_of(out->kind, x).distance;
            out->body[0] = swapped ? b->body : a->body;
            out->body[1] = swapped ? a->body : b->body;
            out->thickness = thickness_of(c, out);
            ++out;
        }
    }
}

/* ---- colours ---- */

/* The first colour that none of the rows has; the last one may have common rows. */
static int color_of(mo_surface_contacts *c, const mo_surface_pair *pair)
{
    uint64_t used[2] = {0, 0};
    for (int n = 0; n < 4; ++n) {
        used[0] |= c->mask[2 * (int64_t)pair->row[n]];
        used[1] |= c->mask[2 * (int64_t)pair->row[n] + 1];
    }
    int color =
        ~used[0] ? __builtin_ctzll(~used[0]) : 64 + (~used[1] ? __builtin_ctzll(~used[1]) : 63);
    for (int n = 0; n < 4; ++n) {
        c->mask[2 * (int64_t)pair->row[n] + color / 64] |= UINT64_C(1) << color % 64;
    }
    return color;
}

static mote_status sort_by_color(mo_surface_contacts *c, mote_error *error)
{
    int64_t at[MO_SURFACE_COLORS] = {0}, sum = 0;
    MO_TRY(mo_reserve(c->memory, &c->sorted, &c->sorted_capacity, c->pair_count, sizeof *c->sorted,
                      error));
    MO_TRY(mo_reserve(c->memory, &c->color, &c->color_capacity, c->pair_count, 1, error));
    memset(c->mask, 0, (size_t)(2 * c->rows) * sizeof *c->mask);
    for (int64_t k = 0; k < c->pair_count; ++k) {
        c->color[k] = (uint8_t)color_of(c, &c->pairs[k]);
        ++at[c->color[k]];
    }
    for (int k = 0; k < MO_SURFACE_COLORS; ++k) {
        int64_t count = at[k];
        c->color_start[k] = at[k] = sum;
        sum += count;
    }
    c->color_start[MO_SURFACE_COLORS] = sum;
    for (int64_t k = 0; k < c->pair_count; ++k) {
        c->sorted[at[c->color[k]]++] = c->pairs[k];
    }
    mo_surface_pair *pairs = c->pairs;
    c->pairs = c->sorted;
    c->sorted = pairs;
    int64_t capacity = c->pair_capacity;
    c->pair_capacity = c->sorted_capacity;
    c->sorted_capacity = capacity;
    return MOTE_OK;
}

/* ---- the list ---- */

static mote_status list_pairs(mo_surface_contacts *c, mote_error *error)
{
    int64_t found = c->search.count, blocks = (found + PAIR_GRAIN - 1) / PAIR_GRAIN, sum = 0;
    MO_TRY(mo_reserve(c->memory, &c->bits, &c->bit_capacity, found, sizeof *c->bits, error));
    MO_TRY(mo_reserve(c->memory, &c->block_start, &c->block_capacity, blocks,
                      sizeof *c->block_start, error));
    mo_parallel_for(c->pool, found, PAIR_GRAIN, bits_range, c);
    for (int64_t b = 0; b < blocks; ++b) {
        int64_t count = c->block_start[b];
        c->block_start[b] = sum;
        sum += count;
    }
    c->pair_count = sum;
    MO_TRY(mo_reserve(c->memory, &c->pairs, &c->pair_capacity, sum, sizeof *c->pairs, error));
    mo_parallel_for(c->pool, found, PAIR_GRAIN, fill_range, c);
    return sort_by_color(c, error);
}

static mote_status make_list(mo_surface_contacts *c, mote_error *error)
{
    bool valid;
    mo_parallel_for(c->pool, c->rows, GRAIN, origin_range, c);
    MO_TRY(find_shift(c, error));
    mo_parallel_for(c->pool, c->cell_count, GRAIN, box_range, c);
    mo_simplices set = mo_simplices_of_boxes(c->cell_count, c->boxes);
    mo_hierarchy_refit(&c->tree, &set, c->pool);
    MO_TRY(mo_pair_search_run(&c->search, &c->tree, &c->tree, NULL, NULL, NULL, c->pool, error));
    MO_TRY(list_pairs(c, error));
    ++c->lists;
    c->listed = true;
    return measure_motion(c, &valid, error);
}

mote_status mo_surface_contacts_list(mo_surface_contacts *c, bool *changed, mote_error *error)
{
    bool valid = false;
    MO_TRY(c->listed ? measure_motion(c, &valid, error) : MOTE_OK);
    *changed = !valid;
    return valid ? MOTE_OK : make_list(c, error);
}
