/* Contacts in the order of colours, four to a block. */
#include "rigid/blocks.h"

#include "rigid/curvature.h"
#include "rigid/wide_vec3.h"

enum { GRAIN = 32 };

/* The gap of a point that does not exist. */
static const double NO_POINT = 1e30;

void mo_rigid_blocks_release(mo_rigid_blocks *blocks)
{
    mo_rigid_colors_release(&blocks->colors);
    mo_release(blocks->memory, blocks->block);
    mo_release(blocks->memory, blocks->order.item);
}

mote_status mo_rigid_blocks_reserve(mo_rigid_blocks *blocks, int64_t bodies, int64_t contacts,
                                    mote_error *error)
{
    mote_status status = mo_rigid_colors_begin(&blocks->colors, bodies, 2 * contacts, error);
    if (!status) {
        status = mo_reserve(blocks->memory, &blocks->order.item, &blocks->order.capacity,
                            2 * contacts, sizeof *blocks->order.item, error);
    }
    if (!status) {
        status = mo_reserve(blocks->memory, &blocks->block, &blocks->capacity,
                            contacts / MO_LANES + 8, sizeof *blocks->block, error);
    }
    return status;
}

static int32_t movable(const mo_rigid_motion *motion, int32_t body)
{
    return mo_rigid_movable(&motion->bodies, body) ? body : -1;
}

static void assign_lanes(mo_rigid_blocks *blocks)
{
    for (int c = 0; c < MO_COLORS; ++c) {
        for (int64_t b = blocks->order.start[c]; b < blocks->order.start[c + 1]; ++b) {
            for (int k = 0; k < MO_LANES; ++k) {
                blocks->block[b].contact[k] =
                    mo_rigid_order_item(&blocks->order, c, b, k, MO_LANES);
            }
        }
    }
}

mote_status mo_rigid_blocks_layout(mo_rigid_blocks *blocks, const mo_rigid_motion *motion,
                                   const mo_rigid_contact *contacts, int64_t count,
                                   const uint8_t *use, mote_error *error)
{
    mote_status status = mo_rigid_colors_begin(&blocks->colors, motion->bodies.count, count, error);
    if (status) {
        return status;
    }
    for (int64_t k = 0; k < count; ++k) {
        blocks->colors.color[k] = 0;
        if (use[k]) {
            mo_rigid_colors_add(&blocks->colors, k, movable(motion, contacts[k].body[0]),
                                movable(motion, contacts[k].body[1]));
        }
    }
    status = mo_rigid_order_find(&blocks->order, &blocks->colors, count, use, MO_LANES, error);
    if (status) {
        return status;
    }
    blocks->count = mo_rigid_order_blocks(&blocks->order);
    status = mo_reserve(blocks->memory, &blocks->block, &blocks->capacity, blocks->count,
                        sizeof *blocks->block, error);
    if (!status) {
        assign_lanes(blocks);
    }
    return status;
}

/* ---- preparation ---- */

static void set_lane(mo_d4 out[3], int lane, mo_vec3 a)
{
    out[0][lane] = a.x;
    out[1][lane] = a.y;
    out[2][lane] = a.z;
}

/* Scalars of a contact into its lane; r: from the centres of mass to the points. */
static void fill_lane(mo_rigid_block *b, int lane, const mo_rigid_motion *m,
                      const mo_rigid_contact *c, mo_d4 r[MO_RIGID_POINTS][2][3])
{
    for (int side = 0; side < 2; ++side) {
        int64_t row = c->body[side] < 0 ? m->bodies.count : c->body[side];
        b->row[side][lane] = (int32_t)row;
        b->moves[side] |= (m->velocity[MO_PACK * row + 3] > 0) << lane;
        for (int i = 0; i < 6; ++i) {
            b->inertia[side][i][lane] = m->inertia[MO_PACK * row + i];
        }
        mo_vec3 x = mo_vec3_make(0, 0, 0), center = mo_rigid_contact_center(c, side);
        if (c->body[side] >= 0) {
            x = mo_vec3_load(m->bodies.x + 3 * row);
        }
        for (int i = 0; i < MO_RIGID_POINTS; ++i) {
            set_lane(r[i][side], lane, mo_sub(i < c->count ? c->position[i][side] : center, x));
        }
        set_lane(b->c[side], lane, mo_sub(center, x));
    }
    mo_vec3 center = mo_rigid_contact_center(c, 0);
    for (int i = 0; i < MO_RIGID_POINTS; ++i) {
        bool there = i < c->count;
        b->gap[i][lane] = there ? c->gap[i] : NO_POINT;
        b->impulse[i][lane] = there ? c->normal_impulse[i] : 0;
        b->arm[i][lane] = there ? mo_length(mo_sub(c->position[i][0], center)) : 0;
    }
    mo_vec3 t = mo_perpendicular(c->normal), other = mo_cross(c->normal, t);
    set_lane(b->n, lane, c->normal);
    set_lane(b->t, lane, t);
    set_lane(b->rolling, lane, c->rolling);
    b->mu[lane] = c->friction_coefficient;
    b->friction[0][lane] = mo_dot(t, c->friction);
    b->friction[1][lane] = mo_dot(other, c->friction);
    b->belt[0][lane] = mo_dot(t, c->surface_velocity);
    b->belt[1][lane] = mo_dot(other, c->surface_velocity);
    b->twist[lane] = c->twist;
    b->rolling_mu[lane] = c->rolling_friction;
    b->rolls |= c->rolling_friction > 0;
    b->curved |= c->curved;
    b->points = c->count > b->points ? c->count : b->points;
}

static void clear_lane(mo_rigid_block *b, int lane, const mo_rigid_motion *m,
                       mo_d4 r[MO_RIGID_POINTS][2][3])
{
    mo_rigid_contact none = {.body = {-1, -1}, .normal = {0, 0, 1}};
    fill_lane(b, lane, m, &none, r);
}

/* 1 / a, and 0 where nothing moves */
static mo_d4 reciprocal(mo_d4 a)
{
    mo_d4 one = mo_d4_set(1), zero = mo_d4_set(0);
    return mo_d4_select(a > zero, one / mo_d4_select(a > zero, a, one), zero);
}

/* r: lever arms; NULL: a is set already. */
static void normal_matrix(mo_rigid_block *b, mo_d4 mass, mo_d4 r[MO_RIGID_POINTS][2][3])
{
    mo_d4 turned[MO_RIGID_POINTS][2][3];
    for (int i = 0, at = 0; i < MO_RIGID_POINTS; ++i) {
        for (int side = 0; side < 2; ++side) {
            if (r) {
                mo_w3_cross(r[i][side], b->n, b->a[i][side]);
            }
            mo_w3_turn(b->inertia[side], b->a[i][side], turned[i][side]);
        }
        for (int j = 0; j <= i; ++j) {
            b->k[at++] =
                mass + mo_w3_dot(b->a[i][0], turned[j][0]) + mo_w3_dot(b->a[i][1], turned[j][1]);
        }
        b->inverse_k[i] = reciprocal(b->k[at - 1]);
    }
}

static void friction_matrix(mo_rigid_block *b, mo_d4 mass)
{
    mo_d4 t[2][3], k00 = mass, k11 = mass, k01 = mo_d4_set(0), kn = k01, trace = k01;
    memcpy(t[0], b->t, sizeof t[0]);
    mo_w3_cross(b->n, b->t, t[1]);
    for (int side = 0; side < 2; ++side) {
        mo_d4 a[2][3], turned[2][3], about[3];
        for (int i = 0; i < 2; ++i) {
            mo_w3_cross(b->c[side], t[i], a[i]);
            mo_w3_turn(b->inertia[side], a[i], turned[i]);
        }
        mo_w3_turn(b->inertia[side], b->n, about);
        k00 += mo_w3_dot(a[0], turned[0]);
        k11 += mo_w3_dot(a[1], turned[1]);
        k01 += mo_w3_dot(a[0], turned[1]);
        kn += mo_w3_dot(b->n, about);
        trace += b->inertia[side][0] + b->inertia[side][1] + b->inertia[side][2];
    }
    mo_d4 inverse = reciprocal(k00 * k11 - k01 * k01);
    b->friction_k[0] = k11 * inverse;
    b->friction_k[1] = k00 * inverse;
    b->friction_k[2] = mo_d4_set(0) - k01 * inverse;
    b->twist_k = reciprocal(kn);
    b->rolling_k = reciprocal(trace); /* at most the smallest effective moment */
}

typedef struct preparation {
    mo_rigid_blocks *blocks;
    const mo_rigid_motion *motion;
    const mo_rigid_contact *contacts;
} preparation;

static void prepare(void *context, int64_t first, int64_t last)
{
    const preparation *p = context;
    for (int64_t k = first; k < last; ++k) {
        mo_rigid_block *b = p->blocks->block + k;
        mo_d4 r[MO_RIGID_POINTS][2][3], mass = mo_d4_set(0);
        b->moves[0] = b->moves[1] = b->points = b->rolls = b->curved = 0;
        for (int lane = 0; lane < MO_LANES; ++lane) {
            if (b->contact[lane] < 0) {
                clear_lane(b, lane, p->motion, r);
                continue;
            }
            fill_lane(b, lane, p->motion, p->contacts + b->contact[lane], r);
            mass[lane] = p->motion->velocity[MO_PACK * (int64_t)b->row[0][lane] + 3] +
                         p->motion->velocity[MO_PACK * (int64_t)b->row[1][lane] + 3];
        }
        normal_matrix(b, mass, r);
        friction_matrix(b, mass);
        memset(b->total, 0, sizeof b->total);
        memset(b->friction_total, 0, sizeof b->friction_total);
        memset(&b->twist_total, 0, sizeof b->twist_total);
        memset(b->rolling_total, 0, sizeof b->rolling_total);
    }
}

void mo_rigid_blocks_prepare(mo_rigid_blocks *blocks, const mo_rigid_motion *motion,
                             const mo_rigid_contact *contacts, mo_pool *pool)
{
    preparation p = {blocks, motion, contacts};
    mo_parallel_for(pool, blocks->count, GRAIN, prepare, &p);
}

/* ---- results ---- */

typedef struct results {
    const mo_rigid_blocks *blocks;
    mo_rigid_contact *contacts;
    double h;
} results;

static mo_vec3 lane_vec3(const mo_d4 a[3], int lane)
{
    return mo_vec3_make(a[0][lane], a[1][lane], a[2][lane]);
}

/* Adds the sums of impulses to the mean force and torque of a contact. */
static void add_forces(const mo_rigid_block *b, int lane, mo_rigid_contact *c, double h)
{
    mo_vec3 n = c->normal, t = lane_vec3(b->t, lane), other = mo_cross(n, t);
    mo_vec3 center = mo_rigid_contact_center(c, 0);
    mo_vec3 force = mo_add(mo_scale(b->friction_total[0][lane], t),
                           mo_scale(b->friction_total[1][lane], other));
    mo_vec3 torque = mo_add_scaled(lane_vec3(b->rolling_total, lane), b->twist_total[lane], n);
    for (int i = 0; i < c->count; ++i) {
        mo_vec3 p = mo_scale(b->total[i][lane], n);
        force = mo_add(force, p);
        torque = mo_add(torque, mo_cross(mo_sub(c->position[i][0], center), p));
    }
    c->force = mo_add_scaled(c->force, 1 / h, force);
    c->torque = mo_add_scaled(c->torque, 1 / h, torque);
}

static void finish_lane(const mo_rigid_block *b, int lane, mo_rigid_contact *c, double h)
{
    mo_vec3 t = lane_vec3(b->t, lane), other = mo_cross(c->normal, t);
    for (int i = 0; i < c->count; ++i) {
        c->normal_impulse[i] = b->impulse[i][lane];
    }
    c->friction = mo_add(mo_scale(b->friction[0][lane], t), mo_scale(b->friction[1][lane], other));
    c->twist = b->twist[lane];
    c->rolling = lane_vec3(b->rolling, lane);
    add_forces(b, lane, c, h);
}

static void finish(void *context, int64_t first, int64_t last)
{
    const results *r = context;
    for (int64_t k = first; k < last; ++k) {
        const mo_rigid_block *b = r->blocks->block + k;
        for (int lane = 0; lane < MO_LANES; ++lane) {
            if (b->contact[lane] >= 0) {
                finish_lane(b, lane, r->contacts + b->contact[lane], r->h);
            }
        }
    }
}

void mo_rigid_blocks_finish(const mo_rigid_blocks *blocks, mo_rigid_contact *contacts, double h,
                            mo_pool *pool)
{
    results r = {blocks, contacts, h};
    mo_parallel_for(pool, blocks->count, GRAIN, finish, &r);
}

/* ---- curved contacts ---- */

void mo_rigid_blocks_bend(mo_rigid_blocks *blocks, const mo_rigid_contact *contacts)
{
    for (int64_t k = 0; k < blocks->count; ++k) {
        mo_rigid_block *b = blocks->block + k;
        for (int lane = 0; b->curved && lane < MO_LANES; ++lane) {
            const mo_rigid_contact *c = contacts + b->contact[lane];
            for (int i = 0; i < MO_RIGID_POINTS; ++i) {
                bool bends = b->contact[lane] >= 0 && c->curved && i < c->count;
                b->bend[i][lane] = bends ? c->bend[i] : 0;
            }
        }
    }
}

/* Friction keeps its components in the tangents that turn with the normal. */
static void refresh_lane(mo_rigid_block *b, int lane, const mo_rigid_motion *m,
                         const mo_rigid_contact *c)
{
    mo_vec3 n = c->normal, t = lane_vec3(b->t, lane), arm[2];
    mo_vec3 center[2] = {mo_rigid_contact_center(c, 0), mo_rigid_contact_center(c, 1)};
    t = mo_unit(mo_add_scaled(t, -mo_dot(n, t), n), mo_perpendicular(n));
    set_lane(b->n, lane, n);
    set_lane(b->t, lane, t);
    b->belt[0][lane] = mo_dot(t, c->surface_velocity);
    b->belt[1][lane] = mo_dot(mo_cross(n, t), c->surface_velocity);
    for (int i = 0; i < MO_RIGID_POINTS; ++i) {
        bool there = i < c->count;
        mo_rigid_contact_arms(m, c, there ? c->position[i] : center, arm);
        set_lane(b->a[i][0], lane, mo_cross(arm[0], n));
        set_lane(b->a[i][1], lane, mo_cross(arm[1], n));
        b->gap[i][lane] = there ? c->gap[i] : NO_POINT;
        b->arm[i][lane] = there ? mo_length(mo_sub(c->position[i][0], center[0])) : 0;
    }
    mo_rigid_contact_arms(m, c, center, arm);
    set_lane(b->c[0], lane, arm[0]);
    set_lane(b->c[1], lane, arm[1]);
}

static void clear_totals(mo_rigid_block *b, int lane)
{
    for (int i = 0; i < MO_RIGID_POINTS; ++i) {
        b->total[i][lane] = 0;
    }
    b->friction_total[0][lane] = b->friction_total[1][lane] = b->twist_total[lane] = 0;
    set_lane(b->rolling_total, lane, mo_vec3_make(0, 0, 0));
}

void mo_rigid_blocks_flush(mo_rigid_blocks *blocks, mo_rigid_contact *contacts, double h)
{
    for (int64_t k = 0; k < blocks->count; ++k) {
        mo_rigid_block *b = blocks->block + k;
        for (int lane = 0; b->curved && lane < MO_LANES; ++lane) {
            if (b->contact[lane] >= 0 && contacts[b->contact[lane]].curved) {
                add_forces(b, lane, contacts + b->contact[lane], h);
                clear_totals(b, lane);
            }
        }
    }
}

static void refresh(void *context, int64_t first, int64_t last)
{
    const preparation *p = context;
    for (int64_t k = first; k < last; ++k) {
        mo_rigid_block *b = p->blocks->block + k;
        mo_d4 mass = mo_d4_set(0);
        if (!b->curved) {
            continue;
        }
        for (int lane = 0; lane < MO_LANES; ++lane) {
            if (b->contact[lane] >= 0) {
                mass[lane] = p->motion->velocity[MO_PACK * (int64_t)b->row[0][lane] + 3] +
                             p->motion->velocity[MO_PACK * (int64_t)b->row[1][lane] + 3];
                if (p->contacts[b->contact[lane]].curved) {
                    refresh_lane(b, lane, p->motion, p->contacts + b->contact[lane]);
                }
            }
        }
        normal_matrix(b, mass, NULL);
        friction_matrix(b, mass);
    }
}

void mo_rigid_blocks_refresh(mo_rigid_blocks *blocks, const mo_rigid_motion *motion,
                             const mo_rigid_contact *contacts, mo_pool *pool)
{
    preparation p = {blocks, motion, contacts};
    mo_parallel_for(pool, blocks->count, GRAIN, refresh, &p);
}
