/*
 * Newton's method for both equations of a substep (term.h; M. Macklin, M. Mueller, N. Chentanez
 * 2016, equation 13), the reference solution. Departs from the source, where K is M and g is 0:
 *     [ K       -grad C^T ] [dx]     [g]
 *     [ grad C   a        ] [dl] = - [h],   K = M - sum l_j grad^2 C_j.
 * The multipliers are eliminated, dl = -(h + grad C dx)/a, which leaves a matrix of 3x3 blocks for
 * the rows, K + grad C^T grad C/a, that a sparse Cholesky factorisation solves (newton_matrix.h).
 *
 * A rigid or nearly rigid constraint has a + e in place of a, with e = 1e-8 of its mobility, so
 * that a + e is at least e: the step of a proximal method of multipliers (R. T. Rockafellar 1976)
 * that approaches the same solution, with an error that each iteration reduces by the ratio of e
 * to the eigenvalues of grad C K^-1 grad C^T; redundant constraints have one, too. If the matrix
 * is not positive definite, K has only the second derivatives of convex functions with negative
 * multipliers in this iteration. Steps that increase the residual
 *     r^2 = g M^-1 g + sum h^2/(mobility + a)
 * are halved. An energy (strain_energy) has its own gradient and second derivatives, since C =
 * sqrt(2 E) has no gradient at rest. Inequalities are an active set; groups and contacts, whose
 * corrections move x~, are projected after each iteration. Constraints of pbd have the value (1 -
 * stiffness) of the prediction. Derivatives of the damping by the gradient are left out.
 */
#include "constraint/solver/newton_matrix.h"
#include "constraint/solver/solver.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 256, ROW_GRAIN = 4096, HALVINGS = 3 };

/* e in mobilities, the factor by which it grows if no step reduces the residual, and its largest
 * value. */
static const double LEAST = 1e-8, SOFTER = 100, MOST = 1;

/* A solve that has not reduced r^2 to this is replaced by Gauss-Seidel sweeps. */
static const double ENOUGH = 1e-6;

/* Rounding of positions, and of values in their units. */
static const double ROUNDING = 1e-15, VALUE_ROUNDING = 1e-14;

typedef struct newton {
    double tolerance;
} newton;

static const mo_param PARAMS[] = {
    {"tolerance", MO_REAL, MO_FIELD(newton, tolerance), .initial = "1e-9", .range = "(0, 1)",
     .doc = "Residual, relative to that of the prediction, at which the iterations end."},
    {0}};

static mote_status newton_open(mo_memory *memory, void **state, mote_error *error)
{
    return mo_newton_matrix_create(memory, (mo_newton_matrix **)state, error);
}

static void newton_close(void *state)
{
    mo_newton_matrix_destroy(state);
}

/* ---- the residual ---- */

typedef struct squares {
    const mo_constraint_problem *problem;
    const mo_constraint_set *set;
    const double *target;
} squares;

/* partial: the sum of h^2/(mobility + a), and that of rounding errors */
static void square_range(void *context, int64_t first, int64_t last, double *partial)
{
    const squares *s = context;
    partial[0] = partial[1] = 0;
    for (int64_t batch = first; batch < last; ++batch) {
        mo_term_nodes nodes;
        mo_term_gather(s->set, s->problem->p, batch, &nodes);
        for (int f = 0; f < s->set->type->functions; ++f) {
            mo_term t;
            mo_term_evaluate(s->problem, s->set, s->target, batch, f, &nodes, &t);
            mo_term_activate(s->set, &t);
            for (int lane = 0; lane < s->set->lanes[batch]; ++lane) {
                if (t.mobility[lane] > 0) {
                    double unit = VALUE_ROUNDING * s->set->scale[batch * MO_LANES + lane],
                           sum = t.mobility[lane] + t.a[lane];
                    partial[0] += t.h[lane] * t.h[lane] / sum;
                    partial[1] += unit * unit / sum;
                }
            }
        }
    }
}

/* partial: the sum of |g|^2/m, and that of rounding errors */
static void row_range(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_constraint_problem *problem = context;
    partial[0] = partial[1] = 0;
    for (int64_t row = first; row < last; ++row) {
        double w = problem->p[4 * row + 3];
        for (int k = 0; w > 0 && k < 3; ++k) {
            double x = problem->p[4 * row + k],
                   g = x - problem->base[4 * row + k] - w * problem->change[4 * row + k];
            partial[0] += g * g / w;
            partial[1] += ROUNDING * ROUNDING * x * x / w;
        }
    }
}

/* r^2, and its value by rounding */
static mote_status find_residual(const mo_constraint_problem *problem, const mo_newton_matrix *m,
                                 double sums[2], mote_error *error)
{
    mo_newton_matrix_settle(m, problem);
    mo_constraint_problem_impulses(problem, problem->change);
    MO_TRY(mo_parallel_reduce(problem->pool, problem->rows, ROW_GRAIN, MO_SUM, 2, row_range,
                              (void *)problem, sums, error));
    for (int64_t k = 0; k < problem->set_count; ++k) {
        squares s = {problem, &problem->sets[k], m->target + m->first[k]};
        double part[2];
        if (!s.set->type->group) {
            MO_TRY(mo_parallel_reduce(problem->pool, s.set->batches, GRAIN, MO_SUM, 2, square_range,
                                      &s, part, error));
            sums[0] += part[0];
            sums[1] += part[1];
        }
    }
    return MOTE_OK;
}

/* ---- steps ---- */

/* x and l after the fraction t of a step. */
static void move(const mo_constraint_problem *problem, const mo_newton_matrix *m, double t)
{
    for (int64_t row = 0; row < problem->rows; ++row) {
        for (int k = 0; k < 3; ++k) {
            problem->p[4 * row + k] = m->x[4 * row + k] + t * m->step[3 * row + k];
        }
    }
    for (int64_t k = 0; k < problem->set_count; ++k) {
        const mo_constraint_set *set = &problem->sets[k];
        for (int64_t n = 0; n < m->first[k + 1] - m->first[k]; ++n) {
            int64_t at = m->first[k] + n;
            set->lambda[n] = m->lambda[at] + t * m->change[at];
        }
    }
}

/* The multipliers and positions before a step. */
static void keep(const mo_constraint_problem *problem, const mo_newton_matrix *m)
{
    memcpy(m->x, problem->p, (size_t)(4 * problem->rows) * sizeof(double));
    for (int64_t k = 0; k < problem->set_count; ++k) {
        memcpy(m->lambda + m->first[k], problem->sets[k].lambda,
               (size_t)(m->first[k + 1] - m->first[k]) * sizeof(double));
    }
}

/* A step that reduces the residual sums[0]; *stuck: there is none. */
static mote_status take_step(const mo_constraint_problem *problem, mo_newton_matrix *m,
                             double sums[2], bool *stuck, mote_error *error)
{
    double before = sums[0];
    keep(problem, m);
    for (; m->least <= MOST; m->least *= SOFTER) {
        double t = 1;
        MO_TRY(mo_newton_matrix_solve(m, problem, error));
        for (int k = 0; k <= HALVINGS; ++k, t *= 0.5) {
            move(problem, m, t);
            MO_TRY(find_residual(problem, m, sums, error));
            if (sums[0] < before) {
                m->least = k == 0 ? fmax(m->least / SOFTER, LEAST) : m->least;
                return MOTE_OK;
            }
        }
        move(problem, m, 0);
    }
    *stuck = true;
    sums[0] = before;
    return MOTE_OK;
}

/* Groups and contacts; the residual after them, if there are any. */
static mote_status project_others(const mo_constraint_problem *problem, const mo_newton_matrix *m,
                                  double sums[2], mote_error *error)
{
    mo_constraint_problem_sweep_groups(problem);
    mo_constraint_problem_project(problem);
    return find_residual(problem, m, sums, error);
}

/* From the prediction again, by Gauss-Seidel sweeps, which converge slowly but never diverge. */
static void sweep_instead(const mo_constraint_problem *problem)
{
    memcpy(problem->p, problem->base, (size_t)(4 * problem->rows) * sizeof(double));
    for (int64_t k = 0; k < problem->set_count; ++k) {
        mo_constraint_set *set = &problem->sets[k];
        memset(set->lambda, 0,
               (size_t)(set->batches * set->type->functions * MO_LANES) * sizeof(double));
    }
    for (int64_t k = 0; k < problem->iterations; ++k) {
        mo_constraint_problem_sweep(problem, NULL, 1);
        mo_constraint_problem_project(problem);
    }
    *problem->used = problem->iterations;
    *problem->replaced = true;
}

static mote_status newton_solve(const mo_constraint_problem *problem, const void *params,
                                void *state, mote_error *error)
{
    mo_newton_matrix *m = state;
    double tolerance = ((const newton *)params)->tolerance, sums[2], most = 0;
    bool stuck = false;
    m->least = LEAST;
    MO_TRY(mo_newton_matrix_begin(m, problem, error));
    MO_TRY(project_others(problem, m, sums, error));
    for (*problem->used = 0; *problem->used < problem->iterations && !stuck; ++*problem->used) {
        most = fmax(most, sums[0]);
        if (!(sums[0] > tolerance * tolerance * most) || sums[0] <= sums[1]) {
            break;
        }
        MO_TRY(take_step(problem, m, sums, &stuck, error));
        MO_TRY(project_others(problem, m, sums, error));
    }
    if (!(sums[0] <= ENOUGH * fmax(most, sums[1]))) {
        sweep_instead(problem);
    }
    return MOTE_OK;
}

const mo_constraint_solver_type mo_constraint_solver_newton = {
    .base = {.name = "newton",
             .summary = "Newton's method for positions and multipliers with all second "
                        "derivatives: the reference solution.",
             .citation = "M. Macklin, M. Mueller, N. Chentanez 2016, Motion in Games, equation 13",
             .departs = "Keeps K and g, which the source approximates by M and 0.",
             .param_size = sizeof(newton),
             .params = PARAMS},
    .iterations = 30,
    .needs_base = true,
    .open = newton_open,
    .close = newton_close,
    .solve = newton_solve,
};
