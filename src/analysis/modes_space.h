/*
 * The Krylov subspace for natural frequencies (modes.c): the lowest eigenvalues of -K u = omega^2 M
 * u by block Lanczos with the inverse (Y. Saad, "Numerical Methods for Large Eigenvalue Problems",
 * 2011, section 6.6). With A = -K + sigma M it is spanned by a block X of vectors and A^-1 M X,
 * (A^-1 M)^2 X, ...; all vectors are orthonormal in the mass norm (Gram-Schmidt, twice), and the
 * projection of A^-1 M is a small symmetric matrix whose largest eigenvalues, the rates, are
 * 1/(omega^2 + sigma).
 *
 * A full subspace is reduced by a thick restart (K. Wu, H. Simon 2000, SIAM J. Matrix Anal. Appl.
 * 22, 602): the best vectors are kept and the iteration continues from its last block.
 *
 * A block of n vectors finds at most n-fold eigenvalues. After convergence the subspace is
 * therefore restarted with the vectors found and a random block, and extended until the next rate
 * has converged; repeatedly, until no further eigenvector is found.
 */
#ifndef MO_ANALYSIS_MODES_SPACE_H
#define MO_ANALYSIS_MODES_SPACE_H

#include "world/world.h"

typedef struct mo_modes_space {
    const mote_world *world; /* polled for cancellation */
    mo_system *system;
    mo_jacobian jacobian; /* with A, constrained */
    mo_linear_solver solver;
    mo_memory *memory;
    int64_t numbers, stride, freedoms;
    int wanted, most, size; /* vectors wanted, maximum kept, current number */
    int first;              /* the last block begins here */
    int projected;          /* number of vectors projected in p */
    int blocks, fills;      /* blocks solved, random blocks */
    double sigma;
    mo_force_args args; /* of the state */
    bool coupled;       /* consistent mass matrix (integrate/force.h) */
    double *v, *w;      /* the basis, and A^-1 M of each of its vectors */
    double *scratch;    /* a block of vectors */
    double *p;          /* the projection; row stride `capacity`, as in t and s */
    double *t, *s;      /* a copy to be diagonalised, and its eigenvectors (columns) */
    double *rate;       /* eigenvalues, sorted; at least the largest `wanted` and one more */
    double *before;     /* the rates at the last restart */
    int capacity;
    mo_work work[3];
} mo_modes_space;

/* Allocates memory: world, system, memory, numbers, freedoms and wanted are set. */
mote_status mo_modes_space_open(mo_modes_space *space, mote_error *error);
void mo_modes_space_close(mo_modes_space *space);

/* Computes the rates, and eigenvectors in the basis. */
mote_status mo_modes_space_find(mo_modes_space *space, mote_error *error);

/* u = the vector of rate n, of length 1 in the mass */
void mo_modes_space_vector(const mo_modes_space *space, int n, double *u);

/* The free part of a vector: 0 in constrained rows and directions. */
void mo_modes_space_confine(const mo_modes_space *space, double *v);
/* to = M from */
void mo_modes_space_weigh(mo_modes_space *space, const double *from, double *to);
/* Random, with a fixed seed. */
void mo_modes_space_fill(mo_modes_space *space, double *v);

#endif
