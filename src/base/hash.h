/* 64-bit hashing for scenes and states: a strong integer mixer, applied word by word. */
#ifndef MO_BASE_HASH_H
#define MO_BASE_HASH_H

#include <stdint.h>
#include <string.h>

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection that flips half the bits on
 * average. */
static inline uint64_t mo_hash_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline uint64_t mo_hash_word(uint64_t hash, uint64_t word)
{
    return mo_hash_mix((hash + UINT64_C(0x9e3779b97f4a7c15)) ^ word);
}

/* The bits of a double; both zeros count as one value, since they compare equal. */
static inline uint64_t mo_hash_double(uint64_t hash, double value)
{
    uint64_t word;
    value = value == 0 ? 0 : value;
    memcpy(&word, &value, sizeof word);
    return mo_hash_word(hash, word);
}

static inline uint64_t mo_hash_bytes(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    for (; bytes >= 8; bytes -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        hash = mo_hash_word(hash, word);
    }
    uint64_t tail = (uint64_t)bytes << 56;
    for (size_t k = 0; k < bytes; ++k) {
        tail |= (uint64_t)p[k] << (8 * k);
    }
    return mo_hash_word(hash, tail);
}

#endif
