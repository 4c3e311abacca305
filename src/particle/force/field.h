/*
 * The family of forces that act on each particle by itself or between particles without a mesh: drag,
 * damping, later pair potentials. A scene lists them under "forces".
 */
#ifndef MO_PARTICLE_FORCE_FIELD_H
#define MO_PARTICLE_FORCE_FIELD_H

#include "base/param.h"
#include "integrate/force.h"
#include "neighbor/domain.h"
#include "particle/species.h"
#include "store/store.h"

/* The world that a force is made for. */
typedef struct mo_field_context {
    mo_memory *memory;
    mo_store *store; /* NULL in tests of a force by itself */
    mo_domain domain;
    mo_list species; /* mo_species_def */
} mo_field_context;

typedef struct mo_field_type {
    mo_descriptor base;
    /* Makes what the force needs beyond its parameters, and tells its range (0 unless set: it acts on each particle by
       itself); NULL: the parameters are the instance. */
    mote_status (*create)(const void *params, const mo_field_context *context, void **instance, double *range,
                          mote_error *error);
    void (*destroy)(void *instance, mo_memory *memory);
    mote_status (*begin)(void *instance, const mo_force_args *args, int64_t first, mo_pool *pool,
                         mote_error *error);
    mote_status (*prepare)(void *instance, const mo_force_args *args, mo_pool *pool, mote_error *error);
    mote_status (*advance)(void *instance, const mo_force_args *args, double h, mo_pool *pool,
                           mote_error *error);
    void (*add)(const void *instance, const mo_force_args *args, int64_t first, int64_t last);
    double (*energy)(const void *instance, const mo_force_args *args, int64_t first, int64_t last);
    double (*virial)(const void *instance, const mo_force_args *args, int64_t first, int64_t last);
    void (*stiffness)(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                      double *bound);
    void (*damping)(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                    double *bound);
    double (*slack)(const void *instance, const mo_force_args *args);
    /* Whether it may do work that its energy does not account for; NULL: it conserves
       energy, or takes it. */
    bool (*open)(const void *params);
    /* the Jacobian, as in mo_force; `jacobian` 0 if it has none */
    unsigned jacobian;
    mote_status (*couple)(const void *instance, const mo_force_args *args, mo_memory *memory,
                          mo_block_pattern *pattern, mote_error *error);
    mote_status (*place)(void *instance, const mo_block_matrix *matrix, mote_error *error);
    void (*fill)(const void *instance, const mo_force_args *args, const mo_jacobian_ask *ask,
                 mo_block_matrix *matrix, int64_t first, int64_t last);
    void (*multiply)(const void *instance, const mo_force_args *args, const mo_jacobian_ask *ask,
                     const double *p, double *y, int64_t first, int64_t last);
} mo_field_type;

extern const mo_family mo_fields;

/* The runtime force of a scene's method. */
mote_status mo_field_create(mo_method method, const mo_field_context *context, mo_force *force,
                            mote_error *error);

#endif
