/* Worlds of particles for tests: made from a scene's text, looked at through columns. */
#ifndef TEST_PARTICLES_H
#define TEST_PARTICLES_H

#include "test.h"

#include "unit/numbers.h"

#include <mote/mote.h>
#include <stdio.h>
#include <string.h>

static inline mote_world *world_of(const char *text, int threads)
{
    mote_scene *scene;
    mote_world *world;
    mote_error error = {0};
    mote_config config = mote_config_default();
    config.threads = threads;
    if (mote_scene_parse(text, &scene, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
    if (mote_world_create(scene, &config, &world, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
    mote_scene_destroy(scene);
    return world;
}

static inline double *numbers_of(const mote_world *world, const char *name)
{
    mote_column column;
    if (!mote_world_column_find(world, 0, name, &column)) {
        fail_msg("no column '%s'", name);
    }
    return column.data;
}

static inline void step_by(mote_world *world, int steps)
{
    mote_error error = {0};
    for (int k = 0; k < steps; ++k) {
        if (mote_world_step(world, NULL, &error) != MOTE_OK) {
            fail_msg("%s", error.text);
        }
    }
}

static inline mote_measures measures_of(mote_world *world)
{
    mote_measures measures;
    mote_error error = {0};
    if (mote_world_measure(world, &measures, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
    return measures;
}

#endif
