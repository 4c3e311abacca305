/*
 * The family of methods for the 1/r interaction of charges and masses, U = k sum q_i q_j/r over
 * pairs. Methods compute with k = 1; the forces `coulomb` and `newton` multiply by their constant.
 *
 * An evaluation is one call before the ranges of rows (mo_force_type.prepare), parallel inside, and
 * the same bits on any number of threads. Neighbour lists of the system serve methods with a range.
 *
 * Periodic domains are periodic along all axes, with conducting surroundings (no dipole term) and a
 * uniform background that neutralises a net charge.
 */
#ifndef MO_PARTICLE_LONG_RANGE_H
#define MO_PARTICLE_LONG_RANGE_H

#include "base/param.h"
#include "base/pool.h"
#include "neighbor/domain.h"
#include "neighbor/pairs.h"

/* Capabilities. */
enum { MO_LONG_RANGE_OPEN = 1u << 0, MO_LONG_RANGE_PERIODIC = 1u << 1 };

/* Domain and charges when a method is created, for error estimates. */
typedef struct mo_long_range_setup {
    mo_memory *memory;
    mo_domain domain;
    int64_t rows;
    double square_sum; /* of the charges */
    double softening;  /* Plummer's: r^2 + softening^2 replaces r^2 [m] */
} mo_long_range_setup;

typedef struct mo_long_range_input {
    int64_t rows;
    const double *x, *charge;
    const mo_pairs *pairs; /* NULL for methods without a range */
    bool measure;          /* also energy, virial and gradient */
} mo_long_range_input;

typedef struct mo_long_range_output {
    double *force;    /* three components per row; zero before */
    double *gradient; /* measure: |q_i| sum_j |q_j|/r^3, a scale of |df/dx| */
    double energy, virial;
} mo_long_range_output;

typedef struct mo_long_range_type {
    mo_descriptor base;
    /* *range: of the neighbour lists, 0: none. The parameters may be NULL: defaults. */
    mote_status (*create)(const void *params, const mo_long_range_setup *setup, void **instance,
                          double *range, mote_error *error);
    void (*destroy)(void *instance);
    mote_status (*evaluate)(void *instance, const mo_long_range_input *in,
                            mo_long_range_output *out, mo_pool *pool, mote_error *error);
} mo_long_range_type;

extern const mo_family mo_long_ranges;

/* Parameters that `auto`, benchmarks and validation set. */
typedef struct mo_p3m_params {
    double accuracy, cutoff;
    int64_t order, cells;
    const char *differentiation;
} mo_p3m_params;

typedef struct mo_direct_params {
    const char *precision;
} mo_direct_params;

typedef struct mo_tree_params {
    double angle;
} mo_tree_params;

typedef struct mo_particle_mesh_params {
    int64_t cells;
    const char *assignment, *differentiation;
    double smoothing;
} mo_particle_mesh_params;

typedef struct mo_limited_range_params {
    double r_a, r_b;
} mo_limited_range_params;

extern const mo_long_range_type mo_long_range_direct, mo_long_range_tree, mo_long_range_p3m;

#endif
