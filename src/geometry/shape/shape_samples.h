/* Boundary particles of a shape (geometry/sample/sampling.h). */
#ifndef MO_GEOMETRY_SHAPE_SAMPLES_H
#define MO_GEOMETRY_SHAPE_SAMPLES_H

#include "geometry/sample/sampling.h"
#include "geometry/shape/shape.h"

/* Appends samples; on failure nothing is added. */
mote_status mo_sample_shape(mo_method shape, const mo_sampling *how, mo_samples *samples,
                            mote_error *error);

/* A shape without its own sampling, by its distances; sharp edges are slightly truncated. */
mote_status mo_sample_by_distance(mo_method shape, const mo_sampling *how, mo_samples *samples,
                                  mote_error *error);

#endif
