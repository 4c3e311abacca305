/*
 * The deviatoric stress of a pressure by pair sums, and its removal.
 *
 * Pair forces -V_i V_j (k_i + k_j) grad W_ij have the stress -k_i M_i, M_i = sum_j V_j grad W_ij
 * (x_j - x_i)^T. M = m 1 on a square or cubic lattice; in a lattice under the strain e it has a
 * deviator proportional to e. Under pressure the fluid is then an elastic solid, with a shear
 * modulus of the order of a tenth of the pressure, that yields where layers slide: waves are too
 * fast, and layers under pressure do not exchange. The pair forces
 *     m_i a_i = -V_i (sum_j V_j (k_i C_i + k_j C_j) grad W_ij + k_i C_i wall_i),
 *     C_i = 1 - M_i/m_i,    m_i = tr(M_i)/d,
 * remove the deviator D = M - m of the stress: M + C M = m - D^2/m, exactly isotropic in the plane,
 * to first order in D in space. They are equal and opposite, and C_i M_i is symmetric, so that the
 * torque sum_i V_i k_i eps : C_i M_i of pairs vanishes: both momenta are conserved to rounding.
 * Pair forces with a correction per particle: J. Bonet, T. Lok 1999, Comput. Methods Appl. Mech.
 * Eng. 180, 97, with C = M^-1 - 1, which is unbounded.
 *
 * Beside solids (boundaries with maps) M includes the lattice behind each; its parts along and
 * across the surface are linear between layers. At free surfaces, where M is one-sided for any
 * strain and k is small, C = 0.
 */
#ifndef MO_FLUID_SPH_STRESS_H
#define MO_FLUID_SPH_STRESS_H

#include "fluid/sph/reaction.h"

enum { MO_STRESS_LAYERS = 8 };

typedef struct mo_stress {
    /* particles x 4: k C as xx yy zz xy, and xz yz; `far` in three dimensions only */
    float *near, *far;
    int64_t near_capacity, far_capacity;
    /* M of a lattice behind a plane, by the layer above it, along the plane and across it */
    float along[MO_STRESS_LAYERS], across[MO_STRESS_LAYERS];
} mo_stress;

typedef struct mo_stress_def {
    const float *k, *other; /* pressures; other may be NULL */
    float part;             /* of k */
} mo_stress_def;

/* Kicks velocities by these forces over h, with the reactions of solids. Pair sums must be those of
 * the current positions; f->acceleration has the accelerations. */
mote_status mo_stress_kick(mo_stress *stress, mo_fluid *fluid, const mo_stress_def *def, double h,
                           mote_error *error);

void mo_stress_release(mo_stress *stress, mo_memory *memory);

#endif
