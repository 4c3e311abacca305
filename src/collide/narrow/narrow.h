/*
 * The narrow phase: manifolds between rigid bodies, and between a rigid body and a collider of the
 * scene.
 *
 * The collision shape of a body is a list of convex parts, one closed concave mesh, or both, in the
 * body's frame (origin at the centre of mass). Bodies stand at a mo_pose: a point X of the body is
 * at R X + p and moves with v + w x (x - p).
 *
 * A pair gives a list of manifolds, one per pair of parts, ordered by `hint.part`: the planes of a
 * container, parts of compounds, and patches of a mesh with different normals are manifolds of
 * their own. The list of the last step's hints makes the next query faster and steadier; it is
 * state and belongs into the snapshot.
 *
 * Speculative contacts: gaps are reported up to `margin` + the approach within h. A body that moves
 * by more than its inner radius in h is swept by conservative advancement (Mirtich 1996), and its
 * manifold is that of the time of impact (manifold.h).
 */
#ifndef MO_COLLIDE_NARROW_H
#define MO_COLLIDE_NARROW_H

#include "collide/collider.h"
#include "collide/convex/convex.h"

struct mo_mesh_surface;

typedef struct mo_collision_shape {
    int64_t parts;
    mo_convex *part;                    /* in the frame of the body */
    const struct mo_mesh_surface *mesh; /* concave, in the frame of the body, or NULL */
    double reach;                       /* radius of the sphere about the body's origin around it */
    double inner;                       /* smallest inner radius of a part */
} mo_collision_shape;

/* Finds reach and inner radius once the parts are there. */
void mo_collision_shape_finish(mo_collision_shape *shape);

/* The box around it at a pose, and after a step of h with the velocities of the pose; h may be
 * 0. */
void mo_collision_shape_bounds(const mo_collision_shape *shape, const mo_pose *pose, double h,
                               double low[3], double high[3]);

typedef struct mo_narrow_query {
    double margin; /* gaps up to it are reported in any case [m] */
    double h;      /* the step, within which nothing may pass; 0: this instant only [s] */
} mo_narrow_query;

/* Manifolds of a pair at most; of more the deepest are kept. */
enum { MO_NARROW_MOST = 16 };

typedef struct mo_narrow_hints {
    int count;
    const mo_manifold_hint *list; /* ascending by part */
} mo_narrow_hints;

/* Side 0 is body a, side 1 body b; the number of manifolds written to `out`, which has room for
 * MO_NARROW_MOST. */
int mo_narrow_bodies(const mo_collision_shape *a, const mo_pose *pose_a,
                     const mo_collision_shape *b, const mo_pose *pose_b,
                     const mo_narrow_query *query, mo_narrow_hints hints, mo_manifold *out);

/* Side 0 is the body, side 1 the collider where it stands (its pose). */
int mo_narrow_collider(const mo_collision_shape *a, const mo_pose *pose_a,
                       const mo_collider *collider, const mo_narrow_query *query,
                       mo_narrow_hints hints, mo_manifold *out);

#endif
