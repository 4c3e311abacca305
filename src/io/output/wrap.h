/* Positions of a periodic domain moved into its box, for frames: columns hold them unwrapped. */
#ifndef MO_IO_OUTPUT_WRAP_H
#define MO_IO_OUTPUT_WRAP_H

#include "base/memory.h"
#include "mote/world.h"

typedef struct mo_wrap {
    mo_memory *memory;
    bool wanted; /* and there is a box */
    mote_domain domain;
    int64_t capacity;
    double *x;
} mo_wrap;

void mo_wrap_init(mo_wrap *wrap, mo_memory *memory, const mote_world *world, bool wanted);
void mo_wrap_release(mo_wrap *wrap);

/* Puts the wrapped positions of a system in the place of *x, which are its own. A system with edges
 * keeps its own: an edge through the border would be drawn across the whole box. */
mote_status mo_wrap_positions(mo_wrap *wrap, const mote_world *world, int system, const double **x,
                              mote_error *error);

#endif
