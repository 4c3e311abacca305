/*
 * The pattern of a matrix of blocks: pairs of coupled rows, in any order, with duplicates.
 */
#ifndef MO_LINEAR_BLOCK_PATTERN_H
#define MO_LINEAR_BLOCK_PATTERN_H

#include "base/memory.h"

typedef struct mo_block_pattern {
    int64_t rows, count, capacity;
    int32_t *pairs; /* two rows each */
} mo_block_pattern;

/* Clears the pairs and keeps the memory. */
void mo_block_pattern_clear(mo_block_pattern *pattern, int64_t rows);
/* Adds the blocks (i, j) and (j, i). */
mote_status mo_block_pattern_couple(mo_memory *memory, mo_block_pattern *pattern, int64_t i,
                                    int64_t j, mote_error *error);
void mo_block_pattern_release(mo_memory *memory, mo_block_pattern *pattern);

#endif
