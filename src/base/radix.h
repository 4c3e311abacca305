/*
 * Stable parallel radix sort of rows by 64-bit keys: least significant digit first, eight bits at a
 * time. Digits in which all keys agree are skipped. The result is independent of blocks and
 * threads.
 */
#ifndef MO_BASE_RADIX_H
#define MO_BASE_RADIX_H

#include "base/pool.h"

#include <string.h>

typedef struct mo_keyed {
    uint64_t key;
    int64_t row;
} mo_keyed;

/* A key with the order of doubles; both zeros are equal. */
static inline uint64_t mo_keyed_order(double x)
{
    uint64_t bits;
    x += 0.0;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

typedef struct mo_radix {
    mo_memory *memory;
    mo_keyed *item, *other; /* input, and scratch of the same size */
    int32_t *histogram;
    int64_t item_capacity, other_capacity, histogram_capacity;
} mo_radix;

void mo_radix_init(mo_radix *radix, mo_memory *memory);
void mo_radix_release(mo_radix *radix);
int64_t mo_radix_bytes(const mo_radix *radix);
mote_status mo_radix_resize(mo_radix *radix, int64_t rows, mote_error *error);

/* Sorts item[0 .. rows). */
void mo_radix_sort(mo_radix *radix, int64_t rows, mo_pool *pool);

#endif
