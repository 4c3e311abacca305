/*
 * Newton's method outside, Gauss-Seidel inside: the constraints are linearised at the positions x_n
 * of an iteration, and a number of sweeps over
 *     (grad C M^-1 grad C^T + a) dl = -C(x_n) - a l_n,   x_n+1 = x_n + M^-1 grad C(x_n)^T dl
 * (M. Macklin, M. Mueller, N. Chentanez 2016, equations 16 and 17) solves them for the multipliers,
 * with gradients and values of x_n. As in the source, K is approximated by M and g by 0. Sweeps
 * are by colour (constraint/set.h); those of inequalities keep the sign of l_n + dl.
 */
#include "constraint/solver/solver.h"
#include "constraint/solver/term.h"

#include <string.h>

enum { GRAIN = 512, ROW_GRAIN = 4096 };

typedef struct newton_gauss_seidel {
    int64_t sweeps;
} newton_gauss_seidel;

static const mo_param PARAMS[] = {{"sweeps", MO_INT, MO_FIELD(newton_gauss_seidel, sweeps),
                                   .initial = "10", .range = "[1, 1000000]",
                                   .doc = "Gauss-Seidel sweeps over the linearised constraints."},
                                  {0}};

/* Of function f of a batch, by lane: the gradients, then these. */
enum { RIGHT, MOBILITY, SOFTNESS, CHANGE, EXTRA };

typedef struct linearised {
    mo_memory *memory;
    int64_t capacity;
    double *numbers; /* of all sets, one after the other */
} linearised;

static mote_status newton_gauss_seidel_open(mo_memory *memory, void **state, mote_error *error)
{
    linearised *l = mo_allocate(memory, sizeof *l);
    if (!l) {
        return mo_fail_memory(error, sizeof *l);
    }
    *l = (linearised){.memory = memory};
    *state = l;
    return MOTE_OK;
}

static void newton_gauss_seidel_close(void *state)
{
    linearised *l = state;
    mo_memory *memory = l->memory;
    mo_release(memory, l->numbers);
    mo_release(memory, l);
}

/* Numbers of a function of a batch. */
static int64_t width_of(const mo_constraint_set *set)
{
    return (3 * set->type->nodes + EXTRA) * MO_LANES;
}

static int64_t size_of(const mo_constraint_set *set)
{
    return set->type->group ? 0 : set->batches * set->type->functions * width_of(set);
}

typedef struct pass {
    const mo_constraint_problem *problem;
    mo_constraint_set *set;
    double *numbers;
    int64_t first;                              /* batch of the colour */
    double factor[MO_CONSTRAINT_FUNCTIONS_MAX]; /* k of project.h */
} pass;

static double *numbers_of(const pass *s, int64_t batch, int f)
{
    return s->numbers + (batch * s->set->type->functions + f) * width_of(s->set);
}

static void linearise_range(void *context, int64_t first, int64_t last)
{
    const pass *s = context;
    for (int64_t batch = first; batch < last; ++batch) {
        mo_term_nodes nodes;
        mo_term_gather(s->set, s->problem->p, batch, &nodes);
        for (int f = 0; f < s->set->type->functions; ++f) {
            mo_term t;
            int count = 3 * s->set->type->nodes;
            double *to = numbers_of(s, batch, f);
            mo_term_evaluate(s->problem, s->set, NULL, batch, f, &nodes, &t);
            for (int k = 0; k < count; ++k) {
                mo_d4_store(to + k * MO_LANES, t.g[k / 3][k % 3]);
            }
            to += count * MO_LANES;
            mo_d4_store(to + RIGHT * MO_LANES, -mo_d4_set(s->factor[f]) * t.h);
            mo_d4_store(to + MOBILITY * MO_LANES, t.mobility);
            mo_d4_store(to + SOFTNESS * MO_LANES, t.a);
            mo_d4_store(to + CHANGE * MO_LANES, mo_d4_set(0));
        }
    }
}

/* One function of a batch, whose nodes have moved by d so far. */
MO_INLINE void sweep_function(const pass *s, int64_t batch, int f, int nodes, mo_d4 d[][3],
                              const mo_d4 w[])
{
    const mo_constraint_set *set = s->set;
    const double *g = numbers_of(s, batch, f);
    double *of = numbers_of(s, batch, f) + 3 * nodes * MO_LANES;
    const mo_d4 zero = mo_d4_set(0);
    mo_d4 a = mo_d4_load(of + SOFTNESS * MO_LANES), mobility = mo_d4_load(of + MOBILITY * MO_LANES),
          sum = mo_d4_load(of + CHANGE * MO_LANES),
          right = mo_d4_load(of + RIGHT * MO_LANES) - a * sum;
    mo_l4 acts = mobility > zero;
    for (int k = 0; k < 3 * nodes; ++k) {
        right -= mo_d4_load(g + k * MO_LANES) * d[k / 3][k % 3];
    }
    mo_d4 change = mo_d4_select(acts, right / mo_d4_select(acts, mobility + a, mo_d4_set(1)), zero);
    if (set->unilateral) {
        mo_d4 sign = mo_d4_set(set->unilateral),
              base = sum + (set->extended ? mo_d4_load(set->lambda + mo_term_index(set, batch, f))
                                          : zero);
        change = sign * mo_d4_max(sign * (base + change), zero) - base;
    }
    mo_d4_store(of + CHANGE * MO_LANES, sum + change);
    for (int k = 0; k < 3 * nodes; ++k) {
        d[k / 3][k % 3] += w[k / 3] * change * mo_d4_load(g + k * MO_LANES);
    }
}

/* `nodes` is a constant of the caller. */
MO_INLINE void sweep_batches(const pass *s, int nodes, int64_t first, int64_t last)
{
    double *change = s->problem->change;
    for (int64_t batch = s->first + first; batch < s->first + last; ++batch) {
        const int32_t *rows = mo_constraint_rows(s->set, batch);
        mo_d4 d[MO_CONSTRAINT_NODES_MAX][3], w[MO_CONSTRAINT_NODES_MAX], row[4], out[4];
        for (int n = 0; n < nodes; ++n) {
            mo_gather(change, rows + MO_LANES * n, row);
            memcpy(d[n], row, sizeof d[n]);
            mo_gather(s->problem->p, rows + MO_LANES * n, row);
            w[n] = row[3];
        }
        for (int f = 0; f < s->set->type->functions; ++f) {
            sweep_function(s, batch, f, nodes, d, w);
        }
        for (int n = 0; n < nodes; ++n) {
            mo_d4_transpose(d[n][0], d[n][1], d[n][2], mo_d4_set(0), out);
            for (int lane = 0; lane < s->set->lanes[batch]; ++lane) {
                mo_d4_store(change + 4 * (int64_t)rows[MO_LANES * n + lane], out[lane]);
            }
        }
    }
}

static void sweep_range(void *context, int64_t first, int64_t last)
{
    const pass *s = context;
    if (s->set->type->nodes == 2) {
        sweep_batches(s, 2, first, last);
    } else if (s->set->type->nodes == 3) {
        sweep_batches(s, 3, first, last);
    } else {
        sweep_batches(s, 4, first, last);
    }
}

static void add_multipliers_range(void *context, int64_t first, int64_t last)
{
    const pass *s = context;
    const mo_constraint_set *set = s->set;
    for (int64_t batch = first; batch < last; ++batch) {
        for (int f = 0; f < set->type->functions; ++f) {
            double *lambda = set->lambda + mo_term_index(set, batch, f);
            const double *of = numbers_of(s, batch, f) + 3 * set->type->nodes * MO_LANES;
            mo_d4_store(lambda, mo_d4_load(lambda) + mo_d4_load(of + CHANGE * MO_LANES));
        }
    }
}

static void add_changes_range(void *context, int64_t first, int64_t last)
{
    const mo_constraint_problem *problem = context;
    for (int64_t row = first; row < last; ++row) {
        double *p = problem->p + 4 * row;
        mo_d4_store(p, mo_d4_load(p) + mo_d4_load(problem->change + 4 * row));
    }
}

/* ---- an iteration ---- */

/* Runs a pass over the batches of all sets; sweeps by colour. */
static void run_pass(const mo_constraint_problem *problem, double *numbers, mo_range_fn *function,
                     bool by_color)
{
    for (int64_t k = 0; k < problem->set_count; ++k) {
        mo_constraint_set *set = &problem->sets[k];
        pass s = {problem, set, numbers, 0, {0}};
        for (int f = 0; f < set->type->functions; ++f) {
            s.factor[f] = mo_constraint_factor(set, f, problem->iterations);
        }
        for (int64_t c = 0; by_color && !set->type->group && c < set->colors; ++c) {
            s.first = set->color[c];
            mo_parallel_for(problem->pool, set->color[c + 1] - s.first, GRAIN, function, &s);
        }
        if (!by_color && !set->type->group) {
            mo_parallel_for(problem->pool, set->batches, GRAIN, function, &s);
        }
        numbers += size_of(set);
    }
}

static mote_status newton_gauss_seidel_solve(const mo_constraint_problem *problem,
                                             const void *params, void *state, mote_error *error)
{
    const newton_gauss_seidel *p = params;
    linearised *l = state;
    int64_t size = 0;
    for (int64_t k = 0; k < problem->set_count; ++k) {
        size += size_of(&problem->sets[k]);
    }
    MO_TRY(mo_reserve(l->memory, &l->numbers, &l->capacity, size + 1, sizeof(double), error));
    for (int64_t k = 0; k < problem->iterations; ++k) {
        memset(problem->change, 0, (size_t)(4 * problem->rows) * sizeof(double));
        run_pass(problem, l->numbers, linearise_range, false);
        for (int64_t n = 0; n < p->sweeps; ++n) {
            run_pass(problem, l->numbers, sweep_range, true);
        }
        run_pass(problem, l->numbers, add_multipliers_range, false);
        mo_parallel_for(problem->pool, problem->rows, ROW_GRAIN, add_changes_range,
                        (void *)problem);
        mo_constraint_problem_sweep_groups(problem);
        mo_constraint_problem_project(problem);
    }
    *problem->used = problem->iterations;
    return MOTE_OK;
}

const mo_constraint_solver_type mo_constraint_solver_newton_gauss_seidel = {
    .base = {.name = "newton_gauss_seidel",
             .summary = "Linearises all constraints in each iteration, and solves for their "
                        "multipliers by Gauss-Seidel sweeps.",
             .citation = "M. Macklin, M. Mueller, N. Chentanez 2016, Motion in Games, equations 16 "
                         "and 17",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(newton_gauss_seidel),
             .params = PARAMS},
    .iterations = 2,
    .open = newton_gauss_seidel_open,
    .close = newton_gauss_seidel_close,
    .solve = newton_gauss_seidel_solve,
};
