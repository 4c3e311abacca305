/* Wraps positions into the periodic box, for frames: columns are unwrapped. */
#ifndef MO_IO_OUTPUT_WRAP_H
#define MO_IO_OUTPUT_WRAP_H

#include "base/memory.h"
#include "mote/world.h"

typedef struct mo_wrap {
    mo_memory *memory;
    bool wanted; /* requested, and the domain is periodic */
    mote_domain domain;
    int64_t capacity;
    double *x;
} mo_wrap;

void mo_wrap_init(mo_wrap *wrap, mo_memory *memory, const mote_world *world, bool wanted);
void mo_wrap_release(mo_wrap *wrap);

/* Replaces *x of a system by wrapped positions. Systems with edges stay unwrapped: an edge across
 * the boundary would be drawn through the box. */
mote_status mo_wrap_positions(mo_wrap *wrap, const mote_world *world, int system, const double **x,
                              mote_error *error);

#endif
