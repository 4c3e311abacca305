#include "host/coupling.h"

/* Whether a coupling belongs to a system and stores row indices. */
static bool remaps(const mo_coupling *c, const mo_system *system)
{
    return c->type->remap && (c->a == system || c->b == system);
}

bool mo_system_remaps(const mo_system *system)
{
    const mo_host *host = system->host;
    bool any = false;
    for (int k = 0; host->couplings && k < *host->coupling_count; ++k) {
        any = any || remaps(&host->couplings[k], system);
    }
    return any;
}

static void remap_couplings(mo_system *system, const int64_t *map)
{
    const mo_host *host = system->host;
    for (int k = 0; host->couplings && k < *host->coupling_count; ++k) {
        if (remaps(&host->couplings[k], system)) {
            host->couplings[k].type->remap(&host->couplings[k], system, map);
        }
    }
}

void mo_system_remap(mo_system *system, const int64_t *map)
{
    if (map) {
        remap_couplings(system, map);
    }
}

void mo_system_remap_restored(mo_system *system)
{
    remap_couplings(system, NULL);
}

mote_status mo_system_refresh(mo_system *system, const mo_step_time *substep, mote_error *error)
{
    const mo_host *host = system->host;
    for (int k = 0; host->couplings && k < *host->coupling_count; ++k) {
        mo_coupling *c = &host->couplings[k];
        if (c->type->refresh && (c->a == system || c->b == system)) {
            MO_TRY(c->type->refresh(c, substep, error));
        }
    }
    return MOTE_OK;
}
