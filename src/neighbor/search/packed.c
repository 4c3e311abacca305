#include "neighbor/search/packed.h"

#include "neighbor/search/lanes.h"

enum { LANES = 4, ROW_GRAIN = 4096 };

/* ---- the points ---- */

/* Slots are read four at a time: up to three beyond the last are read and ignored. */
mote_status mo_packed_resize(mo_packed *packed, int64_t slots, mote_error *error)
{
    mo_memory *memory = packed->head.memory;
    int64_t need = slots + LANES - 1;
    MO_TRY(mo_reserve(memory, &packed->row_at, &packed->row_at_capacity, need, sizeof(int32_t),
                      error));
    MO_TRY(mo_reserve(memory, &packed->x, &packed->x_capacity, need, sizeof(double), error));
    MO_TRY(mo_reserve(memory, &packed->y, &packed->y_capacity, need, sizeof(double), error));
    MO_TRY(mo_reserve(memory, &packed->z, &packed->z_capacity, need, sizeof(double), error));
    packed->slots = slots;
    return MOTE_OK;
}

void mo_packed_fill_range(mo_packed *packed, int64_t first, int64_t last)
{
    const double *x = packed->head.points.x;
    for (int64_t slot = first; slot < last; ++slot) {
        const double *from = x + 3 * (int64_t)packed->row_at[slot];
        packed->x[slot] = from[0];
        packed->y[slot] = from[1];
        packed->z[slot] = from[2];
    }
}

static void fill_range(void *context, int64_t first, int64_t last)
{
    mo_packed_fill_range(context, first, last);
}

void mo_packed_fill(mo_packed *packed, mo_pool *pool)
{
    mo_parallel_for(pool, packed->slots, ROW_GRAIN, fill_range, packed);
}

void mo_packed_sort(mo_packed *packed, mo_radix *radix, int32_t *start, int64_t cells,
                    mo_pool *pool)
{
    int64_t rows = packed->slots, slot = 0;
    mo_radix_sort(radix, rows, pool);
    for (int64_t cell = 0; cell <= cells; ++cell) {
        start[cell] = (int32_t)slot;
        for (; slot < rows && radix->item[slot].key == (uint64_t)cell; ++slot) {
            packed->row_at[slot] = (int32_t)radix->item[slot].row;
        }
    }
    mo_packed_fill(packed, pool);
}

/* ---- scanning runs ---- */

typedef struct target {
    const double *x, *y, *z;
    mo_d4 px, py, pz, square;
} target;

MO_INLINE target target_at(const mo_packed *packed, double x, double y, double z, double square)
{
    return (target){packed->x,    packed->y,    packed->z,        mo_d4_set(x),
                    mo_d4_set(y), mo_d4_set(z), mo_d4_set(square)};
}

/* Bit k is set if the point at slot first + k is within; k < 4 and first + k < last. */
MO_INLINE unsigned found_bits(const target *t, int64_t first, int64_t last)
{
    mo_d4 dx = mo_d4_load(t->x + first) - t->px, dy = mo_d4_load(t->y + first) - t->py;
    mo_d4 dz = mo_d4_load(t->z + first) - t->pz;
    unsigned bits = mo_lane_bits((mo_l4)(dx * dx + dy * dy + dz * dz <= t->square));
    int64_t left = last - first;
    return bits & (left < LANES ? (1u << left) - 1 : 15);
}

/* Writes the rows of the set bits, branch-free if four fit. */
MO_INLINE int64_t put(const int32_t *row, unsigned bits, int32_t *out, int64_t left)
{
    if (left >= LANES) {
        return mo_pack_rows(out, row, bits);
    }
    int number = __builtin_popcount(bits);
    for (int k = 0; k < number && k < left; ++k) {
        out[k] = row[mo_wide_set_bits[bits][k]];
    }
    return number;
}

/* ---- single queries ---- */

typedef struct one_position {
    mo_runs runs;
    target t;
    const int32_t *row_at;
    int32_t *out;
    int64_t count, capacity;
} one_position;

static void scan_one(mo_runs *runs)
{
    one_position *one = (one_position *)runs;
    target t = one->t;
    int64_t count = one->count;
    for (int r = 0; r < runs->count; ++r) {
        for (int64_t at = runs->first[r], last = runs->last[r]; at < last; at += LANES) {
            unsigned bits = found_bits(&t, at, last);
            int64_t left = one->capacity - count;
            count += put(one->row_at + at, bits, left > 0 ? one->out + count : one->out, left);
        }
    }
    one->count = count;
}

int64_t mo_packed_near(const void *instance, mo_vec3 position, double radius, int32_t *out,
                       int64_t capacity)
{
    const mo_packed *packed = instance;
    one_position one;
    if (packed->slots == 0) {
        return 0;
    }
    mo_search_window window = mo_search_window_at(position, radius);
    one.runs.full = scan_one;
    one.runs.count = 0;
    one.t = target_at(packed, position.x, position.y, position.z, window.square);
    one.row_at = packed->row_at;
    one.out = out;
    one.count = 0;
    one.capacity = capacity;
    packed->head.type->walk(instance, &window, &one.runs);
    scan_one(&one.runs);
    return one.count;
}
