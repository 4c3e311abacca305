/*
 * The root table of a scene: every top-level key, and the struct they are read into.
 */
#ifndef MO_SCENE_ROOT_H
#define MO_SCENE_ROOT_H

#include "draw/view_def.h"
#include "host/def.h"
#include "io/output/output.h"

typedef struct mo_scene_def {
    mo_world_def world;
    mo_output_def output;
    mo_view_def view;
} mo_scene_def;

extern const mo_section mo_scene_section;

#endif
