/* Sweeps over ball joints. */
#include "rigid/ball_blocks.h"

#include "rigid/joint_blocks.h"

enum { GRAIN = 64 };

void mo_rigid_ball_blocks_release(mo_rigid_ball_blocks *blocks)
{
    mo_rigid_colors_release(&blocks->colors);
    mo_release(blocks->memory, blocks->order.item);
    mo_release(blocks->memory, blocks->block);
}

mote_status mo_rigid_ball_blocks_layout(mo_rigid_ball_blocks *blocks, const mo_rigid_motion *motion,
                                        const mo_rigid_joint *joints, int64_t count,
                                        const uint8_t *use, mote_error *error)
{
    return mo_rigid_joints_lay_out(&blocks->order, &blocks->colors, motion,
                                   (mo_rigid_joint_choice){joints, count, use}, &blocks->block,
                                   &blocks->capacity, sizeof *blocks->block,
                                   offsetof(mo_rigid_ball_block, joint), error);
}

/* ---- preparation ---- */

typedef struct preparation {
    mo_rigid_ball_blocks *blocks;
    const mo_rigid_motion *motion;
    const mo_rigid_joint *joints;
} preparation;

/* Lanes without a joint join the fixed frame to itself. */
static void fill_lane(mo_rigid_ball_block *b, int lane, const preparation *p)
{
    const mo_rigid_motion *m = p->motion;
    const mo_rigid_joint *joint = b->joint[lane] < 0 ? NULL : p->joints + b->joint[lane];
    mo_vec3 end[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int side = 0; side < 2; ++side) {
        int64_t row = joint && joint->body[side] >= 0 ? joint->body[side] : m->bodies.count;
        mo_vec3 x = {0, 0, 0}, r = x;
        mo_quat q;
        if (joint) {
            mo_rigid_motion_pose(m, joint->body[side], &x, &q);
            r = mo_quat_rotate(q, joint->point[side]);
            end[side] = mo_add(x, r);
        }
        b->row[side][lane] = (int32_t)row;
        b->moves[side] |= (m->velocity[MO_PACK * row + 3] > 0) << lane;
        b->r[side][0][lane] = r.x, b->r[side][1][lane] = r.y, b->r[side][2][lane] = r.z;
    }
    mo_vec3 error = mo_sub(end[0], end[1]);
    b->error[0][lane] = error.x, b->error[1][lane] = error.y, b->error[2][lane] = error.z;
    for (int i = 0; i < 3; ++i) {
        b->p[i][lane] = joint ? joint->impulse[i] : 0;
    }
}

/* k += -[r] I [r] of one side: columns of [r] are r x e_j with the sign changed. */
MO_INLINE void add_rotation(const mo_d4 r[3], const mo_d4 inertia[6], mo_d4 k[6])
{
    mo_d4 zero = mo_d4_set(0), turned[3][3];
    const mo_d4 column[3][3] = {
        {zero, r[2], zero - r[1]}, {zero - r[2], zero, r[0]}, {r[1], zero - r[0], zero}};
    for (int j = 0; j < 3; ++j) {
        mo_w3_turn(inertia, column[j], turned[j]);
    }
    k[0] += mo_w3_dot(column[0], turned[0]);
    k[1] += mo_w3_dot(column[1], turned[1]);
    k[2] += mo_w3_dot(column[2], turned[2]);
    k[3] += mo_w3_dot(column[0], turned[1]);
    k[4] += mo_w3_dot(column[0], turned[2]);
    k[5] += mo_w3_dot(column[1], turned[2]);
}

/* The inverse of a symmetric matrix; 0 of 0. */
MO_INLINE void invert(mo_d4 k[6])
{
    mo_d4 one = mo_d4_set(1), zero = mo_d4_set(0);
    mo_d4 a = k[1] * k[2] - k[5] * k[5], b = k[4] * k[5] - k[3] * k[2],
          c = k[3] * k[5] - k[4] * k[1];
    mo_d4 d = k[0] * a + k[3] * b + k[4] * c;
    mo_d4 s = mo_d4_select(d > zero, one / mo_d4_select(d > zero, d, one), zero);
    mo_d4 e = k[0] * k[2] - k[4] * k[4], f = k[3] * k[4] - k[0] * k[5],
          g = k[0] * k[1] - k[3] * k[3];
    k[0] = s * a, k[1] = s * e, k[2] = s * g, k[3] = s * b, k[4] = s * c, k[5] = s * f;
}

static void prepare(void *context, int64_t first, int64_t last)
{
    const preparation *p = context;
    for (int64_t k = first; k < last; ++k) {
        mo_rigid_ball_block *b = p->blocks->block + k;
        mo_w3_twist t[2];
        mo_d4 zero = mo_d4_set(0);
        b->moves[0] = b->moves[1] = 0;
        for (int lane = 0; lane < MO_LANES; ++lane) {
            fill_lane(b, lane, p);
        }
        for (int side = 0; side < 2; ++side) {
            mo_w3_load(p->motion->inertia, b->row[side], t + side);
            const mo_d4 six[6] = {t[side].v[0], t[side].v[1], t[side].v[2],
                                  t[side].mass, t[side].w[0], t[side].w[1]};
            memcpy(b->inertia[side], six, sizeof six);
            mo_w3_load(p->motion->velocity, b->row[side], t + side);
        }
        for (int i = 0; i < 3; ++i) {
            b->k[i] = t[0].mass + t[1].mass;
            b->k[3 + i] = b->half[i] = b->total[i] = zero;
        }
        add_rotation(b->r[0], b->inertia[0], b->k);
        add_rotation(b->r[1], b->inertia[1], b->k);
        invert(b->k);
    }
}

void mo_rigid_ball_blocks_prepare(mo_rigid_ball_blocks *blocks, const mo_rigid_motion *motion,
                                  const mo_rigid_joint *joints, mo_pool *pool)
{
    preparation p = {blocks, motion, joints};
    mo_parallel_for(pool, mo_rigid_order_blocks(&blocks->order), GRAIN, prepare, &p);
}

/* ---- sweeps ---- */

typedef struct sweep {
    mo_rigid_ball_blocks *blocks;
    mo_rigid_motion *motion;
    const mo_rigid_law *law;
    int64_t offset;
} sweep;

/* The relative velocity, or displacement, of the points: v0 + w0 x r0 - v1 - w1 x r1. */
MO_INLINE void relative(const mo_rigid_ball_block *b, const mo_w3_twist t[2], mo_d4 u[3])
{
    mo_d4 turn[2][3];
    mo_w3_cross(t[0].w, b->r[0], turn[0]);
    mo_w3_cross(t[1].w, b->r[1], turn[1]);
    for (int i = 0; i < 3; ++i) {
        u[i] = (t[0].v[i] - t[1].v[i]) + (turn[0][i] - turn[1][i]);
    }
}

/* Applies an impulse to the first body and its opposite to the second. */
MO_INLINE void apply(const mo_rigid_ball_block *b, mo_w3_twist t[2], const mo_d4 p[3])
{
    mo_d4 angular[2][3], zero = mo_d4_set(0);
    mo_w3_cross(b->r[0], p, angular[0]);
    mo_w3_cross(b->r[1], p, angular[1]);
    mo_w3_apply(t, b->inertia[0], t[0].mass, p, mo_d4_set(1), angular[0]);
    mo_w3_apply(t + 1, b->inertia[1], zero - t[1].mass, p, mo_d4_set(-1), angular[1]);
}

MO_INLINE void load(const double *packed, const mo_rigid_ball_block *b, mo_w3_twist t[2])
{
    mo_w3_load(packed, b->row[0], t);
    mo_w3_load(packed, b->row[1], t + 1);
}

MO_INLINE void store(double *packed, const mo_rigid_ball_block *b, const mo_w3_twist t[2])
{
    mo_w3_store(packed, b->row[0], b->moves[0], t);
    mo_w3_store(packed, b->row[1], b->moves[1], t + 1);
}

static void positions(void *context, int64_t first, int64_t last)
{
    const sweep *s = context;
    mo_d4 stiff = mo_d4_set(s->law->mass_scale), leak = mo_d4_set(s->law->impulse_scale),
          rate = mo_d4_set(s->law->recovery_rate), half = mo_d4_set(0.5);
    for (int64_t k = s->offset + first; k < s->offset + last; ++k) {
        mo_rigid_ball_block *b = s->blocks->block + k;
        mo_w3_twist t[2];
        mo_d4 u[3], error[3], change[3];
        load(s->motion->displacement, b, t);
        relative(b, t, error);
        load(s->motion->velocity, b, t);
        relative(b, t, u);
        for (int i = 0; i < 3; ++i) {
            u[i] += rate * (b->error[i] + error[i]);
        }
        mo_w3_turn(b->k, u, change);
        for (int i = 0; i < 3; ++i) {
            mo_d4 start = b->half[i] = half * b->p[i];
            mo_d4 p = start - (stiff * change[i] + leak * start);
            change[i] = p - start;
            b->p[i] = p;
        }
        apply(b, t, change);
        store(s->motion->velocity, b, t);
    }
}

static void velocities(void *context, int64_t first, int64_t last)
{
    const sweep *s = context;
    for (int64_t k = s->offset + first; k < s->offset + last; ++k) {
        mo_rigid_ball_block *b = s->blocks->block + k;
        mo_w3_twist t[2];
        mo_d4 u[3], change[3];
        load(s->motion->velocity, b, t);
        relative(b, t, u);
        mo_w3_turn(b->k, u, change);
        for (int i = 0; i < 3; ++i) {
            change[i] = mo_d4_set(0) - change[i];
            b->p[i] += b->half[i] + change[i];
            b->total[i] += b->p[i];
        }
        apply(b, t, change);
        store(s->motion->velocity, b, t);
    }
}

static void warm(void *context, int64_t first, int64_t last)
{
    const sweep *s = context;
    for (int64_t k = s->offset + first; k < s->offset + last; ++k) {
        const mo_rigid_ball_block *b = s->blocks->block + k;
        mo_w3_twist t[2], v[2];
        load(s->motion->velocity, b, v);
        load(s->motion->warm, b, t);
        for (int side = 0; side < 2; ++side) {
            t[side].mass = v[side].mass;
        }
        apply(b, t, b->p);
        t[0].mass = t[1].mass = mo_d4_set(0);
        store(s->motion->warm, b, t);
    }
}

void mo_rigid_ball_sweep_warm(mo_rigid_ball_blocks *blocks, mo_rigid_motion *motion, mo_pool *pool)
{
    sweep s = {.blocks = blocks, .motion = motion};
    mo_rigid_order_run(&blocks->order, pool, warm, &s, &s.offset);
}

void mo_rigid_ball_sweep_positions(mo_rigid_ball_blocks *blocks, mo_rigid_motion *motion,
                                   mo_pool *pool, const mo_rigid_law *law)
{
    sweep s = {.blocks = blocks, .motion = motion, .law = law};
    mo_rigid_order_run(&blocks->order, pool, positions, &s, &s.offset);
}

void mo_rigid_ball_sweep_velocities(mo_rigid_ball_blocks *blocks, mo_rigid_motion *motion,
                                    mo_pool *pool)
{
    sweep s = {.blocks = blocks, .motion = motion};
    mo_rigid_order_run(&blocks->order, pool, velocities, &s, &s.offset);
}

/* ---- results ---- */

typedef struct results {
    const mo_rigid_ball_blocks *blocks;
    mo_rigid_joint *joints;
    double h;
} results;

static void finish(void *context, int64_t first, int64_t last)
{
    const results *r = context;
    for (int64_t k = first; k < last; ++k) {
        const mo_rigid_ball_block *b = r->blocks->block + k;
        for (int lane = 0; lane < MO_LANES; ++lane) {
            if (b->joint[lane] < 0) {
                continue;
            }
            mo_rigid_joint *joint = r->joints + b->joint[lane];
            double force[3];
            for (int i = 0; i < 3; ++i) {
                joint->impulse[i] = b->p[i][lane];
                force[i] = b->total[i][lane] / r->h;
            }
            joint->force = mo_vec3_load(force);
            joint->torque = mo_vec3_make(0, 0, 0);
        }
    }
}

void mo_rigid_ball_blocks_finish(const mo_rigid_ball_blocks *blocks, mo_rigid_joint *joints,
                                 double h, mo_pool *pool)
{
    results r = {blocks, joints, h};
    mo_parallel_for(pool, mo_rigid_order_blocks(&blocks->order), GRAIN, finish, &r);
}
