/*
 * The renderer: a picture, a camera and a look become pixels.
 *
 * Everything is drawn into a target of the renderer's own, of any size, with whichever OpenGL ES
 * 3.0 context is current (gl_context.h makes one without a window). From there pixels are read into
 * a mo_image, or presented in a window.
 *
 *     mo_gl_context_create(&context, error);
 *     mo_renderer_create(&renderer, error);
 *     mo_renderer_draw(renderer, &picture, &camera, &look, 1280, 720, error);
 *     mo_renderer_read(renderer, &image, error);
 *
 * How it works. All data goes into textures and vertex shaders fetch from them by gl_VertexID, so
 * that particles, lines and triangles share one copy of the positions and there are no vertex
 * buffers. Positions are floats relative to the middle of the picture (subtracted in doubles), so a
 * scene far from the origin keeps its precision. A frame is: a depth map from the light (shadow.c),
 * a depth map from the eye and from it the openness of every pixel to the sky (occlusion.c), then
 * the colours, multisampled, each thing in its own file (particles.c, lines.c, mesh.c, solids.c),
 * then what is see-through. Light is added up in linear numbers and stored as sRGB by the graphics
 * card.
 */
#ifndef MO_VIEW_RENDERER_RENDERER_H
#define MO_VIEW_RENDERER_RENDERER_H

#include "base/error.h"
#include "draw/image.h"
#include "view/picture/camera.h"
#include "view/picture/look.h"
#include "view/picture/picture.h"

typedef struct mo_renderer mo_renderer;

mote_status mo_renderer_create(mo_renderer **renderer, mote_error *error);
/* With the same context current as at its creation. NULL is fine. */
void mo_renderer_destroy(mo_renderer *renderer);

/* Draws into the renderer's own target. */
mote_status mo_renderer_draw(mo_renderer *renderer, const mo_picture *picture,
                             const mo_camera *camera, const mo_look *look, int width, int height,
                             mote_error *error);

/* Lays an image over what was drawn, its upper left corner at (left, top), in pixels from the upper
 * left. */
mote_status mo_renderer_overlay(mo_renderer *renderer, const mo_image *image, int left, int top,
                                mote_error *error);

/* Reads what was drawn. image->pixels is the caller's, 4 * width * height bytes, and image->width
 * and image->height must be those that were drawn. Opacity is 255 everywhere. */
mote_status mo_renderer_read(mo_renderer *renderer, mo_image *image, mote_error *error);

/* Copies what was drawn into a framebuffer of the current context (0: the window), scaled to width
 * x height. */
mote_status mo_renderer_present(mo_renderer *renderer, unsigned framebuffer, int width, int height,
                                mote_error *error);

/* The largest edge of a picture that this context can draw. */
int mo_renderer_largest(const mo_renderer *renderer);

#endif
