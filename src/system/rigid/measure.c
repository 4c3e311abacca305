/* Energies and momenta of rigid bodies. */
#include "host/orientation.h"
#include "host/row_sums.h"
#include "system/rigid/state.h"

typedef struct measuring {
    const mo_rigid *rigid;
    mo_force_args args;
    mo_vec3 gravity;
} measuring;

static void measure_range(void *context, int64_t first, int64_t last, double *sum)
{
    const measuring *e = context;
    const mo_system *s = e->rigid->system;
    mo_row_sums_range(s, e->gravity, first, last, sum);
    mo_orientation_measure(s, first, last, &sum[MO_ROW_KINETIC], sum + MO_ROW_ANGULAR);
    mo_row_sums_forces(e->rigid->forces, e->rigid->force_count, &e->args, first, last, sum);
}

mote_status mo_rigid_system_measure(mo_system *system, double time, bool virial,
                                    mote_measures *measures, mote_error *error)
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
    double sum[MO_ROW_SUMS];
    (void)virial;
    for (int k = 0; k < rigid->force_count; ++k) {
        const mo_force *force = &rigid->forces[k];
        if (force->type->prepare && force->type->energy) {
            MO_TRY(force->type->prepare(force->instance, &e.args, system->host->pool, error));
        }
    }
    MO_TRY(mo_parallel_reduce(system->host->pool, rows, MO_FORCE_GRAIN, MO_SUM, MO_ROW_SUMS,
                              measure_range, &e, sum, error));
    mo_row_sums_report(sum, measures);
    return MOTE_OK;
}
