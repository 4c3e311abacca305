#include "host/row_sums.h"

#include <string.h>

typedef struct measuring {
    const mo_particle_columns *columns;
    mo_vec3 gravity;
} measuring;

enum {
    SUM_MASS,
    SUM_KINETIC,
    SUM_POTENTIAL,
    SUM_MOMENTUM,
    SUM_ANGULAR = SUM_MOMENTUM + 3,
    SUMS = SUM_ANGULAR + 3
};

static void measure_range(void *context, int64_t first, int64_t last, double *sum)
{
    const measuring *e = context;
    memset(sum, 0, SUMS * sizeof *sum);
    for (int64_t row = first; row < last; ++row) {
        double m = mo_f64(e->columns->mass)[row];
        mo_vec3 x = mo_vec3_load(mo_f64(e->columns->x) + 3 * row);
        mo_vec3 v = mo_vec3_load(mo_f64(e->columns->v) + 3 * row);
        mo_vec3 p = mo_scale(m, v), l = mo_cross(x, p);
        sum[SUM_MASS] += m;
        sum[SUM_KINETIC] += 0.5 * mo_dot(p, v);
        sum[SUM_POTENTIAL] -= m * mo_dot(e->gravity, x);
        for (int k = 0; k < 3; ++k) {
            sum[SUM_MOMENTUM + k] += mo_vec3_at(p, k);
            sum[SUM_ANGULAR + k] += mo_vec3_at(l, k);
        }
    }
}

mote_status mo_row_sums_measure(const mo_system *system, double time, mote_measures *measures,
                                mote_error *error)
{
    measuring e = {&system->columns, mo_host_gravity(system->host, time)};
    double sum[SUMS];
    MO_TRY(mo_parallel_reduce(system->host->pool, mo_store_owned(system->store), MO_FORCE_GRAIN,
                              MO_SUM, SUMS, measure_range, &e, sum, error));
    measures->mass += sum[SUM_MASS];
    measures->kinetic += sum[SUM_KINETIC];
    measures->potential += sum[SUM_POTENTIAL];
    for (int k = 0; k < 3; ++k) {
        measures->momentum[k] += sum[SUM_MOMENTUM + k];
        measures->angular_momentum[k] += sum[SUM_ANGULAR + k];
    }
    return MOTE_OK;
}
