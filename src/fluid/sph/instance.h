/*
 * A method of a fluid at work: a pressure solver, a term, shifting, a boundary. An instance holds
 * the method with its parameters, the columns that its descriptor lists, and the memory that it
 * keeps between steps.
 *
 * The frame declares the columns, since a list that is repeated by hand in every `create` has to be
 * kept equal to the one that `mote explain` prints. A method finds them by their index in that list
 * (an enum beside the table). Whatever the next step needs belongs into columns: these are resized,
 * reordered and part of every snapshot. `state` is for work arrays and the like.
 */
#ifndef MO_FLUID_SPH_INSTANCE_H
#define MO_FLUID_SPH_INSTANCE_H

#include "store/store.h"

struct mo_fluid;

enum { MO_INSTANCE_COLUMNS = 8 };

typedef struct mo_instance {
    mo_method method;
    const struct mo_instance_hooks *hooks; /* NULL: nothing was made, nothing is to be destroyed */
    /* of the parameter of the fluid that it comes from: "pressure", "viscosity" */
    const char *name;
    /* as the descriptor lists them; NULL where not needed */
    mo_column *columns[MO_INSTANCE_COLUMNS];
    void *state;  /* zeroed; NULL where the method keeps nothing */
    double taken; /* of terms: energy that the last step took from the flow [J], term/term.h */
} mo_instance;

/* The hooks that methods of all families share; any may be NULL, and state_size 0. */
typedef struct mo_instance_hooks {
    size_t state_size;
    bool (*needs_column)(const void *params, int column); /* NULL: all that are listed */
    mote_status (*create)(mo_instance *self, struct mo_fluid *fluid, mote_error *error);
    void (*destroy)(mo_instance *self, struct mo_fluid *fluid); /* the frame releases `state` */
} mo_instance_hooks;

/* Declares the columns in the fluid's store, allocates the state, calls `create`. On failure the
   instance can and must be destroyed. Errors begin with the path fluid.<name>. */
mote_status mo_instance_create(mo_instance *self, struct mo_fluid *fluid, const char *name,
                               mo_method method, const mo_instance_hooks *hooks, mote_error *error);

void mo_instance_destroy(mo_instance *self, struct mo_fluid *fluid);

#endif
