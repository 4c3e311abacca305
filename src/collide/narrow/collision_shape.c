/* Collision shapes: from a scene's shapes and meshes to parts in the frame of a body. */
#include "collide/narrow/mesh_surface.h"
#include "geometry/shape/facets.h"
#include "geometry/trimesh/check.h"

#include <string.h>

/* A mesh whose volume is that of its hull, within this part, is convex. */
static const double CONVEX = 1e-4;

static mo_vec3 into_body(mo_vec3 x, mo_vec3 origin, mo_mat3 axes)
{
    return mo_mat3_apply_transposed(axes, mo_sub(x, origin));
}

void mo_collision_shape_finish(mo_collision_shape *shape)
{
    shape->reach = 0;
    shape->inner = shape->meshes > 0 ? 0 : (double)INFINITY;
    for (int64_t k = 0; k < shape->parts; ++k) {
        const mo_convex *part = &shape->part[k];
        shape->reach = fmax(shape->reach, mo_length(part->center) + part->reach);
        shape->inner = fmin(shape->inner, part->inner);
    }
    for (int64_t k = 0; k < shape->meshes; ++k) {
        shape->reach = fmax(shape->reach, shape->mesh[k].reach);
    }
}

/* Appends an element in an arena. */
static void *one_more(mo_arena *arena, const void *list, int64_t count, size_t size)
{
    char *made = mo_arena_allocate(arena, ((size_t)count + 1) * size);
    if (made && count > 0) {
        memcpy(made, list, (size_t)count * size);
    }
    return made;
}

mote_status mo_collision_shape_add_part(mo_collision_shape *shape, const mo_convex *part,
                                        mo_arena *arena, mote_error *error)
{
    mo_convex *list = one_more(arena, shape->part, shape->parts, sizeof *list);
    if (!list) {
        return mo_fail_memory(error, ((size_t)shape->parts + 1) * sizeof *list);
    }
    list[shape->parts++] = *part;
    shape->part = list;
    mo_collision_shape_finish(shape);
    return MOTE_OK;
}

/* ---- meshes ---- */

static double hull_volume(const mo_hull *hull)
{
    double six = 0;
    for (int32_t f = 0; f < hull->faces; ++f) {
        mo_vec3 a = hull->vertex[hull->edge[hull->first[f]].origin];
        for (int32_t e = hull->first[f] + 1; e + 1 < hull->first[f + 1]; ++e) {
            mo_vec3 b = hull->vertex[hull->edge[e].origin],
                    c = hull->vertex[hull->edge[e + 1].origin];
            six += mo_dot(a, mo_cross(b, c));
        }
    }
    return six / 6;
}

static mote_status add_surface(mo_collision_shape *shape, const mo_trimesh *local, const char *name,
                               mo_arena *arena, mote_error *error)
{
    mo_mesh_surface *list = one_more(arena, shape->mesh, shape->meshes, sizeof *list);
    if (!list) {
        return mo_fail_memory(error, ((size_t)shape->meshes + 1) * sizeof *list);
    }
    MO_TRY(mo_mesh_surface_make(local, name, arena, &list[shape->meshes], error));
    ++shape->meshes;
    shape->mesh = list;
    mo_collision_shape_finish(shape);
    return MOTE_OK;
}

/* A hull if the mesh is convex, or itself. */
static mote_status add_local(mo_collision_shape *shape, const mo_trimesh *local, const char *name,
                             mo_arena *arena, mote_error *error)
{
    mo_hull *hull = mo_arena_allocate(arena, sizeof *hull);
    double volume = mo_trimesh_volume(local);
    if (!hull) {
        return mo_fail_memory(error, sizeof *hull);
    }
    MO_TRY(mo_trimesh_check(local, name, MO_TRIMESH_HARMLESS, error));
    MO_TRY(mo_hull_build(local->vertices, local->x, name, arena, hull, NULL, error));
    if (fabs(hull_volume(hull) - volume) > CONVEX * volume) {
        return add_surface(shape, local, name, arena, error);
    }
    mo_convex part = mo_convex_of_hull(hull);
    return mo_collision_shape_add_part(shape, &part, arena, error);
}

mote_status mo_collision_shape_add_mesh(mo_collision_shape *shape, const mo_trimesh *surface,
                                        const char *name, mo_vec3 origin, mo_mat3 axes,
                                        mo_arena *arena, mote_error *error)
{
    mo_trimesh local = *surface;
    local.x = mo_arena_allocate(arena, 3 * ((size_t)surface->vertices + 1) * sizeof *local.x);
    if (!local.x) {
        return mo_fail_memory(error, 3 * (size_t)surface->vertices * sizeof *local.x);
    }
    for (int64_t v = 0; v < surface->vertices; ++v) {
        mo_vec3_store(local.x + 3 * v, into_body(mo_vec3_load(surface->x + 3 * v), origin, axes));
    }
    return add_local(shape, &local, name, arena, error);
}

/* ---- shapes of a scene ---- */

/* Triangles of a shape without closed forms (ellipsoid, torus, boolean combinations). */
static mote_status add_facets(mo_collision_shape *shape, mo_method method, mo_vec3 origin,
                              mo_mat3 axes, mo_arena *arena, mote_error *error)
{
    mo_shape_region region = {0};
    if (!mo_shape_bounds(method, &region.low, &region.high)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "%s: it has no end; a rigid body needs a bounded shape", method.type->name);
    }
    region.edge = mo_length(mo_sub(region.high, region.low)) / 24;
    mo_facets facets;
    mo_facets_init(&facets, arena->memory);
    mote_status status = mo_shape_facets(method, &region, &facets, error);
    if (status == MOTE_OK) {
        mo_trimesh mesh = mo_facets_mesh(&facets);
        status = mo_collision_shape_add_mesh(shape, &mesh, method.type->name, origin, axes, arena,
                                             error);
    }
    mo_facets_release(&facets);
    return status;
}

mote_status mo_collision_shape_add(mo_collision_shape *shape, mo_method method, mo_vec3 origin,
                                   mo_mat3 axes, mo_arena *arena, mote_error *error)
{
    const mo_shape_type *type = (const mo_shape_type *)method.type;
    const mo_method *parts;
    int64_t count = mo_shape_union_parts(&method, &parts);
    mo_primitive primitive;
    if (parts != &method) {
        for (int64_t k = 0; k < count; ++k) {
            MO_TRY(mo_collision_shape_add(shape, parts[k], origin, axes, arena, error));
        }
        return MOTE_OK;
    }
    if (mo_shape_primitive(method, &primitive)) {
        primitive.center = into_body(primitive.center, origin, axes);
        primitive.axes = mo_mat3_product(mo_mat3_transpose(axes), primitive.axes);
        mo_convex part = mo_convex_of_primitive(&primitive);
        return mo_collision_shape_add_part(shape, &part, arena, error);
    }
    if (type->surface && type->surface(method.params)) {
        return mo_collision_shape_add_mesh(shape, type->surface(method.params), method.type->name,
                                           origin, axes, arena, error);
    }
    return add_facets(shape, method, origin, axes, arena, error);
}

/* ---- bounds ---- */

static void grow(double low[3], double high[3], const double to_low[3], const double to_high[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = fmin(low[axis], to_low[axis]);
        high[axis] = fmax(high[axis], to_high[axis]);
    }
}

static void bounds_at(const mo_collision_shape *shape, const mo_pose *pose, double low[3],
                      double high[3])
{
    for (int64_t k = 0; k < shape->parts; ++k) {
        mo_posed posed = mo_convex_at(&shape->part[k], pose);
        double a[3], b[3];
        mo_convex_bounds(&posed, a, b);
        grow(low, high, a, b);
    }
    for (int64_t k = 0; k < shape->meshes; ++k) {
        const mo_trimesh_distance *tree = &shape->mesh[k].tree;
        for (int c = 0; c < 8; ++c) {
            double x[3];
            mo_vec3 corner = {c & 1 ? tree->high.x : tree->low.x,
                              c & 2 ? tree->high.y : tree->low.y,
                              c & 4 ? tree->high.z : tree->low.z};
            mo_vec3_store(x, mo_pose_apply(pose, corner));
            grow(low, high, x, x);
        }
    }
}

/* Between both ends a rotating body may reach farther, by no more than its sphere. */
void mo_collision_shape_bounds(const mo_collision_shape *shape, const mo_pose *pose, double h,
                               double low[3], double high[3])
{
    double p[3], q[3];
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = (double)INFINITY;
        high[axis] = -(double)INFINITY;
    }
    bounds_at(shape, pose, low, high);
    if (!(h > 0)) {
        return;
    }
    mo_pose end = mo_pose_after(pose, h);
    double turn = h * mo_length(pose->w), bulge = 0.5 * turn * turn * shape->reach;
    bounds_at(shape, &end, low, high);
    mo_vec3_store(p, pose->p);
    mo_vec3_store(q, end.p);
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = fmax(low[axis] - bulge, fmin(p[axis], q[axis]) - shape->reach);
        high[axis] = fmin(high[axis] + bulge, fmax(p[axis], q[axis]) + shape->reach);
    }
}
