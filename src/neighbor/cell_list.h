/*
 * Points sorted into the cells of a grid, and the lists of neighbours made from it.
 *
 * Cells are as wide as the radius, so that all neighbours of a point lie in the 27 cells around its own. The
 * domain is unbounded: a grid covers the box of the points, and what lies outside the grid belongs to the
 * nearest cell of its border (pulling two points into a box does not push them apart, so no pair is missed).
 * If the box has many more cells than points, a few stray points are left outside the grid, and if that does
 * not help the cells are widened: memory stays proportional to the number of points, and only clusters far
 * apart from each other cost more time.
 *
 * Points within a cell are ascending, cells are walked in a fixed order: neighbours come in an order that
 * follows from the positions alone, whatever the number of threads. Building again within the memory of
 * earlier builds allocates nothing.
 */
#ifndef MO_NEIGHBOR_CELL_LIST_H
#define MO_NEIGHBOR_CELL_LIST_H

#include "base/pool.h"
#include "math/vec3.h"

typedef struct mo_cell_list {
    mo_memory *memory;
    int64_t rows, size[3];
    double radius, low[3], inverse_width;
    int32_t
        *start; /* cell (i, j, k) has the places [start[c], start[c + 1]), c = (k size[1] + j) size[0] + i */
    int32_t *cell_of; /* the cell of a row */
    int32_t *row_at;  /* the row at a place; ascending within a cell */
    double *packed;   /* all x, all y, all z, by place */
    int64_t start_capacity, cell_capacity, row_capacity, packed_capacity;
} mo_cell_list;

void mo_cell_list_init(mo_cell_list *list, mo_memory *memory);
void mo_cell_list_release(mo_cell_list *list);

/* Sorts the points x (interleaved). A position that is not finite (or beyond 1e150) is an error of the
   numeric kind, a radius outside [1e-150, 1e150] one of the input. After a failure the list is empty. */
mote_status mo_cell_list_build(mo_cell_list *list, mo_pool *pool, int64_t rows, const double *x,
                               double radius, mote_error *error);

/* The rows within the radius of `point` (at it included), without `except` (-1: with all). Writes the first
   `capacity` of them and returns how many there are. */
int64_t mo_cell_list_near(const mo_cell_list *list, mo_vec3 point, int64_t except, int32_t *out,
                          int64_t capacity);

/* For every row all others within the radius: those of row i are index[start[i]] to index[start[i + 1] - 1].
 */
typedef struct mo_neighbor_lists {
    mo_cell_list cells;
    int64_t *start;
    int32_t *index;
    int64_t start_capacity, index_capacity;
    bool complete; /* the last build did not fail */
} mo_neighbor_lists;

void mo_neighbor_lists_init(mo_neighbor_lists *lists, mo_memory *memory);
void mo_neighbor_lists_release(mo_neighbor_lists *lists);

/* Fails as mo_cell_list_build does; after a failure the lists are not to be used. If nothing has moved since
   the last time they are left as they are. */
mote_status mo_neighbor_lists_build(mo_neighbor_lists *lists, mo_pool *pool, int64_t rows, const double *x,
                                    double radius, mote_error *error);

#endif
