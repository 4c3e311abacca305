/*
 * Plausibility checks: a speed of sound too low for the flow, and large density errors.
 *
 * Weakly compressible fluids keep their density within (|v|/c)^2: within 1 % if the speed of sound
 * c is ten times that of the flow (J. Monaghan 1994, J. Comput. Phys. 110, 399).
 *
 * Density errors are of compression only. Single particles of high density error in an impact are
 * harmless: dam breaks have 17 % in one of them for a few steps, and blocks that hit a boundary at
 * 10 m/s up to 180 %, for many steps, with an average of 0.05 %. So an average above DENSE is
 * warned about, and MANY of the particles above it in LASTING consecutive steps. Solvers with
 * shifting (isph) do not control the density of particles at boundaries, with errors up to 40 % in
 * flows accurate to 3 %: for them only the average is tested.
 */
#include "system/fluid/fluid.h"

#include <math.h>
#include <stdio.h>

enum { GRAIN = 4096, LASTING = 50 };

static const double SOUND_RATIO = 10, SOUND_MARGIN = 1.1, DENSE = 0.1, MANY = 0.01;

/* ---- sound ---- */

static void warn_about_sound(const mo_fluid_system *fluid, double time, double speed,
                             const char *kind, const char *whose)
{
    const mo_fluid *f = &fluid->fluid;
    if (!fluid->pressure->sound) {
        return;
    }
    mo_fluid_sound sound = fluid->pressure->sound(f->def->pressure.params, f);
    double ratio = SOUND_RATIO * speed / sound.speed;
    if (sound.speed > 0 && ratio > SOUND_MARGIN) {
        mo_warn(
            fluid->warner.warnings, fluid->warner.log, time, kind,
            "%s: the speed of sound, %.3g m/s, is below ten times the %s of %.3g m/s, so that "
            "density errors exceed 1 %% (about %.2g %%); set it to %.3g or more, for a speed of "
            "sound of %.3g m/s, or use an incompressible solver (dfsph, iisph, pbf); if the speed "
            "grows with it, look for overlaps in the initial state",
            sound.parameter, sound.speed, whose, speed,
            100 * (speed / sound.speed) * (speed / sound.speed), sound.value * ratio * ratio,
            SOUND_RATIO * speed);
    }
}

/* partial: the largest speed squared */
static void fastest_square(void *context, int64_t first, int64_t last, double *partial)
{
    const double *v = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 u = mo_vec3_load(v + 3 * row);
        *partial = fmax(*partial, mo_dot(u, u));
    }
}

static mote_status fastest(const mo_system *s, double *speed, mote_error *error)
{
    double square = 0;
    MO_TRY(mo_parallel_reduce(s->host->pool, mo_store_owned(s->store), GRAIN, MO_MAX, 1,
                              fastest_square, mo_f64(s->columns.v), &square, error));
    *speed = sqrt(square);
    return MOTE_OK;
}

/* The depth of the fluid along gravity. */
static double depth_of(const mo_system *s, mo_vec3 gravity)
{
    double low = INFINITY, high = -INFINITY, size = mo_length(gravity);
    for (int64_t row = 0; size > 0 && row < mo_store_owned(s->store); ++row) {
        double at = mo_dot(mo_vec3_load(mo_f64(s->columns.x) + 3 * row), gravity) / size;
        low = fmin(low, at);
        high = fmax(high, at);
    }
    return high > low ? high - low : 0;
}

mote_status mo_fluid_system_check_sound_first(mo_fluid_system *fluid, mote_error *error)
{
    const mo_system *s = fluid->system;
    mo_vec3 gravity = mo_fluid_gravity(&fluid->fluid, 0);
    double speed = 0;
    if (mo_store_owned(s->store) > 0) {
        MO_TRY(fastest(s, &speed, error));
    }
    for (int k = 0; k < fluid->emitters.count; ++k) {
        speed = fmax(speed, fluid->emitters.nozzles[k].speed);
    }
    double falling = sqrt(2 * mo_length(gravity) * depth_of(s, gravity));
    fluid->expected_speed = fmax(speed, falling);
    warn_about_sound(fluid, 0, fluid->expected_speed, "slow sound at start",
                     speed >= falling ? "initial speed"
                                      : "free-fall speed of its depth, sqrt(2 g depth),");
    return MOTE_OK;
}

/* A flow warned about at the start is warned about again at this multiple of the expected speed. */
#define AGAIN 1.5

mote_status mo_fluid_system_check_sound(const mo_fluid_system *fluid, double time,
                                        mote_error *error)
{
    double speed;
    if (!fluid->pressure->sound || mo_warned(fluid->warner.warnings, "slow sound")) {
        return MOTE_OK;
    }
    MO_TRY(fastest(fluid->system, &speed, error));
    if (mo_warned(fluid->warner.warnings, "slow sound at start") &&
        speed < AGAIN * fluid->expected_speed) {
        return MOTE_OK;
    }
    warn_about_sound(fluid, time, speed, "slow sound", "fastest particle's speed");
    return MOTE_OK;
}

/* ---- densities ---- */

static int64_t densest(const mo_fluid *f)
{
    int64_t found = 0;
    for (int64_t row = 1; row < f->rows; ++row) {
        found = f->density[row] > f->density[found] ? row : found;
    }
    return found;
}

static int64_t count_dense(const mo_fluid *f)
{
    int64_t count = 0;
    for (int64_t row = 0; row < f->rows; ++row) {
        count += (double)f->density[row] > 1 + DENSE;
    }
    return count;
}

static void warn_about_density(const mo_fluid_system *fluid, double time, double mean, double most,
                               int64_t dense)
{
    const mo_fluid *f = &fluid->fluid;
    int64_t row = densest(f);
    mo_vec3 x = mo_vec3_load(mo_f64(f->columns.x) + 3 * row);
    mo_warn(
        fluid->warner.warnings, fluid->warner.log, time, "density",
        "the density error is %.2g %% on average and %.2g %% at most, near particle %lld at [%.3g, "
        "%.3g, %.3g] m, above 10 %% in %lld of %lld particles: the pressure is unreliable; %s, use "
        "a smaller time.step, or fill less if the container is closed",
        100 * mean, 100 * most, (long long)mo_i64(fluid->system->columns.id)[row], x.x, x.y, x.z,
        (long long)dense, (long long)f->rows,
        fluid->pressure->sound ? "raise the stiffness of the equation of state"
                               : "raise max_iterations of the pressure solver");
}

/* The report has the errors at the start of the step; its corrections are not included. */
mote_status mo_fluid_system_check_density(mo_fluid_system *fluid, const mo_step_time *now,
                                          mote_error *error)
{
    mo_fluid *f = &fluid->fluid;
    const mo_pressure_type *pressure = fluid->pressure;
    bool gas = pressure->sound && !(pressure->sound(f->def->pressure.params, f).speed > 0);
    if (now->step == 0 || gas || mo_warned(fluid->warner.warnings, "density")) {
        return MOTE_OK;
    }
    double mean = 0, most = 0;
    int64_t dense = 0;
    if (f->report.density_error_max > DENSE) {
        MO_TRY(mo_fluid_measure_density(f, &mean, &most, error));
        dense = count_dense(f);
    }
    bool many = (double)dense > MANY * (double)f->rows && !pressure->needs_shifting;
    fluid->dense_steps = many ? fluid->dense_steps + 1 : 0;
    if (mean > DENSE || fluid->dense_steps >= LASTING) {
        warn_about_density(fluid, now->time, mean, most, dense);
    }
    return MOTE_OK;
}

/* ---- boundary and emitters ---- */

/* Rows without contact have an age above 0. */
static int64_t first_reached(const mo_system *s)
{
    const uint8_t *age = s->columns.age->data;
    int64_t row = 0;
    while (row < mo_store_owned(s->store) && age[row] > 0) {
        row++;
    }
    return row < mo_store_owned(s->store) ? row : -1;
}

/* The fraction of a fluid that may penetrate the boundary in a step before the boundary counts as
 * permeable. */
#define BREACH 0.25

/* The same that is not warned about with isph: its pressure is 0 at free surfaces, so that spray
 * and the tip of a jet are stopped by contact. A jet into a cup had 2.1 %. */
#define SPRAY 0.05

static void warn_about_boundary(mo_system *s, double time, mote_step_report *report)
{
    mo_fluid_system *fluid = s->state;
    mo_warnings *warnings = fluid->warner.warnings;
    long long crossed = s->contact.crossings, rows = mo_store_owned(s->store);
    int64_t row = mo_warned(warnings, "leak") ? -1 : first_reached(s);
    mo_vec3 x = row >= 0 ? mo_vec3_load(mo_f64(s->columns.x) + 3 * row) : mo_vec3_make(0, 0, 0);
    const mo_collider *collider = mo_colliders_nearest(s->host->colliders, x);
    mo_warn(
        warnings, fluid->warner.log, time, "leak",
        "%lld of %lld fluid particles (%.2g %%) penetrated the boundary of '%.60s' in one step and were put "
        "back inside, the first is particle %lld at [%g, %g, %g] m; use a smaller time.step (or factor of "
        "cfl), a smaller tolerance of the pressure solver, or a smaller fluid.spacing",
        crossed, rows, 100 * (double)crossed / (double)rows, collider ? collider->name : "collider",
        (long long)(row >= 0 ? mo_i64(s->columns.id)[row] : -1), x.x, x.y, x.z);
    if ((double)crossed > BREACH * (double)rows) {
        char limit[120] = "";
        mo_step_bound bound = s->type->limit(s);
        if (bound.size > 0 && report->dt > bound.size) {
            snprintf(limit, sizeof limit,
                     "the step of %.3g s is above the stability limit of %.3g s, ", report->dt,
                     bound.size);
        }
        mo_warn(
            warnings, fluid->warner.log, time, "breach",
            "%lld of %lld fluid particles (%.2g %%) penetrated their container in one step: the "
            "results are invalid from here on; %suse {\"type\": \"cfl\"} as time.step, with a "
            "smaller factor or max if it already is",
            crossed, rows, 100 * (double)crossed / (double)rows, limit);
    }
}

mote_status mo_fluid_system_health(mo_system *s, const mo_step_time *now, mote_step_report *report,
                                   mote_error *error)
{
    mo_fluid_system *fluid = s->state;
    (void)error;
    double spray = fluid->pressure->needs_shifting ? SPRAY * (double)mo_store_owned(s->store) : 0;
    if (mo_fluid_system_has_samples(s)) {
        report->penetrations += s->contact.crossings;
        if ((double)s->contact.crossings > spray) {
            warn_about_boundary(s, now->end, report);
        }
    }
    if (fluid->emitters.full) {
        mo_warn(
            fluid->warner.warnings, fluid->warner.log, now->end, "full",
            "there are %lld fluid particles and another layer would exceed fluid.max_particles: "
            "emitters pause; raise it, or remove fluid with fluid.remove",
            (long long)mo_store_owned(s->store));
    }
    return MOTE_OK;
}
