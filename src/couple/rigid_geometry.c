/* Contacts of rigid bodies at other poses than those of the start of the step. */
#include "couple/rigid_geometry.h"

/* The pair of a contact: the last one whose manifolds start at or before it. */
static mo_rigid_pair_rows pair_of(const mo_rigid_contacts *c, int64_t at)
{
    int64_t low = 0, high = c->pair_count;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (c->counts[middle] <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return c->pairs[low];
}

/* The nearest manifold with a similar normal and the same feature. */
static const mo_manifold *same_contact(const mo_manifold *found, int count,
                                       const mo_rigid_contact *old)
{
    static const double SIMILAR = 0.9;
    const mo_manifold *best = NULL;
    double least = (double)INFINITY;
    for (int k = 0; k < count; ++k) {
        bool same = false;
        for (int i = 0; i < found[k].count; ++i) {
            same = same || found[k].point[i].key == old->key[0];
        }
        mo_vec3 way = mo_sub(found[k].point[0].point[0], old->position[0][0]);
        if (same && mo_dot(found[k].normal, old->normal) > SIMILAR && mo_dot(way, way) < least) {
            least = mo_dot(way, way);
            best = &found[k];
        }
    }
    return best;
}

void mo_couple_rigid_geometry_set_points(mo_rigid_contact *out, const mo_manifold *m)
{
    out->count = m->count;
    out->normal = m->normal;
    for (int k = 0; k < m->count; ++k) {
        out->position[k][0] = m->point[k].point[0];
        out->position[k][1] = m->point[k].point[1];
        out->gap[k] = m->point[k].gap;
        out->key[k] = m->point[k].key;
    }
}

bool mo_couple_rigid_geometry_find(void *context, int64_t index, const mo_pose pose[2], double h,
                                   mo_rigid_contact *out)
{
    const mo_coupling *coupling = context;
    const mo_rigid_contacts *c = coupling->state;
    const mo_system *s = coupling->a;
    mo_rigid_pair_rows p = pair_of(c, index - c->first);
    mo_manifold found[MO_NARROW_MOST];
    mo_manifold_hint hint = c->hints[index - c->first];
    mo_narrow_query query = {mo_rigid_system_margin(s), h};
    mo_narrow_hints hints = {1, &hint};
    const mo_collision_shape *a = &mo_rigid_system_prototype_of(s, p.a)->shape;
    int count;
    if (p.b < 0) {
        mo_collider collider = c->colliders.list[-1 - p.b];
        collider.pose = c->guest[-1 - p.b] < 0 ? collider.pose : pose[1];
        count = mo_narrow_collider(a, pose, &collider, &query, hints, found);
    } else {
        count = mo_narrow_bodies(a, pose, &mo_rigid_system_prototype_of(s, p.b)->shape, pose + 1,
                                 &query, hints, found);
    }
    const mo_manifold *m = same_contact(found, count, out);
    if (m) {
        mo_couple_rigid_geometry_set_points(out, m);
    }
    return m != NULL;
}

/* Contacts of two movable convex bodies keep their normal for a step: they cannot swing in each
 * other, and a pile has many of them. */
bool mo_couple_rigid_geometry_curved(const mo_coupling *coupling, mo_rigid_pair_rows p)
{
    const mo_rigid_contacts *c = coupling->state;
    const mo_system *s = coupling->a;
    const mo_collision_shape *a = &mo_rigid_system_prototype_of(s, p.a)->shape;
    if (p.b < 0) {
        return mo_narrow_collider_curved(a, &c->colliders.list[-1 - p.b]);
    }
    const mo_collision_shape *b = &mo_rigid_system_prototype_of(s, p.b)->shape;
    const double *inverse_mass = mo_f64(s->columns.inverse_mass);
    bool free_convex = inverse_mass[p.a] > 0 && inverse_mass[p.b] > 0 && a->meshes + b->meshes == 0;
    return !free_convex && mo_narrow_bodies_curved(a, b);
}

/* The box around a collider in the step; empty of planes and containers, which are near every
 * body. */
mo_box mo_couple_rigid_geometry_collider_box(mo_collider *collider, double h)
{
    mo_box box = mo_box_empty();
    if (collider->bounded && mo_collider_bounds(collider, collider->low, collider->high)) {
        mo_vec3 diagonal = mo_sub(mo_vec3_load(collider->high), mo_vec3_load(collider->low));
        mo_vec3 center =
            mo_scale(0.5, mo_add(mo_vec3_load(collider->high), mo_vec3_load(collider->low)));
        double turn = h * mo_length(collider->pose.w) * mo_length(diagonal), shift[3];
        mo_vec3_store(shift, mo_scale(h, mo_pose_velocity(&collider->pose, center)));
        for (int k = 0; k < 3; ++k) {
            box.low[k] = collider->low[k] + fmin(shift[k], 0) - turn;
            box.high[k] = collider->high[k] + fmax(shift[k], 0) + turn;
        }
    }
    return box;
}
