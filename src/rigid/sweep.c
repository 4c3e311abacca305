/*
 * Sweeps over contacts: projected Gauss-Seidel by blocks of four manifolds, colour by colour.
 *
 * Impulses of a substep are accumulated and clamped as a whole, over both phases: the velocity
 * phase can cancel impulses of the position phase that removed penetration.
 */
#include "rigid/blocks.h"
#include "rigid/wide_vec3.h"

/* Sweeps over the points of a manifold in its own matrix, per visit. */
enum { INNER_SWEEPS = 2 };

/* Factor of a gap that does not constrain velocities. */
static const double FAR = 1e15;

typedef struct sweep {
    mo_rigid_blocks *blocks;
    mo_rigid_motion *motion;
    const mo_rigid_law *law;
    int64_t offset; /* first block of the colour */
} sweep;

/* ---- normal impulses ---- */

/* Solves u + b >= 0 of `count` points, which is constant where this is inlined; updates impulses
 * and velocities. */
MO_INLINE void solve_normals(mo_rigid_block *c, mo_w3_twist t[2], const mo_d4 b[MO_RIGID_POINTS],
                             const int count, mo_d4 stiff, mo_d4 leak)
{
    mo_d4 zero = mo_d4_set(0), sum = zero, impulse[3], angular[2][3] = {{zero, zero, zero}};
    mo_d4 relative[3] = {t[0].v[0] - t[1].v[0], t[0].v[1] - t[1].v[1], t[0].v[2] - t[1].v[2]};
    mo_d4 u[MO_RIGID_POINTS], p[MO_RIGID_POINTS], along = mo_w3_dot(c->n, relative);
    memcpy(angular[1], angular[0], sizeof angular[1]);
#pragma GCC unroll 4
    for (int i = 0; i < count; ++i) {
        u[i] = along + mo_w3_dot(c->a[i][0], t[0].w) - mo_w3_dot(c->a[i][1], t[1].w) + b[i];
        p[i] = c->impulse[i];
    }
    for (int pass = 0; pass < (count > 1 ? INNER_SWEEPS : 1); ++pass) {
#pragma GCC unroll 4
        for (int i = 0; i < count; ++i) {
            mo_d4 next = mo_d4_max(p[i] - stiff * u[i] * c->inverse_k[i] - leak * p[i], zero),
                  change = next - p[i];
            p[i] = next;
#pragma GCC unroll 4
            for (int j = 0; j < count; ++j) {
                u[j] += change * c->k[i > j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i];
            }
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < count; ++i) {
        mo_d4 change = p[i] - c->impulse[i];
        c->impulse[i] = p[i];
        sum += change;
        mo_w3_add(angular[0], change, c->a[i][0]);
        mo_w3_add(angular[1], change, c->a[i][1]);
    }
    for (int k = 0; k < 3; ++k) {
        impulse[k] = sum * c->n[k];
    }
    mo_w3_apply(t, c->inertia[0], t[0].mass, impulse, mo_d4_set(1), angular[0]);
    mo_w3_apply(t + 1, c->inertia[1], zero - t[1].mass, impulse, mo_d4_set(-1), angular[1]);
}

/* ---- friction ---- */

/* min(1, limit / size), 1 of a size of 0 */
MO_INLINE mo_d4 within(mo_d4 limit, mo_d4 size)
{
    mo_d4 one = mo_d4_set(1);
    return mo_d4_select(size > limit, limit / mo_d4_select(size > limit, size, one), one);
}

/* Rolling friction: against the relative angular velocity, within a ball. */
MO_INLINE void solve_rolling(mo_rigid_block *c, mo_w3_twist t[2], mo_d4 normal)
{
    mo_d4 p[3], change[3], none[3] = {mo_d4_set(0), mo_d4_set(0), mo_d4_set(0)};
    for (int k = 0; k < 3; ++k) {
        p[k] = c->rolling[k] - c->rolling_k * (t[0].w[k] - t[1].w[k]);
    }
    mo_d4 scale = within(c->rolling_mu * normal, mo_d4_sqrt(mo_w3_dot(p, p)));
    for (int k = 0; k < 3; ++k) {
        p[k] *= scale;
        change[k] = p[k] - c->rolling[k];
        c->rolling[k] = p[k];
    }
    mo_w3_apply(t, c->inertia[0], none[0], none, mo_d4_set(1), change);
    mo_w3_apply(t + 1, c->inertia[1], none[0], none, mo_d4_set(-1), change);
}

/* Friction in the tangential plane within the disk mu P, and about the normal within mu P d. */
MO_INLINE void solve_friction(mo_rigid_block *c, mo_w3_twist t[2], const int count)
{
    mo_d4 zero = mo_d4_set(0), normal = zero, moment = zero, second[3], u[3], turn[2][3];
#pragma GCC unroll 4
    for (int i = 0; i < count; ++i) {
        normal += c->impulse[i];
        moment += c->impulse[i] * c->arm[i];
    }
    mo_w3_cross(c->n, c->t, second);
    mo_w3_cross(t[0].w, c->c[0], turn[0]);
    mo_w3_cross(t[1].w, c->c[1], turn[1]);
    for (int k = 0; k < 3; ++k) {
        u[k] = (t[0].v[k] + turn[0][k]) - (t[1].v[k] + turn[1][k]);
    }
    mo_d4 u0 = mo_w3_dot(c->t, u) - c->belt[0], u1 = mo_w3_dot(second, u) - c->belt[1];
    mo_d4 f0 = c->friction[0] - (c->friction_k[0] * u0 + c->friction_k[2] * u1);
    mo_d4 f1 = c->friction[1] - (c->friction_k[2] * u0 + c->friction_k[1] * u1);
    mo_d4 scale = within(c->mu * normal, mo_d4_sqrt(f0 * f0 + f1 * f1));
    f0 *= scale;
    f1 *= scale;
    mo_d4 d0 = f0 - c->friction[0], d1 = f1 - c->friction[1];
    c->friction[0] = f0;
    c->friction[1] = f1;
    mo_d4 impulse[3], angular[2][3];
    for (int k = 0; k < 3; ++k) {
        impulse[k] = d0 * c->t[k] + d1 * second[k];
    }
    mo_w3_cross(c->c[0], impulse, angular[0]);
    mo_w3_cross(c->c[1], impulse, angular[1]);
    if (count > 1) {
        mo_d4 spin[3] = {t[0].w[0] - t[1].w[0], t[0].w[1] - t[1].w[1], t[0].w[2] - t[1].w[2]};
        mo_d4 limit = c->mu * moment, torque = c->twist - c->twist_k * mo_w3_dot(c->n, spin);
        torque = mo_d4_max(mo_d4_min(torque, limit), zero - limit);
        mo_d4 change = torque - c->twist;
        c->twist = torque;
        mo_w3_add(angular[0], change, c->n);
        mo_w3_add(angular[1], change, c->n);
    }
    mo_w3_apply(t, c->inertia[0], t[0].mass, impulse, mo_d4_set(1), angular[0]);
    mo_w3_apply(t + 1, c->inertia[1], zero - t[1].mass, impulse, mo_d4_set(-1), angular[1]);
    if (c->rolls) {
        solve_rolling(c, t, normal);
    }
}

/* ---- phases ---- */

/* Impulses of the substep: half of those of the one before at the first visit of a phase. */
MO_INLINE void begin_positions(mo_rigid_block *c)
{
    mo_d4 half = mo_d4_set(0.5);
    for (int i = 0; i < MO_RIGID_POINTS; ++i) {
        c->impulse[i] = c->half[i] = half * c->impulse[i];
    }
    for (int i = 0; i < 2; ++i) {
        c->friction[i] = c->friction_half[i] = half * c->friction[i];
    }
    c->twist = c->twist_half = half * c->twist;
    for (int i = 0; i < 3; ++i) {
        c->rolling[i] = c->rolling_half[i] = half * c->rolling[i];
    }
}

MO_INLINE void begin_velocities(mo_rigid_block *c)
{
    for (int i = 0; i < MO_RIGID_POINTS; ++i) {
        c->impulse[i] += c->half[i];
    }
    for (int i = 0; i < 2; ++i) {
        c->friction[i] += c->friction_half[i];
    }
    c->twist += c->twist_half;
    for (int i = 0; i < 3; ++i) {
        c->rolling[i] += c->rolling_half[i];
    }
}

MO_INLINE void add_totals(mo_rigid_block *c)
{
    for (int i = 0; i < MO_RIGID_POINTS; ++i) {
        c->total[i] += c->impulse[i];
    }
    for (int i = 0; i < 2; ++i) {
        c->friction_total[i] += c->friction[i];
    }
    c->twist_total += c->twist;
    for (int i = 0; i < 3; ++i) {
        c->rolling_total[i] += c->rolling[i];
    }
}

/* b of the inequality u + b >= 0 from the present gaps; `correct`: penetration is to be removed. */
MO_INLINE void gap_terms(const mo_rigid_block *c, const sweep *s, const int count,
                         const bool correct, mo_d4 b[MO_RIGID_POINTS])
{
    mo_w3_twist d[2];
    mo_d4 zero = mo_d4_set(0), rate = mo_d4_set(s->law->recovery_rate);
    mo_w3_load(s->motion->displacement, c->row[0], d);
    mo_w3_load(s->motion->displacement, c->row[1], d + 1);
    mo_d4 relative[3] = {d[0].v[0] - d[1].v[0], d[0].v[1] - d[1].v[1], d[0].v[2] - d[1].v[2]};
    mo_d4 along = mo_w3_dot(c->n, relative);
#pragma GCC unroll 4
    for (int i = 0; i < count; ++i) {
        mo_d4 gap =
            c->gap[i] + along + mo_w3_dot(c->a[i][0], d[0].w) - mo_w3_dot(c->a[i][1], d[1].w);
        mo_d4 closed = zero;
        if (correct) {
            closed = mo_d4_min(rate * (gap + mo_d4_set(s->law->slop)), zero);
            closed = mo_d4_max(closed, mo_d4_set(-s->law->recovery_speed));
        }
        /* a gap that the position phase left open is none of the velocity phase's business */
        mo_d4 scale = correct ? mo_d4_set(1)
                              : mo_d4_select(c->impulse[i] > zero, mo_d4_set(1), mo_d4_set(FAR));
        b[i] = mo_d4_select(gap > zero, gap * scale * mo_d4_set(s->law->inverse_substep), closed);
        if (correct && c->curved) {
            b[i] += c->bend[i];
        }
    }
}

MO_INLINE void solve_block(mo_rigid_block *c, const sweep *s, const int count, const bool correct)
{
    mo_d4 b[MO_RIGID_POINTS];
    mo_w3_twist t[2];
    gap_terms(c, s, count, correct, b);
    if (correct) {
        begin_positions(c);
    } else {
        begin_velocities(c);
    }
    mo_w3_load(s->motion->velocity, c->row[0], t);
    mo_w3_load(s->motion->velocity, c->row[1], t + 1);
    solve_normals(c, t, b, count, mo_d4_set(correct ? s->law->mass_scale : 1),
                  mo_d4_set(correct ? s->law->impulse_scale : 0));
    solve_friction(c, t, count);
    mo_w3_store(s->motion->velocity, c->row[0], c->moves[0], t);
    mo_w3_store(s->motion->velocity, c->row[1], c->moves[1], t + 1);
}

static void positions(void *context, int64_t first, int64_t last)
{
    const sweep *s = context;
    for (int64_t k = s->offset + first; k < s->offset + last; ++k) {
        mo_rigid_block *c = s->blocks->block + k;
        if (c->points > 1) {
            solve_block(c, s, MO_RIGID_POINTS, true);
        } else {
            solve_block(c, s, 1, true);
        }
    }
}

static void velocities(void *context, int64_t first, int64_t last)
{
    const sweep *s = context;
    for (int64_t k = s->offset + first; k < s->offset + last; ++k) {
        mo_rigid_block *c = s->blocks->block + k;
        if (c->points > 1) {
            solve_block(c, s, MO_RIGID_POINTS, false);
        } else {
            solve_block(c, s, 1, false);
        }
        add_totals(c);
    }
}

/* The initial guess, from the impulses that the contacts came with. */
static void warm(void *context, int64_t first, int64_t last)
{
    const sweep *s = context;
    for (int64_t k = s->offset + first; k < s->offset + last; ++k) {
        mo_rigid_block *c = s->blocks->block + k;
        mo_d4 zero = mo_d4_set(0), sum = zero, second[3], impulse[3], angular[2][3];
        mo_w3_cross(c->n, c->t, second);
        for (int i = 0; i < MO_RIGID_POINTS; ++i) {
            sum += c->impulse[i];
        }
        for (int x = 0; x < 3; ++x) {
            impulse[x] = c->friction[0] * c->t[x] + c->friction[1] * second[x];
        }
        for (int side = 0; side < 2; ++side) {
            mo_w3_cross(c->c[side], impulse, angular[side]);
            mo_w3_add(angular[side], c->twist, c->n);
            mo_w3_add(angular[side], mo_d4_set(1), c->rolling);
            for (int i = 0; i < MO_RIGID_POINTS; ++i) {
                mo_w3_add(angular[side], c->impulse[i], c->a[i][side]);
            }
        }
        mo_w3_add(impulse, sum, c->n);
        for (int side = 0; side < 2; ++side) {
            mo_w3_twist mass, t;
            mo_d4 sign = mo_d4_set(side ? -1 : 1);
            mo_w3_load(s->motion->velocity, c->row[side], &mass);
            mo_w3_load(s->motion->warm, c->row[side], &t);
            mo_w3_apply(&t, c->inertia[side], sign * mass.mass, impulse, sign, angular[side]);
            mo_w3_store(s->motion->warm, c->row[side], c->moves[side], &t);
        }
    }
}

void mo_rigid_sweep_warm(mo_rigid_blocks *blocks, mo_rigid_motion *motion, mo_pool *pool)
{
    sweep s = {.blocks = blocks, .motion = motion};
    mo_rigid_order_run(&blocks->order, pool, warm, &s, &s.offset);
}

void mo_rigid_sweep_positions(mo_rigid_blocks *blocks, mo_rigid_motion *motion, mo_pool *pool,
                              const mo_rigid_law *law)
{
    sweep s = {.blocks = blocks, .motion = motion, .law = law};
    mo_rigid_order_run(&blocks->order, pool, positions, &s, &s.offset);
}

void mo_rigid_sweep_velocities(mo_rigid_blocks *blocks, mo_rigid_motion *motion, mo_pool *pool,
                               const mo_rigid_law *law)
{
    sweep s = {.blocks = blocks, .motion = motion, .law = law};
    mo_rigid_order_run(&blocks->order, pool, velocities, &s, &s.offset);
}
