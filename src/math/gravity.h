/*
 * Gravity as a function of time: a constant vector times a curve.
 */
#ifndef MO_MATH_GRAVITY_H
#define MO_MATH_GRAVITY_H

#include "base/param.h"
#include "math/vec3.h"

/* A curve without points is 1. */
static inline mo_vec3 mo_gravity_at(mo_vec3 gravity, const mo_curve *scale, double time)
{
    return mo_scale(scale->count > 0 ? mo_curve_at(scale, time) : 1, gravity);
}

#endif
