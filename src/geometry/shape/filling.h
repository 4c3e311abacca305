/*
 * Particles in a shape: the points of a lattice that are inside.
 *
 * Each point represents a volume of spacing^dimension on any lattice: hexagonal (2D) and
 * face-centred cubic (3D) lattices have a larger nearest-neighbour distance, so that a particle
 * mass of density * spacing^dimension gives the rest density on all of them.
 *
 * A box is filled from its lower corner, the first point half a spacing from the boundary (or
 * `offset`, in lattice steps), with as many points along a side as spacings fit. In other shapes
 * the lattice is centred in the bounds. With `fit` the steps along a box's sides are stretched by
 * up to MO_FILL_STRETCH so that an integer number of them fills the side; the volume of a point is
 * adjusted.
 *
 * In two dimensions points lie in the plane z = 0.
 */
#ifndef MO_GEOMETRY_SAMPLE_FILLING_H
#define MO_GEOMETRY_SAMPLE_FILLING_H

#include "base/pool.h"
#include "geometry/motion/motion.h"
#include "geometry/shape/shape.h"

#include <math.h>

typedef enum mo_fill_lattice {
    MO_FILL_CUBIC,
    MO_FILL_DENSE
} mo_fill_lattice; /* dense: hexagonal or fcc */

/* The largest relative change of a step by `fit`: that of a side of one spacing times sqrt(2). */
#define MO_FILL_STRETCH 0.42

/* The step of which an integer number fills a side, nearest to `spacing` by ratio; `spacing` where
 * it differs by more than MO_FILL_STRETCH. */
static inline double mo_fill_step(double side, double spacing)
{
    double steps = side / spacing, count = fmax(1, floor(steps));
    count = steps * steps > count * (count + 1) ? count + 1 : count;
    double step = side / count;
    return fabs(step - spacing) <= MO_FILL_STRETCH * spacing ? step : spacing;
}

typedef struct mo_filling {
    double spacing;
    int dimension; /* 3 or 2 */
    mo_fill_lattice lattice;
    mo_vec3 offset;    /* of the first point from the lower corner, in spacings; default: 0.5
                        * each */
    double margin;     /* minimum depth of points; default: 0 */
    bool fit;          /* steps to the sides of a box; cubic lattices only */
    mo_vec3 low, high; /* clipping box for boxes; default: none */
    double longest;    /* maximum extent of a shape in spacings; default: 2^31 */
    mo_pool *pool;     /* may be NULL */
} mo_filling;

mo_filling mo_filling_make(double spacing, int dimension);

typedef struct mo_fill_points {
    mo_memory *memory;
    int64_t count, capacity;
    double *x;   /* three coordinates per point */
    double cell; /* the volume (in two dimensions: area) of each point of the last fill */
    /* the bounds of the last fill; `tiled`: lattice cells fill these, as in a box */
    mo_vec3 low, high;
    bool tiled;
} mo_fill_points;

void mo_fill_points_init(mo_fill_points *points, mo_memory *memory);
void mo_fill_points_release(mo_fill_points *points);

/* The maximum number of points of a fill. */
#define MO_FILL_MOST 2e9

/* Appends the points in a shape, in the order of z, y, x. They are counted first: fails for a shape
 * that is unbounded, longer than `longest`, has more than MO_FILL_MOST points, or a surface too
 * large for the spacing. */
mote_status mo_fill_shape(mo_method shape, const mo_filling *how, mo_fill_points *points,
                          mote_error *error);

#endif
