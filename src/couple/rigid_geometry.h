/*
 * The state of the coupling rigid_contact, and the geometry of its contacts within a step.
 */
#ifndef MO_COUPLE_RIGID_GEOMETRY_H
#define MO_COUPLE_RIGID_GEOMETRY_H

#include "collide/broad_phase.h"
#include "collide/contact_set.h"
#include "couple/rigid_memory.h"
#include "host/coupling.h"
#include "system/rigid/rigid.h"

/* Rows of two bodies, or of a body and a collider: b = -1 - its number. */
typedef struct mo_rigid_pair_rows {
    int32_t a, b;
} mo_rigid_pair_rows;

typedef struct mo_rigid_contacts {
    mo_broad_phase broad;
    mo_rigid_memory memory;
    mo_colliders colliders; /* at the start of the step */
    int32_t *guest;         /* row of each moving collider; -1: static */
    int64_t open_count;
    int32_t *open; /* colliders near every body: unbounded ones and containers */
    int64_t pose_capacity, box_capacity, group_capacity, pair_capacity, count_capacity,
        manifold_capacity, hint_capacity;
    mo_pose *poses;
    mo_box *boxes;
    int32_t *groups;
    int64_t pair_count;
    mo_rigid_pair_rows *pairs;
    int64_t *counts; /* manifolds of each pair, then their offsets */
    mo_manifold *manifolds;
    mo_manifold_hint *hints;      /* of the contacts */
    int64_t reserved;             /* capacity in rows */
    int64_t first, contact_count; /* its contacts in the list of the step */
    double substep;
    mo_contact_set set;
    mo_reactions reactions;
    int stage_broad, stage_narrow;
} mo_rigid_contacts;

/* Normal, points and gaps of a manifold. */
void mo_couple_rigid_geometry_set_points(mo_rigid_contact *out, const mo_manifold *m);

/* Whether the normals of a pair are found again within a step (rigid/curvature.h). */
bool mo_couple_rigid_geometry_curved(const mo_coupling *coupling, mo_rigid_pair_rows p);

/* The box around a collider in a step; empty of planes and containers, which are near every body.
 */
mo_box mo_couple_rigid_geometry_collider_box(mo_collider *collider, double h);

/* mo_rigid_geometry.find; the context is the coupling. */
bool mo_couple_rigid_geometry_find(void *context, int64_t index, const mo_pose pose[2], double h,
                                   mo_rigid_contact *out);

#endif
