#include "host/row_sums.h"

#include <string.h>

void mo_row_sums_range(const mo_system *system, mo_vec3 gravity, int64_t first, int64_t last,
                       double sum[MO_ROW_SUMS])
{
    const mo_particle_columns *c = &system->columns;
    memset(sum, 0, MO_ROW_SUMS * sizeof *sum);
    for (int64_t row = first; row < last; ++row) {
        double m = mo_f64(c->mass)[row];
        mo_vec3 x = mo_vec3_load(mo_f64(c->x) + 3 * row), v = mo_vec3_load(mo_f64(c->v) + 3 * row);
        mo_vec3 p = mo_scale(m, v), l = mo_cross(x, p);
        sum[MO_ROW_MASS] += m;
        sum[MO_ROW_KINETIC] += 0.5 * mo_dot(p, v);
        sum[MO_ROW_POTENTIAL] -= m * mo_dot(gravity, x);
        for (int k = 0; k < 3; ++k) {
            sum[MO_ROW_MOMENTUM + k] += mo_vec3_at(p, k);
            sum[MO_ROW_ANGULAR + k] += mo_vec3_at(l, k);
        }
    }
}

void mo_row_sums_forces(const mo_force *forces, int64_t count, const mo_force_args *args,
                        int64_t first, int64_t last, double sum[MO_ROW_SUMS])
{
    for (int64_t k = 0; k < count; ++k) {
        const mo_force *force = &forces[k];
        if (force->type->energy) {
            sum[force->type->elastic ? MO_ROW_ELASTIC : MO_ROW_POTENTIAL] +=
                force->type->energy(force->instance, args, first, last);
        }
    }
}

void mo_row_sums_report(const double sum[MO_ROW_SUMS], mote_measures *measures)
{
    measures->mass += sum[MO_ROW_MASS];
    measures->kinetic += sum[MO_ROW_KINETIC];
    measures->potential += sum[MO_ROW_POTENTIAL];
    measures->elastic += sum[MO_ROW_ELASTIC];
    for (int k = 0; k < 3; ++k) {
        measures->momentum[k] += sum[MO_ROW_MOMENTUM + k];
        measures->angular_momentum[k] += sum[MO_ROW_ANGULAR + k];
    }
}

typedef struct measuring {
    const mo_system *system;
    mo_vec3 gravity;
} measuring;

static void measure_range(void *context, int64_t first, int64_t last, double *sum)
{
    const measuring *m = context;
    mo_row_sums_range(m->system, m->gravity, first, last, sum);
}

mote_status mo_row_sums_measure(const mo_system *system, double time, mote_measures *measures,
                                mote_error *error)
{
    measuring m = {system, mo_host_gravity(system->host, time)};
    double sum[MO_ROW_SUMS];
    MO_TRY(mo_parallel_reduce(system->host->pool, mo_store_owned(system->store), MO_FORCE_GRAIN,
                              MO_SUM, MO_ROW_SUMS, measure_range, &m, sum, error));
    mo_row_sums_report(sum, measures);
    return MOTE_OK;
}
