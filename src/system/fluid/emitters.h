/*
 * Emitters: inflow, one layer of particles at a time.
 *
 * A nozzle is a lattice of points in a plane, or a set of samples of a surface with directions.
 * Layer n is emitted at start + n spacing/speed and placed at the distance it has travelled by the
 * end of the step: so layers are a spacing apart for any step, at the rest density. The flow rate
 * is exactly area times speed: distances in the layer and between layers follow from the area.
 * Within a support radius of the nozzle a particle has prescribed motion (its index is in the
 * column `nozzle`), since its neighbourhood is incomplete.
 *
 * The layers emitted in a step follow from its start and end times. So there is no state, and a
 * resumed run emits the same.
 */
#ifndef MO_SYSTEM_FLUID_EMITTERS_H
#define MO_SYSTEM_FLUID_EMITTERS_H

#include "base/warning.h"
#include "collide/collider.h"
#include "fluid/sph/fluid.h"
#include "host/system.h"

/* Lattice points represent an opening if they cover between 1/1.5 and 1.5 of it. */
#define MO_EMITTER_FAIR 1.5

typedef struct mo_nozzle {
    const mo_emitter_def *def;
    int phase;
    int64_t count; /* particles of a layer */
    double *points;
    mo_vec3 direction;           /* of all particles, unless */
    double *directions;          /* of each point of a surface */
    const mo_collider *collider; /* the nozzle moves with it; may be NULL */
    mo_method surface;           /* whose distance ends the prescribed motion */
    double area;                 /* of the opening or the surface */
    double coverage;             /* of the opening by lattice cells, whose distances it changes */
    double speed, period;        /* seconds between layers */
    double *x, *v;               /* positions and velocities of one layer */
} mo_nozzle;

typedef struct mo_emitters {
    mo_memory *memory;
    int count;
    mo_nozzle *nozzles;
    double spacing,
        prescribed_length; /* distance from the plane within which motion is prescribed */
    mo_column *nozzle;     /* 0: free, otherwise the nozzle's index + 1 */
    int64_t most;          /* maximum number of particles; 0: no limit */
    int64_t prescribed, prescribed_capacity;
    int64_t *rows; /* particles with prescribed motion in this step, and their initial positions */
    double *began; /* position and velocity */
    bool full;     /* emission paused in this step at the maximum number */
} mo_emitters;

/* Declares the column and lays out the nozzles. */
mote_status mo_emitters_create(mo_emitters *emitters, const mo_fluid_def *def,
                               const mo_colliders *colliders, mo_store *store, mo_memory *memory,
                               mote_error *error);
void mo_emitters_release(mo_emitters *emitters);

/* The area of an opening without a region; a length in two dimensions. */
double mo_emitter_opening(const mo_emitter_def *emitter, int dimension);

/* Total number of particles emitted until `end`. */
int64_t mo_emitters_count(const mo_emitters *emitters, double end);

/* Before and after the solver's step: applies the prescribed motion of particles near nozzles. */
mote_status mo_emitters_begin(mo_emitters *emitters, const mo_system *system, mote_error *error);
void mo_emitters_lead(mo_emitters *emitters, mo_system *system, double end, double h);

/* Positions and velocities (x, v of the nozzle) at the time `to` of the layer emitted at `from`. */
void mo_nozzle_position_layer(mo_nozzle *nozzle, double from, double to);

/* ---- emission from a surface (nozzle_surface.c) ---- */

/* Samples the surface of the nozzle's emitter. */
mote_status mo_nozzle_sample_surface(mo_nozzle *nozzle, const mo_fluid_def *def,
                                     const mo_colliders *colliders, mo_memory *memory,
                                     mote_error *error);
void mo_nozzle_position_surface(mo_nozzle *nozzle, double from, double to);

/* The distance of a point from the nozzle's surface at a time, positive on the emitting side. */
double mo_nozzle_distance(const mo_nozzle *nozzle, mo_vec3 x, double time);

/* The layers emitted after `from` up to `to` are passed to `add` one by one; positions and
 * velocities at `to` are in the nozzle. */
typedef mote_status mo_add_layer(void *context, int nozzle, mote_error *error);
mote_status mo_emitters_emit(mo_emitters *emitters, double from, double to, int64_t rows,
                             mo_add_layer *add, void *context, mote_error *error);

#endif
