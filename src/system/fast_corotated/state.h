/* Internals of the system of fast_corotated bodies. */
#ifndef MO_SYSTEM_FAST_COROTATED_STATE_H
#define MO_SYSTEM_FAST_COROTATED_STATE_H

#include "host/external_forces.h"
#include "host/kinematics.h"
#include "host/system.h"
#include "solid/fast_corotated/fast_corotated.h"

extern const mo_system_type mo_system_fast_corotated;
extern const mo_family mo_fast_corotated_models;

typedef struct mo_fast_system {
    mo_system *system;
    mo_fast_corotated solid;
    mo_external_forces forces;
    mo_kinematics kinematics;
    mo_column *stress, *von_mises;
    bool contacts; /* a contact force is attached, which is explicit */
    double explicit_step;
    int stage_solve;
    int64_t cell_row_capacity, cell_stress_capacity;
    int32_t *cell_rows; /* of the last export */
    double *cell_stress;
} mo_fast_system;

mote_status mo_fast_corotated_system_create(const mo_world_def *def, mo_system *system,
                                            mote_error *error);
void mo_fast_corotated_system_release(mo_system *system);
mote_status mo_fast_corotated_system_check(const mo_world_def *def, mo_memory *memory,
                                           mote_error *error);

extern const mo_edit_hooks mo_fast_corotated_system_edit;

#endif
