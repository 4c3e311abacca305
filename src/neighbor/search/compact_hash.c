/*
 * Compact hashing: a sparse hash table whose entries are indices into a dense list of used cells.
 * An update modifies the list where points have changed cells; empty cells are removed, and the
 * table is never cleared. Points are sorted along the Morton curve of their cells by a build and
 * every `resort` updates, so that neighbouring cells stay close in memory. Ihmsen, Akinci, Becker,
 * Teschner 2011, "A parallel SPH implementation on multi-core CPUs", sections 3.3 and 3.3.2.
 *
 * A used cell has a flag for hash collisions. Without a collision one comparison of cell
 * coordinates decides for all its points and duplicates are impossible; only cells with the flag
 * are recorded during a query. Departs from the paper: there the flag determines when a cell's
 * points may share a query, here their distances do (packed.h).
 *
 * The order of used cells depends on previous updates, but no result does: cells without the flag
 * are searched in spatial order, followed by those with it in the order of the table.
 */
#include "base/radix.h"
#include "neighbor/search/lattice_hash.h"
#include "neighbor/search/morton.h"
#include "neighbor/search/packed.h"

#include <string.h>

enum { ROW_GRAIN = 8192, CELL_GRAIN = 1024, NONE = -1 };

typedef struct parameters {
    double width, table;
    int64_t resort;
} parameters;

static const mo_param PARAMS[] = {
    {"width", MO_REAL, MO_FIELD(parameters, width), .unit = "radius", .initial = "1",
     .range = MO_LATTICE_WIDTHS, .doc = "Cell width, in search radii."},
    {"table", MO_REAL, MO_FIELD(parameters, table), .initial = "4", .range = "[0.01, 64]",
     .doc = "Hash table entries per point, rounded up to the next prime."},
    {"resort", MO_INT, MO_FIELD(parameters, resort), .initial = "100", .range = "[0, inf)",
     .doc = "Updates between sorts of the points along the Morton curve; 0: never sorted."},
    {0}};

typedef struct used_cell {
    mo_lattice_cell cell; /* of its first point, and of all if there is no collision */
    uint32_t entry;
    int32_t first, count; /* slots */
    int32_t arrivals;     /* during an update: the first arriving row; NONE */
    bool leaving;         /* during an update: a row leaves */
    bool collision;
} used_cell;

typedef struct compact_hash {
    mo_packed packed;
    parameters p;
    mo_radix radix; /* of the cells, when they are sorted */
    double inverse_width;
    int64_t updates; /* since the cells were sorted */
    uint32_t size;
    int32_t *table; /* the used cell of an entry, NONE: none */
    used_cell *cells;
    int64_t cell_count;
    bool ready;              /* the last build or update succeeded */
    uint32_t *entry_of;      /* by row */
    int32_t *cell_of, *next; /* by row; next: the next arrival */
    int32_t *rows;           /* by slot, the next slots */
    /* cells with the flag; rows that changed their entry in the last update */
    int64_t collisions, rewrites;
    int64_t table_capacity, cells_capacity, entry_of_capacity, cell_of_capacity, next_capacity,
        rows_capacity;
} compact_hash;

static const mo_structure_array ARRAYS[] = {MO_PACKED_ARRAYS(compact_hash),
                                            MO_STRUCTURE_ARRAY(compact_hash, table),
                                            MO_STRUCTURE_ARRAY(compact_hash, cells),
                                            MO_STRUCTURE_ARRAY(compact_hash, entry_of),
                                            MO_STRUCTURE_ARRAY(compact_hash, cell_of),
                                            MO_STRUCTURE_ARRAY(compact_hash, next),
                                            MO_STRUCTURE_ARRAY(compact_hash, rows),
                                            {0}};

static const parameters DEFAULTS = {1, 4, 100};

/* ---- building ---- */

static void find_entries(void *context, int64_t first, int64_t last)
{
    compact_hash *h = context;
    for (int64_t row = first; row < last; ++row) {
        mo_lattice_cell c = mo_lattice_at(h->inverse_width, h->packed.head.points.x + 3 * row);
        h->entry_of[row] = mo_lattice_hash(c.at[0], c.at[1], c.at[2], h->size);
    }
}

/* The used cell of an entry; appended if it has none. */
static int32_t cell_at(compact_hash *h, uint32_t entry)
{
    if (h->table[entry] == NONE) {
        h->cells[h->cell_count] = (used_cell){.entry = entry, .arrivals = NONE};
        h->table[entry] = (int32_t)h->cell_count++;
    }
    return h->table[entry];
}

static inline mo_lattice_cell cell_of_slot(const compact_hash *h, int64_t slot)
{
    const mo_packed *p = &h->packed;
    return mo_lattice_at(h->inverse_width, (double[3]){p->x[slot], p->y[slot], p->z[slot]});
}

static void mark_cells(void *context, int64_t first, int64_t last)
{
    compact_hash *h = context;
    for (int64_t k = first; k < last; ++k) {
        used_cell *c = h->cells + k;
        mo_packed_fill_range(&h->packed, c->first, c->first + c->count);
        c->cell = cell_of_slot(h, c->first);
        c->collision = false;
        for (int64_t slot = c->first + 1; slot < c->first + c->count && !c->collision; ++slot) {
            c->collision = !mo_lattice_same(c->cell, cell_of_slot(h, slot));
        }
    }
}

static void finish(compact_hash *h, mo_pool *pool)
{
    mo_parallel_for(pool, h->cell_count, CELL_GRAIN, mark_cells, h);
    h->collisions = 0;
    for (int64_t k = 0; k < h->cell_count; ++k) {
        h->collisions += h->cells[k].collision;
    }
    h->ready = true;
}

static mote_status reserve(compact_hash *h, int64_t rows, mote_error *error)
{
    mo_memory *m = h->packed.head.memory;
    MO_TRY(mo_packed_resize(&h->packed, rows, error));
    MO_TRY(mo_reserve(m, &h->table, &h->table_capacity, h->size, sizeof *h->table, error));
    MO_TRY(mo_reserve(m, &h->entry_of, &h->entry_of_capacity, rows, sizeof *h->entry_of, error));
    MO_TRY(mo_reserve(m, &h->cell_of, &h->cell_of_capacity, rows, sizeof *h->cell_of, error));
    MO_TRY(mo_reserve(m, &h->next, &h->next_capacity, rows, sizeof *h->next, error));
    return mo_reserve(m, &h->rows, &h->rows_capacity, rows + 3, sizeof *h->rows, error);
}

/* Numbers the used cells, found by their first rows, along the Morton curve. `next` is the new
 * number of a cell. */
static mote_status sort_cells(compact_hash *h, mo_pool *pool, mote_error *error)
{
    int64_t count = h->cell_count;
    MO_TRY(mo_radix_resize(&h->radix, count, error));
    mo_lattice_cell low = mo_lattice_at(h->inverse_width, h->packed.head.points.low);
    for (int64_t k = 0; k < count; ++k) {
        const int64_t *at = h->cells[k].cell.at;
        h->radix.item[k] =
            (mo_keyed){mo_morton_bits(at[0] - low.at[0]) | mo_morton_bits(at[1] - low.at[1]) << 1 |
                           mo_morton_bits(at[2] - low.at[2]) << 2,
                       k};
    }
    mo_radix_sort(&h->radix, count, pool);
    for (int64_t k = 0; k < count; ++k) {
        h->next[h->radix.item[k].row] = (int32_t)k;
    }
    for (int64_t k = 0; k < count; ++k) {
        h->table[h->cells[k].entry] = h->next[k];
    }
    for (int64_t k = 0; k < count; ++k) {
        h->cells[k] = (used_cell){.arrivals = NONE};
    }
    for (int64_t row = 0; row < h->packed.head.points.rows; ++row) {
        used_cell *c = h->cells + (h->cell_of[row] = h->next[h->cell_of[row]]);
        c->entry = h->entry_of[row];
        c->count++;
    }
    return MOTE_OK;
}

/* Reserves further cells. */
static mote_status reserve_cells(compact_hash *h, int64_t more, mote_error *error)
{
    return mo_reserve(h->packed.head.memory, &h->cells, &h->cells_capacity, h->cell_count + more,
                      sizeof *h->cells, error);
}

static mote_status compact_hash_build(void *instance, const mo_search_points *points, mo_pool *pool,
                                      mote_error *error)
{
    compact_hash *h = instance;
    int64_t rows = points->rows;
    double size = h->p.table * (double)rows;
    h->packed.head.points = *points;
    h->cell_count = h->rewrites = h->updates = 0;
    h->ready = false;
    h->inverse_width = 1 / (h->p.width * points->radius);
    h->size = mo_prime_above(size < INT32_MAX / 2 ? (int64_t)size : INT32_MAX / 2);
    MO_TRY(reserve(h, rows, error));
    memset(h->table, 0xff, h->size * sizeof *h->table); /* NONE */
    mo_parallel_for(pool, rows, ROW_GRAIN, find_entries, h);
    for (int64_t row = 0; row < rows; ++row) {
        MO_TRY(reserve_cells(h, 1, error));
        h->cell_of[row] = cell_at(h, h->entry_of[row]);
        used_cell *c = h->cells + h->cell_of[row];
        if (c->count++ == 0) {
            c->cell = mo_lattice_at(h->inverse_width, points->x + 3 * row);
        }
    }
    if (h->p.resort > 0 && rows > 0) {
        MO_TRY(sort_cells(h, pool, error));
    }
    MO_TRY(reserve_cells(h, rows, error)); /* every row may need a new cell in an update */
    int32_t slot = 0;
    for (int64_t k = 0; k < h->cell_count; ++k) {
        h->cells[k].first = slot;
        slot += h->cells[k].count;
        h->cells[k].count = 0;
    }
    for (int64_t row = 0; row < rows; ++row) {
        used_cell *c = h->cells + h->cell_of[row];
        h->packed.row_at[c->first + c->count++] = (int32_t)row;
    }
    finish(h, pool);
    return MOTE_OK;
}

/* ---- updating ---- */

/* The number of rows that change their entry. */
static int64_t count_movers(const compact_hash *h)
{
    int64_t movers = 0;
    for (int64_t row = 0; row < h->packed.head.points.rows; ++row) {
        movers += h->cells[h->cell_of[row]].entry != h->entry_of[row];
    }
    return movers;
}

/* Records arrivals and departures in the cells, from the last row to the first, so that arrivals
 * ascend. */
static void announce(compact_hash *h)
{
    for (int64_t row = h->packed.head.points.rows - 1; row >= 0; --row) {
        used_cell *old = h->cells + h->cell_of[row];
        if (old->entry != h->entry_of[row]) {
            old->leaving = true;
            used_cell *c = h->cells + cell_at(h, h->entry_of[row]);
            h->next[row] = c->arrivals;
            c->arrivals = (int32_t)row;
        }
    }
}

/* Writes the staying and the arriving rows, both ascending, from `to` on. Returns their number. */
static int32_t merge_cell(compact_hash *h, const used_cell *c, int32_t *to)
{
    const int32_t *old = h->packed.row_at + c->first, *end = old + c->count;
    int32_t arrival = c->arrivals, count = 0;
    while (old < end || arrival != NONE) {
        if (old < end && h->entry_of[*old] != c->entry) {
            ++old;
        } else if (arrival == NONE || (old < end && *old < arrival)) {
            to[count++] = *old++;
        } else {
            to[count++] = arrival;
            arrival = h->next[arrival];
        }
    }
    return count;
}

/* Rewrites all slots cell by cell and removes empty cells. */
static void rewrite(compact_hash *h)
{
    int64_t kept = 0;
    int32_t slot = 0;
    for (int64_t k = 0; k < h->cell_count; ++k) {
        used_cell c = h->cells[k];
        int32_t count = c.count;
        if (c.leaving || c.arrivals != NONE) {
            count = merge_cell(h, &c, h->rows + slot);
        } else {
            memcpy(h->rows + slot, h->packed.row_at + c.first, (size_t)count * sizeof *h->rows);
        }
        if (count == 0) {
            h->table[c.entry] = NONE;
            continue;
        }
        h->table[c.entry] = (int32_t)kept;
        for (int32_t r = 0; r < count && (kept != k || c.arrivals != NONE); ++r) {
            h->cell_of[h->rows[slot + r]] = (int32_t)kept;
        }
        h->cells[kept++] =
            (used_cell){.entry = c.entry, .first = slot, .count = count, .arrivals = NONE};
        slot += count;
    }
    h->cell_count = kept;
}

static mote_status compact_hash_update(void *instance, const mo_search_points *points,
                                       mo_pool *pool, mote_error *error)
{
    compact_hash *h = instance;
    if (!h->ready || points->rows != h->packed.head.points.rows ||
        points->radius != h->packed.head.points.radius || ++h->updates == h->p.resort) {
        return compact_hash_build(instance, points, pool, error);
    }
    h->packed.head.points = *points;
    mo_parallel_for(pool, points->rows, ROW_GRAIN, find_entries, h);
    h->rewrites = count_movers(h);
    h->ready = false;
    MO_TRY(reserve_cells(h, h->rewrites, error));
    if (h->rewrites > 0) {
        announce(h);
        rewrite(h);
        int32_t *old = h->packed.row_at;
        int64_t capacity = h->packed.row_at_capacity;
        h->packed.row_at = h->rows;
        h->packed.row_at_capacity = h->rows_capacity;
        h->rows = old;
        h->rows_capacity = capacity;
    }
    finish(h, pool);
    return MOTE_OK;
}

/* ---- searching ---- */

/* Adds the cells with the flag, in the order of the table. */
static void add_noted(const compact_hash *h, mo_visited *noted, mo_runs *runs)
{
    for (int n = 1; n < noted->count; ++n) {
        uint32_t entry = noted->entry[n];
        int to = n;
        for (; to > 0 && noted->entry[to - 1] > entry; --to) {
            noted->entry[to] = noted->entry[to - 1];
        }
        noted->entry[to] = entry;
    }
    for (int n = 0; n < noted->count; ++n) {
        const used_cell *c = h->cells + h->table[noted->entry[n]];
        mo_runs_add(runs, c->first, c->first + c->count);
    }
}

static void compact_hash_walk(const void *instance, const mo_search_window *window, mo_runs *runs)
{
    const compact_hash *h = instance;
    mo_lattice_range range = mo_lattice_reach(h->inverse_width, window);
    mo_visited noted;
    noted.count = 0;
    for (int64_t k = range.low.at[2]; k <= range.high.at[2]; ++k) {
        for (int64_t j = range.low.at[1]; j <= range.high.at[1]; ++j) {
            for (int64_t i = range.low.at[0]; i <= range.high.at[0]; ++i) {
                uint32_t entry = mo_lattice_hash(i, j, k, h->size);
                int32_t number = h->table[entry];
                if (number == NONE) {
                    continue;
                }
                const used_cell *c = h->cells + number;
                if (c->collision) {
                    mo_visit(&noted, entry);
                } else if (mo_lattice_same(c->cell, (mo_lattice_cell){{i, j, k}})) {
                    mo_runs_add(runs, c->first, c->first + c->count);
                }
            }
        }
    }
    add_noted(h, &noted, runs);
}

const mo_search_type mo_search_compact_hash = {
    .base = {.name = "compact_hash",
             .summary =
                 "Compact hashing: a large hash table with handles into a dense, updated list of "
                 "used cells.",
             .citation =
                 "Ihmsen, Akinci, Becker, Teschner 2011, Comput. Graph. Forum 30, 99, section 3.3",
             .departs =
                 "The flag of a cell marks hash collisions; whether points of a cell share a "
                 "search is decided by their distances.",
             .capabilities = MO_SEARCH_UPDATES | MO_PORTABLE,
             .param_size = sizeof(parameters),
             .params = PARAMS},
    .layout = {.size = sizeof(compact_hash),
               .params = offsetof(compact_hash, p),
               .defaults = &DEFAULTS,
               .radix = offsetof(compact_hash, radix),
               .arrays = ARRAYS},
    .build = compact_hash_build,
    .update = compact_hash_update,
    .walk = compact_hash_walk,
    .near = mo_packed_near,
    .lists = mo_packed_lists,
};
