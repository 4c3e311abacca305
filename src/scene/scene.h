/* The internals of a scene: its JSON and origin. */
#ifndef MO_SCENE_SCENE_H
#define MO_SCENE_SCENE_H

#include "base/memory.h"
#include "mote/scene.h"
#include "scene/root.h"

#include <jansson.h>

struct mote_scene {
    json_t *root;
    char *file;      /* as it was given, for messages */
    char *directory; /* base directory of relative paths */
    char *name;
};

/* A scene from text with the name `file`, which need not exist. */
mote_status mo_scene_parse_as(const char *text, const char *file, mote_scene **scene,
                              mote_error *error);

/* Appended to jansson's messages: the allowed input, in parentheses. */
const char *mo_scene_json_allowed(const json_error_t *problem);

/* Reads and checks everything into `def`; its lists are in the arena. */
mote_status mo_scene_read(const mote_scene *scene, mo_arena *arena, mo_scene_def *def,
                          mote_error *error);

/* Writes the scene, with changes by --set and absolute file paths. */
mote_status mo_scene_save(const mote_scene *scene, const char *path, mote_error *error);

#endif
