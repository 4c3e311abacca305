/*
 * Emitters: fluid that comes in, a layer of particles at a time.
 *
 * A nozzle is a lattice of points in a plane. Layer n leaves it at start + n spacing/speed, and at
 * the end of the step in which that is, it stands as far from the plane as it has come by then: so
 * layers are a spacing apart whatever the steps are, and the fluid that comes out is as dense as
 * one that was filled in. Until a particle has come a support's length it goes on as the nozzle
 * sent it (its number is in the column `nozzle`): it has nothing behind it that would hold it.
 *
 * Which layers leave in a step follows from the times at which it begins and ends. So there are no
 * remainders to be kept, and a resumed run emits what the first one would have.
 */
#ifndef MO_SYSTEM_FLUID_EMIT_H
#define MO_SYSTEM_FLUID_EMIT_H

#include "base/warning.h"
#include "fluid/sph/fluid.h"
#include "host/system.h"

typedef struct mo_nozzle {
    const mo_emitter_def *def;
    int phase;
    int64_t count; /* particles of a layer */
    double *points;
    mo_vec3 direction;
    double speed, period; /* seconds from layer to layer */
} mo_nozzle;

typedef struct mo_emitters {
    mo_memory *memory;
    int count;
    mo_nozzle *nozzles;
    double spacing, hold; /* how far from the plane particles are still led */
    mo_column *nozzle;    /* 0: free, otherwise the nozzle's number + 1 */
    int64_t most;         /* particles there may be; 0: any number */
    int64_t held, held_capacity;
    int64_t *rows; /* that are led in this step, and where they began it */
    double *began;
    bool full; /* something could not leave in this step for want of room */
} mo_emitters;

/* Declares the column and lays out the nozzles. */
mote_status mo_emitters_create(mo_emitters *emitters, const mo_fluid_def *def, mo_store *store,
                               mo_memory *memory, mote_error *error);
void mo_emitters_release(mo_emitters *emitters);

/* How many particles come out until `end` in all. */
int64_t mo_emitters_count(const mo_emitters *emitters, double end);

/* Before and after the solver's step: particles that are still led go on as the nozzle sent
 * them. */
mote_status mo_emitters_begin(mo_emitters *emitters, const mo_system *system, mote_error *error);
void mo_emitters_lead(mo_emitters *emitters, mo_system *system, double h);

/* The layers that leave after `from` and not after `to`, where they are at `to`: points and
 * velocities of one layer after the other are handed to `add`. */
typedef mote_status mo_add_layer(void *context, int nozzle, int64_t count, const double *points,
                                 mo_vec3 shift, mo_vec3 velocity, mote_error *error);
mote_status mo_emitters_emit(mo_emitters *emitters, double from, double to, int64_t rows,
                             mo_add_layer *add, void *context, mote_error *error);

#endif
