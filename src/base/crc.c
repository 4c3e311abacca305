#include "base/crc.h"

#include <stdbool.h>
#include <string.h>
#include <zlib.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

static const uint32_t POLYNOMIAL = 0x82f63b78; /* bits reversed */

/* Four bits at a time: sixteen entries, computed on demand, since the library has no global
 * state. */
uint32_t mo_crc32c_plain(uint32_t before, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    uint32_t table[16], crc = ~before;
    for (uint32_t k = 0; k < 16; ++k) {
        uint32_t entry = k;
        for (int bit = 0; bit < 4; ++bit) {
            entry = (entry >> 1) ^ (entry & 1 ? POLYNOMIAL : 0);
        }
        table[k] = entry;
    }
    for (size_t k = 0; k < bytes; ++k) {
        crc ^= p[k];
        crc = (crc >> 4) ^ table[crc & 15];
        crc = (crc >> 4) ^ table[crc & 15];
    }
    return ~crc;
}

static uint32_t crc32_plain(uint32_t before, const void *data, size_t bytes)
{
    return bytes > 0 ? (uint32_t)crc32_z(before, data, bytes) : before;
}

#if defined(__x86_64__)
/* a * x^distance + b modulo the polynomial, the two powers of x in `by`: shifts `a` to the
 * position of `b`. */
__attribute__((target("pclmul,sse4.2"))) static inline __m128i fold(__m128i a, __m128i by,
                                                                    __m128i b)
{
    __m128i low = _mm_clmulepi64_si128(a, by, 0x00), high = _mm_clmulepi64_si128(a, by, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), b);
}

/* Folds at least 64 bytes, a multiple of 64, with a register in front, to sixteen bytes with the
 * same remainder. `by` has x^(512 + 32), x^(512 - 32), x^(128 + 32) and x^(128 - 32) modulo the
 * polynomial, bits reversed. */
__attribute__((target("pclmul,sse4.2"))) static void fold_all(uint32_t start, const void *data,
                                                              size_t bytes, const uint64_t by[4],
                                                              unsigned char rest[16])
{
    const __m128i by_512 = _mm_set_epi64x((long long)by[1], (long long)by[0]);
    const __m128i by_128 = _mm_set_epi64x((long long)by[3], (long long)by[2]);
    const __m128i *p = data;
    __m128i part[4];
    for (int k = 0; k < 4; ++k) {
        part[k] = _mm_loadu_si128(p + k);
    }
    part[0] = _mm_xor_si128(part[0], _mm_cvtsi32_si128((int)start));
    for (p += 4, bytes -= 64; bytes >= 64; p += 4, bytes -= 64) {
        for (int k = 0; k < 4; ++k) {
            part[k] = fold(part[k], by_512, _mm_loadu_si128(p + k));
        }
    }
    __m128i all = fold(fold(fold(part[0], by_128, part[1]), by_128, part[2]), by_128, part[3]);
    _mm_storeu_si128((__m128i *)rest, all);
}

static bool can_fold(void)
{
    return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.2");
}

/* From a register to a register, neither inverted. */
__attribute__((target("sse4.2"))) static uint32_t crc_by_instruction(uint32_t start,
                                                                     const void *data, size_t bytes)
{
    const unsigned char *p = data;
    uint64_t crc = start;
    for (; bytes >= 8; bytes -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        crc = __builtin_ia32_crc32di(crc, word);
    }
    for (; bytes > 0; --bytes, ++p) {
        crc = __builtin_ia32_crc32qi((uint32_t)crc, *p);
    }
    return (uint32_t)crc;
}

uint32_t mo_crc32c(uint32_t before, const void *data, size_t bytes)
{
    static const uint64_t BY[] = {0x0740eef02, 0x09e4addf8, 0x0f20c0dfe, 0x14cd00bd6};
    size_t folded = bytes >= 128 && can_fold() ? bytes / 64 * 64 : 0;
    uint32_t crc = ~before;
    if (!__builtin_cpu_supports("sse4.2")) {
        return mo_crc32c_plain(before, data, bytes);
    }
    if (folded) {
        unsigned char rest[16];
        fold_all(crc, data, folded, BY, rest);
        crc = crc_by_instruction(0, rest, sizeof rest);
    }
    return ~crc_by_instruction(crc, (const char *)data + folded, bytes - folded);
}

uint32_t mo_crc32(uint32_t before, const void *data, size_t bytes)
{
    /* Gopal et al., table 1 */
    static const uint64_t BY[] = {0x154442bd4, 0x1c6e41596, 0x1751997d0, 0x0ccaa009e};
    if (bytes < 128 || !can_fold()) {
        return crc32_plain(before, data, bytes);
    }
    unsigned char rest[16];
    size_t folded = bytes / 64 * 64;
    fold_all(~before, data, folded, BY, rest);
    /* zlib inverts the initial register, which is 0 */
    uint32_t crc = crc32_plain(UINT32_MAX, rest, sizeof rest);
    return crc32_plain(crc, (const char *)data + folded, bytes - folded);
}
#else
uint32_t mo_crc32c(uint32_t before, const void *data, size_t bytes)
{
    return mo_crc32c_plain(before, data, bytes);
}

uint32_t mo_crc32(uint32_t before, const void *data, size_t bytes)
{
    return crc32_plain(before, data, bytes);
}
#endif
