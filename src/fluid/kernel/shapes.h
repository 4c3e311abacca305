/* Helpers of kernel shapes. */
#ifndef MO_FLUID_KERNEL_SHAPES_H
#define MO_FLUID_KERNEL_SHAPES_H

#define MO_KERNEL_PI 3.14159265358979323846

static inline double mo_square(double a)
{
    return a * a;
}

static inline double mo_cube(double a)
{
    return a * a * a;
}

/* The positive part. */
static inline double mo_plus(double a)
{
    return a > 0 ? a : 0;
}

#endif
