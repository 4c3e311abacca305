/*
 * Keys of a scene that belong to another system.
 */
#ifndef MO_SCENE_MISPLACED_H
#define MO_SCENE_MISPLACED_H

#include "host/def.h"

#include <jansson.h>

/* Rejects keys of one system in a body of another, and top-level keys of a system without bodies
 * or fluid: they would have no effect. */
mote_status mo_scene_check_misplaced(const json_t *root, const mo_world_def *def,
                                     mote_error *error);

#endif
