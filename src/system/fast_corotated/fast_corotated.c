/*
 * The system of fast_corotated bodies. A step: external forces at x, velocities of the end by
 * solid/fast_corotated, x += h v. Contacts with colliders follow in their coupling.
 */
#include "host/row_sums.h"
#include "system/fast_corotated/state.h"

#include <math.h>
#include <string.h>

/* Fraction of the stability limit of explicit contact forces. */
static const double SAFETY = 0.5;

static mo_fast_system *state_of(const mo_system *system)
{
    return system->state;
}

static mo_force_args arguments(const mo_system *system, double time)
{
    const mo_particle_columns *c = &system->columns;
    return (mo_force_args){.time = time,
                           .rows = mo_store_owned(system->store),
                           .x = mo_f64(c->x),
                           .v = mo_f64(c->v),
                           .mass = mo_f64(c->mass)};
}

/* ---- the step ---- */

/* Prescribed rows move along the chord of the step: v = (x(t + h) - x)/h. */
static void prescribe(const mo_fast_system *fast, const mo_step_time *now)
{
    const mo_particle_columns *c = &fast->system->columns;
    for (int64_t g = 0; g < fast->kinematics.count; ++g) {
        const mo_kinematic *group = &fast->kinematics.list[g];
        mo_pose pose = mo_motion_pose(group->motion, now->end);
        for (int64_t i = 0; i < group->count; ++i) {
            int64_t row = group->rows[i];
            mo_vec3 end = mo_pose_apply(&pose, mo_vec3_load(group->start + 3 * i));
            mo_vec3 x = mo_vec3_load(mo_f64(c->x) + 3 * row);
            mo_vec3_store(mo_f64(c->v) + 3 * row, mo_scale(1 / now->h, mo_sub(end, x)));
        }
    }
}

typedef struct moving {
    double *x, *a;
    const double *v;
    double h;
} moving;

/* *partial: 0, or NaN if a position is not finite; `a` has the velocities of the start. */
static void move_range(void *context, int64_t first, int64_t last, double *partial)
{
    const moving *m = context;
    double spoiled = 0;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        m->x[k] += m->h * m->v[k];
        m->a[k] = (m->v[k] - m->a[k]) / m->h;
        spoiled += m->x[k] - m->x[k];
    }
    *partial = spoiled;
}

static mote_status fail_positions(const mo_system *system, double time, mote_error *error)
{
    const double *x = mo_f64(system->columns.x);
    char name[MO_PARTICLE_NAME];
    int64_t row = 0;
    while (row < mo_store_owned(system->store) - 1 &&
           isfinite(x[3 * row] + x[3 * row + 1] + x[3 * row + 2])) {
        ++row;
    }
    mo_particle_name(system, row, name);
    return mo_fail(error, MOTE_ERROR_NUMERIC,
                   "t = %g s: the position of %s is not finite. Likely cause: external forces "
                   "overflow, or masses and stiffnesses differ by more than double precision can "
                   "represent",
                   time, name);
}

static mote_status fast_solve(mo_system *system, const mo_step_time *now, mote_error *error)
{
    mo_fast_system *fast = state_of(system);
    mo_host *host = system->host;
    const mo_particle_columns *c = &system->columns;
    int64_t rows = mo_store_owned(system->store);
    double spoiled;
    MO_TRY(mo_external_forces_sum(&fast->forces, now->time, error));
    system->evaluations++;
    memcpy(mo_f64(c->a), mo_f64(c->v), (size_t)(3 * rows) * sizeof(double));
    prescribe(fast, now);
    mo_fast_corotated_step step = {.pool = host->pool,
                                   .rows = rows,
                                   .h = now->h,
                                   .x = mo_f64(c->x),
                                   .f = fast->forces.f,
                                   .mass = mo_f64(c->mass),
                                   .inverse_mass = mo_f64(c->inverse_mass),
                                   .v = mo_f64(c->v)};
    MO_TRY(mo_fast_corotated_advance(&fast->solid, &step, error));
    moving m = {mo_f64(c->x), mo_f64(c->a), mo_f64(c->v), now->h};
    MO_TRY(mo_parallel_reduce(host->pool, rows, MO_FORCE_GRAIN, MO_MAX, 1, move_range, &m, &spoiled,
                              error));
    if (isnan(spoiled)) {
        return fail_positions(system, now->end, error);
    }
    mo_system_count_age(system);
    mo_kinematics_set(&fast->kinematics, now->end, mo_f64(c->x), mo_f64(c->v));
    MO_TRY(mo_external_forces_advance(&fast->forces, now->end, now->h, error));
    mo_stage_end(host->stages, fast->stage_solve);
    return MOTE_OK;
}

/* ---- forces of the current state ---- */

typedef struct evaluation {
    mo_fast_system *fast;
    mo_force_args args;
    const double *inverse_mass;
} evaluation;

static void evaluate_range(void *context, int64_t first, int64_t last)
{
    const evaluation *e = context;
    memcpy(e->args.f + 3 * first, e->fast->forces.f + 3 * first,
           (size_t)(3 * (last - first)) * sizeof(double));
    mo_fem_add_elastic(&e->fast->solid.fem, &e->args, first);
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        e->args.f[k] *= e->inverse_mass[k / 3];
    }
}

static mote_status fast_evaluate(mo_system *system, double time, mote_error *error)
{
    mo_fast_system *fast = state_of(system);
    evaluation e = {fast, arguments(system, time), mo_f64(system->columns.inverse_mass)};
    e.args.f = mo_f64(system->columns.a);
    MO_TRY(mo_external_forces_sum(&fast->forces, time, error));
    mo_parallel_for(system->host->pool, e.args.rows, MO_FORCE_GRAIN, evaluate_range, &e);
    return MOTE_OK;
}

/* ---- measurements ---- */

static void energy_range(void *context, int64_t first, int64_t last, double *sum)
{
    const evaluation *e = context;
    (void)last;
    *sum = mo_fem_elastic_energy(&e->fast->solid.fem, &e->args, first);
}

static mote_status fast_measure(mo_system *system, double time, bool virial,
                                mote_measures *measures, mote_error *error)
{
    mo_fast_system *fast = state_of(system);
    evaluation e = {fast, arguments(system, time), NULL};
    double elastic;
    (void)virial;
    MO_TRY(mo_row_sums_measure(system, time, measures, error));
    MO_TRY(mo_parallel_reduce(system->host->pool, e.args.rows, MO_FORCE_GRAIN, MO_SUM, 1,
                              energy_range, &e, &elastic, error));
    measures->elastic += elastic;
    return mo_external_forces_measure(&fast->forces, time, measures, error);
}

static int fast_numbers(const mo_system *system, mote_quantity *numbers)
{
    const mo_fast_corotated_count *count = &state_of(system)->solid.count;
    const char *name = system->type->base.name;
    numbers[0] =
        (mote_quantity){name, "volume_iterations", "1", MOTE_MEAN, (double)count->iterations};
    numbers[1] = (mote_quantity){name, "volume_residual", "1", MOTE_MAX, count->residual};
    numbers[2] =
        (mote_quantity){name, "factorisations", "1", MOTE_SUM, (double)count->factorisations};
    return 3;
}

static mote_status fast_health(mo_system *system, const mo_step_time *now, mote_step_report *report,
                               mote_error *error)
{
    const mo_fast_corotated *solid = &state_of(system)->solid;
    (void)report, (void)error;
    if (solid->count.residual > solid->tolerance) {
        mo_host_warn(system->host, now->end, "volume part",
                     "fast_corotated: the volume part has a relative residual of %.2g after %lld "
                     "iterations (tolerance %.2g); raise model.iterations, use \"coupling\": "
                     "\"iterated\", or a smaller Poisson's ratio",
                     solid->count.residual, (long long)solid->count.iterations, solid->tolerance);
    }
    return MOTE_OK;
}

static void fast_budget(const mo_system *system, const mo_world_def *def, mo_energy_budget *budget)
{
    const mo_body_def *bodies = def->bodies.items;
    bool open = mo_external_forces_open(&state_of(system)->forces);
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        open = open || (mo_body_def_system(&bodies[k]) == system->type &&
                        mo_body_def_is_driven(&bodies[k]));
    }
    budget->open = budget->open || open;
}

/* ---- contact forces ---- */

static mote_status fast_bound_stiffness(mo_system *system, double *bound, mote_error *error)
{
    mo_force_args args = arguments(system, 0);
    (void)error;
    for (int64_t first = 0; first < args.rows; first += MO_FORCE_GRAIN) {
        int64_t last = first + MO_FORCE_GRAIN < args.rows ? first + MO_FORCE_GRAIN : args.rows;
        mo_fem_stiffness(&state_of(system)->solid.fem, &args, first, last, bound);
    }
    return MOTE_OK;
}

/* Contact forces are explicit here: their stiffness, which is that of the bodies, limits h. */
static mote_status find_explicit_step(mo_system *system, mote_error *error)
{
    mo_fast_system *fast = state_of(system);
    int64_t rows = mo_store_owned(system->store);
    const double *mass = mo_f64(system->columns.mass);
    double most = 0;
    void *block;
    MO_TRY(mo_allocate_array(system->host->memory, rows, 3 * sizeof(double), &block, error));
    double *bound = block;
    mote_status status = fast_bound_stiffness(system, bound, error);
    for (int64_t k = 0; k < 3 * rows; ++k) {
        most = fmax(most, bound[k] / mass[k / 3]);
    }
    mo_release(system->host->memory, block);
    fast->explicit_step = most > 0 ? SAFETY * 2 / sqrt(most) : 0;
    return status;
}

static mote_status fast_attach(mo_system *system, const mo_force *force, mote_error *error)
{
    if (force->type->stiffness) {
        MO_TRY(find_explicit_step(system, error));
    }
    return mo_external_forces_add(&state_of(system)->forces, force, error);
}

static mo_step_bound fast_limit(const mo_system *system)
{
    return (mo_step_bound){state_of(system)->explicit_step, "contact",
                           "stable step of contact forces on fast_corotated bodies", NULL};
}

/* ---- stresses ---- */

static void derive_range(void *context, int64_t first, int64_t last)
{
    const evaluation *e = context;
    double *stress = mo_f64(e->fast->stress), *mises = mo_f64(e->fast->von_mises);
    memset(stress + 6 * first, 0, (size_t)(last - first) * 6 * sizeof(double));
    memset(mises + first, 0, (size_t)(last - first) * sizeof(double));
    mo_fem_stress.nodes(&e->fast->solid.fem, &e->args, first, last, mises, stress);
    mo_force_mean_stresses(first, last, mises, stress);
}

static void fast_derive(mo_system *system, double time)
{
    evaluation e = {state_of(system), arguments(system, time), NULL};
    mo_parallel_for(system->host->pool, e.args.rows, MO_FORCE_GRAIN, derive_range, &e);
}

static mote_status fast_cells(mo_system *system, double time, mote_cells *cells, mote_error *error)
{
    mo_fast_system *fast = state_of(system);
    mo_force_args args = arguments(system, time);
    int64_t count = mo_fem_stress.cells(&fast->solid.fem, &args, NULL, NULL);
    MO_TRY(mo_reserve(system->host->memory, &fast->cell_rows, &fast->cell_row_capacity, 4 * count,
                      sizeof *fast->cell_rows, error));
    MO_TRY(mo_reserve(system->host->memory, &fast->cell_stress, &fast->cell_stress_capacity,
                      6 * count, sizeof *fast->cell_stress, error));
    mo_fem_stress.cells(&fast->solid.fem, &args, fast->cell_rows, fast->cell_stress);
    *cells = (mote_cells){count, fast->cell_rows, fast->cell_stress};
    return MOTE_OK;
}

/* ---- the descriptor ---- */

static bool fast_wanted(const mo_world_def *def)
{
    return mo_world_def_has_bodies(def, &mo_system_fast_corotated);
}

static const mo_force_hooks FORCES = {
    .attach = fast_attach, .bound_stiffness = fast_bound_stiffness, .contacts = true};

static const char *const DERIVED[] = {"stress", "von_mises", NULL};

static const mo_export_hooks EXPORT = {
    .derive = fast_derive, .derived = DERIVED, .cells = fast_cells};

const mo_system_type mo_system_fast_corotated = {
    .base = {.name = "fast_corotated",
             .summary = "Elastic solids advanced by a factored constant matrix."},
    .models = &mo_fast_corotated_models,
    .equal_steps = true,
    .check = mo_fast_corotated_system_check,
    .wanted = fast_wanted,
    .create = mo_fast_corotated_system_create,
    .destroy = mo_fast_corotated_system_release,
    .solve = fast_solve,
    .limit = fast_limit,
    .evaluate = fast_evaluate,
    .measure = fast_measure,
    .numbers = fast_numbers,
    .health = fast_health,
    .budget = fast_budget,
    .remedy = "explicit external and contact forces; try a smaller time.step",
    .edit = &mo_fast_corotated_system_edit,
    .force_hooks = &FORCES,
    .export = &EXPORT,
};
