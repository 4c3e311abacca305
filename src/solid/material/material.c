#include "solid/material/material.h"

#include <string.h>

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_material_type, mo_material_, name)
#include "solid/material/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_material_, name)
#include "solid/material/methods.def"
#undef MO_METHOD
};

static const char *const CAPABILITIES[] = {"isotropic", "objective", "recovers",
                                           "unfolds",   "plastic",   NULL};

const mo_family mo_materials = {
    .name = "material",
    .doc = "Constitutive models of elastic materials.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
    .capabilities = CAPABILITIES,
};

mote_status mo_material_begin(mo_method method, mo_space space, bool plane_stress,
                              mo_material *material, mote_error *error)
{
    *material = (mo_material){.type = (const mo_material_type *)method.type,
                              .space = space,
                              .dimension = space == MO_SOLID ? 3 : 2};
    return material->type->begin(method.params, plane_stress, material, error);
}

void mo_material_lame(double young, double poisson, bool plane_stress, double *mu, double *lambda)
{
    double other = plane_stress ? 1 - poisson : 1 - 2 * poisson;
    *mu = young / (2 * (1 + poisson));
    *lambda = young * poisson / ((1 + poisson) * other);
}

void mo_material_set_stiffness(mo_material *m)
{
    memset(m->stiffness, 0, sizeof m->stiffness);
    for (int i = 0; i < m->dimension; ++i) {
        for (int j = 0; j < m->dimension; ++j) {
            m->stiffness[i][j] = m->lambda + (i == j ? 2 * m->mu : 0);
        }
    }
    for (int k = 3; k < (m->dimension == 3 ? 6 : 4); ++k) {
        m->stiffness[k][k] = m->mu;
    }
}

mo_l4 mo_material_safe(const mo_material *m, const mo_d4 f[9])
{
    mo_d4 cofactors[9], size = mo_d4_set(0);
    mo_d4_cofactors(f, cofactors);
    for (int k = 0; k < 9; ++k) {
        size += f[k] * f[k];
    }
    mo_d4 j = f[0] * cofactors[0] + f[1] * cofactors[1] + f[2] * cofactors[2];
    return 2 * j > mo_d4_set(m->limit) * size;
}
