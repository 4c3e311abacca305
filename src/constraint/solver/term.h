/*
 * A function of four constraints in the equations of a substep (M. Macklin, M. Mueller, N.
 * Chentanez 2016, equations 8, 9 and 26),
 *     g = M (x - x~) - grad C^T l = 0,
 *     h = C + a l + c grad C . (x - x_n) = 0,   a = compliance/h^2, c = damping/h,
 * for solvers that linearise them. Both sides of the second are divided by 1 + c, whose Jacobian is
 * then grad C, up to second derivatives in the damping.
 */
#ifndef MO_CONSTRAINT_TERM_H
#define MO_CONSTRAINT_TERM_H

#include "constraint/problem.h"
#include "constraint/project.h"

typedef struct mo_term_nodes {
    mo_d4 x[MO_CONSTRAINT_NODES_MAX][3], w[MO_CONSTRAINT_NODES_MAX];
} mo_term_nodes;

typedef struct mo_term {
    mo_d4 g[MO_CONSTRAINT_NODES_MAX][3];
    mo_d4 h, a, lambda;
    mo_d4 mobility; /* sum of w |g|^2; 0: it does not act */
    mo_l4 acts;     /* it has a mobility, and its multiplier is not to become 0 */
} mo_term;

/* The index of function f of a batch in arrays by function. */
static inline int64_t mo_term_index(const mo_constraint_set *set, int64_t batch, int f)
{
    return (batch * set->type->functions + f) * MO_LANES;
}

MO_INLINE void mo_term_gather(const mo_constraint_set *set, const double *p, int64_t batch,
                              mo_term_nodes *nodes)
{
    const int32_t *rows = mo_constraint_rows(set, batch);
    for (int n = 0; n < set->type->nodes; ++n) {
        mo_d4 row[4];
        mo_gather(p, rows + MO_LANES * n, row);
        for (int k = 0; k < 3; ++k) {
            nodes->x[n][k] = row[k];
        }
        nodes->w[n] = row[3];
    }
}

/* `target`: the value that C is to have, by function; NULL: 0. */
MO_INLINE void mo_term_evaluate(const mo_constraint_problem *problem, const mo_constraint_set *set,
                                const double *target, int64_t batch, int f,
                                const mo_term_nodes *nodes, mo_term *t)
{
    int count = set->type->nodes;
    int64_t at = mo_term_index(set, batch, f);
    double c = set->damping / problem->h;
    mo_d4 value, scale = mo_d4_set(1 / (1 + c)), zero = mo_d4_set(0);
    set->type->evaluate(set, batch, f, (const mo_d4(*)[3])nodes->x, &value, t->g);
    t->mobility = zero;
    for (int n = 0; n < count; ++n) {
        t->mobility += nodes->w[n] * (t->g[n][0] * t->g[n][0] + t->g[n][1] * t->g[n][1] +
                                      t->g[n][2] * t->g[n][2]);
    }
    t->lambda = mo_d4_load(set->lambda + at);
    t->a = mo_d4_load(set->compliance + at) * mo_d4_set(1 / (problem->h * problem->h));
    t->h = value + t->a * t->lambda - (target ? mo_d4_load(target + at) : zero);
    if (c > 0) {
        mo_projection j = {.before = problem->start};
        t->h +=
            mo_d4_set(c) * mo_projection_slip(&j, count, mo_constraint_rows(set, batch),
                                              (const mo_d4(*)[3])nodes->x, (const mo_d4(*)[3])t->g);
    }
    t->h *= scale;
    t->a *= scale;
    t->acts = t->mobility > zero;
}

/* The active set of inequalities (M. Hintermueller, K. Ito, K. Kunisch 2002): a multiplier whose
 * projection would change its sign is to become 0, and h is the multiplier times (mobility + a). */
MO_INLINE void mo_term_activate(const mo_constraint_set *set, mo_term *t)
{
    if (set->unilateral) {
        mo_d4 sum = t->mobility + t->a, sign = mo_d4_set(set->unilateral);
        mo_l4 active = sign * (t->lambda * sum - t->h) > mo_d4_set(0);
        t->h = mo_d4_select(active, t->h, sum * t->lambda);
        t->acts = t->acts & active;
    }
}

#endif
