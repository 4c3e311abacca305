#include "collide/narrow/field.h"

#include "collide/convex/gjk.h"

enum { POINTS_MOST = 3 * MO_HULL_VERTICES_MOST, DISC = 12, REFINED = 8, DESCENTS = 16 };

/* ---- points of a core ---- */

typedef struct points {
    int count;
    mo_vec3 x[POINTS_MOST];
} points;

static void add(points *p, const mo_posed *part, mo_vec3 local)
{
    if (p->count < POINTS_MOST) {
        p->x[p->count++] = mo_add(part->p, mo_mat3_apply(part->R, local));
    }
}

static void box_points(points *p, const mo_posed *part)
{
    mo_vec3 half = part->shape->half;
    for (int k = 0; k < 27; ++k) {
        if (k != 13) {
            add(p, part,
                mo_multiply(half, mo_vec3_make(k % 3 - 1, k / 3 % 3 - 1, (double)(k / 9 - 1))));
        }
    }
}

static void frustum_points(points *p, const mo_posed *part)
{
    static const double COS[DISC] = {1,  0.86602540378443865,  0.5,  0, -0.5, -0.86602540378443865,
                                     -1, -0.86602540378443865, -0.5, 0, 0.5,  0.86602540378443865};
    const mo_convex *c = part->shape;
    for (int level = 0; level < 3; ++level) {
        double r = c->radius[0] + 0.5 * level * (c->radius[1] - c->radius[0]);
        double z = (level - 1) * c->half.z;
        for (int k = 0; k < DISC; ++k) {
            add(p, part, mo_vec3_make(r * COS[k], r * COS[(k + 9) % DISC], z));
        }
        add(p, part, mo_vec3_make(0, 0, z));
    }
}

static void hull_points(points *p, const mo_posed *part)
{
    const mo_hull *hull = part->shape->hull;
    for (int32_t v = 0; v < hull->vertices; ++v) {
        add(p, part, hull->vertex[v]);
    }
    for (int32_t e = 0; e < hull->edges; ++e) {
        if (e < hull->edge[e].twin) {
            mo_vec3 to = hull->vertex[hull->edge[hull->edge[e].next].origin];
            add(p, part, mo_scale(0.5, mo_add(hull->vertex[hull->edge[e].origin], to)));
        }
    }
}

static void core_points(points *p, const mo_posed *part)
{
    p->count = 0;
    switch (part->shape->kind) {
    case MO_CONVEX_BOX:
        box_points(p, part);
        break;
    case MO_CONVEX_FRUSTUM:
        frustum_points(p, part);
        break;
    case MO_CONVEX_HULL:
        hull_points(p, part);
        break;
    case MO_CONVEX_CAPSULE:
        for (int k = -2; k <= 2; ++k) {
            add(p, part, mo_vec3_make(0, 0, 0.5 * k * part->shape->half.z));
        }
        break;
    default:
        add(p, part, mo_vec3_make(0, 0, 0));
    }
}

/* The feature of a point of the core: points of a frustum that descend move along its circles, and
 * those of a circle are the same feature. */
static uint32_t feature_of(const mo_posed *part, int point)
{
    return (uint32_t)(part->shape->kind == MO_CONVEX_FRUSTUM ? point / (DISC + 1) : point);
}

/* ---- descent ---- */

/* The point of the core nearest to x. */
static mo_vec3 project(const mo_posed *part, mo_vec3 x)
{
    mo_convex point = {.kind = MO_CONVEX_SPHERE};
    mo_posed at = {&point, mo_mat3_identity(), x};
    mo_simplex simplex;
    mo_convex_near near;
    return mo_gjk(part, &at, &simplex, &near) ? near.point[0] : x;
}

/* Projected gradient steps with halving. */
static mo_vec3 descend(const mo_posed *part, const mo_collider *collider, mo_vec3 x)
{
    double step = 0.5 * part->shape->reach;
    mo_vec3 n;
    double here = mo_collider_gap(collider, x, &n);
    for (int k = 0; k < DESCENTS; ++k) {
        mo_vec3 next = project(part, mo_add_scaled(x, -step, n)), slope;
        double there = mo_collider_gap(collider, next, &slope);
        if (there < here) {
            x = next;
            n = slope;
            here = there;
        } else {
            step *= 0.5;
        }
    }
    return x;
}

void mo_field_contact(const mo_posed *part, const mo_collider *collider, double margin,
                      mo_scatter *scatter)
{
    points p;
    double gap[POINTS_MOST], radius = mo_core_radius(part->shape), nearest = (double)INFINITY;
    bool used[POINTS_MOST] = {false};
    core_points(&p, part);
    for (int k = 0; k < p.count; ++k) {
        gap[k] = mo_collider_gap(collider, p.x[k], NULL) - radius;
        nearest = fmin(nearest, gap[k]);
    }
    if (nearest > margin + part->shape->reach) {
        return;
    }
    bool point = part->shape->kind == MO_CONVEX_SPHERE;
    for (int round = 0; round < REFINED && round < p.count; ++round) {
        int best = -1;
        for (int k = 0; k < p.count; ++k) {
            best = !used[k] && (best < 0 || gap[k] < gap[best]) ? k : best;
        }
        used[best] = true;
        mo_vec3 x = point ? p.x[best] : descend(part, collider, p.x[best]), n;
        double here = mo_collider_gap(collider, x, &n) - radius;
        if (here <= margin) {
            mo_vec3 on = mo_add_scaled(x, -radius, n);
            mo_manifold_point found = {
                {on, mo_add_scaled(on, -here, n)}, here, feature_of(part, best)};
            mo_scatter_add(scatter, n, &found);
        }
    }
    for (int k = 0; k < p.count && !point; ++k) { /* the others unchanged */
        mo_vec3 n;
        if (!used[k] && gap[k] <= margin) {
            mo_collider_gap(collider, p.x[k], &n);
            mo_vec3 on = mo_add_scaled(p.x[k], -radius, n);
            mo_manifold_point found = {
                {on, mo_add_scaled(on, -gap[k], n)}, gap[k], feature_of(part, k)};
            mo_scatter_add(scatter, n, &found);
        }
    }
}

double mo_field_impact(const mo_side *side, const mo_collider *collider, double h, double target)
{
    enum { ITERATIONS = 64 };
    mo_collider moved = *collider;
    double reach = mo_length(side->part->center) + side->part->reach, time = 0;
    double radius = mo_core_radius(side->part);
    double speed =
        mo_length(mo_sub(side->pose->v, mo_pose_velocity(&collider->pose, side->pose->p))) +
        (mo_length(side->pose->w) + mo_length(collider->pose.w)) * reach;
    for (int k = 0; k < ITERATIONS && time <= h; ++k) {
        mo_pose pose = mo_pose_after(side->pose, time);
        mo_posed part = mo_convex_at(side->part, &pose);
        points p;
        double nearest = (double)INFINITY;
        moved.pose = mo_pose_after(&collider->pose, time);
        core_points(&p, &part);
        for (int i = 0; i < p.count; ++i) {
            nearest = fmin(nearest, mo_collider_gap(&moved, p.x[i], NULL) - radius);
        }
        if (nearest <= target) {
            return time;
        }
        time += nearest / speed;
    }
    return time <= h ? time : (double)INFINITY;
}
