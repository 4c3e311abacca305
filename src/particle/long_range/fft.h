/*
 * Three-dimensional Fourier transforms of real periodic meshes by FFTW, in slices: two-dimensional
 * transforms of the planes z, then transforms along z of the rows y. Slices run in parallel, each
 * by a plan for one thread made by FFTW_ESTIMATE, so that results do not depend on threads or
 * timing.
 *
 * A mesh of nx ny nz numbers is stored as [z][y][stride], stride = 2 (nx/2 + 1), with a tail of
 * MO_FFT_TAIL numbers; its transform as [z][y][stride/2] complex numbers in the same memory.
 *
 * A library built without FFTW lists the mesh methods and rejects them with the reason.
 */
#ifndef MO_PARTICLE_LONG_RANGE_FFT_H
#define MO_PARTICLE_LONG_RANGE_FFT_H

#include "base/pool.h"

enum { MO_FFT_TAIL = 8 };

typedef struct mo_fft {
    int n[3];
    int64_t stride, plane;            /* numbers per row and per plane */
    void *forward_plane, *back_plane; /* plans */
    void *forward_rows, *back_rows;
} mo_fft;

/* Numbers of a mesh, the tail included. */
int64_t mo_fft_size(const int n[3]);

/* `mesh` is used for planning only. */
mote_status mo_fft_create(const int n[3], double *mesh, mo_fft *fft, mote_error *error);
void mo_fft_release(mo_fft *fft);

/* Planes to waves along x and y; and back, unnormalised. */
void mo_fft_planes(const mo_fft *fft, double *mesh, bool forward, mo_pool *pool);

/* Along z, of the row y; called by any thread. */
void mo_fft_row(const mo_fft *fft, double *mesh, int y, bool forward);

/* The smallest size with prime factors 2, 3, 5 and 7 that is even and at least n. */
int mo_fft_next_size(int n);

#endif
