/* Shared by stress.c and tangent.c. */
#ifndef MO_SOLID_MATERIAL_STRAIN_H
#define MO_SOLID_MATERIAL_STRAIN_H

#include "solid/material/material.h"

/* Signed singular values in the material's space. */
void mo_material_decompose(const mo_material *m, const mo_d4 f[9], mo_svd3_d4 *svd);

/* V^T S V, or back: V S V^T. */
void mo_symmetric_turn(const mo_d4 s[6], const mo_d4 v[9], bool back, mo_d4 out[6]);

/* C : E */
void mo_material_hooke_stress(const mo_material *m, const mo_d4 e[6], mo_d4 s[6]);

/* (F^T F - I)/2, without a limit. */
void mo_green_strain(const mo_material *m, const mo_d4 f[9], mo_d4 e[6]);

#endif
