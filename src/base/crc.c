#include "base/crc.h"

#include <string.h>

static const uint32_t POLYNOMIAL = 0x82f63b78; /* bits reversed */

/* Four bits at a time: sixteen entries, computed on the spot, since the library keeps no state. */
uint32_t mo_crc32c_plain(const void *data, size_t bytes)
{
    const unsigned char *p = data;
    uint32_t table[16], crc = ~UINT32_C(0);
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

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t crc_by_instruction(const void *data, size_t bytes)
{
    const unsigned char *p = data;
    uint64_t crc = UINT32_MAX;
    for (; bytes >= 8; bytes -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        crc = __builtin_ia32_crc32di(crc, word);
    }
    for (; bytes > 0; --bytes, ++p) {
        crc = __builtin_ia32_crc32qi((uint32_t)crc, *p);
    }
    return ~(uint32_t)crc;
}

uint32_t mo_crc32c(const void *data, size_t bytes)
{
    return __builtin_cpu_supports("sse4.2") ? crc_by_instruction(data, bytes) : mo_crc32c_plain(data, bytes);
}
#else
uint32_t mo_crc32c(const void *data, size_t bytes)
{
    return mo_crc32c_plain(data, bytes);
}
#endif
