#include "geometry/shape/primitive.h"

bool mo_shape_primitive(mo_method shape, mo_primitive *primitive)
{
    const mo_shape_type *type = (const mo_shape_type *)shape.type;
    return type->primitive && type->primitive(shape.params, primitive);
}

extern const mo_shape_type mo_shape_union;

int64_t mo_shape_union_parts(const mo_method *shape, const mo_method **parts)
{
    *parts = shape;
    if (shape->type != &mo_shape_union.base) {
        return 1;
    }
    const mo_param *shapes = shape->type->params;
    const mo_list *list = (const mo_list *)((const char *)shape->params + shapes->offset);
    *parts = list->items;
    return list->count;
}

mo_primitive mo_primitive_along(mo_primitive_kind kind, mo_vec3 start, mo_vec3 end, double low,
                                double high)
{
    mo_vec3 way = mo_sub(end, start), z = mo_unit(way, mo_vec3_make(0, 0, 1));
    mo_vec3 x = mo_perpendicular(z), y = mo_cross(z, x);
    return (mo_primitive){.kind = kind,
                          .center = mo_add_scaled(start, 0.5, way),
                          .axes = {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}},
                          .half = {0, 0, 0.5 * mo_length(way)},
                          .radius = {low, high}};
}
