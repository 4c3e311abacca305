#include "solid/model/element_table.h"

#include "integrate/element_blocks.h"

#include <stdlib.h>
#include <string.h>

void mo_element_table_init(mo_element_table *t, mo_memory *memory, int width, int size)
{
    *t = (mo_element_table){.memory = memory, .width = width, .size = size};
}

static void drop_collected(mo_element_table *t)
{
    void *parts[] = {t->node, t->group, t->tag, t->order, t->number};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
        mo_release(t->memory, parts[k]);
    }
    t->node = t->group = t->tag = NULL;
    t->order = NULL;
    t->number = NULL;
    t->node_capacity = t->group_capacity = t->tag_capacity = t->order_capacity =
        t->number_capacity = 0;
}

static void drop_layout(mo_element_table *t)
{
    void *parts[] = {t->block_runs, t->runs, t->nodes, t->tags, t->orders, t->numbers, t->slots};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
        mo_release(t->memory, parts[k]);
    }
    t->block_runs = t->orders = NULL;
    t->runs = NULL;
    t->nodes = t->tags = t->slots = NULL;
    t->numbers = NULL;
    t->block_count = t->batches = t->slot_capacity = 0;
}

void mo_element_table_release(mo_element_table *t)
{
    if (t->memory) {
        mo_element_table_settle(t, false);
        drop_collected(t);
        drop_layout(t);
    }
}

/* ---- collecting ---- */

static void *grow(mo_element_table *t, void *array, int64_t *capacity, int64_t need, size_t size,
                  mote_status *status, mote_error *error)
{
    if (*status == MOTE_OK) {
        *status = mo_grow(t->memory, &array, capacity, need, size, error);
    }
    return array;
}

mote_status mo_element_table_reserve(mo_element_table *t, int64_t more, mote_error *error)
{
    mote_status status = MOTE_OK;
    int64_t need = t->count + more;
    size_t width = (size_t)t->width, size = (size_t)t->size;
    t->node = grow(t, t->node, &t->node_capacity, need, width * sizeof(int32_t), &status, error);
    t->group = grow(t, t->group, &t->group_capacity, need, sizeof(int32_t), &status, error);
    t->tag = grow(t, t->tag, &t->tag_capacity, need, sizeof(int32_t), &status, error);
    t->order = grow(t, t->order, &t->order_capacity, need, sizeof(int64_t), &status, error);
    t->number =
        grow(t, t->number, &t->number_capacity, need, size * sizeof(double), &status, error);
    return status;
}

static void append(mo_element_table *t, const int32_t *node, int32_t group, int32_t tag,
                   int64_t order)
{
    memcpy(t->node + t->width * t->count, node, (size_t)t->width * sizeof *node);
    t->group[t->count] = group;
    t->tag[t->count] = tag;
    t->order[t->count] = order;
}

mote_status mo_element_table_add(mo_element_table *t, const int32_t *node, int32_t group,
                                 int32_t tag, const double *number, mote_error *error)
{
    MO_TRY(mo_element_table_reserve(t, 1, error));
    append(t, node, group, tag, t->count);
    memcpy(t->number + t->size * t->count, number, (size_t)t->size * sizeof *number);
    t->count++;
    return MOTE_OK;
}

/* ---- laying out ---- */

typedef struct entry {
    int64_t element, order;
    int32_t group;
    bool crosses;
} entry;

static int compare_entries(const void *a, const void *b)
{
    const entry *p = a, *q = b;
    if (p->crosses != q->crosses) {
        return p->crosses - q->crosses;
    }
    if (p->group != q->group) {
        return p->group < q->group ? -1 : 1;
    }
    return (p->order > q->order) - (p->order < q->order);
}

static bool crosses(const mo_element_table *t, int64_t element)
{
    const int32_t *node = t->node + t->width * element;
    for (int k = 1; k < t->width; ++k) {
        if (node[k] / MO_FORCE_GRAIN != node[0] / MO_FORCE_GRAIN) {
            return true;
        }
    }
    return false;
}

static int64_t sort_block(const mo_element_table *t, const mo_element_blocks *blocks, int64_t b,
                          entry *entries)
{
    int64_t count = blocks->start[b + 1] - blocks->start[b];
    for (int64_t k = 0; k < count; ++k) {
        int64_t e = blocks->element[blocks->start[b] + k];
        entries[k] = (entry){e, t->order[e], t->group[e], crosses(t, e)};
    }
    qsort(entries, (size_t)count, sizeof *entries, compare_entries);
    return count;
}

static int64_t batches_of(int64_t count)
{
    return (count + MO_LANES - 1) / MO_LANES;
}

static void write_element(mo_element_table *t, int64_t e, int64_t block, int64_t batch,
                          int64_t lane)
{
    const int32_t *node = t->node + t->width * e;
    bool swap = t->own_first && node[0] / MO_FORCE_GRAIN != block;
    for (int k = 0; k < t->width; ++k) {
        t->nodes[(batch * t->width + k) * MO_LANES + lane] = node[swap ? t->width - 1 - k : k];
    }
    for (int n = 0; n < t->size; ++n) {
        t->numbers[(batch * t->size + n) * MO_LANES + lane] = t->number[t->size * e + n];
    }
    t->tags[batch * MO_LANES + lane] = t->tag[e];
    t->orders[batch * MO_LANES + lane] = t->order[e];
}

static void write_run(mo_element_table *t, const entry *entries, int64_t count, int64_t block,
                      mo_element_run *run)
{
    int64_t batch = t->batches;
    *run = (mo_element_run){batch, count, entries[0].group, !entries[0].crosses};
    for (int64_t k = 0; k < MO_LANES * batches_of(count); ++k) {
        write_element(t, entries[k < count ? k : count - 1].element, block, batch + k / MO_LANES,
                      k % MO_LANES);
    }
}

/* Iterates over the runs of all blocks; counts them, or (if allocated) writes them. */
static void walk(mo_element_table *t, const mo_element_blocks *blocks, entry *entries,
                 int64_t *runs)
{
    *runs = t->batches = 0;
    for (int64_t b = 0; b < blocks->block_count; ++b) {
        t->block_runs[b] = *runs;
        int64_t count = sort_block(t, blocks, b, entries);
        for (int64_t k = 0, next; k < count; k = next) {
            for (next = k + 1; next < count && entries[k].group == entries[next].group &&
                               entries[k].crosses == entries[next].crosses;) {
                ++next;
            }
            if (t->runs) {
                write_run(t, entries + k, next - k, b, &t->runs[*runs]);
            }
            t->batches += batches_of(next - k);
            ++*runs;
        }
    }
    t->block_runs[blocks->block_count] = *runs;
}

static mote_status take(mo_element_table *t, int64_t count, size_t size, void *array,
                        mote_error *error)
{
    void *memory;
    MO_TRY(mo_allocate_array(t->memory, count, size, &memory, error));
    memcpy(array, &memory, sizeof memory);
    return MOTE_OK;
}

static mote_status write_layout(mo_element_table *t, const mo_element_blocks *blocks,
                                entry *entries, mote_error *error)
{
    int64_t runs;
    MO_TRY(take(t, blocks->block_count + 1, sizeof(int64_t), &t->block_runs, error));
    t->block_count = blocks->block_count;
    walk(t, blocks, entries, &runs);
    size_t width = (size_t)t->width, size = (size_t)t->size;
    MO_TRY(take(t, t->batches, MO_LANES * width * sizeof(int32_t), &t->nodes, error));
    MO_TRY(take(t, t->batches, MO_LANES * sizeof(int32_t), &t->tags, error));
    MO_TRY(take(t, t->batches, MO_LANES * sizeof(int64_t), &t->orders, error));
    MO_TRY(take(t, t->batches, MO_LANES * size * sizeof(double), &t->numbers, error));
    MO_TRY(take(t, runs, sizeof(mo_element_run), &t->runs, error));
    walk(t, blocks, entries, &runs);
    return MOTE_OK;
}

mote_status mo_element_table_lay_out(mo_element_table *t, int64_t rows, mote_error *error)
{
    mo_element_blocks blocks;
    MO_TRY(mo_element_blocks_build(t->memory, t->count, t->width, t->node, rows, MO_FORCE_GRAIN,
                                   &blocks, error));
    int64_t largest = 0;
    for (int64_t b = 0; b < blocks.block_count; ++b) {
        int64_t count = blocks.start[b + 1] - blocks.start[b];
        largest = count > largest ? count : largest;
    }
    void *entries;
    mote_status status = mo_allocate_array(t->memory, largest, sizeof(entry), &entries, error);
    if (status == MOTE_OK) {
        status = write_layout(t, &blocks, entries, error);
        mo_release(t->memory, entries);
    }
    mo_element_blocks_release(t->memory, &blocks);
    if (status == MOTE_OK) {
        drop_collected(t);
    }
    return status;
}

/* ---- removal of rows ---- */

/* Whether this is the copy in the lowest block of the element. */
static bool first_copy(const int32_t *node, int width, int64_t block)
{
    for (int k = 0; k < width; ++k) {
        if (node[k] / MO_FORCE_GRAIN < block) {
            return false;
        }
    }
    return true;
}

static bool map_nodes(const mo_element_table *t, int64_t batch, int lane, int64_t block,
                      const int64_t *map, int32_t *node)
{
    bool kept = true;
    for (int k = 0; k < t->width; ++k) {
        node[k] = mo_element_nodes(t, batch, k)[lane];
    }
    if (!first_copy(node, t->width, block)) {
        return false;
    }
    for (int k = 0; k < t->width; ++k) {
        kept = kept && map[node[k]] >= 0;
        node[k] = (int32_t)map[node[k]];
    }
    return kept;
}

static mote_status collect_run(const mo_element_table *t, const mo_element_run *run, int64_t block,
                               const int64_t *map, mo_element_table *to, mote_error *error)
{
    MO_TRY(mo_element_table_reserve(to, run->count, error));
    for (int64_t at = 0; at < run->count; ++at) {
        int32_t node[MO_ELEMENT_WIDTH];
        int64_t batch = run->first + at / MO_LANES;
        int lane = (int)(at % MO_LANES);
        if (!map_nodes(t, batch, lane, block, map, node)) {
            continue;
        }
        append(to, node, run->group, t->tags[batch * MO_LANES + lane],
               t->orders[batch * MO_LANES + lane]);
        for (int n = 0; n < t->size; ++n) {
            to->number[t->size * to->count + n] =
                t->numbers[(batch * t->size + n) * MO_LANES + lane];
        }
        to->count++;
    }
    return MOTE_OK;
}

mote_status mo_element_table_remap(mo_element_table *t, const int64_t *map, int64_t rows,
                                   mote_error *error)
{
    t->next = mo_allocate(t->memory, sizeof *t->next);
    if (!t->next) {
        return mo_fail_memory(error, sizeof *t->next);
    }
    mo_element_table_init(t->next, t->memory, t->width, t->size);
    t->next->own_first = t->own_first;
    for (int64_t b = 0; b < t->block_count; ++b) {
        for (int64_t k = t->block_runs[b]; k < t->block_runs[b + 1]; ++k) {
            MO_TRY(collect_run(t, &t->runs[k], b, map, t->next, error));
        }
    }
    return mo_element_table_lay_out(t->next, rows, error);
}

void mo_element_table_settle(mo_element_table *t, bool take)
{
    mo_element_table *next = t->next;
    if (!next) {
        return;
    }
    t->next = NULL;
    if (take) {
        mo_element_table old = *t;
        *t = *next;
        *next = old;
    }
    mo_element_table_release(next);
    mo_release(t->memory, next);
}

/* ---- Jacobians ---- */

mote_status mo_element_table_couple(const mo_element_table *t, mo_memory *memory,
                                    mo_block_pattern *pattern, mote_error *error)
{
    for (int64_t batch = 0; batch < t->batches; ++batch) {
        for (int lane = 0; lane < MO_LANES; ++lane) {
            for (int k = 0; k < t->width; ++k) {
                for (int j = k + 1; j < t->width; ++j) {
                    MO_TRY(mo_block_pattern_couple(memory, pattern,
                                                   mo_element_nodes(t, batch, k)[lane],
                                                   mo_element_nodes(t, batch, j)[lane], error));
                }
            }
        }
    }
    return MOTE_OK;
}

static void find_slots_of(mo_element_table *t, const mo_block_matrix *matrix, int64_t block,
                          int64_t batch, int lane, bool counts)
{
    int32_t *slot = t->slots + (batch * MO_LANES + lane) * t->width * t->width;
    for (int k = 0; k < t->width; ++k) {
        int64_t row = mo_element_nodes(t, batch, k)[lane];
        for (int j = 0; j < t->width; ++j) {
            int64_t column = mo_element_nodes(t, batch, j)[lane];
            bool owned = counts && row / MO_FORCE_GRAIN == block;
            slot[k * t->width + j] =
                owned ? (int32_t)mo_block_matrix_slot(matrix, row, column) : -1;
        }
    }
}

mote_status mo_element_table_find_slots(mo_element_table *t, const mo_block_matrix *matrix,
                                        mote_error *error)
{
    void *slots = t->slots;
    if (matrix->blocks > INT32_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT, "a matrix of %lld blocks is too large; allowed: %d",
                       (long long)matrix->blocks, INT32_MAX);
    }
    mote_status status = mo_grow(t->memory, &slots, &t->slot_capacity, t->batches,
                                 (size_t)(MO_LANES * t->width * t->width) * sizeof(int32_t), error);
    t->slots = slots;
    MO_TRY(status);
    for (int64_t b = 0; b < t->block_count; ++b) {
        for (int64_t k = t->block_runs[b]; k < t->block_runs[b + 1]; ++k) {
            const mo_element_run *run = &t->runs[k];
            for (int64_t at = 0; at < MO_LANES * batches_of(run->count); ++at) {
                find_slots_of(t, matrix, b, run->first + at / MO_LANES, (int)(at % MO_LANES),
                              at < run->count);
            }
        }
    }
    return MOTE_OK;
}
