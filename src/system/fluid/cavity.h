/*
 * Fluid in a vessel: the cavity of a collider below a level.
 *
 * A lattice covers the bounding box of the collider. Points outside all solids and below the level
 * are connected with their neighbours unless a surface separates them; connected components that do
 * not leave the box through its sides or bottom are closed cavities. Of a container (`inside`) that
 * is its inside, of a glass or a bowl its cavities below the rim.
 *
 * The lattice is then aligned: half a step from the outermost surfaces of the cavity and from the
 * level, with stretched steps as in a fill (geometry/shape/filling.h).
 */
#ifndef MO_SYSTEM_FLUID_CAVITY_H
#define MO_SYSTEM_FLUID_CAVITY_H

#include "collide/collider.h"
#include "fluid/sph/def.h"
#include "geometry/shape/filling.h"

typedef struct mo_cavity_fill {
    const mo_colliders *colliders; /* all colliders at their initial poses */
    const mo_cavity_def *def;
    double spacing;
    int dimension, up; /* up: the axis of the level */
    mo_pool *pool;
} mo_cavity_fill;

/* Adds the points. Fails if the collider is unbounded or has no closed cavity below the level. */
mote_status mo_fill_cavity(const mo_cavity_fill *fill, mo_fill_points *points, mote_error *error);

#endif
