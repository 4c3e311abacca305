/*
 * Point damping, f = -g v: slows every particle down wherever it goes. It does not keep momentum (the medium
 * takes it). The simplest force, to be read and copied.
 */
#include "particle/force/field.h"

typedef struct damping_point {
    double g;
} damping_point;

static const mo_param PARAMS[] = {{"g", MO_REAL, MO_FIELD(damping_point, g), .unit = "kg/s", .required = true,
                                   .range = "[0, inf)", .doc = "Force for each metre a second."},
                                  {0}};

static void add(const void *instance, const mo_force_args *args, int64_t first, int64_t last)
{
    const damping_point *p = instance;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        args->f[k] -= p->g * args->v[k];
    }
}

const mo_field_type mo_field_damping_point = {
    .base = {.name = "damping_point",
             .summary = "f = -g v on every particle.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(damping_point),
             .params = PARAMS},
    .add = add,
};
