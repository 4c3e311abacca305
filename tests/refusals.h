/* Scenes that are refused. */
#ifndef TEST_REFUSALS_H
#define TEST_REFUSALS_H

#include "worlds.h"

/* Reading a scene or building its world fails as bad input, with a message that has this part. */
static inline void need_refusal(const char *text, const char *part)
{
    mote_scene *scene = NULL;
    mote_world *world = NULL;
    mote_error error = {0};
    mote_status status = mote_scene_parse(text, &scene, &error);
    status = status == MOTE_OK ? mote_world_create(scene, NULL, &world, &error) : status;
    assert_int_equal(status, MOTE_ERROR_INPUT);
    assert_says(error.text, part);
    mote_scene_destroy(scene);
}

#endif
