/*
 * CalculiX (G. Dhondt; the program ccx) on a mesh of linear tetrahedra (C3D4): nodes at x = 0
 * fixed, forces on those at x = 1.
 */
#ifndef MOTE_CLI_PEER_CALCULIX_H
#define MOTE_CLI_PEER_CALCULIX_H

#include "geometry/mesh/mesh.h"
#include "peer/peer.h"

typedef enum calculix_kind {
    CALCULIX_LINEAR,
    CALCULIX_NONLINEAR,
    CALCULIX_FREQUENCIES
} calculix_kind;

/* Young's modulus 1e7 Pa, Poisson's ratio 0.3, density 1000 kg/m^3. */
typedef struct calculix_job {
    const mo_mesh *mesh;
    const double *f;     /* forces on the nodes, three each */
    calculix_kind kind;  /* nonlinear: large displacements, of a St. Venant-Kirchhoff material */
    double first_step;   /* fraction of the load, nonlinear; 0: automatic */
    double tolerance;    /* of the forces, nonlinear; 0: its default */
    int frequency_count; /* number of frequencies requested */
} calculix_job;

/* Writes the input and runs it on one thread. With `u` (three components per node) it reads the
 * displacements. */
mote_status calculix_run(const calculix_job *job, double *u, mote_error *error);

#endif
