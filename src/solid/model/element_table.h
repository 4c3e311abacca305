/*
 * Elements of a model (2, 3 or 4 nodes each), laid out for owners of blocks of rows to evaluate
 * four at a time.
 *
 * A model adds elements with their nodes, a group (common properties: material, thickness) and
 * individual values (rest shapes), and then lays out the table: for each block of rows the elements
 * with nodes in it, sorted into runs of one group, elements entirely in the block before those
 * across its border, padded to full batches by repeating the last. Nodes and values of a batch are
 * stored lane by lane:
 *     nodes   + (batch * width + k) * 4 + lane
 *     numbers + (batch * size + n) * 4 + lane
 * An element across blocks is stored once per block. The order of summation depends on the scene
 * alone.
 */
#ifndef MO_SOLID_MODEL_ELEMENT_TABLE_H
#define MO_SOLID_MODEL_ELEMENT_TABLE_H

#include "integrate/force.h"
#include "math/wide.h"

enum { MO_LANES = 4, MO_ELEMENT_WIDTH = 4 };

/* Elements of one block and one group, from batch `first` on. */
typedef struct mo_element_run {
    int64_t first,
        /* batches start at `first`; `count` elements, the last batch may be partly padding */
        count;
    int32_t group;
    bool inner; /* all nodes are in the block */
} mo_element_run;

typedef struct mo_element_table {
    mo_memory *memory;
    int width, size;
    /* for two nodes in any order: nodes of the block come first */
    bool own_first;
    /* as collected */
    int64_t count, node_capacity, group_capacity, tag_capacity, order_capacity, number_capacity;
    int32_t *node, *group, *tag;
    int64_t *order;
    double *number;
    /* as laid out */
    int64_t block_count, batches;
    int64_t *block_runs; /* block b has the runs [block_runs[b], block_runs[b + 1]) */
    mo_element_run *runs;
    int32_t *nodes, *tags;
    int64_t *orders;
    double *numbers;
    int32_t *slots; /* of the Jacobian: ((batch * 4 + lane) * width + k) * width + j */
    int64_t slot_capacity;
    struct mo_element_table *next; /* during a removal of rows; NULL: none */
} mo_element_table;

void mo_element_table_init(mo_element_table *table, mo_memory *memory, int width, int size);
void mo_element_table_release(mo_element_table *table);

/* Reserves that many more elements; optional. */
mote_status mo_element_table_reserve(mo_element_table *table, int64_t more, mote_error *error);
/* `tag` is defined by the model. */
mote_status mo_element_table_add(mo_element_table *table, const int32_t *node, int32_t group,
                                 int32_t tag, const double *number, mote_error *error);
mote_status mo_element_table_lay_out(mo_element_table *table, int64_t rows, mote_error *error);

/* Removal of rows: lays out the remaining elements in a second table, then commits or discards it
 * (see mo_force_type.remap). */
mote_status mo_element_table_remap(mo_element_table *table, const int64_t *map, int64_t rows,
                                   mote_error *error);
void mo_element_table_settle(mo_element_table *table, bool take);

mote_status mo_element_table_couple(const mo_element_table *table, mo_memory *memory,
                                    mo_block_pattern *pattern, mote_error *error);
mote_status mo_element_table_find_slots(mo_element_table *table, const mo_block_matrix *matrix,
                                        mote_error *error);

/* The runs of the block that starts at row `first`: [*from, *to). None for rows added later. */
static inline void mo_element_table_runs(const mo_element_table *table, int64_t first,
                                         int64_t *from, int64_t *to)
{
    int64_t block = first / MO_FORCE_GRAIN;
    bool there = block < table->block_count;
    *from = there ? table->block_runs[block] : 0;
    *to = there ? table->block_runs[block + 1] : 0;
}

static inline const int32_t *mo_element_nodes(const mo_element_table *table, int64_t batch, int k)
{
    return table->nodes + (batch * table->width + k) * MO_LANES;
}

MO_INLINE mo_d4 mo_element_number(const mo_element_table *table, int64_t batch, int n)
{
    return mo_d4_load(table->numbers + (batch * table->size + n) * MO_LANES);
}

/* Number of valid elements of the run's b-th batch. */
static inline int mo_element_lanes(const mo_element_run *run, int64_t b)
{
    int64_t left = run->count - b * MO_LANES;
    return left < MO_LANES ? (int)left : MO_LANES;
}

/* Adds the forces on node k of the first `lanes` elements, as far as the rows from `first` on own
 * them. */
MO_INLINE void mo_element_scatter(double *f, const mo_d4 force[3], const int32_t *node, int lanes,
                                  bool inner, int64_t first)
{
    mo_d4 row[4];
    mo_d4_rows3(force[0], force[1], force[2], row);
    for (int lane = 0; lane < lanes; ++lane) {
        int64_t n = node[lane];
        if (inner || (n >= first && n < first + MO_FORCE_GRAIN)) {
            mo_d4_add3(f + 3 * n, row[lane]);
        }
    }
}

/* The fraction of the nodes of the element in `lane` that are in the block. */
static inline double mo_element_part(const mo_element_table *table, int64_t batch, int lane,
                                     int64_t first)
{
    int owned = 0;
    for (int k = 0; k < table->width; ++k) {
        int64_t n = mo_element_nodes(table, batch, k)[lane];
        owned += n >= first && n < first + MO_FORCE_GRAIN;
    }
    return (double)owned / table->width;
}

/* Adds four lanes' blocks of the nodes k and j (row-major) to the matrix, where it has a slot
 * for them. */
MO_INLINE void mo_element_fill(const mo_element_table *table, mo_block_matrix *matrix,
                               int64_t batch, int k, int j, const mo_d4 block[9])
{
    mo_d4 a[4], b[4];
    mo_d4_transpose(block[0], block[3], block[6], block[1], a);
    mo_d4_transpose(block[4], block[7], block[2], block[5], b);
    for (int lane = 0; lane < MO_LANES; ++lane) {
        int64_t slot =
            table->slots[((batch * MO_LANES + lane) * table->width + k) * table->width + j];
        if (slot >= 0) {
            double *to = matrix->value + 9 * slot;
            mo_d4_store(to, mo_d4_load(to) + a[lane]);
            mo_d4_store(to + 4, mo_d4_load(to + 4) + b[lane]);
            to[8] += block[8][lane];
        }
    }
}

#endif
