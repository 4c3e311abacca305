/* A studio opened on the text of a scene. */
#ifndef TEST_VIEW_OPENED_H
#define TEST_VIEW_OPENED_H

#include "test.h"

#include "scene/scene.h"
#include "view/studio.h"

#define TIME "\"time\": {\"end\": 1, \"step\": 0.01}"

static inline void open_text(const char *text, mo_studio *s, mote_scene **scene)
{
    mote_error error = {0};
    mote_config config = {.threads = 1};
    if (mote_scene_parse(text, scene, &error) != MOTE_OK ||
        mo_studio_open(*scene, NULL, &config, s, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
}

static inline void close_all(mo_studio *s, mote_scene *scene)
{
    mo_studio_close(s);
    mote_scene_destroy(scene);
}

#endif
