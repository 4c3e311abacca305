/*
 * The state of rest: Newton's method on f(x) = 0, with the mass as a safety net (pseudo-transient continuation: C. T. Kelley, D. E. Keyes
 * 1998, SIAM J. Numer. Anal. 35, 508). A correction solves (alpha m - K) d = f. alpha is 0 as long as that works; where the
 * stiffness is singular or the correction makes things worse, alpha grows and the corrections become those of small steps of
 * implicit Euler without speed, which always go down in energy. K is exact where that is positive definite, so that near the
 * solution the convergence is quadratic; else it is the definite one.
 *
 * A correction is taken if it lowers the energy or the forces; before it is given up smaller parts of it are tried.
 *
 * Solids carry what lies on them. It is Newton's method with bounds (D. P. Bertsekas 1982, SIAM J. Control Optim. 20, 221): rows that lie
 * on a solid and are pressed against it keep to its surface in the correction, those that a correction would take inside are put back
 * on it, and what is pulled off is free in the next iteration. Friction holds a row if it can bear the force across; else
 * the row slides, with what friction leaves of that force. So rest with friction is one of many: that which the search comes to
 * first.
 *
 * Bodies that bend far are stiff against stretch, and a straight correction stretches what turns: going down in energy they take small
 * parts of many corrections. So where stress comes of Green's strain, and no solid is in the way, the search first runs: whole corrections, whatever becomes of the
 * energy, with the K of a mixed method (D. Magisano, L. Leonetti, G. Garcea 2017, Comput. Methods Appl. Mech. Eng. 313, 986), in
 * which stresses are unknowns beside the places. Their corrections are linear in the places', so K has the stresses without what the
 * correction has stretched by being straight. The forces on the right are those of the places, so the end is the same, and near
 * it the convergence is quadratic. As long as corrections do not become smaller fast the stresses that press are left
 * out of K, so that it is definite. What does not come to rest, or to a higher energy than at the start, begins anew, slowly.
 *
 * A balance is one of rest if the exact K is positive definite, which is known if the last correction was made with it from where the
 * forces were nearly in balance; else it is factored once more. If it is indefinite, the balance is that of a ball on a hill,
 * as a straight column under more than Euler's load: all particles are moved a little, and the search goes on down from there.
 */
#include "math/random.h"
#include "world/contact.h"
#include "world/held.h"

#include <math.h>
#include <string.h>

mote_static_options mote_static_options_default(void)
{
    return (mote_static_options){.tolerance = 1e-8, .iterations = 500};
}

enum { RIGHT, CORRECTION, KEPT, START, VECTORS, HALVINGS = 6, HILLS = 4, RUN = 15 };

/* Of the load: nearly in balance. */
#define NEARLY 1e-4

typedef struct search {
    mote_world *world;
    mo_system *system;
    mo_forces *forces;
    mo_jacobian jacobian;
    mo_linear_solver solver;
    mo_work work;
    double *v[VECTORS];
    double time, load, force, energy;
    double alpha, usual; /* usual: mean stiffness by mass */
    bool definite;
    bool proved; /* that K is positive definite where the search is now */
    mo_held held;
    mote_static_report *report;
} search;

static int64_t numbers(const search *s)
{
    return 3 * mo_store_rows(s->system->store);
}

/* Forces and energy of the state as it is. */
static mote_status look(search *s, mote_error *error)
{
    const mo_particle_columns *c = &s->system->columns;
    mote_measures m = {0};
    double sum = 0;
    MO_TRY(s->system->type->evaluate(s->system, s->time, error));
    s->report->evaluations++;
    for (int64_t k = 0; k < numbers(s); ++k) {
        double mass = mo_f64(c->inverse_mass)[k / 3] > 0 ? mo_f64(c->mass)[k / 3] : 0;
        s->v[RIGHT][k] = mass * mo_f64(c->a)[k];
    }
    s->jacobian.touch = mo_held_look(&s->held, s->system, s->time, s->v[RIGHT]);
    for (int64_t k = 0; k < numbers(s); ++k) {
        sum += s->v[RIGHT][k] * s->v[RIGHT][k];
    }
    memset(mo_f64(c->v), 0, (size_t)numbers(s) * sizeof(double)); /* of prescribed particles too */
    MO_TRY(s->system->type->measure(s->system, s->time, &m, error));
    s->force = sqrt(sum);
    s->energy = m.potential + m.elastic;
    return MOTE_OK;
}

/* What the forces are measured by: the weight of what is free, or what is out of balance at first. */
static double find_load(const search *s)
{
    const mo_particle_columns *c = &s->system->columns;
    double sum = 0, g = mo_dot(s->world->gravity, s->world->gravity);
    for (int64_t row = 0; row < mo_store_rows(s->system->store); ++row) {
        double m = mo_f64(c->inverse_mass)[row] > 0 ? mo_f64(c->mass)[row] : 0;
        sum += m * m * g;
    }
    return fmax(sqrt(sum), s->force);
}

/* `before`: where all was one correction ago, or is now. */
static mote_status correct(search *s, const double *before, bool only_definite, mo_linear_result *result,
                           mote_error *error)
{
    mo_force_args args = mo_forces_arguments(s->forces, s->time, MO_X, MO_V);
    args.before = before;
    mo_system_weights weights = {.inertia = s->alpha, .definite = s->definite};
    MO_TRY(mo_jacobian_lay_out(&s->jacobian, &args, mo_forces_coupling(s->forces), false, error));
    mo_jacobian_fill(&s->jacobian, &args, &weights);
    mo_jacobian_hold(&s->jacobian);
    memset(s->v[CORRECTION], 0, (size_t)numbers(s) * sizeof(double));
    mo_linear_system system = {.memory = s->system->memory,
                               .pool = s->system->pool,
                               .matrix = &s->jacobian.matrix,
                               .pattern = s->jacobian.number,
                               .b = s->v[RIGHT],
                               .x = s->v[CORRECTION],
                               .from_zero = true,
                               .only_definite = only_definite};
    MO_TRY(mo_linear_solve(&s->solver, &system, result, error));
    s->report->linear_iterations += result->iterations;
    s->proved = !result->indefinite && !s->definite && s->alpha == 0 && s->force <= NEARLY * s->load;
    return MOTE_OK;
}

/* The mean of the stiffnesses by the masses, to know what is little. */
static double mean_stiffness(const search *s)
{
    const mo_block_matrix *m = &s->jacobian.matrix;
    double stiffness = 0, mass = 0;
    for (int64_t row = 0; row < m->rows; ++row) {
        const double *block = m->value + 9 * m->diagonal[row];
        double own = mo_f64(s->system->columns.mass)[row];
        if (mo_f64(s->system->columns.inverse_mass)[row] > 0) {
            stiffness += (block[0] + block[4] + block[8]) / 3 - s->alpha * own;
            mass += own;
        }
    }
    return mass > 0 ? stiffness / mass : 0;
}

static void move(search *s, double part)
{
    double *x = mo_f64(s->system->columns.x);
    for (int64_t k = 0; k < numbers(s); ++k) {
        x[k] = s->v[KEPT][k] + part * s->v[CORRECTION][k];
    }
    if (s->held.solids) {
        mo_contacts_put_out(s->held.solids, s->system, s->time);
    }
}

/* A trial of part of the correction. */
typedef struct trial {
    double part, force, energy;
} trial;

static mote_status try_part(search *s, double part, trial *out, mote_error *error)
{
    move(s, part);
    MO_TRY(look(s, error));
    *out = (trial){part, s->force, s->energy};
    return MOTE_OK;
}

/* Where the parabola through the start (its slope is -f.d), and the trial has its least, within bounds. */
static double next_part(const trial *start, double slope, const trial *t)
{
    double rise = t->energy - start->energy - slope * t->part;
    double least = rise > 0 && isfinite(rise) ? -0.5 * slope * t->part * t->part / rise : 0;
    return fmin(fmax(least, 0.1 * t->part), 0.5 * t->part);
}

/* Tries the correction, whole and then smaller parts of it; goes back if none is good. One that is good is made smaller as long
   as that lowers the energy further: an evaluation costs far less than the next correction. */
static mote_status try_correction(search *s, bool *better, mote_error *error)
{
    trial start = {0, s->force, s->energy}, best = {0}, t = {.part = 1};
    double slope = -mo_dot_range(s->v[RIGHT], s->v[CORRECTION], 0, numbers(s));
    memcpy(s->v[KEPT], mo_f64(s->system->columns.x), (size_t)numbers(s) * sizeof(double));
    *better = false;
    for (int k = 0; k <= HALVINGS; ++k) {
        MO_TRY(try_part(s, k == 0 ? 1 : next_part(&start, slope, &t), &t, error));
        bool finite = isfinite(t.force) && isfinite(t.energy);
        bool lower = finite && t.energy < start.energy - 1e-12 * fabs(start.energy);
        bool good = lower || (finite && t.force < start.force);
        if (*better && !(good && t.energy < best.energy)) {
            return try_part(s, best.part, &t, error);
        }
        if (good) {
            *better = true;
            best = t;
        }
        if (good && (t.force < 0.5 * start.force || next_part(&start, slope, &t) > 0.45 * t.part)) {
            return MOTE_OK;
        }
    }
    return try_part(s, best.part, &t, error);
}

static bool moved_by_rounding(const search *s)
{
    double d = mo_dot_range(s->v[CORRECTION], s->v[CORRECTION], 0, numbers(s));
    return s->alpha == 0 && d <= 1e-28 * mo_dot_range(s->v[KEPT], s->v[KEPT], 0, numbers(s));
}

static mote_status iterate(search *s, bool *at_rest, mote_error *error)
{
    mo_linear_result result;
    bool better = false;
    MO_TRY(correct(s, s->definite ? NULL : mo_f64(s->system->columns.x), false, &result, error));
    s->usual = s->usual > 0 ? s->usual : mean_stiffness(s);
    bool solved = !result.indefinite && (result.converged || result.residual < 1e-3);
    if (solved) {
        MO_TRY(try_correction(s, &better, error));
        *at_rest = moved_by_rounding(s);
    }
    double least = s->usual > 0 ? 1e-8 * s->usual : 1;
    if (better) {
        s->alpha = s->alpha > 10 * least ? 0.1 * s->alpha : 0;
        s->definite = s->alpha > 0;
    } else if (!s->definite) {
        s->definite = true;
    } else {
        s->alpha = fmax(10 * s->alpha, least);
    }
    return MOTE_OK;
}

static mote_status fail_to_rest(const search *s, mote_error *error)
{
    int64_t worst = 0;
    double most = -1;
    for (int64_t row = 0; row < mo_store_rows(s->system->store); ++row) {
        double f = mo_length(mo_vec3_load(s->v[RIGHT] + 3 * row));
        worst = f > most || isnan(f) ? row : worst;
        most = f > most ? f : most;
    }
    int32_t body = ((const int32_t *)s->system->columns.body->data)[worst];
    return mo_fail(
        error, MOTE_ERROR_NUMERIC,
        "no state of rest was found in %lld iterations: forces of %.3g N are left, %.3g of the load, the "
        "largest on particle %lld of '%s'. Likely cause: it is not held against moving or turning as a "
        "whole (pins), or it can fall on; a run with damping shows where it goes",
        (long long)s->report->iterations, s->force, s->force / s->load,
        (long long)mo_i64(s->system->columns.id)[worst], s->system->bodies[body].name);
}

static mote_status descend(search *s, const mote_static_options *o, bool *at_rest, mote_error *error)
{
    *at_rest = false;
    while (s->force > o->tolerance * s->load && !*at_rest && s->report->iterations < o->iterations) {
        MO_TRY(iterate(s, at_rest, error));
        s->report->iterations++;
    }
    return MOTE_OK;
}

/* ---- the run at it ---- */

static double length_of(const search *s, int vector)
{
    return sqrt(mo_dot_range(s->v[vector], s->v[vector], 0, numbers(s)));
}

/* A correction of the mixed method, without the stresses that press if it is `rough` or cannot be had otherwise; false if there is
   none. */
static mote_status correct_mixed(search *s, bool rough, bool *there, mote_error *error)
{
    mo_linear_result result;
    s->definite = rough;
    MO_TRY(correct(s, s->v[KEPT], false, &result, error));
    if (result.indefinite && !rough) {
        s->definite = true;
        MO_TRY(correct(s, s->v[KEPT], false, &result, error));
    }
    *there = !result.indefinite && result.residual < 1e-3;
    s->report->iterations++;
    return MOTE_OK;
}

static mote_status run_mixed(search *s, const mote_static_options *o, mote_error *error)
{
    double *x = mo_f64(s->system->columns.x), length[2] = {INFINITY, INFINITY}, energy = s->energy;
    size_t bytes = (size_t)numbers(s) * sizeof *x;
    bool there = true;
    memcpy(s->v[KEPT], x, bytes);
    for (int k = 0; k < RUN && s->report->iterations < o->iterations && s->force > o->tolerance * s->load;
         ++k) {
        MO_TRY(correct_mixed(s, k > 0 && !(length[0] < 0.5 * length[1]), &there, error));
        length[1] = length[0];
        length[0] = length_of(s, CORRECTION);
        if (!there || !(length[0] < 2 * length[1])) {
            break;
        }
        memcpy(s->v[KEPT], x, bytes);
        move(s, 1);
        MO_TRY(look(s, error));
    }
    s->definite = false;
    if (!(s->force <= o->tolerance * s->load && s->energy <= energy)) {
        memcpy(x, s->v[START], bytes);
        s->proved = false;
        return look(s, error);
    }
    return MOTE_OK;
}

/* ---- hills ---- */

/* Of the extent of everything. */
#define NUDGE 1e-4

static void nudge(search *s, int round)
{
    double *x = mo_f64(s->system->columns.x), low = INFINITY, high = -INFINITY;
    for (int64_t k = 0; k < numbers(s); ++k) {
        low = fmin(low, x[k]);
        high = fmax(high, x[k]);
    }
    for (int64_t row = 0; row < numbers(s) / 3; ++row) {
        uint64_t id = (uint64_t)mo_i64(s->system->columns.id)[row];
        if (mo_f64(s->system->columns.inverse_mass)[row] > 0) {
            mo_vec3 way = mo_random_cube(0, 0, id, (uint32_t)round);
            mo_vec3_store(x + 3 * row, mo_add_scaled(mo_vec3_load(x + 3 * row), NUDGE * (high - low), way));
        }
    }
}

/* Whether nothing falls from here; if there is no telling, it is. */
static mote_status is_stable(search *s, bool *stable, mote_error *error)
{
    mo_linear_result result = {.indefinite = false};
    s->definite = false;
    s->alpha =
        s->jacobian.touch ? 1e-8 * s->usual : 0; /* what lies on the ground may slide: that is no fall */
    if (!s->proved) {
        MO_TRY(correct(s, mo_f64(s->system->columns.x), true, &result, error));
    }
    *stable = !result.indefinite;
    return MOTE_OK;
}

/* Down from balances that are none. */
static mote_status leave_hills(search *s, const mote_static_options *o, bool *at_rest, mote_error *error)
{
    for (int round = 0; round < HILLS; ++round) {
        bool stable = true;
        if (s->force <= o->tolerance * s->load || *at_rest) {
            MO_TRY(is_stable(s, &stable, error));
        }
        if (stable) {
            return MOTE_OK;
        }
        mo_warn(&s->world->warnings, &s->world->log, s->time, "unstable",
                "the forces balance, but the least push would end that (as of a column that buckles); the "
                "state of "
                "rest is one beside it, on a side that a small push chose");
        nudge(s, round);
        MO_TRY(look(s, error));
        MO_TRY(descend(s, o, at_rest, error));
    }
    return MOTE_OK;
}

static mote_status run_search(search *s, const mote_static_options *o, mote_error *error)
{
    mote_static_report *r = s->report;
    bool at_rest;
    memset(mo_f64(s->system->columns.v), 0, (size_t)numbers(s) * sizeof(double));
    if (s->held.solids) {
        mo_contacts_put_out(s->held.solids, s->system, s->time);
    }
    MO_TRY(look(s, error));
    memcpy(s->v[START], mo_f64(s->system->columns.x), (size_t)numbers(s) * sizeof(double));
    s->load = find_load(s);
    if (s->held.across > 1e-6 * s->load) {
        mo_warn(&s->world->warnings, &s->world->log, s->time, "plane",
                "forces of %.3g N act across the x-y plane on plane bodies, which know nothing but it: they "
                "are left out; gravity along y, perhaps?",
                s->held.across);
    }
    if (!s->held.solids && mo_jacobian_is_mixed(&s->jacobian)) {
        MO_TRY(run_mixed(s, o, error));
    }
    MO_TRY(descend(s, o, &at_rest, error));
    MO_TRY(leave_hills(s, o, &at_rest, error));
    r->force = s->force;
    r->residual = s->load > 0 ? s->force / s->load : 0;
    for (int64_t row = 0; row < mo_store_rows(s->system->store); ++row) {
        mo_vec3 now = mo_vec3_load(mo_f64(s->system->columns.x) + 3 * row);
        r->moved = fmax(r->moved, mo_length(mo_sub(now, mo_vec3_load(s->v[START] + 3 * row))));
    }
    return s->force <= o->tolerance * s->load || at_rest ? MOTE_OK : fail_to_rest(s, error);
}

mote_status mote_world_solve_static(mote_world *world, const mote_static_options *options,
                                    mote_static_report *report, mote_error *error)
{
    mote_static_options usual = mote_static_options_default();
    mote_static_report unused;
    search s = {.world = world, .report = report ? report : &unused};
    options = options ? options : &usual;
    *s.report = (mote_static_report){0};
    MO_TRY(mo_world_find_forces(world, &s.system, error));
    s.forces = s.system->state;
    s.time = options->time;
    s.jacobian = mo_forces_jacobian(s.forces);
    MO_TRY(mo_linear_open(&world->memory, mo_linear_exact(), &s.solver, error));
    mote_status status = mo_work_vectors(&world->memory, &s.work, VECTORS, numbers(&s) + 1, s.v, error);
    status = status == MOTE_OK ? mo_held_open(&s.held, world, s.system, s.time, error) : status;
    if (status == MOTE_OK) {
        status = run_search(&s, options, error);
    }
    mo_linear_close(&s.solver);
    mo_jacobian_release(&s.jacobian);
    mo_release(&world->memory, s.work.block);
    mo_held_close(&s.held, world);
    mo_forces_place_again(s.forces);
    mote_world_touch(world, 0);
    return status;
}
