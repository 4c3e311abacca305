/*
 * A splat: a centre, an ellipsoid and a weight. The kernel is w(q) = (1 - q)^3 where q = r . A r <
 * 1, r the vector from the centre, A the ellipsoid's shape matrix: it needs no square root.
 */
#ifndef MO_GEOMETRY_SURFACE_SPLAT_H
#define MO_GEOMETRY_SURFACE_SPLAT_H

#include "base/pool.h"
#include "math/vec3.h"

struct mo_cloud; /* surface.h */

enum { MO_SPLAT_GRAIN = 1024 };

typedef struct mo_splat {
    double x[3];    /* the centre, in units of the spacing from the origin */
    float shape[6]; /* A: xx, yy, zz, xy, xz, yz */
    float weight;
    float half[3]; /* half extents of its bounding box */
} mo_splat;

typedef enum mo_splat_rule {
    MO_SPLAT_SUM, /* the field is the sum of weight * w, minus the level */
    /* the field is the level minus the distance to the w-weighted mean of the centres */
    MO_SPLAT_MEAN
} mo_splat_rule;

/* A ball as a splat: its radius in units of the spacing. */
mo_splat mo_splat_ball(const double center[3], double radius, double weight);

/* Isotropic splats of this radius and weight. */
void mo_splat_balls(const struct mo_cloud *cloud, double radius, double weight, mo_pool *pool,
                    mo_splat *splat);

/* The weight that gives a splat the integral 1: 315 / (64 pi) over the product of its semi-axes. */
#define MO_SPLAT_NORM (315 / (64 * 3.14159265358979323846))

#endif
