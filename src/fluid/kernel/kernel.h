/*
 * The family of smoothing kernels.
 *
 * A kernel is W(r) = factor / R^d f(q), q = r / R, zero beyond the support radius R, with an
 * integral of 1 in d dimensions; in papers with h mostly R = 2 h. A method of the family is the
 * shape f, as three functions of q in double precision:
 *
 *   value      f(q)
 *   gradient   f'(q) / q           so that grad W = (gradient) x_ij, without a division by r
 *   laplacian  f'' + (d - 1) f'/q
 *
 * They are the reference for tests, measurements and non-critical loops. f'/q is finite at the
 * centre for all kernels but spiky and viscosity, which are evaluated at q = MO_KERNEL_CORE below
 * that, so that the gradient of a particle at itself is zero.
 *
 * Pair loops use eight floats at a time, with code selected before the loop: a kernel names its
 * form, lanes.h has the forms as inline functions, and a loop is compiled once for each. A kernel
 * without a form (MO_KERNEL_SCALAR) is correct but slow: one file, one line in methods.def.
 * lookup.h tabulates any kernel, which is not faster.
 */
/* mo_kernel is a kernel bound to a dimension and a support, passed by value. Its floats are valid
 * for supports from 1e-5 m to 1e5 m; beyond that, use lengths in supports and a support of 1. */

#ifndef MO_FLUID_KERNEL_H
#define MO_FLUID_KERNEL_H

#include "base/param.h"

/* Its evaluation in lanes.h. */
typedef enum mo_kernel_form {
    MO_KERNEL_SCALAR, /* by the functions of the method, one at a time */
    MO_KERNEL_CUBIC,
    MO_KERNEL_QUINTIC,
    MO_KERNEL_POLY6,
    MO_KERNEL_SPIKY,
    MO_KERNEL_VISCOSITY_2D,
    MO_KERNEL_VISCOSITY_3D,
    MO_KERNEL_WENDLAND_C2,
    MO_KERNEL_WENDLAND_C4,
    MO_KERNEL_WENDLAND_C6,
    MO_KERNEL_BELL /* (1 - q)^n times a polynomial with coefficients as data: mo_kernel_bell */
} mo_kernel_form;

typedef enum mo_kernel_property {
    MO_KERNEL_SMOOTH = 1u << 0,   /* the gradient vanishes at the center */
    MO_KERNEL_POSITIVE = 1u << 1, /* no negative Fourier component in 1, 2, 3 dimensions: particles
                                     do not pair up (W. Dehnen, H. Aly 2012, MNRAS 425, 1068) */
    MO_KERNEL_DENSITY = 1u << 2 /* finite at the centre, for density sums with self contribution */
} mo_kernel_property;

/* f = (1 - q)^(power + 1) (1 + v1 q + v2 q^2 + v3 q^3), f'/q = (1 - q)^power (g0 + g1 q + g2
 * q^2) */
typedef struct mo_kernel_bell {
    int power;
    double value[3], gradient[3];
} mo_kernel_bell;

#define MO_KERNEL_CORE 1e-3

/* For d = 1, 2, 3 and 0 <= q < 1. */
typedef double mo_kernel_shape(int dimension, double q);

typedef struct mo_kernel_type {
    mo_descriptor base; /* properties are base.capabilities */
    double factor[3];   /* in 1, 2, 3 dimensions */
    mo_kernel_form form[3];
    double spacings;     /* the default support, in lattice spacings */
    mo_kernel_bell bell; /* of MO_KERNEL_BELL */
    mo_kernel_shape *value, *gradient, *laplacian;
} mo_kernel_type;

extern const mo_family mo_kernels;

typedef struct mo_kernel {
    const mo_kernel_type *type;
    int dimension;
    double support, inverse;      /* R, 1 / R */
    double value, gradient_scale; /* factor / R^d, factor / R^(d + 2) */
    mo_kernel_form form;
    int power; /* of MO_KERNEL_BELL, and its polynomials */
    float bell_value[3], bell_gradient[3];
    float inverse_f, value_f, gradient_scale_f, turns_f; /* the same as floats; turns: d - 1 */
} mo_kernel;

/* `dimension` is 1, 2 or 3; `support` is positive. */
mo_kernel mo_kernel_make(const mo_kernel_type *type, int dimension, double support);

static inline double mo_kernel_w(const mo_kernel *k, double r)
{
    double q = r * k->inverse;
    return q < 1 ? k->value * k->type->value(k->dimension, q) : 0;
}

/* dW/dr / r: grad W(x_ij) is this times x_ij. */
static inline double mo_kernel_gradient(const mo_kernel *k, double r)
{
    double q = r * k->inverse;
    return q < 1 ? k->gradient_scale * k->type->gradient(k->dimension, q) : 0;
}

static inline double mo_kernel_laplacian(const mo_kernel *k, double r)
{
    double q = r * k->inverse;
    return q < 1 ? k->gradient_scale * k->type->laplacian(k->dimension, q) : 0;
}

#endif
