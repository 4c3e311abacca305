/* Energies and momenta of rigid bodies. */
#include "host/orientation.h"
#include "system/rigid/state.h"

#include <string.h>

enum { MASS, KINETIC, POTENTIAL, ELASTIC, MOMENTUM, ANGULAR = MOMENTUM + 3, SUMS = ANGULAR + 3 };

typedef struct measuring {
    const mo_rigid *rigid;
    mo_force_args args;
    mo_vec3 gravity;
} measuring;

static void measure_range(void *context, int64_t first, int64_t last, double *sum)
{
    const measuring *e = context;
    const mo_system *s = e->rigid->system;
    memset(sum, 0, SUMS * sizeof *sum);
    for (int64_t row = first; row < last; ++row) {
        double m = e->args.mass[row];
        mo_vec3 x = mo_vec3_load(e->args.x + 3 * row), v = mo_vec3_load(e->args.v + 3 * row);
        mo_vec3 p = mo_scale(m, v), l = mo_cross(x, p);
        sum[MASS] += m;
        sum[KINETIC] += 0.5 * mo_dot(p, v);
        sum[POTENTIAL] -= m * mo_dot(e->gravity, x);
        for (int k = 0; k < 3; ++k) {
            sum[MOMENTUM + k] += mo_vec3_at(p, k);
            sum[ANGULAR + k] += mo_vec3_at(l, k);
        }
    }
    mo_orientation_measure(s, first, last, &sum[KINETIC], sum + ANGULAR);
    for (int k = 0; k < e->rigid->force_count; ++k) {
        const mo_force *force = &e->rigid->forces[k];
        if (force->type->energy) {
            sum[force->type->elastic ? ELASTIC : POTENTIAL] +=
                force->type->energy(force->instance, &e->args, first, last);
        }
    }
}

mote_status mo_rigid_measure(mo_system *system, double time, bool virial, mote_measures *measures,
                             mote_error *error)
{
    mo_rigid *rigid = system->state;
    const mo_particle_columns *c = &system->columns;
    int64_t rows = mo_store_owned(system->store);
    measuring e = {.rigid = rigid,
                   .args = {.time = time,
                            .rows = rows,
                            .x = mo_f64(c->x),
                            .v = mo_f64(c->v),
                            .mass = mo_f64(c->mass),
                            .q = mo_f64(c->q),
                            .w = mo_f64(c->w)},
                   .gravity = mo_host_gravity(system->host, time)};
    double sum[SUMS];
    (void)virial;
    for (int k = 0; k < rigid->force_count; ++k) {
        const mo_force *force = &rigid->forces[k];
        if (force->type->prepare && force->type->energy) {
            MO_TRY(force->type->prepare(force->instance, &e.args, system->host->pool, error));
        }
    }
    MO_TRY(mo_parallel_reduce(system->host->pool, rows, MO_FORCE_GRAIN, MO_SUM, SUMS, measure_range,
                              &e, sum, error));
    measures->mass += sum[MASS];
    measures->kinetic += sum[KINETIC];
    measures->potential += sum[POTENTIAL];
    measures->elastic += sum[ELASTIC];
    for (int k = 0; k < 3; ++k) {
        measures->momentum[k] += sum[MOMENTUM + k];
        measures->angular_momentum[k] += sum[ANGULAR + k];
    }
    return MOTE_OK;
}
