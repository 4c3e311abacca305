/*
 * The joints of a scene as records. Each end of a joint is a rigid body, a collider, a node of a
 * deformable body, or the world.
 *
 * Ends are kept by ids, or by the index of a collider, so that rows may be removed; a joint whose
 * body was removed no longer acts.
 */
#ifndef MO_COUPLE_JOINT_LINKS_H
#define MO_COUPLE_JOINT_LINKS_H

#include "host/coupling.h"
#include "system/rigid/def.h"
#include "system/rigid/rigid.h"

typedef enum mo_joint_end_kind {
    MO_END_WORLD, /* also static colliders */
    MO_END_BODY,
    MO_END_COLLIDER,
    MO_END_NODE
} mo_joint_end_kind;

typedef struct mo_joint_end {
    mo_joint_end_kind kind;
    int64_t number; /* id of a body or node, index of a collider */
    int64_t row;    /* of a node when it was last found */
} mo_joint_end;

typedef struct mo_joint_link {
    int64_t def, copy; /* index in the scene's list; number in a chain */
    const char *name, *type;
    mo_joint_end end[2];
    int64_t collider; /* that it is joined to, static or not; -1: none */
    int64_t index;    /* in the list of the step; -1: one of its bodies was removed */
    mo_rigid_joint joint;
} mo_joint_link;

typedef struct mo_joint_links {
    int64_t count, capacity;
    mo_joint_link *list;
} mo_joint_links;

/* Whether the scene has joints for this coupling: with nodes of b, or without nodes if b is NULL.
 */
bool mo_joint_links_wanted(const mo_world_def *def, const mo_system *b);

/* The joints of the scene for this coupling, at the initial poses. */
mote_status mo_joint_links_build(const mo_world_def *def, mo_coupling *coupling,
                                 mo_joint_links *links, mote_error *error);

/* The row of a node in its system; -1 if it was removed. */
int64_t mo_joint_find_node(const mo_system *system, mo_joint_end *end);

#endif
