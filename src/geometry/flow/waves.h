/*
 * Random plane waves for velocity fields without divergence (R. H. Kraichnan 1970, Phys. Fluids 13,
 * 22, eq. 14): the amplitude of each is perpendicular to its wave vector.
 */
#ifndef MO_GEOMETRY_FLOW_WAVES_H
#define MO_GEOMETRY_FLOW_WAVES_H

#include "math/vec3.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct mo_wave {
    mo_vec3 k, a; /* |a| = 1 */
    double phase;
} mo_wave;

/* Wave `number`, of random direction and phase; `planar`: in the x-y plane. */
mo_wave mo_wave_random(uint64_t seed, uint32_t number, double length, bool planar);

#endif
