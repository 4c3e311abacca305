/*
 * Camera and look from a scene's view block.
 */
#ifndef MO_VIEW_SHOW_SCENE_LOOK_H
#define MO_VIEW_SHOW_SCENE_LOOK_H

#include "scene/root.h"
#include "view/picture/camera.h"
#include "view/picture/look.h"
#include "view/picture/picture.h"

/* The box to be visible; empty if low.x > high.x. */
typedef struct mo_extent {
    mo_vec3 low, high;
} mo_extent;

mo_extent mo_extent_none(void);

/* Includes a picture. A floor that is not far below is included. */
void mo_extent_add(mo_extent *extent, const mo_picture *picture);

/* The scene's camera at a time, or one that shows the extent. */
mo_camera mo_scene_camera(const mo_scene_def *def, const mo_extent *extent, double aspect,
                          double time);

/* `table` receives the colours of the map; the colour range is set by the caller. */
mo_look mo_scene_look(const mo_view_def *view, uint8_t table[3 * 256]);

/* Sets another particle style (with a dark background for additive ones), another field. */
void mo_look_set_style(mo_look *look, const mo_view_def *view, const char *style);
void mo_look_set_field(mo_look *look, const char *field);

/* Fills the look's table with another map. */
void mo_look_set_map(const char *name, uint8_t table[3 * 256]);

/* Whether text on this picture must be bright. */
bool mo_look_is_dark(const mo_look *look);

#endif
