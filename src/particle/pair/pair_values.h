/*
 * Positions and one scalar of local and ghost particles, interleaved (x, y, z, s), so that a pair
 * loop loads both of four neighbours by one transpose, without looking up the owners of ghosts.
 */
#ifndef MO_PARTICLE_PAIR_VALUES_H
#define MO_PARTICLE_PAIR_VALUES_H

#include "base/memory.h"
#include "base/pool.h"
#include "math/wide.h"
#include "neighbor/pairs.h"

typedef struct mo_pair_values {
    int64_t capacity;
    double *data; /* four per particle; NULL: not filled */
} mo_pair_values;

/* Copies positions and the values of the rows. Allocates only if there are more particles. */
mote_status mo_pair_values_fill(mo_pair_values *values, const mo_pairs *pairs, const double *scalar,
                                mo_pool *pool, mo_memory *memory, mote_error *error);

/* The scalars alone, at the same positions. */
void mo_pair_values_update(const mo_pair_values *values, const mo_pairs *pairs,
                           const double *scalar, mo_pool *pool);
void mo_pair_values_release(mo_pair_values *values, mo_memory *memory);

/* Transposes the values of four particles. */
MO_INLINE void mo_pair_values_load(const double *data, const int32_t particle[4], mo_d4 *x,
                                   mo_d4 *y, mo_d4 *z, mo_d4 *s)
{
    mo_d4 a = mo_d4_load(data + 4 * (int64_t)particle[0]),
          b = mo_d4_load(data + 4 * (int64_t)particle[1]);
    mo_d4 c = mo_d4_load(data + 4 * (int64_t)particle[2]),
          d = mo_d4_load(data + 4 * (int64_t)particle[3]);
    mo_d4 xz = __builtin_shufflevector(a, b, 0, 4, 2, 6),
          ys = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    mo_d4 xz2 = __builtin_shufflevector(c, d, 0, 4, 2, 6),
          ys2 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    *x = __builtin_shufflevector(xz, xz2, 0, 1, 4, 5);
    *y = __builtin_shufflevector(ys, ys2, 0, 1, 4, 5);
    *z = __builtin_shufflevector(xz, xz2, 2, 3, 6, 7);
    *s = __builtin_shufflevector(ys, ys2, 2, 3, 6, 7);
}

#endif
