#include "world/world.h"

#include "base/hash.h"
#include "integrate/integrator.h"
#include "system/fluid/fluid.h"
#include "system/forces/forces.h"
#include "world/health/extremes.h"
#include "world/health/step_bound.h"
#include "world/health/watch.h"
#include "world/snapshot.h"

#include <math.h>
#include <string.h>

mote_config mote_config_default(void)
{
    return (mote_config){0};
}

mote_status mo_world_new(const mote_config *config, mote_world **out, mote_error *error)
{
    mote_config usual = mote_config_default();
    config = config ? config : &usual;
    if (!config->allocator.allocate != !config->allocator.release) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "config.allocator: allocate and release must be given together, or neither");
    }
    mo_memory memory;
    mo_memory_init(&memory, &config->allocator);
    mote_world *world = mo_allocate(&memory, sizeof *world);
    if (!world) {
        return mo_fail_memory(error, sizeof *world);
    }
    world->memory = memory;
    mo_arena_init(&world->arena, &world->memory);
    world->log = (mo_log){config->log, config->log_context};
    world->cancel = config->cancel;
    world->cancel_context = config->cancel_context;
    world->stage_control = mo_stage_add(&world->stages, "control");
    mote_status status = mo_pool_create(&world->memory, config->threads, &world->pool, error);
    if (status != MOTE_OK) {
        mote_world_destroy(world);
        return status;
    }
    *out = world;
    return MOTE_OK;
}

mote_status mo_world_check_cancelled(const mote_world *world, mote_error *error)
{
    bool cancelled = world->cancel && world->cancel(world->cancel_context);
    return cancelled ? mo_fail(error, MOTE_CANCELLED, "stopped") : MOTE_OK;
}

void mote_world_destroy(mote_world *world)
{
    if (!world) {
        return;
    }
    mo_observables_release(&world->observables);
    for (int k = 0; k < world->system_count; ++k) {
        world->systems[k].type->destroy(&world->systems[k]);
    }
    mo_pool_destroy(world->pool);
    mo_arena_release(&world->arena);
    mo_memory memory = world->memory;
    mo_release(&memory, world);
}

static bool step_varies(const mote_world *world)
{
    return world->def.time.step.type->capabilities & MO_STEP_VARIES;
}

/* The extremes of the state, and of them what a step control looks at. */
static mote_status find_rates(mote_world *world, bool changed, mo_extremes *extremes, mote_error *error)
{
    MO_TRY(mo_extremes_find(world, changed, extremes, error));
    world->rates.speed = extremes->speed;
    world->rates.acceleration = extremes->acceleration;
    return MOTE_OK;
}

mote_status mo_world_find_rates(mote_world *world, mote_error *error)
{
    mo_extremes extremes;
    return find_rates(world, true, &extremes, error);
}

/* The state was made or changed from outside: looks whether it is within the range, and
   evaluates the forces anew, so that the first step knows how fast things are about to become. */
static mote_status refresh_rates(mote_world *world, mote_error *error)
{
    mo_extremes extremes;
    world->stale = world->energy.started = false;
    MO_TRY(find_rates(world, true, &extremes, error));
    extremes.acceleration = 0; /* of another state */
    if (!mo_extremes_within_range(&extremes)) {
        return mo_watch_fail(world, 0, error);
    }
    if (!step_varies(world)) {
        return MOTE_OK;
    }
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        MO_TRY(s->type->evaluate(s, world->clock.time, error));
    }
    MO_TRY(find_rates(world, true, &extremes, error));
    return mo_extremes_within_range(&extremes) ? MOTE_OK : mo_watch_fail(world, 0, error);
}

static mote_status setup_contacts(mote_world *world, mote_error *error)
{
    int64_t count = world->def.colliders.count;
    const mo_collider_def *colliders = world->def.colliders.items;
    mo_pose *poses = mo_arena_allocate(&world->arena, 2 * (size_t)count * sizeof(mo_pose) + 1);
    bool *projects = mo_arena_allocate(&world->arena, (size_t)count * sizeof(bool) + 1);
    if (!poses || !projects) {
        return mo_fail_memory(error, (size_t)count * sizeof(mo_pose));
    }
    for (int64_t k = 0; k < count; ++k) {
        projects[k] = strcmp(colliders[k].position, "project") == 0;
    }
    mo_contact_images *images = mo_arena_allocate(&world->arena, (size_t)count * sizeof *images + 1);
    if (!images) {
        return mo_fail_memory(error, (size_t)count * sizeof *images);
    }
    world->contacts = (mo_contacts){.count = count,
                                    .colliders = colliders,
                                    .projects = projects,
                                    .poses = poses,
                                    .poses_before = poses + count,
                                    .gravity = world->gravity,
                                    .domain = mo_world_def_domain(&world->def),
                                    .images = images};
    world->contacts.periodic = mo_domain_periodic(&world->contacts.domain);
    for (int64_t k = 0; k < count; ++k) {
        poses[k] = mo_motion_pose(colliders[k].motion, 0);
    }
    return mo_contact_images_check(&world->contacts, error);
}

/* A step that follows the particles' speed needs particles with a size. */
static mote_status check_sizes(mote_world *world, mote_error *error)
{
    int64_t without = 0, rows = 0;
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        rows += mo_store_rows(s->store);
        for (int64_t row = 0; row < mo_store_rows(s->store); ++row) {
            without += mo_f64(s->columns.inverse_diameter)[row] == 0;
        }
    }
    if (!step_varies(world) || without == 0) {
        return MOTE_OK;
    }
    if (without == rows) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "time.step: '%s' follows the particles' sizes, but no particle has one; "
                       "give the bodies a radius",
                       world->def.time.step.type->name);
    }
    mo_warn(&world->warnings, &world->log, 0, "size",
            "%lld particles have no size, so time.step does not see how fast "
            "they are; give their body a radius",
            (long long)without);
    return MOTE_OK;
}

/* What a world can be made of. */
static mote_status build_forces(mote_world *world, mo_system *system, mote_error *error)
{
    return mo_forces_create(&world->def, &world->memory, world->pool, &world->arena, &world->stages, system,
                            error);
}

static mote_status build_fluid(mote_world *world, mo_system *system, mote_error *error)
{
    mo_warner warner = {&world->warnings, &world->log};
    return mo_fluid_create(&world->def, &world->memory, world->pool, &world->stages, warner, system, error);
}

typedef mote_status build_fn(mote_world *world, mo_system *system, mote_error *error);

static mote_status build_system(mote_world *world, build_fn *build, mo_system *system, mote_error *error)
{
    MO_TRY(build(world, system, error));
    system->solids = &world->contacts;
    if (world->def.colliders.count == 0) {
        return MOTE_OK;
    }
    mote_status status =
        mo_store_declare(system->store, &mo_contact_column, &system->columns.contact_x, error);
    if (status != MOTE_OK) {
        system->type->destroy(system);
    }
    return status;
}

static mote_status add_system(mote_world *world, build_fn *build, mote_error *error)
{
    MO_TRY(build_system(world, build, &world->systems[world->system_count], error));
    world->system_count++;
    return MOTE_OK;
}

mote_status mo_world_rebuild(mote_world *world, int k, mo_system *old, mote_error *error)
{
    mo_system *system = &world->systems[k];
    *old = *system;
    build_fn *build = system->type == &mo_fluid_system_type ? build_fluid : build_forces;
    mote_status status = build_system(world, build, system, error);
    if (status == MOTE_OK) {
        status = mo_observables_bind(&world->observables, error);
        if (status != MOTE_OK) {
            system->type->destroy(system);
        }
    }
    if (status != MOTE_OK) {
        *system = *old;
        return status;
    }
    system->type->adopt_callbacks(system, old);
    return MOTE_OK;
}

/* A skin is drawn where its body carries it; one that lies elsewhere is a mistake in its place or size. */
static void warn_about_skins(mote_world *world)
{
    static const double FAR = 3;
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        for (int64_t n = 0; n < s->skin_count; ++n) {
            double stray = mo_skin_stray(&s->skins[n]);
            if (stray > FAR) {
                mo_warn(
                    &world->warnings, &world->log, 0, "skin",
                    "the skin of '%s' lies up to %.3g element heights outside it; give it the place and the "
                    "size of the body (skin.scale, skin.moved)",
                    s->bodies[s->skins[n].body].name, stray);
            }
        }
    }
}

mote_status mo_world_setup(mote_world *world, const mo_world_def *def, mote_error *error)
{
    world->def = *def;
    world->gravity = mo_world_def_gravity(def);
    MO_TRY(setup_contacts(world, error));
    if (def->bodies.count > 0) {
        MO_TRY(add_system(world, build_forces, error));
    }
    mo_system *fluid = NULL;
    if (mo_fluid_def_present(&def->fluid)) {
        MO_TRY(add_system(world, build_fluid, error));
        fluid = &world->systems[world->system_count - 1];
    }
    MO_TRY(mo_observables_create(&world->observables, def,
                                 world->system_count > 0 ? &world->systems[0] : NULL, fluid, &world->memory,
                                 &world->arena, error));
    if (world->system_count > 0 && world->systems[0].not_implicit) {
        mo_warn(
            &world->warnings, &world->log, 0, "jacobian",
            "the force '%s' has no Jacobian: '%s' takes it as it is at the last iterate, so the step must be "
            "small enough for it",
            world->systems[0].not_implicit, def->integrator.type->name);
    }
    warn_about_skins(world);
    world->stage_contact = mo_stage_add(&world->stages, "contact");
    world->stage_check = mo_stage_add(&world->stages, "check");
    MO_TRY(check_sizes(world, error));
    mo_energy_watch_open(world);
    world->initial_hash = mo_world_initial_hash(world); /* before anything is evaluated */
    MO_TRY(refresh_rates(world, error));
    mo_world_watch_bound(world, mo_world_next_step(world)); /* for `mote check`, too */
    return MOTE_OK;
}

mo_step_choice mo_world_choose_step(const mote_world *world, double speed)
{
    const mo_step_type *control = (const mo_step_type *)world->def.time.step.type;
    mo_step_state state = {speed, world->rates.acceleration, mo_world_step_bound(world)};
    return control->choose(world->def.time.step.params, &state);
}

static mo_step_choice choose_step(const mote_world *world)
{
    return mo_world_choose_step(world, world->rates.speed);
}

double mo_world_next_step(const mote_world *world)
{
    return choose_step(world).size;
}

/* What the clock shows after a step of h. */
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

/* The state is finite and within the range: the health of the step, and what the next one may
   be. */
static mote_status check_step(mote_world *world, double h, mote_step_report *report, mote_error *error)
{
    mo_extremes extremes;
    MO_TRY(find_rates(world, false, &extremes, error));
    report->courant = extremes.speed * h;
    if (!mo_extremes_within_range(&extremes)) {
        return mo_watch_fail(world, h, error);
    }
    mo_watch_courant(world, report->courant, report);
    return MOTE_OK;
}

/* All systems from now to `end`. */
static mote_status step_systems(mote_world *world, double h, double end, mote_step_report *report,
                                mote_error *error)
{
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        int64_t before = s->evaluations;
        mo_contacts_begin(&world->contacts, s);
        mo_step_time now = {world->clock.time, h, end, world->clock.steps};
        s->grown_from = -1;
        MO_TRY(s->type->step(s, &now, &world->stages, error));
        report->evaluations += s->evaluations - before;
        if (k == 0 && s->grown_from >= 0) {
            mo_observables_begin(&world->observables, s->grown_from);
        }
    }
    return MOTE_OK;
}

static mote_status resolve_contacts(mote_world *world, double h, mote_step_report *report, mote_error *error)
{
    world->contacts.gravity = mo_world_def_gravity_at(&world->def, world->clock.time);
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        MO_TRY(mo_contacts_resolve(&world->contacts, s, world->clock.time, h, error));
        report->contacts += s->contacts;
        mo_watch_walls(world, s, report);
    }
    return MOTE_OK;
}

/* What the implicit solves of a step came to, and what to do about those that failed. */
static void report_solves(mote_world *world, mote_step_report *report)
{
    mo_newton_count step = {0};
    for (int k = 0; k < world->system_count; ++k) {
        mo_newton_count_add(&step, &world->systems[k].solved);
    }
    mo_newton_count_add(&world->solved, &step);
    report->newton_iterations = step.iterations;
    report->linear_iterations = step.linear_iterations;
    report->newton_residual = step.residual;
    report->linear_residual = step.linear_residual;
    if (step.unsolved > 0) {
        mo_warn(&world->warnings, &world->log, world->clock.time, "linear",
                "the linear solver has not reached its tolerance, a residual of %.2g is left; give "
                "integrator.solver more iterations or another type (cholesky), or take a smaller time.step",
                step.linear_residual);
    }
    if (step.unfinished > 0) {
        mo_warn(
            &world->warnings, &world->log, world->clock.time, "newton",
            "Newton's method has not reached its tolerance, a residual of %.2g is left; give the integrator "
            "more iterations, a more exact solver, or take a smaller time.step",
            step.residual);
    }
}

/* The step, as a table of contents. */
static mote_status take_step(mote_world *world, mo_step_choice choice, double end, mote_step_report *report,
                             mote_error *error)
{
    double h = choice.size;
    *report =
        (mote_step_report){.dt = h, .limited_by = choice.limited_by, .courant_id = -1, .courant_system = -1};
    if (world->clock.time + h == world->clock.time) {
        return mo_fail(
            error, MOTE_ERROR_NUMERIC,
            "step %lld, t = %g s: the step has collapsed to %g s, which no longer moves the clock; give "
            "time.step a larger size or min",
            (long long)world->clock.steps, world->clock.time, h);
    }
    mo_stage_end(&world->stages, world->stage_control);
    mo_world_watch_bound(world, h);
    MO_TRY(step_systems(world, h, end, report, error));
    tick(&world->clock, h, end);
    report->step = world->clock.steps;
    report->time = world->clock.time;
    MO_TRY(resolve_contacts(world, h, report, error));
    mo_stage_end(&world->stages, world->stage_contact);
    for (int k = 0; k < world->system_count; ++k) {
        if (world->systems[k].type->report) {
            world->systems[k].type->report(&world->systems[k], report);
        }
    }
    report_solves(world, report);
    MO_TRY(check_step(world, h, report, error));
    MO_TRY(mo_energy_watch_step(world, h, error));
    MO_TRY(mo_stray_watch_step(world, error));
    mo_watch_emitters(world);
    mo_watch_step(world, &choice);
    MO_TRY(mo_watch_planes(world, error));
    report->warning_count = world->warnings.count;
    mo_stage_end(&world->stages, world->stage_check);
    return MOTE_OK;
}

static mote_status refresh_if_stale(mote_world *world, mote_error *error)
{
    return world->stale ? refresh_rates(world, error) : MOTE_OK;
}

mote_status mote_world_step(mote_world *world, mote_step_report *report, mote_error *error)
{
    MO_NEED(world);
    mote_step_report unused;
    mo_stage_begin(&world->stages);
    MO_TRY(refresh_if_stale(world, error));
    mo_step_choice choice = choose_step(world);
    return take_step(world, choice, time_after(&world->clock, choice.size), report ? report : &unused, error);
}

/* Shortens a step so that it, or a whole number of equal ones, ends at `target`. */
static void fit_step(const mote_world *world, double target, mo_step_choice *choice, bool *lands)
{
    double left = target - world->clock.time;
    double steps = ceil(left / choice->size - 1e-9);
    *lands = steps <= 1;
    if (steps <= 2 && left / steps < choice->size) {
        choice->size = left / steps;
        choice->limited_by = "frame";
    }
    if (*lands) {
        choice->size = left;
    }
}

mote_status mo_world_advance(mote_world *world, double target, mo_step_hook *hook, void *context,
                             mote_step_report *report, mote_error *error)
{
    bool exact = step_varies(world) && (world->def.integrator.type->capabilities & MO_VARIABLE_STEP);
    *report = (mote_step_report){.step = world->clock.steps,
                                 .time = world->clock.time,
                                 .limited_by = "none",
                                 .courant_id = -1,
                                 .courant_system = -1,
                                 .warning_count = world->warnings.count};
    for (;;) {
        mo_stage_begin(&world->stages);
        MO_TRY(refresh_if_stale(world, error));
        mo_step_choice choice = choose_step(world);
        double slack = exact ? 1e-12 * fabs(target) : 0.5 * choice.size;
        if (target - world->clock.time <= slack) {
            return MOTE_OK;
        }
        bool lands = false;
        if (exact) {
            fit_step(world, target, &choice, &lands);
        }
        double end = lands ? target : time_after(&world->clock, choice.size);
        MO_TRY(take_step(world, choice, end, report, error));
        if (lands) {
            world->clock.previous = 0; /* the next step starts a new base at exactly this time */
        }
        if (hook && !hook(context, report)) {
            return mo_fail(error, MOTE_CANCELLED, "stopped at t = %g s", world->clock.time);
        }
    }
}

mote_status mote_world_advance(mote_world *world, double time, mote_step_report *report, mote_error *error)
{
    MO_NEED(world);
    if (!isfinite(time)) {
        return MO_BAD_ARGUMENT(time, "is %g s; allowed: finite times", time);
    }
    /* a fixed step may have ended up to half a step after the time that was asked for */
    double slack = fmax(world->clock.previous, mo_world_next_step(world));
    if (time < world->clock.time - slack) {
        return MO_BAD_ARGUMENT(time,
                               "is %g s, the world is at %g s; a world goes forwards only, "
                               "mote_world_restore puts it back",
                               time, world->clock.time);
    }
    mote_step_report unused;
    return mo_world_advance(world, time, NULL, NULL, report ? report : &unused, error);
}

uint64_t mo_hash_particle(int64_t id, const double *x, const double *v, const double *q, const double *w)
{
    uint64_t hash = mo_hash_word(0, (uint64_t)id);
    for (int k = 0; k < 3; ++k) {
        hash = mo_hash_double(hash, x[k]);
    }
    for (int k = 0; k < 3; ++k) {
        hash = mo_hash_double(hash, v[k]);
    }
    for (int k = 0; q && k < 4; ++k) {
        hash = mo_hash_double(hash, q[k]);
    }
    for (int k = 0; w && k < 3; ++k) {
        hash = mo_hash_double(hash, w[k]);
    }
    return hash;
}

static uint64_t hash_row(const mo_system *s, int64_t row)
{
    const mo_particle_columns *c = &s->columns;
    return mo_hash_particle(mo_i64(c->id)[row], mo_f64(c->x) + 3 * row, mo_f64(c->v) + 3 * row,
                            c->q ? mo_f64(c->q) + 4 * row : NULL, c->q ? mo_f64(c->w) + 3 * row : NULL);
}

/* Rows are hashed with their ids and added: the same for any storage order, without sorting. */
uint64_t mote_world_state_hash(mote_world *world)
{
    MO_NEED_OR(world, 0);
    uint64_t hash = 0;
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        uint64_t sum = 0;
        for (int64_t row = 0; row < mo_store_rows(s->store); ++row) {
            sum += hash_row(s, row);
        }
        hash = mo_hash_word(mo_hash_bytes(hash, s->type->name, strlen(s->type->name)), sum);
    }
    return hash;
}

mote_status mo_world_measure(mote_world *world, bool virial, mote_measures *measures, mote_error *error)
{
    *measures = (mote_measures){.pressure = NAN}; /* that of pair forces; a fluid has a column of it */
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        MO_TRY(s->type->measure(s, world->clock.time, virial, measures, error));
    }
    return mo_watch_measures(world, measures, error);
}

mote_status mote_world_measure(mote_world *world, mote_measures *measures, mote_error *error)
{
    MO_NEED(world);
    MO_NEED(measures);
    return mo_world_measure(world, true, measures, error);
}

mote_status mote_world_add_force(mote_world *world, mote_force_fn *force, void *context, mote_error *error)
{
    MO_NEED(world);
    MO_NEED(force);
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        if (s->type->add_force) {
            MO_TRY(s->type->add_force(s, force, context, error));
            mo_energy_watch_open(world);
            return MOTE_OK;
        }
    }
    return mo_fail(error, MOTE_ERROR_USAGE,
                   "the world has nothing that forces move: its scene has no bodies");
}
