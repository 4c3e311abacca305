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

/* Rows of the parameter table and of the descriptor that both forces share. */
#define MO_LONG_RANGE_PARAM(type) \
    { \
        "method", MO_METHOD, MO_FIELD(type, method), \
            .family = &mo_long_ranges, .initial = "\"auto\"", .doc = "Method of summation." \
    }
#define MO_INVERSE_SQUARE_HOOKS \
    .destroy = mo_inverse_square_destroy, .prepare = mo_inverse_square_prepare, \
    .add = mo_inverse_square_add, .energy = mo_inverse_square_energy, \
    .virial = mo_inverse_square_virial, .stiffness = mo_inverse_square_stiffness

#endif
