/*
 * Coulomb's law for impulses: |dv_t| <= mu |dv_n|, opposite to v_t, without reversing it.
 */
#include "collide/friction/friction.h"

typedef struct coulomb {
    double mu;
} coulomb;

static const mo_param PARAMS[] = {{"mu", MO_REAL, MO_FIELD(coulomb, mu), .initial = "0",
                                   .range = "[0, inf)",
                                   .doc = "Friction coefficient; 0 is frictionless."},
                                  {0}};

static mo_vec3 coulomb_slow(const void *params, mo_vec3 tangential, double kick)
{
    const coulomb *c = params;
    double speed = mo_length(tangential), most = c->mu * kick;
    return speed <= most ? mo_vec3_make(0, 0, 0) : mo_scale(1 - most / speed, tangential);
}

static double coulomb_limit(const void *params, double press)
{
    return ((const coulomb *)params)->mu * press;
}

const mo_friction_type mo_friction_coulomb = {
    .base = {.name = "coulomb",
             .summary = "Coulomb's law: the tangential impulse is at most mu times the normal one.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(coulomb),
             .params = PARAMS},
    .slow = coulomb_slow,
    .limit = coulomb_limit,
};

mo_method mo_friction_none(void)
{
    static const coulomb NONE = {0};
    return (mo_method){&mo_friction_coulomb.base, &NONE};
}
