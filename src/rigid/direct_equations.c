/* The equations of contacts and joints in a phase of a substep. */
#include "rigid/curvature.h"
#include "rigid/direct_state.h"

#include <math.h>
#include <string.h>

typedef mo_rigid_direct_island island_t;
typedef mo_rigid_equation equation_t;

/* Fraction of a penetration, and of an exceeded limit, that is removed in a substep. */
static const double RECOVERY = 0.2;

/* A velocity that is never reached. */
static const double FAR = 1e15;

/* Moments that inverse moments of 0 stand for, relative to the others or the mass. */
static const double LOCKED = 1e9;

/* ---- geometry ---- */

static void refresh_body(const mo_rigid_motion *motion, mo_rigid_direct_body *body)
{
    const mo_rigid_bodies *b = &motion->bodies;
    const double *inverse = b->inverse_moments + 3 * (int64_t)body->row;
    body->inverse_mass = b->inverse_mass[body->row];
    body->mass = 1 / body->inverse_mass;
    double moment[3], largest = 0;
    for (int k = 0; k < 3; ++k) {
        moment[k] = inverse[k] > 0 ? 1 / inverse[k] : 0;
        largest = fmax(largest, moment[k]);
    }
    largest = largest > 0 ? largest : body->mass;
    for (int k = 0; k < 3; ++k) {
        moment[k] = inverse[k] > 0 ? moment[k] : LOCKED * largest;
    }
    mo_mat3 r = mo_quat_matrix(mo_quat_load(b->q + 4 * (int64_t)body->row));
    mo_mat3 i = mo_rigid_turned_diagonal(r, mo_vec3_load(moment));
    mo_mat3 inv = mo_rigid_turned_diagonal(r, mo_vec3_load(inverse));
    body->tension = body->reach = 0;
    body->force = mo_vec3_make(0, 0, 0);
    memcpy(body->inertia, i.m, sizeof i.m);
    memcpy(body->inverse_inertia, inv.m, sizeof inv.m);
}

static void set_jacobian(equation_t *e, mo_vec3 linear, mo_vec3 first, mo_vec3 second)
{
    mo_vec3_store(e->j[0], linear);
    mo_vec3_store(e->j[0] + 3, first);
    mo_vec3_store(e->j[1], mo_scale(-1, linear));
    mo_vec3_store(e->j[1] + 3, mo_scale(-1, second));
}

/* J M^-1 J^T */
static void set_inverse_mass(const mo_rigid_direct *direct, const island_t *island,
                             const mo_rigid_link *link, equation_t *e)
{
    e->inverse_mass = 0;
    for (int side = 0; side < 2; ++side) {
        if (link->body[side] < 0) {
            continue;
        }
        const mo_rigid_direct_body *b = direct->body + island->body + link->body[side];
        const double *j = e->j[side], *i = b->inverse_inertia;
        for (int k = 0; k < 3; ++k) {
            e->inverse_mass +=
                b->inverse_mass * j[k] * j[k] +
                j[3 + k] * (i[3 * k] * j[3] + i[3 * k + 1] * j[4] + i[3 * k + 2] * j[5]);
        }
    }
}

static void joint_equations(mo_rigid_direct *direct, const mo_rigid_link *link)
{
    mo_rigid_joint *joint = direct->joints + link->joint;
    mo_rigid_joint_row row[MO_JOINT_ROWS];
    mo_vec3 x[2];
    mo_quat q[2];
    mo_rigid_motion_pose(direct->motion, joint->body[0], x, q);
    mo_rigid_motion_pose(direct->motion, joint->body[1], x + 1, q + 1);
    mo_rigid_joint_rows(joint, x, q, row);
    for (int i = 0; i < link->count; ++i) {
        equation_t *e = direct->equation + link->first + i;
        set_jacobian(e, row[i].linear, row[i].angular[0], row[i].angular[1]);
        e->error = row[i].error;
        if (e->sign != row[i].sign) { /* the other limit is now the nearer one */
            e->p = e->base = e->half = 0;
            e->sign = row[i].sign;
        }
    }
}

/* A contact whose normal has turned (curvature.h): friction keeps its components in the tangents
 * that turn with it. */
static void contact_equations(mo_rigid_direct *direct, const mo_rigid_link *link)
{
    const mo_rigid_contact *c = direct->contacts + link->contact;
    equation_t *e = direct->equation + link->first;
    mo_vec3 n = c->normal, zero = {0, 0, 0}, r[2];
    for (int i = 0; i < link->points; ++i) {
        mo_rigid_contact_arms(direct->motion, c, c->position[i], r);
        set_jacobian(e + i, n, mo_cross(r[0], n), mo_cross(r[1], n));
    }
    e += link->points;
    mo_vec3 t = mo_vec3_load(e[0].j[0]), center[2];
    t = mo_unit(mo_add_scaled(t, -mo_dot(n, t), n), mo_perpendicular(n));
    center[0] = mo_rigid_contact_center(c, 0);
    center[1] = mo_rigid_contact_center(c, 1);
    mo_rigid_contact_arms(direct->motion, c, center, r);
    for (int i = 0; i < 2; ++i) {
        mo_vec3 along = i ? mo_cross(n, t) : t;
        set_jacobian(e + i, along, mo_cross(r[0], along), mo_cross(r[1], along));
        e[i].b = -mo_dot(along, c->surface_velocity);
    }
    set_jacobian(e + 2, zero, n, n);
}

/* Forces of a joint on its bodies, by the impulses of the substep before. */
static void add_tension(mo_rigid_direct *direct, const island_t *island, const mo_rigid_link *link,
                        double substep)
{
    const mo_rigid_joint *joint = direct->joints + link->joint;
    mo_vec3 force = {0, 0, 0};
    for (int i = 0; i < link->count; ++i) {
        const equation_t *e = direct->equation + link->first + i;
        force = mo_add_scaled(force, e->last / substep, mo_vec3_load(e->j[0]));
    }
    for (int side = 0; side < 2; ++side) {
        if (link->body[side] >= 0) {
            mo_rigid_direct_body *b = direct->body + island->body + link->body[side];
            mo_vec3 x, r, f = mo_scale(side ? -1 : 1, force);
            mo_quat q;
            mo_rigid_motion_pose(direct->motion, b->row, &x, &q);
            r = mo_quat_rotate(q, joint->point[side]);
            b->tension += mo_dot(f, r);
            b->force = mo_add(b->force, f);
            b->reach = fmax(b->reach, mo_length(r));
        }
    }
}

/* s^2 times the geometric stiffness of a body, as far as it exceeds the moments of inertia. Only
 * balanced forces count: the bob of a pendulum rotates about the pivot with its whole mass. */
static double excess_stiffness(const mo_rigid_direct_body *b, double substep)
{
    double moment = 0.5 * (b->inertia[0] + b->inertia[4] + b->inertia[8]);
    double balanced = b->tension - mo_length(b->force) * b->reach;
    return fmax(0, substep * substep * balanced - moment);
}

static void set_drag(mo_rigid_direct *direct, const island_t *island, mo_rigid_link *link,
                     double substep)
{
    link->next_drag = 0;
    for (int side = 0; side < 2; ++side) {
        if (link->body[side] >= 0) {
            link->next_drag +=
                0.5 * excess_stiffness(direct->body + island->body + link->body[side], substep);
        }
    }
}

/* The drag of joints under tension, which have a geometric stiffness, f . r for a force f at the
 * lever arm r. A heavy weight on a chain of light links makes them vibrate faster than a substep s
 * can resolve. Where s^2 f . r exceeds the moments of inertia, the excess acts as an implicit drag
 * on the relative angular velocity of the two bodies, which damps these vibrations alone (cf. S.
 * Andrews, M. Teichmann, P. Kry 2017, Comput. Graph. Forum 36, 235). */
static void set_drags(mo_rigid_direct *direct, island_t *island, double substep)
{
    for (int64_t l = island->link; l < island->link + island->links; ++l) {
        if (direct->link[l].joint >= 0) {
            add_tension(direct, island, direct->link + l, substep);
        }
    }
    for (int64_t l = island->link; l < island->link + island->links; ++l) {
        if (direct->link[l].joint >= 0) {
            set_drag(direct, island, direct->link + l, substep);
        }
    }
}

void mo_rigid_direct_refresh(mo_rigid_direct *direct, island_t *island, double substep)
{
    for (int64_t k = island->body; k < island->body + island->bodies; ++k) {
        refresh_body(direct->motion, direct->body + k);
    }
    for (int64_t l = island->link; l < island->link + island->links; ++l) {
        const mo_rigid_link *link = direct->link + l;
        if (link->joint >= 0) {
            joint_equations(direct, link);
        } else if (direct->contacts[link->contact].curved) {
            contact_equations(direct, link);
        }
        for (int i = 0; i < link->count; ++i) {
            set_inverse_mass(direct, island, link, direct->equation + link->first + i);
        }
    }
    if (!direct->exact) {
        set_drags(direct, island, substep);
    }
    island->factored = false;
}

/* ---- right-hand sides ---- */

/* J x of a packed field of the bodies, those that are not movable only, or all. */
static double packed_rate(const mo_rigid_direct *direct, const mo_rigid_link *link,
                          const equation_t *e, const double *packed, bool all)
{
    const int32_t *body = link->contact >= 0 ? direct->contacts[link->contact].body
                                             : direct->joints[link->joint].body;
    double sum = 0;
    for (int side = 0; side < 2; ++side) {
        if (body[side] >= 0 && (all || link->body[side] < 0)) {
            const double *x = packed + MO_PACK * (int64_t)body[side], *j = e->j[side];
            sum +=
                j[0] * x[0] + j[1] * x[1] + j[2] * x[2] + j[3] * x[4] + j[4] * x[5] + j[5] * x[6];
        }
    }
    return sum;
}

/* An inequality error + s u >= 0: open, it may close in a substep; closed, part of it is removed.
 * If the position phase left it open (no impulse), it does not constrain velocities. */
static double one_sided(double error, double impulse, double substep, bool positions, double slop,
                        double fastest)
{
    if (error > 0) {
        return positions || impulse > 0 ? error / substep : FAR;
    }
    return positions ? fmax(fmin(RECOVERY * (error + slop) / substep, 0), -fastest) : 0;
}

static void aim_contact(const mo_rigid_direct *direct, const island_t *island,
                        const mo_rigid_link *link, bool positions)
{
    equation_t *e = direct->equation + link->first;
    for (int i = 0; i < link->points; ++i) {
        double gap = direct->contacts[link->contact].gap[i] +
                     packed_rate(direct, link, e + i, direct->motion->displacement, true);
        e[i].error = gap;
        if (!positions && gap > 0 && e[i].base == 0) { /* open: no guess for friction to rely on */
            e[i].multiplier = e[i].p = 0;
        }
        e[i].b = one_sided(gap, e[i].base, island->substep, positions, direct->slop,
                           direct->recovery_speed);
        if (positions && direct->contacts[link->contact].curved) {
            e[i].b += direct->contacts[link->contact].bend[i];
        }
    }
}

/* Springs are integrated by the implicit midpoint rule: the position phase finds the impulse of
 * half a substep, -s/2 (k (c + s/2 u) + d u), and the velocity phase repeats it. */
static void aim_spring(equation_t *e, double substep, bool positions)
{
    if (positions) {
        double rate = 0.5 * substep * e->stiffness + e->damping;
        e->bound = MO_BOUND_NONE;
        e->b = e->stiffness * e->error / rate;
        e->softness = 2 / (substep * rate);
    } else {
        e->bound = MO_BOUND_RANGE;
        e->low = e->high = 2 * e->base;
        e->b = e->softness = 0;
    }
}

static void set_spring(const mo_rigid_joint *joint, equation_t *e)
{
    double omega = 2 * 3.14159265358979323846 * joint->frequency;
    double mass = e->inverse_mass > 0 ? 1 / e->inverse_mass : 0;
    e->stiffness = mass * omega * omega;
    e->damping = 2 * joint->damping_ratio * mass * omega;
}

static void aim_joint(const mo_rigid_direct *direct, const island_t *island,
                      const mo_rigid_link *link, bool positions)
{
    const mo_rigid_joint *joint = direct->joints + link->joint;
    bool soft =
        joint->frequency > 0 && (joint->kind == MO_JOINT_BALL || joint->kind == MO_JOINT_FIXED);
    double s = island->substep;
    for (int i = 0; i < link->count; ++i) {
        equation_t *e = direct->equation + link->first + i;
        double part = positions ? 0.5 : 1; /* of the impulse of a substep */
        switch (soft ? MO_JOINT_SPRING : e->slot) {
        case MO_JOINT_SPRING:
            if (positions) {
                set_spring(joint, e);
            }
            aim_spring(e, s, positions);
            break;
        case MO_JOINT_MOTOR:
            e->b = -joint->motor_speed;
            e->high = part * joint->motor_maximum * s;
            e->low = -e->high;
            break;
        default:
            if (e->bound == MO_BOUND_RANGE) { /* a limit */
                e->b = one_sided(e->error, e->base, s, positions, 0, (double)INFINITY);
            } else {
                e->b = positions ? e->error / s : 0;
            }
        }
    }
}

void mo_rigid_direct_aim(mo_rigid_direct *direct, island_t *island, bool positions)
{
    const double *velocity = direct->motion->velocity;
    island->drags = 0;
    for (int64_t l = island->link; l < island->link + island->links; ++l) {
        mo_rigid_link *link = direct->link + l;
        for (int i = 0; i < link->count; ++i) {
            equation_t *e = direct->equation + link->first + i;
            e->prescribed = packed_rate(direct, link, e, velocity, false);
            /* the initial guess: half of the impulses of the substep before, in either phase */
            e->half = positions ? 0.5 * e->p : e->half;
            e->base = positions ? 0 : e->p;
            e->multiplier = e->p = e->base + e->half;
        }
        link->drag = positions ? link->next_drag : 0;
        island->drags += link->drag > 0;
        if (link->contact >= 0) {
            aim_contact(direct, island, link, positions);
        } else {
            aim_joint(direct, island, link, positions);
        }
    }
    island->factored &= island->drags == 0;
    for (int64_t k = 0; k < island->bodies; ++k) {
        const double *packed = velocity + MO_PACK * (int64_t)direct->body[island->body + k].row;
        for (int i = 0; i < 3; ++i) {
            island->v[MO_LDL * k + i] = island->start_v[MO_LDL * k + i] = packed[i];
            island->v[MO_LDL * k + 3 + i] = island->start_v[MO_LDL * k + 3 + i] = packed[4 + i];
        }
    }
}

/* ---- the position phase to all orders ---- */

/* The pose of a body at the end of the substep. */
static void body_after(const mo_rigid_direct *direct, const island_t *island, int32_t body,
                       int32_t number, mo_vec3 *x, mo_quat *q)
{
    mo_rigid_motion_pose(direct->motion, body, x, q);
    if (body >= 0) {
        const double *packed = direct->motion->velocity + MO_PACK * (int64_t)body;
        const double *v = number >= 0 ? island->v + MO_LDL * number : packed;
        const double *w = number >= 0 ? v + 3 : packed + 4;
        mo_rigid_motion_move(direct->motion, body, mo_vec3_load(v), mo_vec3_load(w),
                             island->substep, x, q);
    }
}

/* Errors of joints at the end of the substep, as `change` of their equations; the largest. */
static double joint_errors(mo_rigid_direct *direct, const island_t *island)
{
    double largest = 0;
    for (int64_t l = island->link; l < island->link + island->links; ++l) {
        const mo_rigid_link *link = direct->link + l;
        if (link->joint < 0) {
            continue;
        }
        mo_rigid_joint joint = direct->joints[link->joint];
        mo_rigid_joint_row row[MO_JOINT_ROWS];
        mo_vec3 x[2];
        mo_quat q[2];
        for (int side = 0; side < 2; ++side) {
            body_after(direct, island, joint.body[side], link->body[side], x + side, q + side);
        }
        mo_rigid_joint_rows(&joint, x, q, row);
        for (int i = 0; i < link->count; ++i) {
            equation_t *e = direct->equation + link->first + i;
            bool closes = e->bound == MO_BOUND_NONE && e->stiffness == 0;
            e->change = closes ? row[i].error : 0;
            largest = fmax(largest, fabs(e->change));
        }
    }
    return largest;
}

double mo_rigid_direct_close(mo_rigid_direct *direct, island_t *island, double most)
{
    double largest = joint_errors(direct, island);
    for (int64_t l = island->link; l < island->link + island->links && largest <= most; ++l) {
        const mo_rigid_link *link = direct->link + l;
        for (int i = 0; i < link->count && link->joint >= 0; ++i) {
            equation_t *e = direct->equation + link->first + i;
            e->b += e->change / island->substep;
        }
    }
    return largest;
}
