/*
 * Kinematic particles: nodes of deformable bodies whose motion is prescribed by a moving pin. Each
 * group has one motion; positions and velocities follow from those at t = 0.
 */
#ifndef MO_HOST_KINEMATICS_H
#define MO_HOST_KINEMATICS_H

#include "base/memory.h"
#include "geometry/motion/motion.h"

typedef struct mo_kinematic {
    mo_method motion;
    int64_t count;
    int32_t *rows;
    double *start; /* initial positions */
} mo_kinematic;

typedef struct mo_kinematics {
    int64_t count, capacity;
    mo_kinematic *list;
} mo_kinematics;

/* Adds the rows first + nodes[k] as a group, at their current positions x. */
mote_status mo_kinematics_add(mo_kinematics *kinematics, mo_memory *memory, mo_method motion,
                              const int32_t *nodes, int64_t count, int64_t first, const double *x,
                              mote_error *error);
void mo_kinematics_release(mo_kinematics *kinematics, mo_memory *memory);

/* Whether a row belongs to a group. */
bool mo_kinematics_contain(const mo_kinematics *kinematics, int64_t row);

/* Sets positions and velocities at `time`. */
void mo_kinematics_set(const mo_kinematics *kinematics, double time, double *x, double *v);

/* Groups keep the remaining rows: map[old row] is the new row or -1. */
void mo_kinematics_remap(mo_kinematics *kinematics, const int64_t *map);

#endif
