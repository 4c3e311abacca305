/* The inside of a scene: its JSON, and where it came from. */
#ifndef MO_SCENE_SCENE_H
#define MO_SCENE_SCENE_H

#include "base/memory.h"
#include "mote/scene.h"
#include "scene/root.h"

#include <jansson.h>

struct mote_scene {
    json_t *root;
    char *file;      /* as it was given, for messages */
    char *directory; /* where relative files are looked up */
    char *name;
};

/* A scene from text that came from `file`, which need not be there. */
mote_status mo_scene_parse_as(const char *text, const char *file, mote_scene **scene,
                              mote_error *error);

/* Behind jansson's words about a fault: what is allowed, in brackets, where they do not say so. */
const char *mo_json_allowed(const json_error_t *problem);

/* Reads and checks everything into `def`; its lists live in the arena. */
mote_status mo_scene_read(const mote_scene *scene, mo_arena *arena, mo_scene_def *def,
                          mote_error *error);

/* Writes the scene as it is now, with what --set changed, so that it can be loaded from anywhere:
 * names of files are written out in full. */
mote_status mo_scene_save(const mote_scene *scene, const char *path, mote_error *error);

#endif
