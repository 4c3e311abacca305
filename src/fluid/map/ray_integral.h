/* The equivalent distance of a solid at a point (solid_map.h), by rays. */
#ifndef MO_FLUID_MAP_RAY_INTEGRAL_H
#define MO_FLUID_MAP_RAY_INTEGRAL_H

#include "fluid/map/solid_map.h"

enum { MO_RAYS = 128 };

typedef struct mo_ray_integral {
    const mo_half_space *half_space;
    int dimension, count;
    double support;
    /* radius beyond which the mass of F is negligible, in supports */
    double reach;
    mo_vec3 direction[MO_RAYS]; /* of equal weight */
} mo_ray_integral;

mo_ray_integral mo_ray_integral_make(const mo_half_space *half_space, int dimension,
                                     double support);

/* In supports. */
double mo_ray_integral_distance(const mo_ray_integral *rays, const mo_map_solid *solid, mo_vec3 x);

#endif
