/*
 * Weighted moments of a particle's neighbourhood: count, total weight, mean and covariance, with
 * w(s) = 1 - s^3, s the distance over the radius (Yu, Turk 2013, eq. 11). One pass over the
 * neighbours.
 */
#ifndef MO_GEOMETRY_MOMENTS_H
#define MO_GEOMETRY_MOMENTS_H

#include "math/mat3.h"
#include "neighbor/search/cells.h"

typedef struct mo_moments {
    int64_t count; /* including the particle */
    mo_vec3 mean;  /* from the particle; in units of the radius */
    mo_mat3 covariance;
} mo_moments;

/* Points sorted into cells, and as columns in the order of the cells. */
typedef struct mo_vicinity {
    mo_memory *memory;
    double radius;
    mo_cell_frame frame; /* cells as wide as the radius */
    mo_cells cells;
    double *x, *y, *z; /* by sorted index */
    int64_t capacity;
} mo_vicinity;

void mo_vicinity_init(mo_vicinity *vicinity, mo_memory *memory);
void mo_vicinity_release(mo_vicinity *vicinity);
mote_status mo_vicinity_build(mo_vicinity *vicinity, mo_pool *pool, int64_t rows, const double *x,
                              double radius, mote_error *error);

/* Of the particle at a sorted index (not a row), within the radius. */
mo_moments mo_moments_at(const mo_vicinity *vicinity, int64_t slot);

#endif
