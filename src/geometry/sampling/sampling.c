#include "geometry/sampling/sampling.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_sampling_type, mo_sampling_, name)
#include "geometry/sampling/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_sampling_, name)
#include "geometry/sampling/methods.def"
#undef MO_METHOD
};

const mo_family mo_samplings = {
    .name = "sampling",
    .doc = "Positions at which a probe evaluates fields.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};

static const mo_sampling_type *type_of(mo_method sampling)
{
    return (const mo_sampling_type *)sampling.type;
}

bool mo_sampling_lattice(mo_method sampling, mo_lattice *lattice)
{
    const mo_sampling_type *type = type_of(sampling);
    if (type->lattice) {
        *lattice = type->lattice(sampling.params);
    }
    return type->lattice != NULL;
}

int64_t mo_sampling_count(mo_method sampling)
{
    mo_lattice l;
    return mo_sampling_lattice(sampling, &l) ? l.count[0] * l.count[1] * l.count[2]
                                             : type_of(sampling)->points(sampling.params).count;
}

static mo_vec3 node_of(const mo_lattice *l, int64_t index)
{
    int64_t i = index % l->count[0], rest = index / l->count[0];
    mo_vec3 x = mo_add_scaled(l->origin, (double)i, l->step[0]);
    x = mo_add_scaled(x, (double)(rest % l->count[1]), l->step[1]);
    int64_t layer = rest / l->count[1];
    return mo_add_scaled(x, (double)layer, l->step[2]);
}

mo_vec3 mo_sampling_position(mo_method sampling, int64_t index)
{
    mo_lattice l;
    if (mo_sampling_lattice(sampling, &l)) {
        return node_of(&l, index);
    }
    mo_list points = type_of(sampling)->points(sampling.params);
    return ((const mo_vec3 *)points.items)[index];
}

mo_vec3 mo_sampling_step(mo_vec3 from, mo_vec3 to, int64_t count)
{
    return mo_scale(1 / (double)(count > 1 ? count - 1 : 1), mo_sub(to, from));
}

mote_status mo_sampling_check_count(const int64_t count[3], mote_error *error)
{
    double all = (double)count[0] * (double)count[1] * (double)count[2];
    return all <= MO_SAMPLING_MAX
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_INPUT, "count: %g positions; allowed: up to %d", all,
                         MO_SAMPLING_MAX);
}
