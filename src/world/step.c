/*
 * The step of a world:
 *     choose h
 *     couplings pose       prescribed motions at t
 *     systems begin        sort rows, find neighbours, predict
 *     couplings gather     contacts, boundary particles
 *     for each system in the order of systems.def: solve, then couplings scatter to the later ones
 *     tick                 the clock is at t + h
 *     couplings project    positions and velocities after the solves
 *     systems finish       add and remove rows
 *     actions              timed tools of the scene
 *     limits of the domain, reactions on colliders, report, health
 * One h is used by the whole world, the smallest limit of all systems and couplings.
 */
#include "world/actions.h"
#include "world/extremes.h"
#include "world/health.h"
#include "world/reactions.h"
#include "world/step_advice.h"
#include "world/step_bound.h"
#include "world/world.h"

#include <math.h>

/* The next step and the bound of the systems and couplings that it was chosen under. */
typedef struct step_plan {
    mo_step_choice choice;
    mo_step_bound bound;
} step_plan;

static step_plan plan_step(const mote_world *world, double speed)
{
    const mo_step_type *control = (const mo_step_type *)world->def.time.step.type;
    mo_step_state state = {.speed = speed,
                           .acceleration = world->rates.acceleration,
                           .bound = mo_world_step_bound(world)};
    mo_world_advised_state(world, &state);
    return (step_plan){control->choose(world->def.time.step.params, &state), state.bound};
}

mo_step_choice mo_world_choose_step(const mote_world *world, double speed)
{
    return plan_step(world, speed).choice;
}

double mo_world_next_step(const mote_world *world)
{
    return mo_world_choose_step(world, world->rates.speed).size;
}

double mote_world_step_size(const mote_world *world, const char **limited_by)
{
    MO_NEED_OR(world, 0);
    mo_step_choice choice = mo_world_choose_step(world, world->rates.speed);
    if (limited_by) {
        *limited_by = choice.limited_by;
    }
    return choice.size;
}

/* Time after a step of h. */
static double time_after(const mo_clock_state *clock, double h)
{
    bool same = h == clock->previous;
    int64_t before = same ? clock->steps - clock->steps_at_base : 0;
    return (same ? clock->base : clock->time) + (double)(before + 1) * h;
}

static void tick(mo_clock_state *clock, double h, double end)
{
    if (h != clock->previous) {
        clock->base = clock->time;
        clock->steps_at_base = clock->steps;
    }
    clock->steps++;
    clock->previous = h;
    clock->time = end;
}

/* The state is finite and within the range: checks the health of the step, and finds the limits
 * of the next. */
static mote_status check_step(mote_world *world, double h, mote_step_report *report,
                              mote_error *error)
{
    mo_extremes extremes;
    MO_TRY(mo_world_find_extremes(world, false, &extremes, error));
    report->courant = extremes.speed * h;
    if (!mo_extremes_within_range(&extremes)) {
        return mo_health_fail(world, h, error);
    }
    mo_health_check_courant(world, report->courant, report);
    return MOTE_OK;
}

/* Advances all systems from now to `end`, with the couplings between them. */
static mote_status solve_systems(mote_world *world, const mo_step_time *now, mote_error *error)
{
    for (int k = 0; k < world->coupling_count; ++k) {
        mo_coupling *c = &world->couplings[k];
        MO_TRY(c->type->pose ? c->type->pose(c, now->time, error) : MOTE_OK);
    }
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        s->grown_from = -1;
        s->contact = (mo_contact_count){0};
        MO_TRY(s->type->begin ? s->type->begin(s, now, error) : MOTE_OK);
    }
    for (int k = 0; k < world->coupling_count; ++k) {
        mo_coupling *c = &world->couplings[k];
        MO_TRY(c->type->gather ? c->type->gather(c, now, error) : MOTE_OK);
    }
    for (int k = 0; k < world->system_count; ++k) {
        MO_TRY(world->systems[k].type->solve(&world->systems[k], now, error));
        for (int n = 0; n < world->coupling_count; ++n) {
            mo_coupling *c = &world->couplings[n];
            MO_TRY(c->type->scatter ? c->type->scatter(c, &world->systems[k], now, error)
                                    : MOTE_OK);
        }
    }
    return MOTE_OK;
}

/* After all solves: projects positions, adds and removes rows. */
static mote_status finish_systems(mote_world *world, const mo_step_time *now, mote_error *error)
{
    for (int k = 0; k < world->coupling_count; ++k) {
        mo_coupling *c = &world->couplings[k];
        MO_TRY(c->type->project ? c->type->project(c, now, error) : MOTE_OK);
    }
    mo_stage_end(&world->stages, world->stage_contact);
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        MO_TRY(s->type->finish ? s->type->finish(s, now, error) : MOTE_OK);
    }
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        if (s->grown_from >= 0) {
            mo_world_tell_added(world, s, s->grown_from);
        }
    }
    return MOTE_OK;
}

/* Statistics of the implicit solves of a step, and warnings about solves that failed. */
static void report_solves(mote_world *world, mote_step_report *report)
{
    mo_newton_count step = {0};
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        if (s->type->stability && s->type->stability->solved) {
            mo_newton_count own = s->type->stability->solved(s);
            if (own.solves > 0) {
                mo_newton_count_add(&step, &own);
            }
        }
    }
    if (step.solves == 0) {
        return;
    }
    mo_newton_count_add(&world->solved, &step);
    report->newton_iterations = step.iterations;
    report->linear_iterations = step.linear_iterations;
    report->newton_residual = step.residual;
    report->linear_residual = step.linear_residual;
    if (step.unsolved > 0) {
        mo_warn(&world->warnings, &world->log, world->clock.time, "linear",
                "the linear solver has not reached its tolerance, the residual is %.2g; give "
                "integrator.solver more iterations or another type (cholesky), or use a smaller "
                "time.step",
                step.linear_residual);
    }
    if (step.unfinished > 0) {
        mo_warn(&world->warnings, &world->log, world->clock.time, "newton",
                "Newton's method has not reached its tolerance, the residual is %.2g; give the "
                "integrator more iterations, a more accurate solver, or use a smaller time.step",
                step.residual);
    }
}

/* Contributions of systems and couplings to the step report. */
static mote_status report_step(mote_world *world, const mo_step_time *now, mote_step_report *report,
                               mote_error *error)
{
    for (int k = 0; k < world->coupling_count; ++k) {
        const mo_coupling *c = &world->couplings[k];
        if (c->type->report) {
            c->type->report(c, report);
        }
    }
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        if (s->type->report) {
            s->type->report(s, report);
        }
        MO_TRY(s->type->health ? s->type->health(s, now, report, error) : MOTE_OK);
    }
    report_solves(world, report);
    return MOTE_OK;
}

static int64_t count_evaluations(const mote_world *world)
{
    int64_t count = 0;
    for (int k = 0; k < world->system_count; ++k) {
        count += world->systems[k].evaluations;
    }
    return count;
}

/* One step. */
static mote_status take_step(mote_world *world, const step_plan *plan, double end,
                             mote_step_report *report, mote_error *error)
{
    const mo_step_choice *choice = &plan->choice;
    double h = choice->size;
    mo_step_time now = {world->clock.time, h, end, world->clock.steps};
    int64_t evaluations = count_evaluations(world);
    *report = (mote_step_report){
        .dt = h, .limited_by = choice->limited_by, .courant_id = -1, .courant_system = -1};
    if (world->clock.time + h == world->clock.time) {
        return mo_fail(
            error, MOTE_ERROR_NUMERIC,
            "step %lld, t = %g s: the step of %g s is too small to advance the time; give "
            "time.step a larger size or min",
            (long long)world->clock.steps, world->clock.time, h);
    }
    mo_stage_end(&world->stages, world->stage_control);
    mo_world_check_bound(world, h, &plan->bound);
    MO_TRY(solve_systems(world, &now, error));
    tick(&world->clock, h, end);
    report->step = world->clock.steps;
    report->time = world->clock.time;
    report->evaluations = count_evaluations(world) - evaluations;
    MO_TRY(finish_systems(world, &now, error));
    MO_TRY(mo_world_act(world, now.time, end, error));
    MO_TRY(mo_limits_step(world, error));
    MO_TRY(mo_world_gather_reactions(world, error));
    MO_TRY(report_step(world, &now, report, error));
    MO_TRY(check_step(world, h, report, error));
    MO_TRY(mo_energy_drift_step(world, h, error));
    MO_TRY(mo_outliers_step(world, error));
    mo_health_check_step(world, choice);
    report->warning_count = world->warnings.count;
    mo_stage_end(&world->stages, world->stage_check);
    return MOTE_OK;
}

/* The next step, from rates and advice that are current. */
static mote_status plan_next(mote_world *world, step_plan *plan, mote_error *error)
{
    MO_TRY(world->stale ? mo_world_refresh_rates(world, error) : MOTE_OK);
    MO_TRY(mo_world_advise_if_due(world, error));
    *plan = plan_step(world, world->rates.speed);
    return MOTE_OK;
}

mote_status mote_world_step(mote_world *world, mote_step_report *report, mote_error *error)
{
    MO_NEED(world);
    mote_step_report unused;
    mo_stage_begin(&world->stages);
    step_plan plan;
    MO_TRY(plan_next(world, &plan, error));
    mo_world_accept_step(world, &plan.choice);
    return take_step(world, &plan, time_after(&world->clock, plan.choice.size),
                     report ? report : &unused, error);
}

/* Shortens a step so that it, or an integer number of equal ones, ends at `target`. */
static void fit_step(const mote_world *world, double target, mo_step_choice *choice, bool *lands)
{
    double left = target - world->clock.time;
    double steps = ceil(left / choice->size - 1e-9);
    *lands = steps <= 1;
    if (steps <= 2 && left / steps < choice->size) {
        bool shortened = left / steps < (1 - 1e-9) * choice->size;
        choice->limited_by = shortened ? "frame" : choice->limited_by;
        choice->size = left / steps;
    }
    if (*lands) {
        choice->size = left;
    }
}

mote_status mo_world_advance(mote_world *world, double target, mo_step_hook *hook, void *context,
                             mote_step_report *report, mote_error *error)
{
    bool exact = mo_world_step_lands(world);
    *report = (mote_step_report){.step = world->clock.steps,
                                 .time = world->clock.time,
                                 .limited_by = "none",
                                 .courant_id = -1,
                                 .courant_system = -1,
                                 .warning_count = world->warnings.count};
    for (;;) {
        mo_stage_begin(&world->stages);
        step_plan plan;
        MO_TRY(plan_next(world, &plan, error));
        mo_step_choice *choice = &plan.choice;
        double slack = exact ? 1e-12 * fabs(target) : 0.5 * choice->size;
        if (target - world->clock.time <= slack) {
            return MOTE_OK;
        }
        bool lands = false;
        mo_world_accept_step(world, choice);
        if (exact) {
            fit_step(world, target, choice, &lands);
        }
        double end = lands ? target : time_after(&world->clock, choice->size);
        MO_TRY(take_step(world, &plan, end, report, error));
        if (lands) {
            world->clock.previous = 0; /* the next step starts a new base at exactly this time */
        }
        if (hook && !hook(context, report)) {
            return mo_fail(error, MOTE_CANCELLED, "stopped at t = %g s", world->clock.time);
        }
    }
}

mote_status mote_world_advance(mote_world *world, double time, mote_step_report *report,
                               mote_error *error)
{
    MO_NEED(world);
    if (!isfinite(time)) {
        return MO_BAD_ARGUMENT(time, "is %g s; allowed: finite times", time);
    }
    /* a fixed step may have ended up to half a step after the requested time */
    double slack = fmax(world->clock.previous, mo_world_next_step(world));
    if (time < world->clock.time - slack) {
        return MO_BAD_ARGUMENT(time,
                               "is %g s, the world is at %g s; time only increases, "
                               "mote_world_restore restores an earlier state",
                               time, world->clock.time);
    }
    mote_step_report unused;
    return mo_world_advance(world, time, NULL, NULL, report ? report : &unused, error);
}
