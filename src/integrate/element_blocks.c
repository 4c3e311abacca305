#include "integrate/element_blocks.h"

enum { WIDTH_MAX = 8 };

/* The distinct blocks of an element's nodes. */
static int blocks_of(const int32_t *node, int width, int64_t grain, int64_t out[WIDTH_MAX])
{
    int count = 0;
    for (int k = 0; k < width; ++k) {
        int64_t block = node[k] / grain;
        bool known = false;
        for (int j = 0; j < count; ++j) {
            known = known || out[j] == block;
        }
        if (!known) {
            out[count++] = block;
        }
    }
    return count;
}

mote_status mo_element_blocks_build(mo_memory *memory, int64_t elements, int width,
                                    const int32_t *node, int64_t rows, int64_t grain,
                                    mo_element_blocks *blocks, mote_error *error)
{
    MOTE_ASSERT(width <= WIDTH_MAX);
    int64_t owner[WIDTH_MAX];
    void *start, *element;
    *blocks = (mo_element_blocks){.block_count = (rows + grain - 1) / grain};
    MO_TRY(mo_allocate_array(memory, blocks->block_count + 2, sizeof(int64_t), &start, error));
    blocks->start = start;
    /* counting sort: sizes two entries ahead, so that filling leaves the starts */
    int64_t *fill = blocks->start + 1;
    for (int64_t e = 0; e < elements; ++e) {
        int count = blocks_of(node + width * e, width, grain, owner);
        for (int k = 0; k < count; ++k) {
            fill[owner[k] + 1]++;
        }
    }
    for (int64_t b = 0; b < blocks->block_count; ++b) {
        fill[b + 1] += fill[b];
    }
    mote_status status =
        mo_allocate_array(memory, fill[blocks->block_count], sizeof(int64_t), &element, error);
    if (status != MOTE_OK) {
        mo_element_blocks_release(memory, blocks);
        return status;
    }
    blocks->element = element;
    for (int64_t e = 0; e < elements; ++e) {
        int count = blocks_of(node + width * e, width, grain, owner);
        for (int k = 0; k < count; ++k) {
            blocks->element[fill[owner[k]]++] = e;
        }
    }
    return MOTE_OK;
}

void mo_element_blocks_release(mo_memory *memory, mo_element_blocks *blocks)
{
    mo_release(memory, blocks->start);
    mo_release(memory, blocks->element);
    *blocks = (mo_element_blocks){0};
}

mote_status mo_element_blocks_couple(mo_memory *memory, int64_t elements, int width,
                                     const int32_t *node, mo_block_pattern *pattern,
                                     mote_error *error)
{
    for (int64_t e = 0; e < elements; ++e) {
        for (int k = 1; k < width; ++k) {
            for (int j = 0; j < k; ++j) {
                MO_TRY(mo_block_pattern_couple(memory, pattern, node[width * e + k],
                                               node[width * e + j], error));
            }
        }
    }
    return MOTE_OK;
}

/* The slots of one entry, of a block of rows. */
static void find_entry_slots(const mo_block_matrix *matrix, const int32_t *node, int width,
                             int64_t grain, int64_t b, int32_t *slot)
{
    for (int k = 0; k < width; ++k) {
        for (int j = 0; j < width; ++j) {
            bool own = node[k] / grain == b;
            slot[width * k + j] =
                own ? (int32_t)mo_block_matrix_slot(matrix, node[k], node[j]) : -1;
        }
    }
}

mote_status mo_element_blocks_find_slots(mo_memory *memory, const mo_element_blocks *blocks,
                                         int width, const int32_t *node, int64_t grain,
                                         const mo_block_matrix *matrix, int32_t **slot,
                                         int64_t *capacity, mote_error *error)
{
    int64_t entries = blocks->start[blocks->block_count], square = (int64_t)width * width;
    void *grown = *slot;
    mote_status status =
        mo_grow(memory, &grown, capacity, entries + 1, (size_t)square * sizeof(int32_t), error);
    *slot = grown;
    MO_TRY(status);
    for (int64_t b = 0; b < blocks->block_count; ++b) {
        for (int64_t k = blocks->start[b]; k < blocks->start[b + 1]; ++k) {
            find_entry_slots(matrix, node + width * blocks->element[k], width, grain, b,
                             *slot + square * k);
        }
    }
    return MOTE_OK;
}
