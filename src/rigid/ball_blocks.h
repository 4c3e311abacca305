/*
 * Ball joints of islands that are too large to be solved directly: four side by side, a lane each,
 * in the order of colours like other joints (joint_blocks.h).
 *
 * The three equations of a joint are one block of the Gauss-Seidel iteration: with the relative
 * velocity u of the points and K = (1/m0 + 1/m1) 1 - [r0] I0^-1 [r0] - [r1] I1^-1 [r1], where [r]
 * is the matrix of r x, an impulse of -K^-1 u closes the joint. A block of four is a fifth of four
 * general ones in memory, which bounds the speed of sweeps over a large net.
 */
#ifndef MO_RIGID_BALL_BLOCKS_H
#define MO_RIGID_BALL_BLOCKS_H

#include "rigid/blocks.h"
#include "rigid/joint.h"

typedef struct mo_rigid_ball_block {
    int32_t row[2][MO_LANES], joint[MO_LANES], moves[2];
    mo_d4 r[2][3];       /* from either centre of mass to the joint, at the start of the step */
    mo_d4 inertia[2][6]; /* inverse tensors */
    mo_d4 k[6];          /* K^-1: xx yy zz xy xz yz */
    mo_d4 error[3];      /* between the points at the start of the step */
    mo_d4 p[3], half[3]; /* impulse of this substep; of the one before, / 2 */
    mo_d4 total[3];      /* of the step */
} mo_rigid_ball_block;

typedef struct mo_rigid_ball_blocks {
    mo_memory *memory;
    mo_rigid_colors colors;
    mo_rigid_order order;
    mo_rigid_ball_block *block;
    int64_t capacity;
} mo_rigid_ball_blocks;

/* Whether a joint has these three equations alone: no spring. */
static inline bool mo_rigid_is_ball(const mo_rigid_joint *joint)
{
    return joint->kind == MO_JOINT_BALL && !(joint->frequency > 0);
}

void mo_rigid_ball_blocks_release(mo_rigid_ball_blocks *blocks);

/* Distributes the joints with use[k] != 0 over blocks. */
mote_status mo_rigid_ball_blocks_layout(mo_rigid_ball_blocks *blocks, const mo_rigid_motion *motion,
                                        const mo_rigid_joint *joints, int64_t count,
                                        const uint8_t *use, mote_error *error);
void mo_rigid_ball_blocks_prepare(mo_rigid_ball_blocks *blocks, const mo_rigid_motion *motion,
                                  const mo_rigid_joint *joints, mo_pool *pool);
void mo_rigid_ball_blocks_finish(const mo_rigid_ball_blocks *blocks, mo_rigid_joint *joints,
                                 double h, mo_pool *pool);

/* As those of other joints. */
void mo_rigid_ball_sweep_warm(mo_rigid_ball_blocks *blocks, mo_rigid_motion *motion, mo_pool *pool);
void mo_rigid_ball_sweep_positions(mo_rigid_ball_blocks *blocks, mo_rigid_motion *motion,
                                   mo_pool *pool, const mo_rigid_law *law);
void mo_rigid_ball_sweep_velocities(mo_rigid_ball_blocks *blocks, mo_rigid_motion *motion,
                                    mo_pool *pool);

#endif
