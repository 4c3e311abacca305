/*
 * The space that natural frequencies are looked for in (modes.c): the lowest of -K u = omega^2 M u,
 * by a block Krylov space of the inverse (Y. Saad, "Numerical Methods for Large Eigenvalue
 * Problems", 2011, section 6.6 on blocks). With A = -K + sigma M it is spanned by a block X of
 * vectors and A^-1 M X, (A^-1 M)^2 X, ...; all vectors are kept orthonormal in the mass (twice
 * Gram-Schmidt), and the projection of A^-1 M to them is a small symmetric matrix whose largest
 * eigenvalues, the rates, are 1/(omega^2 + sigma).
 *
 * When the room is full the best vectors of the space are kept and it goes on from its last block
 * (K. Wu, H. Simon 2000, SIAM J. Matrix Anal. Appl. 22, 602): what was found is not lost, so any
 * number of frequencies is found, however near they are to each other.
 *
 * A block finds a frequency at most as often as it has vectors. So when all that is wanted has been
 * found, the space is started anew from it and from a block at random, which has a part of
 * everything that is missing, and grown until the best that it finds beside is known; again and
 * again, until that changes nothing.
 */
#ifndef MO_ANALYSIS_MODES_SPACE_H
#define MO_ANALYSIS_MODES_SPACE_H

#include "system/forces/state.h"
#include "world/world.h"

typedef struct mo_modes_space {
    const mote_world *world; /* asked whether to go on */
    mo_system *system;
    mo_jacobian jacobian; /* with A, constrained */
    mo_linear_solver solver;
    mo_memory *memory;
    int64_t numbers, stride, freedoms;
    int wanted, most, size; /* vectors wanted, kept at most, there */
    int first;              /* the last block begins here */
    int projected;          /* of the vectors that are in p */
    int blocks, fills;      /* so far: solved with, at random */
    double sigma;
    mo_force_args args; /* of the state */
    bool coupled;       /* masses are (integrate/force.h) */
    double *v, *w;      /* the basis, and A^-1 M of each of its vectors */
    double *scratch;    /* a block of vectors */
    double *p;          /* the projection; rows are `room` apart, as those of t and s */
    double *t, *s;      /* a copy that becomes diagonal, its eigenvectors (columns) */
    double *rate;       /* its eigenvalues, the largest `wanted` and one first, in order */
    double *before;     /* the rates when it was started anew last */
    int room;
    mo_work work[3];
} mo_modes_space;

/* Room for everything: world, system, memory, numbers, freedoms and wanted are set. */
mote_status mo_modes_space_open(mo_modes_space *space, mote_error *error);
void mo_modes_space_close(mo_modes_space *space);

/* Finds the rates, and eigenvectors in the basis. */
mote_status mo_modes_space_find(mo_modes_space *space, mote_error *error);

/* u = the vector of rate n, of length 1 in the mass */
void mo_modes_space_vector(const mo_modes_space *space, int n, double *u);

/* The free part of a vector: 0 in rows and directions that are constrained. */
void mo_modes_space_confine(const mo_modes_space *space, double *v);
/* to = M from */
void mo_modes_space_weigh(mo_modes_space *space, const double *from, double *to);
/* Random, but the same every time. */
void mo_modes_space_fill(mo_modes_space *space, double *v);

#endif
