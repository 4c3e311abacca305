/* The observables of a world, with their names: that of the method, and a number behind it from the second of a
   kind on. */
#ifndef MO_OBSERVE_OBSERVABLES_H
#define MO_OBSERVE_OBSERVABLES_H

#include "host/def.h"
#include "observe/observable.h"

typedef struct mo_observable {
    const mo_observable_type *type;
    void *instance;
    const char *name;
} mo_observable;

typedef struct mo_observables {
    mo_memory *memory;
    int count;
    mo_observable *list; /* in the world's arena */
} mo_observables;

/* system NULL: a world without particles, where nothing is observed. fluid: that of the fluid, or NULL. */
mote_status mo_observables_create(mo_observables *observables, const mo_world_def *def, mo_system *system,
                                  mo_system *fluid, mo_memory *memory, mo_arena *arena, mote_error *error);
void mo_observables_release(mo_observables *observables);

/* A system was built anew: declares in it again what observables need there. */
mote_status mo_observables_bind(const mo_observables *observables, mote_error *error);

/* Rows from `first` on are new. */
void mo_observables_begin(const mo_observables *observables, int64_t first);

#endif
