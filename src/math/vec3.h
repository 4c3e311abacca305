/* Vectors of three doubles, by value. Arrays of particles are interleaved: row i is at x + 3 *
 * i. */
#ifndef MO_MATH_VEC3_H
#define MO_MATH_VEC3_H

#include <math.h>
#include <stdint.h>

typedef struct mo_vec3 {
    double x, y, z;
} mo_vec3;

static inline mo_vec3 mo_vec3_make(double x, double y, double z)
{
    return (mo_vec3){x, y, z};
}

static inline mo_vec3 mo_vec3_load(const double *p)
{
    return (mo_vec3){p[0], p[1], p[2]};
}

static inline void mo_vec3_store(double *p, mo_vec3 a)
{
    p[0] = a.x;
    p[1] = a.y;
    p[2] = a.z;
}

/* The component along axis 0, 1 or 2: struct members are not an array, so &a.x must not be
 * indexed. */
static inline double mo_vec3_at(mo_vec3 a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

static inline mo_vec3 mo_add(mo_vec3 a, mo_vec3 b)
{
    return (mo_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline mo_vec3 mo_sub(mo_vec3 a, mo_vec3 b)
{
    return (mo_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline mo_vec3 mo_scale(double s, mo_vec3 a)
{
    return (mo_vec3){s * a.x, s * a.y, s * a.z};
}

/* a + s b */
static inline mo_vec3 mo_add_scaled(mo_vec3 a, double s, mo_vec3 b)
{
    return (mo_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double mo_dot(mo_vec3 a, mo_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline mo_vec3 mo_cross(mo_vec3 a, mo_vec3 b)
{
    return (mo_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double mo_length(mo_vec3 a)
{
    return sqrt(mo_dot(a, a));
}

static inline mo_vec3 mo_multiply(mo_vec3 a, mo_vec3 b)
{
    return (mo_vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

/* The unit vector; a zero vector gives `otherwise`. */
static inline mo_vec3 mo_unit(mo_vec3 a, mo_vec3 otherwise)
{
    double length = mo_length(a);
    return length > 0 ? mo_scale(1 / length, a) : otherwise;
}

/* A unit vector orthogonal to the unit vector n. */
static inline mo_vec3 mo_perpendicular(mo_vec3 n)
{
    mo_vec3 axis = fabs(n.x) < 0.6 ? mo_vec3_make(1, 0, 0) : mo_vec3_make(0, 1, 0);
    return mo_unit(mo_cross(n, axis), mo_vec3_make(0, 0, 1));
}

#endif
