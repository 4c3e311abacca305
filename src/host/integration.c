#include "host/integration.h"

#include <stdio.h>

enum { AGE_GRAIN = 1 << 16 };

mote_status mo_integration_declare(mo_system *system, const mo_integrator_type *integrator,
                                   bool oriented, mo_integration *integration, mote_error *error)
{
    const mo_column_spec *aux = integrator->base.columns;
    *integration = (mo_integration){.segments = oriented ? 2 : 1};
    for (int k = 0; aux && aux[k].name; ++k) {
        mo_column_spec spec = aux[k];
        if (MO_AUX + k >= MO_SLOTS_MAX || spec.type != MOTE_F64 || spec.components != 0) {
            return mo_fail(
                error, MOTE_ERROR_USAGE,
                "integrator '%s', column '%s': at most %d, of type f64 and with components 0",
                integrator->base.name, spec.name, MO_SLOTS_MAX - MO_AUX);
        }
        spec.components = 3;
        MO_TRY(mo_store_declare(system->store, &spec, &integration->aux[0][k], error));
        integration->aux_count = k + 1;
        if (oriented) {
            char name[64];
            snprintf(name, sizeof name, "%s_q", aux[k].name);
            spec = (mo_column_spec){name,      spec.type, 4,
                                    spec.role, "1",       "the same for the orientation"};
            MO_TRY(mo_store_declare(system->store, &spec, &integration->aux[1][k], error));
        }
    }
    return MOTE_OK;
}

void mo_integration_bind(const mo_integration *integration, const mo_system *system,
                         mo_dynamics *dynamics)
{
    const mo_particle_columns *columns = &system->columns;
    mo_segment *positions = &dynamics->segment[0], *turns = &dynamics->segment[1];
    dynamics->segment_count = integration->segments;
    positions->components = 3;
    positions->count = 3 * mo_store_owned(system->store);
    positions->slot[MO_X] = mo_f64(columns->x);
    positions->slot[MO_V] = mo_f64(columns->v);
    positions->slot[MO_A] = mo_f64(columns->a);
    if (integration->segments > 1) {
        turns->components = 4;
        turns->rotation = true;
        turns->count = 4 * mo_store_owned(system->store);
        turns->slot[MO_X] = mo_f64(columns->q);
        turns->slot[MO_V] = mo_f64(columns->q_rate);
        turns->slot[MO_A] = mo_f64(columns->q_acceleration);
    }
    for (int s = 0; s < integration->segments; ++s) {
        for (int k = 0; k < integration->aux_count; ++k) {
            dynamics->segment[s].slot[MO_AUX + k] = mo_f64(integration->aux[s][k]);
        }
    }
}

/* partial: is some age 0, and the largest age */
static void find_ages(void *context, int64_t first, int64_t last, double *partial)
{
    const uint8_t *age = context;
    uint8_t youngest = UINT8_MAX, oldest = 0;
    for (int64_t row = first; row < last; ++row) {
        youngest = age[row] < youngest ? age[row] : youngest;
        oldest = age[row] > oldest ? age[row] : oldest;
    }
    partial[0] = youngest == 0;
    partial[1] = oldest;
}

mote_status mo_integration_ages(const mo_system *system, mo_dynamics *dynamics, mote_error *error)
{
    double ages[2];
    MO_TRY(mo_parallel_reduce(system->host->pool, mo_store_owned(system->store), AGE_GRAIN, MO_MAX,
                              2, find_ages, system->columns.age->data, ages, error));
    dynamics->disturbed = ages[0] > 0;
    dynamics->oldest = (int)ages[1];
    dynamics->age = system->columns.age->data;
    return MOTE_OK;
}
