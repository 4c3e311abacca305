#include "system/fluid/forces.h"

#include "fluid/term/term.h"
#include "system/fluid/fluid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

mote_status mo_fluid_system_forces_sum(mo_external_forces *forces, double time, const double **f,
                                       mote_error *error)
{
    *f = NULL;
    if (forces->count + forces->system->callbacks.count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_external_forces_sum(forces, time, error));
    *f = forces->f;
    return MOTE_OK;
}

/* ---- the term ---- */

typedef struct kick {
    const double *f, *inverse_mass;
    double *a;
} kick;

static void kick_range(void *context, int64_t first, int64_t last)
{
    const kick *c = context;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        c->a[k] += c->inverse_mass[k / 3] * c->f[k];
    }
}

static mote_status forces_accelerate(mo_instance *self, mo_fluid *f, double h, mote_error *error)
{
    mo_external_forces *forces = (void *)self->method.params;
    kick c = {.inverse_mass = mo_f64(forces->system->columns.inverse_mass),
              .a = mo_f64(f->columns.a)};
    (void)h;
    MO_TRY(mo_fluid_system_forces_sum(forces, f->terms.time, &c.f, error));
    if (c.f) {
        mo_parallel_for(f->pool, f->rows, MO_FORCE_GRAIN, kick_range, &c);
    }
    return MOTE_OK;
}

static const mo_term_type TERM = {
    .base = {.name = "forces",
             .summary = "External forces of the scene, of couplings and of the caller."},
    .accelerate = forces_accelerate,
};

/* ---- registration of forces ---- */

/* The reason why a force cannot act on a fluid; NULL: none. */
static const char *obstacle(const mo_force *force)
{
    return force->range > 0     ? "it acts between particles"
           : force->type->remap ? "it stores row indices, and the rows of a fluid are reordered"
           : force->derivatives & MO_DF_DA ? "it has a consistent mass matrix"
                                           : NULL;
}

/* Whether a force can act on a fluid; then its internal variables begin. */
static mote_status begin_force(mo_external_forces *forces, const mo_force *force, mote_error *error)
{
    const char *reason = obstacle(force);
    if (reason) {
        return mo_fail(error, MOTE_ERROR_INPUT, "the force '%s' cannot act on a fluid: %s",
                       force->type->base.name, reason);
    }
    if (force->type->begin) {
        mo_force_args args = mo_external_forces_arguments(forces, 0);
        MO_TRY(force->type->begin(force->instance, &args, 0, forces->system->host->pool, error));
    }
    return MOTE_OK;
}

static mote_status attach(mo_external_forces *forces, const mo_force *force, mote_error *error)
{
    MO_TRY(begin_force(forces, force, error));
    return mo_external_forces_add(forces, force, error);
}

static void clear(double *f, int64_t first, int64_t last)
{
    memset(f + 3 * first, 0, (size_t)(3 * (last - first)) * sizeof *f);
}

/* A force along z would be without effect on a fluid in the plane z = 0. */
static mote_status check_plane(mo_external_forces *forces, const mo_force *force, mote_error *error)
{
    mo_force_args args = mo_external_forces_arguments(forces, 0);
    int64_t last = args.rows < MO_FORCE_GRAIN ? args.rows : MO_FORCE_GRAIN;
    if (!forces->plane || last == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_external_forces_reserve(forces, error));
    args.f = forces->f;
    clear(args.f, 0, last);
    if (force->type->prepare) {
        MO_TRY(force->type->prepare(force->instance, &args, forces->system->host->pool, error));
    }
    force->type->add(force->instance, &args, 0, last);
    for (int64_t row = 0; row < last; ++row) {
        if (args.f[3 * row + 2] != 0) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "'%s' has a component along z, but the fluid is in the plane z = 0 "
                           "(fluid.dimension is 2)",
                           force->type->base.name);
        }
    }
    return MOTE_OK;
}

static mote_status add_force(void *context, mo_force *force, const char *path, mote_error *error)
{
    mo_fluid_system *fluid = context;
    (void)path;
    MO_TRY(begin_force(&fluid->forces, force, error));
    MO_TRY(check_plane(&fluid->forces, force, error));
    return mo_external_forces_add(&fluid->forces, force, error);
}

static bool is_external(mo_method force)
{
    return force.type->capabilities & MO_FORCE_EXTERNAL;
}

static mote_status accept_force(void *context, mo_method force, const char *path, bool *accepted,
                                mote_error *error)
{
    const mo_fluid_system *fluid = context;
    (void)error;
    *accepted = is_external(force);
    if (!*accepted) {
        char kind[80];
        snprintf(kind, sizeof kind, "fluid and %.60s", force.type->name);
        mo_warn(fluid->warner.warnings, fluid->warner.log, 0, kind,
                "%s: '%s' acts on bodies and not on the fluid", path, force.type->name);
    }
    return MOTE_OK;
}

mote_status mo_fluid_system_forces_create(mo_fluid_system *fluid, const mo_world_def *def,
                                          mote_error *error)
{
    mo_external_forces *forces = &fluid->forces;
    mo_host *host = fluid->system->host;
    mo_force_context context = {host->memory, fluid->system->store, host->domain, {0}, {0}};
    mo_force_receiver receiver = {fluid->system, fluid, accept_force, add_force};
    forces->system = fluid->system;
    forces->weightless = true;
    forces->plane = fluid->fluid.dimension == 2;
    MO_TRY(mo_terms_add(&fluid->fluid, "forces", (mo_method){&TERM.base, forces}, error));
    return mo_scene_forces_create(def, &context, &receiver, error);
}

/* Whether bodies of a scene are moved by forces. */
static bool moves_bodies(const mo_world_def *def)
{
    const mo_system_type *type;
    for (int k = 0; (type = mo_system_type_at(k)); ++k) {
        if (type != &mo_system_fluid && type->force_hooks && type->wanted(def)) {
            return true;
        }
    }
    return false;
}

mote_status mo_fluid_system_forces_check(const mo_world_def *def, mote_error *error)
{
    const mo_method *scene = def->forces.items;
    for (int64_t k = 0; k < def->forces.count; ++k) {
        if (!is_external(scene[k]) && !moves_bodies(def)) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "forces[%lld]: '%s' acts on bodies and not on a fluid; this scene has no bodies",
                (long long)k, scene[k].type->name);
        }
    }
    return MOTE_OK;
}

/* ---- the largest step ---- */

/* Of the stability limit, since rates grow within a step. */
#define SAFE 0.95

enum { DAMPING, STIFFNESS, BOUNDS };

typedef struct evaluation {
    const mo_external_forces *forces;
    mo_force_args args;
    const double *inverse_mass;
} evaluation;

static bool has_bound(const mo_force *force)
{
    return force->type->damping || force->type->stiffness;
}

static double most_of(const evaluation *e, int64_t first, int64_t last)
{
    double most = 0;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        most = fmax(most, e->inverse_mass[k / 3] * e->args.f[k]);
    }
    return most;
}

/* most: the largest |df/dv|/m [1/s] and |df/dx|/m [1/s^2] */
static void bound_range(void *context, int64_t first, int64_t last, double *most)
{
    const evaluation *e = context;
    for (int bound = 0; bound < BOUNDS; ++bound) {
        clear(e->args.f, first, last);
        for (int k = 0; k < e->forces->count; ++k) {
            const mo_force *force = &e->forces->list[k];
            void (*add)(const void *, const mo_force_args *, int64_t, int64_t, double *) =
                bound == DAMPING ? force->type->damping : force->type->stiffness;
            if (add) {
                add(force->instance, &e->args, first, last, e->args.f);
            }
        }
        most[bound] = most_of(e, first, last);
    }
}

/* With v' = -c v - w^2 x the scheme v += h v', x += h v has the characteristic polynomial
 * z^2 - (2 - w^2 h^2 - c h) z + 1 - c h: its roots are in the unit circle for w^2 h^2 + 2 c h <
 * 4. */
static double stable_step(double c, double square)
{
    double rate = c + sqrt(c * c + 4 * square);
    return rate > 0 ? SAFE * 4 / rate : INFINITY;
}

double mo_fluid_system_forces_limit(mo_external_forces *forces)
{
    int64_t rows = mo_store_owned(forces->system->store);
    double most[BOUNDS];
    bool any = false;
    mote_error error;
    for (int k = 0; k < forces->count; ++k) {
        any = any || has_bound(&forces->list[k]);
    }
    if (!any || rows == 0 || mo_external_forces_reserve(forces, &error) != MOTE_OK) {
        return INFINITY; /* out of memory is reported by the next step */
    }
    evaluation e = {.forces = forces,
                    .args = mo_external_forces_arguments(forces, 0),
                    .inverse_mass = mo_f64(forces->system->columns.inverse_mass)};
    if (mo_parallel_reduce(forces->system->host->pool, rows, MO_FORCE_GRAIN, MO_MAX, BOUNDS,
                           bound_range, &e, most, &error) != MOTE_OK) {
        return INFINITY;
    }
    return stable_step(most[DAMPING], most[STIFFNESS]);
}

/* ---- attached forces ---- */

static mo_external_forces *forces_of(const mo_system *system)
{
    return &((mo_fluid_system *)system->state)->forces;
}

static mote_status fluid_attach(mo_system *system, const mo_force *force, mote_error *error)
{
    return attach(forces_of(system), force, error);
}

static mote_status fluid_bound_stiffness(mo_system *system, double *bound, mote_error *error)
{
    const mo_external_forces *forces = forces_of(system);
    mo_force_args args = mo_external_forces_arguments(forces, 0);
    (void)error;
    for (int k = 0; k < forces->count; ++k) {
        const mo_force *force = &forces->list[k];
        for (int64_t first = 0; force->type->stiffness && first < args.rows;
             first += MO_FORCE_GRAIN) {
            int64_t last = first + MO_FORCE_GRAIN < args.rows ? first + MO_FORCE_GRAIN : args.rows;
            force->type->stiffness(force->instance, &args, first, last, bound);
        }
    }
    return MOTE_OK;
}

const mo_force_hooks mo_fluid_system_force_hooks = {
    .attach = fluid_attach,
    .bound_stiffness = fluid_bound_stiffness,
};
