/*
 * Bounding volumes: simple convex bodies around others, so that a cheap overlap test decides most
 * pairs (compared by S. Gottschalk, M. C. Lin, D. Manocha 1996, SIGGRAPH 171; J. T. Klosowski et
 * al. 1998, IEEE TVCG 4(1), 21).
 *
 * A kind of volume is one file and one line in methods.def. A volume is an array of `scalars`
 * numbers, in double precision where it is made. Hierarchies keep eight of them in a block of
 * floats, number k of lane i at block[8 k + i], relative to an origin of theirs and rounded
 * outward: a volume in a block encloses the volume that was stored. Overlap tests and bounds of
 * distances are conservative up to rounding. A hierarchy never misses a pair; the exact test of the
 * primitives decides.
 *
 * Functions work on a block of eight at a time, so that the dispatch through this table costs
 * little beside the tests. Lanes without a volume are NaN and overlap nothing.
 */
#ifndef MO_GEOMETRY_BOUND_BOUND_H
#define MO_GEOMETRY_BOUND_BOUND_H

#include "base/param.h"
#include "math/mat3.h"

enum { MO_BOUND_LANES = 8, MO_BOUND_SCALARS_MAX = 26 };

/* A ray, or the path of a sphere if radius > 0: origin + s direction, 0 <= s <= end. */
typedef struct mo_ray {
    mo_vec3 origin, direction;
    double end, radius;
} mo_ray;

typedef struct mo_bound_type {
    mo_descriptor base;
    int scalars;      /* numbers of a volume */
    int axes;         /* separating axes of an overlap test */
    bool rotates;     /* a rotated volume is one of the same kind */
    bool joins_tight; /* `join` is as tight as `enclose` of all points */

    /* The volume of some points, three numbers each; at least one. */
    void (*enclose)(int64_t count, const double *points, double *volume);
    /* The volume of 1 to 8 volumes. `volume` holds the one of before a deformation: orientations
     * are kept. */
    void (*join)(int count, const double *volumes, double *volume);
    /* The volume after a rigid motion x -> R x + t: of the same kind, tight only if it
     * `rotates`. */
    void (*transform)(const double *volume, const mo_mat3 *R, mo_vec3 t, double *out);
    void (*inflate)(double *volume, double by); /* moves its surface outward */
    double (*measure)(const double *volume);    /* its volume [m^3] */

    void (*store)(const double *volume, float *block, int lane);
    void (*load)(const float *block, int lane, double *volume);
    /* Bit k: lane k of the block overlaps lane `lane` of the other. */
    unsigned (*overlap)(const float *block, const float *other, int lane);
    /* Bit 8 i + k: lane i of a overlaps lane k of b. */
    uint64_t (*cross)(const float *a, const float *b);
    /* Lower bounds of the distance from a point to each lane; 0 inside. Of these two, lanes without
     * a volume have no meaning. */
    void (*distance)(const float *block, mo_vec3 x, float out[MO_BOUND_LANES]);
    /* Lower bounds of the s at which a ray enters each lane; above ray->end: it does not. */
    void (*enter)(const float *block, const mo_ray *ray, float out[MO_BOUND_LANES]);
} mo_bound_type;

extern const mo_family mo_bounds;
#define MO_BOUND_DEFAULT_JSON "\"aabb\""
extern const mo_bound_type mo_bound_aabb; /* for the boxes of bodies */

#endif
