/*
 * Weighted moments of a particle's neighbourhood: count, total weight, mean and covariance, with
 * w(s) = 1 - s^3, s the distance over the radius (Yu, Turk 2013, eq. 11). One pass over the
 * neighbours.
 */
#ifndef MO_GEOMETRY_MOMENTS_H
#define MO_GEOMETRY_MOMENTS_H

#include "geometry/surface/vicinity.h"
#include "math/mat3.h"

typedef struct mo_moments {
    int64_t count; /* including the particle */
    mo_vec3 mean;  /* from the particle; in units of the radius */
    mo_mat3 covariance;
} mo_moments;

/* Of the particle at a sorted index (not a row), within the radius. */
mo_moments mo_moments_at(const mo_vicinity *vicinity, int64_t slot);

#endif
