/* Single precision that errs on the safe side, and loops over the lanes of a block. */
#ifndef MO_GEOMETRY_BOUND_ROUNDING_H
#define MO_GEOMETRY_BOUND_ROUNDING_H

#include "geometry/bound/bound.h"
#include "math/wide.h"

#include <float.h>

/* A float that is not above x; at least one rounding step below it, which costs less than finding
 * the nearest. */
static inline float mo_float_below(double x)
{
    float f = x > (double)FLT_MAX ? FLT_MAX : (float)x;
    return f - (fabsf(f) * 0x1p-23f + FLT_MIN);
}

static inline float mo_float_above(double x)
{
    return -mo_float_below(-x);
}

MO_INLINE mo_f8 mo_lanes(const float *block, int scalar)
{
    return mo_f8_load(block + MO_BOUND_LANES * scalar);
}

MO_INLINE mo_f8 mo_lane(const float *block, int scalar, int lane)
{
    return mo_f8_set(block[MO_BOUND_LANES * scalar + lane]);
}

MO_INLINE mo_f8 mo_f8_abs(mo_f8 a)
{
    return (mo_f8)((mo_i8)a & mo_i8_set(INT32_MAX));
}

MO_INLINE unsigned mo_lane_bits(mo_i8 mask)
{
    return mo_f8_signs((mo_f8)mask);
}

static inline void mo_block_load(const float *block, int lane, int scalars, double *volume)
{
    for (int k = 0; k < scalars; ++k) {
        volume[k] = (double)block[MO_BOUND_LANES * k + lane];
    }
}

/* All 64 tests of two blocks by those of a lane. Inlined with a constant function, so that nothing
 * is called. */
typedef unsigned mo_overlap_fn(const float *block, const float *other, int lane);
MO_INLINE uint64_t mo_cross_lanes(mo_overlap_fn *overlap, const float *a, const float *b)
{
    uint64_t bits = 0;
    for (int lane = 0; lane < MO_BOUND_LANES; ++lane) {
        bits |= (uint64_t)overlap(b, a, lane) << (MO_BOUND_LANES * lane);
    }
    return bits;
}

/* ---- slabs: what boxes and polytopes are made of ---- */

/* A ray across the slab low <= n . x <= high, widened by the radius times |n|: narrows [from, to].
 */
MO_INLINE void mo_slab_enter(mo_f8 low, mo_f8 high, double at, double along, double radius,
                             mo_f8 *from, mo_f8 *to)
{
    float slack = (float)(radius + 1e-6 * fabs(at));
    low -= slack;
    high += slack;
    if (along == 0) {
        mo_i8 out = (low > (float)at) | (high < (float)at);
        *from = mo_f8_select(out, mo_f8_set(INFINITY), *from);
        return;
    }
    mo_f8 inverse = mo_f8_set((float)(1 / along)), origin = mo_f8_set((float)at);
    mo_f8 s0 = (low - origin) * inverse, s1 = (high - origin) * inverse;
    *from = mo_f8_max(mo_f8_min(s0, s1), *from);
    *to = mo_f8_min(mo_f8_max(s0, s1), *to);
}

/* The entry of each lane from what all slabs left. */
MO_INLINE void mo_slab_result(mo_f8 from, mo_f8 to, float out[MO_BOUND_LANES])
{
    mo_i8 hit = from * (1 - 1e-6f) <= to * (1 + 1e-6f);
    mo_f8_store(out, mo_f8_select(hit, from * (1 - 1e-6f), mo_f8_set(INFINITY)));
}

#endif
