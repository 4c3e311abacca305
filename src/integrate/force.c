#include "integrate/force.h"

#include "neighbor/search.h"

mote_status mo_force_create(const mo_force_type *type, const void *params, const mo_force_context *context,
                            mo_force *force, mote_error *error)
{
    *force = (mo_force){.type = type,
                        .instance = (void *)params,
                        .derivatives = type->jacobian ? type->jacobian->derivatives : 0,
                        .evolves = type->advance != NULL};
    mote_status status = type->create ? type->create(params, context, force, error) : MOTE_OK;
    if (status != MOTE_OK) {
        *force = (mo_force){0};
        return status;
    }
    status = force->range != 0 ? mo_search_check_radius(force->range, "range: ", error) : MOTE_OK;
    if (status != MOTE_OK) {
        mo_force_destroy(force, context->memory);
    }
    return status;
}

void mo_force_destroy(mo_force *force, mo_memory *memory)
{
    if (force->type && force->type->destroy) {
        force->type->destroy(force->instance, memory);
    }
    *force = (mo_force){0};
}
