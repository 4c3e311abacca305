/* Manifolds of two rigid bodies: all pairs of their parts. */
#include "collide/narrow/pairs.h"

void mo_narrow_parts(const mo_side *a, const mo_side *b, const mo_narrow_query *query,
                     uint32_t number, mo_manifolds *list)
{
    const mo_convex *p = a->part, *q = b->part;
    mo_posed at_a = mo_convex_at(p, a->pose), at_b = mo_convex_at(q, b->pose);
    double approach = mo_sweep_approach(a->pose, mo_length(p->center) + p->reach, b->pose,
                                        mo_length(q->center) + q->reach, query->h);
    double limit = p->reach + q->reach + query->margin + approach;
    mo_vec3 way = mo_sub(at_a.p, at_b.p);
    if (mo_dot(way, way) > limit * limit) {
        return;
    }
    mo_manifold m = {0};
    bool fast = mo_sweep_needed(approach, fmin(p->inner, q->inner));
    double margin = fast ? query->margin : query->margin + approach;
    if (mo_convex_collide(&at_a, &at_b, margin, mo_manifolds_hint(list, number), &m) > 0) {
        mo_manifolds_add(list, &m, number);
        return;
    }
    if (!fast) {
        return;
    }
    double target = mo_sweep_target(query, fmin(p->reach, q->reach));
    double time = mo_convex_impact(p, a->pose, q, b->pose, query->h, target);
    if (time <= query->h) {
        mo_pose end_a = mo_pose_after(a->pose, time), end_b = mo_pose_after(b->pose, time);
        at_a = mo_convex_at(p, &end_a);
        at_b = mo_convex_at(q, &end_b);
        if (mo_convex_collide(&at_a, &at_b, fmax(query->margin, 2 * target), 0, &m) > 0) {
            mo_sweep_back(&m, a->pose, b->pose, time);
            mo_manifolds_add(list, &m, number);
        }
    }
}

/* Flips normals and sides: the mesh is side 0. */
static void flip(mo_scatter *scatter)
{
    for (int k = 0; k < scatter->count; ++k) {
        mo_scatter_point *p = &scatter->list[k];
        mo_vec3 swap = p->point.point[0];
        p->normal = mo_scale(-1, p->normal);
        p->point.point[0] = p->point.point[1];
        p->point.point[1] = swap;
    }
}

void mo_narrow_part_mesh(const mo_side *part, const mo_mesh_side *mesh, double mesh_reach,
                         const mo_narrow_query *query, bool mesh_first, uint32_t number,
                         mo_manifolds *list)
{
    const mo_convex *p = part->part;
    mo_posed posed = mo_convex_at(p, part->pose);
    double reach = mo_length(p->center) + p->reach;
    double approach = mo_sweep_approach(part->pose, reach, mesh->pose, mesh_reach, query->h);
    bool fast = mo_sweep_needed(approach, p->inner);
    mo_scatter scatter;
    scatter.count = 0;
    mo_mesh_contact(&posed, mesh, fast ? query->margin : query->margin + approach, &scatter);
    if (scatter.count > 0 && fast) { /* in contact, and perhaps with more of it within the step */
        scatter.count = 0;
        mo_mesh_contact(&posed, mesh, query->margin + approach, &scatter);
    } else if (fast) {
        double target = mo_sweep_target(query, p->reach);
        double time = mo_mesh_impact(p, part->pose, mesh, query->h, target);
        if (time <= query->h) {
            mo_pose end = mo_pose_after(part->pose, time), at = mo_pose_after(mesh->pose, time);
            mo_mesh_side moved = {mesh->tree, &at, mesh->inside};
            posed = mo_convex_at(p, &end);
            mo_mesh_contact(&posed, &moved, fmax(query->margin, 2 * target), &scatter);
            for (int k = 0; k < scatter.count; ++k) {
                mo_sweep_point_back(&scatter.list[k].point, scatter.list[k].normal, part->pose,
                                    mesh->pose, time);
            }
        }
    }
    if (mesh_first) {
        flip(&scatter);
    }
    double alike = p->kind == MO_CONVEX_SPHERE ? MO_ALIKE_PLANES : MO_ALIKE_FACES;
    mo_scatter_manifolds(&scatter, alike, 1e-3 * p->inner, number, list);
}

/* Points of both surfaces in the distance of the other. */
static void meshes(const mo_mesh_surface *a, const mo_pose *pose_a, const mo_mesh_surface *b,
                   const mo_pose *pose_b, const mo_narrow_query *query, uint32_t number,
                   mo_manifolds *list)
{
    double approach = mo_sweep_approach(pose_a, a->reach, pose_b, b->reach, query->h);
    double margin = query->margin + approach, limit = a->reach + b->reach + margin;
    mo_vec3 way = mo_sub(pose_a->p, pose_b->p);
    if (mo_dot(way, way) > limit * limit) {
        return;
    }
    mo_mesh_side of_a = {&a->tree, pose_a, false}, of_b = {&b->tree, pose_b, false};
    mo_scatter scatter, other;
    scatter.count = other.count = 0;
    mo_narrow_mesh_points(a, pose_a, &of_b, margin, &scatter);
    mo_narrow_mesh_points(b, pose_b, &of_a, margin, &other);
    flip(&other);
    for (int k = 0; k < other.count; ++k) {
        other.list[k].point.key |= 1u << 31;
        mo_scatter_add(&scatter, other.list[k].normal, &other.list[k].point);
    }
    mo_scatter_manifolds(&scatter, MO_ALIKE_FACES, 1e-3 * fmin(a->reach, b->reach), number, list);
}

int mo_narrow_bodies(const mo_collision_shape *a, const mo_pose *pose_a,
                     const mo_collision_shape *b, const mo_pose *pose_b,
                     const mo_narrow_query *query, mo_narrow_hints hints, mo_manifold *out)
{
    mo_manifolds list = {.out = out, .hints = hints};
    uint32_t number = 0;
    for (int64_t i = 0; i < a->parts; ++i) {
        mo_side p = {&a->part[i], pose_a};
        for (int64_t j = 0; j < b->parts; ++j) {
            mo_side q = {&b->part[j], pose_b};
            mo_narrow_parts(&p, &q, query, number++, &list);
        }
    }
    for (int64_t i = 0; i < a->parts; ++i) {
        mo_side p = {&a->part[i], pose_a};
        for (int64_t j = 0; j < b->meshes; ++j, number += MO_SCATTER_PARTS) {
            mo_mesh_side mesh = {&b->mesh[j].tree, pose_b, false};
            mo_narrow_part_mesh(&p, &mesh, b->mesh[j].reach, query, false, number, &list);
        }
    }
    for (int64_t j = 0; j < b->parts; ++j) {
        mo_side q = {&b->part[j], pose_b};
        for (int64_t i = 0; i < a->meshes; ++i, number += MO_SCATTER_PARTS) {
            mo_mesh_side mesh = {&a->mesh[i].tree, pose_a, false};
            mo_narrow_part_mesh(&q, &mesh, a->mesh[i].reach, query, true, number, &list);
        }
    }
    for (int64_t i = 0; i < a->meshes; ++i) {
        for (int64_t j = 0; j < b->meshes; ++j, number += MO_SCATTER_PARTS) {
            meshes(&a->mesh[i], pose_a, &b->mesh[j], pose_b, query, number, &list);
        }
    }
    return mo_manifolds_finish(&list);
}
