/*
 * Counter-based random numbers: functions of (seed, stream, id, step) alone, independent of the
 * order of particles and of threads. Philox 4x32-10 (Salmon, Moraes, Dror, Shaw 2011, "Parallel
 * random numbers: as easy as 1, 2, 3", section 3.3).
 */
#ifndef MO_MATH_RANDOM_H
#define MO_MATH_RANDOM_H

#include "math/vec3.h"

typedef struct mo_random {
    uint32_t word[4];
} mo_random;

/* Four independent 32-bit words. */
mo_random mo_random_words(uint64_t seed, uint32_t stream, uint64_t id, uint32_t step);

/* Two uniform numbers in [0, 1), with 53 random bits each. */
void mo_random_uniform(uint64_t seed, uint32_t stream, uint64_t id, uint32_t step, double out[2]);

/* Two independent normal numbers of mean 0 and variance 1 (Box, Muller 1958). */
void mo_random_normal(uint64_t seed, uint32_t stream, uint64_t id, uint32_t step, double out[2]);

/* A vector in the cube [-1, 1)^3. */
mo_vec3 mo_random_cube(uint64_t seed, uint32_t stream, uint64_t id, uint32_t step);

#endif
