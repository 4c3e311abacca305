/*
 * Static equilibrium: Newton's method on f(x) = 0 with pseudo-transient continuation (C. T. Kelley,
 * D. E. Keyes 1998, SIAM J. Numer. Anal. 35, 508), (alpha m - K) d = f. alpha is 0 unless K is
 * singular or a correction fails; with it corrections are those of implicit Euler without velocity,
 * which decrease the energy. K is exact where it is positive definite, else its positive definite
 * part. A correction is accepted if it lowers the energy or the residual, else it is shortened.
 *
 * Contacts with colliders are unilateral constraints with Coulomb friction (static_contacts.h), by
 * a projected Newton method (D. P. Bertsekas 1982, SIAM J. Control Optim. 20, 221): supported rows
 * stay on the surface, rows inside are projected onto it, rows under tension are free in the next
 * iteration; curved surfaces add a geometric stiffness. With friction the equilibrium is not
 * unique: it is the first that the iteration reaches.
 *
 * Where stress follows from Green's strain, and no collider is near, full Newton steps without line
 * search come first, with the K of a mixed method (D. Magisano, L. Leonetti, G. Garcea 2017,
 * Comput. Methods Appl. Mech. Eng. 313, 986), whose stresses are unknowns: far fewer iterations in
 * large bending. If they do not converge, or to a higher energy, the solve restarts.
 *
 * An equilibrium is stable if the exact K is positive definite. At an unstable one (a straight
 * column beyond Euler's load) all particles are perturbed and the solve continues. See
 * docs/solids.md.
 */
#include "analysis/static.h"

#include "analysis/static_constraints.h"
#include "math/random.h"
#include "world/reactions.h"

#include <math.h>
#include <string.h>

mote_static_options mote_static_options_default(void)
{
    return (mote_static_options){.tolerance = 1e-8, .iterations = 500};
}

enum { RIGHT, CORRECTION, KEPT, START, VECTORS, HALVINGS = 6, HILLS = 4, RUN = 15 };

/* Corrections after which a failed option is tried again. */
enum { PATIENCE = 8 };

/* Residual relative to the load below which the state is nearly in equilibrium. */
#define NEARLY 1e-4

/* Smallest and largest alpha, relative to the mean stiffness by mass. */
#define LEAST 1e-10
#define MOST 1e10

/* Largest displacement in one correction and in total, relative to the size of the scene. */
#define STRIDE 0.2
#define FAR 5

typedef struct search {
    mote_world *world;
    mo_system *system;
    const mo_static_hooks *hooks; /* of the system */
    mo_jacobian jacobian;
    mo_linear_solver solver;
    mo_work work;
    double *v[VECTORS];
    double time, load, force, energy;
    double size, stride;     /* of the scene; largest displacement in one correction [m] */
    double alpha, mean_rate; /* `mean_rate`: mean stiffness by mass */
    bool definite;
    int patience; /* remaining corrections with alpha > 0, and with definite K if it is now */
    bool proved;  /* the exact K is positive definite at the current iterate */
    mo_static_constraints constraints;
    mote_static_report *report;
} search;

static int64_t numbers(const search *s)
{
    return 3 * mo_store_owned(s->system->store);
}

/* The forces of the last evaluation on free particles. */
static void find_forces(const search *s, double *f)
{
    const mo_particle_columns *c = &s->system->columns;
    for (int64_t k = 0; k < numbers(s); ++k) {
        double mass = mo_f64(c->inverse_mass)[k / 3] > 0 ? mo_f64(c->mass)[k / 3] : 0;
        f[k] = mass * mo_f64(c->a)[k];
    }
}

/* Forces and energy of the current state. */
static mote_status evaluate(search *s, mote_error *error)
{
    const mo_particle_columns *c = &s->system->columns;
    mote_measures m = {0};
    double sum = 0;
    MO_TRY(s->system->type->evaluate(s->system, s->time, error));
    s->report->evaluations++;
    find_forces(s, s->v[RIGHT]);
    s->jacobian.active =
        mo_static_constraints_find(&s->constraints, s->system, s->time, s->v[RIGHT]);
    for (int64_t k = 0; k < numbers(s); ++k) {
        sum += s->v[RIGHT][k] * s->v[RIGHT][k];
    }
    memset(mo_f64(c->v), 0, (size_t)numbers(s) * sizeof(double)); /* of prescribed particles too */
    MO_TRY(s->system->type->measure(s->system, s->time, false, &m, error));
    s->force = sqrt(sum);
    s->energy = m.potential + m.elastic;
    return MOTE_OK;
}

/* The reference of the residual: the weight of the free particles, or the initial residual. */
static double find_load(const search *s)
{
    const mo_particle_columns *c = &s->system->columns;
    double sum = 0, g = mo_dot(s->world->host.gravity, s->world->host.gravity);
    for (int64_t row = 0; row < mo_store_owned(s->system->store); ++row) {
        double m = mo_f64(c->inverse_mass)[row] > 0 ? mo_f64(c->mass)[row] : 0;
        sum += m * m * g;
    }
    return fmax(sqrt(sum), s->force);
}

/* `before`: the positions of the previous iterate, or the current ones. */
static mote_status correct(search *s, const double *before, bool only_definite,
                           mo_linear_result *result, mote_error *error)
{
    mo_force_args args = s->hooks->arguments(s->system, s->time);
    args.before = before;
    mo_system_weights weights = {.inertia = s->alpha, .definite = s->definite};
    MO_TRY(mo_jacobian_lay_out(&s->jacobian, &args, s->hooks->coupling(s->system), false, error));
    mo_jacobian_fill(&s->jacobian, &args, &weights);
    mo_static_constraints_add_stiffness(&s->constraints, s->jacobian.active, &s->jacobian.matrix,
                                        s->definite);
    mo_jacobian_eliminate(&s->jacobian);
    memset(s->v[CORRECTION], 0, (size_t)numbers(s) * sizeof(double));
    mo_linear_system system = {.memory = s->system->host->memory,
                               .pool = s->system->host->pool,
                               .matrix = &s->jacobian.matrix,
                               .pattern = s->jacobian.number,
                               .b = s->v[RIGHT],
                               .x = s->v[CORRECTION],
                               .from_zero = true,
                               .only_definite = only_definite};
    MO_TRY(mo_linear_solve(&s->solver, &system, result, error));
    s->report->linear_iterations += result->iterations;
    s->proved =
        !result->indefinite && !s->definite && s->alpha == 0 && s->force <= NEARLY * s->load;
    return MOTE_OK;
}

/* The mean of stiffness by mass, as the scale of alpha. */
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
    mo_static_constraints_project(&s->constraints, s->system, s->time);
}

/* A trial step along the correction. */
typedef struct trial {
    double part, force, energy;
} trial;

static mote_status try_part(search *s, double part, trial *out, mote_error *error)
{
    move(s, part);
    MO_TRY(evaluate(s, error));
    *out = (trial){part, s->force, s->energy};
    return MOTE_OK;
}

/* The minimum of the parabola through the start (derivative -f.d) and the trial, within bounds. */
static double next_part(const trial *start, double slope, const trial *t)
{
    double rise = t->energy - start->energy - slope * t->part;
    double least = rise > 0 && isfinite(rise) ? -0.5 * slope * t->part * t->part / rise : 0;
    return fmin(fmax(least, 0.1 * t->part), 0.5 * t->part);
}

/* Line search: tries the full correction and then shorter ones; restores the state if none is
 * accepted. An accepted step is shortened further as long as the energy decreases, since an
 * evaluation costs far less than a correction. */
static mote_status try_correction(search *s, bool *better, mote_error *error)
{
    trial start = {0, s->force, s->energy}, best = {0}, t = {.part = 1};
    double slope = -mo_dot_range(s->v[RIGHT], s->v[CORRECTION], 0, numbers(s));
    memcpy(s->v[KEPT], mo_f64(s->system->columns.x), (size_t)numbers(s) * sizeof(double));
    mo_static_constraints_accept(&s->constraints, s->system);
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

static double longest_way(const search *s)
{
    double most = 0;
    for (int64_t row = 0; row < numbers(s) / 3; ++row) {
        most = fmax(most, mo_length(mo_vec3_load(s->v[CORRECTION] + 3 * row)));
    }
    return most;
}

static double least_alpha(const search *s)
{
    return s->mean_rate > 0 ? LEAST * s->mean_rate : 1;
}

/* A correction bounded by the stride: alpha damps weakly constrained components and leaves the
 * others nearly unchanged; a correction that is still too long is scaled. */
static mote_status correct_shortly(search *s, mo_linear_result *result, mote_error *error)
{
    enum { TURNS = 3 };
    for (int turn = 0;; ++turn) {
        MO_TRY(correct(s, s->definite ? NULL : mo_f64(s->system->columns.x), false, result, error));
        s->mean_rate = s->mean_rate > 0 ? s->mean_rate : mean_stiffness(s);
        double most = result->indefinite ? 0 : longest_way(s);
        if (!(most > s->stride)) {
            return MOTE_OK;
        }
        if (turn == TURNS || (turn > 0 && most < 2 * s->stride)) {
            for (int64_t k = 0; k < numbers(s); ++k) {
                s->v[CORRECTION][k] *= s->stride / most;
            }
            return MOTE_OK;
        }
        s->alpha = fmax(s->alpha * most / s->stride, least_alpha(s));
        s->patience = PATIENCE;
    }
}

static bool moved_by_rounding(const search *s)
{
    double d = mo_dot_range(s->v[CORRECTION], s->v[CORRECTION], 0, numbers(s));
    return s->alpha <= least_alpha(s) &&
           d <= 1e-28 * mo_dot_range(s->v[KEPT], s->v[KEPT], 0, numbers(s));
}

/* Chooses alpha and the definiteness of K for the next correction: less after an accepted one,
 * else more. */
static void choose_damping(search *s, bool better)
{
    double least = least_alpha(s);
    s->patience -= s->patience > 0;
    if (better) {
        s->alpha = fmax(0.1 * s->alpha, s->patience > 0 ? least : 0);
        s->alpha = s->alpha < least ? 0 : s->alpha;
        s->definite = s->definite && s->patience > 0;
        return;
    }
    s->definite = s->definite || s->alpha > 0;
    s->alpha = s->definite && s->patience > 0 ? fmax(10 * s->alpha, least) : fmax(s->alpha, least);
    s->patience = PATIENCE;
    if (s->alpha > MOST / LEAST * least) {
        s->alpha = 0;
        s->definite = false;
    }
}

static mote_status iterate(search *s, bool *converged, mote_error *error)
{
    mo_linear_result result;
    bool better = false;
    MO_TRY(correct_shortly(s, &result, error));
    if (!result.indefinite && (result.converged || result.residual < 1e-3)) {
        MO_TRY(try_correction(s, &better, error));
        *converged = moved_by_rounding(s);
    }
    choose_damping(s, better);
    return better ? mo_static_constraints_notify(s->system, mo_f64(s->system->columns.x), error)
                  : MOTE_OK;
}

/* ---- termination ---- */

/* The name of the body whose particle has the largest value, and the particle. */
static const char *worst_of(const search *s, const double *size, int64_t *row)
{
    *row = 0;
    for (int64_t k = 0; k < numbers(s) / 3; ++k) {
        *row = size[k] > size[*row] || isnan(size[k]) ? k : *row;
    }
    return s->system->bodies.list[((const int32_t *)s->system->columns.body->data)[*row]].name;
}

/* The largest displacement of a particle so far; those of all particles are written to
 * CORRECTION, which is free here. */
static double displacement_of(const search *s)
{
    double most = 0, *way = s->v[CORRECTION];
    for (int64_t row = 0; row < numbers(s) / 3; ++row) {
        mo_vec3 now = mo_vec3_load(mo_f64(s->system->columns.x) + 3 * row);
        way[row] = mo_length(mo_sub(now, mo_vec3_load(s->v[START] + 3 * row)));
        most = fmax(most, way[row]);
    }
    return most;
}

static mote_status fail_to_stay(const search *s, double way, mote_error *error)
{
    int64_t row;
    const char *name = worst_of(s, s->v[CORRECTION], &row);
    return mo_fail(
        error, MOTE_ERROR_NUMERIC,
        "no static equilibrium nearby: after %lld iterations '%s' has moved %.3g m, %.2g times the "
        "size of the scene, and keeps moving. Its rigid-body motion is not constrained: it needs "
        "pins, a collider below it, or friction",
        (long long)s->report->iterations, name, way, way / s->size);
}

static mote_status fail_to_converge(const search *s, mote_error *error)
{
    int64_t row;
    for (int64_t k = 0; k < numbers(s) / 3; ++k) {
        s->v[CORRECTION][k] = mo_length(mo_vec3_load(s->v[RIGHT] + 3 * k));
    }
    const char *name = worst_of(s, s->v[CORRECTION], &row);
    return mo_fail(
        error, MOTE_ERROR_NUMERIC,
        "the static solve did not converge in %lld iterations: the residual force is %.3g N, %.3g "
        "of the load, largest on particle %lld of '%s'. Likely cause: its rigid-body motion is not "
        "constrained (pins), it is still falling, or bodies in frictionless contact slide; a run "
        "with damping shows its motion",
        (long long)s->report->iterations, s->force, s->force / s->load,
        (long long)mo_i64(s->system->columns.id)[row], name);
}

static mote_status descend(search *s, const mote_static_options *o, bool *converged,
                           mote_error *error)
{
    *converged = false;
    while (s->force > o->tolerance * s->load && !*converged &&
           s->report->iterations < o->iterations) {
        MO_TRY(mo_world_check_cancelled(s->world, error));
        MO_TRY(iterate(s, converged, error));
        s->report->iterations++;
        double way = s->report->iterations % PATIENCE == 0 ? displacement_of(s) : 0;
        if (way > FAR * s->size) {
            s->report->force = s->force;
            s->report->residual = s->load > 0 ? s->force / s->load : 0;
            s->report->displacement = way;
            return fail_to_stay(s, way, error);
        }
    }
    return MOTE_OK;
}

/* ---- mixed Newton iterations ---- */

static double length_of(const search *s, int vector)
{
    return sqrt(mo_dot_range(s->v[vector], s->v[vector], 0, numbers(s)));
}

/* A correction of the mixed method, without compressive stresses if it is `rough` or if the full
 * matrix is indefinite; false if there is none. */
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
    for (int k = 0;
         k < RUN && s->report->iterations < o->iterations && s->force > o->tolerance * s->load;
         ++k) {
        MO_TRY(mo_world_check_cancelled(s->world, error));
        MO_TRY(correct_mixed(s, k > 0 && !(length[0] < 0.5 * length[1]), &there, error));
        length[1] = length[0];
        length[0] = length_of(s, CORRECTION);
        if (!there || !(length[0] < 2 * length[1])) {
            break;
        }
        memcpy(s->v[KEPT], x, bytes);
        move(s, 1);
        MO_TRY(evaluate(s, error));
    }
    s->definite = false;
    if (!(s->force <= o->tolerance * s->load && s->energy <= energy)) {
        memcpy(x, s->v[START], bytes);
        s->proved = false;
        return evaluate(s, error);
    }
    return MOTE_OK;
}

/* ---- unstable equilibria ---- */

/* Perturbation, relative to the extent of the scene. */
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
            mo_vec3_store(x + 3 * row,
                          mo_add_scaled(mo_vec3_load(x + 3 * row), NUDGE * (high - low), way));
        }
    }
}

/* Whether the exact K is positive definite; assumed if it cannot be determined. Null modes are
 * not unstable: the smallest alpha suffices for them. */
static mote_status is_stable(search *s, bool *stable, mote_error *error)
{
    mo_linear_result result = {.indefinite = !s->proved};
    s->definite = false;
    for (int turn = 0; turn < 2 && result.indefinite; ++turn) {
        s->alpha = turn == 0 ? 0 : least_alpha(s);
        MO_TRY(correct(s, mo_f64(s->system->columns.x), true, &result, error));
        s->mean_rate = s->mean_rate > 0 ? s->mean_rate : mean_stiffness(s);
    }
    s->alpha = 0;
    *stable = !result.indefinite;
    return MOTE_OK;
}

/* Leaves unstable equilibria. */
static mote_status leave_unstable(search *s, const mote_static_options *o, bool *converged,
                                  mote_error *error)
{
    for (int round = 0; round < HILLS; ++round) {
        bool stable = true;
        if (s->force <= o->tolerance * s->load || *converged) {
            MO_TRY(is_stable(s, &stable, error));
        }
        if (stable) {
            return MOTE_OK;
        }
        mo_warn(
            &s->world->warnings, &s->world->log, s->time, "unstable",
            "the first equilibrium was unstable (a bifurcation, such as a buckling column); the "
            "stable equilibrium returned is on the branch selected by a small perturbation");
        nudge(s, round);
        MO_TRY(evaluate(s, error));
        s->load = s->load > 0 ? s->load : s->force;
        MO_TRY(descend(s, o, converged, error));
    }
    return MOTE_OK;
}

/* ---- size of the scene ---- */

/* The largest distance of a point from a collider. */
static double farthest_collider(const search *s, mo_vec3 point)
{
    mo_colliders_pose(s->constraints.colliders, s->time);
    return mo_colliders_farthest(s->constraints.colliders, point);
}

/* The extent of the bodies plus the distance to the colliders. */
static double size_of(const search *s)
{
    const double *x = mo_f64(s->system->columns.x);
    mo_vec3 low = mo_vec3_make(INFINITY, INFINITY, INFINITY), high = mo_scale(-1, low);
    for (int64_t row = 0; row < numbers(s) / 3; ++row) {
        mo_vec3 p = mo_vec3_load(x + 3 * row);
        low = mo_vec3_make(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = mo_vec3_make(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    double size = mo_length(mo_sub(high, low));
    mo_vec3 middle = mo_scale(0.5, mo_add(low, high));
    return fmax(size, s->constraints.colliders ? farthest_collider(s, middle) : 0);
}

static void find_sizes(search *s)
{
    s->size = size_of(s);
    s->stride = STRIDE * s->size;
    const mo_force *force;
    for (int k = 0; (force = s->hooks->force(s->system, k)) != NULL; ++k) {
        s->stride = force->stride > 0 ? fmin(s->stride, force->stride) : s->stride;
    }
    s->size = s->size > 0 ? s->size : 1;
    s->stride = s->stride > 0 ? s->stride : STRIDE;
}

/* History-dependent quantities, such as plastic strain and heat, do not evolve in a static
 * solve. */
static void warn_about_history(const search *s)
{
    const mo_force *force;
    for (int k = 0; (force = s->hooks->force(s->system, k)) != NULL; ++k) {
        if (force->evolves) {
            mo_warn(
                &s->world->warnings, &s->world->log, s->time, "static memory",
                "'%s': the static solve keeps the plastic strain fixed and treats further strain "
                "as elastic; use a run with damping for plastic flow",
                force->type->base.name);
        }
    }
}

/* Forces that are finite one by one may overflow in their norm, and no residual is small
 * relative to that. */
static mote_status check_start(const search *s, mote_error *error)
{
    if (isfinite(s->load) && isfinite(s->energy)) {
        return MOTE_OK;
    }
    return mo_fail(
        error, MOTE_ERROR_NUMERIC,
        "t = %g s: the initial forces are not finite: their norm is %g N, the energy %g J. Likely "
        "cause: stiffnesses or loads that are too large, or a body that starts far from its rest "
        "shape; use smaller ones",
        s->time, s->load, s->energy);
}

static mote_status run_search(search *s, const mote_static_options *o, mote_error *error)
{
    mote_static_report *r = s->report;
    bool converged;
    memset(mo_f64(s->system->columns.v), 0, (size_t)numbers(s) * sizeof(double));
    find_sizes(s);
    mo_static_constraints_project(&s->constraints, s->system, s->time);
    MO_TRY(mo_static_constraints_notify(s->system, mo_f64(s->system->columns.x), error));
    MO_TRY(evaluate(s, error));
    memcpy(s->v[START], mo_f64(s->system->columns.x), (size_t)numbers(s) * sizeof(double));
    s->load = find_load(s);
    MO_TRY(check_start(s, error));
    s->hooks->set_trial(s->system, true); /* the line search checks the forces of trials */
    warn_about_history(s);
    if (s->constraints.plane_force > 1e-6 * s->load) {
        mo_warn(
            &s->world->warnings, &s->world->log, s->time, "plane",
            "out-of-plane forces of %.3g N on plane bodies are ignored, since these deform in the "
            "x-y plane only; did you mean gravity along y?",
            s->constraints.plane_force);
    }
    if (!s->constraints.colliders && mo_jacobian_is_mixed(&s->jacobian)) {
        MO_TRY(run_mixed(s, o, error));
    }
    MO_TRY(descend(s, o, &converged, error));
    MO_TRY(leave_unstable(s, o, &converged, error));
    r->force = s->force;
    r->residual = s->load > 0 ? s->force / s->load : 0;
    r->displacement = displacement_of(s);
    return s->force <= o->tolerance * s->load || converged ? MOTE_OK : fail_to_converge(s, error);
}

/* ---- reactions ---- */

/* The loads on colliders in the equilibrium: of contact constraints, and of force laws, stored
 * by their couplings. */
static mote_status keep_reactions(search *s, mote_error *error)
{
    mo_memory *memory = &s->world->memory;
    mo_contact_set set;
    mo_reactions reactions;
    if (!s->world->host.wants_reactions) {
        return MOTE_OK;
    }
    mo_contact_set_init(&set, memory);
    mo_reactions_init(&reactions, memory);
    find_forces(s, s->v[RIGHT]);
    mote_status status = mo_static_constraints_list_contacts(&s->constraints, s->system, s->time,
                                                             s->v[RIGHT], &set, error);
    if (status == MOTE_OK) {
        status = mo_contact_set_react(&set, &s->world->colliders, s->time, &reactions, error);
    }
    if (status == MOTE_OK) {
        status = mo_world_keep_static_reactions(s->world, &reactions, error);
    }
    mo_reactions_release(&reactions);
    mo_contact_set_release(&set);
    return status;
}

static mote_status check_options(const mote_static_options *o, const char *function,
                                 mote_error *error)
{
    if (!isfinite(o->time)) {
        return mo_fail_argument(error, function, "options.time", "is %g s; allowed: finite times",
                                o->time);
    }
    if (!(o->tolerance > 0 && o->tolerance < 1)) {
        return mo_fail_argument(error, function, "options.tolerance",
                                "is %g; allowed: above 0 and below 1", o->tolerance);
    }
    if (o->iterations < 1) {
        return mo_fail_argument(error, function, "options.iterations", "is %d; allowed: 1 and more",
                                o->iterations);
    }
    return MOTE_OK;
}

mote_status mo_static_system(mote_world *world, mo_system **system, mote_error *error)
{
    for (int k = 0; k < world->system_count; ++k) {
        const mo_static_hooks *hooks = world->systems[k].type->statics;
        if (hooks) {
            *system = &world->systems[k];
            return hooks->check(*system, error);
        }
    }
    return mo_fail(error, MOTE_ERROR_INPUT,
                   "bodies: the scene has no deformable bodies or "
                   "particles");
}

mote_status mote_world_solve_static(mote_world *world, const mote_static_options *options,
                                    mote_static_report *report, mote_error *error)
{
    MO_NEED(world);
    mote_static_options defaults = mote_static_options_default();
    mote_static_report unused;
    search s = {.world = world, .report = report ? report : &unused};
    options = options ? options : &defaults;
    *s.report = (mote_static_report){0};
    MO_TRY(check_options(options, __func__, error));
    MO_TRY(mo_static_system(world, &s.system, error));
    s.hooks = s.system->type->statics;
    s.time = options->time;
    s.jacobian = s.hooks->jacobian(s.system);
    MO_TRY(mo_linear_open(&world->memory, mo_linear_exact(), &s.solver, error));
    mote_status status =
        mo_work_vectors(&world->memory, &s.work, VECTORS, numbers(&s) + 1, s.v, error);
    status = status == MOTE_OK
                 ? mo_static_constraints_create(&s.constraints, world, s.system, s.time, error)
                 : status;
    if (status == MOTE_OK) {
        status = run_search(&s, options, error);
    }
    s.hooks->set_trial(s.system, false);
    mo_static_constraints_notify(s.system, NULL, NULL);
    status = status == MOTE_OK ? keep_reactions(&s, error) : status;
    mo_linear_close(&s.solver);
    mo_jacobian_release(&s.jacobian);
    mo_release(&world->memory, s.work.block);
    mo_static_constraints_destroy(&s.constraints, world);
    s.hooks->end(s.system);
    mote_world_invalidate(world, (int)(s.system - world->systems));
    return status;
}
