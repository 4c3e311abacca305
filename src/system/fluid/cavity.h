/*
 * Fluid in a vessel: the free space of a collider below a level.
 *
 * A lattice covers the box around the collider. Points outside of all solids and below the level
 * are joined with their neighbours where no wall stands between; what hangs together and does not
 * reach beyond the sides or the bottom of the box is held by the collider. Of a container (`inside`)
 * that is its inside, of a glass or a bowl its cavities below the rim.
 *
 * The lattice is then placed anew: half a step from the outermost walls of the cavity and from the
 * level, steps stretched as those of a fill (geometry/shape/filling.h).
 */
#ifndef MO_SYSTEM_FLUID_CAVITY_H
#define MO_SYSTEM_FLUID_CAVITY_H

#include "collide/collider.h"
#include "fluid/sph/def.h"
#include "geometry/shape/filling.h"

typedef struct mo_cavity_fill {
    const mo_colliders *colliders; /* all of them, where they stand at the start */
    const mo_cavity_def *def;
    double spacing;
    int dimension, up; /* up: the axis of the level */
    mo_pool *pool;
} mo_cavity_fill;

/* Adds the points. Fails if the collider has no end or holds nothing below the level. */
mote_status mo_fill_cavity(const mo_cavity_fill *fill, mo_points *points, mote_error *error);

#endif
