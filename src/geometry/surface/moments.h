/*
 * The weighted moments of what is around a particle: how many there are, their weight, mean and covariance, with
 * w(s) = 1 - s^3, s the distance over the radius (Yu, Turk 2013, eq. 11). One walk over the neighbours gives all.
 */
#ifndef MO_GEOMETRY_MOMENTS_H
#define MO_GEOMETRY_MOMENTS_H

#include "math/mat3.h"
#include "neighbor/cell_list.h"

typedef struct mo_moments {
    int64_t count; /* itself included */
    mo_vec3 mean;  /* from the particle; in units of the radius */
    mo_mat3 covariance;
} mo_moments;

/* Of the particle at a place of the list (not a row), within the list's radius. */
mo_moments mo_moments_at(const mo_cell_list *list, int64_t place);

#endif
