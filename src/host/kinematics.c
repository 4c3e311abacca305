#include "host/kinematics.h"

#include <string.h>

mote_status mo_kinematics_add(mo_kinematics *kinematics, mo_memory *memory, mo_method motion,
                              const int32_t *nodes, int64_t count, int64_t first, const double *x,
                              mote_error *error)
{
    void *groups = kinematics->list, *rows, *start;
    mote_status status = mo_grow(memory, &groups, &kinematics->capacity, kinematics->count + 1,
                                 sizeof(mo_kinematic), error);
    kinematics->list = groups;
    MO_TRY(status);
    mo_kinematic *group = &kinematics->list[kinematics->count++];
    *group = (mo_kinematic){.motion = motion};
    MO_TRY(mo_allocate_array(memory, count, sizeof(int32_t), &rows, error));
    group->rows = rows;
    MO_TRY(mo_allocate_array(memory, count, 3 * sizeof(double), &start, error));
    group->start = start;
    group->count = count;
    for (int64_t k = 0; k < count; ++k) {
        group->rows[k] = (int32_t)(first + nodes[k]);
        memcpy(group->start + 3 * k, x + 3 * (int64_t)group->rows[k], 3 * sizeof(double));
    }
    return MOTE_OK;
}

void mo_kinematics_release(mo_kinematics *kinematics, mo_memory *memory)
{
    for (int64_t k = 0; k < kinematics->count; ++k) {
        mo_release(memory, kinematics->list[k].rows);
        mo_release(memory, kinematics->list[k].start);
    }
    mo_release(memory, kinematics->list);
    *kinematics = (mo_kinematics){0};
}

bool mo_kinematics_contain(const mo_kinematics *kinematics, int64_t row)
{
    for (int64_t g = 0; g < kinematics->count; ++g) {
        for (int64_t k = 0; k < kinematics->list[g].count; ++k) {
            if (kinematics->list[g].rows[k] == row) {
                return true;
            }
        }
    }
    return false;
}

void mo_kinematics_set(const mo_kinematics *kinematics, double time, double *x, double *v)
{
    for (int64_t k = 0; k < kinematics->count; ++k) {
        const mo_kinematic *group = &kinematics->list[k];
        mo_pose pose = mo_motion_pose(group->motion, time);
        for (int64_t i = 0; i < group->count; ++i) {
            int64_t row = group->rows[i];
            mo_vec3 position = mo_pose_apply(&pose, mo_vec3_load(group->start + 3 * i));
            mo_vec3_store(x + 3 * row, position);
            mo_vec3_store(v + 3 * row, mo_pose_velocity(&pose, position));
        }
    }
}

static void remap_group(mo_kinematic *group, const int64_t *map)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < group->count; ++k) {
        int64_t row = map[group->rows[k]];
        if (row >= 0) {
            group->rows[kept] = (int32_t)row;
            memmove(group->start + 3 * kept++, group->start + 3 * k, 3 * sizeof(double));
        }
    }
    group->count = kept;
}

void mo_kinematics_remap(mo_kinematics *kinematics, const int64_t *map)
{
    for (int64_t k = 0; k < kinematics->count; ++k) {
        remap_group(&kinematics->list[k], map);
    }
}
