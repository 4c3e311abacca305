/*
 * Vorticity confinement: eddies that the method's own friction wears down are driven on,
 *     w_i = sum_j V_j grad W_ij x (v_i - v_j),    the curl of the velocity,
 *     a_i = strength N x w_i,    N = grad |w| / |grad |w||
 * R. Fedkiw, J. Stam, H. Jensen 2001; M. Macklin, M. Mueller 2013, eqs. 15 and 16. It keeps no momentum and adds energy.
 */
#ifndef MO_FLUID_PRESSURE_CONFINEMENT_H
#define MO_FLUID_PRESSURE_CONFINEMENT_H

#include "fluid/sph/fluid.h"

typedef struct mo_confinement {
    float *curl; /* places x (w, |w|) */
    int64_t curl_capacity;
} mo_confinement;

/* Adds to the column `a`; places, slopes and velocities are packed. strength in m/s. */
mote_status mo_confinement_add(mo_confinement *confinement, mo_fluid *fluid, double strength,
                               mote_error *error);
void mo_confinement_release(mo_confinement *confinement, mo_fluid *fluid);

#endif
