/*
 * Vorticity confinement: compensates the numerical dissipation of eddies,
 *     w_i = sum_j V_j grad W_ij x (v_j - v_i),    the curl of the velocity,
 *     a_i = strength N x w_i,    N = grad |w| / |grad |w||
 * R. Fedkiw, J. Stam, H. Jensen 2001; M. Macklin, M. Mueller 2013, eqs. 15 and 16. It accelerates
 * eddies along their rotation, conserves neither momentum and adds energy. Also the parameter
 * `vorticity` of pbf.
 */
#ifndef MO_FLUID_VORTICITY_CONFINEMENT_H
#define MO_FLUID_VORTICITY_CONFINEMENT_H

#include "fluid/vorticity/vorticity.h"

typedef struct mo_confinement {
    double strength; /* m/s */
} mo_confinement;

extern const mo_vorticity_type mo_vorticity_confinement;

#endif
