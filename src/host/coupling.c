#include "host/coupling.h"

mote_status mo_system_refresh(mo_system *system, const mo_step_time *substep, mote_error *error)
{
    const mo_host *host = system->host;
    for (int k = 0; k < *host->coupling_count; ++k) {
        mo_coupling *c = &host->couplings[k];
        if (c->type->refresh && (c->a == system || c->b == system)) {
            MO_TRY(c->type->refresh(c, substep, error));
        }
    }
    return MOTE_OK;
}
