/*
 * Kernels for eight pairs at a time, in single precision, from squared distances.
 *
 * A loop over pairs is written once, as an inline function with the form of the kernel as its first
 * argument, and is called through MO_KERNEL_CALL, which compiles it for every form and selects one
 * before the loop:
 *
 *     MO_INLINE void add_densities(mo_kernel_form form, const mo_kernel *k, ...)
 *     {
 *         mo_kernel kernel = *k;                      a copy, which stores cannot alias
 *         for (...) {
 *             sum += mass * mo_form_w8(form, &kernel, r2);
 *         }
 *     }
 *     MO_KERNEL_CALL(k->form, add_densities, k, ...);
 *
 * mo_kernel_w8 and the others dispatch in the call, for non-critical loops.
 *
 * All functions are zero beyond the support, without a branch, finite at the centre, and uses only
 * + -
 * * / and sqrt, so that results are bitwise identical with and without AVX2.
 */
#ifndef MO_FLUID_KERNEL_LANES_H
#define MO_FLUID_KERNEL_LANES_H

#include "fluid/kernel/kernel.h"
#include "math/wide.h"

/* f(form, ...) with the form as a constant. */
#define MO_KERNEL_CASE_(FORM, function, ...) \
    case FORM: \
        function(FORM, __VA_ARGS__); \
        break;
#define MO_KERNEL_CALL(form, function, ...) \
    switch (form) { \
        MO_KERNEL_CASE_(MO_KERNEL_SCALAR, function, __VA_ARGS__) \
        MO_KERNEL_CASE_(MO_KERNEL_CUBIC, function, __VA_ARGS__) \
        MO_KERNEL_CASE_(MO_KERNEL_QUINTIC, function, __VA_ARGS__) \
        MO_KERNEL_CASE_(MO_KERNEL_POLY6, function, __VA_ARGS__) \
        MO_KERNEL_CASE_(MO_KERNEL_SPIKY, function, __VA_ARGS__) \
        MO_KERNEL_CASE_(MO_KERNEL_VISCOSITY_2D, function, __VA_ARGS__) \
        MO_KERNEL_CASE_(MO_KERNEL_VISCOSITY_3D, function, __VA_ARGS__) \
        MO_KERNEL_CASE_(MO_KERNEL_WENDLAND_C2, function, __VA_ARGS__) \
        MO_KERNEL_CASE_(MO_KERNEL_WENDLAND_C4, function, __VA_ARGS__) \
        MO_KERNEL_CASE_(MO_KERNEL_WENDLAND_C6, function, __VA_ARGS__) \
        MO_KERNEL_CASE_(MO_KERNEL_BELL, function, __VA_ARGS__) \
    }

typedef double mo_kernel_scalar(const mo_kernel *k, double r);

MO_INLINE mo_f8 mo_kernel_scalar8(const mo_kernel *k, mo_f8 r2, mo_kernel_scalar *function)
{
    for (int lane = 0; lane < MO_WIDE; ++lane) {
        r2[lane] = (float)function(k, sqrt((double)r2[lane]));
    }
    return r2;
}

MO_INLINE mo_f8 mo_plus8(mo_f8 a)
{
    return mo_f8_max(mo_f8_set(0), a); /* in this order, so that NaN propagates */
}

MO_INLINE mo_f8 mo_core8(mo_f8 q)
{
    return mo_f8_max(mo_f8_set((float)MO_KERNEL_CORE), q);
}

/* s^power; power >= 1 */
MO_INLINE mo_f8 mo_power8(mo_f8 s, int power)
{
    mo_f8 product = s;
    for (int k = 1; k < power; ++k) {
        product *= s;
    }
    return product;
}

/* c0 + c1 q + c2 q^2 */
MO_INLINE mo_f8 mo_quadratic8(float c0, float c1, float c2, mo_f8 q)
{
    return c0 + q * (c1 + q * c2);
}

/* q, and 1 beyond the support, even if r2 is infinite: where q is 1 every shape is 0. */
MO_INLINE mo_f8 mo_kernel_q8(const mo_kernel *k, mo_f8 r2)
{
    return mo_f8_min(mo_f8_set(1), mo_f8_sqrt(r2) * k->inverse_f);
}

/* 1 - q^2, or 0 */
MO_INLINE mo_f8 mo_kernel_rest8(const mo_kernel *k, mo_f8 r2)
{
    return mo_plus8(1 - r2 * (k->inverse_f * k->inverse_f));
}

/* f(q) */
MO_INLINE mo_f8 mo_form_value8(mo_kernel_form form, const mo_kernel *k, mo_f8 r2)
{
    mo_f8 q = mo_kernel_q8(k, r2), s = 1 - q, s2 = s * s,
          c; /* unused terms of a form are not computed */
    switch (form) {
    case MO_KERNEL_CUBIC: /* 2 (1 - q)+^3 - (1 - 2 q)+^3 */
        c = mo_plus8(1 - 2 * q);
        return 2 * (s2 * s) - c * c * c;
    case MO_KERNEL_QUINTIC: {
        mo_f8 middle = mo_plus8(2.0f / 3 - q), inner = mo_plus8(1.0f / 3 - q);
        mo_f8 middle2 = middle * middle, inner2 = inner * inner;
        return s2 * s2 * s - 6 * (middle2 * middle2 * middle) + 15 * (inner2 * inner2 * inner);
    }
    case MO_KERNEL_POLY6:
        c = mo_kernel_rest8(k, r2);
        return c * c * c;
    case MO_KERNEL_SPIKY:
        return s2 * s;
    case MO_KERNEL_VISCOSITY_2D:
        c = mo_core8(q);
        c = mo_plus8(c * c * (0.25f - c * (1.0f / 9)) - (1.0f / 6) * mo_f8_log(c) - 5.0f / 36);
        return mo_f8_select(q >= 1, mo_f8_set(0), c);
    case MO_KERNEL_VISCOSITY_3D:
        c = mo_core8(q);
        s = 1 - c;
        return s * s * s * (1 + c) / (2 * c);
    case MO_KERNEL_WENDLAND_C2:
        return s2 * s2 * (1 + 4 * q);
    case MO_KERNEL_WENDLAND_C4:
        return s2 * s2 * s2 * mo_quadratic8(1, 6, 35.0f / 3, q);
    case MO_KERNEL_WENDLAND_C6:
        s2 *= s2;
        return s2 * s2 * (1 + q * mo_quadratic8(8, 25, 32, q));
    case MO_KERNEL_BELL:
        return mo_power8(s, k->power + 1) *
               (1 + q * mo_quadratic8(k->bell_value[0], k->bell_value[1], k->bell_value[2], q));
    default:
        return s; /* unreachable: MO_KERNEL_SCALAR has no shape here */
    }
}

/* f'(q) / q */
MO_INLINE mo_f8 mo_form_gradient8(mo_kernel_form form, const mo_kernel *k, mo_f8 r2)
{
    mo_f8 q = mo_kernel_q8(k, r2), s = 1 - q, s2 = s * s,
          c; /* unused terms of a form are not computed */
    switch (form) {
    case MO_KERNEL_CUBIC:
        /* 18 q - 12 below 1/2, where it is the maximum; -3 is the minimum beyond */
        return mo_f8_max(-6 * s2 / q, 18 * mo_f8_min(mo_f8_set(0.5f), q) - 12);
    case MO_KERNEL_QUINTIC: {
        mo_f8 middle = mo_plus8(2.0f / 3 - q), middle2 = middle * middle;
        c = (s2 * s2 - 6 * (middle2 * middle2)) / q;
        return -5 * mo_f8_select(q < 1.0f / 3, 8.0f / 9 - q * q * (8 - 10 * q), c);
    }
    case MO_KERNEL_POLY6:
        c = mo_kernel_rest8(k, r2);
        return -6 * (c * c);
    case MO_KERNEL_SPIKY:
        return -3 * s2 / mo_core8(q);
    case MO_KERNEL_VISCOSITY_2D:
        c = mo_core8(q);
        s = 1 - c;
        return -(s * s) * (1 + 2 * c) / (6 * (c * c));
    case MO_KERNEL_VISCOSITY_3D:
        c = mo_core8(q);
        s = 1 - c;
        return -(s * s) * mo_quadratic8(1, 2, 3, c) / (2 * (c * c * c));
    case MO_KERNEL_WENDLAND_C2:
        return -20 * (s2 * s);
    case MO_KERNEL_WENDLAND_C4:
        return s2 * s2 * s * (-56.0f / 3 - 280.0f / 3 * q);
    case MO_KERNEL_WENDLAND_C6:
        return s2 * s2 * (s2 * s) * mo_quadratic8(-22, -154, -352, q);
    case MO_KERNEL_BELL:
        return mo_power8(s, k->power) *
               mo_quadratic8(k->bell_gradient[0], k->bell_gradient[1], k->bell_gradient[2], q);
    default:
        return s; /* as above */
    }
}

/* f''(q); of the viscosity kernels f'' + (d - 1) f'/q */
MO_INLINE mo_f8 mo_form_curvature8(mo_kernel_form form, const mo_kernel *k, mo_f8 r2)
{
    mo_f8 q = mo_kernel_q8(k, r2), s = 1 - q, s2 = s * s,
          c; /* unused terms of a form are not computed */
    switch (form) {
    case MO_KERNEL_CUBIC: /* 12 (1 - q)+ - 24 (1 - 2 q)+ */
        return 12 * s - 24 * mo_plus8(1 - 2 * q);
    case MO_KERNEL_QUINTIC: {
        mo_f8 middle = mo_plus8(2.0f / 3 - q), inner = mo_plus8(1.0f / 3 - q);
        return 20 * (s2 * s - 6 * (middle * middle * middle) + 15 * (inner * inner * inner));
    }
    case MO_KERNEL_POLY6:
        c = mo_kernel_rest8(k, r2);
        return c * (24 - 30 * c);
    case MO_KERNEL_VISCOSITY_2D:
        return s;
    case MO_KERNEL_SPIKY:
    case MO_KERNEL_VISCOSITY_3D:
        return 6 * s;
    case MO_KERNEL_WENDLAND_C2: /* q (f'/q)' + f'/q for these */
        return s2 * (80 * q - 20);
    case MO_KERNEL_WENDLAND_C4:
        return s2 * s2 * mo_quadratic8(-56.0f / 3, -224.0f / 3, 1960.0f / 3, q);
    case MO_KERNEL_WENDLAND_C6:
        return s2 * s2 * s2 * (-22 + q * mo_quadratic8(-132, 330, 3520, q));
    /* f' = q (1 - q)^p g: f'' = (1 - q)^(p - 1) ((1 - q) (g + q g') - p q g) */
    case MO_KERNEL_BELL: {
        const float *g = k->bell_gradient;
        mo_f8 here = mo_quadratic8(g[0], g[1], g[2], q),
              turn = mo_quadratic8(g[0], 2 * g[1], 3 * g[2], q);
        return mo_power8(s, k->power - 1) * ((1 - q) * turn - (float)k->power * q * here);
    }
    default:
        return s; /* as above */
    }
}

/* ---- for loops compiled for each form ---- */

/* W */
MO_INLINE mo_f8 mo_form_w8(mo_kernel_form form, const mo_kernel *k, mo_f8 r2)
{
    if (form == MO_KERNEL_SCALAR) {
        return mo_kernel_scalar8(k, r2, mo_kernel_w);
    }
    return k->value_f * mo_form_value8(form, k, r2);
}

/* grad W = this times x_ij */
MO_INLINE mo_f8 mo_form_g8(mo_kernel_form form, const mo_kernel *k, mo_f8 r2)
{
    if (form == MO_KERNEL_SCALAR) {
        return mo_kernel_scalar8(k, r2, mo_kernel_gradient);
    }
    return k->gradient_scale_f * mo_form_gradient8(form, k, r2);
}

/* lap W */
MO_INLINE mo_f8 mo_form_l8(mo_kernel_form form, const mo_kernel *k, mo_f8 r2)
{
    if (form == MO_KERNEL_SCALAR) {
        return mo_kernel_scalar8(k, r2, mo_kernel_laplacian);
    }
    mo_f8 sum = mo_form_curvature8(form, k, r2);
    if (form != MO_KERNEL_VISCOSITY_2D && form != MO_KERNEL_VISCOSITY_3D) {
        sum += k->turns_f * mo_form_gradient8(form, k, r2);
    }
    return k->gradient_scale_f * sum;
}

/* ---- for all others ---- */

MO_INLINE mo_f8 mo_kernel_w8(const mo_kernel *k, mo_f8 r2)
{
    return mo_form_w8(k->form, k, r2);
}

MO_INLINE mo_f8 mo_kernel_g8(const mo_kernel *k, mo_f8 r2)
{
    return mo_form_g8(k->form, k, r2);
}

MO_INLINE mo_f8 mo_kernel_l8(const mo_kernel *k, mo_f8 r2)
{
    return mo_form_l8(k->form, k, r2);
}

/* ---- arrays: squared distances in, values out, `count` a multiple of eight ---- */

void mo_kernel_rows_w(const mo_kernel *k, int64_t count, const float *r2, float *out);
void mo_kernel_rows_g(const mo_kernel *k, int64_t count, const float *r2, float *out);
void mo_kernel_rows_l(const mo_kernel *k, int64_t count, const float *r2, float *out);

#endif
