/*
 * One evaluation: for each block of rows, within the cache,
 *    f = m g,  f += every force,  f += every callback,  a = f / m  (0 for fixed particles).
 * The array of the accelerations contains the forces until then.
 */
#include "system/forces/forces.h"

#include "collide/active.h"
#include "collide/law.h"
#include "host/orientation.h"
#include "math/wide.h"
#include "solid/model/model.h"
#include "system/forces/def.h"
#include "system/forces/health.h"
#include "system/forces/resort.h"
#include "system/forces/state.h"

#include <stdio.h>
#include <string.h>

typedef struct evaluation {
    const mo_forces *forces;
    mo_force_args args;
    const double *inverse_mass;
    mo_vec3 gravity; /* current */
    double *turning; /* second derivatives of the quaternions; NULL without oriented particles */
} evaluation;

static void start_with_gravity(const evaluation *e, int64_t first, int64_t last)
{
    mo_vec3 g = e->gravity;
    const mo_d4 pull[3] = {{g.x, g.y, g.z, g.x}, {g.y, g.z, g.x, g.y}, {g.z, g.x, g.y, g.z}};
    const double *mass = e->args.mass;
    double *f = e->args.f;
    int64_t row = first;
    if (g.x == 0 && g.y == 0 && g.z == 0) { /* without reading the masses */
        memset(f + 3 * first, 0, (size_t)(3 * (last - first)) * sizeof *f);
        return;
    }
    for (; row + 4 <= last; row += 4) {
        mo_d4 m[3];
        mo_d4_spread3(mo_d4_load(mass + row), m);
        for (int k = 0; k < 3; ++k) {
            mo_d4_store(f + 3 * row + 4 * k, m[k] * pull[k]);
        }
    }
    for (; row < last; ++row) {
        f[3 * row] = mass[row] * g.x;
        f[3 * row + 1] = mass[row] * g.y;
        f[3 * row + 2] = mass[row] * g.z;
    }
}

/* Returns 0, or NaN if an acceleration is not finite. */
static double divide_by_mass(const evaluation *e, int64_t first, int64_t last)
{
    double *f = e->args.f;
    int64_t row = first;
    mo_d4 spoiled = {0, 0, 0, 0};
    for (; row + 4 <= last; row += 4) {
        mo_d4 w[3];
        mo_d4_spread3(mo_d4_load(e->inverse_mass + row), w);
        for (int k = 0; k < 3; ++k) {
            double *at = f + 3 * row + 4 * k;
            mo_d4 a = mo_d4_load(at) * w[k];
            mo_d4_store(at, a);
            spoiled += a - a;
        }
    }
    double sum = (spoiled[0] + spoiled[1]) + (spoiled[2] + spoiled[3]);
    for (; row < last; ++row) {
        double w = e->inverse_mass[row];
        for (int64_t k = 3 * row; k < 3 * row + 3; ++k) {
            f[k] *= w;
            sum += f[k] - f[k];
        }
    }
    return sum;
}

/* *partial: 0, or NaN if an acceleration is not finite */
static void evaluate_range(void *context, int64_t first, int64_t last, double *partial)
{
    const evaluation *e = context;
    start_with_gravity(e, first, last);
    for (int k = 0; k < e->forces->force_count; ++k) {
        const mo_force *force = &e->forces->forces[k];
        force->type->add(force->instance, &e->args, first, last);
    }
    mo_callbacks_add_forces(&e->forces->system->callbacks, &e->args, first, last);
    *partial = divide_by_mass(e, first, last);
    if (e->turning) {
        mo_orientation_accelerate(e->forces->system, e->args.q, e->turning, first, last);
    }
}

/* Whether a force has the hook of a purpose. */
static bool serves(const mo_force *force, mo_forces_purpose why)
{
    return why == MO_FOR_FORCES || (why == MO_FOR_ENERGY      ? force->type->energy != NULL
                                    : why == MO_FOR_STIFFNESS ? force->type->stiffness != NULL
                                                              : force->type->damping != NULL);
}

/* Finds the neighbours, if a force with the hook has a range. */
static mote_status find_pairs(mo_forces *forces, mo_force_args *args, mo_forces_purpose why,
                              mote_error *error)
{
    bool wanted = false;
    for (int k = 0; k < forces->force_count; ++k) {
        wanted = wanted || (forces->forces[k].range > 0 && serves(&forces->forces[k], why));
    }
    if (wanted) {
        MO_TRY((why == MO_FOR_FORCES ? mo_pair_source_update : mo_pair_source_measure)(
            &forces->source, forces->system->host->pool, args->rows, args->x, error));
        args->pairs = &forces->source.pairs;
    }
    return MOTE_OK;
}

mote_status mo_forces_prepare(mo_forces *forces, mo_force_args *args, mo_forces_purpose why,
                              mote_error *error)
{
    MO_TRY(find_pairs(forces, args, why, error));
    for (int k = 0; k < forces->force_count; ++k) {
        const mo_force *force = &forces->forces[k];
        if (force->type->prepare && serves(force, why)) {
            MO_TRY(force->type->prepare(force->instance, args, forces->system->host->pool, error));
        }
    }
    return MOTE_OK;
}

/* The arrays of one evaluation. First-order dynamics is v' = a(v) with the positions as v: every
 * scheme that supports velocity-dependent forces solves it. */
static evaluation evaluation_of(mo_forces *forces, double time, int x, int v, int a)
{
    const mo_segment *segment = forces->dynamics.segment;
    const mo_particle_columns *columns = &forces->system->columns;
    evaluation e = {.forces = forces,
                    .inverse_mass = mo_f64(columns->inverse_mass),
                    .gravity = mo_host_gravity(forces->system->host, time)};
    e.args = (mo_force_args){.time = time,
                             .rows = mo_store_owned(forces->system->store),
                             .x = segment[0].slot[forces->first_order ? v : x],
                             .v = forces->first_order ? mo_f64(forces->zero) : segment[0].slot[v],
                             .mass = mo_f64(columns->mass),
                             .f = segment[0].slot[a]};
    if (forces->oriented) {
        e.args.q = segment[1].slot[x];
        e.args.w = mo_f64(columns->w);
        e.args.torque = mo_f64(columns->torque);
        e.turning = segment[1].slot[a];
    }
    return e;
}

mo_force_args mo_forces_arguments(mo_forces *forces, double time, int x, int v)
{
    mo_force_args args = evaluation_of(forces, time, x, v, MO_A).args;
    args.f = NULL;
    args.pairs = forces->source.search ? &forces->source.pairs : NULL;
    return args;
}

static bool is_finite(const double *vector)
{
    return isfinite(vector[0]) && isfinite(vector[1]) && isfinite(vector[2]);
}

/* The force that is not finite on a row, found by evaluating forces separately; NULL: none.
 * Overwrites the slot of the accelerations. */
static const char *nonfinite_force(const mo_forces *forces, const mo_force_args *args, int64_t row)
{
    int64_t first = row / MO_FORCE_GRAIN * MO_FORCE_GRAIN;
    int64_t last = first + MO_FORCE_GRAIN < args->rows ? first + MO_FORCE_GRAIN : args->rows;
    for (int k = 0; k < forces->force_count; ++k) {
        memset(args->f + 3 * first, 0, (size_t)(3 * (last - first)) * sizeof(double));
        forces->forces[k].type->add(forces->forces[k].instance, args, first, last);
        if (!is_finite(args->f + 3 * row)) {
            return forces->forces[k].type->base.name;
        }
    }
    return NULL;
}

/* Fails the step: `what` of a row is not finite, at the position and velocity in `args`. */
static void fail_row(mo_forces *forces, const mo_force_args *args, int64_t row, const char *what,
                     const char *cause)
{
    mo_dynamics *d = &forces->dynamics;
    const mo_particle_columns *c = &forces->system->columns;
    const double *x = args->x + 3 * row, *v = args->v + 3 * row;
    int32_t body = ((const int32_t *)c->body->data)[row];
    d->status = mo_fail(
        &d->error, MOTE_ERROR_NUMERIC,
        "t = %g s: particle %lld of '%s' (system %s): %s is not finite, at x = [%g, %g, %g] m, v = "
        "[%g, %g, %g] m/s. Likely cause: %s",
        args->time, (long long)mo_i64(c->id)[row], forces->system->bodies.list[body].name,
        forces->system->type->base.name, what, x[0], x[1], x[2], v[0], v[1], v[2], cause);
}

static void fail_accelerations(mo_forces *forces, const mo_force_args *args)
{
    char cause[300];
    int64_t row = 0;
    while (row < args->rows - 1 && is_finite(args->f + 3 * row)) {
        ++row;
    }
    const char *guilty = nonfinite_force(forces, args, row);
    if (guilty) {
        snprintf(
            cause, sizeof cause,
            "the force '%s' overflows there: its parameters are too large, or particles coincide "
            "or are too far apart; try smaller parameters, a smaller time.step, or an implicit "
            "integrator",
            guilty);
    } else if (forces->system->callbacks.count > 0) {
        snprintf(
            cause, sizeof cause,
            "a force callback (mote_world_add_force) wrote a number that is not finite, or too large");
    } else {
        snprintf(cause, sizeof cause,
                 "the sum of forces overflows, or the mass is too small for it");
    }
    fail_row(forces, args, row, "its acceleration", cause);
}

static void fail_dynamics_row(void *context, int64_t row, const char *what)
{
    mo_forces *forces = context;
    mo_force_args args = mo_forces_now(forces, forces->dynamics.time);
    fail_row(
        forces, &args, row, what,
        "forces, stiffnesses or masses differ by more than double precision can represent; use "
        "smaller parameters, or a smaller time.step");
}

static void accelerate(void *context, double time, int x, int v, int a)
{
    mo_forces *forces = context;
    mo_dynamics *dynamics = &forces->dynamics;
    const mo_segment *segment = dynamics->segment;
    int positions = forces->first_order ? v : x, speeds = forces->first_order ? x : v;
    mo_stage_end(forces->stages, forces->stage_advance);
    mo_kinematics_set(&forces->kinematics,
                      isnan(dynamics->prescribed_time) ? time : dynamics->prescribed_time,
                      segment[0].slot[positions], segment[0].slot[speeds]);
    evaluation e = evaluation_of(forces, time, x, v, a);
    if (dynamics->status == MOTE_OK) {
        dynamics->status = mo_forces_prepare(forces, &e.args, MO_FOR_FORCES, &dynamics->error);
    }
    if (dynamics->status == MOTE_OK) {
        if (forces->oriented) {
            mo_orientation_begin(forces->system, segment[1].slot[x], segment[1].slot[v]);
        }
        double spoiled;
        dynamics->status = mo_parallel_reduce(dynamics->pool, e.args.rows, MO_FORCE_GRAIN, MO_MAX,
                                              1, evaluate_range, &e, &spoiled, &dynamics->error);
        if (dynamics->status == MOTE_OK && isnan(spoiled) && !dynamics->trial) {
            fail_accelerations(forces, &e.args);
        }
        if (forces->mass && !forces->newton && dynamics->status == MOTE_OK) {
            dynamics->status = mo_mass_solve(forces, &e.args, segment[0].slot[a], &dynamics->error);
        }
    }
    mo_stage_end(forces->stages, forces->stage_forces);
}

/* Columns move when rows are added; the slots follow at the start of every step. */
static void bind_slots(mo_forces *forces)
{
    const mo_particle_columns *columns = &forces->system->columns;
    mo_segment *segment = &forces->dynamics.segment[0];
    mo_integration_bind(&forces->integration, forces->system, &forces->dynamics);
    segment->slot[MO_X] = mo_f64(forces->first_order ? forces->sink : columns->x);
    segment->slot[MO_V] = mo_f64(forces->first_order ? columns->x : columns->v);
    segment->slot[MO_A] = mo_f64(forces->first_order ? columns->v : columns->a);
}

/* ---- implicit integrators ---- */

static void prescribe(void *context, double time, int x, int v)
{
    mo_forces *forces = context;
    const mo_segment *segment = forces->dynamics.segment;
    mo_kinematics_set(&forces->kinematics, time, segment[0].slot[x], segment[0].slot[v]);
}

static mo_force_args arguments(void *context, double time, int x, int v)
{
    return mo_forces_arguments(context, time, x, v);
}

static bool find_active(void *context, double h, int a, mo_active *out)
{
    mo_forces *forces = context;
    mo_dynamics *d = &forces->dynamics;
    mo_host *host = forces->system->host;
    mo_contact_rows rows = mo_system_contact_rows(forces->system);
    double g = mo_length(mo_host_gravity(host, d->time));
    mote_status status = mo_active_find(host->colliders, &rows, d->time, h, g,
                                        d->segment[0].slot[a], out, &forces->active, &d->error);
    d->status = d->status == MOTE_OK ? status : d->status;
    return forces->active.count > 0;
}

static void react(void *context, const double *force, double share)
{
    mo_active_set_forces(&((mo_forces *)context)->active, force, share);
}

static void solve_mass(void *context, double time, int a)
{
    mo_forces *forces = context;
    mo_dynamics *d = &forces->dynamics;
    mo_force_args args = mo_forces_arguments(forces, time, MO_X, MO_V);
    if (d->status == MOTE_OK) {
        d->status = mo_mass_solve(forces, &args, d->segment[0].slot[a], &d->error);
    }
}

static void prescribed(void *context, double time, double *a)
{
    mo_mass_prescribed(context, time, a);
}

static uint64_t coupling(void *context)
{
    return mo_forces_coupling(context);
}

static void bind_newton(mo_forces *forces)
{
    mo_dynamics *dynamics = &forces->dynamics;
    if (!forces->newton) {
        return;
    }
    mo_jacobian *j = &forces->newton->jacobian;
    j->pool = forces->system->host->pool;
    j->forces = forces->forces;
    j->force_count = forces->force_count;
    j->inverse_mass = mo_f64(forces->system->columns.inverse_mass);
    forces->newton->count = (mo_newton_count){0};
    dynamics->newton = forces->newton;
    dynamics->prescribe = prescribe;
    dynamics->arguments = arguments;
    dynamics->coupling = coupling;
    dynamics->solve_mass = forces->mass ? solve_mass : NULL;
    dynamics->prescribed = prescribed;
    dynamics->find_active =
        mo_colliders_bounce(forces->system->host->colliders) ? find_active : NULL;
    dynamics->react = forces->system->host->wants_reactions ? react : NULL;
}

static mote_status prepare_step(mo_forces *forces, double time, mote_error *error)
{
    mo_system *system = forces->system;
    mo_dynamics *dynamics = &forces->dynamics;
    bind_slots(forces);
    MO_TRY(mo_integration_ages(system, dynamics, error));
    dynamics->pool = system->host->pool;
    dynamics->context = forces;
    dynamics->accelerate = accelerate;
    dynamics->fail_row = fail_dynamics_row;
    dynamics->prescribed_time = NAN;
    bind_newton(forces);
    dynamics->time = time;
    /* a failure belongs to its step; the state may have been restored since */
    dynamics->status = MOTE_OK;
    return MOTE_OK;
}

mo_force_args mo_forces_now(const mo_forces *forces, double time)
{
    const mo_particle_columns *c = &forces->system->columns;
    mo_force_args args = {.time = time,
                          .rows = mo_store_owned(forces->system->store),
                          .x = mo_f64(c->x),
                          .v = mo_f64(c->v),
                          .mass = mo_f64(c->mass)};
    if (forces->oriented) {
        args.q = mo_f64(c->q);
        args.w = mo_f64(c->w);
    }
    return args;
}

/* State of forces besides the motion: heat. */
static mote_status advance_forces(mo_forces *forces, double time, double h, mote_error *error)
{
    mo_force_args args = mo_forces_now(forces, time);
    for (int k = 0; k < forces->force_count; ++k) {
        const mo_force *force = &forces->forces[k];
        if (!force->evolves) {
            continue;
        }
        if (force->range > 0 && !args.pairs) {
            MO_TRY(mo_pair_source_update(&forces->source, forces->system->host->pool, args.rows,
                                         args.x, error));
            args.pairs = &forces->source.pairs;
        }
        MO_TRY(force->type->advance(force->instance, &args, h, forces->system->host->pool, error));
    }
    return MOTE_OK;
}

mote_status mo_forces_add_reactions(mo_system *system, const double *force, double share,
                                    const mo_step_time *now, mote_error *error)
{
    mo_forces *forces = system->state;
    for (int64_t k = 0; k < forces->active.count; ++k) {
        mo_contact *c = &forces->active.list[k];
        c->force = mo_add_scaled(c->force, share, mo_vec3_load(force + 3 * c->side[0].row[0]));
    }
    return mo_contact_set_react(&forces->active, system->host->colliders, now->end,
                                &forces->reactions, error);
}

static mote_status forces_begin(mo_system *system, const mo_step_time *now, mote_error *error)
{
    return mo_resort(system->state, now->step, error);
}

static mote_status forces_solve(mo_system *system, const mo_step_time *now, mote_error *error)
{
    mo_forces *forces = system->state;
    mo_dynamics *dynamics = &forces->dynamics;
    forces->stages = system->host->stages;
    forces->h = now->h;
    forces->active.count = 0;
    MO_TRY(prepare_step(forces, now->time, error));
    dynamics->step = now->step;
    mo_speed_limit_begin(&forces->limit, system);
    forces->integrator->step(dynamics, forces->integrator_params, now->h);
    system->evaluations = dynamics->evaluations;
    forces->solved = forces->newton ? forces->newton->count : (mo_newton_count){0};
    if (dynamics->status == MOTE_ERROR_NUMERIC) {
        return mo_fail(error, dynamics->status, "step %lld, %s", (long long)now->step + 1,
                       dynamics->error.text);
    }
    if (dynamics->status != MOTE_OK) {
        return mo_fail(error, dynamics->status, "%s", dynamics->error.text);
    }
    if (forces->newton && system->host->wants_reactions) {
        MO_TRY(mo_contact_set_react(&forces->active, system->host->colliders, now->end,
                                    &forces->reactions, error));
    }
    if (forces->oriented) {
        mo_orientation_finish(system);
    }
    mo_system_count_age(system);
    mo_speed_limit_apply(&forces->limit, system);
    MO_TRY(mo_thermostats_apply(&forces->thermostats, system, forces->boltzmann, now, error));
    mo_kinematics_set(&forces->kinematics, now->time + now->h, mo_f64(system->columns.x),
                      mo_f64(system->columns.v));
    MO_TRY(advance_forces(forces, now->time + now->h, now->h, error));
    mo_stage_end(forces->stages, forces->stage_advance);
    return MOTE_OK;
}

static mote_status evaluate(mo_system *system, double time, mote_error *error);

/* New and removed particles change the forces on others: accelerations are evaluated again, and
 * multistep schemes start anew. */
static mote_status forces_finish(mo_system *system, const mo_step_time *now, mote_error *error)
{
    mo_forces *forces = system->state;
    bool changed = false;
    MO_TRY(forces->growth ? mo_growth_apply(forces->growth, now, &changed, error) : MOTE_OK);
    if (changed) {
        memset(system->columns.age->data, 0, (size_t)mo_store_owned(system->store));
        return evaluate(system, now->end, error);
    }
    return MOTE_OK;
}

static mote_status evaluate(mo_system *system, double time, mote_error *error)
{
    mo_forces *forces = system->state;
    mo_stages unused = {0};
    forces->stages = &unused;
    MO_TRY(prepare_step(forces, time, error));
    accelerate(forces, time, MO_X, MO_V, MO_A);
    system->evaluations = forces->dynamics.evaluations; /* excluding the next step's */
    if (forces->dynamics.status != MOTE_OK) {
        return mo_fail(error, forces->dynamics.status, "%s", forces->dynamics.error.text);
    }
    return MOTE_OK;
}

static bool resorts(const mo_system *system)
{
    return mo_resort_rows_are_free(system->state);
}

static void disturb(mo_system *system)
{
    memset(system->columns.age->data, 0, (size_t)mo_store_owned(system->store));
}

void mo_forces_release(mo_system *system)
{
    mo_forces *forces = system->state;
    mo_memory *memory = system->host->memory;
    if (forces) {
        for (int k = 0; k < forces->force_count; ++k) {
            mo_force_destroy(&forces->forces[k], memory);
        }
        mo_release(memory, forces->forces);
        mo_thermostats_release(&forces->thermostats, memory);
        mo_growth_destroy(forces->growth);
        mo_kinematics_release(&forces->kinematics, memory);
        if (forces->newton) {
            mo_newton_destroy(forces->newton);
        }
        mo_contact_set_release(&forces->active);
        if (forces->reactions.memory) {
            mo_reactions_release(&forces->reactions);
        }
        mo_mass_close(forces);
        mo_release(memory, forces->probe);
        mo_release(memory, forces->cell_rows);
        mo_release(memory, forces->cell_stress);
        mo_pair_source_release(&forces->source);
        mo_release(memory, forces);
    }
    mo_system_release(system);
}

mote_status mo_forces_add(mo_forces *forces, const mo_force *force, mote_error *error)
{
    return mo_force_append(forces->system->host->memory, &forces->forces, &forces->force_count,
                           &forces->force_capacity, force, error);
}

static mote_status forces_attach(mo_system *system, const mo_force *force, mote_error *error)
{
    mo_forces *forces = system->state;
    MO_TRY(mo_forces_add(forces, force, error));
    forces->forces[forces->force_count - 1].attached = true;
    return mo_forces_judge_jacobians(forces);
}

static mote_status forces_bound_stiffness(mo_system *system, double *bound, mote_error *error)
{
    mo_forces *forces = system->state;
    mo_force_args args = mo_forces_now(forces, 0);
    (void)error;
    for (int k = 0; k < forces->force_count; ++k) {
        const mo_force *force = &forces->forces[k];
        bool counts = force->type->stiffness && force->type->elastic && !force->attached;
        for (int64_t first = 0; counts && first < args.rows; first += MO_FORCE_GRAIN) {
            int64_t last = first + MO_FORCE_GRAIN < args.rows ? first + MO_FORCE_GRAIN : args.rows;
            force->type->stiffness(force->instance, &args, first, last, bound);
        }
    }
    return MOTE_OK;
}

static mo_method forces_integrator(const mo_system *system)
{
    const mo_forces *forces = system->state;
    return (mo_method){&forces->integrator->base, forces->integrator_params};
}

static bool forces_first_order(const mo_system *system)
{
    return ((const mo_forces *)system->state)->first_order;
}

static bool forces_has_explicit(const mo_system *system)
{
    return ((const mo_forces *)system->state)->has_explicit;
}

static mo_newton_count forces_solved(const mo_system *system)
{
    return ((const mo_forces *)system->state)->solved;
}

static const mo_reactions *forces_reactions(const mo_system *system)
{
    return &((const mo_forces *)system->state)->reactions;
}

static const mo_force_hooks FORCES = {
    .attach = forces_attach, .bound_stiffness = forces_bound_stiffness, .contacts = true};

static const mo_stability_hooks STABILITY = {.stiffness = mo_forces_stiffness,
                                             .damping = mo_forces_damping,
                                             .motion = mo_forces_motion,
                                             .integrator = forces_integrator,
                                             .first_order = forces_first_order,
                                             .has_explicit = forces_has_explicit,
                                             .solved = forces_solved};

static const char *const DERIVED[] = {"stress",    "von_mises", "element_stress",
                                      "neighbors", "energy",    NULL};

static const mo_export_hooks EXPORT = {
    .derive = mo_forces_derive, .derived = DERIVED, .cells = mo_forces_cells, .cut = mo_forces_cut};

static bool forces_wanted(const mo_world_def *def)
{
    return mo_world_def_has_bodies(def, &mo_system_forces);
}

const mo_system_type mo_system_forces = {
    .base = {.name = "forces",
             .summary = "Bodies and particles driven by forces, advanced by a time integrator."},
    .section = &mo_forces_section,
    .body_section = &mo_forces_body_section,
    .models = &mo_models,
    .takes_particles = true,
    .check = mo_forces_def_check,
    .wanted = forces_wanted,
    .create = mo_forces_create,
    .destroy = mo_forces_release,
    .begin = forces_begin,
    .solve = forces_solve,
    .finish = forces_finish,
    .evaluate = evaluate,
    .disturb = disturb,
    .measure = mo_forces_measure,
    .reactions = forces_reactions,
    .health = mo_forces_health,
    .budget = mo_forces_budget,
    .slack = mo_forces_slack,
    .resorts = resorts,
    .name_tables = mo_forces_name_tables,
    .remedy =
        "the stiffest force or the strongest damping (`mote check` shows the largest stable steps); "
        "try a smaller time.step or an implicit integrator",
    .slow_remedy = "bound its speed by speed_limit",
    .edit = &mo_forces_edit,
    .force_hooks = &FORCES,
    .stability = &STABILITY,
    .statics = &mo_forces_statics,
    .export = &EXPORT,
    .reported = &mo_forces_reported,
};
