#include "constraint/solver/newton_matrix.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 64, ROW_GRAIN = 4096 };

mote_status mo_newton_matrix_create(mo_memory *memory, mo_newton_matrix **matrix, mote_error *error)
{
    mo_newton_matrix *m = mo_allocate(memory, sizeof *m);
    if (!m) {
        return mo_fail_memory(error, sizeof *m);
    }
    *m = (mo_newton_matrix){.memory = memory};
    *matrix = m;
    return MOTE_OK;
}

void mo_newton_matrix_destroy(mo_newton_matrix *m)
{
    mo_memory *memory = m->memory;
    mo_block_pattern_release(memory, &m->pattern);
    mo_block_matrix_release(memory, &m->matrix);
    mo_supernodal_release(&m->factor);
    mo_release(memory, m->first);
    mo_release(memory, m->slot_at);
    mo_release(memory, m->slot);
    mo_release(memory, m->step);
    mo_release(memory, m->x);
    mo_release(memory, m->lambda);
    mo_release(memory, m->change);
    mo_release(memory, m->target);
    mo_release(memory, m);
}

/* ---- the pattern ---- */

static mote_status couple_nodes(mo_newton_matrix *m, const mo_constraint_set *set,
                                mote_error *error)
{
    int nodes = set->type->nodes;
    for (int64_t b = 0; b < set->batches; ++b) {
        const int32_t *rows = mo_constraint_rows(set, b);
        for (int lane = 0; lane < set->lanes[b]; ++lane) {
            for (int n = 1; n < nodes; ++n) {
                for (int k = 0; k < n; ++k) {
                    MO_TRY(mo_block_pattern_couple(m->memory, &m->pattern,
                                                   rows[MO_LANES * n + lane],
                                                   rows[MO_LANES * k + lane], error));
                }
            }
        }
    }
    return MOTE_OK;
}

static void find_slots(const mo_newton_matrix *m, const mo_constraint_set *set, int64_t *slot)
{
    int nodes = set->type->nodes;
    for (int64_t b = 0; b < set->batches; ++b) {
        const int32_t *rows = mo_constraint_rows(set, b);
        for (int pair = 0; pair < nodes * nodes; ++pair) {
            for (int lane = 0; lane < MO_LANES; ++lane) {
                *slot++ = mo_block_matrix_slot(&m->matrix, rows[pair / nodes * MO_LANES + lane],
                                               rows[pair % nodes * MO_LANES + lane]);
            }
        }
    }
}

static mote_status reserve(mo_newton_matrix *m, const mo_constraint_problem *problem,
                           mote_error *error)
{
    int64_t sets = problem->set_count, functions = 0, slots = 0, also = m->set_capacity;
    size_t real = sizeof(double);
    MO_TRY(mo_reserve(m->memory, &m->slot_at, &also, sets + 1, sizeof(int64_t), error));
    MO_TRY(mo_reserve(m->memory, &m->first, &m->set_capacity, sets + 1, sizeof(int64_t), error));
    for (int64_t k = 0; k < sets; ++k) {
        const mo_constraint_set *set = &problem->sets[k];
        bool batched = !set->type->group;
        m->first[k] = functions;
        m->slot_at[k] = slots;
        functions += batched ? set->batches * set->type->functions * MO_LANES : 0;
        slots += batched ? set->batches * set->type->nodes * set->type->nodes * MO_LANES : 0;
    }
    m->first[sets] = functions;
    MO_TRY(mo_reserve(m->memory, &m->slot, &m->slot_capacity, slots + 1, sizeof(int64_t), error));
    MO_TRY(mo_reserve(m->memory, &m->step, &m->step_capacity, 3 * problem->rows + 1, real, error));
    MO_TRY(mo_reserve(m->memory, &m->x, &m->x_capacity, 4 * problem->rows, real, error));
    double **lists[3] = {&m->lambda, &m->change, &m->target};
    for (int k = 0; k < 3; ++k) {
        MO_TRY(
            mo_reserve(m->memory, lists[k], &m->function_capacity[k], functions + 1, real, error));
    }
    return MOTE_OK;
}

static mote_status build(mo_newton_matrix *m, const mo_constraint_problem *problem,
                         mote_error *error)
{
    m->generation = 0;
    MO_TRY(reserve(m, problem, error));
    memset(m->change, 0, (size_t)m->first[problem->set_count] * sizeof(double));
    mo_block_pattern_clear(&m->pattern, problem->rows);
    for (int64_t k = 0; k < problem->set_count; ++k) {
        if (!problem->sets[k].type->group) {
            MO_TRY(couple_nodes(m, &problem->sets[k], error));
        }
    }
    MO_TRY(mo_block_matrix_build(m->memory, &m->pattern, &m->matrix, error));
    for (int64_t k = 0; k < problem->set_count; ++k) {
        if (!problem->sets[k].type->group) {
            find_slots(m, &problem->sets[k], m->slot + m->slot_at[k]);
        }
    }
    MO_TRY(mo_supernodal_analyse(m->memory, &m->matrix, &m->factor, error));
    m->generation = problem->generation;
    return MOTE_OK;
}

/* (1 - stiffness) C of the prediction for pbd, and 0 */
static void find_targets(const mo_newton_matrix *m, const mo_constraint_problem *problem, int64_t k)
{
    const mo_constraint_set *set = &problem->sets[k];
    for (int64_t batch = 0; batch < set->batches && !set->type->group; ++batch) {
        mo_term_nodes nodes;
        mo_d4 value, g[MO_CONSTRAINT_NODES_MAX][3];
        mo_term_gather(set, problem->p, batch, &nodes);
        for (int f = 0; f < set->type->functions; ++f) {
            double rest = set->extended ? 0 : 1 - set->stiffness[f];
            set->type->evaluate(set, batch, f, (const mo_d4(*)[3])nodes.x, &value, g);
            mo_d4_store(m->target + m->first[k] + mo_term_index(set, batch, f),
                        mo_d4_set(rest) * value);
        }
    }
}

mote_status mo_newton_matrix_begin(mo_newton_matrix *m, const mo_constraint_problem *problem,
                                   mote_error *error)
{
    MO_TRY(m->generation == problem->generation ? MOTE_OK : build(m, problem, error));
    for (int64_t k = 0; k < problem->set_count; ++k) {
        find_targets(m, problem, k);
    }
    return MOTE_OK;
}

/* ---- assembly ---- */

typedef struct assembly {
    const mo_constraint_problem *problem;
    const mo_newton_matrix *m;
    mo_constraint_set *set;
    int64_t index; /* of the set */
    int64_t first; /* batch of the colour */
    bool definite; /* only second derivatives that keep the matrix definite */
} assembly;

/* M and M (x~ - x); fixed rows have the identity, and do not move */
static void diagonal_range(void *context, int64_t first, int64_t last)
{
    const assembly *s = context;
    const mo_constraint_problem *problem = s->problem;
    for (int64_t row = first; row < last; ++row) {
        const double *p = problem->p + 4 * row, *base = problem->base + 4 * row;
        double mass = p[3] > 0 ? 1 / p[3] : 1;
        double *block = s->m->matrix.value + 9 * s->m->matrix.diagonal[row];
        for (int k = 0; k < 3; ++k) {
            block[4 * k] = mass;
            s->m->step[3 * row + k] = p[3] > 0 ? mass * (base[k] - p[k]) : 0;
        }
    }
}

/* 1/(a + e) */
static mo_d4 stiffness_of(const mo_newton_matrix *m, const mo_term *t)
{
    mo_d4 a = mo_d4_max(t->a, mo_d4_set(m->least) * t->mobility);
    return mo_d4_select(t->acts, mo_d4_set(1) / mo_d4_select(t->acts, a, mo_d4_set(1)),
                        mo_d4_set(0));
}

/* Energies as themselves: sqrt(2 E) has no gradient at rest. */
static bool is_primal(const mo_constraint_set *set)
{
    return set->type->is_energy && set->extended && !(set->damping > 0);
}

/* -h^2 grad E and h^2 grad^2 E, the form of pbd, whose multiplier follows from the positions. */
static void add_energy(const assembly *s, int64_t batch, int f, const mo_term_nodes *nodes,
                       mo_hessian block, mo_d4 load[MO_CONSTRAINT_NODES_MAX][3])
{
    mo_constraint_set set = *s->set;
    int count = 3 * set.type->nodes;
    mo_d4 value, g[MO_CONSTRAINT_NODES_MAX][3], h2 = mo_d4_set(s->problem->h * s->problem->h);
    mo_hessian h;
    set.extended = false;
    set.definite = s->definite;
    set.type->evaluate(&set, batch, f, (const mo_d4(*)[3])nodes->x, &value, g);
    set.type->hessian(&set, batch, f, (const mo_d4(*)[3])nodes->x, h);
    for (int a = 0; a < count; ++a) {
        load[a / 3][a % 3] -= h2 * g[a / 3][a % 3];
        for (int b = 0; b < count; ++b) {
            block[a][b] += h2 * h[a][b];
        }
    }
}

/* Adds function f to the matrix and the right-hand side of its nodes. */
static void add_function(const assembly *s, int64_t batch, int f, const mo_term_nodes *nodes,
                         mo_hessian block, mo_d4 load[MO_CONSTRAINT_NODES_MAX][3])
{
    const mo_constraint_set *set = s->set;
    int count = 3 * set->type->nodes;
    const mo_d4 zero = mo_d4_set(0);
    mo_term t;
    mo_term_evaluate(s->problem, set, s->m->target + s->m->first[s->index], batch, f, nodes, &t);
    mo_term_activate(set, &t);
    mo_d4 stiffness = stiffness_of(s->m, &t), lambda = mo_d4_select(t.acts, t.lambda, zero),
          force = mo_d4_select(t.acts, t.lambda - stiffness * t.h, zero);
    for (int a = 0; a < count; ++a) {
        load[a / 3][a % 3] += force * t.g[a / 3][a % 3];
        for (int b = 0; b < count; ++b) {
            block[a][b] += stiffness * t.g[a / 3][a % 3] * t.g[b / 3][b % 3];
        }
    }
    if (s->definite) { /* -l times a semidefinite matrix, or none */
        lambda = f < set->type->convex ? mo_d4_min(lambda, zero) : zero;
    }
    if (set->type->hessian && mo_l4_any(lambda != zero)) {
        mo_hessian h;
        set->type->hessian(set, batch, f, (const mo_d4(*)[3])nodes->x, h);
        for (int a = 0; a < count; ++a) {
            for (int b = 0; b < count; ++b) {
                block[a][b] -= lambda * h[a][b];
            }
        }
    }
}

/* Adds the blocks of one lane; fixed rows have none. */
static void scatter(const assembly *s, int64_t batch, int lane, const mo_term_nodes *nodes,
                    mo_hessian block, mo_d4 load[MO_CONSTRAINT_NODES_MAX][3])
{
    int count = s->set->type->nodes;
    const int32_t *rows = mo_constraint_rows(s->set, batch);
    const int64_t *slots =
        s->m->slot + s->m->slot_at[s->index] + batch * count * count * MO_LANES + lane;
    for (int n = 0; n < count; ++n) {
        double *to = s->m->step + 3 * (int64_t)rows[MO_LANES * n + lane];
        for (int k = 0; k < 3 && nodes->w[n][lane] > 0; ++k) {
            to[k] += load[n][k][lane];
        }
        for (int l = 0; l < count; ++l) {
            double *value = s->m->matrix.value + 9 * slots[(n * count + l) * MO_LANES];
            bool moves = nodes->w[n][lane] > 0 && nodes->w[l][lane] > 0;
            for (int k = 0; k < 9 && moves; ++k) {
                value[k] += block[3 * n + k % 3][3 * l + k / 3][lane];
            }
        }
    }
}

static void assemble_range(void *context, int64_t first, int64_t last)
{
    const assembly *s = context;
    for (int64_t batch = s->first + first; batch < s->first + last; ++batch) {
        mo_term_nodes nodes;
        mo_hessian block;
        mo_d4 load[MO_CONSTRAINT_NODES_MAX][3];
        memset(block, 0, sizeof block);
        memset(load, 0, sizeof load);
        mo_term_gather(s->set, s->problem->p, batch, &nodes);
        for (int f = 0; f < s->set->type->functions; ++f) {
            (is_primal(s->set) ? add_energy : add_function)(s, batch, f, &nodes, block, load);
        }
        for (int lane = 0; lane < s->set->lanes[batch]; ++lane) {
            scatter(s, batch, lane, &nodes, block, load);
        }
    }
}

/* The right-hand side is in `step`. */
static void assemble(const mo_newton_matrix *m, const mo_constraint_problem *problem, bool definite)
{
    assembly s = {.problem = problem, .m = m, .definite = definite};
    memset(m->matrix.value, 0, (size_t)(9 * m->matrix.blocks) * sizeof(double));
    mo_parallel_for(problem->pool, problem->rows, ROW_GRAIN, diagonal_range, &s);
    for (s.index = 0; s.index < problem->set_count; ++s.index) {
        s.set = &problem->sets[s.index];
        for (int64_t c = 0; !s.set->type->group && c < s.set->colors; ++c) {
            s.first = s.set->color[c];
            mo_parallel_for(problem->pool, s.set->color[c + 1] - s.first, GRAIN, assemble_range,
                            &s);
        }
    }
}

/* ---- the multipliers ---- */

static void multiplier_range(void *context, int64_t first, int64_t last)
{
    const assembly *s = context;
    const mo_constraint_set *set = s->set;
    int64_t at = s->m->first[s->index];
    for (int64_t batch = first; batch < last; ++batch) {
        const int32_t *rows = mo_constraint_rows(set, batch);
        mo_term_nodes nodes;
        mo_term_gather(set, s->problem->p, batch, &nodes);
        for (int f = 0; f < set->type->functions; ++f) {
            mo_term t;
            mo_term_evaluate(s->problem, set, s->m->target + at, batch, f, &nodes, &t);
            mo_term_activate(set, &t);
            mo_d4 sum = t.h;
            for (int k = 0; k < 3 * set->type->nodes; ++k) {
                const int32_t *row = rows + MO_LANES * (k / 3);
                const double *dx = s->m->step + k % 3;
                mo_d4 d = {dx[3 * (int64_t)row[0]], dx[3 * (int64_t)row[1]],
                           dx[3 * (int64_t)row[2]], dx[3 * (int64_t)row[3]]};
                sum += t.g[k / 3][k % 3] * d;
            }
            mo_d4_store(s->m->change + at + mo_term_index(set, batch, f),
                        mo_d4_select(t.acts, -stiffness_of(s->m, &t) * sum, -t.lambda));
        }
    }
}

static void find_multipliers(const mo_newton_matrix *m, const mo_constraint_problem *problem)
{
    assembly s = {.problem = problem, .m = m};
    for (s.index = 0; s.index < problem->set_count; ++s.index) {
        s.set = &problem->sets[s.index];
        if (!s.set->type->group && !is_primal(s.set)) {
            mo_parallel_for(problem->pool, s.set->batches, GRAIN, multiplier_range, &s);
        }
    }
}

/* -C/a */
static void settle_range(void *context, int64_t first, int64_t last)
{
    const assembly *s = context;
    const mo_constraint_set *set = s->set;
    for (int64_t batch = first; batch < last; ++batch) {
        mo_term_nodes nodes;
        mo_d4 value, g[MO_CONSTRAINT_NODES_MAX][3];
        mo_term_gather(set, s->problem->p, batch, &nodes);
        for (int f = 0; f < set->type->functions; ++f) {
            int64_t at = mo_term_index(set, batch, f);
            set->type->evaluate(set, batch, f, (const mo_d4(*)[3])nodes.x, &value, g);
            mo_d4_store(set->lambda + at, -value * mo_d4_set(s->problem->h * s->problem->h) /
                                              mo_d4_load(set->compliance + at));
        }
    }
}

void mo_newton_matrix_settle(const mo_newton_matrix *m, const mo_constraint_problem *problem)
{
    assembly s = {.problem = problem, .m = m};
    for (s.index = 0; s.index < problem->set_count; ++s.index) {
        s.set = &problem->sets[s.index];
        if (!s.set->type->group && is_primal(s.set)) {
            mo_parallel_for(problem->pool, s.set->batches, GRAIN, settle_range, &s);
        }
    }
}

mote_status mo_newton_matrix_solve(mo_newton_matrix *m, const mo_constraint_problem *problem,
                                   mote_error *error)
{
    int64_t failed;
    assemble(m, problem, false);
    MO_TRY(mo_supernodal_factorise(&m->factor, &m->matrix, problem->pool, &failed, error));
    if (failed >= 0) {
        assemble(m, problem, true);
        MO_TRY(mo_supernodal_factorise(&m->factor, &m->matrix, problem->pool, &failed, error));
    }
    if (failed >= 0) { /* masses or compliances beyond double precision: no step */
        memset(m->step, 0, (size_t)(3 * problem->rows) * sizeof(double));
    } else {
        mo_supernodal_solve(&m->factor, m->step, 1, 3 * problem->rows + 1);
    }
    find_multipliers(m, problem);
    return MOTE_OK;
}
