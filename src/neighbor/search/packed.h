/*
 * Points in the order of a structure, and the scan of ranges of that order.
 *
 * A structure sorts points for spatial locality and answers a query with runs: ranges of slots that
 * contain everything within reach of a window. The runs are scanned here, four points at once.
 * Lists are built in batches: consecutive, nearby slots share one query for runs, which makes lists
 * cheaper than a search per row, for every structure.
 *
 * A slot may be empty (row -1, coordinates NaN).
 */
#ifndef MO_NEIGHBOR_SEARCH_PACKED_H
#define MO_NEIGHBOR_SEARCH_PACKED_H

#include "base/radix.h"
#include "neighbor/search/search.h"

/* Common head of structures with packed points. */
typedef struct mo_packed {
    mo_structure head;
    int64_t slots;
    int32_t *row_at;
    double *x, *y, *z;
    int64_t row_at_capacity, x_capacity, y_capacity, z_capacity;
} mo_packed;

/* The arrays of the head `packed` of a type, for its layout. */
#define MO_PACKED_ARRAYS(type) \
    MO_STRUCTURE_ARRAY(type, packed.row_at), MO_STRUCTURE_ARRAY(type, packed.x), \
        MO_STRUCTURE_ARRAY(type, packed.y), MO_STRUCTURE_ARRAY(type, packed.z)

/* Reserves this many slots; contents are kept. */
mote_status mo_packed_resize(mo_packed *packed, int64_t slots, mote_error *error);

/* Gathers the coordinates of the rows of all slots. */
void mo_packed_fill(mo_packed *packed, mo_pool *pool);
void mo_packed_fill_range(mo_packed *packed, int64_t first, int64_t last);

/* Packs rows by the keys in `radix`, all below `cells`; those of cell c begin at start[c], of which
   there are cells + 1. */
void mo_packed_sort(mo_packed *packed, mo_radix *radix, int32_t *start, int64_t cells,
                    mo_pool *pool);

static inline void mo_packed_set(mo_packed *packed, int64_t slot, int32_t row, const double *x)
{
    packed->row_at[slot] = row;
    packed->x[slot] = x[0];
    packed->y[slot] = x[1];
    packed->z[slot] = x[2];
}

static inline void mo_packed_move(mo_packed *packed, int64_t to, int64_t from)
{
    packed->row_at[to] = packed->row_at[from];
    packed->x[to] = packed->x[from];
    packed->y[to] = packed->y[from];
    packed->z[to] = packed->z[from];
}

static inline void mo_packed_clear(mo_packed *packed, int64_t slot)
{
    packed->row_at[slot] = -1;
    packed->x[slot] = packed->y[slot] = packed->z[slot] = (double)NAN;
}

enum { MO_RUNS_MAX = 192 };

/* The runs found so far; `full` consumes them when the buffer is full, and at the end. */
typedef struct mo_runs {
    void (*full)(struct mo_runs *runs);
    int count;
    int32_t first[MO_RUNS_MAX], last[MO_RUNS_MAX];
} mo_runs;

static inline void mo_runs_add(mo_runs *runs, int32_t first, int32_t last)
{
    if (first >= last) {
        return;
    }
    if (runs->count > 0 && runs->last[runs->count - 1] == first) {
        runs->last[runs->count - 1] = last;
        return;
    }
    if (runs->count == MO_RUNS_MAX) {
        runs->full(runs);
        runs->count = 0;
    }
    runs->first[runs->count] = first;
    runs->last[runs->count++] = last;
}

/* `near` and `lists` of search.h, by the structure's walk. */
int64_t mo_packed_near(const void *instance, mo_vec3 position, double radius, int32_t *out,
                       int64_t capacity);
mote_status mo_packed_lists(void *instance, mo_pool *pool, mo_lists *lists, mote_error *error);

#endif
