/* A truncated cone between two points of its axis, for `cone` and `cylinder`. */
#ifndef MO_GEOMETRY_SHAPE_FRUSTUM_H
#define MO_GEOMETRY_SHAPE_FRUSTUM_H

#include "geometry/shape/moments.h"
#include "geometry/shape/shape.h"

typedef struct mo_frustum {
    mo_vec3 start, axis;      /* axis of length one */
    double length, low, high; /* radii at the start and at the end */
} mo_frustum;

mo_frustum mo_frustum_make(mo_vec3 start, mo_vec3 end, double low, double high);

/* An error if the axis has no length. */
mote_status mo_frustum_check(mo_vec3 start, mo_vec3 end, mote_error *error);

/* The hooks of mo_shape_type. */
void mo_frustum_distances(const mo_frustum *frustum, int64_t count, const double *points,
                          double *distance, double *normal);
void mo_frustum_bounds(const mo_frustum *frustum, mo_vec3 *min, mo_vec3 *max);
bool mo_frustum_chord(const mo_frustum *frustum, mo_vec3 from, mo_vec3 direction, double *enter,
                      double *leave);
mo_volume_moments mo_frustum_moments(const mo_frustum *frustum);
mote_status mo_frustum_facets(const mo_frustum *frustum, const mo_shape_region *region,
                              struct mo_facets *facets, mote_error *error);

#endif
