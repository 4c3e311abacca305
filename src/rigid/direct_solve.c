/* The method of multipliers with Newton's method for the equations of an island. */
#include "rigid/direct_state.h"

#include <math.h>
#include <string.h>

typedef mo_rigid_direct_island island_t;
typedef mo_rigid_equation equation_t;

/* The penalty, in effective masses of an equation. That of friction is small: sliding is not
 * smooth within the velocity bound / penalty, and Newton's method has to meet this disk. */
static const double PENALTY = 1e6, FRICTION_PENALTY = 100;

/* Sweeps of projected Gauss-Seidel over an island for which Newton's method has not converged. */
enum { FALLBACK_SWEEPS = 40 };

enum { NEWTON_MAX = 30, MULTIPLIER_UPDATES = 8, EXACT_UPDATES = 12 };

static double penalty(const equation_t *e)
{
    double d = e->friction ? FRICTION_PENALTY : PENALTY;
    d = e->inverse_mass > 0 ? d / e->inverse_mass : 0;
    return d / (1 + d * e->softness);
}

/* p without bounds at a velocity u. */
static double free_impulse(const equation_t *e, double d, double u)
{
    return e->multiplier - d * (u + e->b + e->softness * e->multiplier);
}

/* The impulses of an equation, or of the two of a disk, at velocities u; derivatives if
 * requested. */
static void impulses(equation_t *e, const double u[2], double p[2], bool slopes)
{
    double d = penalty(e), y = free_impulse(e, d, u[0]);
    p[0] = y;
    switch (e->bound) {
    case MO_BOUND_NONE:
        break;
    case MO_BOUND_RANGE:
        p[0] = fmin(fmax(y, e->low), e->high);
        d = p[0] == y ? d : 0;
        break;
    case MO_BOUND_DISK: {
        double d1 = penalty(e + 1), z = free_impulse(e + 1, d1, u[1]), size = sqrt(y * y + z * z);
        bool slides = size > e->high;
        double scale = slides ? e->high / size : 1;
        p[0] = scale * y;
        p[1] = scale * z;
        if (slopes) { /* of a disk: only across the direction of sliding */
            e->across[0] = slides ? -z / size : 0;
            e->across[1] = slides ? y / size : 0;
            e[1].slope = slides ? 0 : d1;
        }
        d *= scale;
        break;
    }
    case MO_BOUND_SECOND:
        return;
    }
    if (slopes) {
        e->slope = d;
    }
}

static double along(const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < MO_LDL; ++k) {
        sum += a[k] * b[k];
    }
    return sum;
}

/* J x of an equation of a link, for a vector of the island. */
static double rate(const mo_rigid_link *link, const equation_t *e, const double *x)
{
    double sum = 0;
    for (int side = 0; side < 2; ++side) {
        if (link->body[side] >= 0) {
            sum += along(e->j[side], x + MO_LDL * link->body[side]);
        }
    }
    return sum;
}

/* x += s J^T */
static void add_impulse(const mo_rigid_link *link, const equation_t *e, double s, double *x)
{
    for (int side = 0; side < 2; ++side) {
        if (link->body[side] >= 0) {
            double *y = x + MO_LDL * link->body[side];
            for (int k = 0; k < MO_LDL; ++k) {
                y[k] += s * e->j[side][k];
            }
        }
    }
}

/* y = M x of one body */
static void times_mass(const mo_rigid_direct_body *body, const double *x, double *y)
{
    for (int k = 0; k < 3; ++k) {
        y[k] = body->mass * x[k];
        y[3 + k] = body->inertia[3 * k] * x[3] + body->inertia[3 * k + 1] * x[4] +
                   body->inertia[3 * k + 2] * x[5];
    }
}

/* Angular velocity of body 0 of a link relative to body 1. */
static mo_vec3 relative_spin(const mo_rigid_link *link, const double *x)
{
    mo_vec3 w = {0, 0, 0};
    if (link->body[0] >= 0) {
        w = mo_vec3_load(x + MO_LDL * link->body[0] + 3);
    }
    return link->body[1] >= 0 ? mo_sub(w, mo_vec3_load(x + MO_LDL * link->body[1] + 3)) : w;
}

/* f += s times the drag of a link */
static void add_drag(const mo_rigid_link *link, const double *v, double s, double *f)
{
    mo_vec3 t = mo_scale(s * link->drag, relative_spin(link, v));
    for (int side = 0; side < 2; ++side) {
        if (link->body[side] >= 0) {
            double *at = f + MO_LDL * link->body[side] + 3;
            mo_vec3_store(at, mo_add_scaled(mo_vec3_load(at), side ? -1 : 1, t));
        }
    }
}

/* Impulses, their derivatives and F at the current velocities. A factorisation is valid while
 * the derivatives are unchanged. */
static void residual(mo_rigid_direct *direct, island_t *island)
{
    for (int64_t k = 0; k < island->bodies; ++k) {
        double change[MO_LDL], *f = island->f + MO_LDL * k;
        for (int i = 0; i < MO_LDL; ++i) {
            change[i] = island->v[MO_LDL * k + i] - island->start_v[MO_LDL * k + i];
        }
        times_mass(direct->body + island->body + k, change, f);
    }
    for (int64_t l = island->link; l < island->link + island->links; ++l) {
        const mo_rigid_link *link = direct->link + l;
        equation_t *e = direct->equation + link->first;
        for (int i = 0; i < link->count; ++i) {
            e[i].u = e[i].prescribed + rate(link, e + i, island->v);
        }
        for (int i = 0; i < link->count; ++i) {
            if (e[i].bound != MO_BOUND_SECOND) {
                double u[2] = {e[i].u, i + 1 < link->count ? e[i + 1].u : 0}, p[2];
                double before = e[i].slope;
                impulses(e + i, u, p, true);
                e[i].p = p[0];
                if (e[i].bound == MO_BOUND_DISK) {
                    e[i + 1].p = p[1];
                }
                island->factored &= fabs(e[i].slope - before) <= 1e-6 * before;
            }
            add_impulse(link, e + i, e[i].base - e[i].p, island->f);
        }
        if (link->drag > 0) {
            add_drag(link, island->v, 1, island->f);
        }
    }
}

/* ---- the matrix ---- */

static void add_outer(double *block, double s, const double *a, const double *b)
{
    for (int i = 0; i < MO_LDL; ++i) {
        for (int k = 0; k < MO_LDL; ++k) {
            block[MO_LDL * i + k] += s * a[i] * b[k];
        }
    }
}

/* slope J^T J into the blocks of a link */
static void add_equation(mo_rigid_direct *direct, island_t *island, const mo_rigid_link *link,
                         double slope, double j[2][MO_LDL])
{
    for (int side = 0; side < 2; ++side) {
        if (link->body[side] >= 0) {
            int64_t rank = island->ldl.inverse_order[link->body[side]];
            add_outer(island->ldl.diagonal + MO_LDL_BLOCK * rank, slope, j[side], j[side]);
        }
    }
    if (link->block >= 0) {
        /* rows of the block belong to the body that is eliminated later */
        int row = link->transposed ? 1 : 0;
        add_outer(direct->value + MO_LDL_BLOCK * link->block, slope, j[row], j[1 - row]);
    }
}

static void add_link(mo_rigid_direct *direct, island_t *island, const mo_rigid_link *link)
{
    for (int i = 0; i < link->count; ++i) {
        equation_t *e = direct->equation + link->first + i;
        bool slides = e->bound == MO_BOUND_DISK && (e->across[0] != 0 || e->across[1] != 0);
        if (slides) {
            double j[2][MO_LDL];
            for (int k = 0; k < 2 * MO_LDL; ++k) {
                j[k / MO_LDL][k % MO_LDL] = e->across[0] * e->j[k / MO_LDL][k % MO_LDL] +
                                            e->across[1] * e[1].j[k / MO_LDL][k % MO_LDL];
            }
            add_equation(direct, island, link, e->slope, j);
        } else if (e->slope > 0) {
            add_equation(direct, island, link, e->slope, e->j);
        }
    }
}

static void add_drag_blocks(mo_rigid_direct *direct, island_t *island, const mo_rigid_link *link)
{
    for (int k = 3; k < MO_LDL; ++k) {
        int at = (MO_LDL + 1) * k;
        for (int side = 0; side < 2; ++side) {
            if (link->body[side] >= 0) {
                int64_t rank = island->ldl.inverse_order[link->body[side]];
                island->ldl.diagonal[MO_LDL_BLOCK * rank + at] += link->drag;
            }
        }
        if (link->block >= 0) {
            direct->value[MO_LDL_BLOCK * link->block + at] -= link->drag;
        }
    }
}

static void factorise(mo_rigid_direct *direct, island_t *island)
{
    mo_rigid_ldl *ldl = &island->ldl;
    memset(ldl->diagonal, 0, (size_t)island->bodies * MO_LDL_BLOCK * sizeof(double));
    memset(ldl->value + MO_LDL_BLOCK * ldl->start[0], 0,
           (size_t)(ldl->start[ldl->count] - ldl->start[0]) * MO_LDL_BLOCK * sizeof(double));
    for (int64_t k = 0; k < island->bodies; ++k) {
        const mo_rigid_direct_body *body = direct->body + island->body + k;
        double *block = ldl->diagonal + MO_LDL_BLOCK * (int64_t)ldl->inverse_order[k];
        for (int i = 0; i < 3; ++i) {
            block[(MO_LDL + 1) * i] = body->mass;
            for (int j = 0; j < 3; ++j) {
                block[MO_LDL * (3 + i) + 3 + j] = body->inertia[3 * i + j];
            }
        }
    }
    for (int64_t l = island->link; l < island->link + island->links; ++l) {
        add_link(direct, island, direct->link + l);
        if (direct->link[l].drag > 0) {
            add_drag_blocks(direct, island, direct->link + l);
        }
    }
    mo_rigid_ldl_factorise(ldl);
    island->factored = true;
}

/* ---- Newton's method ---- */

/* The derivative of the convex function along the search direction, at a length t: its part of the
 * masses is first + t second. */
static double derivative(mo_rigid_direct *direct, const island_t *island, double first,
                         double second, double t)
{
    double sum = first + t * second;
    for (int64_t l = island->link; l < island->link + island->links; ++l) {
        const mo_rigid_link *link = direct->link + l;
        equation_t *e = direct->equation + link->first;
        for (int i = 0; i < link->count; ++i) {
            if (e[i].bound == MO_BOUND_SECOND) {
                continue;
            }
            bool disk = e[i].bound == MO_BOUND_DISK;
            double u[2] = {e[i].u + t * e[i].change, disk ? e[i + 1].u + t * e[i + 1].change : 0};
            double p[2];
            impulses(e + i, u, p, false);
            sum -= e[i].change * (p[0] - e[i].base);
            sum -= disk ? e[i + 1].change * (p[1] - e[i + 1].base) : 0;
        }
    }
    return sum;
}

/* The length of a step along island->step: 1, or where the derivative vanishes if it overshoots. */
static double search(mo_rigid_direct *direct, island_t *island)
{
    double first = 0, second = 0;
    for (int64_t k = 0; k < island->bodies; ++k) {
        double momentum[MO_LDL], change[MO_LDL], *s = island->step + MO_LDL * k;
        for (int i = 0; i < MO_LDL; ++i) {
            change[i] = island->v[MO_LDL * k + i] - island->start_v[MO_LDL * k + i];
        }
        times_mass(direct->body + island->body + k, s, momentum);
        first += along(momentum, change);
        second += along(momentum, s);
    }
    for (int64_t l = island->link; l < island->link + island->links; ++l) {
        const mo_rigid_link *link = direct->link + l;
        for (int i = 0; i < link->count; ++i) {
            equation_t *e = direct->equation + link->first + i;
            e->change = rate(link, e, island->step);
        }
        if (link->drag > 0) {
            mo_vec3 turn = relative_spin(link, island->step);
            first += link->drag * mo_dot(turn, relative_spin(link, island->v));
            second += link->drag * mo_dot(turn, turn);
        }
    }
    double low = 0, high = 1, at_low = derivative(direct, island, first, second, 0);
    double at_high = derivative(direct, island, first, second, 1);
    double enough = 0.1 * fabs(at_low);
    if (at_high <= enough || !(at_low < 0)) {
        return 1;
    }
    double t = 1;
    for (int k = 0; k < 20; ++k) {
        t = k % 2 ? 0.5 * (low + high) : low - at_low * (high - low) / (at_high - at_low);
        double now = derivative(direct, island, first, second, t);
        if (fabs(now) <= enough) {
            break;
        }
        if (now > 0) {
            high = t;
            at_high = now;
        } else {
            low = t;
            at_low = now;
        }
    }
    return t;
}

/* The function is piecewise quadratic: a full step within one piece ends at its minimum. Returns
 * whether it was reached. */
static bool newton(mo_rigid_direct *direct, island_t *island)
{
    residual(direct, island);
    for (int k = 0; k < NEWTON_MAX; ++k) {
        if (!island->factored) {
            factorise(direct, island);
        }
        for (int64_t i = 0; i < MO_LDL * island->bodies; ++i) {
            island->step[i] = -island->f[i];
        }
        mo_rigid_ldl_solve(&island->ldl, island->step, island->work);
        double t = search(direct, island);
        for (int64_t i = 0; i < MO_LDL * island->bodies; ++i) {
            island->v[i] += t * island->step[i];
        }
        residual(direct, island);
        ++island->iterations;
        if (t == 1 && island->factored) {
            return true;
        }
    }
    return false;
}

/* Friction is bounded by the current normal impulses. Returns the largest relative change of a
 * bound. */
static double bound_friction(mo_rigid_direct *direct, island_t *island)
{
    double largest = 0;
    for (int64_t l = island->link; l < island->link + island->links; ++l) {
        const mo_rigid_link *link = direct->link + l;
        if (link->contact < 0) {
            continue;
        }
        const mo_rigid_contact *c = direct->contacts + link->contact;
        mo_vec3 center = mo_rigid_contact_center(c, 0);
        equation_t *e = direct->equation + link->first;
        double force = 0, moment = 0;
        for (int i = 0; i < link->points; ++i) {
            force += e[i].p;
            moment += e[i].p * mo_length(mo_sub(c->position[i][0], center));
        }
        double before = e[link->points].high;
        for (int i = link->points; i < link->count; ++i) {
            int kind = i - link->points; /* two of the plane, about the normal, three of rolling */
            double high = kind < 2    ? c->friction_coefficient * force
                          : kind == 2 ? c->friction_coefficient * moment
                                      : c->rolling_friction * force;
            e[i].high = high;
            e[i].low = -high;
        }
        double now = e[link->points].high;
        largest = fmax(largest, fabs(now - before) / fmax(fmax(now, before), 1e-300));
    }
    return largest;
}

/* The largest residual velocity of equations that are not at a bound. */
static double violation(const mo_rigid_direct *direct, const island_t *island)
{
    double largest = 0;
    for (int64_t l = island->link; l < island->link + island->links; ++l) {
        const mo_rigid_link *link = direct->link + l;
        for (int i = 0; i < link->count; ++i) {
            const equation_t *e = direct->equation + link->first + i;
            const equation_t *disk = e->bound == MO_BOUND_SECOND ? e - 1 : e;
            bool sticks = disk->bound == MO_BOUND_DISK && disk->across[0] == 0 &&
                          disk->across[1] == 0 && disk->high > 0;
            bool within = e->bound == MO_BOUND_NONE || sticks ||
                          (e->bound == MO_BOUND_RANGE && e->p > e->low && e->p < e->high);
            if (within) {
                largest = fmax(largest, fabs(e->u + e->b + e->softness * e->p));
            }
        }
    }
    return largest;
}

/* v := v0 + M^-1 J^T p: momentum is that of the impulses, to rounding. Returns whether Newton's
 * method found these velocities: impulses of an unfinished iteration are as large as the penalty.
 */
static bool apply_impulses(mo_rigid_direct *direct, island_t *island)
{
    double largest = 0, difference = 0;
    memset(island->f, 0, (size_t)(MO_LDL * island->bodies) * sizeof(double));
    for (int64_t l = island->link; l < island->link + island->links; ++l) {
        const mo_rigid_link *link = direct->link + l;
        for (int i = 0; i < link->count; ++i) {
            const equation_t *e = direct->equation + link->first + i;
            add_impulse(link, e, e->p - e->base, island->f);
        }
        if (link->drag > 0) {
            add_drag(link, island->v, -1, island->f);
        }
    }
    for (int64_t k = 0; k < island->bodies; ++k) {
        const mo_rigid_direct_body *b = direct->body + island->body + k;
        const double *f = island->f + MO_LDL * k, *start = island->start_v + MO_LDL * k;
        double *v = island->v + MO_LDL * k;
        for (int i = 0; i < 3; ++i) {
            const double *row = b->inverse_inertia + 3 * i;
            double found[2] = {v[i], v[3 + i]};
            v[i] = start[i] + b->inverse_mass * f[i];
            v[3 + i] = start[3 + i] + (row[0] * f[3] + row[1] * f[4] + row[2] * f[5]);
            largest = fmax(largest, fmax(fabs(start[i]), fabs(found[0])));
            difference = fmax(difference, fabs(v[i] - found[0]));
            if (fabs(v[3 + i] - found[1]) > 0.01 * (fabs(start[3 + i]) + fabs(found[1])) + 0.01) {
                return false;
            }
        }
    }
    return difference <= 0.01 * largest + 1e-6;
}

/* ---- when Newton's method has not converged ---- */

/* v += M^-1 J^T p of one equation */
static void change_velocities(mo_rigid_direct *direct, island_t *island, const mo_rigid_link *link,
                              const equation_t *e, double p)
{
    for (int side = 0; side < 2; ++side) {
        if (link->body[side] < 0) {
            continue;
        }
        const mo_rigid_direct_body *b = direct->body + island->body + link->body[side];
        double *v = island->v + MO_LDL * link->body[side];
        const double *j = e->j[side];
        for (int i = 0; i < 3; ++i) {
            const double *row = b->inverse_inertia + 3 * i;
            v[i] += p * b->inverse_mass * j[i];
            v[3 + i] += p * (row[0] * j[3] + row[1] * j[4] + row[2] * j[5]);
        }
    }
}

static void sweep_equation(mo_rigid_direct *direct, island_t *island, const mo_rigid_link *link,
                           equation_t *e)
{
    double u = e->prescribed + rate(link, e, island->v), k = e->inverse_mass + e->softness;
    double p = k > 0 ? e->p - (u + e->b + e->softness * e->p) / k : e->p;
    if (e->bound != MO_BOUND_NONE) { /* a square instead of a disk */
        p = fmin(fmax(p, e->low), e->high);
    }
    change_velocities(direct, island, link, e, p - e->p);
    e->p = p;
}

/* Projected Gauss-Seidel from the start of the phase: impulses and velocities agree at any time. */
static void sweep_island(mo_rigid_direct *direct, island_t *island)
{
    memcpy(island->v, island->start_v, (size_t)(MO_LDL * island->bodies) * sizeof(double));
    for (int k = 0; k <= FALLBACK_SWEEPS; ++k) {
        for (int64_t l = island->link; l < island->link + island->links; ++l) {
            const mo_rigid_link *link = direct->link + l;
            for (int i = 0; i < link->count; ++i) {
                equation_t *e = direct->equation + link->first + i;
                if (k == 0) {
                    e->p = e->base;
                } else {
                    sweep_equation(direct, island, link, e);
                }
            }
        }
        bound_friction(direct, island);
    }
}

void mo_rigid_direct_solve(mo_rigid_direct *direct, mo_rigid_direct_island *island)
{
    int updates = direct->exact ? EXACT_UPDATES : MULTIPLIER_UPDATES;
    double tolerance = direct->exact ? 1e-13 : 1e-7;
    ++island->solves;
    bound_friction(direct, island);
    for (int k = 0; k < updates; ++k) {
        if (!newton(direct, island)) {
            sweep_island(direct, island);
            return;
        }
        double change = bound_friction(direct, island);
        for (int64_t l = island->link; l < island->link + island->links; ++l) {
            const mo_rigid_link *link = direct->link + l;
            for (int i = 0; i < link->count; ++i) {
                equation_t *e = direct->equation + link->first + i;
                e->multiplier = e->p;
            }
        }
        if (violation(direct, island) < tolerance && change < 1e-3) {
            break;
        }
    }
    if (!apply_impulses(direct, island)) {
        sweep_island(direct, island);
    }
}
