/* From a scene's view block to a camera and a look. */
#ifndef MO_VIEW_SHOW_SCENE_LOOK_H
#define MO_VIEW_SHOW_SCENE_LOOK_H

#include "scene/root.h"
#include "view/picture/camera.h"
#include "view/picture/look.h"
#include "view/picture/picture.h"

/* The box that has to be in the picture; empty if low.x > high.x. */
typedef struct mo_extent {
    mo_vec3 low, high;
} mo_extent;

mo_extent mo_extent_none(void);

/* Makes room for a picture. A floor that is not far below counts, so that things do not hang in the
 * air. */
void mo_extent_add(mo_extent *extent, const mo_picture *picture);

/* The scene's camera at a time, or one from which the extent is seen. */
mo_camera mo_scene_camera(const mo_scene_def *def, const mo_extent *extent, double aspect,
                          double time);

/* `table` gets the colours of the map; the range of the colours is left to the caller. */
mo_look mo_scene_look(const mo_view_def *view, uint8_t table[3 * 256]);

/* Another style of particles (with the night behind points of light), another field. */
void mo_look_set_style(mo_look *look, const mo_view_def *view, const char *style);
void mo_look_set_field(mo_look *look, const char *field);

/* Fills the look's table with another map. */
void mo_look_set_map(const char *name, uint8_t table[3 * 256]);

/* Whether writing on this picture has to be bright. */
bool mo_look_is_dark(const mo_look *look);

#endif
