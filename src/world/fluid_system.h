/*
 * The fluid as a system of the world: its rows, walls from the world's colliders, a step by the scene's pressure solver.
 *
 * Rows are resorted along the Morton curve at the start of every 64th step, since pair loops wait for the cache otherwise. All
 * phases are one body, "fluid", with a column `phase`: particles that come later are appended.
 *
 * Walls that have samples are felt by pressure; contacts (world/contact.h) are then a net that catches what was too fast for
 * it, at the surface of the collider and not a radius before. What it catches is counted and reported.
 */
#ifndef MO_WORLD_FLUID_SYSTEM_H
#define MO_WORLD_FLUID_SYSTEM_H

#include "fluid/fluid.h"
#include "fluid/pressure/pressure.h"
#include "world/def.h"
#include "world/system.h"

typedef struct mo_fluid_system {
    mo_system *system;
    mo_fluid fluid;
    const mo_pressure_type *pressure;
    void *solver; /* what it keeps */
    mo_fluid_stages stage;
} mo_fluid_system;

extern const mo_system_type mo_fluid_system_type;

mote_status mo_fluid_create(const mo_world_def *def, mo_memory *memory, mo_pool *pool, mo_stages *stages,
                            mo_system *system, mote_error *error);

void mo_fluid_system_release(mo_system *system);

#endif
