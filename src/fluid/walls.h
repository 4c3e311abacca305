/*
 * Walls as samples: places with a velocity and a volume, and a list of samples for each row of the fluid. How they come about
 * is up to a boundary method; what they do to the fluid is the same for all of them.
 *
 * Samples stand in the frame of their collider and are put where it is at the time of the step.
 */
#ifndef MO_FLUID_WALLS_H
#define MO_FLUID_WALLS_H

#include "geometry/motion/motion.h"
#include "neighbor/search.h"

/* The samples of one collider: a range of all. */
typedef struct mo_wall_piece {
    int64_t first, count;
    int collider;
    mo_method motion; /* absent: it stands still */
} mo_wall_piece;

typedef struct mo_walls {
    mo_memory *memory;
    int piece_count;
    mo_wall_piece *pieces;
    int64_t count;
    double *rest;   /* 3 a sample, in the frame of the collider */
    double *x, *v;  /* 3 a sample, at the time of the last mo_walls_move, and one number more */
    double *volume; /* m^d */
    int64_t piece_capacity, rest_capacity, x_capacity, v_capacity, volume_capacity;
    bool moves; /* some piece has a motion */

    /* of a step, packed as the fluid's own (fluid.h) */
    float *place;    /* (x, y, z as integers, V/support^d) */
    float *velocity; /* (v, 0) */
    float *slope;    /* one for each index of the lists */
    int64_t places, place_capacity, velocity_capacity, slope_capacity;
    const mo_lists *lists; /* NULL if there are no walls */
    mo_places found;       /* samples and their images beyond periodic borders */
} mo_walls;

void mo_walls_init(mo_walls *walls, mo_memory *memory);
void mo_walls_release(mo_walls *walls);

/* More samples, of one collider; x has three numbers each, in the collider's frame. Volumes are 0 until they are set. */
mote_status mo_walls_add(mo_walls *walls, int collider, mo_method motion, int64_t count, const double *x,
                         mote_error *error);

/* To where the colliders are at `time`. */
void mo_walls_move(mo_walls *walls, double time);

#endif
