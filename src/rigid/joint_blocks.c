/* Sweeps over joints. */
#include "rigid/joint_blocks.h"

#include <string.h>

enum { GRAIN = 32 };

static const double FAR = 1e15;

void mo_rigid_joint_blocks_release(mo_rigid_joint_blocks *blocks)
{
    mo_rigid_colors_release(&blocks->colors);
    mo_release(blocks->memory, blocks->order.item);
    mo_release(blocks->memory, blocks->block);
}

static int32_t movable(const mo_rigid_motion *motion, int32_t body)
{
    return mo_rigid_movable(&motion->bodies, body) ? body : -1;
}

static mote_status order_joints(mo_rigid_order *order, mo_rigid_colors *colors,
                                const mo_rigid_motion *motion, mo_rigid_joint_choice choice,
                                mote_error *error)
{
    mote_status status = mo_rigid_colors_begin(colors, motion->bodies.count, choice.count, error);
    for (int64_t k = 0; k < choice.count && !status; ++k) {
        colors->color[k] = 0;
        if (choice.use[k]) {
            mo_rigid_colors_add(colors, k, movable(motion, choice.joints[k].body[0]),
                                movable(motion, choice.joints[k].body[1]));
        }
    }
    return status ? status
                  : mo_rigid_order_find(order, colors, choice.count, choice.use, MO_LANES, error);
}

mote_status mo_rigid_joints_lay_out(mo_rigid_order *order, mo_rigid_colors *colors,
                                    const mo_rigid_motion *motion, mo_rigid_joint_choice choice,
                                    void *blocks, int64_t *capacity, size_t size, size_t joint_at,
                                    mote_error *error)
{
    MO_TRY(order_joints(order, colors, motion, choice, error));
    MO_TRY(mo_reserve(colors->memory, blocks, capacity, mo_rigid_order_blocks(order), size, error));
    char *first = *(char **)blocks;
    for (int c = 0; c < MO_COLORS; ++c) {
        for (int64_t b = order->start[c]; b < order->start[c + 1]; ++b) {
            int32_t joint[MO_LANES];
            for (int k = 0; k < MO_LANES; ++k) {
                joint[k] = mo_rigid_order_item(order, c, b, k, MO_LANES);
            }
            memcpy(first + (size_t)b * size + joint_at, joint, sizeof joint);
        }
    }
    return MOTE_OK;
}

mote_status mo_rigid_joint_blocks_layout(mo_rigid_joint_blocks *blocks,
                                         const mo_rigid_motion *motion,
                                         const mo_rigid_joint *joints, int64_t count,
                                         const uint8_t *use, mote_error *error)
{
    return mo_rigid_joints_lay_out(&blocks->order, &blocks->colors, motion,
                                   (mo_rigid_joint_choice){joints, count, use}, &blocks->block,
                                   &blocks->capacity, sizeof *blocks->block,
                                   offsetof(mo_rigid_joint_block, joint), error);
}

/* ---- preparation ---- */

typedef struct preparation {
    mo_rigid_joint_blocks *blocks;
    const mo_rigid_motion *motion;
    mo_rigid_joint *joints;
    const mo_rigid_law *law;
} preparation;

static void set_lane(mo_d4 out[3], int lane, mo_vec3 a)
{
    out[0][lane] = a.x;
    out[1][lane] = a.y;
    out[2][lane] = a.z;
}

static mo_d4 all_ones(mo_d4 mask, int lane)
{
    mo_l4 bits = (mo_l4)mask;
    bits[lane] = -1;
    return (mo_d4)bits;
}

/* The kind of an equation: constraint, limit, motor or spring, with the effective mass 1/k. */
static void set_kind(mo_rigid_joint_lanes *e, int lane, const mo_rigid_joint *joint, int slot,
                     double k, const mo_rigid_law *law)
{
    double s = 1 / law->inverse_substep;
    bool whole = joint->kind == MO_JOINT_BALL || joint->kind == MO_JOINT_FIXED;
    e->gain[lane] = k > 0 ? law->mass_scale / k : 0;
    e->softness[lane] = law->impulse_scale / law->mass_scale * k;
    e->rate[lane] = law->recovery_rate;
    e->low[lane] = -(double)INFINITY;
    e->high[lane] = (double)INFINITY;
    if (joint->frequency > 0 && (whole || slot == MO_JOINT_SPRING)) {
        double omega = 2 * 3.14159265358979323846 * joint->frequency;
        double stiffness = k > 0 ? omega * omega / k : 0;
        double damping = k > 0 ? 2 * joint->damping_ratio * omega / k : 0;
        double rate = 0.5 * s * stiffness + damping;
        e->rate[lane] = rate > 0 ? stiffness / rate : 0;
        e->softness[lane] = rate > 0 ? 2 / (s * rate) : 0;
        e->gain[lane] = k > 0 ? 1 / (k + e->softness[lane]) : 0;
        e->elastic = all_ones(e->elastic, lane);
    } else if (slot == MO_JOINT_MOTOR) {
        e->rate[lane] = 0;
        e->gain[lane] = k > 0 ? 1 / k : 0;
        e->softness[lane] = 0;
        e->speed[lane] = -joint->motor_speed;
        e->high[lane] = joint->motor_maximum * s;
        e->low[lane] = -e->high[lane];
    } else if (slot == MO_JOINT_LIMIT && joint->kind != MO_JOINT_FIXED &&
               joint->lower < joint->upper) {
        e->one_sided = all_ones(e->one_sided, lane);
        e->low[lane] = 0;
    }
}

static double effective(const mo_rigid_motion *m, const mo_rigid_joint_block *b, int lane,
                        const mo_rigid_joint_row *row)
{
    double sum = 0;
    for (int side = 0; side < 2; ++side) {
        int64_t at = MO_PACK * (int64_t)b->row[side][lane];
        const double *i = m->inertia + at;
        mo_vec3 a = row->angular[side];
        sum += m->velocity[at + 3] * mo_dot(row->linear, row->linear);
        sum += i[0] * a.x * a.x + i[1] * a.y * a.y + i[2] * a.z * a.z +
               2 * (i[3] * a.x * a.y + i[4] * a.x * a.z + i[5] * a.y * a.z);
    }
    return sum;
}

static void fill_lane(mo_rigid_joint_block *b, int lane, const preparation *p)
{
    const mo_rigid_motion *m = p->motion;
    mo_rigid_joint *joint = p->joints + b->joint[lane];
    mo_rigid_joint_row row[MO_JOINT_ROWS];
    mo_vec3 x[2];
    mo_quat q[2];
    mo_rigid_motion_pose(m, joint->body[0], x, q);
    mo_rigid_motion_pose(m, joint->body[1], x + 1, q + 1);
    int count = mo_rigid_joint_rows(joint, x, q, row);
    for (int side = 0; side < 2; ++side) {
        int64_t at = joint->body[side] < 0 ? m->bodies.count : joint->body[side];
        b->row[side][lane] = (int32_t)at;
        b->moves[side] |= (m->velocity[MO_PACK * at + 3] > 0) << lane;
        for (int i = 0; i < 6; ++i) {
            b->inertia[side][i][lane] = m->inertia[MO_PACK * at + i];
        }
    }
    for (int i = 0; i < count; ++i) {
        mo_rigid_joint_lanes *e = b->equation + i;
        double k = effective(m, b, lane, row + i), kept = joint->impulse[row[i].slot];
        set_lane(e->linear, lane, row[i].linear);
        set_lane(e->angular[0], lane, row[i].angular[0]);
        set_lane(e->angular[1], lane, row[i].angular[1]);
        e->error[lane] = row[i].error;
        e->inverse_k[lane] = k > 0 ? 1 / k : 0;
        set_kind(e, lane, joint, row[i].slot, k, p->law);
        b->slot[i][lane] = row[i].slot;
        b->sign[i][lane] = row[i].sign;
        bool limit = e->low[lane] == 0;
        e->p[lane] = limit ? fmax(0, kept * row[i].sign) : kept;
    }
    b->count = count > b->count ? count : b->count;
}

static void prepare(void *context, int64_t first, int64_t last)
{
    const preparation *p = context;
    for (int64_t k = first; k < last; ++k) {
        mo_rigid_joint_block *b = p->blocks->block + k;
        int32_t joint[MO_LANES];
        memcpy(joint, b->joint, sizeof joint);
        memset(b, 0, sizeof *b);
        memcpy(b->joint, joint, sizeof joint);
        memset(b->slot, 0xff, sizeof b->slot);
        for (int lane = 0; lane < MO_LANES; ++lane) {
            b->row[0][lane] = b->row[1][lane] = (int32_t)p->motion->bodies.count;
            if (joint[lane] >= 0) {
                fill_lane(b, lane, p);
            }
        }
    }
}

void mo_rigid_joint_blocks_prepare(mo_rigid_joint_blocks *blocks, const mo_rigid_motion *motion,
                                   mo_rigid_joint *joints, const mo_rigid_law *law, mo_pool *pool)
{
    preparation p = {blocks, motion, joints, law};
    mo_parallel_for(pool, mo_rigid_order_blocks(&blocks->order), GRAIN, prepare, &p);
}

/* ---- sweeps ---- */

typedef struct sweep {
    mo_rigid_joint_blocks *blocks;
    mo_rigid_motion *motion;
    const mo_rigid_law *law;
    int64_t offset;
} sweep;

/* J x */
MO_INLINE mo_d4 rate_of(const mo_rigid_joint_lanes *e, const mo_w3_twist t[2])
{
    mo_d4 relative[3] = {t[0].v[0] - t[1].v[0], t[0].v[1] - t[1].v[1], t[0].v[2] - t[1].v[2]};
    return mo_w3_dot(e->linear, relative) + mo_w3_dot(e->angular[0], t[0].w) -
           mo_w3_dot(e->angular[1], t[1].w);
}

MO_INLINE void add_impulse(const mo_rigid_joint_block *b, const mo_rigid_joint_lanes *e,
                           mo_w3_twist t[2], mo_d4 p)
{
    mo_d4 impulse[3], angular[2][3], zero = mo_d4_set(0);
    for (int k = 0; k < 3; ++k) {
        impulse[k] = p * e->linear[k];
        angular[0][k] = p * e->angular[0][k];
        angular[1][k] = p * e->angular[1][k];
    }
    mo_w3_apply(t, b->inertia[0], t[0].mass, impulse, mo_d4_set(1), angular[0]);
    mo_w3_apply(t + 1, b->inertia[1], zero - t[1].mass, impulse, mo_d4_set(-1), angular[1]);
}

/* The new impulse of an equation; `part` of the bounds of a substep applies. */
MO_INLINE mo_d4 bounded(const mo_rigid_joint_lanes *e, mo_d4 p, mo_d4 part)
{
    return mo_d4_max(mo_d4_min(p, part * e->high), part * e->low);
}

/* d, t: the displacements and velocities of the two bodies of each lane. */
typedef void equation_fn(const sweep *s, const mo_rigid_joint_block *b, mo_rigid_joint_lanes *e,
                         const mo_w3_twist d[2], mo_w3_twist t[2]);

MO_INLINE void position_equation(const sweep *s, const mo_rigid_joint_block *b,
                                 mo_rigid_joint_lanes *e, const mo_w3_twist d[2], mo_w3_twist t[2])
{
    mo_d4 zero = mo_d4_set(0), half = mo_d4_set(0.5);
    mo_d4 inverse = mo_d4_set(s->law->inverse_substep);
    mo_d4 error = e->error + rate_of(e, d);
    mo_l4 open = (mo_l4)e->one_sided & (error > zero);
    mo_d4 target = mo_d4_select(open, error * inverse, error * e->rate) + e->speed;
    mo_d4 start = e->half = half * e->p;
    mo_d4 p = bounded(e, start - e->gain * (rate_of(e, t) + target + e->softness * start), half);
    add_impulse(b, e, t, p - start);
    e->p = p;
}

MO_INLINE void velocity_equation(const sweep *s, const mo_rigid_joint_block *b,
                                 mo_rigid_joint_lanes *e, const mo_w3_twist d[2], mo_w3_twist t[2])
{
    mo_d4 zero = mo_d4_set(0), one = mo_d4_set(1);
    mo_d4 error = e->error + rate_of(e, d);
    mo_l4 open = (mo_l4)e->one_sided & (error > zero) & ~(e->p > zero);
    mo_d4 target = mo_d4_select(open, mo_d4_set(FAR), zero) + e->speed;
    mo_d4 start = e->p + e->half;
    mo_d4 p = bounded(e, start - e->inverse_k * (rate_of(e, t) + target), one);
    (void)s;
    p = mo_d4_select((mo_l4)e->elastic, e->p + e->p, p);
    add_impulse(b, e, t, p - start);
    e->p = p;
    e->total += p;
}

/* Both kinds of sweep, specialised at compile time. */
MO_INLINE void sweep_blocks(const sweep *s, int64_t first, int64_t last, equation_fn *solve)
{
    for (int64_t k = s->offset + first; k < s->offset + last; ++k) {
        mo_rigid_joint_block *b = s->blocks->block + k;
        mo_w3_twist t[2], d[2];
        for (int side = 0; side < 2; ++side) {
            mo_w3_load(s->motion->displacement, b->row[side], d + side);
            mo_w3_load(s->motion->velocity, b->row[side], t + side);
        }
        for (int i = 0; i < b->count; ++i) {
            solve(s, b, b->equation + i, d, t);
        }
        mo_w3_store(s->motion->velocity, b->row[0], b->moves[0], t);
        mo_w3_store(s->motion->velocity, b->row[1], b->moves[1], t + 1);
    }
}

static void positions(void *context, int64_t first, int64_t last)
{
    sweep_blocks(context, first, last, position_equation);
}

static void velocities(void *context, int64_t first, int64_t last)
{
    sweep_blocks(context, first, last, velocity_equation);
}

static void warm(void *context, int64_t first, int64_t last)
{
    const sweep *s = context;
    for (int64_t k = s->offset + first; k < s->offset + last; ++k) {
        const mo_rigid_joint_block *b = s->blocks->block + k;
        mo_w3_twist t[2], v[2];
        for (int side = 0; side < 2; ++side) {
            mo_w3_load(s->motion->velocity, b->row[side], v + side);
            mo_w3_load(s->motion->warm, b->row[side], t + side);
            t[side].mass = v[side].mass;
        }
        for (int i = 0; i < b->count; ++i) {
            add_impulse(b, b->equation + i, t, b->equation[i].p);
        }
        for (int side = 0; side < 2; ++side) {
            t[side].mass = mo_d4_set(0);
            mo_w3_store(s->motion->warm, b->row[side], b->moves[side], t + side);
        }
    }
}

void mo_rigid_joint_sweep_warm(mo_rigid_joint_blocks *blocks, mo_rigid_motion *motion,
                               mo_pool *pool)
{
    sweep s = {.blocks = blocks, .motion = motion};
    mo_rigid_order_run(&blocks->order, pool, warm, &s, &s.offset);
}

void mo_rigid_joint_sweep_positions(mo_rigid_joint_blocks *blocks, mo_rigid_motion *motion,
                                    mo_pool *pool, const mo_rigid_law *law)
{
    sweep s = {.blocks = blocks, .motion = motion, .law = law};
    mo_rigid_order_run(&blocks->order, pool, positions, &s, &s.offset);
}

void mo_rigid_joint_sweep_velocities(mo_rigid_joint_blocks *blocks, mo_rigid_motion *motion,
                                     mo_pool *pool, const mo_rigid_law *law)
{
    sweep s = {.blocks = blocks, .motion = motion, .law = law};
    mo_rigid_order_run(&blocks->order, pool, velocities, &s, &s.offset);
}

/* ---- results ---- */

typedef struct results {
    const mo_rigid_joint_blocks *blocks;
    const mo_rigid_motion *motion;
    mo_rigid_joint *joints;
    double h;
} results;

static mo_vec3 lane_vec3(const mo_d4 a[3], int lane)
{
    return mo_vec3_make(a[0][lane], a[1][lane], a[2][lane]);
}

/* Equations refer to the centre of mass, the joint's torque to its point. */
static void finish_lane(const mo_rigid_joint_block *b, int lane, const results *r)
{
    mo_rigid_joint *joint = r->joints + b->joint[lane];
    mo_vec3 force = {0, 0, 0}, torque = {0, 0, 0}, x;
    mo_quat q;
    memset(joint->impulse, 0, sizeof joint->impulse);
    for (int i = 0; i < b->count && b->slot[i][lane] >= 0; ++i) {
        const mo_rigid_joint_lanes *e = b->equation + i;
        bool limit = e->low[lane] == 0;
        joint->impulse[b->slot[i][lane]] = (limit ? b->sign[i][lane] : 1) * e->p[lane];
        force = mo_add_scaled(force, e->total[lane] / r->h, lane_vec3(e->linear, lane));
        torque = mo_add_scaled(torque, e->total[lane] / r->h, lane_vec3(e->angular[0], lane));
    }
    mo_rigid_motion_pose(r->motion, joint->body[0], &x, &q);
    joint->force = force;
    joint->torque = mo_sub(torque, mo_cross(mo_quat_rotate(q, joint->point[0]), force));
}

static void finish(void *context, int64_t first, int64_t last)
{
    const results *r = context;
    for (int64_t k = first; k < last; ++k) {
        for (int lane = 0; lane < MO_LANES; ++lane) {
            if (r->blocks->block[k].joint[lane] >= 0) {
                finish_lane(r->blocks->block + k, lane, r);
            }
        }
    }
}

void mo_rigid_joint_blocks_finish(const mo_rigid_joint_blocks *blocks,
                                  const mo_rigid_motion *motion, mo_rigid_joint *joints, double h,
                                  mo_pool *pool)
{
    results r = {blocks, motion, joints, h};
    mo_parallel_for(pool, mo_rigid_order_blocks(&blocks->order), GRAIN, finish, &r);
}
