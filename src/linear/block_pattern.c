#include "linear/block_pattern.h"

void mo_block_pattern_clear(mo_block_pattern *pattern, int64_t rows)
{
    pattern->rows = rows;
    pattern->count = 0;
}

mote_status mo_block_pattern_couple(mo_memory *memory, mo_block_pattern *pattern, int64_t i,
                                    int64_t j, mote_error *error)
{
    if (pattern->count == pattern->capacity) {
        void *pairs = pattern->pairs;
        int64_t need = pattern->count < 1024 ? 1024 : 2 * pattern->count;
        mote_status status =
            mo_grow(memory, &pairs, &pattern->capacity, need, 2 * sizeof(int32_t), error);
        pattern->pairs = pairs;
        MO_TRY(status);
    }
    pattern->pairs[2 * pattern->count] = (int32_t)i;
    pattern->pairs[2 * pattern->count++ + 1] = (int32_t)j;
    return MOTE_OK;
}

void mo_block_pattern_release(mo_memory *memory, mo_block_pattern *pattern)
{
    mo_release(memory, pattern->pairs);
    *pattern = (mo_block_pattern){0};
}
