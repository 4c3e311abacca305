/*
 * External forces on the rows of a system that is not advanced by an integrator of forces: gravity,
 * the forces of the scene, loads, forces attached by couplings, and callbacks.
 *
 * Forces of the scene that act between particles (a range above 0) belong to bodies driven by
 * forces and are left out. A fluid creates its forces itself (system/fluid/forces.h): it accepts
 * fewer, and gravity is part of its pressure solve.
 */
#ifndef MO_HOST_EXTERNAL_FORCES_H
#define MO_HOST_EXTERNAL_FORCES_H

#include "host/system.h"

/* A system that receives the forces of a scene. */
typedef struct mo_force_receiver {
    const mo_system *system;
    void *context;
    /* Whether a force acts on the system; otherwise it warns, or fails. NULL: all do. */
    mote_status (*accept)(void *context, mo_method force, const char *path, bool *accepted,
                          mote_error *error);
    /* Takes a created force, which it owns; on failure it does not. */
    mote_status (*add)(void *context, mo_force *force, const char *path, mote_error *error);
} mo_force_receiver;

/* included[k] = 1 for each body k of a system that is in a list of references to bodies, 0 for its
 * others; returns how many. */
int64_t mo_force_scope_bodies(const mo_world_def *def, const mo_system_type *type,
                              const mo_list *scope, uint8_t *included);

/* Creates the forces of a scene for a system, in their order, the gravity field last. */
mote_status mo_scene_forces_create(const mo_world_def *def, const mo_force_context *context,
                                   const mo_force_receiver *receiver, mote_error *error);

/* Appends a force to an array that grows. */
mote_status mo_force_append(mo_memory *memory, mo_force **list, int *count, int64_t *capacity,
                            const mo_force *force, mote_error *error);

typedef struct mo_external_forces {
    mo_system *system;
    int64_t count, capacity, f_capacity;
    mo_force *list;
    double *f;       /* three components per row: of the last sum, or bounds of derivatives */
    bool weightless; /* the sum excludes m g */
    bool plane;      /* z = 0, where reactions balance forces along z */
} mo_external_forces;

/* The forces of a scene on a system whose bodies are complete. */
mote_status mo_external_forces_create(mo_external_forces *forces, mo_system *system,
                                      const mo_world_def *def, mote_error *error);
void mo_external_forces_release(mo_external_forces *forces);

/* Adds a force, which is owned afterwards; on failure it is not. */
mote_status mo_external_forces_add(mo_external_forces *forces, const mo_force *force,
                                   mote_error *error);

/* The arguments of forces at the current x and v; memory for f of all rows. */
mo_force_args mo_external_forces_arguments(const mo_external_forces *forces, double time);
mote_status mo_external_forces_reserve(mo_external_forces *forces, mote_error *error);

/* f = m g + the sum of all forces at the current x and v. */
mote_status mo_external_forces_sum(mo_external_forces *forces, double time, mote_error *error);

/* The internal variables of forces after a step of h. */
mote_status mo_external_forces_advance(mo_external_forces *forces, double time, double h,
                                       mote_error *error);

/* Adds the potential energies of all but gravity. */
mote_status mo_external_forces_measure(mo_external_forces *forces, double time,
                                       mote_measures *measures, mote_error *error);

/* Whether they do unmeasured work. */
bool mo_external_forces_open(const mo_external_forces *forces);

/* Editing rows, as for a force (integrate/force.h). */
mote_status mo_external_forces_begin(mo_external_forces *forces, int64_t first, mote_error *error);
mote_status mo_external_forces_remap(mo_external_forces *forces, const int64_t *map, int64_t rows,
                                     mote_error *error);
void mo_external_forces_settle(mo_external_forces *forces, const int64_t *map);

#endif
