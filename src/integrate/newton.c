#include "integrate/newton.h"

#include <math.h>
#include <string.h>

enum { HALVINGS_MAX = 6, RELAXATION_MAX = 4 };

mote_status mo_newton_create(mo_memory *memory, mo_pool *pool, const mo_newton_params *params,
                             mo_newton **newton, mote_error *error)
{
    mo_newton *n = mo_allocate(memory, sizeof *n);
    if (!n) {
        return mo_fail_memory(error, sizeof *n);
    }
    n->jacobian = (mo_jacobian){.memory = memory, .pool = pool};
    mote_status status = mo_linear_open(memory, params->solver, &n->solver, error);
    if (status != MOTE_OK) {
        mo_release(memory, n);
        return status;
    }
    *newton = n;
    return MOTE_OK;
}

void mo_newton_destroy(mo_newton *newton)
{
    mo_memory *memory = newton->jacobian.memory;
    mo_linear_close(&newton->solver);
    mo_jacobian_release(&newton->jacobian);
    mo_release(memory, newton->work.block);
    mo_release(memory, newton->active_work.block);
    mo_release(memory, newton->turn_work.block);
    mo_release(memory, newton->active.kind);
    mo_release(memory, newton->active.collider);
    mo_release(memory, newton);
}

mote_status mo_newton_check(const void *params, mote_error *error)
{
    const mo_newton_params *p = params;
    if (p->matrix_free && !(p->solver.type->capabilities & MO_LINEAR_MATRIX_FREE)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "matrix_free: the solver '%s' needs the matrix; allowed: cg, jacobi",
                       p->solver.type->name);
    }
    return MOTE_OK;
}

void mo_newton_count_add(mo_newton_count *sum, const mo_newton_count *more)
{
    sum->solves += more->solves;
    sum->iterations += more->iterations;
    sum->linear_iterations += more->linear_iterations;
    sum->unfinished += more->unfinished;
    sum->unsolved += more->unsolved;
    sum->residual = fmax(sum->residual, more->residual);
    sum->linear_residual = fmax(sum->linear_residual, more->linear_residual);
}

/* A solve in progress. */
typedef struct solve {
    mo_dynamics *dynamics;
    mo_newton *newton;
    const mo_newton_params *params;
    const mo_newton_stage *stage;
    mo_force_args args;
    mo_system_weights weights;
    const double *gamma;     /* NULL: c_x and c_v of the stage */
    const mo_active *active; /* NULL: no active contacts */
    double *right, *correction, *u, *y, *z;
    /* of the last correction of orientations; NULL: not needed */
    double *turn_residual, *turn_relaxation;
    int64_t corrections; /* so far */
    bool coupled;        /* consistent masses */
    double part;         /* fraction of the correction to be added */
    bool solved, again;  /* the last linear system was definite; it must be rebuilt as definite */
} solve;

static double row_c_x(const solve *s, int64_t k)
{
    return s->gamma ? s->gamma[k] * s->gamma[k] : s->stage->c_x;
}

/* ---- the iterate: x, v from a ---- */

static void set_iterate(const mo_segment *segment, const void *context, int64_t first, int64_t last)
{
    const solve *s = context;
    double *x = segment->slot[MO_STAGE_X], *v = segment->slot[MO_STAGE_V];
    const double *a = segment->slot[MO_A], *base_x = segment->slot[MO_BASE_X],
                 *base_v = segment->slot[MO_BASE_V];
    const double *gamma = s->stage->gamma ? segment->slot[s->stage->gamma] : NULL;
    for (int64_t k = first; k < last; ++k) {
        double c_v = gamma ? gamma[k] : s->stage->c_v, c_x = gamma ? c_v * c_v : s->stage->c_x;
        x[k] = base_x[k] + c_x * a[k];
        v[k] = base_v[k] + c_v * a[k];
    }
}

/* Aitken's relaxation of a particle's fixed-point iteration q'' += omega r with r = q''(iterate) -
 * q'': a secant step, which converges where omega = 1 does not. */
static double relaxation(const double *r, const double *r_before, double before)
{
    double along = 0, square = 0;
    for (int k = 0; k < 4; ++k) {
        double change = r[k] - r_before[k];
        along += r_before[k] * change;
        square += change * change;
    }
    double omega = -before * along / square;
    return square > 0 && fabs(omega) <= RELAXATION_MAX ? omega : 1;
}

/* The correction of orientations, which have no Jacobian. The first two use the evaluated values:
 * the first residual is that of the initial state, not of the iteration. */
static void correct_turning(const mo_segment *segment, const solve *s, int64_t first, int64_t last)
{
    double *a = segment->slot[MO_A];
    const double *found = segment->slot[MO_STAGE_A];
    for (int64_t k = first; k < last; k += 4) {
        double r[4], omega = 1;
        for (int i = 0; i < 4; ++i) {
            r[i] = found[k + i] - a[k + i];
        }
        if (s->corrections > 2) {
            omega = relaxation(r, s->turn_residual + k, s->turn_relaxation[k / 4]);
        }
        for (int i = 0; i < 4; ++i) {
            a[k + i] = omega == 1 ? found[k + i] : a[k + i] + omega * r[i];
        }
        if (s->turn_residual) {
            memcpy(s->turn_residual + k, r, sizeof r);
            s->turn_relaxation[k / 4] = omega;
        }
    }
}

/* a += part of the correction */
static void correct(const mo_segment *segment, const void *context, int64_t first, int64_t last)
{
    const solve *s = context;
    double *a = segment->slot[MO_A];
    if (segment->rotation) {
        if (s->part > 0) { /* not changed by a line search */
            correct_turning(segment, s, first, last);
        }
        return;
    }
    for (int64_t k = first; k < last; ++k) {
        a[k] += s->part * s->correction[k] / row_c_x(s, k);
    }
}

static void apply_correction(solve *s, double part)
{
    s->part = part;
    s->corrections += part > 0;
    mo_for_state_with(s->dynamics, s, correct);
    mo_for_state_with(s->dynamics, s, set_iterate);
}

static void evaluate(solve *s)
{
    mo_accelerate(s->dynamics, s->stage->time, MO_STAGE_X, MO_STAGE_V, MO_STAGE_A);
}

/* After a correction that may be halved, since there is a residual `before` it: forces that are
 * not finite are not yet a failure. */
static void evaluate_trial(solve *s, double before)
{
    s->dynamics->trial = isfinite(before);
    evaluate(s);
    s->dynamics->trial = false;
}

/* ---- consistent masses ---- */

/* u = a of all rows, y = C u */
static void couple_inertia(solve *s)
{
    mo_dynamics *d = s->dynamics;
    const mo_jacobian_ask ask = {.along_a = -1};
    const double *a = d->segment[0].slot[MO_A];
    d->prescribed(d->context, s->stage->time, s->u);
    for (int64_t k = 0; k < 3 * s->args.rows; ++k) {
        s->u[k] += a[k];
    }
    mo_jacobian_multiply(&s->newton->jacobian, &s->args, &ask, s->u, s->y);
}

/* The right-hand side of the first iteration, stored in the correction: the excess of A u, and the
 * inertia of prescribed rows. */
static void couple_first(solve *s)
{
    mo_dynamics *d = s->dynamics;
    const mo_jacobian_ask ask = {.along_a = -1};
    d->prescribed(d->context, s->stage->time, s->right);
    for (int64_t k = 0; k < 3 * s->args.rows; ++k) {
        s->right[k] = (s->params->matrix_free ? 0 : s->u[k] / s->stage->c_x) - s->right[k];
    }
    mo_jacobian_multiply(&s->newton->jacobian, &s->args, &ask, s->right, s->correction);
}

/* ---- residuals ---- */

/* partial: sum of m (a_f - a)^2 over the free rows, with the right-hand side m (a_f - a) */
static void residual_range(void *context, int64_t first, int64_t last, double *partial)
{
    const solve *s = context;
    const mo_segment *segment = &s->dynamics->segment[0];
    const double *found = segment->slot[MO_STAGE_A], *a = segment->slot[MO_A];
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        bool fixed = s->newton->jacobian.inverse_mass[row] == 0;
        double mass = fixed ? 0 : s->args.mass[row];
        double off[3];
        for (int k = 0; k < 3; ++k) {
            off[k] = found[3 * row + k] - a[3 * row + k] +
                     (s->active ? s->active->friction[3 * row + k] : 0);
            off[k] -= s->coupled && !fixed ? s->y[3 * row + k] / mass : 0;
        }
        if (s->active) {
            mo_active_project(s->active, row, off);
        }
        for (int k = 0; k < 3; ++k) {
            s->right[3 * row + k] = mass * off[k];
            *partial += mass * off[k] * off[k];
        }
    }
}

static void turning_range(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_segment *segment = context;
    partial[0] = partial[1] = 0;
    for (int64_t k = 4 * first; k < 4 * last; ++k) {
        double off = segment->slot[MO_STAGE_A][k] - segment->slot[MO_A][k];
        partial[0] += off * off;
        partial[1] += segment->slot[MO_STAGE_A][k] * segment->slot[MO_STAGE_A][k];
    }
}

typedef struct norms {
    double force;          /* squared */
    double turn, turn_all; /* squared, of the orientations' accelerations */
} norms;

static norms find_residual(solve *s)
{
    mo_dynamics *d = s->dynamics;
    norms n = {0};
    double turns[2] = {0};
    if (s->coupled) {
        couple_inertia(s);
    }
    mote_status status = mo_parallel_reduce(d->pool, s->args.rows, MO_FORCE_GRAIN, MO_SUM, 1,
                                            residual_range, s, &n.force, &d->error);
    if (status == MOTE_OK && d->segment_count > 1) {
        status = mo_parallel_reduce(d->pool, s->args.rows, MO_FORCE_GRAIN, MO_SUM, 2, turning_range,
                                    &d->segment[1], turns, &d->error);
    }
    d->status = d->status == MOTE_OK ? status : d->status;
    n.turn = turns[0];
    n.turn_all = turns[1];
    return n;
}

/* ---- non-finite values ---- */

/* The row of the largest, or the first non-finite, value of a vector with this many components per
 * particle. */
static int64_t nonfinite_row(const double *vector, int64_t rows, int components)
{
    int64_t found = 0;
    double most = 0;
    for (int64_t k = 0; k < components * rows && isfinite(most); ++k) {
        if (!(fabs(vector[k]) <= most)) {
            most = fabs(vector[k]);
            found = k / components;
        }
    }
    return found;
}

/* The first row of a matrix with a block that is not finite; `rows` if there is none. */
static int64_t nonfinite_block(const mo_block_matrix *m)
{
    for (int64_t row = 0; row < m->rows; ++row) {
        for (int64_t k = 9 * m->start[row]; k < 9 * m->start[row + 1]; ++k) {
            if (!isfinite(m->value[k])) {
                return row;
            }
        }
    }
    return m->rows;
}

/* A non-finite residual ends the step: it gives no correction, and the state would not change. */
static void check_residual(solve *s, norms n)
{
    mo_dynamics *d = s->dynamics;
    if (d->status == MOTE_OK && !isfinite(n.force)) {
        d->fail_row(d->context, nonfinite_row(s->right, s->args.rows, 3),
                    "the residual of Newton's method");
    } else if (d->status == MOTE_OK && !isfinite(n.turn)) {
        d->fail_row(d->context, nonfinite_row(d->segment[1].slot[MO_STAGE_A], s->args.rows, 4),
                    "the second derivative of its orientation");
    }
}

/* ---- the linear system ---- */

static void solve_linear(solve *s)
{
    mo_dynamics *d = s->dynamics;
    mo_newton *n = s->newton;
    mo_linear_result result;
    mo_jacobian_product product = {&n->jacobian, &s->args, s->weights};
    mo_linear_system system = {.memory = n->jacobian.memory,
                               .pool = d->pool,
                               .matrix = &n->jacobian.matrix,
                               .pattern = n->jacobian.number,
                               .apply = s->params->matrix_free ? mo_jacobian_apply : NULL,
                               .context = &product,
                               .b = s->right,
                               .x = s->correction,
                               .from_zero = true};
    memset(s->correction, 0, (size_t)(3 * s->args.rows + 1) * sizeof(double));
    d->status = mo_linear_solve(&n->solver, &system, &result, &d->error);
    n->count.linear_iterations += result.iterations;
    s->solved = result.converged;
    int64_t lost = d->status != MOTE_OK || result.converged ? n->jacobian.matrix.rows
                                                            : nonfinite_block(&n->jacobian.matrix);
    if (lost < n->jacobian.matrix.rows) {
        d->fail_row(d->context, lost, "the stiffness");
        return;
    }
    s->again = result.indefinite && !s->weights.definite;
    if (s->again) { /* not a descent direction: use the definite projection from here on */
        s->weights.definite = true;
        return;
    }
    n->count.iterations++;
    n->count.linear_residual = fmax(n->count.linear_residual, result.residual);
    n->count.unsolved += !result.converged;
}

static void assemble(solve *s, bool eliminate)
{
    mo_dynamics *d = s->dynamics;
    mo_jacobian *j = &s->newton->jacobian;
    s->args = d->arguments(d->context, s->stage->time, MO_STAGE_X, MO_STAGE_V);
    d->status = mo_jacobian_lay_out(j, &s->args, d->coupling(d->context), s->params->matrix_free,
                                    &d->error);
    if (d->status == MOTE_OK) {
        mo_jacobian_fill(j, &s->args, &s->weights);
    }
    if (d->status == MOTE_OK && eliminate) {
        mo_jacobian_eliminate(j);
    }
}

/* u = X - x and, in z, w - c_v/c_x u */
static void displacement_range(void *context, int64_t first, int64_t last)
{
    solve *s = context;
    double *const *slot = s->dynamics->segment[0].slot;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        s->u[k] = slot[MO_BASE_X][k] - slot[MO_STAGE_X][k];
        s->z[k] = slot[MO_BASE_V][k] - slot[MO_STAGE_V][k] -
                  (s->params->matrix_free ? 0 : s->weights.damping * s->u[k]);
    }
}

/* right = m a_f + m/c_x u - A u + D z, or matrix-free m a_f + K u + D w; partial: its square,
 * weighted by inverse mass */
static void first_right_range(void *context, int64_t first, int64_t last, double *partial)
{
    solve *s = context;
    const double *found = s->dynamics->segment[0].slot[MO_STAGE_A];
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        double mass = s->args.mass[row], sign = s->params->matrix_free ? 1 : -1;
        double inertia = s->params->matrix_free ? 0 : mass * mo_row_inertia(&s->weights, row);
        bool fixed = s->newton->jacobian.inverse_mass[row] == 0;
        for (int64_t k = 3 * row; k < 3 * row + 3; ++k) {
            double r = mass * found[k] + (inertia * s->u[k] + sign * s->y[k]) + s->z[k];
            r += s->coupled ? s->correction[k] : 0;
            s->right[k] = fixed ? 0 : r;
            *partial += fixed ? 0 : r * r / mass;
        }
    }
}

/* Multiplies with u and z in place of z. */
static void multiply_displacements(solve *s)
{
    mo_newton *n = s->newton;
    mo_jacobian *j = &n->jacobian;
    mo_jacobian_ask along_x = {.along_x = 1, .definite = s->weights.definite},
                    along_v = {.along_v = 1, .definite = s->weights.definite};
    if (s->params->matrix_free) {
        mo_jacobian_multiply(j, &s->args, &along_x, s->u, s->y);
    } else {
        mo_block_matrix_multiply(&j->matrix, s->dynamics->pool, s->u, s->y);
    }
    if (mo_jacobian_parts(j) & MO_DF_DV) {
        mo_jacobian_multiply(j, &s->args, &along_v, s->z, s->correction);
        memcpy(s->z, s->correction, (size_t)(3 * s->args.rows) * sizeof(double));
    } else {
        memset(s->z, 0, (size_t)(3 * s->args.rows) * sizeof(double));
    }
}

static void copy_state(const mo_segment *segment, double h, int64_t first, int64_t last)
{
    size_t bytes = (size_t)(last - first) * sizeof(double);
    (void)h;
    memcpy(segment->slot[MO_STAGE_X] + first, segment->slot[MO_X] + first, bytes);
    memcpy(segment->slot[MO_STAGE_V] + first, segment->slot[MO_V] + first, bytes);
}

static void forget_a(const mo_segment *segment, double h, int64_t first, int64_t last)
{
    (void)h;
    memset(segment->slot[MO_A] + first, 0, (size_t)(last - first) * sizeof(double));
}

/* ---- active contacts ---- */

static mote_status reserve_active(mo_newton *n, int64_t rows, mote_error *error)
{
    double *vectors[4];
    mo_memory *m = n->jacobian.memory;
    MO_TRY(mo_work_vectors(m, &n->active_work, 4, 3 * rows + 1, vectors, error));
    n->active.normal = vectors[0];
    n->active.velocity = vectors[1];
    n->active.friction = vectors[2];
    n->load = vectors[3];
    MO_TRY(mo_reserve(m, &n->active.collider, &n->collider_capacity, rows,
                      sizeof *n->active.collider, error));
    return mo_reserve(m, &n->active.kind, &n->active_capacity, rows + 1, 1, error);
}

/* Determines the active contacts of this step; MO_STAGE_A has the accelerations of the state. */
static void find_active(solve *s)
{
    mo_dynamics *d = s->dynamics;
    s->active = s->newton->jacobian.active = NULL;
    if (!d->find_active || d->status != MOTE_OK) {
        return;
    }
    d->status = reserve_active(s->newton, d->segment[0].count / 3, &d->error);
    if (d->status == MOTE_OK &&
        d->find_active(d->context, s->stage->time - d->time, MO_STAGE_A, &s->newton->active)) {
        s->active = s->newton->jacobian.active = &s->newton->active;
        for (int64_t k = 0; s->stage->friction > 0 && k < d->segment[0].count; ++k) {
            s->newton->active.friction[k] *= s->stage->friction;
        }
    }
}

/* y = displacements prescribed by contacts, relative to u: (1 - S) (dt u_solid - u) */
static void prescribe_range(void *context, int64_t first, int64_t last)
{
    const solve *s = context;
    double dt = s->stage->time - s->dynamics->time;
    for (int64_t row = first; row < last; ++row) {
        double way[3], free[3];
        for (int k = 0; k < 3; ++k) {
            way[k] = free[k] = dt * s->active->velocity[3 * row + k] - s->u[3 * row + k];
        }
        mo_active_project(s->active, row, free);
        for (int k = 0; k < 3; ++k) {
            s->y[3 * row + k] = way[k] - free[k];
        }
    }
}

/* right = S (right + m push - A t); partial: its square, weighted by inverse mass */
static void project_range(void *context, int64_t first, int64_t last, double *partial)
{
    const solve *s = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        double mass = s->args.mass[row], *r = s->right + 3 * row;
        bool fixed = s->newton->jacobian.inverse_mass[row] == 0;
        for (int k = 0; k < 3; ++k) {
            r[k] += fixed ? 0 : mass * s->active->friction[3 * row + k] - s->z[3 * row + k];
        }
        mo_active_project(s->active, row, r);
        *partial += fixed ? 0 : (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) / mass;
    }
}

/* Moves the displacements prescribed by contacts to the right-hand side before their elimination;
 * they stay in y. */
static void prescribe(solve *s, double *square)
{
    mo_dynamics *d = s->dynamics;
    mo_jacobian *j = &s->newton->jacobian;
    if (d->react) {
        memcpy(s->newton->load, s->right, (size_t)(3 * s->args.rows) * sizeof(double));
    }
    mo_parallel_for(d->pool, s->args.rows, MO_FORCE_GRAIN, prescribe_range, s);
    if (s->params->matrix_free) {
        mo_jacobian_product product = {j, &s->args, s->weights};
        j->active = NULL; /* of all of A */
        mo_jacobian_apply(&product, s->y, s->z);
        j->active = s->active;
    } else {
        mo_block_matrix_multiply(&j->matrix, d->pool, s->y, s->z);
    }
    d->status = mo_parallel_reduce(d->pool, s->args.rows, MO_FORCE_GRAIN, MO_SUM, 1, project_range,
                                   s, square, &d->error);
}

static void add_prescribed(void *context, int64_t first, int64_t last)
{
    const solve *s = context;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        s->correction[k] += s->y[k];
    }
}

/* ---- the forces of contacts ---- */

/* u = A d - b */
static void linear_force_range(void *context, int64_t first, int64_t last)
{
    const solve *s = context;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        s->u[k] = s->z[k] - s->newton->load[k];
    }
}

/* u = m (a - a_f) + C a */
static void force_range(void *context, int64_t first, int64_t last)
{
    const solve *s = context;
    const mo_segment *segment = &s->dynamics->segment[0];
    const double *found = segment->slot[MO_STAGE_A], *a = segment->slot[MO_A];
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        s->u[k] = s->args.mass[k / 3] * (a[k] - found[k]) + (s->coupled ? s->y[k] : 0);
    }
}

/* Reports the forces of the active contacts on rows, friction included. */
static void report_forces(solve *s, mo_range_fn *range)
{
    mo_dynamics *d = s->dynamics;
    mo_parallel_for(d->pool, s->args.rows, MO_FORCE_GRAIN, range, s);
    d->react(d->context, s->u, s->stage->friction > 0 ? 1 / s->stage->friction : 1);
}

/* Those of the linearised scheme, while args still has the state of A. */
static void report_linear_forces(solve *s)
{
    mo_jacobian *j = &s->newton->jacobian;
    mo_jacobian_product product = {j, &s->args, s->weights};
    mo_jacobian_apply_unprojected(&product, s->correction, s->z);
    report_forces(s, linear_force_range);
}

/* The system of the first iteration, and its solution. Returns the square of its right-hand
 * side. */
static double solve_first(solve *s)
{
    mo_dynamics *d = s->dynamics;
    double square = 0;
    assemble(s, false);
    if (d->status != MOTE_OK) {
        return 0;
    }
    mo_parallel_for(d->pool, s->args.rows, MO_FORCE_GRAIN, displacement_range, s);
    multiply_displacements(s);
    if (s->coupled) {
        couple_first(s);
    }
    d->status = mo_parallel_reduce(d->pool, s->args.rows, MO_FORCE_GRAIN, MO_SUM, 1,
                                   first_right_range, s, &square, &d->error);
    if (d->status == MOTE_OK && s->active) {
        prescribe(s, &square);
    }
    if (d->status == MOTE_OK) {
        check_residual(s, (norms){.force = square});
    }
    if (d->status == MOTE_OK) {
        mo_jacobian_eliminate(&s->newton->jacobian);
        solve_linear(s);
    }
    return square;
}

/* The first iteration, linearised at the state. Returns the square of the first residual. */
static double first_iteration(solve *s)
{
    mo_dynamics *d = s->dynamics;
    double square = 0;
    mo_for_state(d, 0, copy_state);
    if (!s->stage->evaluated) {
        d->prescribed_time = d->time;
        evaluate(s);
        d->prescribed_time = NAN;
    }
    find_active(s);
    d->prescribe(d->context, s->stage->time, MO_BASE_X, MO_BASE_V);
    if (d->status == MOTE_OK) {
        square = solve_first(s);
    }
    if (d->status == MOTE_OK && s->again) {
        square = solve_first(s);
    }
    if (d->status != MOTE_OK) {
        return 0;
    }
    if (s->active) {
        mo_parallel_for(d->pool, s->args.rows, MO_FORCE_GRAIN, add_prescribed, s);
    }
    if (s->active && d->react && s->params->iterations == 1) {
        report_linear_forces(s);
    }
    mo_for_state(d, 0, forget_a);
    apply_correction(s, 1);
    return square;
}

/* Line search: halves the last correction while the residual has increased. */
static norms search_line(solve *s, norms now, double before)
{
    double part = 1;
    for (int k = 0; k < HALVINGS_MAX && !(now.force <= before) && s->dynamics->status == MOTE_OK;
         ++k) {
        part *= 0.5;
        apply_correction(s, -part); /* a + d becomes a + d/2, and so on */
        evaluate_trial(s, before);
        now = find_residual(s);
    }
    return now;
}

/* partial: sums of squares of the last correction and of the positions */
static void moved_range(void *context, int64_t first, int64_t last, double *partial)
{
    const solve *s = context;
    partial[0] = mo_dot_range(s->correction, s->correction, 3 * first, 3 * last);
    partial[1] = mo_dot_range(s->args.x, s->args.x, 3 * first, 3 * last);
}

/* In equilibrium the first residual is rounding error and the relative test fails; but then
 * corrections are rounding errors too. */
static bool moved_by_rounding(solve *s)
{
    mo_dynamics *d = s->dynamics;
    double sums[2] = {1, 0};
    mote_status status = mo_parallel_reduce(d->pool, s->args.rows, MO_FORCE_GRAIN, MO_SUM, 2,
                                            moved_range, s, sums, &d->error);
    d->status = d->status == MOTE_OK ? status : d->status;
    return sums[0] <= 1e-30 * sums[1];
}

/* The larger of the relative residuals: of the forces by the first one, of the orientations by
 * their accelerations. */
static double relative_residual(norms now, double first)
{
    double force = first > 0 ? now.force / first : 0,
           turn = now.turn_all > 0 ? now.turn / now.turn_all : 0;
    return sqrt(fmax(force, turn));
}

static bool near_enough(solve *s, norms now, double first)
{
    double square = s->params->tolerance * s->params->tolerance;
    return (now.force <= square * first || (s->solved && moved_by_rounding(s))) &&
           now.turn <= square * now.turn_all;
}

/* Each iteration tests the last correction and, if not converged, computes another one. */
static void more_iterations(solve *s, double first)
{
    mo_dynamics *d = s->dynamics;
    mo_newton_count *count = &s->newton->count;
    norms now = {0};
    /* the first correction has no line search: there is no earlier iterate */
    double before = INFINITY;
    bool enough = false;
    for (int64_t k = 1; d->status == MOTE_OK; ++k) {
        evaluate_trial(s, s->params->line_search ? before : INFINITY);
        now = find_residual(s);
        if (s->params->line_search) {
            now = search_line(s, now, before);
        }
        check_residual(s, now);
        enough = near_enough(s, now, first);
        if (enough || k == s->params->iterations || d->status != MOTE_OK) {
            break;
        }
        before = now.force;
        do {
            assemble(s, true);
            if (d->status == MOTE_OK) {
                solve_linear(s);
            }
        } while (d->status == MOTE_OK && s->again);
        if (d->status == MOTE_OK) {
            apply_correction(s, 1);
        }
    }
    count->unfinished += !enough;
    count->residual = fmax(count->residual, relative_residual(now, first));
}

/* Scratch for the relaxation of orientations, if there are several iterations. */
static void reserve_relaxation(solve *s)
{
    mo_dynamics *d = s->dynamics;
    double *vectors[2];
    if (d->status != MOTE_OK || d->segment_count < 2 || s->params->iterations < 3) {
        return;
    }
    d->status = mo_work_vectors(s->newton->jacobian.memory, &s->newton->turn_work, 2,
                                d->segment[1].count + 1, vectors, &d->error);
    if (d->status == MOTE_OK) {
        s->turn_residual = vectors[0];
        s->turn_relaxation = vectors[1];
    }
}

void mo_newton_solve(mo_dynamics *dynamics, const mo_newton_params *params,
                     const mo_newton_stage *stage)
{
    mo_newton *n = dynamics->newton;
    solve s = {.dynamics = dynamics, .newton = n, .params = params, .stage = stage};
    double *vectors[5];
    int64_t numbers = dynamics->segment[0].count + 1;
    if (dynamics->status == MOTE_OK) {
        dynamics->status =
            mo_work_vectors(n->jacobian.memory, &n->work, 5, numbers, vectors, &dynamics->error);
    }
    reserve_relaxation(&s);
    if (dynamics->status != MOTE_OK) {
        return;
    }
    s.right = vectors[0];
    s.correction = vectors[1];
    s.u = vectors[2];
    s.y = vectors[3];
    s.z = vectors[4];
    s.gamma = stage->gamma ? dynamics->segment[0].slot[stage->gamma] : NULL;
    s.coupled = dynamics->solve_mass != NULL;
    s.weights =
        (mo_system_weights){1 / stage->c_x, stage->c_v / stage->c_x, s.gamma, params->definite};
    n->count.solves++;
    double first = first_iteration(&s);
    if (dynamics->status == MOTE_OK && params->iterations > 1) {
        more_iterations(&s, first);
        if (dynamics->status == MOTE_OK && s.active && dynamics->react) {
            report_forces(&s, force_range);
        }
    }
    n->args = s.args;
    n->weights = s.weights;
    n->stage = *stage;
    n->matrix_free = params->matrix_free;
    n->past_v = stage->past_v ? dynamics->segment[0].slot[stage->past_v] : NULL;
}

static void project_rows(void *context, int64_t first, int64_t last)
{
    const mo_newton *n = ((void **)context)[0];
    double *y = ((void **)context)[1];
    for (int64_t row = first; row < last; ++row) {
        if (n->jacobian.inverse_mass[row] == 0) {
            memset(y + 3 * row, 0, 3 * sizeof *y);
        } else if (n->jacobian.active) {
            mo_active_project(n->jacobian.active, row, y + 3 * row);
        }
    }
}

void mo_newton_multiply(mo_newton *newton, const double *p, double *y)
{
    mo_jacobian *j = &newton->jacobian;
    if (newton->matrix_free) {
        mo_jacobian_product product = {j, &newton->args, newton->weights};
        mo_jacobian_apply(&product, p, y);
    } else {
        mo_block_matrix_multiply(&j->matrix, j->pool, p, y);
    }
    mo_parallel_for(j->pool, newton->args.rows, MO_FORCE_GRAIN, project_rows,
                    (void *[]){newton, y});
}
