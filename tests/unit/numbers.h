/*
 * Numbers for tests: a reproducible random sequence, and comparisons.
 */
#ifndef TEST_NUMBERS_H
#define TEST_NUMBERS_H

#include "base/hash.h"
#include "math/vec3.h"

#include <stdbool.h>

/* SplitMix64; independent of math/random.c, which is itself under test. */
static inline uint64_t random_bits(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return mo_hash_mix(*state);
}

static inline double random_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(random_bits(state) >> 11) * 0x1p-53);
}

static inline int64_t random_below(uint64_t *state, int64_t count)
{
    return (int64_t)(random_bits(state) % (uint64_t)count);
}

/* Each component in [-size, size). */
static inline mo_vec3 random_vec3(uint64_t *state, double size)
{
    double x = random_between(state, -size, size);
    double y = random_between(state, -size, size);
    return mo_vec3_make(x, y, random_between(state, -size, size));
}

static inline mo_vec3 random_unit_vec3(uint64_t *state)
{
    for (;;) {
        mo_vec3 a = random_vec3(state, 1);
        double length = mo_length(a);
        if (length > 0.1 && length < 1) {
            return mo_scale(1 / length, a);
        }
    }
}

static inline bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* NaN is near nothing. */
static inline void fail_unless_near(double a, double b, double allowed, const char *file, int line)
{
    if (!(fabs(a - b) <= allowed)) {
        print_error("%.17g and %.17g differ by %g, allowed is %g\n", a, b, fabs(a - b), allowed);
        _fail(file, line);
    }
}
#define assert_near(a, b, allowed) fail_unless_near((a), (b), (allowed), __FILE__, __LINE__)

static inline void fail_unless_near_vec3(mo_vec3 a, mo_vec3 b, double allowed, const char *file,
                                         int line)
{
    double distance = mo_length(mo_sub(a, b));
    if (!(distance <= allowed)) {
        print_error("(%.17g, %.17g, %.17g) and (%.17g, %.17g, %.17g) are %g apart, allowed is %g\n",
                    a.x, a.y, a.z, b.x, b.y, b.z, distance, allowed);
        _fail(file, line);
    }
}
#define assert_near_vec3(a, b, allowed) \
    fail_unless_near_vec3((a), (b), (allowed), __FILE__, __LINE__)

#endif
