/*
 * Contacts of rigid bodies with the triangles of deformable bodies, between the nodes: a corner or
 * an edge of a crate must not pass between the nodes of a cloth.
 *
 * The point c = sum b_i x_i of a triangle nearest to a convex part of a body is a guest of the
 * rigid solver, as nodes are, with the inverse mass sum b_i^2 / m_i. Its impulse P changes the
 * velocity of corner i by b_i P / m_i, so the momenta are conserved. A node of n guests counts in
 * each with m/n (R. Tonge et al. 2012, SIGGRAPH, "Mass splitting for jitter-free parallel rigid
 * body simulation"): the sum of their impulses does not overshoot.
 *
 * A triangle has the radius of its nodes and, as two convex solids have, up to four contact points
 * with a part; those at its nodes are left to the nodes, so on a flat face no others remain. Parts
 * of a body that are concave meshes meet nodes alone.
 */
#ifndef MO_COUPLE_RIGID_FACE_H
#define MO_COUPLE_RIGID_FACE_H

#include "collide/broad_phase.h"
#include "system/rigid/rigid.h"

typedef struct mo_rigid_face {
    int32_t row[3]; /* nodes */
    int32_t body;
    double weight[3];
    mo_vec3 normal, point[2]; /* from the triangle to the body; on the body and on the triangle */
    double gap;
    int64_t guest; /* in the list of the step */
    mo_vec3 from;  /* of the guest at the start of the step */
    mo_vec3 v;     /* ... and its velocity without contacts */
} mo_rigid_face;

enum { MO_RIGID_FACES_MAX = 8 }; /* contacts of a triangle */

/* The triangles of a system and the bodies of a step. */
typedef struct mo_rigid_face_query {
    const mo_system *rigid, *nodes;
    const mo_pose *poses; /* of the bodies */
    mo_narrow_query query;
} mo_rigid_face_query;

/* The box around the path of a triangle. */
mo_box mo_couple_rigid_face_box(const mo_rigid_face_query *q, int64_t triangle);

/* The contacts of a triangle with a body; at most `most`. */
int mo_couple_rigid_face_find(const mo_rigid_face_query *q, int64_t triangle, int32_t body,
                              int most, mo_rigid_face *out);

/* The contact point as a guest; `shares`: guests of each node. */
mo_rigid_guest mo_couple_rigid_face_guest(const mo_system *nodes, const mo_rigid_face *face,
                                          const int32_t *shares);

/* Sets v: the velocity that the nodes' own system has found for the point. */
void mo_couple_rigid_face_set_velocity(const mo_system *nodes, mo_rigid_face *face, double h);

/* Changes of the nodes by the impulse of the guest; whether there are any. */
bool mo_couple_rigid_face_apply(const mo_system *nodes, const mo_rigid_face *face,
                                const mo_rigid_guest *guest, double h);

#endif
