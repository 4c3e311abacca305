/*
 * A studio combines a show, its picture maker, the look and the renderer, for `mote render` and the
 * window: create the picture of the current moment, draw it, read it.
 */
#ifndef MO_VIEW_STUDIO_H
#define MO_VIEW_STUDIO_H

#include "view/gl/gl_context.h"
#include "view/renderer/renderer.h"
#include "view/show/annotate.h"
#include "view/show/scene_look.h"
#include "view/show/show.h"
#include "view/show/world_picture.h"

typedef struct mo_studio {
    mo_show *show;
    mo_picture_maker maker;
    mo_picture_wish wish;
    const char *map; /* the name of the colour map */
    uint8_t table[3 * 256];
    mo_look look;
    mo_camera camera;
    mo_extent extent;
    double low, high;         /* the colour range; low > high: not known yet */
    bool low_free, high_free; /* determined from the data */
    bool legend;
    bool has_shown_values; /* a picture of the first pass has values */
} mo_studio;

/* Opens the show and creates the first picture, without OpenGL. A studio must not be moved in
 * memory. */
mote_status mo_studio_open(const mote_scene *scene, const char *results, const mote_config *config,
                           mo_studio *studio, mote_error *error);
void mo_studio_close(mo_studio *studio);

/* The picture of the current moment. */
mote_status mo_studio_picture(mo_studio *studio, mote_error *error);

/* Extends the colour range and the extent to the current picture, unless they are prescribed. */
void mo_studio_survey(mo_studio *studio);
/* Resets the range, unless it is prescribed. */
void mo_studio_reset_range(mo_studio *studio);
/* Sets the camera. */
void mo_studio_aim(mo_studio *studio, int width, int height);

/* Draws the current picture. */
mote_status mo_studio_draw(mo_studio *studio, mo_renderer *renderer, int width, int height,
                           mote_error *error);

/* Whether any drawn primitive has a colour of the map. */
bool mo_studio_is_colored(const mo_studio *studio);
/* The width of the strip beside the scene required by the legend; 0: none. */
mote_status mo_studio_margin(const mo_studio *studio, int width, int height, int *margin,
                             mote_error *error);
/* Draws legend and time onto an image, in a strip of this width at the right (0: over the
 * scene). */
mote_status mo_studio_annotate(const mo_studio *studio, int margin, mo_image *image,
                               mote_error *error);

#endif
