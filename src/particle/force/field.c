#include "particle/force/field.h"

#include "neighbor/search.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_field_type, mo_field_, name)
#include "particle/force/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_field_, name)
#include "particle/force/methods.def"
#undef MO_METHOD
};

const mo_family mo_fields = {
    .name = "force",
    .doc = "Forces on all particles of the forces system, beside gravity and the bodies' own models.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};

mote_status mo_field_create(mo_method method, const mo_field_context *context, mo_force *force,
                            mote_error *error)
{
    const mo_field_type *type = (const mo_field_type *)method.type;
    void *instance = (void *)method.params;
    double range = 0;
    if (type->create) {
        MO_TRY(type->create(method.params, context, &instance, &range, error));
    }
    mote_status status = range != 0 ? mo_search_check_radius(range, "range: ", error) : MOTE_OK;
    if (status != MOTE_OK) {
        if (type->destroy) {
            type->destroy(instance, context->memory);
        }
        return status;
    }
    *force = (mo_force){.name = type->base.name,
                        .instance = instance,
                        .range = range,
                        .begin = type->begin,
                        .prepare = type->prepare,
                        .advance = type->advance,
                        .add = type->add,
                        .energy = type->energy,
                        .virial = type->virial,
                        .stiffness = type->stiffness,
                        .damping = type->damping,
                        .jacobian = type->jacobian,
                        .couple = type->couple,
                        .place = type->place,
                        .fill = type->fill,
                        .multiply = type->multiply,
                        .slack = type->slack,
                        .open = type->open && type->open(method.params),
                        .destroy = type->destroy};
    return MOTE_OK;
}
