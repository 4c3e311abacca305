#ifndef MO_GEOMETRY_BOX_POINTS_H
#define MO_GEOMETRY_BOX_POINTS_H
#include "base/memory.h"
#include "geometry/shape/shape.h"
typedef struct mo_points {
    int64_t count;
    double *x;
} mo_points;
mote_status mo_fill_shape(mo_method shape, double spacing, int dimension, mo_memory *memory,
                          mo_points *points, mote_error *error);
mote_status mo_sample_box(mo_method shape, double spacing, int dimension, mo_memory *memory,
                          mo_points *points, mote_error *error);
#endif
