/*
 * mote/scene.h: a scene is a tree of named parameters, read from JSON and changed by path.
 *
 * One path form is used everywhere, in errors and in mote_scene_set: "time.step.size",
 * "colliders[2].friction". Reading checks syntax only; mote_scene_check (and mote_world_create)
 * check every key, type, range and name.
 */
#ifndef MOTE_SCENE_H
#define MOTE_SCENE_H

#include "mote/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mote_scene mote_scene;

/* An empty scene, a scene file, a scene text. Relative paths in a scene refer to its directory. */
mote_status mote_scene_create(mote_scene **scene, mote_error *error);
mote_status mote_scene_load(const char *path, mote_scene **scene, mote_error *error);
mote_status mote_scene_parse(const char *text, mote_scene **scene, mote_error *error);
void mote_scene_destroy(MOTE_OPTIONAL mote_scene *scene);

/* Sets one parameter. `value` is JSON ("0.5", "[0, 0, 1]", "{\"type\": \"rk4\"}"); text that is not
 * JSON is a string. Missing objects along the path are created; an index one past the end of a list
 * appends. */
mote_status mote_scene_set(mote_scene *scene, const char *path, const char *value,
                           mote_error *error);

/* Checks the whole scene as mote_world_create would, without building anything. */
mote_status mote_scene_check(const mote_scene *scene, mote_error *error);

/* The scene's name (its file name without the extension), its hash, and its JSON text (free with
 * mote_text_free). */
const char *mote_scene_name(const mote_scene *scene);
uint64_t mote_scene_hash(const mote_scene *scene);
char *mote_scene_text(const mote_scene *scene);

#ifdef __cplusplus
}
#endif
#endif
