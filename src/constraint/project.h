/*
 * Projection of constraints, four at a time: with the inverse masses w, the gradients g and
 * a = compliance/h^2 the multiplier changes by
 *     dl = k (-C - a l - c g . (x - x_n))/((1 + c) sum w g^2 + a),   x += w g dl,
 * equations 18 and 26 of M. Macklin, M. Mueller, N. Chentanez 2016 with c = damping/h (their gamma,
 * x_n the start of the substep). Position-based dynamics has a = c = 0 and k = 1 - (1 - stiffness)^
 * (1/n) for n iterations (M. Mueller et al. 2007, section 3.3), extended dynamics k = 1.
 *
 * Positions have four components per row, the last one is the inverse mass: a row is one load.
 */
#ifndef MO_CONSTRAINT_PROJECT_H
#define MO_CONSTRAINT_PROJECT_H

#include "constraint/set.h"

struct mo_projection {
    const mo_constraint_set *set;
    double *p;            /* positions and inverse masses */
    const double *before; /* at the start of the substep */
    double *change;       /* Jacobi: receives the shares of corrections; NULL: p does */
    double inverse_h2;    /* 1/h^2; 0 without compliance */
    double factor[MO_CONSTRAINT_FUNCTIONS_MAX]; /* k */
    double damping;                             /* c */
};

MO_INLINE void mo_gather(const double *p, const int32_t row[MO_LANES], mo_d4 out[4])
{
    mo_d4_transpose(mo_d4_load(p + 4 * (int64_t)row[0]), mo_d4_load(p + 4 * (int64_t)row[1]),
                    mo_d4_load(p + 4 * (int64_t)row[2]), mo_d4_load(p + 4 * (int64_t)row[3]), out);
}

/* sum of g . (x - before) */
MO_INLINE mo_d4 mo_projection_slip(const mo_projection *j, int nodes, const int32_t *rows,
                                   const mo_d4 x[][3], const mo_d4 g[][3])
{
    mo_d4 sum = mo_d4_set(0);
    for (int n = 0; n < nodes; ++n) {
        mo_d4 old[4];
        mo_gather(j->before, rows + MO_LANES * n, old);
        for (int k = 0; k < 3; ++k) {
            sum += g[n][k] * (x[n][k] - old[k]);
        }
    }
    return sum;
}

/* Stores the corrected positions, or adds the corrections. */
MO_INLINE void mo_projection_scatter(const mo_projection *j, const int32_t rows[MO_LANES],
                                     int lanes, const mo_d4 x[3], const mo_d4 start[4])
{
    mo_d4 out[4];
    if (j->change) {
        mo_d4_transpose(x[0] - start[0], x[1] - start[1], x[2] - start[2], mo_d4_set(0), out);
    } else {
        mo_d4_transpose(x[0], x[1], x[2], start[3], out);
    }
    for (int lane = 0; lane < lanes; ++lane) {
        int64_t at = 4 * (int64_t)rows[lane];
        if (j->change) {
            mo_d4_store(j->change + at, mo_d4_load(j->change + at) + out[lane]);
        } else {
            mo_d4_store(j->p + at, out[lane]);
        }
    }
}

/* The multiplier's change for function f; x is corrected. */
MO_INLINE void mo_project_function(const mo_projection *j, mo_constraint_evaluate *evaluate,
                                   int nodes, int functions, int64_t batch, int f, mo_d4 x[][3],
                                   const mo_d4 w[])
{
    const mo_constraint_set *set = j->set;
    const mo_d4 zero = mo_d4_set(0);
    mo_d4 value, g[MO_CONSTRAINT_NODES_MAX][3], mobility = zero;
    double *lambda = set->lambda + (batch * functions + f) * MO_LANES;
    evaluate(set, batch, f, (const mo_d4(*)[3])x, &value, g);
    for (int n = 0; n < nodes; ++n) {
        mobility += w[n] * (g[n][0] * g[n][0] + g[n][1] * g[n][1] + g[n][2] * g[n][2]);
    }
    mo_d4 a =
        mo_d4_load(set->compliance + (batch * functions + f) * MO_LANES) * mo_d4_set(j->inverse_h2);
    mo_d4 l = mo_d4_load(lambda), right = -value - a * l, left = mobility + a;
    if (j->damping > 0) {
        right -=
            mo_d4_set(j->damping) * mo_projection_slip(j, nodes, mo_constraint_rows(set, batch),
                                                       (const mo_d4(*)[3])x, (const mo_d4(*)[3])g);
        left += mo_d4_set(j->damping) * mobility;
    }
    /* a constraint of fixed rows, or without a gradient, does not act */
    mo_l4 acts = mobility > zero;
    mo_d4 change = mo_d4_select(
        acts, mo_d4_set(j->factor[f]) * right / mo_d4_select(acts, left, mo_d4_set(1)), zero);
    if (j->change) {
        change *= mo_d4_load(set->share + batch * MO_LANES);
    }
    if (set->unilateral) {
        mo_d4 sign = mo_d4_set(set->unilateral), base = set->extended ? l : zero;
        change = sign * mo_d4_max(sign * (base + change), zero) - base;
    }
    mo_d4_store(lambda, l + change);
    for (int n = 0; n < nodes; ++n) {
        for (int k = 0; k < 3; ++k) {
            x[n][k] += w[n] * g[n][k] * change;
        }
    }
}

/* The nodes of a batch: positions, inverse masses, and both as stored. */
typedef struct mo_batch {
    mo_d4 x[MO_CONSTRAINT_NODES_MAX][3], w[MO_CONSTRAINT_NODES_MAX],
        start[MO_CONSTRAINT_NODES_MAX][4];
} mo_batch;

MO_INLINE void mo_batch_load(const mo_projection *j, int nodes, int64_t batch, mo_batch *b)
{
    const int32_t *rows = j->set->rows + batch * nodes * MO_LANES;
    for (int n = 0; n < nodes; ++n) {
        mo_gather(j->p, rows + MO_LANES * n, b->start[n]);
        for (int k = 0; k < 3; ++k) {
            b->x[n][k] = b->start[n][k];
        }
        b->w[n] = b->start[n][3];
    }
}

MO_INLINE void mo_batch_store(const mo_projection *j, int nodes, int64_t batch, const mo_batch *b)
{
    const int32_t *rows = j->set->rows + batch * nodes * MO_LANES;
    for (int n = 0; n < nodes; ++n) {
        mo_projection_scatter(j, rows + MO_LANES * n, j->set->lanes[batch], b->x[n], b->start[n]);
    }
}

/* Projects the batches [first, last) of one colour. `evaluate`, `nodes` and `functions` are
 * constants of the caller, so that the loop is compiled for each method. */
MO_INLINE void mo_project_batches(const mo_projection *j, mo_constraint_evaluate *evaluate,
                                  int nodes, int functions, int64_t first, int64_t last)
{
    for (int64_t batch = first; batch < last; ++batch) {
        mo_batch b;
        mo_batch_load(j, nodes, batch, &b);
        for (int f = 0; f < functions; ++f) {
            mo_project_function(j, evaluate, nodes, functions, batch, f, b.x, b.w);
        }
        mo_batch_store(j, nodes, batch, &b);
    }
}

/* ---- two functions at once ---- */

/* Values and gradients of both functions. */
typedef void mo_constraint_evaluate_pair(const mo_constraint_set *set, int64_t batch,
                                         const mo_d4 x[][3], mo_d4 value[2],
                                         mo_d4 g[2][MO_CONSTRAINT_NODES_MAX][3]);

/* sum w g . h */
MO_INLINE mo_d4 mo_mobility(int nodes, const mo_d4 w[], const mo_d4 g[][3], const mo_d4 h[][3])
{
    mo_d4 sum = mo_d4_set(0);
    for (int n = 0; n < nodes; ++n) {
        sum += w[n] * (g[n][0] * h[n][0] + g[n][1] * h[n][1] + g[n][2] * h[n][2]);
    }
    return sum;
}

/* Second derivatives of both along the displacements d of the nodes. */
typedef void mo_constraint_curve_pair(const mo_constraint_set *set, int64_t batch,
                                      const mo_d4 x[][3], const mo_d4 d[][3], mo_d4 curve[2]);

typedef struct mo_pair_system {
    mo_d4 value[2], g[2][MO_CONSTRAINT_NODES_MAX][3];
    mo_d4 a[2], l[2], right[2]; /* compliance/h^2, multipliers, -C - a l - c g . (x - x_n) */
    mo_d4 m00, m01, m11;        /* (1 + c) G W G^T */
} mo_pair_system;

MO_INLINE void mo_pair_system_set(const mo_projection *j, int nodes, int64_t batch,
                                  const mo_batch *b, mo_pair_system *s)
{
    const mo_constraint_set *set = j->set;
    const mo_d4(*g0)[3] = (const mo_d4(*)[3])s->g[0], (*g1)[3] = (const mo_d4(*)[3])s->g[1];
    mo_d4 scale = mo_d4_set(1 + j->damping);
    for (int f = 0; f < 2; ++f) {
        int64_t at = (2 * batch + f) * MO_LANES;
        s->a[f] = mo_d4_set(j->inverse_h2) * mo_d4_load(set->compliance + at);
        s->l[f] = mo_d4_load(set->lambda + at);
        s->right[f] = -s->value[f] - s->a[f] * s->l[f];
        if (j->damping > 0) {
            s->right[f] -= mo_d4_set(j->damping) *
                           mo_projection_slip(j, nodes, mo_constraint_rows(set, batch),
                                              (const mo_d4(*)[3])b->x, f == 0 ? g0 : g1);
        }
    }
    s->m00 = scale * mo_mobility(nodes, b->w, g0, g0);
    s->m11 = scale * mo_mobility(nodes, b->w, g1, g1);
    s->m01 = scale * mo_mobility(nodes, b->w, g0, g1);
}

/* Solves ((1 + c) G W G^T + A) dl = right, and finds d = W G^T dl. */
MO_INLINE void mo_pair_system_solve(const mo_pair_system *s, int nodes, const mo_d4 w[],
                                    mo_d4 change[2], mo_d4 d[][3])
{
    const mo_d4 zero = mo_d4_set(0);
    /* the gradients may be parallel: what rounding leaves of their determinant is not negative */
    mo_d4 det = s->a[0] * s->m11 + s->a[1] * s->m00 + s->a[0] * s->a[1] +
                mo_d4_max(s->m00 * s->m11 - s->m01 * s->m01, zero);
    mo_d4 inverse = mo_d4_select(s->m00 + s->m11 > zero, mo_d4_set(1) / det, zero);
    change[0] = inverse * ((s->m11 + s->a[1]) * s->right[0] - s->m01 * s->right[1]);
    change[1] = inverse * ((s->m00 + s->a[0]) * s->right[1] - s->m01 * s->right[0]);
    for (int n = 0; n < nodes; ++n) {
        for (int k = 0; k < 3; ++k) {
            d[n][k] = w[n] * (s->g[0][n][k] * change[0] + s->g[1][n][k] * change[1]);
        }
    }
}

/* The part of the step at the minimum of the quadratic model of
 *     1/2 |d|^2 + sum l g . d + C^2/(2 a),
 * whose second derivatives the linearised system lacks: e/(e + sum C/a d^T H d) with the decrease
 * e = sum right/a g . d of the linear part; at most 1. */
MO_INLINE mo_d4 mo_pair_system_part(const mo_pair_system *s, const mo_d4 change[2],
                                    const mo_d4 curve[2])
{
    const mo_d4 zero = mo_d4_set(0), one = mo_d4_set(1);
    mo_d4 e = s->right[0] / s->a[0] * (s->m00 * change[0] + s->m01 * change[1]) +
              s->right[1] / s->a[1] * (s->m01 * change[0] + s->m11 * change[1]);
    mo_d4 more = s->value[0] / s->a[0] * curve[0] + s->value[1] / s->a[1] * curve[1];
    mo_l4 shorter = (e > zero) & (more > zero);
    return mo_d4_select(shorter, e / mo_d4_select(shorter, e + more, one), one);
}

/* Projects both functions at once; their compliance is above 0. */
MO_INLINE void mo_project_pair(const mo_projection *j, mo_constraint_evaluate_pair *evaluate,
                               mo_constraint_curve_pair *curve, int nodes, int64_t batch,
                               mo_batch *b)
{
    const mo_constraint_set *set = j->set;
    const mo_d4(*x)[3] = (const mo_d4(*)[3])b->x;
    mo_pair_system s;
    mo_d4 change[2], d[MO_CONSTRAINT_NODES_MAX][3], second[2];
    evaluate(set, batch, x, s.value, s.g);
    mo_pair_system_set(j, nodes, batch, b, &s);
    mo_pair_system_solve(&s, nodes, b->w, change, d);
    curve(set, batch, x, (const mo_d4(*)[3])d, second);
    mo_d4 part = mo_pair_system_part(&s, change, second);
    if (j->change) {
        part *= mo_d4_load(set->share + batch * MO_LANES);
    }
    for (int f = 0; f < 2; ++f) {
        mo_d4_store(set->lambda + (2 * batch + f) * MO_LANES, s.l[f] + part * change[f]);
    }
    for (int n = 0; n < nodes; ++n) {
        for (int k = 0; k < 3; ++k) {
            b->x[n][k] += part * d[n][k];
        }
    }
}

/* As mo_project_batches, for pairs of functions. */
MO_INLINE void mo_project_pairs(const mo_projection *j, mo_constraint_evaluate_pair *evaluate,
                                mo_constraint_curve_pair *curve, int nodes, int64_t first,
                                int64_t last)
{
    for (int64_t batch = first; batch < last; ++batch) {
        mo_batch b;
        mo_batch_load(j, nodes, batch, &b);
        mo_project_pair(j, evaluate, curve, nodes, batch, &b);
        mo_batch_store(j, nodes, batch, &b);
    }
}

#endif
