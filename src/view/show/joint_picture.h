/*
 * Joints drawn as lines. A distance joint (rod, rope, spring) is a line between its two points; the
 * other joints are lines from the centres of their bodies to the joint's point, hidden where the
 * bodies reach that far themselves.
 */
#ifndef MO_VIEW_SHOW_JOINT_PICTURE_H
#define MO_VIEW_SHOW_JOINT_PICTURE_H

#include "base/memory.h"
#include "host/def.h"
#include "view/show/moment.h"

typedef struct mo_joint_line {
    mo_vec3 x[2];
    int64_t row; /* of the moment, whose paint the line has */
} mo_joint_line;

typedef struct mo_joint_lines {
    int64_t count, capacity;
    mo_joint_line *list;
} mo_joint_lines;

/* The lines of all joints at the moment's positions. */
mote_status mo_joint_lines_find(mo_joint_lines *lines, mo_memory *memory, const mo_moment *moment,
                                const mo_world_def *def, mote_error *error);

#endif
