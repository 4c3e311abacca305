#include "constraint/solver/solver.h"

#include "constraint/solver/term.h"

#include <math.h>
#include <string.h>

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_constraint_solver_type, mo_constraint_solver_, name)
#include "constraint/solver/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_constraint_solver_, name)
#include "constraint/solver/methods.def"
#undef MO_METHOD
};

const mo_family mo_constraint_solvers = {
    .name = "constraint_solver",
    .doc = "Solvers of the constraints of a substep.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};

/* batches of a block: about 20 microseconds; rows of one */
enum { GRAIN = 512, ROW_GRAIN = 4096 };

mote_status mo_constraint_problem_begin(const mo_constraint_problem *problem, mote_error *error)
{
    if (problem->base) {
        memcpy(problem->base, problem->p, (size_t)(4 * problem->rows) * sizeof(double));
    }
    for (int64_t k = 0; k < problem->set_count; ++k) {
        mo_constraint_set *set = &problem->sets[k];
        memset(set->lambda, 0,
               (size_t)(set->batches * set->type->functions * MO_LANES) * sizeof(double));
        MO_TRY(set->type->begin ? set->type->begin(set, problem, error) : MOTE_OK);
    }
    return MOTE_OK;
}

void mo_constraint_problem_finish(const mo_constraint_problem *problem, double *v)
{
    for (int64_t k = 0; k < problem->set_count; ++k) {
        mo_constraint_set *set = &problem->sets[k];
        if (set->type->group && set->type->group->finish) {
            set->type->group->finish(set, problem, v);
        }
    }
}

/* ---- corrections of groups and contacts ---- */

typedef struct recording {
    double *base;
    const double *p;
    double sign;
} recording;

static void record_range(void *context, int64_t first, int64_t last)
{
    const recording *r = context;
    for (int64_t row = first; row < last; ++row) {
        for (int k = 0; k < 3; ++k) {
            r->base[4 * row + k] += r->sign * r->p[4 * row + k];
        }
    }
}

void mo_constraint_problem_record(const mo_constraint_problem *problem, double sign)
{
    recording r = {problem->base, problem->p, sign};
    if (problem->base) {
        mo_parallel_for(problem->pool, problem->rows, ROW_GRAIN, record_range, &r);
    }
}

static void sweep_group(const mo_constraint_problem *problem, mo_constraint_set *set)
{
    mo_constraint_problem_record(problem, -1);
    set->type->group->sweep(set, problem, mo_constraint_factor(set, 0, problem->iterations));
    mo_constraint_problem_record(problem, 1);
}

void mo_constraint_problem_sweep_groups(const mo_constraint_problem *problem)
{
    for (int64_t k = 0; k < problem->set_count; ++k) {
        if (problem->sets[k].type->group) {
            sweep_group(problem, &problem->sets[k]);
        }
    }
}

void mo_constraint_problem_project(const mo_constraint_problem *problem)
{
    mo_constraint_problem_record(problem, -1);
    problem->project(problem->context);
    mo_constraint_problem_record(problem, 1);
}

/* ---- projection ---- */

typedef struct sweep {
    mo_projection projection;
    int64_t first; /* batch of the colour */
} sweep;

static void sweep_range(void *context, int64_t first, int64_t last)
{
    const sweep *s = context;
    s->projection.set->type->project(&s->projection, s->first + first, s->first + last);
}

double mo_constraint_factor(const mo_constraint_set *set, int f, int64_t iterations)
{
    double rest = 1 - set->stiffness[f];
    return set->extended || rest == 0 || iterations == 1 ? (set->extended ? 1 : set->stiffness[f])
                                                         : 1 - pow(rest, 1 / (double)iterations);
}

void mo_constraint_problem_sweep(const mo_constraint_problem *problem, double *change,
                                 double relaxation)
{
    for (int64_t k = 0; k < problem->set_count; ++k) {
        mo_constraint_set *set = &problem->sets[k];
        int64_t iterations = problem->iterations;
        if (set->type->group) {
            sweep_group(problem, set);
            continue;
        }
        sweep s = {.projection = {.set = set,
                                  .p = problem->p,
                                  .before = problem->start,
                                  .change = change,
                                  .inverse_h2 = 1 / (problem->h * problem->h),
                                  .damping = set->damping / problem->h}};
        for (int f = 0; f < set->type->functions; ++f) {
            s.projection.factor[f] = relaxation * mo_constraint_factor(set, f, iterations);
        }
        for (int64_t c = 0; c < set->colors; ++c) {
            s.first = set->color[c];
            mo_parallel_for(problem->pool, set->color[c + 1] - s.first, GRAIN, sweep_range, &s);
        }
    }
}

/* ---- sums over constraints ---- */

typedef struct summing {
    const mo_constraint_set *set;
    const double *p;
    double inverse_h2;
} summing;

static void gather_nodes(const summing *s, int64_t batch, mo_d4 x[MO_CONSTRAINT_NODES_MAX][3])
{
    const int32_t *rows = mo_constraint_rows(s->set, batch);
    for (int n = 0; n < s->set->type->nodes; ++n) {
        mo_d4 row[4];
        mo_gather(s->p, rows + MO_LANES * n, row);
        for (int k = 0; k < 3; ++k) {
            x[n][k] = row[k];
        }
    }
}

/* The residual of lane `lane` of function f of a batch. */
static double residual_of(const summing *s, int64_t batch, int f, int lane, double value)
{
    const mo_constraint_set *set = s->set;
    int64_t at = (batch * set->type->functions + f) * MO_LANES + lane;
    double left = value + set->compliance[at] * s->inverse_h2 * set->lambda[at];
    bool slack = set->unilateral && left * set->unilateral > 0 && set->lambda[at] == 0;
    return slack ? 0 : fabs(left) / set->scale[batch * MO_LANES + lane];
}

/* partial: the largest residual, or the sum of squares */
static void residual_range(const summing *s, int64_t first, int64_t last, bool squares,
                           double *partial)
{
    mo_d4 x[MO_CONSTRAINT_NODES_MAX][3], value, g[MO_CONSTRAINT_NODES_MAX][3];
    *partial = 0;
    for (int64_t batch = first; batch < last; ++batch) {
        gather_nodes(s, batch, x);
        for (int f = 0; f < s->set->type->functions; ++f) {
            s->set->type->evaluate(s->set, batch, f, (const mo_d4(*)[3])x, &value, g);
            for (int lane = 0; lane < s->set->lanes[batch]; ++lane) {
                double r = residual_of(s, batch, f, lane, value[lane]);
                *partial = squares ? *partial + r * r : fmax(*partial, r);
            }
        }
    }
}

static void most_range(void *context, int64_t first, int64_t last, double *partial)
{
    residual_range(context, first, last, false, partial);
}

static void square_range(void *context, int64_t first, int64_t last, double *partial)
{
    residual_range(context, first, last, true, partial);
}

/* ---- the primal equation ---- */

typedef struct impulses {
    const mo_constraint_problem *problem;
    const mo_constraint_set *set;
    double *to;
    int64_t first; /* batch of the colour */
} impulses;

static void impulse_range(void *context, int64_t first, int64_t last)
{
    const impulses *s = context;
    const mo_constraint_set *set = s->set;
    for (int64_t batch = s->first + first; batch < s->first + last; ++batch) {
        const int32_t *rows = mo_constraint_rows(set, batch);
        mo_term_nodes nodes;
        mo_d4 value, g[MO_CONSTRAINT_NODES_MAX][3];
        mo_term_gather(set, s->problem->p, batch, &nodes);
        for (int f = 0; f < set->type->functions; ++f) {
            mo_d4 l = mo_d4_load(set->lambda + mo_term_index(set, batch, f));
            set->type->evaluate(set, batch, f, (const mo_d4(*)[3])nodes.x, &value, g);
            for (int n = 0; n < set->type->nodes; ++n) {
                mo_d4 out[4];
                mo_d4_transpose(l * g[n][0], l * g[n][1], l * g[n][2], mo_d4_set(0), out);
                for (int lane = 0; lane < set->lanes[batch]; ++lane) {
                    double *to = s->to + 4 * (int64_t)rows[MO_LANES * n + lane];
                    mo_d4_store(to, mo_d4_load(to) + out[lane]);
                }
            }
        }
    }
}

void mo_constraint_problem_impulses(const mo_constraint_problem *problem, double *impulse)
{
    memset(impulse, 0, (size_t)(4 * problem->rows) * sizeof(double));
    for (int64_t k = 0; k < problem->set_count; ++k) {
        const mo_constraint_set *set = &problem->sets[k];
        impulses s = {problem, set, impulse, 0};
        for (int64_t c = 0; !set->type->group && c < set->colors; ++c) {
            s.first = set->color[c];
            mo_parallel_for(problem->pool, set->color[c + 1] - s.first, GRAIN, impulse_range, &s);
        }
    }
}

/* partial: sums of |g|^2/m and of |grad C^T lambda|^2/m */
static void primal_range(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_constraint_problem *problem = context;
    partial[0] = partial[1] = 0;
    for (int64_t row = first; row < last; ++row) {
        double w = problem->p[4 * row + 3];
        for (int k = 0; w > 0 && k < 3; ++k) {
            double move = w * problem->change[4 * row + k],
                   left = problem->p[4 * row + k] - problem->base[4 * row + k] - move;
            partial[0] += left * left / w;
            partial[1] += move * move / w;
        }
    }
}

static mote_status find_primal(const mo_constraint_problem *problem, double *primal,
                               mote_error *error)
{
    double sums[2];
    *primal = 0;
    if (!problem->base) {
        return MOTE_OK;
    }
    mo_constraint_problem_impulses(problem, problem->change);
    MO_TRY(mo_parallel_reduce(problem->pool, problem->rows, ROW_GRAIN, MO_SUM, 2, primal_range,
                              (void *)problem, sums, error));
    *primal = sums[1] > 0 ? sqrt(sums[0] / sums[1]) : 0;
    return MOTE_OK;
}

mote_status mo_constraint_problem_residual(const mo_constraint_problem *problem,
                                           mo_constraint_residual *residual, mote_error *error)
{
    double count = 0, sum = 0;
    *residual = (mo_constraint_residual){0};
    for (int64_t k = 0; k < problem->set_count; ++k) {
        const mo_constraint_set *set = &problem->sets[k];
        summing s = {set, problem->p, 1 / (problem->h * problem->h)};
        double most, squares;
        if (set->type->group) {
            double sums[3];
            set->type->group->residual(set, problem, sums);
            residual->most = fmax(residual->most, sums[0]);
            sum += sums[1];
            count += sums[2];
            continue;
        }
        MO_TRY(mo_parallel_reduce(problem->pool, set->batches, GRAIN, MO_MAX, 1, most_range, &s,
                                  &most, error));
        MO_TRY(mo_parallel_reduce(problem->pool, set->batches, GRAIN, MO_SUM, 1, square_range, &s,
                                  &squares, error));
        residual->most = fmax(residual->most, most);
        sum += squares;
        count += (double)(set->count * set->type->functions);
    }
    residual->mean = count > 0 ? sqrt(sum / count) : 0;
    return find_primal(problem, &residual->primal, error);
}

static void energy_range(void *context, int64_t first, int64_t last, double *partial)
{
    const summing *s = context;
    const mo_constraint_set *set = s->set;
    mo_d4 x[MO_CONSTRAINT_NODES_MAX][3], value, g[MO_CONSTRAINT_NODES_MAX][3];
    *partial = 0;
    for (int64_t batch = first; batch < last; ++batch) {
        gather_nodes(s, batch, x);
        for (int f = 0; f < set->type->functions; ++f) {
            set->type->evaluate(set, batch, f, (const mo_d4(*)[3])x, &value, g);
            for (int lane = 0; lane < set->lanes[batch]; ++lane) {
                double a = set->compliance[(batch * set->type->functions + f) * MO_LANES + lane],
                       c = value[lane];
                bool slack = set->unilateral && c * set->unilateral > 0;
                *partial += a > 0 && !slack ? 0.5 * c * c / a : 0;
                *partial += set->type->is_energy && !set->extended ? c : 0;
            }
        }
    }
}

mote_status mo_constraint_set_energy(const mo_constraint_set *set, mo_pool *pool, const double *p,
                                     double *energy, mote_error *error)
{
    summing s = {set, p, 0};
    if (set->type->group) {
        *energy = set->type->group->energy(set, pool, p);
        return MOTE_OK;
    }
    return mo_parallel_reduce(pool, set->batches, GRAIN, MO_SUM, 1, energy_range, &s, energy,
                              error);
}
