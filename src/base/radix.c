#include "base/radix.h"

enum { DIGITS = 256, BLOCK = 1 << 15 };

void mo_radix_init(mo_radix *radix, mo_memory *memory)
{
    *radix = (mo_radix){.memory = memory};
}

void mo_radix_release(mo_radix *radix)
{
    mo_release(radix->memory, radix->item);
    mo_release(radix->memory, radix->other);
    mo_release(radix->memory, radix->histogram);
    mo_radix_init(radix, radix->memory);
}

int64_t mo_radix_bytes(const mo_radix *radix)
{
    return (radix->item_capacity + radix->other_capacity) * (int64_t)sizeof(mo_keyed) +
           radix->histogram_capacity * (int64_t)sizeof(int32_t);
}

static int64_t blocks_of(int64_t rows)
{
    return (rows + BLOCK - 1) / BLOCK;
}

mote_status mo_radix_resize(mo_radix *radix, int64_t rows, mote_error *error)
{
    mo_memory *memory = radix->memory;
    MO_TRY(mo_reserve(memory, &radix->item, &radix->item_capacity, rows, sizeof(mo_keyed), error));
    MO_TRY(
        mo_reserve(memory, &radix->other, &radix->other_capacity, rows, sizeof(mo_keyed), error));
    return mo_reserve(memory, &radix->histogram, &radix->histogram_capacity,
                      blocks_of(rows) * DIGITS, sizeof(int32_t), error);
}

typedef struct pass {
    const mo_keyed *from;
    mo_keyed *to;
    int32_t *histogram;
    int shift;
} pass;

static void count_digits(void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    int32_t *count = p->histogram + first / BLOCK * DIGITS;
    memset(count, 0, DIGITS * sizeof *count);
    for (int64_t k = first; k < last; ++k) {
        count[(p->from[k].key >> p->shift) & (DIGITS - 1)]++;
    }
}

static void move_items(void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    int32_t *next = p->histogram + first / BLOCK * DIGITS;
    for (int64_t k = first; k < last; ++k) {
        p->to[next[(p->from[k].key >> p->shift) & (DIGITS - 1)]++] = p->from[k];
    }
}

/* Converts counts to offsets of each digit of each block. */
static void sum_up(int32_t *histogram, int64_t blocks)
{
    int32_t sum = 0;
    for (int digit = 0; digit < DIGITS; ++digit) {
        for (int64_t b = 0; b < blocks; ++b) {
            int32_t count = histogram[b * DIGITS + digit];
            histogram[b * DIGITS + digit] = sum;
            sum += count;
        }
    }
}

/* The bits in which keys differ. */
static uint64_t varying_bits(const mo_keyed *item, int64_t rows)
{
    uint64_t bits = 0;
    for (int64_t k = 1; k < rows; ++k) {
        bits |= item[k].key ^ item[0].key;
    }
    return bits;
}

void mo_radix_sort(mo_radix *radix, int64_t rows, mo_pool *pool)
{
    uint64_t varying = varying_bits(radix->item, rows);
    while (varying) {
        int shift = __builtin_ctzll(varying);
        shift = shift > 56 ? 56 : shift;
        pass p = {radix->item, radix->other, radix->histogram, shift};
        mo_parallel_for(pool, rows, BLOCK, count_digits, &p);
        sum_up(radix->histogram, blocks_of(rows));
        mo_parallel_for(pool, rows, BLOCK, move_items, &p);
        radix->item = p.to;
        radix->other = (mo_keyed *)p.from;
        varying &= ~(UINT64_C(255) << shift);
    }
}
