/*
 * Morton order (G. M. Morton 1966): the interleaved bits of a cell's three coordinates.
 */
#ifndef MO_NEIGHBOR_SEARCH_MORTON_H
#define MO_NEIGHBOR_SEARCH_MORTON_H

#include <stdint.h>

/* The 21 lowest bits of a number, separated by two zeros each. */
static inline uint64_t mo_morton_bits(int64_t number)
{
    uint64_t a = (uint64_t)number & 0x1fffff;
    a = (a | a << 32) & UINT64_C(0x001f00000000ffff);
    a = (a | a << 16) & UINT64_C(0x001f0000ff0000ff);
    a = (a | a << 8) & UINT64_C(0x100f00f00f00f00f);
    a = (a | a << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (a | a << 2) & UINT64_C(0x1249249249249249);
}

#endif
