/*
 * The observables of a world, named by their method, with a number from the second of a kind on.
 */
#ifndef MO_OBSERVE_OBSERVABLES_H
#define MO_OBSERVE_OBSERVABLES_H

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

/* Creates the observables of the world's scene, if it has particles; they are registered with
 * the world, which destroys them. */
mote_status mo_observables_create(mote_world *world, mote_error *error);

/* Whether an observable is an image at each frame. */
bool mo_observables_image(const mote_world *world, int index, mo_observable_image *image);

#endif
