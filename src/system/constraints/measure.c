/* Sums over the rows and constraints of the system. */
#include "host/row_sums.h"
#include "system/constraints/state.h"

#include <string.h>

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
    double elastic;
    (void)virial;
    MO_TRY(mo_row_sums_measure(system, time, measures, error));
    MO_TRY(mo_constraint_system_energy(c, &elastic, error));
    measures->elastic += elastic;
    return mo_external_forces_measure(&c->forces, time, measures, error);
}
