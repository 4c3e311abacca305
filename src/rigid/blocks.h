/*
 * Contacts as the sweeps see them: four manifolds side by side, a lane each.
 *
 * A manifold is one block of the Gauss-Seidel iteration. Its normal impulses P >= 0 act on the
 * normal velocities u_i = n . (v0 - v1) + a0_i . w0 - a1_i . w1 with a = r x n by the 4 x 4 matrix
 * K_ij = 1/m0 + 1/m1 + a0_i . I0^-1 a0_j + a1_i . I1^-1 a1_j, and the inequalities u_i + b_i >= 0
 * are solved by projected Gauss-Seidel within the block: both bodies are loaded and stored once for
 * all points. b_i = g_i / s of an open gap: it may close in the substep s, not more.
 *
 * Friction acts at the manifold's centre, with the sum of the normal impulses: a force in the
 * tangential plane within the disk mu sum P, and a torque about the normal of at most mu sum P_i
 * d_i with the distances d_i from the centre. Friction at each point, the alternative, has eight
 * unknowns that are mostly redundant, and converges slower.
 */
#ifndef MO_RIGID_BLOCKS_H
#define MO_RIGID_BLOCKS_H

#include "rigid/colors.h"
#include "rigid/contact.h"
#include "rigid/motion.h"
#include "rigid/wide_vec3.h"

/* The entries of K: (i, j) of its lower half is at i (i + 1) / 2 + j. */
enum { MO_RIGID_ENTRIES = MO_RIGID_POINTS * (MO_RIGID_POINTS + 1) / 2 };

typedef struct mo_rigid_block {
    int32_t row[2][MO_LANES];  /* bodies; the fixed frame's row where there is none */
    int32_t contact[MO_LANES]; /* index; -1: the lane is empty */
    int32_t moves[2];          /* bit k: the body of lane k is movable */
    int32_t points;            /* largest count of points of a lane */
    int32_t rolls;             /* some lane has rolling friction */
    int32_t curved;            /* some lane's normal turns within the step (curvature.h) */
    mo_d4 n[3], t[3];          /* normal, first tangent; the second is n x t */
    mo_d4 inertia[2][6];       /* inverse tensors */
    mo_d4 a[MO_RIGID_POINTS][2][3];
    mo_d4 k[MO_RIGID_ENTRIES], inverse_k[MO_RIGID_POINTS]; /* K; reciprocals of its diagonal */
    mo_d4 gap[MO_RIGID_POINTS];                            /* at the start of the step */
    mo_d4 bend[MO_RIGID_POINTS];                           /* of curved contacts */
    mo_d4 impulse[MO_RIGID_POINTS],
        half[MO_RIGID_POINTS];  /* of this substep; of the one before, / 2 */
    mo_d4 arm[MO_RIGID_POINTS]; /* distance from the centre */
    mo_d4 c[2][3];              /* from either body's centre of mass to the manifold's centre */
    mo_d4 friction_k[3];        /* inverse of the 2 x 2 matrix of friction: 00 11 01 */
    mo_d4 twist_k;              /* 1 / (n . (I0^-1 + I1^-1) n) */
    mo_d4 mu;
    mo_d4 friction[2], twist, friction_half[2], twist_half;
    mo_d4 belt[2]; /* surface velocity along the tangents */
    mo_d4 rolling_mu, rolling[3], rolling_half[3], rolling_k; /* a scalar: 1 / trace/3 */
    mo_d4 total[MO_RIGID_POINTS], friction_total[2], twist_total,
        rolling_total[3]; /* of the step */
} mo_rigid_block;

typedef struct mo_rigid_blocks {
    mo_memory *memory;
    mo_rigid_colors colors;
    mo_rigid_block *block;
    mo_rigid_order order;
    int64_t capacity, count;
} mo_rigid_blocks;

void mo_rigid_blocks_release(mo_rigid_blocks *blocks);

mote_status mo_rigid_blocks_reserve(mo_rigid_blocks *blocks, int64_t bodies, int64_t contacts,
                                    mote_error *error);

/* Colours the contacts with use[k] != 0 and distributes them over blocks. */
mote_status mo_rigid_blocks_layout(mo_rigid_blocks *blocks, const mo_rigid_motion *motion,
                                   const mo_rigid_contact *contacts, int64_t count,
                                   const uint8_t *use, mote_error *error);

/* Fills the blocks from contacts and packed bodies. */
void mo_rigid_blocks_prepare(mo_rigid_blocks *blocks, const mo_rigid_motion *motion,
                             const mo_rigid_contact *contacts, mo_pool *pool);

/* Impulses and mean forces of the step back to the contacts. */
void mo_rigid_blocks_finish(const mo_rigid_blocks *blocks, mo_rigid_contact *contacts, double h,
                            mo_pool *pool);

/* Of curved contacts (curvature.h): the deviations of their gaps before the position phase; the
 * mean forces of the substeps with the present normal, before it changes; new normals, lever arms
 * and gaps. */
void mo_rigid_blocks_bend(mo_rigid_blocks *blocks, const mo_rigid_contact *contacts);
void mo_rigid_blocks_flush(mo_rigid_blocks *blocks, mo_rigid_contact *contacts, double h);
void mo_rigid_blocks_refresh(mo_rigid_blocks *blocks, const mo_rigid_motion *motion,
                             const mo_rigid_contact *contacts, mo_pool *pool);

/* ---- sweeps (sweep.c) ---- */

typedef struct mo_rigid_law {
    double inverse_substep;
    double slop;
    double recovery_rate, recovery_speed; /* of penetration [1/s] and [m/s] */
    double mass_scale,
        impulse_scale; /* of the spring: p := p - mass_scale u / K - impulse_scale p */
} mo_rigid_law;

/* Adds the impulses of the contacts to motion->warm: the initial guess of the first substep. */
void mo_rigid_sweep_warm(mo_rigid_blocks *blocks, mo_rigid_motion *motion, mo_pool *pool);
/* Impulses so that no gap is negative after the drift. */
void mo_rigid_sweep_positions(mo_rigid_blocks *blocks, mo_rigid_motion *motion, mo_pool *pool,
                              const mo_rigid_law *law);
/* Impulses so that no closed contact approaches. */
void mo_rigid_sweep_velocities(mo_rigid_blocks *blocks, mo_rigid_motion *motion, mo_pool *pool,
                               const mo_rigid_law *law);

#endif
