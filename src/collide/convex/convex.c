/* Convex shapes: construction, placement, support points and bounds. */
#include "collide/convex/convex.h"

/* The largest sphere about the centre of a frustum: it touches an end face or the mantle. */
static double frustum_inner(const mo_primitive *f)
{
    double rise = f->radius[1] - f->radius[0], length = 2 * f->half.z;
    double middle = 0.5 * (f->radius[0] + f->radius[1]);
    return fmin(f->half.z, middle * length / sqrt(length * length + rise * rise));
}

mo_convex mo_convex_of_primitive(const mo_primitive *p)
{
    mo_convex c = {.center = p->center, .axes = p->axes, .half = p->half};
    double most = fmax(p->radius[0], p->radius[1]);
    c.radius[0] = p->radius[0];
    c.radius[1] = p->radius[1];
    switch (p->kind) {
    case MO_PRIMITIVE_SPHERE:
        c.kind = MO_CONVEX_SPHERE;
        c.reach = c.inner = p->radius[0];
        break;
    case MO_PRIMITIVE_BOX:
        c.kind = MO_CONVEX_BOX;
        c.reach = mo_length(p->half);
        c.inner = fmin(fmin(p->half.x, p->half.y), p->half.z);
        break;
    case MO_PRIMITIVE_CAPSULE:
        c.kind = MO_CONVEX_CAPSULE;
        c.reach = p->half.z + p->radius[0];
        c.inner = p->radius[0];
        break;
    case MO_PRIMITIVE_FRUSTUM:
        c.kind = MO_CONVEX_FRUSTUM;
        c.reach = sqrt(p->half.z * p->half.z + most * most);
        c.inner = frustum_inner(p);
        break;
    }
    return c;
}

mo_convex mo_convex_of_hull(const mo_hull *hull)
{
    double inner = hull->reach;
    for (int32_t f = 0; f < hull->faces; ++f) {
        inner = fmin(inner, hull->offset[f]);
    }
    return (mo_convex){.kind = MO_CONVEX_HULL,
                       .center = hull->center,
                       .axes = mo_mat3_identity(),
                       .hull = hull,
                       .reach = hull->reach,
                       .inner = inner};
}

mo_convex mo_convex_of_triangle(mo_vec3 corner[3])
{
    mo_vec3 center = mo_scale(1.0 / 3, mo_add(mo_add(corner[0], corner[1]), corner[2]));
    mo_convex c = {
        .kind = MO_CONVEX_TRIANGLE, .center = center, .axes = mo_mat3_identity(), .corner = corner};
    for (int k = 0; k < 3; ++k) {
        corner[k] = mo_sub(corner[k], center);
        c.reach = fmax(c.reach, mo_length(corner[k]));
    }
    return c;
}

mo_posed mo_convex_at(const mo_convex *shape, const mo_pose *body)
{
    return (mo_posed){.shape = shape,
                      .R = mo_mat3_product(body->R, shape->axes),
                      .p = mo_pose_apply(body, shape->center)};
}

/* ---- support points ---- */

static mo_vec3 frustum_support(const mo_convex *c, mo_vec3 d)
{
    double across = sqrt(d.x * d.x + d.y * d.y);
    bool top = c->half.z * d.z + c->radius[1] * across > -c->half.z * d.z + c->radius[0] * across;
    double r = top ? c->radius[1] : c->radius[0], z = top ? c->half.z : -c->half.z;
    if (!(across > 0)) { /* along the axis: some point of the rim, not the middle, is extreme */
        return mo_vec3_make(r, 0, z);
    }
    return mo_vec3_make(r / across * d.x, r / across * d.y, z);
}

static mo_vec3 hull_support(const mo_hull *hull, mo_vec3 d)
{
    int32_t best = 0;
    double most = mo_dot(hull->vertex[0], d);
    for (int32_t v = 1; v < hull->vertices; ++v) {
        double along = mo_dot(hull->vertex[v], d);
        if (along > most) {
            most = along;
            best = v;
        }
    }
    return hull->vertex[best];
}

static mo_vec3 triangle_support(const mo_vec3 *corner, mo_vec3 d)
{
    double a = mo_dot(corner[0], d), b = mo_dot(corner[1], d), c = mo_dot(corner[2], d);
    return a >= b ? (a >= c ? corner[0] : corner[2]) : (b >= c ? corner[1] : corner[2]);
}

/* In the frame of the shape. */
static mo_vec3 local_support(const mo_convex *c, mo_vec3 d)
{
    mo_vec3 x = {0, 0, 0}, zero = {0, 0, 0};
    switch (c->kind) {
    case MO_CONVEX_SPHERE:
        return mo_scale(c->radius[0], mo_unit(d, zero));
    case MO_CONVEX_BOX:
        return mo_vec3_make(copysign(c->half.x, d.x), copysign(c->half.y, d.y),
                            copysign(c->half.z, d.z));
    case MO_CONVEX_CAPSULE:
        x.z = copysign(c->half.z, d.z);
        return mo_add_scaled(x, c->radius[0], mo_unit(d, zero));
    case MO_CONVEX_FRUSTUM:
        return frustum_support(c, d);
    case MO_CONVEX_TRIANGLE:
        return triangle_support(c->corner, d);
    default:
        return hull_support(c->hull, d);
    }
}

mo_vec3 mo_convex_support(const mo_posed *posed, mo_vec3 direction)
{
    mo_vec3 local = local_support(posed->shape, mo_mat3_apply_transposed(posed->R, direction));
    return mo_add(posed->p, mo_mat3_apply(posed->R, local));
}

/* The least and the largest component of a hull's vertices along a direction. */
static void hull_range(const mo_hull *hull, mo_vec3 d, double *low, double *high)
{
    *low = *high = mo_dot(d, hull->vertex[0]);
    for (int32_t v = 1; v < hull->vertices; ++v) {
        double along = mo_dot(d, hull->vertex[v]);
        *low = along < *low ? along : *low;
        *high = along > *high ? along : *high;
    }
}

void mo_convex_bounds(const mo_posed *posed, double low[3], double high[3])
{
    const mo_convex *c = posed->shape;
    double p[3];
    mo_vec3_store(p, posed->p);
    for (int axis = 0; axis < 3; ++axis) {
        mo_vec3 row = mo_mat3_row(posed->R, axis); /* the world's axis in the shape's frame */
        double least, most;
        if (c->kind == MO_CONVEX_HULL) {
            hull_range(c->hull, row, &least, &most);
        } else if (c->kind == MO_CONVEX_SPHERE) {
            most = c->radius[0];
            least = -most;
        } else {
            most = mo_dot(row, local_support(c, row));
            bool symmetric = c->kind == MO_CONVEX_BOX || c->kind == MO_CONVEX_CAPSULE;
            least = symmetric ? -most : mo_dot(row, local_support(c, mo_scale(-1, row)));
        }
        low[axis] = p[axis] + least;
        high[axis] = p[axis] + most;
    }
}
