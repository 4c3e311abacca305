#include "view/show/joint_picture.h"

#include "geometry/motion/motion.h"
#include "host/coupling.h"
#include "world/world.h"

#include <string.h>

/* An end of a joint at the moment's positions. */
typedef struct joint_end {
    mo_vec3 center, point;
    int64_t row; /* of the moment; -1: fixed to the world or to a collider */
} joint_end;

/* The part with the rows of a system; `first`: its first row in the moment. NULL: none. */
static const mo_part *find_part(const mo_moment *moment, int32_t system, int64_t *first)
{
    *first = 0;
    for (int k = 0; k < moment->part_count; ++k) {
        if (moment->parts[k].system == system) {
            return &moment->parts[k];
        }
        *first += moment->parts[k].rows;
    }
    return NULL;
}

static mo_vec3 vector_of(const mote_column *column, int64_t row)
{
    return mo_vec3_make(mo_column_number(column, row, 0), mo_column_number(column, row, 1),
                        mo_column_number(column, row, 2));
}

static mo_quat rotation_of(const mote_column *q, int64_t row)
{
    if (!q || q->components != 4) {
        return mo_quat_identity(); /* a node of a deformable body */
    }
    return (mo_quat){mo_column_number(q, row, 0), mo_column_number(q, row, 1),
                     mo_column_number(q, row, 2), mo_column_number(q, row, 3)};
}

static bool find_end(const mo_moment *moment, const mo_world_def *def,
                     const mo_joint_anchor *anchor, joint_end *end)
{
    *end = (joint_end){anchor->point, anchor->point, -1};
    if (anchor->collider >= 0) {
        const mo_collider_def *colliders = def->colliders.items;
        mo_pose pose = mo_motion_pose(colliders[anchor->collider].motion, moment->time);
        end->center = end->point = mo_pose_apply(&pose, anchor->point);
    }
    if (anchor->system < 0) {
        return true;
    }
    int64_t first;
    const mo_part *part = find_part(moment, anchor->system, &first);
    const mote_column *x = part ? mo_part_find(part, "x") : NULL;
    if (!x || anchor->row >= part->rows) {
        return false; /* the stored frame has other rows than the scene */
    }
    mo_quat q = rotation_of(mo_part_find(part, "q"), anchor->row);
    end->center = vector_of(x, anchor->row);
    end->point = mo_add(end->center, mo_quat_rotate(q, anchor->point));
    end->row = first + anchor->row;
    return true;
}

static mote_status add_line(mo_joint_lines *lines, mo_memory *memory, mo_vec3 a, mo_vec3 b,
                            int64_t row, mote_error *error)
{
    MO_TRY(mo_reserve(memory, &lines->list, &lines->capacity, lines->count + 1,
                      sizeof(mo_joint_line), error));
    lines->list[lines->count++] = (mo_joint_line){{a, b}, row};
    return MOTE_OK;
}

mote_status mo_joint_lines_find(mo_joint_lines *lines, mo_memory *memory, const mo_moment *moment,
                                const mo_world_def *def, mote_error *error)
{
    int64_t count = mote_world_joint_count(moment->world);
    lines->count = 0;
    for (int64_t k = 0; k < count; ++k) {
        mote_joint joint;
        mo_joint_anchor anchor[2];
        joint_end end[2];
        if (!mote_world_joint(moment->world, k, &joint) ||
            !mo_world_joint_anchors(moment->world, k, anchor) ||
            !find_end(moment, def, &anchor[0], &end[0]) ||
            !find_end(moment, def, &anchor[1], &end[1])) {
            continue;
        }
        if (strcmp(joint.type, "distance") == 0) {
            int64_t row = end[0].row >= 0 ? end[0].row : end[1].row;
            MO_TRY(add_line(lines, memory, end[0].point, end[1].point, row, error));
            continue;
        }
        for (int side = 0; side < 2; ++side) {
            if (end[side].row >= 0) {
                MO_TRY(add_line(lines, memory, end[side].center, end[side].point, end[side].row,
                                error));
            }
        }
    }
    return MOTE_OK;
}
