/*
 * The growing list of manifolds of one query, and manifolds of scattered points.
 */
#ifndef MO_COLLIDE_MANIFOLDS_H
#define MO_COLLIDE_MANIFOLDS_H

#include "collide/narrow/narrow.h"

typedef struct mo_manifolds {
    int count;
    mo_manifold *out; /* capacity MO_NARROW_MOST */
    mo_narrow_hints hints;
} mo_manifolds;

/* The axis of the last step's manifold of a part; 0: none. */
uint32_t mo_manifolds_hint(const mo_manifolds *list, uint32_t part);

/* Adds one; if the list is full, replaces the one with the largest gap, if that is larger. */
void mo_manifolds_add(mo_manifolds *list, const mo_manifold *manifold, uint32_t part);

/* Orders by part. */
int mo_manifolds_finish(mo_manifolds *list);

/* ---- scattered points ---- */

enum { MO_SCATTER_MOST = 192 };

typedef struct mo_scatter_point {
    mo_vec3 normal;
    mo_manifold_point point;
} mo_scatter_point;

/* Points with individual normals: of a mesh's triangles, or of a signed distance. */
typedef struct mo_scatter {
    int count;
    mo_scatter_point list[MO_SCATTER_MOST];
} mo_scatter;

/* Adds one; if it is full, replaces the one with the largest gap. */
void mo_scatter_add(mo_scatter *scatter, mo_vec3 normal, const mo_manifold_point *point);

/* Makes a manifold of each group of points whose normals agree, the deepest first, and adds them
 * with parts from `part` on: one number for each of 32 directions. `alike`: the cosine from which
 * normals agree. A face on many triangles has one manifold (8 degrees); a sphere has one with each
 * plane, since it rolls from one to the next within a step. */
void mo_scatter_manifolds(mo_scatter *scatter, double alike, double tolerance, uint32_t part,
                          mo_manifolds *list);
#define MO_ALIKE_FACES 0.99
#define MO_ALIKE_PLANES 0.999999
enum { MO_SCATTER_PARTS = 32 };

#endif
