/* Keys of a scene that belong to a system which does not read them here. */
#ifndef MO_SCENE_MISPLACED_H
#define MO_SCENE_MISPLACED_H

#include "host/def.h"

#include <jansson.h>

/* Refuses keys of one system in a body that another system advances, and top-level keys of a system
   that the scene does not need: without effect they would be a silent mistake. */
mote_status mo_scene_check_misplaced(const json_t *root, const mo_world_def *def,
                                     mote_error *error);

#endif
