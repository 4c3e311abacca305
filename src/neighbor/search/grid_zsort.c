/*
 * Cells in Morton order: the interleaved bits of a cell's coordinates are its index along a
 * space-filling curve. Neighbouring cells are often close in memory, which improves cache reuse
 * (Ihmsen, Akinci, Becker, Teschner 2011, section 3.2: Z-index sort). G. M. Morton 1966, "A
 * computer oriented geodetic data base".
 *
 * Particles move little in a step. An update keeps the order of points that stayed in their cells,
 * sorts the others and merges them: one pass instead of a full sort. Every `resort` updates, and
 * when more than one in 24 has changed cell (where a full sort is measured to be faster), points
 * are sorted from scratch. The result is the same either way.
 *
 * Departs from the paper: cell coordinates are modulo 2^21, so that space is unbounded (aliased
 * cells are distinguished by distances); cells are found in a table of used cells instead of the
 * whole domain.
 */
#include "base/hash.h"
#include "base/radix.h"
#include "neighbor/search/lattice.h"
#include "neighbor/search/morton.h"
#include "neighbor/search/packed.h"

#include <string.h>

enum { ROW_GRAIN = 8192, MOVERS_MAX_PART = 24, SAMPLE = 61 };

typedef struct parameters {
    double width;
    int64_t resort;
} parameters;

static const mo_param PARAMS[] = {
    {"width", MO_REAL, MO_FIELD(parameters, width), .unit = "radius", .initial = "1",
     .range = MO_LATTICE_WIDTHS, .doc = "Cell width, in search radii."},
    {"resort", MO_INT, MO_FIELD(parameters, resort), .initial = "100", .range = "[1, inf)",
     .doc = "Number of updates between full sorts; in between, points that changed cell are "
            "merged."},
    {0}};

/* A used cell, in a table with open addressing; last = 0: a free slot. */
typedef struct slot {
    uint64_t key;
    int32_t first, last;
} slot;

typedef struct grid_zsort {
    mo_packed packed;
    parameters p;
    mo_radix radix; /* its items are keys and rows by slot */
    double inverse_width;
    int64_t origin[3]; /* the cell at the corner of the points when they were sorted */
    int64_t updates;
    bool ready; /* the last build or update succeeded */
    slot *slots;
    int64_t slots_capacity, slot_count; /* count: a power of two */
    int64_t *mover_count;               /* by block, of an update */
    int64_t mover_count_capacity;
} grid_zsort;

static const mo_structure_array ARRAYS[] = {MO_PACKED_ARRAYS(grid_zsort),
                                            MO_STRUCTURE_ARRAY(grid_zsort, slots),
                                            MO_STRUCTURE_ARRAY(grid_zsort, mover_count),
                                            {0}};

static const parameters DEFAULTS = {1, 100};

static inline uint64_t key_at(const grid_zsort *g, const double *x)
{
    mo_lattice_cell c = mo_lattice_at(g->inverse_width, x);
    return mo_morton_bits(c.at[0] - g->origin[0]) | mo_morton_bits(c.at[1] - g->origin[1]) << 1 |
           mo_morton_bits(c.at[2] - g->origin[2]) << 2;
}

/* ---- the table of used cells ---- */

static inline slot *slot_of(const grid_zsort *g, uint64_t key)
{
    uint64_t mask = (uint64_t)g->slot_count - 1, at = mo_hash_mix(key) & mask;
    while (g->slots[at].last != 0 && g->slots[at].key != key) {
        at = (at + 1) & mask;
    }
    return g->slots + at;
}

static mote_status size_table(grid_zsort *g, int64_t cells, mote_error *error)
{
    if (4 * cells > 3 * g->slot_count || g->slot_count == 0) {
        int64_t count = 16;
        while (count < 2 * cells) {
            count *= 2;
        }
        MO_TRY(mo_reserve(g->packed.head.memory, &g->slots, &g->slots_capacity, count,
                          sizeof *g->slots, error));
        g->slot_count = count;
    }
    memset(g->slots, 0, (size_t)g->slot_count * sizeof *g->slots);
    return MOTE_OK;
}

/* Data derived from the sorted items. */
static mote_status finish(grid_zsort *g, mo_pool *pool, mote_error *error)
{
    const mo_keyed *item = g->radix.item;
    int64_t rows = g->packed.head.points.rows, cells = 0;
    for (int64_t index = 0; index < rows; ++index) {
        g->packed.row_at[index] = (int32_t)item[index].row;
        cells += index == 0 || item[index].key != item[index - 1].key;
    }
    mo_packed_fill(&g->packed, pool);
    MO_TRY(size_table(g, cells, error));
    for (int64_t first = 0, last = 0; first < rows; first = last) {
        for (last = first + 1; last < rows && item[last].key == item[first].key;) {
            ++last;
        }
        *slot_of(g, item[first].key) = (slot){item[first].key, (int32_t)first, (int32_t)last};
    }
    g->ready = true;
    return MOTE_OK;
}

/* ---- building ---- */

static void find_keys(void *context, int64_t first, int64_t last)
{
    grid_zsort *g = context;
    for (int64_t row = first; row < last; ++row) {
        g->radix.item[row] = (mo_keyed){key_at(g, g->packed.head.points.x + 3 * row), row};
    }
}

static mote_status grid_zsort_build(void *instance, const mo_search_points *points, mo_pool *pool,
                                    mote_error *error)
{
    grid_zsort *g = instance;
    int64_t rows = points->rows;
    g->packed.head.points = *points;
    g->updates = 0;
    g->ready = false;
    MO_TRY(mo_radix_resize(&g->radix, rows, error));
    MO_TRY(mo_packed_resize(&g->packed, rows, error));
    MO_TRY(mo_reserve(g->packed.head.memory, &g->mover_count, &g->mover_count_capacity,
                      rows / ROW_GRAIN + 2, sizeof *g->mover_count, error));
    g->inverse_width = 1 / (g->p.width * points->radius);
    for (int k = 0; rows > 0 && k < 3; ++k) {
        g->origin[k] = mo_lattice_along(g->inverse_width, points->low[k]);
    }
    mo_parallel_for(pool, rows, ROW_GRAIN, find_keys, g);
    mo_radix_sort(&g->radix, rows, pool);
    return finish(g, pool, error);
}

/* ---- updating ---- */

/* Marks a row that has changed its cell; row indices are far below the mark. */
#define MOVED (INT64_C(1) << 62)

static void find_movers(void *context, int64_t first, int64_t last)
{
    grid_zsort *g = context;
    int64_t movers = 0;
    for (int64_t index = first; index < last; ++index) {
        mo_keyed *item = g->radix.item + index;
        uint64_t key = key_at(g, g->packed.head.points.x + 3 * item->row);
        item->row |= key != item->key ? MOVED : 0;
        movers += key != item->key;
        item->key = key;
    }
    g->mover_count[first / ROW_GRAIN] = movers;
}

/* Estimates from every 61st point whether too many have moved. */
static bool many_move(const grid_zsort *g)
{
    int64_t movers = 0;
    for (int64_t index = 0; index < g->packed.head.points.rows; index += SAMPLE) {
        const mo_keyed *item = g->radix.item + index;
        movers += key_at(g, g->packed.head.points.x + 3 * item->row) != item->key;
    }
    return movers > 8 && movers > g->packed.head.points.rows / (SAMPLE * MOVERS_MAX_PART);
}

typedef struct repair {
    grid_zsort *g;
    int64_t movers, stayers;
} repair;

/* Partitions into unmoved points, then moved points, in `other`. */
static void part_items(void *context, int64_t first, int64_t last)
{
    const repair *r = context;
    grid_zsort *g = r->g;
    int64_t mover = g->mover_count[first / ROW_GRAIN], stayer = first - mover;
    for (int64_t index = first; index < last; ++index) {
        mo_keyed item = g->radix.item[index];
        if (item.row & MOVED) {
            g->radix.other[r->stayers + mover++] = (mo_keyed){item.key, item.row & ~MOVED};
        } else {
            g->radix.other[stayer++] = item;
        }
    }
}

static inline bool before(mo_keyed a, mo_keyed b)
{
    return a.key < b.key || (a.key == b.key && a.row < b.row);
}

static void sink(mo_keyed *item, int64_t at, int64_t count)
{
    mo_keyed moving = item[at];
    for (int64_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && before(item[child], item[child + 1]);
        if (!before(moving, item[child])) {
            break;
        }
        item[at] = item[child];
    }
    item[at] = moving;
}

static void sort_movers(mo_keyed *item, int64_t count)
{
    for (int64_t k = count / 2 - 1; k >= 0; --k) {
        sink(item, k, count);
    }
    for (int64_t k = count - 1; k > 0; --k) {
        mo_keyed last = item[k];
        item[k] = item[0];
        item[0] = last;
        sink(item, 0, k);
    }
}

/* Number of moved points before an item. */
static int64_t movers_before(const mo_keyed *mover, int64_t count, mo_keyed item)
{
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (before(mover[middle], item)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Merges the unmoved points [first, last) with the moved points before each of them; the last block
 * has the remaining ones too. */
static void merge_items(void *context, int64_t first, int64_t last)
{
    const repair *r = context;
    const mo_keyed *stayer = r->g->radix.other, *mover = stayer + r->stayers;
    int64_t next = first == 0 ? 0 : movers_before(mover, r->movers, stayer[first - 1]);
    mo_keyed *to = r->g->radix.item + first + next;
    for (int64_t k = first; k < last; ++k) {
        while (next < r->movers && before(mover[next], stayer[k])) {
            *to++ = mover[next++];
        }
        *to++ = stayer[k];
    }
    while (last == r->stayers && next < r->movers) {
        *to++ = mover[next++];
    }
}

static mote_status grid_zsort_update(void *instance, const mo_search_points *points, mo_pool *pool,
                                     mote_error *error)
{
    grid_zsort *g = instance;
    int64_t rows = points->rows, movers = 0;
    if (!g->ready || rows != g->packed.head.points.rows ||
        points->radius != g->packed.head.points.radius || ++g->updates >= g->p.resort) {
        return grid_zsort_build(instance, points, pool, error);
    }
    g->packed.head.points = *points;
    if (many_move(g)) {
        return grid_zsort_build(instance, points, pool, error);
    }
    mo_parallel_for(pool, rows, ROW_GRAIN, find_movers, g);
    for (int64_t b = 0; b * ROW_GRAIN < rows; ++b) {
        int64_t count = g->mover_count[b];
        g->mover_count[b] = movers;
        movers += count;
    }
    if (movers > rows / MOVERS_MAX_PART) {
        return grid_zsort_build(instance, points, pool, error);
    }
    repair r = {g, movers, rows - movers};
    if (movers > 0) {
        g->ready = false;
        mo_parallel_for(pool, rows, ROW_GRAIN, part_items, &r);
        sort_movers(g->radix.other + r.stayers, movers);
        mo_parallel_for(pool, r.stayers, ROW_GRAIN, merge_items, &r);
        return finish(g, pool, error);
    }
    mo_packed_fill(&g->packed, pool);
    return MOTE_OK;
}

/* ---- searching ---- */

static void grid_zsort_walk(const void *instance, const mo_search_window *window, mo_runs *runs)
{
    const grid_zsort *g = instance;
    mo_lattice_range c = mo_lattice_reach(g->inverse_width, window);
    for (int64_t k = c.low.at[2]; k <= c.high.at[2]; ++k) {
        uint64_t z = mo_morton_bits(k - g->origin[2]) << 2;
        for (int64_t j = c.low.at[1]; j <= c.high.at[1]; ++j) {
            uint64_t yz = mo_morton_bits(j - g->origin[1]) << 1 | z;
            for (int64_t i = c.low.at[0]; i <= c.high.at[0]; ++i) {
                const slot *s = slot_of(g, mo_morton_bits(i - g->origin[0]) | yz);
                mo_runs_add(runs, s->first, s->last);
            }
        }
    }
}

const mo_search_type mo_search_grid_zsort = {
    .base = {.name = "grid_zsort",
             .summary = "Z-index sort: cells in Morton order, updated by merging the points that "
                        "changed cell.",
             .citation =
                 "Ihmsen, Akinci, Becker, Teschner 2011, Comput. Graph. Forum 30, 99, section 3.2",
             .departs =
                 "Cell coordinates are modulo 2^21, so that space is unbounded; cells are found "
                 "in a table of used cells instead of an array over the domain.",
             .capabilities = MO_SEARCH_UPDATES | MO_SEARCH_PARALLEL | MO_PORTABLE,
             .param_size = sizeof(parameters),
             .params = PARAMS},
    .layout = {.size = sizeof(grid_zsort),
               .params = offsetof(grid_zsort, p),
               .defaults = &DEFAULTS,
               .radix = offsetof(grid_zsort, radix),
               .arrays = ARRAYS},
    .build = grid_zsort_build,
    .update = grid_zsort_update,
    .walk = grid_zsort_walk,
    .near = mo_packed_near,
    .lists = mo_packed_lists,
};
