/*
 * The mesh part of particle_mesh and p3m: B-spline assignment of charges to a periodic mesh, fast
 * Fourier transform, optimal influence function, inverse transform, interpolation of forces.
 *
 * Differentiation: `ad` differentiates the assignment function; forces are the exact gradient of
 * the energy of the mesh, two transforms, and the sum of forces is zero only up to the accuracy.
 * `ik` multiplies waves by i k; momentum is conserved to rounding, four transforms.
 *
 * Assignment in parallel: slabs of planes, each at least as thick as a spline reaches, first the
 * even ones, then the odd ones, so that no two slabs at work write the same plane. Particles of a
 * slab are in order of rows: the same bits on any number of threads.
 */
#ifndef MO_PARTICLE_LONG_RANGE_CHARGE_MESH_H
#define MO_PARTICLE_LONG_RANGE_CHARGE_MESH_H

#include "neighbor/domain.h"
#include "particle/long_range/fft.h"
#include "particle/long_range/influence.h"

typedef struct mo_charge_mesh {
    mo_memory *memory;
    mo_domain domain;
    mo_influence_def def;
    mo_influence influence;
    mo_fft fft;
    double *mesh, *field[3]; /* charges, then potential; ik: the fields */
    int slabs;               /* even, or 1 */
    int32_t *order;          /* rows by slab */
    int64_t *slab_first;     /* slabs + 1 */
    int64_t order_capacity;
    double harmonic[3]; /* ad: energy of a unit charge with itself, 2 C cos(2 pi x/h) per axis */
} mo_charge_mesh;

mote_status mo_charge_mesh_create(const mo_influence_def *def, const mo_domain *domain,
                                  mo_memory *memory, mo_charge_mesh **mesh, mote_error *error);
void mo_charge_mesh_destroy(mo_charge_mesh *mesh);

typedef struct mo_charge_mesh_sums {
    double energy, virial; /* of clouds, their own energies included */
    double net, squares;   /* sums of the charges and of their squares */
} mo_charge_mesh_sums;

/* Adds forces; *sums is NULL if not requested. */
mote_status mo_charge_mesh_solve(mo_charge_mesh *mesh, int64_t rows, const double *x,
                                 const double *charge, double *force, mo_charge_mesh_sums *sums,
                                 mo_pool *pool, mote_error *error);

#endif
