/*
 * Warns about scenes outside the validity of their pressure solver, with numbers of `mote validate
 * fluids` (docs/fluid_accuracy.md).
 *
 * Solvers that fix the density of every particle (dfsph, iisph, pbf) resist the rearrangement of
 * particles: fluids of different densities exchange too slowly, and eddies are dissipated.
 * Free-surface flows and creeping flows (Couette, Poiseuille, shear waves) are accurate with them.
 */
#include "fluid/methods.h"
#include "system/fluid/fluid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Speed of the heavy front of a lock exchange of 1000 and 900 kg/m^3, in 0.5 sqrt(g' H): of dfsph
 * with the removal of shear resistance and with a support of 3, of iisph and pbf, and of isph. */
#define FRONT_SPLASH 0.68
#define FRONT_WIDE 0.75
#define FRONT_RESISTING 0.3
#define FRONT_ACCURATE 1.02

/* isph is stable up to this ratio of densities: a lock exchange of 1000 and 100 kg/m^3 was. */
#define RATIO_ACCURATE 10

/* Densities with a smaller ratio are equal. */
#define DIFFERENT 1.01

/* Eddies are dissipated above this Reynolds number, U times the extent over nu: shear waves at 5
 * and Couette flow at 2.5 are accurate to 2 %, eddies at 10 are not. */
#define CREEPING 10

/* The volume fraction of its bounding box for a fluid without a free surface, without obstacles. */
#define FULL 0.8

static bool fixes_densities(const mo_pressure_type *type)
{
    return !type->sound && !type->needs_shifting;
}

static const char *name_of(const mo_phase_def *phase, int number, char default_name[32])
{
    snprintf(default_name, 32, "phase%d", number);
    return phase->name ? phase->name : default_name;
}

/* ---- phases that exchange ---- */

/* Of a phase along a direction, at the start. */
typedef struct extent {
    double low, high;
} extent;

static extent extent_of(const mo_fluid *f, int phase, mo_vec3 up)
{
    const int32_t *phases = f->columns.phase->data;
    extent e = {INFINITY, -INFINITY};
    for (int64_t row = 0; row < mo_store_owned(f->store); ++row) {
        double at = mo_dot(up, mo_vec3_load(mo_f64(f->columns.x) + 3 * row));
        e.low = phases[row] == phase ? fmin(e.low, at) : e.low;
        e.high = phases[row] == phase ? fmax(e.high, at) : e.high;
    }
    return e;
}

/* Two phases whose heavier one is not below the lighter one. */
static bool find_exchange(const mo_fluid *f, mo_vec3 up, int *heavy, int *light)
{
    for (*heavy = 0; *heavy < f->phase_count; ++*heavy) {
        for (*light = 0; *light < f->phase_count; ++*light) {
            if (f->phases[*heavy].density > DIFFERENT * f->phases[*light].density &&
                extent_of(f, *heavy, up).high > extent_of(f, *light, up).low + f->spacing) {
                return true;
            }
        }
    }
    return false;
}

static void warn_about_exchange(const mo_fluid_system *fluid)
{
    const mo_fluid *f = &fluid->fluid;
    mo_vec3 gravity = mo_fluid_gravity(f, 0);
    double size = mo_length(gravity);
    int heavy, light;
    if (!(size > 0) || f->phase_count < 2 ||
        !find_exchange(f, mo_scale(-1 / size, gravity), &heavy, &light)) {
        return;
    }
    const mo_phase_def *h = &f->phases[heavy], *l = &f->phases[light];
    char first[32], second[32], remedy[200];
    snprintf(
        remedy, sizeof remedy,
        h->density > RATIO_ACCURATE * l->density
            ? "a wider support lowers it (\"kernel\": \"wendland_c2\", \"support\": 3: %.2f); isph is not "
              "stable at this ratio"
            : "use \"quality\": \"accurate\" (%.2f)",
        h->density > RATIO_ACCURATE * l->density ? FRONT_WIDE : FRONT_ACCURATE);
    mo_warn(
        fluid->warner.warnings, fluid->warner.log, 0, "slow exchange",
        "fluid.phases: '%.40s' of %g kg/m^%d starts beside or above '%.40s' of %g, and %s slows "
        "their exchange: the front of a heavy lock-exchange current has %.2f of its theoretical "
        "speed; %s",
        name_of(h, heavy, first), h->density, f->dimension, name_of(l, light, second), l->density,
        fluid->pressure->base.name,
        strcmp(fluid->pressure->base.name, "dfsph") == 0 ? FRONT_SPLASH : FRONT_RESISTING, remedy);
}

/* ---- eddies without a free surface ---- */

/* The extreme particles along an axis. */
typedef struct ends {
    double low, high;
    int64_t first, last; /* their rows */
} ends;

static ends ends_along(const mo_fluid *f, int axis)
{
    const double *x = mo_f64(f->columns.x);
    ends e = {INFINITY, -INFINITY, 0, 0};
    for (int64_t row = 0; row < mo_store_owned(f->store); ++row) {
        double at = x[3 * row + axis];
        e.first = at < e.low ? row : e.first;
        e.last = at > e.high ? row : e.last;
        e.low = fmin(e.low, at);
        e.high = fmax(e.high, at);
    }
    return e;
}

/* Whether a solid is within a spacing of a row in the direction. */
static bool before_solid(const mo_fluid_system *fluid, int64_t row, mo_vec3 direction)
{
    const mo_colliders *colliders = fluid->system->host->colliders;
    const mo_fluid *f = &fluid->fluid;
    mo_vec3 x = mo_add_scaled(mo_vec3_load(mo_f64(f->columns.x) + 3 * row), f->spacing, direction);
    bool found = false;
    for (int64_t k = 0; k < colliders->count; ++k) {
        found = found || mo_collider_gap(&colliders->list[k], x, NULL) < 0;
    }
    return found;
}

/* No free surface: the extreme particles are at solids or at their own periodic images, and the
 * bounding box is full. The largest extent. */
static bool find_enclosure(const mo_fluid_system *fluid, double *length)
{
    const mo_fluid *f = &fluid->fluid;
    const mo_domain *domain = &fluid->system->host->domain;
    double box = 1;
    *length = 0;
    for (int axis = 0; axis < f->dimension; ++axis) {
        ends e = ends_along(f, axis);
        mo_vec3 along = mo_vec3_make(axis == 0, axis == 1, axis == 2);
        double side = e.high - e.low + f->spacing;
        bool repeats = domain->periodic[axis] &&
                       side > domain->high[axis] - domain->low[axis] - 0.5 * f->spacing;
        if (!repeats && !(before_solid(fluid, e.first, mo_scale(-1, along)) &&
                          before_solid(fluid, e.last, along))) {
            return false;
        }
        *length = fmax(*length, side);
        box *= side;
    }
    return (double)mo_store_owned(f->store) * pow(f->spacing, f->dimension) > FULL * box;
}

/* Initially, of particles and of tangentially moving colliders. */
static double largest_speed(const mo_fluid_system *fluid)
{
    const mo_fluid *f = &fluid->fluid;
    const mo_colliders *colliders = fluid->system->host->colliders;
    double speed = 0;
    for (int64_t row = 0; row < mo_store_owned(f->store); ++row) {
        speed = fmax(speed, mo_length(mo_vec3_load(mo_f64(f->columns.v) + 3 * row)));
    }
    for (int64_t k = 0; k < colliders->count; ++k) {
        mo_pose pose = mo_collider_pose_at(&colliders->list[k], 0);
        speed = fmax(speed, mo_length(pose.v));
    }
    return speed;
}

static void warn_about_lost_eddies(const mo_fluid_system *fluid, double viscosity)
{
    double length, speed = largest_speed(fluid);
    if (!(speed > 0) || !find_enclosure(fluid, &length) || speed * length < CREEPING * viscosity) {
        return;
    }
    bool shifted = mo_fluid_shifts(&fluid->fluid, 0);
    mo_warn(
        fluid->warner.warnings, fluid->warner.log, 0, "lost eddies",
        "fluid.pressure: without a free surface, at a Reynolds number of %.3g, eddies are "
        "dissipated too fast with %s: at 100 Taylor-Green vortices are %g %% too slow after 1 s, "
        "and a lid-driven cavity has an error of %g %% of the lid speed; use \"quality\": "
        "\"accurate\" (1.7 %% and 1.4 %%)",
        speed * length / viscosity, fluid->pressure->base.name, shifted ? 13.0 : 82.0,
        shifted ? 2.4 : 20.0);
}

/* ---- shifting ---- */

static void warn_about_shifting(const mo_fluid_system *fluid)
{
    const mo_pressure_type *type = fluid->pressure;
    bool shifted = mo_fluid_shifts(&fluid->fluid, 0);
    if (type->needs_shifting && !shifted) {
        mo_warn(
            fluid->warner.warnings, fluid->warner.log, 0, "fluid without shifting",
            "fluid.shifting: %s alone does not maintain a uniform particle distribution and fails "
            "without shifting; add \"shifting\": \"lind2012\", or use dfsph",
            type->base.name);
    }
    if (type->gains_by_shifting && shifted) {
        mo_warn(fluid->warner.warnings, fluid->warner.log, 0, "shifting gains energy",
                "fluid.shifting: %s gains energy with it, in a quiescent pool up to ten times the "
                "initial energy in 0.2 s; use isph or dfsph, or use \"quality\": \"splash\", "
                "which does not shift with it (kernel and support can be those of \"accurate\")",
                type->base.name);
    }
}

void mo_fluid_system_advise_on_solver(const mo_fluid_system *fluid, double viscosity)
{
    warn_about_shifting(fluid);
    if (fixes_densities(fluid->pressure) && mo_store_owned(fluid->fluid.store) > 0) {
        warn_about_exchange(fluid);
        warn_about_lost_eddies(fluid, viscosity);
    }
}
