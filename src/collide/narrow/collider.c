/*
 * Manifolds of a rigid body and a collider of the scene. Half spaces and the six planes of a box
 * container are exact, primitives and their unions are convex pairs, meshes their triangles; the
 * rest goes by signed distance (field.h).
 */
#include "collide/convex/pairs.h"
#include "collide/convex/polygon.h"
#include "collide/narrow/field.h"

typedef struct plane {
    mo_vec3 point, normal;
} plane;

/* The body, the query, and the resulting manifolds. */
typedef struct visitor {
    const mo_collision_shape *body;
    const mo_pose *pose;
    const mo_collider *collider;
    const mo_narrow_query *query;
    uint32_t number;
    mo_manifolds *list;
} visitor;

/* Index range of a part of the body and a piece of the collider. */
enum { STRIDE = MO_SCATTER_PARTS };

/* ---- planes ---- */

/* The largest approach of a part to a plane within the step. */
static double approach_of(const visitor *v, const plane *p, double reach)
{
    const mo_pose *ground = &v->collider->pose;
    mo_vec3 relative = mo_sub(v->pose->v, mo_pose_velocity(ground, v->pose->p));
    double spin = (mo_length(v->pose->w) + mo_length(ground->w)) * reach;
    return v->query->h * fmax(0, spin - mo_dot(relative, p->normal));
}

static void plane_part(const visitor *v, const mo_convex *part, const plane *p, uint32_t number)
{
    mo_posed posed = mo_convex_at(part, v->pose);
    double margin = v->query->margin + approach_of(v, p, mo_length(part->center) + part->reach);
    if (mo_dot(mo_sub(posed.p, p->point), p->normal) - part->reach > margin) {
        return;
    }
    mo_polygon feature;
    mo_corner corner[MO_FACE_MOST];
    mo_vec3 n = p->normal, t = mo_perpendicular(n), s = mo_cross(n, t);
    mo_support_polygon(&posed, mo_scale(-1, n), &feature);
    int count = 0;
    for (int k = 0; k < feature.count; ++k) {
        mo_vec3 r = mo_sub(feature.x[k], p->point);
        mo_corner c = {mo_dot(r, t), mo_dot(r, s), mo_dot(r, n), (uint16_t)(feature.first + k),
                       (uint16_t)(feature.first + k)};
        if (c.z <= margin) {
            corner[count++] = c;
        }
    }
    mo_manifold m = {.normal = n};
    m.count = mo_clip_reduce(corner, count, 2e-3 * part->inner);
    for (int k = 0; k < m.count; ++k) {
        mo_vec3 foot = mo_add_scaled(mo_add_scaled(p->point, corner[k].x, t), corner[k].y, s);
        m.point[k] = (mo_manifold_point){{mo_add_scaled(foot, corner[k].z, n), foot},
                                         corner[k].z,
                                         mo_clip_key(&corner[k], MO_AXIS_FACE_B, feature.face)};
    }
    if (m.count > 0) {
        mo_manifolds_add(v->list, &m, number);
    }
}

static void plane_mesh(const visitor *v, const mo_mesh_surface *mesh, const plane *p,
                       uint32_t number)
{
    double margin = v->query->margin + approach_of(v, p, mesh->reach);
    mo_scatter scatter;
    scatter.count = 0;
    for (int64_t k = 0; k < mesh->points; ++k) {
        mo_vec3 x = mo_pose_apply(v->pose, mesh->point[k]);
        double gap = mo_dot(mo_sub(x, p->point), p->normal);
        if (gap <= margin) {
            mo_manifold_point point = {{x, mo_add_scaled(x, -gap, p->normal)}, gap, (uint32_t)k};
            mo_scatter_add(&scatter, p->normal, &point);
        }
    }
    mo_scatter_manifolds(&scatter, MO_ALIKE_FACES, 1e-3 * mesh->reach, number, v->list);
}

/* ---- pieces of a collider, for each part of the body ---- */

static void on_planes(visitor *v, int count, const plane *planes)
{
    for (int64_t k = 0; k < v->body->parts; ++k, v->number += STRIDE) {
        for (int i = 0; i < count; ++i) {
            plane_part(v, &v->body->part[k], &planes[i], v->number + (uint32_t)i);
        }
    }
    for (int64_t k = 0; k < v->body->meshes; ++k) {
        for (int i = 0; i < count; ++i, v->number += STRIDE) {
            plane_mesh(v, &v->body->mesh[k], &planes[i], v->number);
        }
    }
}

static void on_half_space(visitor *v, mo_vec3 point, mo_vec3 normal)
{
    const mo_collider *c = v->collider;
    mo_vec3 n = mo_mat3_apply(c->pose.R, normal);
    plane p = {mo_pose_apply(&c->pose, point), c->inside ? mo_scale(-1, n) : n};
    on_planes(v, 1, &p);
}

/* The six sides of a box, seen from within. */
static void in_box(visitor *v, const mo_primitive *box)
{
    plane planes[6];
    for (int k = 0; k < 6; ++k) {
        int axis = k / 2;
        double side = k % 2 ? 1 : -1;
        mo_vec3 own = mo_vec3_make(box->axes.m[axis], box->axes.m[3 + axis], box->axes.m[6 + axis]);
        mo_vec3 x = mo_add_scaled(box->center, side * mo_vec3_at(box->half, axis), own);
        planes[k] = (plane){mo_pose_apply(&v->collider->pose, x),
                            mo_scale(-side, mo_mat3_apply(v->collider->pose.R, own))};
    }
    on_planes(v, 6, planes);
}

static void on_primitive(visitor *v, const mo_primitive *primitive)
{
    mo_convex other = mo_convex_of_primitive(primitive);
    mo_side solid = {&other, &v->collider->pose};
    for (int64_t k = 0; k < v->body->parts; ++k, v->number += STRIDE) {
        mo_side part = {&v->body->part[k], v->pose};
        mo_narrow_parts(&part, &solid, v->query, v->number, v->list);
    }
    for (int64_t k = 0; k < v->body->meshes; ++k, v->number += STRIDE) {
        const mo_mesh_surface *own = &v->body->mesh[k];
        mo_mesh_side mesh = {&own->tree, v->pose, false};
        mo_narrow_part_mesh(&solid, &mesh, own->reach, v->query, true, v->number, v->list);
    }
}

static double tree_reach(const mo_trimesh_distance *tree)
{
    return mo_length(tree->middle) + tree->size;
}

static void on_mesh(visitor *v, const mo_trimesh_distance *tree)
{
    mo_mesh_side mesh = {tree, &v->collider->pose, v->collider->inside};
    for (int64_t k = 0; k < v->body->parts; ++k, v->number += STRIDE) {
        mo_side part = {&v->body->part[k], v->pose};
        mo_narrow_part_mesh(&part, &mesh, tree_reach(tree), v->query, false, v->number, v->list);
    }
    for (int64_t k = 0; k < v->body->meshes; ++k, v->number += STRIDE) {
        const mo_mesh_surface *own = &v->body->mesh[k];
        double approach = mo_sweep_approach(v->pose, own->reach, &v->collider->pose,
                                            tree_reach(tree), v->query->h);
        mo_scatter scatter;
        scatter.count = 0;
        mo_narrow_mesh_points(own, v->pose, &mesh, v->query->margin + approach, &scatter);
        mo_scatter_manifolds(&scatter, MO_ALIKE_FACES, 1e-3 * own->reach, v->number, v->list);
    }
}

/* ---- any shape, by its distance ---- */

/* The distance by which a point of the body, up to `reach` from its centre, can approach the
 * collider in the step. */
static double field_approach(const visitor *v, double reach)
{
    const mo_pose *collider = &v->collider->pose;
    mo_vec3 relative = mo_sub(v->pose->v, mo_pose_velocity(collider, v->pose->p));
    double turning = mo_length(v->pose->w) + mo_length(collider->w);
    return v->query->h * (mo_length(relative) + turning * reach);
}

static void field_part(const visitor *v, const mo_convex *part)
{
    const mo_collider *c = v->collider;
    mo_side side = {part, v->pose};
    mo_posed posed = mo_convex_at(part, v->pose);
    double approach = field_approach(v, mo_length(part->center) + part->reach);
    mo_scatter scatter;
    scatter.count = 0;
    bool fast = mo_sweep_needed(approach, part->inner);
    mo_field_contact(&posed, c, v->query->margin + (fast ? 0 : approach), &scatter);
    if (scatter.count > 0 && fast) { /* in contact, and perhaps with more of it within the step */
        scatter.count = 0;
        mo_field_contact(&posed, c, v->query->margin + approach, &scatter);
    } else if (fast) {
        double target = mo_sweep_target(v->query, part->reach);
        double time = mo_field_impact(&side, c, v->query->h, target);
        if (time <= v->query->h) {
            mo_collider moved = *c;
            mo_pose end = mo_pose_after(v->pose, time);
            moved.pose = mo_pose_after(&c->pose, time);
            posed = mo_convex_at(part, &end);
            mo_field_contact(&posed, &moved, fmax(v->query->margin, 2 * target), &scatter);
            for (int k = 0; k < scatter.count; ++k) {
                mo_sweep_point_back(&scatter.list[k].point, scatter.list[k].normal, v->pose,
                                    &c->pose, time);
            }
        }
    }
    mo_scatter_manifolds(&scatter, MO_ALIKE_PLANES, 1e-2 * part->inner, v->number, v->list);
}

static void field_mesh(const visitor *v, const mo_mesh_surface *mesh)
{
    double approach = field_approach(v, mesh->reach);
    mo_scatter scatter;
    scatter.count = 0;
    for (int64_t k = 0; k < mesh->points; ++k) {
        mo_vec3 x = mo_pose_apply(v->pose, mesh->point[k]), n;
        double gap = mo_collider_gap(v->collider, x, &n);
        if (gap <= v->query->margin + approach) {
            mo_manifold_point point = {{x, mo_add_scaled(x, -gap, n)}, gap, (uint32_t)k};
            mo_scatter_add(&scatter, n, &point);
        }
    }
    mo_scatter_manifolds(&scatter, MO_ALIKE_FACES, 1e-3 * mesh->reach, v->number, v->list);
}

static void on_field(visitor *v)
{
    for (int64_t k = 0; k < v->body->parts; ++k, v->number += STRIDE) {
        field_part(v, &v->body->part[k]);
    }
    for (int64_t k = 0; k < v->body->meshes; ++k, v->number += STRIDE) {
        field_mesh(v, &v->body->mesh[k]);
    }
}

/* ---- all shapes ---- */

static void on_shape(visitor *v, mo_method shape)
{
    const mo_shape_type *type = (const mo_shape_type *)shape.type;
    const mo_method *parts;
    mo_primitive primitive;
    mo_vec3 point, normal;
    int64_t count = mo_shape_union_parts(&shape, &parts);
    if (parts != &shape && !v->collider->inside) {
        for (int64_t k = 0; k < count; ++k) {
            mo_collider piece = *v->collider;
            visitor next = *v;
            piece.shape = parts[k];
            next.collider = &piece;
            on_shape(&next, parts[k]);
            v->number = next.number;
        }
    } else if (mo_shape_primitive(shape, &primitive)) {
        if (!v->collider->inside) {
            on_primitive(v, &primitive);
        } else if (primitive.kind == MO_PRIMITIVE_BOX) {
            in_box(v, &primitive);
        } else {
            on_field(v);
        }
    } else if (mo_shape_half_space(shape, &point, &normal)) {
        on_half_space(v, point, normal);
    } else if (type->tree) {
        on_mesh(v, type->tree(shape.params));
    } else {
        on_field(v);
    }
}

/* The body at one periodic image. */
static int at_image(const visitor *v, mo_vec3 shift, uint32_t *number, mo_manifold *out)
{
    mo_pose pose = *v->pose;
    mo_manifolds list = {.out = out, .hints = v->list->hints};
    visitor shifted = {v->body, &pose, v->collider, v->query, *number, &list};
    pose.p = mo_add(pose.p, shift);
    on_shape(&shifted, v->collider->shape);
    *number = shifted.number;
    for (int k = 0; k < list.count; ++k) {
        for (int i = 0; i < out[k].count; ++i) {
            mo_manifold_point *p = &out[k].point[i];
            p->point[0] = mo_sub(p->point[0], shift);
            p->point[1] = mo_sub(p->point[1], shift);
        }
    }
    return list.count;
}

int mo_narrow_collider(const mo_collision_shape *a, const mo_pose *pose_a,
                       const mo_collider *collider, const mo_narrow_query *query,
                       mo_narrow_hints hints, mo_manifold *out)
{
    mo_manifolds list = {.out = out, .hints = hints};
    visitor v = {a, pose_a, collider, query, 0, &list};
    if (collider->image_count == 0 ||
        (collider->image_count == 1 && mo_length(collider->image[0]) == 0)) {
        on_shape(&v, collider->shape);
        return mo_manifolds_finish(&list);
    }
    uint32_t number = 0;
    for (int k = 0; k < collider->image_count; ++k) {
        mo_manifold found[MO_NARROW_MOST];
        int count = at_image(&v, collider->image[k], &number, found);
        for (int i = 0; i < count; ++i) {
            mo_manifolds_add(&list, &found[i], found[i].hint.part);
        }
    }
    return mo_manifolds_finish(&list);
}

/* ---- curvature ---- */

static bool has_kind(const mo_collision_shape *shape, bool sphere)
{
    bool has = false;
    for (int64_t k = 0; k < shape->parts; ++k) {
        mo_convex_kind kind = shape->part[k].kind;
        bool round = kind != MO_CONVEX_BOX && kind != MO_CONVEX_HULL;
        has = has || (sphere ? kind == MO_CONVEX_SPHERE : round);
    }
    return has;
}

static bool is_round(const mo_collision_shape *shape)
{
    return has_kind(shape, false);
}

bool mo_narrow_bodies_curved(const mo_collision_shape *a, const mo_collision_shape *b)
{
    return (a->parts > 0 && b->parts > 0 && (is_round(a) || is_round(b))) ||
           (a->meshes > 0 && has_kind(b, true)) || (b->meshes > 0 && has_kind(a, true));
}

static bool shape_curved(const mo_collision_shape *a, mo_method shape, bool inside)
{
    const mo_shape_type *type = (const mo_shape_type *)shape.type;
    const mo_method *parts;
    mo_primitive primitive;
    mo_vec3 point, normal;
    int64_t count = mo_shape_union_parts(&shape, &parts);
    if (parts != &shape && !inside) {
        bool curved = false;
        for (int64_t k = 0; k < count; ++k) {
            curved = curved || shape_curved(a, parts[k], inside);
        }
        return curved;
    }
    if (mo_shape_primitive(shape, &primitive) && primitive.kind == MO_PRIMITIVE_BOX) {
        return !inside && is_round(a);
    }
    if (mo_shape_half_space(shape, &point, &normal)) {
        return false;
    }
    return !type->tree || has_kind(a, true); /* spheres meet triangles as smooth surfaces */
}

bool mo_narrow_collider_curved(const mo_collision_shape *a, const mo_collider *collider)
{
    return shape_curved(a, collider->shape, collider->inside);
}
