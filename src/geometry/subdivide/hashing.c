/*
 * Spatial hashing of primitives: Teschner, Heidelberger, Mueller, Pomeranets, Gross 2003,
 * "Optimized spatial hashing for collision detection of deformable objects", VMV, sections 3 and 4.
 * A primitive is entered into the cells that its box overlaps; cells of an unbounded grid are
 * mapped to the entries of a table. Cells that share an entry cost time only. Departs from the
 * paper: the cell size is 1.5 times the mean extent of the boxes by default, not the mean edge
 * length; entries are ranges of one array, sorted by counting.
 */
#include "geometry/subdivide/cells.h"
#include "neighbor/search/lattice_hash.h"
#include "neighbor/search/morton.h"

#include "base/hash.h"

extern const mo_subdivision_type mo_subdivision_hashing;

typedef struct parameters {
    double cell, table;
    const char *function;
} parameters;

static const mo_param PARAMS[] = {
    {"cell", MO_REAL, MO_FIELD(parameters, cell), .initial = "1.5", .range = "[0.05, 64]",
     .doc = "Cell size, in mean extents of the primitives' boxes."},
    {"table", MO_REAL, MO_FIELD(parameters, table), .initial = "1", .range = "[0.01, 64]",
     .doc = "Hash table entries per primitive, rounded up to the next prime."},
    {"function", MO_STRING, MO_FIELD(parameters, function), .initial = "\"primes\"",
     .choices = "primes|mix|morton",
     .doc = "Hash function: exclusive or of products with large primes (Teschner 2003), a 64-bit "
            "mixer, or the cell's position on Morton's curve modulo the table size."},
    {0}};

static int64_t slot_by_primes(const mo_box_cells *c, const int64_t cell[3])
{
    return mo_lattice_hash(cell[0], cell[1], cell[2], (uint32_t)c->slots);
}

static int64_t slot_by_mixing(const mo_box_cells *c, const int64_t cell[3])
{
    uint64_t h =
        mo_hash_word(mo_hash_word((uint64_t)cell[0], (uint64_t)cell[1]), (uint64_t)cell[2]);
    return (int64_t)(h % (uint64_t)c->slots);
}

static int64_t slot_by_morton(const mo_box_cells *c, const int64_t cell[3])
{
    uint64_t key =
        mo_morton_bits(cell[0]) | mo_morton_bits(cell[1]) << 1 | mo_morton_bits(cell[2]) << 2;
    return (int64_t)(key % (uint64_t)c->slots);
}

static void hashing_release(void *instance, mo_memory *memory)
{
    mo_box_cells_release(instance, memory);
}

static mote_status hashing_build(void *instance, const void *params, const mo_subdivided *over,
                                 mo_memory *memory, mo_pool *pool, mote_error *error)
{
    static const parameters DEFAULTS = {1.5, 1, "primes"};
    const parameters *p = params ? params : &DEFAULTS;
    mo_box_cells *c = instance;
    double size = p->table * (double)over->set.count;
    (void)pool;
    c->inverse = over->size > 0 ? 1 / (p->cell * over->size) : 1;
    c->origin = mo_vec3_make(0, 0, 0);
    c->slots = mo_prime_above(size < INT32_MAX / 2 ? (int64_t)size : INT32_MAX / 2);
    c->slot = p->function[0] == 'p'   ? slot_by_primes
              : p->function[1] == 'i' ? slot_by_mixing
                                      : slot_by_morton;
    return mo_box_cells_fill(c, over, memory, error);
}

static void hashing_near(const void *instance, const mo_box *box, mo_overlapping_fn *found,
                         void *context)
{
    mo_box_cells_near(instance, box, found, context);
}

const mo_subdivision_type mo_subdivision_hashing = {
    .base =
        {.name = "hashing",
         .summary = "Spatial hashing of the cells that primitives overlap: no bounds, linear "
                    "in the number of primitives.",
         .citation = "M. Teschner, B. Heidelberger, M. Mueller, D. Pomeranets, M. Gross 2003, "
                     "VMV, 47",
         .departs =
             "Cells have 1.5 times the mean extent of the boxes by default, not the mean edge length.",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(parameters),
         .params = PARAMS},
    .size = sizeof(mo_box_cells),
    .release = hashing_release,
    .build = hashing_build,
    .near = hashing_near,
};
