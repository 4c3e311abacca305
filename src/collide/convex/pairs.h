/* Contact functions of pairs of kinds; mo_convex_collide (collide.c) chooses. All of them find the
 * manifold up to `margin`, with the normal from b to a. */
#ifndef MO_COLLIDE_CONVEX_PAIRS_H
#define MO_COLLIDE_CONVEX_PAIRS_H

#include "collide/convex/clip.h"
#include "collide/convex/convex.h"

/* Which axis a contact of polytopes was found by, as a hint for the next step: 0 none. */
enum { MO_AXIS_FACE_A = 1, MO_AXIS_FACE_B = 2, MO_AXIS_EDGES = 3 };

static inline uint32_t mo_axis_make(uint32_t kind, uint32_t i, uint32_t j)
{
    return kind << 30 | i << 15 | j;
}

/* Returned by polytope functions if no axis separates by more than the margin but the faces do
 * not overlap: the nearest features are two vertices, or a vertex and an edge. */
enum { MO_CONVEX_BESIDE = -1 };

/* A single point: from its position on b, with the gap along the normal. */
static inline int mo_manifold_single(mo_manifold *m, mo_vec3 normal, mo_vec3 on_b, double gap,
                                     uint32_t key)
{
    m->normal = normal;
    m->count = 1;
    m->point[0] = (mo_manifold_point){{mo_add_scaled(on_b, gap, normal), on_b}, gap, key};
    return 1;
}

int mo_sphere_sphere(const mo_posed *a, const mo_posed *b, double margin, mo_manifold *m);
int mo_sphere_capsule(const mo_posed *a, const mo_posed *b, double margin, mo_manifold *m);
int mo_sphere_box(const mo_posed *a, const mo_posed *b, double margin, mo_manifold *m);
int mo_capsule_capsule(const mo_posed *a, const mo_posed *b, double margin, mo_manifold *m);
int mo_box_box(const mo_posed *a, const mo_posed *b, double margin, uint32_t hint, mo_manifold *m);

/* Boxes and hulls. */
int mo_polytope_polytope(const mo_posed *a, const mo_posed *b, double margin, uint32_t hint,
                         mo_manifold *m);
/* A face within this cosine (three degrees) of the normal replaces it. */
#define MO_FACING 0.99875

/* The manifold of a pair whose nearest points and normal are known. */
int mo_feature_contact(const mo_posed *a, const mo_posed *b, const mo_convex_near *near,
                       double margin, mo_manifold *m);
/* Any pair, by its distance. */
int mo_smooth_contact(const mo_posed *a, const mo_posed *b, double margin, mo_manifold *m);

/* Closest points of the segments p + s d, q + t e with s, t in [-1, 1]. */
void mo_segments_nearest(mo_vec3 p, mo_vec3 d, mo_vec3 q, mo_vec3 e, double *s, double *t);

/* The third axis of a placed shape. */
static inline mo_vec3 mo_posed_axis(const mo_posed *a, int k)
{
    return mo_vec3_make(a->R.m[k], a->R.m[3 + k], a->R.m[6 + k]);
}

#endif
