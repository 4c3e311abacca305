/*
 * Compiled with the flags of the AVX2 library, so that the loops are the same.
 */
#include "bench/kernels.h"

#include "fluid/kernel/lanes.h"

bool bench_pairs_can_run(void)
{
#if defined(__AVX2__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2");
#else
    return true;
#endif
}

/* One row and its list: the sum of W, or of G x_ij. */
MO_INLINE void sum_row(const bench_pairs *p, const mo_kernel *k, bool lookup, bool gradient,
                       int64_t i)
{
    const int32_t *index = p->pairs.index + p->pairs.start[i];
    mo_f8 xi = mo_f8_set(p->x[4 * i]), yi = mo_f8_set(p->x[4 * i + 1]),
          zi = mo_f8_set(p->x[4 * i + 2]);
    mo_f8 sum[3] = {mo_f8_set(0), mo_f8_set(0), mo_f8_set(0)};
    for (int32_t n = 0; n < p->pairs.count[i]; n += MO_WIDE) {
        mo_f8 near[4];
        mo_f8_load4(p->x, index + n, near);
        mo_f8 x = xi - near[0], y = yi - near[1], z = zi - near[2];
        mo_f8 r2 = x * x + y * y + z * z;
        if (gradient) {
            mo_f8 g = lookup ? mo_lookup_at8(p->table.g, p->table.scale, r2)
                             : mo_form_g8(MO_KERNEL_CUBIC, k, r2);
            sum[0] += g * x, sum[1] += g * y, sum[2] += g * z;
        } else {
            sum[0] += lookup ? mo_lookup_at8(p->table.w, p->table.scale, r2)
                             : mo_form_w8(MO_KERNEL_CUBIC, k, r2);
        }
    }
    for (int c = 0; c < 3; ++c) {
        p->out[4 * i + c] = mo_f8_sum(sum[c]);
    }
}

#define LOOP(lookup, gradient) \
    for (int64_t i = 0; i < p->pairs.rows; ++i) { \
        sum_row(p, &kernel, lookup, gradient, i); \
    }

void bench_pairs_w(bench_pairs *p, bool lookup)
{
    mo_kernel kernel = p->kernel;
    if (lookup) {
        LOOP(true, false)
    } else {
        LOOP(false, false)
    }
}

void bench_pairs_g(bench_pairs *p, bool lookup)
{
    mo_kernel kernel = p->kernel;
    if (lookup) {
        LOOP(true, true)
    } else {
        LOOP(false, true)
    }
}
