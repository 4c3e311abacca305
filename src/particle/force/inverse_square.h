/*
 * The common part of the forces `coulomb` and `newton`: a method of the family `long_range`, its
 * result of the last evaluation, and the hooks that read it.
 */
#ifndef MO_PARTICLE_FORCE_INVERSE_SQUARE_H
#define MO_PARTICLE_FORCE_INVERSE_SQUARE_H

#include "integrate/force.h"
#include "particle/long_range/long_range.h"

typedef struct mo_inverse_square {
    mo_memory *memory;
    mo_store *store;
    const mo_long_range_type *method;
    void *solver;
    double constant; /* k in U = k q_i q_j/r: negative for masses */
    bool of_masses;
    double *zero; /* charges of particles that have none */
    int64_t zero_capacity, force_capacity, gradient_capacity;
    mo_long_range_output out;
} mo_inverse_square;

typedef struct mo_inverse_square_def {
    mo_method method;
    double constant, softening;
    bool of_masses;
} mo_inverse_square_def;

mote_status mo_inverse_square_create(const mo_inverse_square_def *def,
                                     const mo_force_context *context, mo_force *force,
                                     mote_error *error);
void mo_inverse_square_destroy(void *instance, mo_memory *memory);
mote_status mo_inverse_square_prepare(void *instance, const mo_force_args *args, mo_pool *pool,
                                      mote_error *error);
void mo_inverse_square_add(const void *instance, const mo_force_args *args, int64_t first,
                           int64_t last);
double mo_inverse_square_energy(const void *instance, const mo_force_args *args, int64_t first,
                                int64_t last);
double mo_inverse_square_virial(const void *instance, const mo_force_args *args, int64_t first,
                                int64_t last);
void mo_inverse_square_stiffness(const void *instance, const mo_force_args *args, int64_t first,
                                 int64_t last, double *bound);

#endif
