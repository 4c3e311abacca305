/*
 * The family of forces that act on each particle by itself or between particles without a mesh: drag,
 * damping, later pair potentials. A scene lists them under "forces".
 */
#ifndef MO_PARTICLE_FORCE_FIELD_H
#define MO_PARTICLE_FORCE_FIELD_H

#include "base/param.h"
#include "integrate/force.h"
#include "store/store.h"

typedef struct mo_field_type {
    mo_descriptor base;
    /* Makes what the force needs beyond its parameters; NULL: the parameters are the instance. */
    mote_status (*create)(const void *params, mo_store *store, mo_memory *memory, void **instance,
                          mote_error *error);
    void (*destroy)(void *instance, mo_memory *memory);
    mote_status (*prepare)(void *instance, const mo_force_args *args, mo_pool *pool, mote_error *error);
    void (*add)(const void *instance, const mo_force_args *args, int64_t first, int64_t last);
    double (*energy)(const void *instance, const mo_force_args *args, int64_t first, int64_t last);
    void (*stiffness)(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                      double *bound);
} mo_field_type;

extern const mo_family mo_fields;

/* The runtime force of a scene's method. */
mote_status mo_field_create(mo_method method, mo_store *store, mo_memory *memory, mo_force *force,
                            mote_error *error);

#endif
