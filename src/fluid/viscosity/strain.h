/*
 * The rate of strain of a fluid by weighted least squares, and pair forces along x_ij that follow
 * from it. For each particle i the symmetric tensor E_i minimises
 *     sum_j k_ij (x_ij . v_ij - x_ij . E_i x_ij)^2,    k_ij = -V_j G_ij rho_ij / |x_ij|^2,
 * with x_ij = x_i - x_j, grad W_ij = G x_ij and rho_ij the harmonic mean of both rest densities.
 * Rotations do not change x_ij . v_ij, so E_i is exact for every linear flow and any arrangement of
 * neighbours: on lattices, disordered, at free surfaces. Undetermined directions are omitted. Then
 *     a_i = -sum_j (k_ij / rho_i) x_ij (along x_ij . v_ij + x_ij . (T_i + T_j) x_ij / 2),
 * equal and opposite and along x_ij, so that linear and angular momentum are conserved.
 *
 * Six components of a symmetric tensor times p = (xx, yy, zz, xy, xz, yz) of a pair: e_3 to e_5 are
 * twice E_xy, E_xz, E_yz. Lengths are in spacings, so E and T are in m/s. Eight particles are
 * solved at a time.
 */
#ifndef MO_FLUID_VISCOSITY_STRAIN_H
#define MO_FLUID_VISCOSITY_STRAIN_H

#include "fluid/sph/fluid.h"

enum { MO_STRAIN = 6 };

/* State between the two passes; initially zero. */
typedef struct mo_strain {
    float *tensor;     /* rows x 6: E, then T */
    float *weight;     /* rows: sum_j -V_j G_ij [1/m^2] */
    float *near, *far; /* particles x 4: velocity and T for the second pass */
    int64_t tensor_capacity, weight_capacity, near_capacity, far_capacity;
    bool mixed; /* the fluid has phases of several rest densities */
} mo_strain;

void mo_strain_release(mo_strain *strain, mo_fluid *fluid);

/* The first pass: E of all rows and their weights. Positions and velocities are packed. */
mote_status mo_strain_fit(mo_strain *strain, mo_fluid *fluid, mote_error *error);

/* E : E of a row's tensor. */
static inline double mo_strain_square(const float e[MO_STRAIN])
{
    double sum = 0;
    for (int k = 0; k < MO_STRAIN; ++k) {
        sum += (k < 3 ? 1 : 0.5) * (double)e[k] * (double)e[k];
    }
    return sum;
}

/* The second pass: adds a_i to the column `a`, with the current tensors. Packs other values. */
void mo_strain_accelerate(mo_strain *strain, mo_fluid *fluid, double along);

#endif
