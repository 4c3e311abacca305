#include "neighbor/search/packed.h"

#include "math/wide.h"

#include <string.h>

enum {
    LANES = 4,
    ROW_GRAIN = 4096,
    PLACE_GRAIN = 512,
    FOUND_MAX = 2048,
    BATCH_MAX = 16 /* places that ask together */
};

/* A batch is at most this many radii wide: a wider one asks for more than its places need. */
static const double BATCH_WIDTH = 0.75;

/* ---- the points ---- */

void mo_packed_init(mo_packed *packed, mo_memory *memory)
{
    *packed = (mo_packed){.memory = memory};
}

void mo_packed_release(mo_packed *packed)
{
    mo_release(packed->memory, packed->row_at);
    mo_release(packed->memory, packed->x);
    mo_release(packed->memory, packed->y);
    mo_release(packed->memory, packed->z);
    mo_packed_init(packed, packed->memory);
}

/* Places are read four at a time: up to three behind the last are read and not used. */
mote_status mo_packed_resize(mo_packed *packed, int64_t places, mote_error *error)
{
    int64_t need = places + LANES - 1;
    MO_TRY(mo_make_room(packed->memory, &packed->row_at, &packed->row_capacity, need, sizeof(int32_t), error));
    MO_TRY(mo_make_room(packed->memory, &packed->x, &packed->x_capacity, need, sizeof(double), error));
    MO_TRY(mo_make_room(packed->memory, &packed->y, &packed->y_capacity, need, sizeof(double), error));
    MO_TRY(mo_make_room(packed->memory, &packed->z, &packed->z_capacity, need, sizeof(double), error));
    packed->places = places;
    return MOTE_OK;
}

int64_t mo_packed_bytes(const mo_packed *packed)
{
    return packed->row_capacity * (int64_t)sizeof(int32_t) +
           (packed->x_capacity + packed->y_capacity + packed->z_capacity) * (int64_t)sizeof(double);
}

void mo_packed_fill_range(mo_packed *packed, const double *x, int64_t first, int64_t last)
{
    for (int64_t place = first; place < last; ++place) {
        const double *from = x + 3 * (int64_t)packed->row_at[place];
        packed->x[place] = from[0];
        packed->y[place] = from[1];
        packed->z[place] = from[2];
    }
}

typedef struct filling {
    mo_packed *packed;
    const double *x;
} filling;

static void fill_range(void *context, int64_t first, int64_t last)
{
    const filling *f = context;
    mo_packed_fill_range(f->packed, f->x, first, last);
}

void mo_packed_fill(mo_packed *packed, mo_pool *pool, const double *x)
{
    mo_parallel_for(pool, packed->places, ROW_GRAIN, fill_range, &(filling){packed, x});
}

/* ---- looking through runs ---- */

typedef struct target {
    const double *x, *y, *z;
    mo_d4 px, py, pz, square;
} target;

MO_INLINE target target_at(const mo_packed *packed, double x, double y, double z, double square)
{
    return (target){packed->x,     packed->y,     packed->z,         mo_d4_set(x),
                    mo_d4_set(y), mo_d4_set(z), mo_d4_set(square)};
}

static inline unsigned bits_of(mo_l4 m)
{
#if defined(__AVX__)
    return (unsigned)_mm256_movemask_pd((mo_d4)m);
#else
    return (unsigned)((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
#endif
}

/* Bit k is set if the point at place first + k is within; k < 4 and first + k < last. */
MO_INLINE unsigned found_bits(const target *t, int64_t first, int64_t last)
{
    mo_d4 dx = mo_d4_load(t->x + first) - t->px, dy = mo_d4_load(t->y + first) - t->py;
    mo_d4 dz = mo_d4_load(t->z + first) - t->pz;
    unsigned bits = bits_of((mo_l4)(dx * dx + dy * dy + dz * dz <= t->square));
    int64_t left = last - first;
    return bits & (left < LANES ? (1u << left) - 1 : 15);
}

/* For each set of four bits: how many, and which. */
static const uint8_t NUMBER[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
static const int32_t WHICH[16][LANES] = {{0},    {0},       {1},       {0, 1},      {2},    {0, 2},
                                         {1, 2}, {0, 1, 2}, {3},       {0, 3},      {1, 3}, {0, 1, 3},
                                         {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};

/* Writes the rows of the set bits; all four if there is room, since the branch could not be guessed and what
   does not count is written over. */
MO_INLINE int64_t put(const int32_t *row, unsigned bits, int32_t *out, int64_t room)
{
    const int32_t *which = WHICH[bits];
    int number = NUMBER[bits];
    if (room >= LANES) {
#if defined(__AVX__)
        __m128 rows = _mm_loadu_ps((const float *)row);
        _mm_storeu_ps((float *)out, _mm_permutevar_ps(rows, _mm_loadu_si128((const __m128i *)which)));
#else
        for (int k = 0; k < LANES; ++k) {
            out[k] = row[which[k]];
        }
#endif
        return number;
    }
    for (int k = 0; k < number && k < room; ++k) {
        out[k] = row[which[k]];
    }
    return number;
}

/* ---- one place ---- */

typedef struct one_place {
    mo_runs runs;
    target t;
    const int32_t *row_at;
    int32_t *out;
    int64_t count, capacity;
} one_place;

static void scan_one(mo_runs *runs)
{
    one_place *one = (one_place *)runs;
    target t = one->t;
    int64_t count = one->count;
    for (int r = 0; r < runs->count; ++r) {
        for (int64_t at = runs->first[r], last = runs->last[r]; at < last; at += LANES) {
            unsigned bits = found_bits(&t, at, last);
            int64_t room = one->capacity - count;
            count += put(one->row_at + at, bits, room > 0 ? one->out + count : one->out, room);
        }
    }
    one->count = count;
}

int64_t mo_packed_near(const mo_packed *packed, mo_walk *walk, const void *instance, mo_vec3 place,
                       double radius, int32_t *out, int64_t capacity)
{
    one_place one;
    mo_window window = mo_window_at(place, radius);
    one.runs.full = scan_one;
    one.runs.count = 0;
    one.t = target_at(packed, place.x, place.y, place.z, window.square);
    one.row_at = packed->row_at;
    one.out = out;
    one.count = 0;
    one.capacity = capacity;
    walk(instance, &window, &one.runs);
    scan_one(&one.runs);
    return one.count;
}

/* ---- all lists ---- */

typedef struct listing {
    const mo_packed *packed;
    mo_walk *walk;
    const void *instance;
    double radius;
    int64_t owned;
    mo_lists_sink *sink;
} listing;

typedef struct batch {
    mo_runs runs;
    bool overflow; /* more runs than there is room for: every place asks for itself */
    int64_t first, last;
} batch;

static void give_up(mo_runs *runs)
{
    ((batch *)runs)->overflow = true;
}

/* Places from `first` on that lie close together, and the window around them. */
static mo_window batch_window(const listing *l, int64_t first, int64_t limit, int64_t *last)
{
    const mo_packed *p = l->packed;
    mo_window w = mo_window_at(mo_vec3_make(p->x[first], p->y[first], p->z[first]), l->radius);
    double width = BATCH_WIDTH * l->radius;
    int64_t place = first + 1;
    for (; place < limit && place - first < BATCH_MAX && p->row_at[place] >= 0; ++place) {
        mo_window wider = w;
        mo_window_include(&wider, (double[3]){p->x[place], p->y[place], p->z[place]});
        if (wider.high[0] - wider.low[0] > width || wider.high[1] - wider.low[1] > width ||
            wider.high[2] - wider.low[2] > width) {
            break;
        }
        w = wider;
    }
    *last = place;
    return w;
}

/* Without the place itself; returns how many there are. */
static int64_t scan_runs(const mo_packed *p, const mo_runs *runs, int64_t place, double square, int32_t *out,
                         int64_t capacity)
{
    target t = target_at(p, p->x[place], p->y[place], p->z[place], square);
    int64_t count = 0;
    for (int r = 0; r < runs->count; ++r) {
        for (int64_t at = runs->first[r], last = runs->last[r]; at < last; at += LANES) {
            unsigned bits = found_bits(&t, at, last);
            int64_t self = place - at, room = capacity - count;
            bits &= ~((uint64_t)self < LANES ? 1u << self : 0);
            count += put(p->row_at + at, bits, room > 0 ? out + count : out, room);
        }
    }
    return count;
}

/* A place that asks for itself. */
static int64_t scan_alone(const listing *l, int64_t place, int32_t *out, int64_t capacity)
{
    const mo_packed *p = l->packed;
    mo_vec3 at = mo_vec3_make(p->x[place], p->y[place], p->z[place]);
    int64_t count = mo_packed_near(p, l->walk, l->instance, at, l->radius, out, capacity), kept = 0;
    for (int64_t k = 0; k < count && k < capacity; ++k) {
        out[kept] = out[k];
        kept += out[k] != p->row_at[place];
    }
    return count <= capacity ? kept : count;
}

static int64_t scan_place(const listing *l, const batch *b, int64_t place, int32_t *out, int64_t capacity)
{
    return b->overflow ? scan_alone(l, place, out, capacity)
                       : scan_runs(l->packed, &b->runs, place, l->radius * l->radius, out, capacity);
}

static void write_list(const listing *l, const batch *b, int64_t place)
{
    mo_lists *lists = l->sink->lists;
    int32_t found[FOUND_MAX + MO_WIDE], *room, row = l->packed->row_at[place];
    int64_t count = scan_place(l, b, place, found, FOUND_MAX);
    int64_t size = (count + MO_WIDE - 1) / MO_WIDE * MO_WIDE;
    lists->start[row] = mo_lists_take(l->sink, size, &room);
    if (room && count <= FOUND_MAX) {
        memcpy(room, found, (size_t)count * sizeof *room);
    } else if (room) {
        count = scan_place(l, b, place, room, size);
    }
    lists->count[row] = (int32_t)count;
    for (int64_t k = count; room && k < size; ++k) {
        room[k] = row;
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
        mo_window w = batch_window(l, b.first, last, &b.last);
        b.overflow = false;
        b.runs.count = 0;
        l->walk(l->instance, &w, &b.runs);
        for (int64_t place = b.first; place < b.last; ++place) {
            if (row_at[place] < l->owned) {
                write_list(l, &b, place);
            }
        }
    }
}

static void list_all(void *context, mo_lists_sink *sink, mo_pool *pool)
{
    listing *l = context;
    l->sink = sink;
    mo_parallel_for(pool, l->packed->places, PLACE_GRAIN, list_range, l);
}

mote_status mo_packed_lists(const mo_packed *packed, mo_walk *walk, const void *instance,
                            const mo_search_points *points, mo_pool *pool, mo_lists *lists, mote_error *error)
{
    listing l = {packed, walk, instance, points->radius, points->owned, NULL};
    return mo_lists_make(lists, points->owned, pool, list_all, &l, error);
}
