/*
 * Linear elasticity of small displacements: psi = mu e : e + lambda/2 tr^2 e with e = (F + F^T)/2 -
 * I, P = 2 mu e + lambda tr e I. Constant stiffness, not rotation invariant: a rotating body
 * swells. It recovers from flat and point configurations; from random nodes it relaxes to a
 * rotated, swollen shape.
 */
#include "solid/material/young.h"

static const mo_param PARAMS[] = {MO_YOUNG_PARAM, MO_POISSON_PARAM, {0}};

static mote_status linear_begin(const void *params, bool plane_stress, mo_material *m,
                                mote_error *error)
{
    const mo_young *p = params;
    if (m->space == MO_MEMBRANE) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "material: 'linear' is not defined for a membrane in space, whose triangles rotate; "
            "use corotated, or triangles \"plane_stress\" or \"plane_strain\" in the x-y plane");
    }
    mo_material_lame(p->young, p->poisson, plane_stress, &m->mu, &m->lambda);
    mo_material_set_stiffness(m);
    m->limit = -INFINITY;
    return MOTE_OK;
}

const mo_material_type mo_material_linear = {
    .base = {.name = "linear",
             .summary = "Linear elasticity for small displacements; constant stiffness.",
             .citation = "E. Sifakis, J. Barbic 2012, SIGGRAPH course, section 3.2",
             .capabilities = MO_MATERIAL_ISOTROPIC | MO_MATERIAL_PLASTIC | MO_PORTABLE,
             .param_size = sizeof(mo_young),
             .params = PARAMS},
    .begin = linear_begin,
    .small = true,
};
