#include "system/fluid/fluid.h"

#include "fluid/methods.h"
#include "fluid/shifting/shifting.h"
#include "host/row_sums.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096, RESORT_EVERY = 64, RESORT_ROWS = 4096 };

/* ---- a step ---- */

/* Lists and gradient factors are rebuilt, so the memory of the latter is scratch: no step
 * allocates. */
static mote_status resort(mo_fluid_system *fluid, int64_t step, mote_error *error)
{
    mo_system *s = fluid->system;
    mo_fluid *f = &fluid->fluid;
    int64_t rows = mo_store_owned(s->store);
    if (step % RESORT_EVERY != 0 || rows < RESORT_ROWS) {
        return MOTE_OK;
    }
    int64_t order_floats = rows * (int64_t)(sizeof(int64_t) / sizeof(float));
    int64_t workspace = (int64_t)(mo_search_order_bytes(rows) / sizeof(float));
    MO_TRY(mo_reserve(f->memory, &f->gradient_factor, &f->gradient_factor_capacity,
                      workspace + order_floats, sizeof(float), error));
    int64_t *order = (int64_t *)(void *)(f->gradient_factor + workspace), *map;
    MO_TRY(mo_search_order_in(f->gradient_factor, MO_ORDER_LEXICOGRAPHIC, rows,
                              mo_f64(s->columns.x), f->support, s->host->pool, order, error));
    MO_TRY(mo_fluid_system_map(fluid, rows, &map, error));
    for (int64_t row = 0; map && row < rows; ++row) {
        map[order[row]] = row;
    }
    MO_TRY(mo_store_reorder(s->store, s->host->pool, order, error));
    mo_fluid_system_remap(fluid, map);
    return MOTE_OK;
}

static void store_densities(void *context, int64_t first, int64_t last)
{
    const mo_fluid *f = context;
    float *density = f->columns.density->data;
    for (int64_t row = first; row < last; ++row) {
        density[row] = f->density[row] / f->specific[row];
    }
}

/* Of the pressure only the part beyond that of the attraction of particles is reported. */
static void subtract_cohesion(void *context, int64_t first, int64_t last)
{
    const mo_fluid *f = context;
    float *pressure = f->columns.pressure->data;
    for (int64_t row = first; row < last; ++row) {
        pressure[row] -= f->cohesion[row];
    }
}

static void report_pressure(mo_fluid *f)
{
    if (f->cohesion && f->columns.pressure) {
        mo_parallel_for(f->pool, f->rows, GRAIN, subtract_cohesion, f);
    }
}

static void keep_densities(void *context, int64_t first, int64_t last)
{
    const mo_fluid *f = context;
    size_t begin = (size_t)first * sizeof(float), bytes = (size_t)(last - first) * sizeof(float);
    memcpy((char *)f->columns.step_density->data + begin,
           (const char *)f->columns.density->data + begin, bytes);
}

/* Accumulates the statistics of a step. */
static void sum_up(mo_fluid_system *fluid, int64_t step)
{
    const mo_fluid_report *r = &fluid->fluid.report;
    mote_fluid_summary *s = &fluid->summary;
    s->steps++;
    s->iterations += r->iterations;
    s->divergence_iterations += r->divergence_iterations;
    s->iterations_max =
        r->iterations_most > s->iterations_max ? r->iterations_most : s->iterations_max;
    s->unconverged += r->unsolved.solve != NULL;
    s->divergence_unconverged += r->divergence_unsolved;
    s->residual_max = fmax(s->residual_max, r->residual);
    s->divergence_residual_max = fmax(s->divergence_residual_max, r->divergence_residual);
    if (step > 0) {
        s->states++;
        s->density_error_sum += r->density_error;
        s->density_error_max = fmax(s->density_error_max, r->density_error_max);
    }
}

static void warn_unconverged(const mo_fluid_system *fluid, double time)
{
    const mo_fluid_unsolved *u = &fluid->fluid.report.unsolved;
    const char *kind = u->divergence ? "divergence_" : "";
    if (!u->solve) {
        return;
    }
    mo_warn(
        fluid->warner.warnings, fluid->warner.log, time, "pressure",
        "%s: %s stopped after %d iterations at an average density error of %.2g %%, above the "
        "%stolerance of %.2g %%; use a smaller time.step, a larger max_%siterations, or a larger "
        "%stolerance",
        fluid->pressure->base.name, u->solve, u->iterations, 100 * u->residual, kind,
        100 * u->tolerance, kind, kind);
}

static void warn_viscosity(const mo_fluid_system *fluid, double time)
{
    const mo_fluid_report *r = &fluid->fluid.report;
    if (!r->viscosity_unsolved) {
        return;
    }
    mo_warn(fluid->warner.warnings, fluid->warner.log, time, "viscosity",
            "fluid.viscosity: the solve stopped after %d iterations at an estimated error of %.2g "
            "of the velocity change, above its tolerance; use a smaller time.step, a larger "
            "max_iterations, or a larger tolerance",
            r->viscosity_iterations, r->viscosity_error);
}

/* Uniform compression below this is neither visible nor measurable: filled boxes have 0.1 %. */
#define SLIGHT 2e-3

static void warn_compressed(const mo_fluid_system *fluid, double time)
{
    if (!(fluid->fluid.report.over_filled > SLIGHT)) {
        return;
    }
    mo_warn(
        fluid->warner.warnings, fluid->warner.log, time, "over-filled",
        "the initial density error is %.2g %% throughout the fluid; it is relaxed slowly with a "
        "free surface and not at all in an over-filled closed domain; fill less, lower mass_scale, "
        "or use relax",
        100 * fluid->fluid.report.over_filled);
}

/* Relative density error far beyond any tolerance. */
#define SQUEEZED 0.5

/* With several phases the residual acts most on the light one. */
static void warn_squeezed(const mo_fluid_system *fluid, const mo_step_time *now)
{
    const mo_fluid *f = &fluid->fluid;
    double least = INFINITY, most = 0;
    if (!(f->report.density_error_max > SQUEEZED) || now->step == 0 || !mo_fluid_mixed(f)) {
        return;
    }
    for (int k = 0; k < f->phase_count; ++k) {
        least = fmin(least, f->phases[k].density);
        most = fmax(most, f->phases[k].density);
    }
    mo_warn(
        fluid->warner.warnings, fluid->warner.log, now->time, "phases",
        "fluid.phases: the density of a particle reaches %.2g times its rest density between phases of %g "
        "and %g; a density ratio of %.3g with the heavy phase on top needs small steps and many "
        "iterations: use a smaller time.step and a larger max_iterations",
        1 + f->report.density_error_max, least, most, most / least);
}

static mote_status fluid_begin(mo_system *system, const mo_step_time *now, mote_error *error)
{
    mo_fluid_system *fluid = system->state;
    fluid->fluid.report = (mo_fluid_report){0};
    return resort(fluid, now->step, error);
}

static mote_status fluid_solve(mo_system *system, const mo_step_time *now, mote_error *error)
{
    mo_fluid_system *fluid = system->state;
    mo_fluid *f = &fluid->fluid;
    mo_fluid_step at = {now->time, now->h, now->step, system->host->stages, &fluid->stage};
    if (mo_store_owned(system->store) == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_emitters_begin(&fluid->emitters, system, error));
    if (system->host->wants_reactions) {
        MO_TRY(mo_fluid_want_reactions(f, error));
    }
    mo_fluid_begin_reactions(f, now->time, now->end);
    f->shifts = mo_fluid_shifts(f, now->time);
    MO_TRY(fluid->pressure->step(&f->pressure, f, &at, error));
    report_pressure(f);
    system->evaluations++;
    MO_TRY(mo_terms_advance(f, now->h, error));
    MO_TRY(mo_external_forces_advance(&fluid->forces, now->end, now->h, error));
    if (f->shifts) {
        const mo_shifting_type *shifting = (const mo_shifting_type *)f->def->shifting.type;
        MO_TRY(shifting->shift(&f->shifting, f, now->h, error));
    }
    mo_emitters_lead(&fluid->emitters, system, now->end, now->h);
    mo_parallel_for(f->pool, f->rows, GRAIN, store_densities, f);
    if (f->columns.step_density) {
        mo_parallel_for(f->pool, f->rows, GRAIN, keep_densities, f);
    }
    mo_system_count_age(system);
    sum_up(fluid, now->step);
    warn_unconverged(fluid, now->time);
    warn_compressed(fluid, now->time);
    warn_viscosity(fluid, now->time);
    warn_squeezed(fluid, now);
    MO_TRY(mo_fluid_system_check_density(fluid, now, error));
    return mo_fluid_system_check_sound(fluid, now->time, error);
}

/* Emission and removal. */
static mote_status fluid_finish(mo_system *system, const mo_step_time *now, mote_error *error)
{
    mo_fluid_system *fluid = system->state;
    MO_TRY(mo_fluid_system_remove(fluid, error));
    MO_TRY(mo_fluid_system_emit(fluid, now->time, now->end, error));
    mo_stage_end(system->host->stages, fluid->stage.advance);
    return MOTE_OK;
}

/* The accelerations of a fluid follow from a pressure solve, which is a step. Between two steps
 * those of the last one are the best estimate; gravity and external forces are lower bounds, for
 * new particles and for changed gravity. */
static mote_status evaluate(mo_system *system, double time, mote_error *error)
{
    mo_fluid_system *fluid = system->state;
    mo_vec3 g = mo_fluid_gravity(&fluid->fluid, time);
    const double *inverse_mass = mo_f64(system->columns.inverse_mass), *f;
    MO_TRY(mo_fluid_system_forces_sum(&fluid->forces, time, &f, error));
    for (int64_t row = 0; row < mo_store_owned(system->store); ++row) {
        double *a = mo_f64(system->columns.a) + 3 * row;
        mo_vec3 least = f ? mo_add_scaled(g, inverse_mass[row], mo_vec3_load(f + 3 * row)) : g;
        if (mo_dot(mo_vec3_load(a), mo_vec3_load(a)) < mo_dot(least, least)) {
            mo_vec3_store(a, least);
        }
    }
    return MOTE_OK;
}

/* Rows were removed by the caller. */
static void settle(mo_system *system, const int64_t *map)
{
    mo_terms_remap(&((mo_fluid_system *)system->state)->fluid, map);
}

/* ---- measurements ---- */

/* Energies at the current positions, whose densities a step does not leave. No step reads the
 * result; the report is that of the last step. */
static mote_status stored_energy(mo_system *system, double time, double *joules, mote_error *error)
{
    mo_fluid_system *fluid = system->state;
    mo_fluid *f = &fluid->fluid;
    mo_fluid_report report = f->report;
    double internal = 0;
    *joules = 0;
    if (mo_store_owned(system->store) == 0) {
        return MOTE_OK;
    }
    if (fluid->pressure->energy || mo_terms_energy_updates(f)) {
        mote_error unused; /* a diverged fluid is reported by the next step */
        mote_status status = mo_fluid_update(f, time, &unused);
        f->report = report;
        if (status != MOTE_OK) {
            return MOTE_OK;
        }
    }
    MO_TRY(mo_terms_energy(f, joules, error));
    if (fluid->pressure->energy) {
        MO_TRY(fluid->pressure->energy(&f->pressure, f, &internal, error));
    }
    *joules += internal;
    return MOTE_OK;
}

static mote_status measure(mo_system *system, double time, bool virial, mote_measures *out,
                           mote_error *error)
{
    (void)virial;
    mo_fluid_system *fluid = system->state;
    double stored;
    MO_TRY(stored_energy(system, time, &stored, error));
    MO_TRY(mo_external_forces_measure(&fluid->forces, time, out, error));
    out->elastic += stored;
    return mo_row_sums_measure(system, time, out, error);
}

/* Rates of explicit damping add up, and so do the inverses of its limits. */
static mo_step_bound damping_limit(mo_fluid_system *fluid)
{
    const char *name;
    double terms = mo_terms_limit(&fluid->fluid, &name),
           forces = mo_fluid_system_forces_limit(&fluid->forces);
    double both = isfinite(forces) ? 1 / (1 / terms + 1 / forces) : terms;
    if (forces < terms) {
        return (mo_step_bound){both, "forces", "stable step of explicit forces on the fluid",
                               "less drag and damping or a larger spacing"};
    }
    bool viscous = strstr(name, "viscosity");
    return (mo_step_bound){both, name,
                           viscous ? "stable step of explicit viscosity"
                                   : "stable step of an explicit term of the fluid",
                           viscous ? "less viscosity or a larger spacing"
                                   : "a smaller coefficient or a larger spacing"};
}

/* Contacts stop particles after the pressure solve, whose prediction does not include them:
 * fluid at a solid is compressed by v h in a step, and at a depth H by g (H/spacing) h^2. The
 * first may be COMPRESSED of a spacing; the second must be below 0.3 h sqrt(g spacing), which
 * the solve relaxes in a step (pressure/solve.h). */
static const double COMPRESSED = 0.05, RELAXED = 0.3;

static double contact_limit(const mo_system *system)
{
    const mo_fluid_system *fluid = system->state;
    const mo_fluid *f = &fluid->fluid;
    const double *x = mo_f64(system->columns.x), *v = mo_f64(system->columns.v);
    double fastest = 0, low = INFINITY, high = -INFINITY, gravity = mo_length(f->gravity);
    /* isph projects velocities; contacts cause no compression */
    bool bounded = f->contacts && !fluid->pressure->needs_shifting;
    for (int64_t row = 0; bounded && row < mo_store_owned(system->store); ++row) {
        mo_vec3 u = mo_vec3_load(v + 3 * row);
        double up = mo_dot(mo_vec3_load(x + 3 * row), f->gravity);
        fastest = fmax(fastest, mo_dot(u, u));
        low = fmin(low, up);
        high = fmax(high, up);
    }
    if (!(high > low)) {
        return INFINITY;
    }
    double layers = (high - low) / (gravity * f->spacing) + 1;
    double resting = gravity > 0 ? RELAXED * sqrt(f->spacing / gravity) / layers : INFINITY;
    return fmin(resting, fastest > 0 ? COMPRESSED * f->spacing / sqrt(fastest) : INFINITY);
}

/* Explicit methods have a stability limit. */
static mo_step_bound fluid_limit(const mo_system *system)
{
    mo_fluid_system *fluid = system->state;
    const mo_fluid *f = &fluid->fluid;
    double sound =
        fluid->pressure->limit ? fluid->pressure->limit(f->def->pressure.params, f) : INFINITY;
    double contacts = contact_limit(system);
    mo_step_bound damping = damping_limit(fluid);
    if (contacts < fmin(sound, damping.size)) {
        return (mo_step_bound){contacts, "boundary",
                               "stable step of a boundary without pressure (geometric)",
                               "another fluid.boundary, such as continuum"};
    }
    if (!isfinite(fmin(sound, damping.size))) {
        return (mo_step_bound){0};
    }
    if (damping.size <= sound) {
        return damping;
    }
    return (mo_step_bound){
        sound, "sound", "stable step of an explicit pressure solver (0.4 spacing / speed of sound)",
        "a smaller stiffness or an implicit pressure solver (dfsph, iisph, pbf)"};
}

static mote_status added(mo_system *system, int64_t first, mote_error *error)
{
    return mo_external_forces_begin(&((mo_fluid_system *)system->state)->forces, first, error);
}

static void fluid_report(mo_system *system, mote_step_report *out)
{
    mo_fluid_system *fluid = system->state;
    const mo_fluid_report *r = &fluid->fluid.report;
    out->density_error = r->density_error;
    out->density_error_max = r->density_error_max;
    out->iterations = r->iterations;
    out->divergence_iterations = r->divergence_iterations;
    out->residual = r->residual;
    out->divergence_residual = r->divergence_residual;
    fluid->summary.penetrations +=
        mo_fluid_system_has_samples(system) ? system->contact.crossings : 0;
}

static const mo_reactions *fluid_reactions(const mo_system *system)
{
    const mo_fluid *f = &((const mo_fluid_system *)system->state)->fluid;
    return f->reacts ? &f->reactions : NULL;
}

static int fluid_numbers(const mo_system *system, mote_quantity *n)
{
    const mo_fluid_system *fluid = system->state;
    const mo_fluid_report *r = &fluid->fluid.report;
    double penetrations =
        mo_fluid_system_has_samples(system) ? (double)system->contact.crossings : 0;
    const mote_quantity numbers[] = {
        {.name = "fluid_particles", "1", MOTE_LAST, (double)mo_store_owned(system->store)},
        {.name = "density_error_avg", "1", MOTE_MEAN, r->density_error},
        {.name = "density_error_max", "1", MOTE_MAX, r->density_error_max},
        {.name = "iterations", "1", MOTE_MEAN, r->iterations},
        {.name = "divergence_iterations", "1", MOTE_MEAN, r->divergence_iterations},
        {.name = "viscosity_iterations", "1", MOTE_MEAN, r->viscosity_iterations},
        {.name = "penetrations", "1", MOTE_SUM, penetrations},
        {.name = "viscosity_loss", "J", MOTE_SUM, mo_terms_taken(&fluid->fluid, "viscosity")},
        {.name = "artificial_viscosity_loss",
         "J",
         MOTE_SUM,
         mo_terms_taken(&fluid->fluid, "artificial_viscosity")}};
    memcpy(n, numbers, sizeof numbers);
    return sizeof numbers / sizeof *numbers;
}

/* A step leaves the densities of its initial positions; frames need those of the current ones. No
 * step reads the result. */
static void derive(mo_system *system, double time)
{
    mo_fluid_system *fluid = system->state;
    mo_fluid *f = &fluid->fluid;
    mote_error error;
    if (mo_store_owned(system->store) == 0 || mo_fluid_update(f, time, &error) != MOTE_OK) {
        return; /* out of memory or a diverged fluid is reported by the next step */
    }
    mo_parallel_for(f->pool, f->rows, GRAIN, store_densities, f);
    if (fluid->pressure->publish) {
        fluid->pressure->publish(&f->pressure, f);
        report_pressure(f);
    }
}

static bool resorts(const mo_system *system)
{
    (void)system;
    return true;
}

void mo_fluid_system_release(mo_system *system)
{
    mo_fluid_system *fluid = system->state;
    mo_fluid *f = &fluid->fluid;
    mo_fluid_destroy_methods(f);
    mo_external_forces_release(&fluid->forces);
    mo_emitters_release(&fluid->emitters);
    mo_fluid_release(f);
    mo_release(system->host->memory, fluid);
    mo_system_release(system);
}

/* ---- energy ---- */

/* Over-filled and uneven starts gain energy while they relax, which density errors report. */
enum { WARM_UP = 64 };

static void fluid_budget(const mo_system *system, const mo_world_def *def, mo_energy_budget *budget)
{
    const mo_fluid_system *fluid = system->state;
    (void)def;
    budget->open = budget->open || fluid->fluid.def->emitters.count > 0 ||
                   mo_external_forces_open(&fluid->forces);
    budget->stores = budget->stores || fluid->pressure->limit;
    budget->warm_up = WARM_UP;
}

static const mo_edit_hooks EDIT = {.added = added, .settle = settle};
static const char *const DERIVED[] = {"density", "pressure", NULL};
static const mo_export_hooks EXPORT = {
    .derive = derive, .derived = DERIVED, .kernel = mo_fluid_system_density_kernel};

const mo_system_type mo_system_fluid = {
    .base = {.name = "fluid",
             .summary = "Smoothed particle hydrodynamics: particles of one or more fluids."},
    .section = &mo_fluid_system_keys_section,
    .check = mo_fluid_system_check,
    .wanted = mo_fluid_system_wanted,
    .create = mo_fluid_system_create,
    .destroy = mo_fluid_system_release,
    .begin = fluid_begin,
    .solve = fluid_solve,
    .finish = fluid_finish,
    .limit = fluid_limit,
    .evaluate = evaluate,
    .measure = measure,
    .report = fluid_report,
    .numbers = fluid_numbers,
    .reactions = fluid_reactions,
    .health = mo_fluid_system_health,
    .budget = fluid_budget,
    .resorts = resorts,
    .name_tables = mo_fluid_system_name_tables,
    .remedy = "the speed of the fluid; try {\"type\": \"cfl\"} as time.step with a smaller max or "
              "factor, or more viscosity",
    .slow_remedy = "remove it by fluid.remove",
    .edit = &EDIT,
    .force_hooks = &mo_fluid_system_force_hooks,
    .export = &EXPORT,
    .reported = &mo_fluid_system_reported,
    .drawing = &mo_fluid_system_drawing,
};
