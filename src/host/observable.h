/*
 * The family of observables: vector-valued measurements at each frame, such as a distribution of
 * the particles or the load on a joint. A scene lists them under "observables".
 *
 * An observable does not change the world. Its history (such as initial positions) is a column of
 * the store, so that it survives snapshots, sorting, and added and removed particles.
 *
 * Observables of one system are part of it (`observables` in host/system.h); those of any system,
 * or of the world, are in observe/.
 */
#ifndef MO_HOST_OBSERVABLE_H
#define MO_HOST_OBSERVABLE_H

#include "base/param.h"
#include "geometry/sampling/sampling.h"
#include "host/system.h"
#include "neighbor/domain.h"

/* The context of an observable. */
typedef struct mo_observable_context {
    mo_memory *memory;
    mote_world *world;
    mo_domain domain;
} mo_observable_context;

enum { MO_OBSERVABLE_LABEL = 32 };

/* The values of an observable as an image: `components` at each node of a lattice. */
typedef struct mo_observable_image {
    mo_lattice lattice;
    int components;
    char name[MO_OBSERVABLE_LABEL];
} mo_observable_image;

typedef struct mo_observable_type {
    mo_descriptor base;
    mote_status (*create)(const void *params, const mo_observable_context *context, void **instance,
                          mote_error *error);
    void (*destroy)(void *instance, mo_memory *memory);
    /* The system whose rows have the columns of the descriptor. They are declared after creation
     * and whenever the system is rebuilt at the same address with a new store: an observable may
     * store systems, but must look up columns. NULL: it has none. */
    mo_system *(*system)(const void *instance);
    /* Rows of `system` from `first` on are new. May be NULL. */
    void (*begin)(void *instance, const mo_system *system, int64_t first);
    int64_t (*size)(const void *instance); /* number of values */
    void (*label)(const void *instance, int64_t index, char label[MO_OBSERVABLE_LABEL]);
    mote_status (*observe)(void *instance, double time, double *values, mote_error *error);
    /* Whether frames are images instead of rows of a table. NULL: they are not. */
    bool (*image)(const void *instance, mo_observable_image *image);
} mo_observable_type;

#endif
