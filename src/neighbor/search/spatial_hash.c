/*
 * Spatial hashing of the cells of an unbounded grid. Hash collisions of cells cost time only:
 * distances distinguish their points. Teschner, Heidelberger, Mueller, Pomeranets, Gross 2003,
 * "Optimized spatial hashing for collision detection of deformable objects", VMV, sections 3.1 and
 * 4. Departs from the paper: entries are ranges of one sorted array instead of lists, without
 * allocation per entry, and queries are of points within a radius.
 */
#include "base/radix.h"
#include "neighbor/search/lattice_hash.h"
#include "neighbor/search/packed.h"

enum { ROW_GRAIN = 8192 };

typedef struct parameters {
    double width, table;
} parameters;

static const mo_param PARAMS[] = {
    {"width", MO_REAL, MO_FIELD(parameters, width), .unit = "radius", .initial = "1",
     .range = MO_LATTICE_WIDTHS, .doc = "Cell width, in search radii."},
    {"table", MO_REAL, MO_FIELD(parameters, table), .initial = "1", .range = "[0.01, 64]",
     .doc = "Hash table entries per point, rounded up to the next prime."},
    {0}};

typedef struct spatial_hash {
    mo_packed packed;
    parameters p;
    mo_radix radix;
    double inverse_width;
    uint32_t size;
    int32_t *start; /* entry h has the slots start[h] to start[h + 1] - 1 */
    int64_t start_capacity;
} spatial_hash;

static const mo_structure_array ARRAYS[] = {
    MO_PACKED_ARRAYS(spatial_hash), MO_STRUCTURE_ARRAY(spatial_hash, start), {0}};

static const parameters DEFAULTS = {1, 1};

static void find_keys(void *context, int64_t first, int64_t last)
{
    spatial_hash *s = context;
    for (int64_t row = first; row < last; ++row) {
        mo_lattice_cell c = mo_lattice_at(s->inverse_width, s->packed.head.points.x + 3 * row);
        s->radix.item[row] = (mo_keyed){mo_lattice_hash(c.at[0], c.at[1], c.at[2], s->size), row};
    }
}

static mote_status spatial_hash_build(void *instance, const mo_search_points *points, mo_pool *pool,
                                      mote_error *error)
{
    spatial_hash *s = instance;
    int64_t rows = points->rows;
    double size = s->p.table * (double)rows;
    s->packed.head.points = *points;
    s->inverse_width = 1 / (s->p.width * points->radius);
    s->size = mo_prime_above(size < INT32_MAX / 2 ? (int64_t)size : INT32_MAX / 2);
    MO_TRY(mo_radix_resize(&s->radix, rows, error));
    MO_TRY(mo_packed_resize(&s->packed, rows, error));
    MO_TRY(mo_reserve(s->packed.head.memory, &s->start, &s->start_capacity, (int64_t)s->size + 1,
                      sizeof *s->start, error));
    mo_parallel_for(pool, rows, ROW_GRAIN, find_keys, s);
    mo_packed_sort(&s->packed, &s->radix, s->start, s->size, pool);
    return MOTE_OK;
}

static void spatial_hash_walk(const void *instance, const mo_search_window *window, mo_runs *runs)
{
    const spatial_hash *s = instance;
    mo_lattice_range c = mo_lattice_reach(s->inverse_width, window);
    mo_visited visited;
    visited.count = 0;
    for (int64_t k = c.low.at[2]; k <= c.high.at[2]; ++k) {
        for (int64_t j = c.low.at[1]; j <= c.high.at[1]; ++j) {
            for (int64_t i = c.low.at[0]; i <= c.high.at[0]; ++i) {
                uint32_t entry = mo_lattice_hash(i, j, k, s->size);
                int32_t first = s->start[entry], last = s->start[entry + 1];
                if (first < last && mo_visit(&visited, entry)) {
                    mo_runs_add(runs, first, last);
                }
            }
        }
    }
}

const mo_search_type mo_search_spatial_hash = {
    .base = {.name = "spatial_hash",
             .summary = "Spatial hashing of an unbounded grid.",
             .citation = "Teschner, Heidelberger, Mueller, Pomeranets, Gross 2003, VMV, 47",
             .departs =
                 "Entries are ranges of one sorted array instead of lists; queries are of points "
                 "within a radius, not in tetrahedra.",
             .capabilities = MO_SEARCH_PARALLEL | MO_PORTABLE,
             .param_size = sizeof(parameters),
             .params = PARAMS},
    .layout = {.size = sizeof(spatial_hash),
               .params = offsetof(spatial_hash, p),
               .defaults = &DEFAULTS,
               .radix = offsetof(spatial_hash, radix),
               .arrays = ARRAYS},
    .build = spatial_hash_build,
    .walk = spatial_hash_walk,
    .near = mo_packed_near,
    .lists = mo_packed_lists,
};
