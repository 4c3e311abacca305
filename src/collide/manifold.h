/*
 * A contact manifold: where two rigid solids touch, or will within a margin.
 *
 * One normal, from side 1 to side 0 as in collide/contact.h, and up to four points. Each point is
 * given on both surfaces; the gap is their distance along the normal, negative where the solids
 * overlap. Four points of a planar contact area are enough for the solver: those that span the
 * largest area, the deepest among them (reduction in collide/convex/clip.h).
 *
 * Points are found up to a margin of positive gap (speculative contacts): a solver that allows an
 * approach of gap/h in a step of h stops a body at the surface instead of behind it. For bodies
 * that move by more than their size in a step, the manifold is that of the time of impact, with
 * both points taken back along the motion to the start of the step. Then point[0] - point[1] has a
 * tangential part too; the lever arm of each body is that of its own point.
 *
 * Keys: `key` of a point names the features (vertices, edges, faces) that made it, `part` the
 * parts of the two solids (of compounds, meshes, containers). A point of the next step with the
 * same part and key is the same point: impulses for warm starting are found by it. `axis` names the
 * axis of least penetration; passed back in the next step (mo_manifold_hint), it keeps the choice
 * between axes of nearly equal depth, and makes the next test faster.
 */
#ifndef MO_COLLIDE_MANIFOLD_H
#define MO_COLLIDE_MANIFOLD_H

#include "math/vec3.h"

#include <stdbool.h>

enum { MO_MANIFOLD_POINTS = 4 };

typedef struct mo_manifold_point {
    mo_vec3 point[2]; /* on the surface of side 0 and of side 1, in the frame of the world */
    double gap;       /* normal . (point[0] - point[1]) [m] */
    uint32_t key;
} mo_manifold_point;

/* The part of a manifold passed to the next step. */
typedef struct mo_manifold_hint {
    uint32_t part, axis;
} mo_manifold_hint;

typedef struct mo_manifold {
    mo_vec3 normal; /* unit vector from side 1 to side 0 */
    int32_t count;
    mo_manifold_hint hint;
    mo_manifold_point point[MO_MANIFOLD_POINTS];
} mo_manifold;

/* The smallest gap; infinite without points. */
static inline double mo_manifold_gap(const mo_manifold *manifold)
{
    double gap = (double)INFINITY;
    for (int k = 0; k < manifold->count; ++k) {
        gap = fmin(gap, manifold->point[k].gap);
    }
    return gap;
}

/* The same contact with exchanged sides. */
static inline void mo_manifold_flip(mo_manifold *manifold)
{
    manifold->normal = mo_scale(-1, manifold->normal);
    for (int k = 0; k < manifold->count; ++k) {
        mo_vec3 swap = manifold->point[k].point[0];
        manifold->point[k].point[0] = manifold->point[k].point[1];
        manifold->point[k].point[1] = swap;
    }
}

#endif
