/*
 * The air at a free surface, as a half space of pressure 0.
 *
 * A row near a free surface lacks the part of its support in the air. The half space with
 * the same deficit is at the distance s along the normal n:
 *     1 - delta = L(s),    |sum_j V_j grad W_ij + grad L_solids| = l(s) = -dL/ds,
 * with L(s) the integral of W over the half space; s follows from the first for rows at the surface
 * and from the second for their neighbours, where the deficit is within the noise of densities. A
 * pressure that is linear across the surface and 0 on it, p(y) = p_i (1 - y . n/s), completes every
 * sum in closed form, by Gauss' theorem:
 *     Laplacian    2 integral of G (p_i - p) = 2 p_i l/s,
 *     gradient       integral of (p - p_i) grad W = -(p_i/s) (L + s l) n,
 *     moments        integral of -G y y^T = L (1 - n n^T) + (L + s l) n n^T.
 * Completed sums are exact for linear pressures, and their moments are near the unit matrix at a
 * surface too. The first is due to P. Nair, G. Tomar 2014, Comput. Fluids 102, 304, with zero
 * pressure throughout the air.
 */
#ifndef MO_FLUID_SPH_FREE_SURFACE_H
#define MO_FLUID_SPH_FREE_SURFACE_H

#include "fluid/sph/fluid.h"

/* The air of a row; lengths in metres. */
typedef struct mo_air {
    float weight;     /* 0: no air; 1: as above */
    float distance;   /* s */
    float missing;    /* L(s) */
    float derivative; /* l(s) [1/m] */
    float normal[3];  /* out of the fluid */
} mo_air;

typedef struct mo_free_surface {
    mo_air *air; /* of each row */
    float *mark; /* 1 at a free surface, 0 inside */
    int64_t air_capacity, mark_capacity;
} mo_free_surface;

/* Finds the air of every row from current densities and neighbours, and the sum of the weights. */
mote_status mo_free_surface_find(mo_free_surface *surface, mo_fluid *fluid, double *weights,
                                 mote_error *error);

void mo_free_surface_destroy(mo_free_surface *surface, mo_memory *memory);

/* 1 for a closed domain, 0 for one with a free surface, by the number of rows at air: a layer
 * across a cube of as many rows has rows^((d - 1)/d); voids of a flow have less than a quarter of
 * that, for which the part decreases linearly. */
double mo_confined_part(const mo_fluid *fluid, double airs);

/* l/s, with the weight [1/m^2] */
MO_INLINE float mo_air_stiffness(const mo_air *a)
{
    return a->weight > 0 ? a->weight * a->derivative / a->distance : 0;
}

/* Completes the sum of (p_j - p_i) V_j grad W_ij, and moments as xx yy zz xy xz yz. */
mo_vec3 mo_air_complete(const mo_air *air, float p, int dimension, mo_vec3 gradient, double m[6]);

#endif
