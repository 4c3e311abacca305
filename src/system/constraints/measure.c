/* Sums over the rows and constraints of the system. */
#include "system/constraints/state.h"

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
        mo_vec3 x = mo_vec3_load(mo_f64(e->columns->x) + 3 * row),
                v = mo_vec3_load(mo_f64(e->columns->v) + 3 * row);
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

typedef struct copying {
    const mo_particle_columns *columns;
    double *p;
} copying;

static void copy_range(void *context, int64_t first, int64_t last)
{
    const copying *c = context;
    for (int64_t row = first; row < last; ++row) {
        memcpy(c->p + 4 * row, mo_f64(c->columns->x) + 3 * row, 3 * sizeof(double));
        c->p[4 * row + 3] = mo_f64(c->columns->inverse_mass)[row];
    }
}

mote_status mo_constraint_system_energy(mo_constraint_system *c, double *energy, mote_error *error)
{
    mo_pool *pool = c->system->host->pool;
    copying copy = {&c->system->columns, mo_f64(c->p)};
    *energy = 0;
    mo_parallel_for(pool, mo_store_owned(c->system->store), MO_FORCE_GRAIN, copy_range, &copy);
    for (int64_t k = 0; k < c->set_count; ++k) {
        double part;
        MO_TRY(mo_constraint_set_energy(&c->sets[k], pool, copy.p, &part, error));
        *energy += part - c->sets[k].rest;
    }
    return MOTE_OK;
}

mote_status mo_constraint_system_measure(mo_system *system, double time, bool virial,
                                         mote_measures *measures, mote_error *error)
{
    mo_constraint_system *c = system->state;
    measuring e = {&system->columns, mo_host_gravity(system->host, time)};
    double sum[SUMS], elastic;
    (void)virial;
    MO_TRY(mo_parallel_reduce(system->host->pool, mo_store_owned(system->store), MO_FORCE_GRAIN,
                              MO_SUM, SUMS, measure_range, &e, sum, error));
    MO_TRY(mo_constraint_system_energy(c, &elastic, error));
    measures->mass += sum[SUM_MASS];
    measures->kinetic += sum[SUM_KINETIC];
    measures->potential += sum[SUM_POTENTIAL];
    measures->elastic += elastic;
    for (int k = 0; k < 3; ++k) {
        measures->momentum[k] += sum[SUM_MOMENTUM + k];
        measures->angular_momentum[k] += sum[SUM_ANGULAR + k];
    }
    return mo_external_forces_measure(&c->forces, time, measures, error);
}
