/* Kicks and drifts of the bodies of a step. */
#include "rigid/motion.h"

#include "rigid/wide_rotation.h"

#include <string.h>

enum { GRAIN = 256 };

typedef struct pass {
    mo_rigid_motion *motion;
    double s;
} pass;

mote_status mo_rigid_motion_begin(mo_rigid_motion *motion, const mo_rigid_bodies *bodies,
                                  mote_error *error)
{
    motion->bodies = *bodies;
    int64_t rows = bodies->count + 1;
    double **packed[] = {&motion->velocity, &motion->displacement, &motion->warm,
                         &motion->mark,     &motion->sum,          &motion->inertia};
    mote_status status = MOTE_OK;
    for (size_t k = 0; k < sizeof packed / sizeof *packed && !status; ++k) {
        int64_t capacity = motion->capacity;
        status =
            mo_reserve(motion->memory, packed[k], &capacity, rows, MO_PACK * sizeof(double), error);
    }
    int64_t active = motion->capacity, list = motion->capacity;
    if (!status) {
        status = mo_reserve(motion->memory, &motion->active, &active, rows, 1, error);
    }
    if (!status) {
        status = mo_reserve(motion->memory, &motion->list, &list, rows, sizeof(int32_t), error);
    }
    if (!status) {
        motion->capacity = list;
        memset(motion->active, 0, (size_t)rows);
    }
    return status;
}

void mo_rigid_motion_release(mo_rigid_motion *motion)
{
    void *blocks[] = {motion->velocity, motion->displacement, motion->warm,   motion->mark,
                      motion->sum,      motion->inertia,      motion->active, motion->list};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; ++k) {
        mo_release(motion->memory, blocks[k]);
    }
}

void mo_rigid_motion_pose(const mo_rigid_motion *motion, int32_t body, mo_vec3 *x, mo_quat *q)
{
    *x = mo_vec3_make(0, 0, 0);
    *q = mo_quat_identity();
    if (body < 0) {
        return;
    }
    *x = mo_vec3_load(motion->bodies.x + 3 * (int64_t)body);
    *q = mo_quat_load(motion->bodies.q + 4 * (int64_t)body);
    if (!mo_rigid_movable(&motion->bodies, body)) {
        const double *d = motion->displacement + MO_PACK * (int64_t)body;
        *x = mo_add(*x, mo_vec3_load(d));
        *q = mo_quat_product(mo_quat_exponential(mo_vec3_load(d + 4)), *q);
    }
}

static void set_row(double *packed, mo_vec3 first, double fourth, mo_vec3 second)
{
    mo_vec3_store(packed, first);
    packed[3] = fourth;
    mo_vec3_store(packed + 4, second);
    packed[7] = 0;
}

static void pack_rows(void *context, int64_t first, int64_t last)
{
    mo_rigid_motion *m = context;
    const mo_rigid_bodies *b = &m->bodies;
    mo_vec3 zero = {0, 0, 0};
    for (int64_t row = first; row < last; ++row) {
        int64_t at = MO_PACK * row;
        bool fixed_frame = row == b->count;
        set_row(m->velocity + at, fixed_frame ? zero : mo_vec3_load(b->v + 3 * row),
                fixed_frame ? 0 : b->inverse_mass[row],
                fixed_frame ? zero : mo_vec3_load(b->w + 3 * row));
        set_row(m->displacement + at, zero, 0, zero);
        set_row(m->warm + at, zero, 0, zero);
        double *i = m->inertia + at;
        memset(i, 0, MO_PACK * sizeof *i);
        if (m->active[row]) {
            mo_mat3 t = mo_rigid_inverse_inertia(b, row);
            const double six[6] = {t.m[0], t.m[4], t.m[8], t.m[1], t.m[2], t.m[5]};
            memcpy(i, six, sizeof six);
        }
    }
}

void mo_rigid_motion_pack(mo_rigid_motion *motion, mo_pool *pool)
{
    motion->list_count = 0;
    for (int64_t row = 0; row < motion->bodies.count; ++row) {
        if (motion->active[row]) {
            motion->list[motion->list_count++] = (int32_t)row;
        }
    }
    mo_parallel_for(pool, motion->bodies.count + 1, GRAIN, pack_rows, motion);
}

/* The change of w by a torque, at the present rotation. */
static mo_vec3 angular_acceleration(const mo_rigid_bodies *bodies, int64_t row)
{
    mo_vec3 torque = mo_vec3_load(bodies->torque + 3 * row);
    if (torque.x == 0 && torque.y == 0 && torque.z == 0) {
        return torque;
    }
    return mo_mat3_apply(mo_rigid_inverse_inertia(bodies, row), torque);
}

static void kick(mo_rigid_motion *m, int64_t row, double s)
{
    int64_t at = MO_PACK * row;
    double *u = m->velocity + at, *mark = m->mark + at;
    const double *warm = m->warm + at, *a = m->bodies.acceleration + 3 * row;
    mo_vec3 b = angular_acceleration(&m->bodies, row);
    const mo_d4 change[2] = {{a[0], a[1], a[2], 0}, {b.x, b.y, b.z, 0}};
    for (int k = 0; k < 2; ++k) {
        mo_d4 next = mo_d4_load(u + 4 * k) + 0.5 * (s * change[k] + mo_d4_load(warm + 4 * k));
        mo_d4_store(u + 4 * k, next);
        mo_d4_store(mark + 4 * k, next);
    }
}

static void first_kick(void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    for (int64_t k = first; k < last; ++k) {
        kick(p->motion, p->motion->list[k], p->s);
    }
}

void mo_rigid_motion_first_kick(mo_rigid_motion *motion, mo_pool *pool, double s)
{
    pass p = {motion, s};
    mo_parallel_for(pool, motion->list_count, GRAIN, first_kick, &p);
}

/* Torque-free rotation of up to four rows; lanes beyond the last repeat it. */
static void rotate(mo_rigid_motion *m, const int32_t *rows, int count, double s)
{
    mo_d4 in[4], q[4], w[4], inverse[3], out[4];
    const double *spin[MO_LANES], *turn[MO_LANES];
    for (int k = 0; k < MO_LANES; ++k) {
        int64_t row = rows[k < count ? k : count - 1];
        spin[k] = m->velocity + MO_PACK * row + 4;
        turn[k] = m->bodies.q + 4 * row;
        for (int i = 0; i < 3; ++i) {
            inverse[i][k] = m->bodies.inverse_moments[3 * row + i];
        }
    }
    for (int k = 0; k < MO_LANES; ++k) {
        in[k] = mo_d4_load(turn[k]);
    }
    mo_d4_transpose(in[0], in[1], in[2], in[3], q);
    mo_d4_transpose(mo_d4_load(spin[0]), mo_d4_load(spin[1]), mo_d4_load(spin[2]),
                    mo_d4_load(spin[3]), w);
    mo_w3_rotate_free(q, w, inverse, s);
    mo_d4_transpose(q[0], q[1], q[2], q[3], in);
    mo_d4_transpose(w[0], w[1], w[2], w[3], out);
    for (int k = 0; k < count; ++k) {
        mo_d4_store(m->bodies.q + 4 * (int64_t)rows[k], in[k]);
        mo_d4_store(m->velocity + MO_PACK * (int64_t)rows[k] + 4, out[k]);
    }
}

static void translate(mo_rigid_motion *m, int64_t row, double s)
{
    int64_t at = MO_PACK * row;
    double *u = m->velocity + at, *d = m->displacement + at, *x = m->bodies.x + 3 * row;
    for (int i = 0; i < MO_PACK; ++i) {
        m->sum[at + i] = u[i] - m->mark[at + i];
        d[i] += s * u[i];
    }
    d[3] = 0;
    mo_vec3_store(x, mo_add_scaled(mo_vec3_load(x), s, mo_vec3_load(u)));
}

static void drift(void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    mo_rigid_motion *m = p->motion;
    for (int64_t k = first; k < last; k += MO_LANES) {
        const int32_t *rows = m->list + k;
        int count = last - k < MO_LANES ? (int)(last - k) : MO_LANES;
        for (int i = 0; i < count; ++i) {
            translate(m, rows[i], p->s);
        }
        rotate(m, rows, count, p->s);
        for (int i = 0; i < count; ++i) {
            kick(m, rows[i], p->s);
        }
    }
}

/* Kinematic bodies move at their velocity; few, and the same for every thread. */
static void displace_kinematic(mo_rigid_motion *m, double s)
{
    for (int64_t row = 0; row < m->bodies.count; ++row) {
        if (m->bodies.inverse_mass[row] > 0) {
            continue;
        }
        const double *u = m->velocity + MO_PACK * row;
        double *d = m->displacement + MO_PACK * row;
        for (int i = 0; i < MO_PACK; ++i) {
            d[i] += i == 3 ? 0 : s * u[i];
        }
    }
}

void mo_rigid_motion_drift(mo_rigid_motion *motion, mo_pool *pool, double s)
{
    pass p = {motion, s};
    mo_parallel_for(pool, motion->list_count, GRAIN, drift, &p);
    displace_kinematic(motion, s);
}

static void end_substep(void *context, int64_t first, int64_t last)
{
    mo_rigid_motion *m = context;
    for (int64_t k = first; k < last; ++k) {
        int64_t row = m->list[k], from = MO_PACK * row;
        if (m->active[row] == 2) {
            memset(m->warm + from, 0, MO_PACK * sizeof *m->warm);
            continue;
        }
        for (int64_t at = from; at < from + MO_PACK; at += 4) {
            mo_d4 change = mo_d4_load(m->velocity + at) - mo_d4_load(m->mark + at);
            mo_d4_store(m->warm + at,
                        mo_d4_load(m->warm + at) + (mo_d4_load(m->sum + at) + change));
        }
    }
}

void mo_rigid_motion_end_substep(mo_rigid_motion *motion, mo_pool *pool)
{
    mo_parallel_for(pool, motion->list_count, GRAIN, end_substep, motion);
}

void mo_rigid_motion_move(const mo_rigid_motion *motion, int32_t body, mo_vec3 v, mo_vec3 w,
                          double s, mo_vec3 *x, mo_quat *q)
{
    *x = mo_add_scaled(*x, s, v);
    if (mo_rigid_movable(&motion->bodies, body)) {
        mo_rigid_rotate_free(q, &w,
                             mo_vec3_load(motion->bodies.inverse_moments + 3 * (int64_t)body), s);
    } else if (body >= 0) {
        *q = mo_quat_product(mo_quat_exponential(mo_scale(s, w)), *q);
    }
}

static void unpack(void *context, int64_t first, int64_t last)
{
    mo_rigid_motion *m = context;
    for (int64_t k = first; k < last; ++k) {
        int64_t row = m->list[k];
        const double *u = m->velocity + MO_PACK * row;
        mo_vec3_store(m->bodies.v + 3 * row, mo_vec3_load(u));
        mo_vec3_store(m->bodies.w + 3 * row, mo_vec3_load(u + 4));
    }
}

void mo_rigid_motion_unpack(mo_rigid_motion *motion, mo_pool *pool)
{
    mo_parallel_for(pool, motion->list_count, GRAIN, unpack, motion);
}
