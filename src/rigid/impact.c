/* Impacts in the order of time. */
#include "rigid/impact.h"

#include <string.h>

/* Impacts of one contact in a substep; then it is left to the solver, without restitution. */
enum { IMPACTS_MAX = 10 };

/* Sweeps over normal impulses and friction of an impact; one is exact for a sphere. */
enum { SWEEPS = 8 };

void mo_rigid_impacts_release(mo_rigid_impacts *impacts)
{
    void *blocks[] = {impacts->contact, impacts->time, impacts->number, impacts->first,
                      impacts->of_body};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; ++k) {
        mo_release(impacts->memory, blocks[k]);
    }
}

/* ---- contacts of a step ---- */

static bool bounces(const mo_rigid_motion *motion, const mo_rigid_contact *c)
{
    return c->restitution > 0 && c->count > 0 &&
           (mo_rigid_movable(&motion->bodies, c->body[0]) ||
            mo_rigid_movable(&motion->bodies, c->body[1]));
}

/* Lists of the contacts of each movable body. */
static void list_by_body(mo_rigid_impacts *s)
{
    int64_t rows = s->motion->bodies.count;
    memset(s->first, 0, (size_t)(rows + 2) * sizeof *s->first);
    for (int pass = 0; pass < 2; ++pass) {
        for (int64_t k = 0; k < s->count; ++k) {
            const int32_t *body = s->contacts[s->contact[k]].body;
            for (int side = 0; side < 2; ++side) {
                if (!mo_rigid_movable(&s->motion->bodies, body[side])) {
                    continue;
                }
                if (pass == 0) {
                    ++s->first[body[side] + 2];
                } else {
                    s->of_body[s->first[body[side] + 1]++] = (int32_t)k;
                }
            }
        }
        for (int64_t row = 0; row < rows && pass == 0; ++row) {
            s->first[row + 2] += s->first[row + 1];
        }
    }
}

mote_status mo_rigid_impacts_begin(mo_rigid_impacts *impacts, mo_rigid_motion *motion,
                                   mo_rigid_contact *contacts, int64_t count, mote_error *error)
{
    mo_rigid_impacts *s = impacts;
    s->motion = motion;
    s->contacts = contacts;
    s->count = 0;
    for (int64_t k = 0; k < count; ++k) {
        s->count += bounces(motion, contacts + k);
    }
    if (s->count == 0) {
        return MOTE_OK;
    }
    for (s->leaves = 1; s->leaves < s->count; s->leaves *= 2) {
    }
    mote_status status = mo_reserve(s->memory, &s->contact, &s->contact_capacity, s->count,
                                    sizeof *s->contact, error);
    if (!status) {
        status = mo_reserve(s->memory, &s->time, &s->time_capacity, 2 * s->leaves, sizeof *s->time,
                            error);
    }
    if (!status) {
        status = mo_reserve(s->memory, &s->number, &s->number_capacity, s->count, sizeof *s->number,
                            error);
    }
    if (!status) {
        status = mo_reserve(s->memory, &s->first, &s->first_capacity, motion->bodies.count + 2,
                            sizeof *s->first, error);
    }
    if (!status) {
        status = mo_reserve(s->memory, &s->of_body, &s->of_body_capacity, 2 * s->count,
                            sizeof *s->of_body, error);
    }
    if (status) {
        return status;
    }
    for (int64_t k = 0, at = 0; k < count; ++k) {
        if (bounces(motion, contacts + k)) {
            s->contact[at++] = (int32_t)k;
        }
    }
    list_by_body(s);
    return MOTE_OK;
}

/* ---- the two bodies of an impact ---- */

typedef struct pair {
    int64_t row[2];
    double mass[2];     /* inverse */
    mo_mat3 inertia[2]; /* inverse */
    mo_vec3 x[2];       /* centres at the start of the step: lever arms are those of then */
    mo_vec3 a;          /* relative acceleration */
    mo_vec3 v[2], w[2]; /* at the time of impact */
} pair;

static pair pair_of(const mo_rigid_impacts *s, const mo_rigid_contact *c, double t)
{
    pair p;
    mo_vec3 a[2];
    const mo_rigid_bodies *b = &s->motion->bodies;
    for (int side = 0; side < 2; ++side) {
        bool fixed_frame = c->body[side] < 0;
        int64_t row = p.row[side] = fixed_frame ? b->count : c->body[side];
        const double *u = s->motion->velocity + MO_PACK * row;
        const double *i = s->motion->inertia + MO_PACK * row;
        p.mass[side] = u[3];
        p.inertia[side] = (mo_mat3){{i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]}};
        a[side] = u[3] > 0 ? mo_vec3_load(b->acceleration + 3 * row) : mo_vec3_make(0, 0, 0);
        p.v[side] = mo_add_scaled(mo_vec3_load(u), t, a[side]);
        p.w[side] = mo_vec3_load(u + 4);
        p.x[side] = mo_vec3_make(0, 0, 0);
        if (!fixed_frame) { /* x moves with the substeps, the contact's points do not */
            p.x[side] = mo_sub(mo_vec3_load(b->x + 3 * row),
                               u[3] > 0 ? mo_vec3_load(s->motion->displacement + MO_PACK * row)
                                        : mo_vec3_make(0, 0, 0));
        }
    }
    p.a = mo_sub(a[0], a[1]);
    return p;
}

static mo_vec3 arm(const pair *p, const mo_rigid_contact *c, int point, int side)
{
    return mo_sub(c->position[point][side], p->x[side]);
}

static mo_vec3 relative_velocity(const pair *p, const mo_vec3 r[2])
{
    return mo_sub(mo_add(p->v[0], mo_cross(p->w[0], r[0])),
                  mo_add(p->v[1], mo_cross(p->w[1], r[1])));
}

/* The gap of a point at the start of the substep. */
static double gap_now(const mo_rigid_impacts *s, const pair *p, const mo_rigid_contact *c, int i)
{
    double gap = c->gap[i];
    for (int side = 0; side < 2; ++side) {
        const double *d = s->motion->displacement + MO_PACK * p->row[side];
        mo_vec3 moved = mo_add(mo_vec3_load(d), mo_cross(mo_vec3_load(d + 4), arm(p, c, i, side)));
        gap += (side ? -1 : 1) * mo_dot(c->normal, moved);
    }
    return gap;
}

/* ---- times ---- */

/* The first time from `now` on at which a point closes fast enough; infinite: not in this substep.
 */
static double impact_time(const mo_rigid_impacts *s, int64_t k, double now, double substep)
{
    const mo_rigid_contact *c = s->contacts + s->contact[k];
    if (s->number[k] >= IMPACTS_MAX) {
        return (double)INFINITY;
    }
    pair p = pair_of(s, c, now);
    double earliest = (double)INFINITY, a = mo_dot(c->normal, p.a);
    double slowest = s->slowest + 2 * fabs(a) * substep;
    for (int i = 0; i < c->count; ++i) {
        mo_vec3 r[2] = {arm(&p, c, i, 0), arm(&p, c, i, 1)};
        double u = mo_dot(c->normal, relative_velocity(&p, r));
        double gap = gap_now(s, &p, c, i) + now * (u - 0.5 * a * now); /* u is that of `now` */
        double square = u * u - 2 * a * gap, speed = sqrt(square > 0 ? square : 0);
        if (gap <= 0) {
            earliest = u < -slowest ? now : earliest;
        } else if (square > 0 && speed - u > 0 && speed > slowest) {
            double t = now + 2 * gap / (speed - u);
            earliest = t < earliest ? t : earliest;
        }
    }
    return earliest <= substep ? earliest : (double)INFINITY;
}

static void set_time(mo_rigid_impacts *s, int64_t k, double time)
{
    int64_t at = s->leaves + k;
    s->time[at] = time;
    for (at /= 2; at > 0; at /= 2) {
        s->time[at] = fmin(s->time[2 * at], s->time[2 * at + 1]);
    }
}

/* The contact of the earliest impact, the first of those at the same time. */
static int64_t earliest(const mo_rigid_impacts *s)
{
    int64_t at = 1;
    while (at < s->leaves) {
        at = s->time[2 * at] == s->time[at] ? 2 * at : 2 * at + 1;
    }
    return at - s->leaves;
}

/* ---- the impulse ---- */

static void apply(pair *p, const mo_vec3 r[2], mo_vec3 impulse)
{
    for (int side = 0; side < 2; ++side) {
        double sign = side ? -1 : 1;
        p->v[side] = mo_add_scaled(p->v[side], sign * p->mass[side], impulse);
        p->w[side] = mo_add_scaled(p->w[side], sign,
                                   mo_mat3_apply(p->inertia[side], mo_cross(r[side], impulse)));
    }
}

/* The velocity that a unit impulse along b gives along a. */
static double response(const pair *p, const mo_vec3 r[2], mo_vec3 a, mo_vec3 b)
{
    double sum = (p->mass[0] + p->mass[1]) * mo_dot(a, b);
    for (int side = 0; side < 2; ++side) {
        sum += mo_dot(mo_cross(r[side], a), mo_mat3_apply(p->inertia[side], mo_cross(r[side], b)));
    }
    return sum;
}

typedef struct meeting {
    mo_vec3 r[MO_RIGID_POINTS][2], center[2];
    double target[MO_RIGID_POINTS], normal[MO_RIGID_POINTS]; /* velocity after it; impulse */
    bool meets[MO_RIGID_POINTS];
    mo_vec3 friction;
} meeting;

/* Points that close now, or within a small part of the substep after the first of them. */
static meeting meeting_of(const mo_rigid_impacts *s, const pair *p, const mo_rigid_contact *c,
                          double t, double substep)
{
    meeting m = {.friction = {0, 0, 0}};
    double a = mo_dot(c->normal, p->a), number = 0;
    for (int i = 0; i < c->count; ++i) {
        m.r[i][0] = arm(p, c, i, 0);
        m.r[i][1] = arm(p, c, i, 1);
        double u = mo_dot(c->normal, relative_velocity(p, m.r[i]));
        double gap = gap_now(s, p, c, i) + t * (u - 0.5 * a * t);
        m.meets[i] = u < 0 && gap <= 1e-9 - 0.1 * u * substep;
        m.target[i] = -c->restitution * u;
        number += m.meets[i];
    }
    for (int i = 0; i < c->count; ++i) {
        for (int side = 0; side < 2 && m.meets[i]; ++side) {
            m.center[side] = mo_add_scaled(m.center[side], 1 / number, m.r[i][side]);
        }
    }
    return m;
}

static void solve_normals(pair *p, const mo_rigid_contact *c, meeting *m)
{
    for (int i = 0; i < c->count; ++i) {
        if (m->meets[i]) {
            double u = mo_dot(c->normal, relative_velocity(p, m->r[i]));
            double k = response(p, m->r[i], c->normal, c->normal);
            double next = fmax(0, m->normal[i] + (m->target[i] - u) / k);
            apply(p, m->r[i], mo_scale(next - m->normal[i], c->normal));
            m->normal[i] = next;
        }
    }
}

static void solve_friction(pair *p, const mo_rigid_contact *c, meeting *m)
{
    double limit = 0;
    for (int i = 0; i < c->count; ++i) {
        limit += c->friction_coefficient * m->normal[i];
    }
    mo_vec3 t = mo_perpendicular(c->normal), n = mo_cross(c->normal, t);
    mo_vec3 u = mo_sub(relative_velocity(p, m->center), c->surface_velocity);
    double k00 = response(p, m->center, t, t), k11 = response(p, m->center, n, n);
    double k01 = response(p, m->center, t, n), det = k00 * k11 - k01 * k01;
    double u0 = mo_dot(t, u), u1 = mo_dot(n, u);
    mo_vec3 stop =
        mo_add(mo_scale((k01 * u1 - k11 * u0) / det, t), mo_scale((k01 * u0 - k00 * u1) / det, n));
    mo_vec3 next = mo_add(m->friction, stop);
    double size = mo_length(next);
    next = size > limit ? mo_scale(limit / size, next) : next;
    apply(p, m->center, mo_sub(next, m->friction));
    m->friction = next;
}

/* New velocities, and parabolas that pass through the position of the impact. */
static void change_motion(mo_rigid_motion *motion, const pair *before, const pair *after, double t)
{
    for (int side = 0; side < 2; ++side) {
        if (before->mass[side] <= 0) {
            continue;
        }
        int64_t row = before->row[side], at = MO_PACK * row;
        mo_vec3 dv = mo_sub(after->v[side], before->v[side]);
        mo_vec3 dw = mo_sub(after->w[side], before->w[side]);
        double *u = motion->velocity + at, *d = motion->displacement + at;
        double *x = motion->bodies.x + 3 * row, *q = motion->bodies.q + 4 * row;
        mo_vec3_store(u, mo_add(mo_vec3_load(u), dv));
        mo_vec3_store(u + 4, mo_add(mo_vec3_load(u + 4), dw));
        mo_vec3_store(d, mo_add_scaled(mo_vec3_load(d), -t, dv));
        mo_vec3_store(d + 4, mo_add_scaled(mo_vec3_load(d + 4), -t, dw));
        mo_vec3_store(x, mo_add_scaled(mo_vec3_load(x), -t, dv));
        mo_quat turn = {1, -0.5 * t * dw.x, -0.5 * t * dw.y, -0.5 * t * dw.z};
        mo_quat_store(q, mo_quat_normalize(mo_quat_product(turn, mo_quat_load(q))));
    }
}

static void resolve(mo_rigid_impacts *s, int64_t k, double t, double substep, double h)
{
    mo_rigid_contact *c = s->contacts + s->contact[k];
    pair before = pair_of(s, c, t), p = before;
    meeting m = meeting_of(s, &p, c, t, substep);
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        solve_normals(&p, c, &m);
        if (c->friction_coefficient > 0) {
            solve_friction(&p, c, &m);
        }
    }
    change_motion(s->motion, &before, &p, t);
    mo_vec3 center = mo_rigid_contact_center(c, 0);
    c->force = mo_add_scaled(c->force, 1 / h, m.friction);
    for (int i = 0; i < c->count; ++i) {
        mo_vec3 force = mo_scale(m.normal[i] / h, c->normal);
        c->force = mo_add(c->force, force);
        c->torque = mo_add(c->torque, mo_cross(mo_sub(c->position[i][0], center), force));
    }
    ++s->number[k];
}

int64_t mo_rigid_impacts_resolve(mo_rigid_impacts *impacts, double substep, double h)
{
    mo_rigid_impacts *s = impacts;
    int64_t done = 0;
    if (s->count == 0) {
        return 0;
    }
    memset(s->number, 0, (size_t)s->count * sizeof *s->number);
    for (int64_t k = 0; k < s->leaves; ++k) {
        s->time[s->leaves + k] = k < s->count ? impact_time(s, k, 0, substep) : (double)INFINITY;
    }
    for (int64_t at = s->leaves - 1; at > 0; --at) {
        s->time[at] = fmin(s->time[2 * at], s->time[2 * at + 1]);
    }
    while (s->time[1] <= substep) {
        int64_t k = earliest(s);
        double now = s->time[1];
        resolve(s, k, now, substep, h);
        ++done;
        const int32_t *body = s->contacts[s->contact[k]].body;
        for (int side = 0; side < 2; ++side) {
            if (mo_rigid_movable(&s->motion->bodies, body[side])) {
                for (int32_t i = s->first[body[side]]; i < s->first[body[side] + 1]; ++i) {
                    int64_t other = s->of_body[i];
                    set_time(s, other, impact_time(s, other, now, substep));
                }
            }
        }
    }
    return done;
}
