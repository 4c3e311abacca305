#include "integrate/force.h"

#include "math/symmetric.h"
#include "neighbor/search.h"

/* Rejects a second force with the same internal variables, which would be advanced twice. */
static mote_status declare_columns(mo_force *force, mo_store *store, mote_error *error)
{
    const mo_descriptor *base = &force->type->base;
    for (int k = 0; base->columns && base->columns[k].name; ++k) {
        const mo_column_spec *spec = &base->columns[k];
        if (k == MO_FORCE_COLUMNS_MAX) {
            return mo_fail(error, MOTE_ERROR_USAGE, "force '%s': at most %d columns are allowed",
                           base->name, MO_FORCE_COLUMNS_MAX);
        }
        if (spec->role == MO_STATE && mo_store_find(store, spec->name)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "a scene can have only one force `%s`; merge the parameters",
                           base->name);
        }
        MO_TRY(mo_store_declare(store, spec, &force->column[k], error));
    }
    return MOTE_OK;
}

mote_status mo_force_create(const mo_force_type *type, const void *params,
                            const mo_force_context *context, mo_force *force, mote_error *error)
{
    *force = (mo_force){.type = type,
                        .instance = (void *)params,
                        .derivatives = type->jacobian ? type->jacobian->derivatives : 0,
                        .evolves = type->advance != NULL};
    mote_status status = context->store ? declare_columns(force, context->store, error) : MOTE_OK;
    if (status == MOTE_OK && type->create) {
        status = type->create(params, context, force, error);
    }
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

void mo_force_mean_stresses(int64_t first, int64_t last, double *volume, double *stress)
{
    for (int64_t row = first; row < last; ++row) {
        double sum = volume[row];
        for (int n = 0; n < 6; ++n) {
            stress[6 * row + n] /= sum > 0 ? sum : 1;
        }
        volume[row] = mo_von_mises(stress + 6 * row);
    }
}
