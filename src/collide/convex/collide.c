/* Chooses the contact function of a pair of kinds. */
#include "collide/convex/pairs.h"

static bool is_polytope(mo_convex_kind kind)
{
    return kind == MO_CONVEX_BOX || kind == MO_CONVEX_HULL;
}

/* Pairs are ordered by kind: sphere, box, capsule, frustum, hull. */
static int ordered(const mo_posed *a, const mo_posed *b, double margin, uint32_t hint,
                   mo_manifold *m)
{
    mo_convex_kind first = a->shape->kind, second = b->shape->kind;
    if (first == MO_CONVEX_BOX && second == MO_CONVEX_BOX) {
        return mo_box_box(a, b, margin, hint, m);
    }
    if (is_polytope(first) && is_polytope(second)) {
        return mo_polytope_polytope(a, b, margin, hint, m);
    }
    if (first == MO_CONVEX_SPHERE && second == MO_CONVEX_SPHERE) {
        return mo_sphere_sphere(a, b, margin, m);
    }
    if (first == MO_CONVEX_SPHERE && second == MO_CONVEX_BOX) {
        return mo_sphere_box(a, b, margin, m);
    }
    if (first == MO_CONVEX_SPHERE && second == MO_CONVEX_CAPSULE) {
        return mo_sphere_capsule(a, b, margin, m);
    }
    if (first == MO_CONVEX_CAPSULE && second == MO_CONVEX_CAPSULE) {
        return mo_capsule_capsule(a, b, margin, m);
    }
    return mo_smooth_contact(a, b, margin, m);
}

int mo_convex_collide(const mo_posed *a, const mo_posed *b, double margin, uint32_t axis,
                      mo_manifold *m)
{
    mo_vec3 way = mo_sub(a->p, b->p);
    double limit = a->shape->reach + b->shape->reach + margin;
    m->count = 0;
    m->hint.axis = 0;
    if (mo_dot(way, way) > limit * limit) {
        return 0;
    }
    bool flip = a->shape->kind > b->shape->kind;
    int count = flip ? ordered(b, a, margin, axis, m) : ordered(a, b, margin, axis, m);
    if (count == MO_CONVEX_BESIDE) {
        count = flip ? mo_smooth_contact(b, a, margin, m) : mo_smooth_contact(a, b, margin, m);
    }
    m->count = count;
    if (flip) {
        mo_manifold_flip(m);
    }
    return m->count;
}
