/*
 * Features of a mesh: creases (dihedral angle above 30 degrees), open borders, and the corners
 * where these end or bend.
 */
#ifndef MO_GEOMETRY_SAMPLE_SAMPLE_FEATURES_H
#define MO_GEOMETRY_SAMPLE_SAMPLE_FEATURES_H

#include "geometry/grid/point_grid.h"
#include "geometry/sample/sampling.h"
#include "geometry/trimesh/distance.h"

/* Adds corners, then points of creases and borders, a spacing apart, unless a sample is closer than
 * 0.62 spacings. */
mote_status mo_sample_features(const mo_trimesh *mesh, const mo_trimesh_distance *tree,
                               double spacing, mo_point_grid *grid, mote_error *error);

/* Projects a sample of an approximating mesh onto the exact surface, with its normal. */
typedef mo_vec3 (*mo_sample_projection)(void *context, mo_vec3 x, mo_vec3 *normal);

/* mo_sample_mesh with such a projection at the end; NULL: none. */
mote_status mo_sample_surface(const mo_trimesh *mesh, const char *name, const mo_sampling *how,
                              mo_sample_projection project, void *context, mo_samples *samples,
                              mote_error *error);

#endif
