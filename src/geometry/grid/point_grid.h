/*
 * An incremental point set with nearest-point queries: hashed cells of fixed width, each with a
 * chain of points. (The structures of neighbor/ are for given sets; here every query decides
 * whether the next point is inserted.)
 */
#ifndef MO_GEOMETRY_GRID_POINT_GRID_H
#define MO_GEOMETRY_GRID_POINT_GRID_H

#include "base/memory.h"
#include "math/vec3.h"

typedef struct mo_point_grid {
    mo_memory *memory;
    double width;
    int64_t count, capacity, table_size;
    double *x;      /* three per point */
    int32_t *next;  /* of the same slot; -1: none */
    int32_t *table; /* the newest point of a slot; -1: none */
} mo_point_grid;

void mo_point_grid_init(mo_point_grid *grid, mo_memory *memory, double width);
void mo_point_grid_release(mo_point_grid *grid);
void mo_point_grid_clear(mo_point_grid *grid); /* keeps the memory */

mote_status mo_point_grid_add(mo_point_grid *grid, mo_vec3 x, mote_error *error);

/* The point nearest to x within `radius`, which is at most the width of a cell; -1: none. Of
 * several at the same distance the first one inserted. *square (may be NULL) is the squared
 * distance. Thread-safe. */
int64_t mo_point_grid_nearest(const mo_point_grid *grid, mo_vec3 x, double radius, double *square);

#endif
