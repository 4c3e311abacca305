/* Linear combinations of arrays for Runge-Kutta and Adams methods. They are accumulated in a small
 * buffer, so that every loop has two arrays and vectorises. */
#ifndef MO_INTEGRATE_COMBINE_H
#define MO_INTEGRATE_COMBINE_H

#include <stdint.h>

enum { MO_COMBINE_PIECE = 240 };

/* to = from + h (weight_0 array_0 + weight_1 array_1 + ...), summed in this order; `to` may be
 * `from` or one of the arrays. */
static inline void mo_combine(double *to, const double *from, double h, int terms,
                              const double *weight, const double *const *array, int64_t first,
                              int64_t last)
{
    for (; terms > 1 && weight[0] == 0; --terms) {
        ++weight;
        ++array;
    }
    for (int64_t start = first; start < last; start += MO_COMBINE_PIECE) {
        int64_t count = last - start < MO_COMBINE_PIECE ? last - start : MO_COMBINE_PIECE;
        double sum[MO_COMBINE_PIECE];
        for (int64_t k = 0; k < count; ++k) {
            sum[k] = weight[0] * array[0][start + k];
        }
        for (int j = 1; j < terms; ++j) {
            for (int64_t k = 0; weight[j] != 0 && k < count; ++k) {
                sum[k] += weight[j] * array[j][start + k];
            }
        }
        for (int64_t k = 0; to == from && k < count; ++k) {
            to[start + k] += h * sum[k];
        }
        for (int64_t k = 0; to != from && k < count; ++k) {
            to[start + k] = from[start + k] + h * sum[k];
        }
    }
}

#endif
