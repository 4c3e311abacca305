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
