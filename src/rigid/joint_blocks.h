/*
 * Joints of islands that are too large to be solved directly: equations of four joints side by
 * side, a lane each, swept in the order of colours like contacts (blocks.h).
 *
 * The equations of a joint are visited one after the other. In the position phase those that
 * constrain are implicit springs, as contacts are: sweeps that have not converged stay stable, and
 * a load f leaves an error of f / (m w^2). Jacobians are those of the start of the step, errors are
 * linear in the displacements of the step.
 */
#ifndef MO_RIGID_JOINT_BLOCKS_H
#define MO_RIGID_JOINT_BLOCKS_H

#include "rigid/blocks.h"
#include "rigid/joint.h"

/* One equation of each lane. */
typedef struct mo_rigid_joint_lanes {
    mo_d4 linear[3], angular[2][3];
    mo_d4 error;          /* at the start of the step */
    mo_d4 inverse_k;      /* 1 / (J M^-1 J^T) */
    mo_d4 gain, softness; /* position phase: p := p - gain (u + b + softness p) */
    mo_d4 rate;           /* b = rate error, where it is not an open limit */
    mo_d4 speed;          /* b of a motor */
    mo_d4 one_sided;      /* mask: a limit */
    mo_d4 elastic;        /* mask: a spring, whose impulse the velocity phase repeats */
    mo_d4 low, high;      /* of the impulse of a substep */
    mo_d4 p, half, total;
} mo_rigid_joint_lanes;

typedef struct mo_rigid_joint_block {
    int32_t row[2][MO_LANES], joint[MO_LANES], moves[2];
    int32_t count;                         /* largest number of equations of a lane */
    int32_t slot[MO_JOINT_ROWS][MO_LANES]; /* in joint->impulse; -1: none */
    double sign[MO_JOINT_ROWS][MO_LANES];
    mo_d4 inertia[2][6];
    mo_rigid_joint_lanes equation[MO_JOINT_ROWS];
} mo_rigid_joint_block;

typedef struct mo_rigid_joint_blocks {
    mo_memory *memory;
    mo_rigid_colors colors;
    mo_rigid_order order;
    mo_rigid_joint_block *block;
    int64_t capacity;
} mo_rigid_joint_blocks;

/* Joints of which those with use[k] != 0 are distributed over blocks. */
typedef struct mo_rigid_joint_choice {
    const mo_rigid_joint *joints;
    int64_t count;
    const uint8_t *use;
} mo_rigid_joint_choice;

/* Colours and orders these joints, and reserves their blocks: elements of `size` bytes in an array
 * of this capacity, with the indices of their joints `joint_at` bytes from the start. */
mote_status mo_rigid_joints_lay_out(mo_rigid_order *order, mo_rigid_colors *colors,
                                    const mo_rigid_motion *motion, mo_rigid_joint_choice choice,
                                    void *blocks, int64_t *capacity, size_t size, size_t joint_at,
                                    mote_error *error);

void mo_rigid_joint_blocks_release(mo_rigid_joint_blocks *blocks);
mote_status mo_rigid_joint_blocks_layout(mo_rigid_joint_blocks *blocks,
                                         const mo_rigid_motion *motion,
                                         const mo_rigid_joint *joints, int64_t count,
                                         const uint8_t *use, mote_error *error);
void mo_rigid_joint_blocks_prepare(mo_rigid_joint_blocks *blocks, const mo_rigid_motion *motion,
                                   mo_rigid_joint *joints, const mo_rigid_law *law, mo_pool *pool);
void mo_rigid_joint_blocks_finish(const mo_rigid_joint_blocks *blocks,
                                  const mo_rigid_motion *motion, mo_rigid_joint *joints, double h,
                                  mo_pool *pool);

/* Adds the impulses that the joints came with to motion->warm. */
void mo_rigid_joint_sweep_warm(mo_rigid_joint_blocks *blocks, mo_rigid_motion *motion,
                               mo_pool *pool);
void mo_rigid_joint_sweep_positions(mo_rigid_joint_blocks *blocks, mo_rigid_motion *motion,
                                    mo_pool *pool, const mo_rigid_law *law);
void mo_rigid_joint_sweep_velocities(mo_rigid_joint_blocks *blocks, mo_rigid_motion *motion,
                                     mo_pool *pool, const mo_rigid_law *law);

#endif
