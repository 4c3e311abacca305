#include "fluid/sph/instance.h"

#include "fluid/sph/fluid.h"

#include <stdio.h>

static mote_status declare_columns(mo_instance *self, mo_store *store, mote_error *error)
{
    const mo_instance_hooks *hooks = self->hooks;
    const mo_column_spec *columns = self->method.type->columns;
    for (int k = 0; columns && columns[k].name; ++k) {
        MOTE_ASSERT(k < MO_INSTANCE_COLUMNS);
        if (!hooks->needs_column || hooks->needs_column(self->method.params, k)) {
            MO_TRY(mo_store_declare(store, &columns[k], &self->columns[k], error));
        }
    }
    return MOTE_OK;
}

static mote_status create(mo_instance *self, mo_fluid *f, mote_error *error)
{
    const mo_instance_hooks *hooks = self->hooks;
    MO_TRY(declare_columns(self, f->store, error));
    if (hooks->state_size > 0) {
        MO_TRY(mo_allocate_array(f->memory, 1, hooks->state_size, &self->state, error));
    }
    return hooks->create ? hooks->create(self, f, error) : MOTE_OK;
}

mote_status mo_instance_create(mo_instance *self, mo_fluid *f, const char *name, mo_method method,
                               const mo_instance_hooks *hooks, mote_error *error)
{
    *self = (mo_instance){.method = method, .hooks = hooks, .name = name};
    mote_status status = create(self, f, error);
    if (status != MOTE_OK && error) {
        char text[sizeof error->text];
        snprintf(text, sizeof text, "fluid.%.40s: %.*s", name, (int)sizeof text - 64, error->text);
        memcpy(error->text, text, sizeof text);
    }
    return status;
}

void mo_instance_destroy(mo_instance *self, mo_fluid *f)
{
    const mo_instance_hooks *hooks = self->hooks;
    if (hooks && hooks->destroy && (self->state || hooks->state_size == 0)) {
        hooks->destroy(self, f);
    }
    mo_release(f->memory, self->state);
    *self = (mo_instance){0};
}
