#include "geometry/shape/shape.h"

#include "geometry/shape/moments.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_shape_type, mo_shape_, name)
#include "geometry/shape/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_shape_, name)
#include "geometry/shape/methods.def"
#undef MO_METHOD
};

static const char *const CAPABILITIES[] = {"exact", NULL};

const mo_family mo_shapes = {
    .name = "shape",
    .doc = "Solid shapes with signed distances, for colliders, fluid volumes and selections of "
           "nodes.",
    .capabilities = CAPABILITIES,
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};

void mo_shape_distances(mo_method shape, int64_t count, const double *points, double *distance,
                        double *normal)
{
    ((const mo_shape_type *)shape.type)->distances(shape.params, count, points, distance, normal);
}

bool mo_shape_bounds(mo_method shape, mo_vec3 *min, mo_vec3 *max)
{
    return ((const mo_shape_type *)shape.type)->bounds(shape.params, min, max);
}

bool mo_shape_moments(mo_method shape, mo_volume_moments *moments)
{
    const mo_shape_type *type = (const mo_shape_type *)shape.type;
    *moments = (mo_volume_moments){0};
    if (type->moments) {
        type->moments(shape.params, moments);
    }
    return moments->volume > 0;
}

bool mo_shape_has_chord(mo_method shape)
{
    const mo_shape_type *type = (const mo_shape_type *)shape.type;
    return type->chord && (!type->has_chord || type->has_chord(shape.params));
}

bool mo_shape_chord(mo_method shape, mo_vec3 from, mo_vec3 direction, double *enter, double *leave)
{
    return ((const mo_shape_type *)shape.type)->chord(shape.params, from, direction, enter, leave);
}

int mo_shape_intervals(mo_method shape, mo_vec3 from, mo_vec3 direction, mo_interval *list)
{
    const mo_shape_type *type = (const mo_shape_type *)shape.type;
    if (type->intervals) {
        return type->intervals(shape.params, from, direction, list);
    }
    return mo_shape_has_chord(shape)
               ? mo_shape_chord(shape, from, direction, &list[0].from, &list[0].to)
               : -1;
}

mote_status mo_shape_facets(mo_method shape, const mo_shape_region *region,
                            struct mo_facets *facets, mote_error *error)
{
    return ((const mo_shape_type *)shape.type)->facets(shape.params, region, facets, error);
}

bool mo_shape_has_mesh(mo_method shape)
{
    bool found = ((const mo_shape_type *)shape.type)->surface != NULL;
    for (const mo_param *p = shape.type->params; p->name && !found; ++p) {
        const char *at = (const char *)shape.params + p->offset;
        if (p->type != MO_METHOD || p->family != &mo_shapes) {
            continue;
        }
        mo_list list = p->list ? *(const mo_list *)at : (mo_list){1, (void *)(uintptr_t)at};
        for (int64_t k = 0; k < list.count && !found; ++k) {
            found = mo_shape_has_mesh(((const mo_method *)list.items)[k]);
        }
    }
    return found;
}

/* Unbounded, and its distances are linear: at the corners of a cube and its middle. */
bool mo_shape_half_space(mo_method shape, mo_vec3 *point, mo_vec3 *normal)
{
    double origin[3] = {0, 0, 0}, middle, n[3];
    if (mo_shape_bounds(shape, point, normal)) {
        return false;
    }
    mo_shape_distances(shape, 1, origin, &middle, n);
    *normal = mo_vec3_load(n);
    *point = mo_scale(-middle, *normal);
    double size = 1 + fabs(middle);
    for (int k = 0; k < 8; ++k) {
        double x[3] = {k & 1 ? size : -size, k & 2 ? size : -size, k & 4 ? size : -size}, distance;
        mo_shape_distances(shape, 1, x, &distance, NULL);
        if (!(fabs(distance - middle - mo_dot(*normal, mo_vec3_load(x))) <= 1e-9 * size)) {
            return false;
        }
    }
    return true;
}

bool mo_shape_contains(mo_method shape, mo_vec3 point)
{
    double x[3], distance;
    mo_vec3_store(x, point);
    mo_shape_distances(shape, 1, x, &distance, NULL);
    return distance <= 0;
}
