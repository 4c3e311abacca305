/* Sums over the rows of the forces system, and upper bounds of its stiffness and damping. */
#include "host/orientation.h"
#include "host/row_sums.h"
#include "system/forces/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct measuring {
    const mo_forces *forces;
    mo_force_args args;
    const double *inverse_mass;
    mo_vec3 gravity; /* current */
    bool virial;     /* requested */
} measuring;

/* The sums besides those of every system (host/row_sums.h). */
enum {
    SUM_VIRIAL = MO_ROW_SUMS,
    SUM_THERMAL, /* twice the kinetic energy of free particles, and their number */
    SUM_FREE,
    SUMS
};

static void measure_heat_range(const measuring *e, int64_t first, int64_t last, double *sum)
{
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 v = mo_vec3_load(e->args.v + 3 * row);
        bool moves = e->inverse_mass[row] > 0;
        sum[SUM_THERMAL] += moves ? mo_dot(mo_scale(e->args.mass[row], v), v) : 0;
        sum[SUM_FREE] += moves;
    }
    for (int k = 0; k < e->forces->force_count; ++k) {
        const mo_force *force = &e->forces->forces[k];
        if (force->type->virial) {
            sum[SUM_VIRIAL] += force->type->virial(force->instance, &e->args, first, last);
        }
    }
}

static void measure_range(void *context, int64_t first, int64_t last, double *sum)
{
    const measuring *e = context;
    const mo_forces *forces = e->forces;
    sum[SUM_VIRIAL] = sum[SUM_THERMAL] = sum[SUM_FREE] = 0;
    mo_row_sums_range(forces->system, e->gravity, first, last, sum);
    if (forces->oriented) {
        mo_orientation_measure(forces->system, first, last, &sum[MO_ROW_KINETIC],
                               sum + MO_ROW_ANGULAR);
    }
    mo_row_sums_forces(forces->forces, forces->force_count, &e->args, first, last, sum);
    for (int k = 0; k < forces->force_count; ++k) {
        const mo_force *force = &forces->forces[k];
        if (force->derivatives & MO_DF_DA) {
            double more[4] = {0};
            force->type->inertia(force->instance, &e->args, first, last, more);
            sum[MO_ROW_KINETIC] += more[0];
            for (int n = 0; n < 3; ++n) {
                sum[MO_ROW_ANGULAR + n] += more[1 + n];
            }
        }
    }
    if (e->virial) {
        measure_heat_range(e, first, last, sum);
    }
}

/* Temperature: the centre-of-mass motion is excluded, so n particles count as n - 1. Pressure by
 * the virial: 3 P V = sum m v^2 + sum r . f. */
static void measure_heat(const mo_forces *forces, const double *sum, mote_measures *measures)
{
    double volume = mo_domain_volume(&forces->system->host->domain);
    measures->virial = sum[SUM_VIRIAL];
    measures->temperature =
        sum[SUM_FREE] > 1 ? sum[SUM_THERMAL] / (3 * (sum[SUM_FREE] - 1) * forces->boltzmann) : 0;
    measures->pressure = volume > 0 ? (sum[SUM_THERMAL] + sum[SUM_VIRIAL]) / (3 * volume) : NAN;
}

mote_status mo_forces_measure(mo_system *system, double time, bool virial, mote_measures *measures,
                              mote_error *error)
{
    mo_forces *forces = system->state;
    measuring e = {.forces = forces,
                   .inverse_mass = mo_f64(system->columns.inverse_mass),
                   .gravity = mo_host_gravity(forces->system->host, time),
                   .virial = virial};
    double sum[SUMS];
    e.args = mo_forces_now(forces, time);
    MO_TRY(mo_forces_prepare(forces, &e.args, MO_FOR_ENERGY, error));
    MO_TRY(mo_parallel_reduce(system->host->pool, mo_store_owned(system->store), MO_FORCE_GRAIN,
                              MO_SUM, SUMS, measure_range, &e, sum, error));
    mo_row_sums_report(sum, measures);
    if (virial) {
        measure_heat(forces, sum, measures);
    }
    return MOTE_OK;
}

typedef struct bounding {
    const mo_forces *forces;
    mo_force_args args;
    const double *inverse_mass;
    double *bound; /* three per row */
    bool of_velocities;
} bounding;

static void bound_range(void *context, int64_t first, int64_t last, double *partial)
{
    const bounding *b = context;
    memset(b->bound + 3 * first, 0, (size_t)(last - first) * 3 * sizeof(double));
    for (int k = 0; k < b->forces->force_count; ++k) {
        const mo_force *force = &b->forces->forces[k];
        void (*add)(const void *, const mo_force_args *, int64_t, int64_t, double *) =
            b->of_velocities ? force->type->damping : force->type->stiffness;
        if (add) {
            add(force->instance, &b->args, first, last, b->bound);
        }
    }
    *partial = 0;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        double square = b->bound[k] * b->inverse_mass[k / 3];
        *partial = square > *partial ? square : *partial;
    }
    for (int64_t row = first; row < last && b->args.w && !b->of_velocities;
         ++row) { /* a quaternion oscillates at |w|/2 */
        mo_vec3 w = mo_vec3_load(b->args.w + 3 * row);
        *partial = fmax(*partial, 0.25 * mo_dot(w, w));
    }
}

static mote_status most_of(mo_system *system, double time, bool of_velocities, double *most,
                           mote_error *error)
{
    mo_forces *forces = system->state;
    int64_t rows = mo_store_owned(system->store);
    bounding b = {.forces = forces,
                  .inverse_mass = mo_f64(system->columns.inverse_mass),
                  .of_velocities = of_velocities};
    b.args = mo_forces_now(forces, time);
    MO_TRY(mo_forces_prepare(forces, &b.args, of_velocities ? MO_FOR_DAMPING : MO_FOR_STIFFNESS,
                             error));
    MO_TRY(mo_forces_probe(forces, 3 * rows, &b.bound, error));
    return mo_parallel_reduce(system->host->pool, rows, MO_FORCE_GRAIN, MO_MAX, 1, bound_range, &b,
                              most, error);
}

mote_status mo_forces_stiffness(mo_system *system, double time, double *square, mote_error *error)
{
    return most_of(system, time, false, square, error);
}

mote_status mo_forces_damping(mo_system *system, double time, double *rate, mote_error *error)
{
    return most_of(system, time, true, rate, error);
}

/* ---- report.json ---- */

/* Whether the scene gives a body a model; bodies added later have none. */
static bool has_model(const mo_world_def *def, const char *name)
{
    const mo_body_def *bodies = def->bodies.items;
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        char default_name[32];
        snprintf(default_name, sizeof default_name, "body%lld", (long long)k);
        if (strcmp(bodies[k].name ? bodies[k].name : default_name, name) == 0) {
            return bodies[k].model.type != NULL;
        }
    }
    return false;
}

static const char *const KINDS[] = {"solid", "free", NULL};

static void count_kinds(const mo_system *system, const mo_world_def *def, int64_t *counts)
{
    for (int64_t k = 0; k < system->bodies.count; ++k) {
        const mote_body *body = &system->bodies.list[k];
        counts[has_model(def, body->name) ? 0 : 1] += body->count;
    }
}

const mo_report_hooks mo_forces_reported = {.kinds = KINDS, .count = count_kinds};
