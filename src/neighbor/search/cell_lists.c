/*
 * All lists of a sorted grid. For each cell the points of the surrounding cells are copied into a
 * buffer in the first-level cache, as floats relative to the cell's centre and in units of its
 * width, and every point of the cell is tested against them, eight at a time:
 *
 *     |p - q|^2 <= r^2   <=>   |p|^2 - 2 p.q <= r^2 - |q|^2
 *
 * |p|^2 is in the buffer, so that a test of eight is three products, three sums, a difference with
 * the right-hand side and its sign. The right-hand side is enlarged by a margin `delta` for
 * rounding, so no pair is missed. False positives are detected from the negative difference nearest
 * to zero, one integer minimum per test: if it is farther from zero than 2 delta, no pair of this
 * point is ambiguous. Otherwise the point is repeated, and ambiguous pairs are decided in double
 * (mo_search_within).
 *
 * Error bound: with all points within m + 1/2 cells of the centre along each axis, no term exceeds
 * S = 3 (m + 1)^2, and there are fewer than 20 roundings of at most 2^-24 S each; delta is 32 of
 * them. Cells next to the border of a frame with outliers use double.
 *
 * A cell's own row of cells comes first in the buffer, so that few tests must exclude the point
 * itself.
 */
#include "math/wide.h"
#include "neighbor/search/cells.h"

enum { BUFFER = 8192, OUT = BUFFER + 8, OUT_DEFAULT = 4096, CELL_GRAIN = 64 };

/* The surrounding cells, as runs of slots with one origin (relative to the cell's centre). */
enum {
    REACH_MAX = 4,
    ROWS_MAX = (2 * REACH_MAX + 1) * (2 * REACH_MAX + 1),
    RUNS_MAX = 3 * ROWS_MAX
};
typedef struct walk {
    int runs;
    int64_t total;
    int32_t first[RUNS_MAX], last[RUNS_MAX];
    float from[RUNS_MAX][3];
} walk;

/* The points of these cells, relative to the centre of the cell. Not a power of two, to avoid cache
 * set conflicts. */
enum { CAPACITY = BUFFER + 2 * MO_WIDE };
typedef struct buffer {
    _Alignas(32) float x[CAPACITY], y[CAPACITY], z[CAPACITY], square[CAPACITY];
    _Alignas(32) int32_t row[CAPACITY];
    int own, count; /* multiples of eight; up to the own cell's points, and all */
} buffer;

typedef struct job {
    const mo_cell_frame *frame;
    const mo_cells *from, *to;
    bool self, strays;
    int64_t owned, reach;
    double radius;
    float bound, doubt; /* (r^2 + delta) / width^2 and -2 delta / width^2 */
    mo_lists_sink *sink;
} job;

/* Buffered lists of the slots [first, last). */
typedef struct outbox {
    const job *j;
    int64_t first, last, used;
    _Alignas(32) int32_t index[OUT];
} outbox;

static inline int64_t round_up(int64_t count)
{
    return (count + MO_WIDE - 1) / MO_WIDE * MO_WIDE;
}

static void flush(outbox *o)
{
    mo_lists *lists = o->j->sink->lists;
    int32_t *target;
    int64_t at = mo_lists_take(o->j->sink, o->used, &target);
    if (target) {
        memcpy(target, o->index, (size_t)o->used * sizeof *target);
    }
    for (int64_t slot = o->first; slot < o->last; ++slot) {
        int32_t row = o->j->from->row[slot];
        if (row < o->j->owned) {
            lists->start[row] = at;
            at += round_up(lists->count[row]);
        }
    }
    o->first = o->last;
    o->used = 0;
}

/* ---- the cells around a cell ---- */

/* From the centre of the row segment of `cell` to the centre of the cell `at`, along x. */
static inline float row_from(int64_t at, int64_t cell)
{
    int64_t first = cell / MO_CELLS_IN_ROW * MO_CELLS_IN_ROW;
    return (float)(first - at) + 0.5f * MO_CELLS_IN_ROW - 0.5f;
}

/* The cells from `low` to `high` along x: one run per row segment. */
static void add_runs(const job *j, walk *w, const int64_t at[3], int64_t low, int64_t high,
                     int64_t y, int64_t z)
{
    const int32_t *start = j->to->start + mo_cell_frame_cell(j->frame, 0, y, z);
    while (low <= high) {
        int64_t end = (low / MO_CELLS_IN_ROW + 1) * MO_CELLS_IN_ROW;
        end = end <= high ? end : high + 1;
        int32_t first = start[low], last = start[end];
        w->first[w->runs] = first;
        w->last[w->runs] = last;
        w->from[w->runs][0] = row_from(at[0], low);
        w->from[w->runs][1] = (float)(y - at[1]);
        w->from[w->runs][2] = (float)(z - at[2]);
        w->runs++;
        w->total += last - first;
        low = end;
    }
}

/* The cell's own row first. */
static void walk_around(const job *j, const int64_t at[3], walk *w)
{
    const mo_cell_frame *f = j->frame;
    int64_t low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = at[k] > j->reach ? at[k] - j->reach : 0;
        high[k] = at[k] + j->reach < f->size[k] ? at[k] + j->reach : f->size[k] - 1;
    }
    w->runs = 0;
    w->total = 0;
    add_runs(j, w, at, low[0], high[0], at[1], at[2]);
    for (int64_t z = low[2]; z <= high[2]; ++z) {
        for (int64_t y = low[1]; y <= high[1]; ++y) {
            if (y != at[1] || z != at[2]) {
                add_runs(j, w, at, low[0], high[0], y, z);
            }
        }
    }
}

/* Copies a run to the end of the buffer, and up to seven further slots, which the next run
 * overwrites. */
MO_INLINE void fill_run(const mo_cells *c, const float from[3], int32_t first, int32_t last,
                        buffer *b, int at)
{
    mo_f8 fx = mo_f8_set(from[0]), fy = mo_f8_set(from[1]), fz = mo_f8_set(from[2]);
    for (int32_t slot = first; slot < last; slot += MO_WIDE, at += MO_WIDE) {
        const float *p = c->offset + slot;
        mo_f8 x = mo_f8_load(p) + fx, y = mo_f8_load(p + c->stride) + fy,
              z = mo_f8_load(p + 2 * c->stride) + fz;
        mo_f8_store(b->x + at, x);
        mo_f8_store(b->y + at, y);
        mo_f8_store(b->z + at, z);
        mo_f8_store(b->square + at, x * x + y * y + z * z);
        mo_i8_store(b->row + at, mo_i8_load(c->row + slot));
    }
}

static void fill_buffer(const job *j, const walk *w, buffer *b)
{
    int at = 0;
    for (int k = 0; k < w->runs; ++k) {
        fill_run(j->to, w->from[k], w->first[k], w->last[k], b, at);
        at += w->last[k] - w->first[k];
    }
    mo_f8_store(b->square + at, mo_f8_set(1e6f)); /* beyond any radius */
    mo_f8_store(b->x + at, mo_f8_set(0));
    mo_f8_store(b->y + at, mo_f8_set(0));
    mo_f8_store(b->z + at, mo_f8_set(0));
    b->count = (at + MO_WIDE - 1) / MO_WIDE * MO_WIDE;
}

/* ---- one point against a buffer ---- */

typedef struct point {
    mo_f8 x, y, z, bound; /* -2 q, and the right hand side */
    int32_t row;
    int self; /* its index in the buffer; beyond the end if absent */
} point;

static point point_at(const job *j, int32_t slot, float from, int self)
{
    const mo_cells *c = j->from;
    const float *p = c->offset + slot;
    float x = p[0] + from, y = p[c->stride], z = p[2 * c->stride];
    int32_t row = c->row[slot];
    return (point){.x = mo_f8_set(-2 * x),
                   .y = mo_f8_set(-2 * y),
                   .z = mo_f8_set(-2 * z),
                   .bound = mo_f8_set(j->bound - (x * x + y * y + z * z)),
                   .row = row,
                   .self = self};
}

/* Negative where a point of the buffer may be within the radius. */
MO_INLINE mo_f8 excess(const buffer *b, int k, const point *p)
{
    mo_f8 sum = mo_f8_load(b->square + k) - p->bound;
    sum = mo_f8_multiply_add_roughly(mo_f8_load(b->x + k), p->x, sum);
    sum = mo_f8_multiply_add_roughly(mo_f8_load(b->y + k), p->y, sum);
    return mo_f8_multiply_add_roughly(mo_f8_load(b->z + k), p->z, sum);
}

/* Writes the rows found and returns their number. *sure: none is ambiguous. */
static int64_t test_point(const buffer *b, const point *p, mo_i8 doubt, int32_t *out, bool *sure)
{
    mo_i8 least = mo_i8_set(0);
    int32_t *end = out;
    int k = 0;
    for (; k < b->own; k += MO_WIDE) { /* these may include the point itself */
        mo_f8 e = excess(b, k, p);
        unsigned self = (unsigned)(p->self - k);
        unsigned bits = mo_f8_signs(e) & ~(self < MO_WIDE ? 1u << self : 0);
        least = mo_i8_min(least, (mo_i8)e);
        end += mo_i8_pack(end, mo_i8_load(b->row + k), bits);
    }
    for (; k < b->count; k += MO_WIDE) {
        mo_f8 e = excess(b, k, p);
        least = mo_i8_min(least, (mo_i8)e);
        end += mo_i8_pack(end, mo_i8_load(b->row + k), mo_f8_signs(e));
    }
    /* as integers, negative floats ascend with their magnitude, and are below all others */
    *sure = mo_f8_signs((mo_f8)(least < doubt)) == 0;
    return end - out;
}

/* The bits of eight points without ambiguous ones that are too far away. */
static unsigned decide(const job *j, const int32_t row[MO_WIDE], const point *p, mo_f8 e,
                       unsigned bits)
{
    mo_vec3 position = mo_vec3_load(j->from->x + 3 * (int64_t)p->row);
    for (int lane = 0; lane < MO_WIDE; ++lane) {
        if ((bits & 1u << lane) && e[lane] >= j->doubt &&
            !mo_search_within(j->to->x + 3 * (int64_t)row[lane], position, j->radius * j->radius)) {
            bits &= ~(1u << lane);
        }
    }
    return bits;
}

/* As test_point, with ambiguous pairs decided in double. */
static int64_t test_point_again(const job *j, const buffer *b, const point *p, int32_t *out)
{
    int32_t *end = out;
    for (int k = 0; k < b->count; k += MO_WIDE) {
        mo_f8 e = excess(b, k, p);
        unsigned self = (unsigned)(p->self - k);
        unsigned bits = mo_f8_signs(e) & ~(self < MO_WIDE ? 1u << self : 0);
        bits = decide(j, b->row + k, p, e, bits);
        end += mo_i8_pack(end, mo_i8_load(b->row + k), bits);
    }
    return end - out;
}

/* ---- one point in double, for cells that are too full or beyond the range of floats ---- */

static int64_t test_exactly(const job *j, const walk *w, mo_vec3 position, int32_t self,
                            int32_t *out)
{
    const mo_cells *c = j->to;
    int64_t count = 0;
    for (int n = 0; n < w->runs; ++n) {
        for (int32_t k = w->first[n]; k < w->last[n]; ++k) {
            if (k != self &&
                mo_search_within(c->x + 3 * (int64_t)c->row[k], position, j->radius * j->radius)) {
                if (out) {
                    out[count] = c->row[k];
                }
                ++count;
            }
        }
    }
    return count;
}

static int64_t finish(const job *j, int32_t *list, int64_t count, int32_t row)
{
    int64_t end = round_up(count);
    for (int64_t k = count; k < end; ++k) {
        list[k] = j->self ? row : 0;
    }
    return end;
}

static void search_exactly(outbox *o, const walk *w, int32_t slot)
{
    const job *j = o->j;
    int32_t row = j->from->row[slot], self = j->self ? slot : -1, *target;
    mo_vec3 at = mo_vec3_load(j->from->x + 3 * (int64_t)row);
    int64_t count = test_exactly(j, w, at, self, NULL);
    mo_lists *lists = j->sink->lists;
    lists->start[row] = mo_lists_take(j->sink, round_up(count), &target);
    lists->count[row] = (int32_t)count;
    if (target) {
        test_exactly(j, w, at, self, target);
        finish(j, target, count, row);
    }
}

/* ---- all points ---- */

static void search_point(outbox *o, const buffer *b, int32_t slot, float from, int self)
{
    const job *j = o->j;
    bool sure;
    if (o->used > 0 &&
        o->used + b->count + MO_WIDE > OUT_DEFAULT) { /* larger only if one list requires it */
        flush(o);
    }
    point p = point_at(j, slot, from, self);
    int32_t *out = o->index + o->used;
    int64_t count = test_point(b, &p, (mo_i8)mo_f8_set(j->doubt), out, &sure);
    if (!sure) {
        count = test_point_again(j, b, &p, out);
    }
    mo_i8_store(out + count, mo_i8_set(j->self ? p.row : 0));
    j->sink->lists->count[p.row] = (int32_t)count;
    o->used += round_up(count);
    o->last = slot + 1;
}

/* Whether an adjacent cell may contain outliers of the frame. */
static bool meets_strays(const job *j, const int64_t at[3])
{
    bool near_border = false;
    for (int k = 0; k < 3; ++k) {
        near_border = near_border || at[k] <= j->reach || at[k] + j->reach >= j->frame->size[k] - 1;
    }
    return near_border;
}

/* The buffer index of a slot of the own cell. */
static int own_number(const walk *w, int32_t slot)
{
    int number = 0, run = 0;
    while (slot < w->first[run] || slot >= w->last[run]) {
        number += w->last[run] - w->first[run];
        ++run;
    }
    return number + (slot - w->first[run]);
}

/* Lists of a cell without points around it, as most cells of a fluid are for its boundary. */
static void leave_empty(outbox *o, int32_t first, int32_t last)
{
    const job *j = o->j;
    for (int32_t slot = first; slot < last; ++slot) {
        int32_t row = j->from->row[slot];
        if (row < j->owned) {
            j->sink->lists->count[row] = 0;
        }
    }
    o->last = last;
}

static void search_cell(outbox *o, buffer *b, int64_t cell)
{
    const job *j = o->j;
    const mo_cell_frame *f = j->frame;
    int32_t first = j->from->start[cell], last = j->from->start[cell + 1];
    int64_t at[3] = {cell % f->size[0], cell / f->size[0] % f->size[1],
                     cell / (f->size[0] * f->size[1])};
    walk w;
    int self = 0;
    if (first == last) {
        return;
    }
    walk_around(j, at, &w);
    if (w.total == 0 && !j->strays) {
        leave_empty(o, first, last);
        return;
    }
    bool exactly = w.total > BUFFER || (j->strays && meets_strays(j, at));
    if (exactly) {
        flush(o);
    } else {
        fill_buffer(j, &w, b);
        self = j->self ? own_number(&w, first) : 2 * BUFFER;
        b->own = j->self ? (self + (last - first) + MO_WIDE - 1) / MO_WIDE * MO_WIDE : 0;
    }
    for (int32_t slot = first; slot < last; ++slot) {
        if (j->from->row[slot] >= j->owned) {
            continue;
        }
        if (exactly) {
            search_exactly(o, &w, slot);
        } else {
            search_point(o, b, slot, row_from(at[0], at[0]), self + (slot - first));
        }
    }
    o->last = last;
    o->first = exactly ? last : o->first;
}

static void search_cells(void *context, int64_t first, int64_t last)
{
    outbox o; /* not cleared entirely, which would cost as much as some lists */
    buffer b;
    o.j = context;
    o.used = 0;
    o.first = o.last = o.j->from->start[first];
    for (int64_t cell = first; cell < last; ++cell) {
        search_cell(&o, &b, cell);
    }
    flush(&o);
}

static void search_all(void *context, mo_lists_sink *sink, mo_pool *pool)
{
    job *j = context;
    j->sink = sink;
    mo_parallel_for(pool, mo_cell_frame_cells(j->frame), CELL_GRAIN, search_cells, j);
}

mote_status mo_cells_lists(const mo_cells_job *asked, mo_pool *pool, mo_lists *lists,
                           mote_error *error)
{
    double m = (double)asked->reach + 1, delta = 3 * m * m * 0x1p-19;
    double r = asked->radius * asked->frame->inverse_width;
    MOTE_ASSERT(asked->reach <= REACH_MAX);
    job j = {.frame = asked->frame,
             .from = asked->from ? asked->from : asked->to,
             .to = asked->to,
             .self = !asked->from,
             .strays = asked->strays,
             .owned = asked->owned,
             .reach = asked->reach,
             .radius = asked->radius,
             .bound = (float)(r * r + delta),
             .doubt = (float)(-2 * delta)};
    return mo_lists_make(lists, asked->owned, pool, search_all, &j, error);
}
