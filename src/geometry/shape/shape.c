#include "geometry/shape/shape.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_shape_type, mo_shape_, name)
#include "geometry/shape/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_shape_, name)
#include "geometry/shape/methods.def"
#undef MO_METHOD
};

const mo_family mo_shapes = {
    .name = "shape",
    .doc =
        "Solid shapes with their exact distances, for colliders, fluids and for picking regions.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};

void mo_shape_distances(mo_method shape, int64_t count, const double *points, double *distance,
                        double *normal)
{
    ((const mo_shape_type *)shape.type)->distances(shape.params, count, points, distance, normal);
}

bool mo_shape_contains(mo_method shape, mo_vec3 point)
{
    double x[3], distance;
    mo_vec3_store(x, point);
    mo_shape_distances(shape, 1, x, &distance, NULL);
    return distance <= 0;
}
