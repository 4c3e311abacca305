/*
 * A studio: a show, the maker of its pictures, the look and the renderer, put together. It is what
 * `mote render` and the window have in common: make a picture of the present moment, draw it, read
 * it.
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
    double low, high;         /* the range of the colours; low > high: not known yet */
    bool low_free, high_free; /* it comes from the data */
    bool legend;
    bool has_shown_values; /* some picture of the survey has values */
} mo_studio;

/* Opens the show and makes the first picture; no OpenGL yet. A studio stays where it is. */
mote_status mo_studio_open(const mote_scene *scene, const char *results, const mote_config *config,
                           mo_studio *studio, mote_error *error);
void mo_studio_close(mo_studio *studio);

/* The picture of the present moment. */
mote_status mo_studio_picture(mo_studio *studio, mote_error *error);

/* Widens the range of the colours and the extent to the present picture, as far as they are
 * free. */
void mo_studio_survey(mo_studio *studio);
/* Forgets the range, as far as it is free. */
void mo_studio_forget_range(mo_studio *studio);
/* Places the camera. */
void mo_studio_aim(mo_studio *studio, int width, int height);

/* Draws the present picture. */
mote_status mo_studio_draw(mo_studio *studio, mo_renderer *renderer, int width, int height,
                           mote_error *error);

/* Whether anything that is drawn has its colour from the map: axes have colours of their own. */
bool mo_studio_is_colored(const mo_studio *studio);
/* The width of the strip beside the scene that the legend needs; 0: none. */
mote_status mo_studio_margin(const mo_studio *studio, int width, int height, int *margin,
                             mote_error *error);
/* Writes legend and time onto an image, in a strip of this width at the right (0: over the
 * scene). */
mote_status mo_studio_annotate(const mo_studio *studio, int margin, mo_image *image,
                               mote_error *error);

#endif
