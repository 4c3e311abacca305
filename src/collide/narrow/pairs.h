/* Pairs of parts, for bodies and colliders alike. */
#ifndef MO_COLLIDE_NARROW_PAIRS_H
#define MO_COLLIDE_NARROW_PAIRS_H

#include "collide/narrow/mesh_surface.h"
#include "collide/narrow/sweep.h"

/* A convex part and the body that it moves with. */
typedef struct mo_side {
    const mo_convex *part;
    const mo_pose *pose;
} mo_side;

/* Two convex parts: adds at most one manifold. */
void mo_narrow_parts(const mo_side *a, const mo_side *b, const mo_narrow_query *query,
                     uint32_t number, mo_manifolds *list);

/* A convex part on a mesh, whose farthest vertex is `mesh_reach` from the origin of its frame; the
 * mesh is side 0 with `mesh_first`. Adds manifolds with numbers from `number` on. */
void mo_narrow_part_mesh(const mo_side *part, const mo_mesh_side *mesh, double mesh_reach,
                         const mo_narrow_query *query, bool mesh_first, uint32_t number,
                         mo_manifolds *list);

#endif
