/*
 * The narrow phase: manifolds between rigid bodies, and between a rigid body and a collider of the
 * scene.
 *
 * The collision shape of a body is a list of convex parts, of closed concave meshes, or both, in
 * the body's frame (origin at the centre of mass). Bodies have a mo_pose: a point X of the body is
 * at R X + p and moves with v + w x (x - p).
 *
 * Concave bodies keep their triangles: a convex part meets those that are near it, as on a static
 * mesh. Decomposition into convex parts was rejected, since it needs a tolerance that the user must
 * choose, and fills holes and threads; compounds can be given explicitly. Two concave meshes meet
 * by points of their surfaces (vertices, and edges in steps) in the exact signed distance of the
 * other.
 *
 * A pair gives a list of manifolds, ordered by `hint.part`: the planes of a container, parts of
 * compounds, and patches of a mesh with different normals are separate manifolds. The hints of the
 * last step make the next query faster and steadier; they are state and part of the snapshot.
 *
 * Speculative contacts: gaps are reported up to `margin` + the approach within h. A body that moves
 * by more than half its inner radius in h is swept by conservative advancement (Mirtich 1996), and
 * its manifold is that of the time of impact (manifold.h).
 */
#ifndef MO_COLLIDE_NARROW_H
#define MO_COLLIDE_NARROW_H

#include "collide/collider.h"
#include "collide/convex/convex.h"

struct mo_mesh_surface;
struct mo_trimesh;

typedef struct mo_collision_shape {
    int64_t parts, meshes;
    mo_convex *part;              /* in the frame of the body */
    struct mo_mesh_surface *mesh; /* concave, in the frame of the body (mesh_surface.h) */
    double reach;                 /* radius of the sphere about the body's origin around it */
    double inner;                 /* smallest inner radius of a part; 0 with a mesh */
} mo_collision_shape;

/* Adds a shape of the scene, given in the frame of the world, to a body whose frame has this origin
 * and these axes (columns): X = axes^T (x - origin). Primitives become parts, unions their shapes,
 * closed meshes a hull if they are convex and a concave mesh otherwise, other shapes a mesh of
 * their surface. Half spaces are refused. */
mote_status mo_collision_shape_add(mo_collision_shape *shape, mo_method scene_shape, mo_vec3 origin,
                                   mo_mat3 axes, mo_arena *arena, mote_error *error);

/* The same with a closed surface. `name` is for messages. */
mote_status mo_collision_shape_add_mesh(mo_collision_shape *shape, const struct mo_trimesh *surface,
                                        const char *name, mo_vec3 origin, mo_mat3 axes,
                                        mo_arena *arena, mote_error *error);

/* Adds a convex part in the frame of the body. */
mote_status mo_collision_shape_add_part(mo_collision_shape *shape, const mo_convex *part,
                                        mo_arena *arena, mote_error *error);

/* Finds reach and inner radius; called by the functions above. */
void mo_collision_shape_finish(mo_collision_shape *shape);

/* The box around it at a pose, and after a step of h with the velocities of the pose; h may be
 * 0. */
void mo_collision_shape_bounds(const mo_collision_shape *shape, const mo_pose *pose, double h,
                               double low[3], double high[3]);

typedef struct mo_narrow_query {
    double margin; /* gaps up to it are reported in any case [m] */
    double h;      /* the step, within which nothing may pass; 0: this instant only [s] */
} mo_narrow_query;

/* Whether the normal of a contact turns as the bodies slide or roll on each other: parts with a
 * round surface, and polytopes on round surfaces; not on planes, nor two polytopes. */
bool mo_narrow_bodies_curved(const mo_collision_shape *a, const mo_collision_shape *b);
bool mo_narrow_collider_curved(const mo_collision_shape *a, const mo_collider *collider);

/* Maximum number of manifolds of a pair; the deepest are kept. */
enum { MO_NARROW_MOST = 16 };

typedef struct mo_narrow_hints {
    int count;
    const mo_manifold_hint *list;
} mo_narrow_hints;

/* Side 0 is body a, side 1 body b; returns the number of manifolds written to `out`, of capacity
 * MO_NARROW_MOST. */
int mo_narrow_bodies(const mo_collision_shape *a, const mo_pose *pose_a,
                     const mo_collision_shape *b, const mo_pose *pose_b,
                     const mo_narrow_query *query, mo_narrow_hints hints, mo_manifold *out);

/* Side 0 is the body, side 1 the collider with its pose and velocities. In a periodic domain the
 * body must be in the box of the domain; the images of the collider are tested too. */
int mo_narrow_collider(const mo_collision_shape *a, const mo_pose *pose_a,
                       const mo_collider *collider, const mo_narrow_query *query,
                       mo_narrow_hints hints, mo_manifold *out);

#endif
