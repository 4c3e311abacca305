/*
 * An instance of a fluid method: a pressure solver, a term, shifting, a boundary, with its
 * parameters, the columns of its descriptor, and its memory between steps.
 *
 * Columns are declared from the descriptor's list; a method refers to them by their index (an enum
 * next to the table). State of the next step belongs in columns: these are resized, reordered and
 * part of every snapshot. `state` is for work arrays.
 */
#ifndef MO_FLUID_SPH_INSTANCE_H
#define MO_FLUID_SPH_INSTANCE_H

#include "store/store.h"

struct mo_fluid;

enum { MO_INSTANCE_COLUMNS = 8 };

typedef struct mo_instance {
    mo_method method;
    const struct mo_instance_hooks *hooks; /* NULL: not created, nothing to destroy */
    /* of its parameter in the fluid: "pressure", "viscosity" */
    const char *name;
    /* in the order of the descriptor; NULL if not needed */
    mo_column *columns[MO_INSTANCE_COLUMNS];
    void *state;  /* zeroed; NULL if the method has none */
    double taken; /* of terms: energy removed by the last step [J], term/term.h */
} mo_instance;

/* Hooks common to all families; any may be NULL, and state_size 0. */
typedef struct mo_instance_hooks {
    size_t state_size;
    bool (*needs_column)(const void *params, int column); /* NULL: all that are listed */
    mote_status (*create)(mo_instance *self, struct mo_fluid *fluid, mote_error *error);
    /* `state` is released by the caller */
    void (*destroy)(mo_instance *self, struct mo_fluid *fluid);
} mo_instance_hooks;

/* Declares the columns in the fluid's store, allocates the state, calls `create`. On failure the
   instance can and must be destroyed. Errors begin with the path fluid.<name>. */
mote_status mo_instance_create(mo_instance *self, struct mo_fluid *fluid, const char *name,
                               mo_method method, const mo_instance_hooks *hooks, mote_error *error);

void mo_instance_destroy(mo_instance *self, struct mo_fluid *fluid);

#endif
