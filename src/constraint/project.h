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

/* Projects the batches [first, last) of one colour. `evaluate`, `nodes` and `functions` are
 * constants of the caller, so that the loop is compiled for each method. */
MO_INLINE void mo_project_batches(const mo_projection *j, mo_constraint_evaluate *evaluate,
                                  int nodes, int functions, int64_t first, int64_t last)
{
    const mo_constraint_set *set = j->set;
    for (int64_t batch = first; batch < last; ++batch) {
        const int32_t *rows = set->rows + batch * nodes * MO_LANES;
        mo_d4 start[MO_CONSTRAINT_NODES_MAX][4], x[MO_CONSTRAINT_NODES_MAX][3],
            w[MO_CONSTRAINT_NODES_MAX];
        for (int n = 0; n < nodes; ++n) {
            mo_gather(j->p, rows + MO_LANES * n, start[n]);
            for (int k = 0; k < 3; ++k) {
                x[n][k] = start[n][k];
            }
            w[n] = start[n][3];
        }
        for (int f = 0; f < functions; ++f) {
            mo_project_function(j, evaluate, nodes, functions, batch, f, x, w);
        }
        for (int n = 0; n < nodes; ++n) {
            mo_projection_scatter(j, rows + MO_LANES * n, set->lanes[batch], (const mo_d4 *)x[n],
                                  (const mo_d4 *)start[n]);
        }
    }
}

#endif
