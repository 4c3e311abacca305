/*
 * Vorticity confinement: compensates the numerical dissipation of eddies,
 *     w_i = sum_j V_j grad W_ij x (v_i - v_j),    the curl of the velocity,
 *     a_i = strength N x w_i,    N = grad |w| / |grad |w||
 * R. Fedkiw, J. Stam, H. Jensen 2001; M. Macklin, M. Mueller 2013, eqs. 15 and 16. It does not
 * conserve momentum and adds energy. A term of pbf, by its parameter `vorticity`.
 */
#ifndef MO_FLUID_TERM_CONFINEMENT_H
#define MO_FLUID_TERM_CONFINEMENT_H

#include "fluid/term/term.h"

typedef struct mo_confinement {
    double strength; /* m/s */
} mo_confinement;

extern const mo_term_type mo_term_confinement;

#endif
