/*
 * Position-based dynamics: the main loop of M. Mueller et al. 2007, section 3.1, in substeps
 * (M. Macklin et al. 2019). For each substep of h:
 *     damping, v += h f/m, p = x + h v          external forces, prescribed rows at their new
 *                                               positions
 *     contacts along x -> p                     collider_contacts.c, constraint_contacts.h
 *     iterations: constraints, then contacts    constraint/solver/
 *     paths shortened before surfaces meet      constraint_contacts_limit.c
 *     v = (p - x)/h, x = p, restitution
 */
#include "host/coupling.h"
#include "system/constraints/def.h"
#include "system/constraints/state.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096, CONTACT_SWEEPS = 2 };

/* ---- a substep ---- */

typedef struct advance {
    const mo_constraint_system *c;
    const mo_particle_columns *columns;
    double h;
} advance;

/* a = f/m, v += h a */
static void accelerate_range(void *context, int64_t first, int64_t last)
{
    const advance *s = context;
    const double *f = s->c->forces.f, *w = mo_f64(s->columns->inverse_mass);
    double *v = mo_f64(s->columns->v), *a = mo_f64(s->columns->a);
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        a[k] = w[k / 3] * f[k];
        v[k] += s->h * a[k];
    }
}

/* start = x, p = x + h v, with the inverse mass as the fourth component */
static void predict_range(void *context, int64_t first, int64_t last)
{
    const advance *s = context;
    const double *x = mo_f64(s->columns->x), *v = mo_f64(s->columns->v),
                 *w = mo_f64(s->columns->inverse_mass);
    double *p = mo_f64(s->c->p), *start = mo_f64(s->c->start);
    for (int64_t row = first; row < last; ++row) {
        for (int k = 0; k < 3; ++k) {
            start[4 * row + k] = x[3 * row + k];
            p[4 * row + k] = x[3 * row + k] + (w[row] > 0 ? s->h * v[3 * row + k] : 0);
        }
        start[4 * row + 3] = p[4 * row + 3] = w[row];
    }
}

/* Prescribed rows at the end of the substep, through the columns x and v. */
static void move_kinematic(const mo_constraint_system *c, double time)
{
    const mo_particle_columns *columns = &c->system->columns;
    mo_kinematics_set(&c->kinematics, time, mo_f64(columns->x), mo_f64(columns->v));
    for (int64_t g = 0; g < c->kinematics.count; ++g) {
        for (int64_t k = 0; k < c->kinematics.list[g].count; ++k) {
            int64_t row = c->kinematics.list[g].rows[k];
            memcpy(mo_f64(c->p) + 4 * row, mo_f64(columns->x) + 3 * row, 3 * sizeof(double));
        }
    }
}

/* x = p; the column `change` keeps v of the prediction. *partial: 0, or NaN if p is not finite */
static void finish_range(void *context, int64_t first, int64_t last, double *partial)
{
    const advance *s = context;
    const double *p = mo_f64(s->c->p), *start = mo_f64(s->c->start),
                 *w = mo_f64(s->columns->inverse_mass);
    double *x = mo_f64(s->columns->x), *v = mo_f64(s->columns->v), *old = mo_f64(s->c->change);
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        for (int k = 0; k < 3; ++k) {
            old[3 * row + k] = v[3 * row + k];
            if (w[row] > 0) {
                v[3 * row + k] = (p[4 * row + k] - start[4 * row + k]) / s->h;
                x[3 * row + k] = p[4 * row + k];
            }
            *partial += p[4 * row + k] - p[4 * row + k];
        }
    }
}

static mote_status fail_position(const mo_constraint_system *c, double time, mote_error *error)
{
    char name[MO_PARTICLE_NAME];
    const double *p = mo_f64(c->p);
    int64_t row = 0, rows = mo_store_owned(c->system->store);
    while (row < rows - 1 && isfinite(p[4 * row] + p[4 * row + 1] + p[4 * row + 2])) {
        ++row;
    }
    mo_particle_name(c->system, row, name);
    return mo_fail(
        error, MOTE_ERROR_NUMERIC,
        "t = %g s: the position of %s is not finite. Likely cause: masses or compliances "
        "differ by more than double precision can represent",
        time, name);
}

static void project_contacts(void *context)
{
    mo_constraint_system *c = context;
    mo_constraint_contacts_project(&c->surfaces);
    mo_face_contacts_project(&c->faces, &c->contacts);
    mo_collider_contacts_project(&c->contacts);
}

static mote_status predict(mo_constraint_system *c, const mo_step_time *now, mote_error *error)
{
    mo_system *s = c->system;
    int64_t rows = mo_store_owned(s->store);
    advance a = {c, &s->columns, now->h};
    /* damping first: it would take a share of the forces, and a loaded body would rest elsewhere */
    MO_TRY(mo_constraint_system_damp(c, now->h, error));
    MO_TRY(mo_external_forces_sum(&c->forces, now->time, error));
    mo_parallel_for(s->host->pool, rows, GRAIN, accelerate_range, &a);
    mo_parallel_for(s->host->pool, rows, GRAIN, predict_range, &a);
    move_kinematic(c, now->end);
    mo_attached_bodies_predict(&c->attached, now->h);
    c->contacts.rows = mo_system_contact_rows(s);
    c->contacts.p = mo_f64(c->p);
    c->contacts.start = mo_f64(c->start);
    double g = mo_length(mo_host_gravity(s->host, now->time));
    return mo_collider_contacts_find(&c->contacts, now->end, now->h, g, error);
}

static mote_status find_surface_contacts(mo_constraint_system *c, mote_error *error)
{
    c->surfaces.p = mo_f64(c->p);
    c->surfaces.start = mo_f64(c->start);
    MO_TRY(mo_constraint_contacts_find(&c->surfaces, error));
    MO_TRY(mo_face_contacts_find(&c->faces, &c->contacts, &c->surfaces, error));
    mo_stage_end(c->system->host->stages, c->stage_contact);
    return MOTE_OK;
}

/* After the last iteration contacts have the last word: those between surfaces, then colliders, and
 * no path on which surfaces meet. */
static mote_status separate(mo_constraint_system *c, mote_error *error)
{
    for (int sweep = 0; c->surfaces.contact_count + c->faces.count > 0 && sweep < CONTACT_SWEEPS;
         ++sweep) {
        project_contacts(c);
    }
    mo_collider_contacts_separate(&c->contacts);
    MO_TRY(mo_constraint_contacts_limit(&c->surfaces, error));
    mo_stage_end(c->system->host->stages, c->stage_contact);
    return MOTE_OK;
}

static mote_status take_substep(mo_constraint_system *c, const mo_step_time *now, double share,
                                bool last, mote_error *error)
{
    mo_system *s = c->system;
    int64_t rows = mo_store_owned(s->store);
    int64_t used = 0;
    bool replaced = false;
    advance a = {c, &s->columns, now->h};
    mo_constraint_problem problem = {.pool = s->host->pool,
                                     .rows = rows,
                                     .set_count = c->set_count,
                                     .sets = c->sets,
                                     .generation = c->generation,
                                     .p = mo_f64(c->p),
                                     .start = mo_f64(c->start),
                                     .change = mo_f64(c->change),
                                     .base = last || c->solver->needs_base ? mo_f64(c->base) : NULL,
                                     .h = now->h,
                                     .iterations = c->iterations,
                                     .used = &used,
                                     .replaced = &replaced,
                                     .colliders = s->host->colliders,
                                     .bodies = &c->attached,
                                     .project = project_contacts,
                                     .context = c};
    double spoiled;
    MO_TRY(predict(c, now, error));
    mo_stage_end(s->host->stages, c->stage_predict);
    MO_TRY(find_surface_contacts(c, error));
    MO_TRY(mo_constraint_problem_begin(&problem, error));
    MO_TRY(c->solver->solve(&problem, c->solver_params, c->solver_state, error));
    c->used += used;
    if (replaced) {
        mo_host_warn(s->host, now->time, "constraint solver",
                     "constraints.solver: '%s' does not converge at t = %g s and is replaced by "
                     "Gauss-Seidel sweeps; likely cause: rigid constraints that leave no motion, "
                     "such as those of all edges of a cloth; give them a compliance",
                     c->solver->base.name, now->time);
    }
    mo_stage_end(s->host->stages, c->stage_project);
    mo_constraint_problem_record(&problem, -1);
    MO_TRY(separate(c, error));
    mo_constraint_problem_record(&problem, 1);
    MO_TRY(last ? mo_constraint_problem_residual(&problem, &c->residual, error) : MOTE_OK);
    MO_TRY(mo_parallel_reduce(s->host->pool, rows, GRAIN, MO_MAX, 1, finish_range, &a, &spoiled,
                              error));
    if (isnan(spoiled)) {
        return fail_position(c, now->end, error);
    }
    mo_attached_bodies_finish(&c->attached, now->h);
    mo_constraint_problem_finish(&problem, mo_f64(s->columns.v));
    mo_collider_contacts_restitute(&c->contacts, mo_f64(c->change), mo_f64(s->columns.v));
    MO_TRY(mo_collider_contacts_close(&c->contacts, share, s->host->wants_reactions, error));
    if (s->host->wants_reactions) {
        MO_TRY(mo_face_contacts_record(&c->faces, &c->contacts, share, &c->contacts.set, error));
    }
    mo_stage_end(s->host->stages, c->stage_project);
    return MOTE_OK;
}

static mote_status constraints_solve(mo_system *system, const mo_step_time *now, mote_error *error)
{
    mo_constraint_system *c = system->state;
    double n = (double)c->substeps;
    c->contacts.set.count = 0;
    c->used = 0;
    mo_constraint_contacts_begin_step(&c->surfaces);
    c->contacts.rows = mo_system_contact_rows(system);
    MO_TRY(mo_collider_contacts_prestabilize(&c->contacts, now->time, system->columns.age->data,
                                             mo_f64(system->columns.x), error));
    for (int64_t k = 0; k < c->substeps; ++k) {
        bool last = k == c->substeps - 1;
        double start = now->time + now->h * (double)k / n,
               end = last ? now->end : now->time + now->h * (double)(k + 1) / n;
        mo_step_time substep = {start, now->h / n, end, now->step};
        MO_TRY(mo_system_refresh(system, &substep, error));
        MO_TRY(take_substep(c, &substep, 1 / n, last, error));
        ++system->evaluations;
    }
    system->contact.contacts = c->contacts.contacts;
    if (system->host->wants_reactions) {
        MO_TRY(mo_contact_set_react(&c->contacts.set, system->host->colliders, now->end,
                                    &c->contacts.reactions, error));
    }
    mo_system_count_age(system);
    return mo_external_forces_advance(&c->forces, now->end, now->h, error);
}

/* ---- other hooks ---- */

static mote_status constraints_evaluate(mo_system *system, double time, mote_error *error)
{
    mo_constraint_system *c = system->state;
    advance a = {c, &system->columns, 0};
    MO_TRY(mo_external_forces_sum(&c->forces, time, error));
    mo_parallel_for(system->host->pool, mo_store_owned(system->store), GRAIN, accelerate_range, &a);
    return MOTE_OK;
}

static void constraints_report(mo_system *system, mote_step_report *report)
{
    report->contacts += system->contact.contacts;
}

static int constraints_numbers(const mo_system *system, mote_quantity *numbers)
{
    const mo_constraint_system *c = system->state;
    numbers[0] = (mote_quantity){.name = "constraint_residual_max",
                                 .unit = "1",
                                 .reduction = MOTE_MAX,
                                 .value = c->residual.most};
    numbers[1] = (mote_quantity){.name = "constraint_residual_rms",
                                 .unit = "1",
                                 .reduction = MOTE_MEAN,
                                 .value = c->residual.mean};
    numbers[2] = (mote_quantity){.name = "surface_contacts",
                                 .unit = "1",
                                 .reduction = MOTE_MEAN,
                                 .value = (double)c->surfaces.contact_count};
    numbers[3] = (mote_quantity){.name = "shortened_paths",
                                 .unit = "1",
                                 .reduction = MOTE_MEAN,
                                 .value = (double)c->surfaces.shortened};
    numbers[4] = (mote_quantity){.name = "contact_lists",
                                 .unit = "1",
                                 .reduction = MOTE_MEAN,
                                 .value = (double)c->surfaces.lists};
    numbers[5] = (mote_quantity){.name = "constraint_residual_primal",
                                 .unit = "1",
                                 .reduction = MOTE_MAX,
                                 .value = c->residual.primal};
    numbers[6] = (mote_quantity){.name = "constraint_iterations",
                                 .unit = "1",
                                 .reduction = MOTE_MEAN,
                                 .value = (double)c->used / (double)c->substeps};
    return 7;
}

static const mo_reactions *constraints_reactions(const mo_system *system)
{
    return &((const mo_constraint_system *)system->state)->contacts.reactions;
}

/* Projections dissipate. */
static void constraints_budget(const mo_system *system, const mo_world_def *def,
                               mo_energy_budget *budget)
{
    (void)system, (void)def;
    budget->open = true;
}

static mote_status constraints_attach(mo_system *system, const mo_force *force, mote_error *error)
{
    return mo_external_forces_add(&((mo_constraint_system *)system->state)->forces, force, error);
}

/* External forces have no elastic stiffness. */
static mote_status constraints_bound_stiffness(mo_system *system, double *bound, mote_error *error)
{
    (void)system, (void)bound, (void)error;
    return MOTE_OK;
}

static bool constraints_wanted(const mo_world_def *def)
{
    return mo_world_def_has_bodies(def, &mo_system_constraints);
}

static const mo_force_hooks FORCES = {.attach = constraints_attach,
                                      .bound_stiffness = constraints_bound_stiffness};

const mo_system_type mo_system_constraints = {
    .base = {.name = "constraints",
             .summary = "Bodies advanced by position-based dynamics: constraints in one solve."},
    .section = &mo_constraint_system_section,
    .models = &mo_position_based_models,
    .check = mo_constraint_system_def_check,
    .wanted = constraints_wanted,
    .create = mo_constraint_system_create,
    .destroy = mo_constraint_system_release,
    .solve = constraints_solve,
    .evaluate = constraints_evaluate,
    .measure = mo_constraint_system_measure,
    .report = constraints_report,
    .numbers = constraints_numbers,
    .reactions = constraints_reactions,
    .budget = constraints_budget,
    .remedy = "explicit external forces (drag, wind, attached forces); try a smaller time.step or "
              "more constraints.substeps",
    .edit = &mo_constraint_system_edit,
    .force_hooks = &FORCES,
    .solves_contacts = true,
};
