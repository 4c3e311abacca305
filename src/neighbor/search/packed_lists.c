/*
 * All lists of packed points. Consecutive, nearby slots form a batch with one query for runs.
 * Points within reach of the batch's box are copied into a buffer in the first-level cache, as
 * floats relative to the box's centre in units of the radius, and every slot of the batch is tested
 * against it, eight at a time, as in cell_lists.c:
 *
 *     |p - q|^2 <= 1   <=>   |p|^2 - 2 p.q - (1 + delta - |q|^2) <= delta.
 *
 * A batch is at most BATCH_WIDTH radii wide, so all numbers are below (BATCH_WIDTH / 2 + 1) along
 * each axis and no term of the sum is above 7; fewer than 20 roundings of 2^-24 of that, the first
 * of which is that of the coordinates. `delta` is more than that. Pairs within 2 delta of the bound
 * are decided in double.
 */
#include "neighbor/search/lanes.h"
#include "neighbor/search/packed.h"

enum {
    LANES = 4,
    SLOT_GRAIN = 512,
    FOUND_MAX = 2048,
    BATCH_MAX = 24,
    BUFFER = 1024,
    CAPACITY = BUFFER + 16
};

/* In radii. */
static const double BATCH_WIDTH = 1.6;
static const float DELTA = 0x1p-14f;

typedef struct listing {
    const mo_packed *packed;
    double radius;
    int64_t owned;
    const double *x; /* by row */
    mo_lists_sink *sink;
} listing;

typedef struct batch {
    mo_runs runs;
    bool overflow; /* too many runs: every slot is queried separately */
    bool buffered; /* the candidates are in the buffer */
    int64_t first, last;
    mo_search_window window;
    double middle[3], scale;
    int count; /* of candidates */
    _Alignas(32) float x[CAPACITY], y[CAPACITY], z[CAPACITY], square[CAPACITY];
    _Alignas(32) int32_t row[CAPACITY];
} batch;

static void give_up(mo_runs *runs)
{
    ((batch *)runs)->overflow = true;
}

/* Nearby slots from b->first on, and the window around them. */
static void choose_batch(const listing *l, int64_t limit, batch *b)
{
    const mo_packed *p = l->packed;
    int64_t slot = b->first;
    mo_search_window w =
        mo_search_window_at(mo_vec3_make(p->x[slot], p->y[slot], p->z[slot]), l->radius);
    double width = BATCH_WIDTH * l->radius;
    for (++slot; slot < limit && slot - b->first < BATCH_MAX && p->row_at[slot] >= 0; ++slot) {
        mo_search_window wider = w;
        mo_search_window_include(&wider, (double[3]){p->x[slot], p->y[slot], p->z[slot]});
        if (wider.high[0] - wider.low[0] > width || wider.high[1] - wider.low[1] > width ||
            wider.high[2] - wider.low[2] > width) {
            break;
        }
        w = wider;
    }
    b->last = slot;
    b->window = w;
    b->scale = 1 / l->radius;
    for (int k = 0; k < 3; ++k) {
        b->middle[k] = 0.5 * w.low[k] + 0.5 * w.high[k];
    }
}

/* ---- the buffer ---- */

MO_INLINE mo_d4 gap_of(mo_d4 x, double low, double high)
{
    return mo_d4_max(mo_d4_max(mo_d4_set(low) - x, x - mo_d4_set(high)), mo_d4_set(0));
}

/* Copies the candidates of a run that are within reach of the window. */
static int copy_run(const mo_packed *p, batch *b, int64_t first, int64_t last, int count)
{
    const mo_search_window *w = &b->window;
    mo_d4 scale = mo_d4_set(b->scale), square = mo_d4_set(w->square);
    for (int64_t at = first; at < last; at += LANES) {
        mo_d4 x = mo_d4_load(p->x + at), y = mo_d4_load(p->y + at), z = mo_d4_load(p->z + at);
        mo_d4 gx = gap_of(x, w->low[0], w->high[0]), gy = gap_of(y, w->low[1], w->high[1]);
        mo_d4 gz = gap_of(z, w->low[2], w->high[2]);
        mo_l4 within = gx * gx + gy * gy + gz * gz <= square;
        x = (x - mo_d4_set(b->middle[0])) * scale;
        y = (y - mo_d4_set(b->middle[1])) * scale;
        z = (z - mo_d4_set(b->middle[2])) * scale;
        unsigned bits = mo_lane_bits(within) & (last - at < LANES ? (1u << (last - at)) - 1 : 15);
        mo_pack_floats(b->x + count, x, bits);
        mo_pack_floats(b->y + count, y, bits);
        mo_pack_floats(b->z + count, z, bits);
        count += mo_pack_rows(b->row + count, p->row_at + at, bits);
    }
    return count;
}

static void fill_buffer(const mo_packed *p, batch *b)
{
    int count = 0;
    b->buffered = !b->overflow;
    for (int r = 0; r < b->runs.count && b->buffered; ++r) {
        int64_t first = b->runs.first[r], last = b->runs.last[r];
        b->buffered = count + (last - first) <= BUFFER;
        count = b->buffered ? copy_run(p, b, first, last, count) : 0;
    }
    b->count = (count + MO_WIDE - 1) / MO_WIDE * MO_WIDE;
    for (int k = count; k < b->count; ++k) { /* beyond any radius */
        b->x[k] = b->y[k] = b->z[k] = 100;
        b->row[k] = 0;
    }
    for (int k = 0; k < b->count; k += MO_WIDE) {
        mo_f8 x = mo_f8_load(b->x + k), y = mo_f8_load(b->y + k), z = mo_f8_load(b->z + k);
        mo_f8_store(b->square + k, x * x + y * y + z * z);
    }
}

/* Clears the bits of ambiguous candidates that are too far away. */
static unsigned decide(const listing *l, const int32_t row[MO_WIDE], int64_t slot, mo_f8 excess,
                       unsigned bits)
{
    const mo_packed *p = l->packed;
    mo_vec3 at = mo_vec3_make(p->x[slot], p->y[slot], p->z[slot]);
    for (int lane = 0; lane < MO_WIDE; ++lane) {
        if ((bits & 1u << lane) && excess[lane] >= -2 * DELTA &&
            !mo_search_within(l->x + 3 * (int64_t)row[lane], at, l->radius * l->radius)) {
            bits &= ~(1u << lane);
        }
    }
    return bits;
}

/* Without the slot itself. `out` has space for all candidates and seven more. */
static int64_t scan_buffer(const listing *l, const batch *b, int64_t slot, int32_t *out)
{
    const mo_packed *p = l->packed;
    float qx = (float)((p->x[slot] - b->middle[0]) * b->scale);
    float qy = (float)((p->y[slot] - b->middle[1]) * b->scale);
    float qz = (float)((p->z[slot] - b->middle[2]) * b->scale);
    mo_f8 ax = mo_f8_set(-2 * qx), ay = mo_f8_set(-2 * qy), az = mo_f8_set(-2 * qz);
    mo_f8 bound = mo_f8_set(1 + DELTA - (qx * qx + qy * qy + qz * qz));
    mo_f8 doubt = mo_f8_set(-2 * DELTA);
    mo_i8 self = mo_i8_set(p->row_at[slot]);
    int32_t *end = out;
    for (int k = 0; k < b->count; k += MO_WIDE) {
        mo_f8 sum = mo_f8_load(b->square + k) - bound;
        sum = mo_f8_multiply_add_roughly(mo_f8_load(b->x + k), ax, sum);
        sum = mo_f8_multiply_add_roughly(mo_f8_load(b->y + k), ay, sum);
        sum = mo_f8_multiply_add_roughly(mo_f8_load(b->z + k), az, sum);
        mo_i8 row = mo_i8_load(b->row + k);
        mo_i8 within = (mo_i8)sum & ~(row == self);
        unsigned bits = mo_f8_signs((mo_f8)within);
        if (mo_f8_signs((mo_f8)(within & (sum >= doubt)))) {
            bits = decide(l, b->row + k, slot, sum, bits);
        }
        end += mo_i8_pack(end, row, bits);
    }
    return end - out;
}

/* ---- without the buffer ---- */

/* Without the slot itself; returns their number. */
static int64_t scan_runs(const listing *l, const batch *b, int64_t slot, int32_t *out,
                         int64_t capacity)
{
    const mo_packed *p = l->packed;
    mo_vec3 at = mo_vec3_make(p->x[slot], p->y[slot], p->z[slot]);
    int64_t count = 0;
    for (int r = 0; r < b->runs.count; ++r) {
        for (int64_t k = b->runs.first[r]; k < b->runs.last[r]; ++k) {
            if (k != slot &&
                mo_square((double[3]){p->x[k], p->y[k], p->z[k]}, at) <= b->window.square) {
                if (count < capacity) {
                    out[count] = p->row_at[k];
                }
                ++count;
            }
        }
    }
    return count;
}

/* A separate query of a slot. */
static int64_t scan_alone(const listing *l, int64_t slot, int32_t *out, int64_t capacity)
{
    const mo_packed *p = l->packed;
    mo_vec3 at = mo_vec3_make(p->x[slot], p->y[slot], p->z[slot]);
    int64_t count = mo_packed_near(p, at, l->radius, out, capacity), kept = 0;
    for (int64_t k = 0; k < count && k < capacity; ++k) {
        out[kept] = out[k];
        kept += out[k] != p->row_at[slot];
    }
    return count <= capacity ? kept : count;
}

/* ---- lists ---- */

static int64_t scan_slot(const listing *l, const batch *b, int64_t slot, int32_t *out,
                         int64_t capacity)
{
    if (b->buffered) {
        return scan_buffer(l, b, slot, out);
    }
    return b->overflow ? scan_alone(l, slot, out, capacity) : scan_runs(l, b, slot, out, capacity);
}

static void write_list(const listing *l, const batch *b, int64_t slot)
{
    mo_lists *lists = l->sink->lists;
    int32_t found[FOUND_MAX + MO_WIDE], *target, row = l->packed->row_at[slot];
    int64_t count = scan_slot(l, b, slot, found, FOUND_MAX);
    int64_t size = (count + MO_WIDE - 1) / MO_WIDE * MO_WIDE;
    lists->start[row] = mo_lists_take(l->sink, size, &target);
    if (target && count <= FOUND_MAX) {
        memcpy(target, found, (size_t)count * sizeof *target);
    } else if (target) {
        count = scan_slot(l, b, slot, target, size);
    }
    lists->count[row] = (int32_t)count;
    for (int64_t k = count; target && k < size; ++k) {
        target[k] = row;
    }
}

static void list_range(void *context, int64_t first, int64_t last)
{
    const listing *l = context;
    const int32_t *row_at = l->packed->row_at;
    batch b;
    b.runs.full = give_up;
    for (b.first = first; b.first < last; b.first = b.last) {
        if (row_at[b.first] < 0) {
            b.last = b.first + 1;
            continue;
        }
        choose_batch(l, last, &b);
        b.overflow = false;
        b.runs.count = 0;
        l->packed->head.type->walk(l->packed, &b.window, &b.runs);
        fill_buffer(l->packed, &b);
        for (int64_t slot = b.first; slot < b.last; ++slot) {
            if (row_at[slot] < l->owned) {
                write_list(l, &b, slot);
            }
        }
    }
}

static void list_all(void *context, mo_lists_sink *sink, mo_pool *pool)
{
    listing *l = context;
    l->sink = sink;
    mo_parallel_for(pool, l->packed->slots, SLOT_GRAIN, list_range, l);
}

mote_status mo_packed_lists(void *instance, mo_pool *pool, mo_lists *lists, mote_error *error)
{
    const mo_packed *packed = instance;
    const mo_search_points *points = &packed->head.points;
    listing l = {packed, points->radius, points->owned, points->x, NULL};
    return mo_lists_make(lists, points->owned, pool, list_all, &l, error);
}
