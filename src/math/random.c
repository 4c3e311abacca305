#include "math/random.h"

static void philox_round(uint32_t c[4], uint32_t k0, uint32_t k1)
{
    uint64_t p0 = (uint64_t)UINT32_C(0xD2511F53) * c[0];
    uint64_t p1 = (uint64_t)UINT32_C(0xCD9E8D57) * c[2];
    uint32_t next[4] = {(uint32_t)(p1 >> 32) ^ c[1] ^ k0, (uint32_t)p1,
                        (uint32_t)(p0 >> 32) ^ c[3] ^ k1, (uint32_t)p0};
    for (int i = 0; i < 4; ++i) {
        c[i] = next[i];
    }
}

mo_random mo_random_words(uint64_t seed, uint32_t stream, uint64_t id, uint32_t step)
{
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    mo_random r = {{(uint32_t)id, (uint32_t)(id >> 32), stream, step}};
    for (int round = 0; round < 10; ++round) {
        philox_round(r.word, k0, k1);
        k0 += UINT32_C(0x9E3779B9);
        k1 += UINT32_C(0xBB67AE85);
    }
    return r;
}

static double unit_interval(uint32_t high, uint32_t low)
{
    uint64_t bits = ((uint64_t)high << 32 | low) >> 11;
    return (double)bits * 0x1p-53;
}

void mo_random_uniform(uint64_t seed, uint32_t stream, uint64_t id, uint32_t step, double out[2])
{
    mo_random r = mo_random_words(seed, stream, id, step);
    out[0] = unit_interval(r.word[0], r.word[1]);
    out[1] = unit_interval(r.word[2], r.word[3]);
}

void mo_random_normal(uint64_t seed, uint32_t stream, uint64_t id, uint32_t step, double out[2])
{
    double u[2];
    mo_random_uniform(seed, stream, id, step, u);
    double radius = sqrt(-2 * log(1 - u[0])), angle = 2 * 3.14159265358979323846 * u[1];
    out[0] = radius * cos(angle);
    out[1] = radius * sin(angle);
}

mo_vec3 mo_random_cube(uint64_t seed, uint32_t stream, uint64_t id, uint32_t step)
{
    mo_random r = mo_random_words(seed, stream, id, step);
    double scale = 0x1p-31;
    return mo_vec3_make(scale * r.word[0] - 1, scale * r.word[1] - 1, scale * r.word[2] - 1);
}
