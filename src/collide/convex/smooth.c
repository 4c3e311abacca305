/*
 * Contact by distance: for pairs with a frustum, for capsules on polytopes, and for polytopes whose
 * nearest features are vertices or edges apart from each other. The normal is that of the nearest
 * points; where a face of one shape opposes it within three degrees, the normal is the face's, and
 * the contact area is the support feature of the other shape. A cylinder stands on four points of
 * its rim, lies on two of its mantle, and rolls on the lowest point of its edge.
 */
#include "collide/convex/gjk.h"
#include "collide/convex/pairs.h"
#include "collide/convex/polygon.h"

mo_convex_near mo_convex_distance(const mo_posed *a, const mo_posed *b)
{
    mo_simplex simplex;
    mo_convex_near near;
    if (!mo_gjk(a, b, &simplex, &near)) {
        mo_epa(a, b, &simplex, &near);
    }
    double ra = mo_core_radius(a->shape), rb = mo_core_radius(b->shape);
    near.distance -= ra + rb;
    near.point[0] = mo_add_scaled(near.point[0], -ra, near.normal);
    near.point[1] = mo_add_scaled(near.point[1], rb, near.normal);
    return near;
}

/* Two segments along each other: both ends of their overlap. */
static int parallel_lines(const mo_polygon *a, const mo_polygon *b, mo_vec3 n, double margin,
                          mo_manifold *m)
{
    mo_vec3 d = mo_sub(a->x[1], a->x[0]), e = mo_sub(b->x[1], b->x[0]), across = mo_cross(d, e);
    double dd = mo_dot(d, d), ee = mo_dot(e, e), de = mo_dot(d, e);
    if (!(mo_dot(across, across) < 1e-4 * dd * ee)) {
        return 0;
    }
    double s = mo_dot(mo_sub(a->x[0], b->x[0]), e) / ee, t = s + de / ee;
    double at[2] = {fmax(fmin(s, t), 0), fmin(fmax(s, t), 1)};
    if (!(at[1] - at[0] > 1e-3)) {
        return 0;
    }
    m->normal = n;
    m->count = 0;
    for (uint32_t k = 0; k < 2; ++k) {
        mo_vec3 q = mo_add_scaled(b->x[0], at[k], e);
        mo_vec3 p = mo_add_scaled(a->x[0], (at[k] - s) * ee / de, d);
        double gap = mo_dot(n, mo_sub(p, q));
        if (gap <= margin) {
            m->point[m->count++] = (mo_manifold_point){{p, q}, gap, 1 + k};
        }
    }
    return m->count;
}

int mo_feature_contact(const mo_posed *a, const mo_posed *b, const mo_convex_near *near,
                       double margin, mo_manifold *m)
{
    mo_vec3 n = near->normal;
    mo_polygon of_a, of_b;
    mo_support_polygon(a, mo_scale(-1, n), &of_a);
    mo_support_polygon(b, n, &of_b);
    double turned_a = of_a.count > 2 ? -mo_dot(of_a.normal, n) : -1,
           turned_b = of_b.count > 2 ? mo_dot(of_b.normal, n) : -1;
    double tolerance =
        2e-3 * (b->shape->inner > 0 ? fmin(a->shape->inner, b->shape->inner) : a->shape->inner);
    bool reference_a = turned_a > turned_b + 1e-3;
    int count = 0;
    if (fmax(turned_a, turned_b) > MO_FACING) {
        count = mo_polygon_contact(reference_a ? &of_a : &of_b, reference_a ? &of_b : &of_a,
                                   reference_a, margin, tolerance, m);
    } else if (of_a.count == 2 && of_b.count == 2) {
        count = parallel_lines(&of_a, &of_b, n, margin, m);
    }
    if (count > 0 && mo_manifold_gap(m) <= near->distance + tolerance) {
        return count;
    }
    /* the nearest points: their gap is exact along the normal */
    return mo_manifold_single(m, n, near->point[1], near->distance, 0);
}

/* ---- faces first ---- */

/* A face that contains the other shape's deepest point is at their distance if they are apart, and,
 * for overlaps of at most this part of the smaller inner radius, as good an answer as the expanding
 * polytope's, at a tenth of the cost. */
static const double SHALLOW = 0.05;

typedef struct face_axis {
    double separation;
    mo_vec3 normal; /* of the face, outward */
} face_axis;

static void offer_face(const mo_posed *other, mo_vec3 normal, mo_vec3 on, face_axis *best)
{
    mo_vec3 x = mo_convex_support(other, mo_scale(-1, normal));
    double separation = mo_dot(normal, mo_sub(x, on));
    if (separation > best->separation) {
        *best = (face_axis){separation, normal};
    }
}

/* The face of a shape that separates the other from it most. */
static face_axis best_face(const mo_posed *shape, const mo_posed *other)
{
    const mo_convex *c = shape->shape;
    face_axis best = {-(double)INFINITY, {0, 0, 1}};
    if (c->kind == MO_CONVEX_BOX || c->kind == MO_CONVEX_FRUSTUM) {
        for (int k = c->kind == MO_CONVEX_BOX ? 0 : 2; k < 3; ++k) {
            /* only the side that is turned to the other */
            mo_vec3 axis = mo_posed_axis(shape, k);
            double side = mo_dot(axis, mo_sub(other->p, shape->p)) < 0 ? -1 : 1;
            mo_vec3 n = mo_scale(side, axis);
            if (c->kind == MO_CONVEX_BOX || c->radius[side > 0] > 0) {
                offer_face(other, n, mo_add_scaled(shape->p, mo_vec3_at(c->half, k), n), &best);
            }
        }
    } else if (c->kind == MO_CONVEX_HULL) {
        for (int32_t f = 0; f < c->hull->faces; ++f) {
            mo_vec3 n = mo_mat3_apply(shape->R, c->hull->normal[f]);
            if (mo_dot(n, mo_sub(other->p, shape->p)) > 0) {
                offer_face(other, n, mo_add_scaled(shape->p, c->hull->offset[f], n), &best);
            }
        }
    }
    return best;
}

/* -1: it cannot tell; otherwise the number of points. */
static int shallow_contact(const mo_posed *a, const mo_posed *b, double margin, mo_manifold *m)
{
    face_axis of_a = best_face(a, b), of_b = best_face(b, a);
    double inner = fmin(a->shape->inner, b->shape->inner);
    bool reference_a = of_a.separation > of_b.separation + 2e-3 * inner;
    const face_axis *best = reference_a ? &of_a : &of_b;
    if (fmax(of_a.separation, of_b.separation) > margin) {
        return 0;
    }
    if (best->separation < -SHALLOW * inner) {
        return -1;
    }
    mo_polygon reference, incident;
    mo_support_polygon(reference_a ? a : b, best->normal, &reference);
    mo_support_polygon(reference_a ? b : a, mo_scale(-1, best->normal), &incident);
    if (reference.count < 3 || mo_dot(reference.normal, best->normal) < 1 - 1e-9) {
        return -1;
    }
    int count = mo_polygon_contact(&reference, &incident, reference_a, margin, 2e-3 * inner, m);
    return count > 0 && mo_manifold_gap(m) <= best->separation + 2e-3 * inner ? count : -1;
}

int mo_smooth_contact(const mo_posed *a, const mo_posed *b, double margin, mo_manifold *m)
{
    int count = shallow_contact(a, b, margin, m);
    if (count >= 0) {
        return count;
    }
    mo_convex_near near = mo_convex_distance(a, b);
    return near.distance > margin ? 0 : mo_feature_contact(a, b, &near, margin, m);
}
