/*
 * Fixtures of fluids: the fluid system of a world, which is its first system.
 */
#ifndef TEST_FLUID_WORLDS_H
#define TEST_FLUID_WORLDS_H

#include "worlds.h"

#include "system/fluid/fluid.h"
#include "world/world.h"

static inline mo_fluid_system *fluid_system_of(mote_world *world)
{
    assert_string_equal(mote_world_system_name(world, 0), "fluid");
    return world->systems[0].state;
}

static inline mo_fluid *fluid_of(mote_world *world)
{
    return &fluid_system_of(world)->fluid;
}

#endif
