/*
 * The renderer: draws a picture with a camera and a look.
 *
 * The target is an offscreen framebuffer of any size in the current OpenGL ES 3.0 context
 * (gl_context.h creates one without a window); its pixels are read into a mo_image or presented in
 * a window.
 *
 *   mo_gl_context_create(&context, error);
 *   mo_renderer_create(&renderer, error);
 *   mo_renderer_draw(renderer, &picture, &camera, &look, 1280, 720, error);
 *   mo_renderer_read(renderer, &image, error);
 *
 * All data is in textures, fetched by gl_VertexID in vertex shaders; particles, lines and triangles
 * share one copy of the positions, and there are no vertex buffers. Positions are floats relative
 * to the centre of the picture (subtracted in double), so that scenes far from the origin keep
 * their precision. Passes: shadow map (shadow.c), depth buffer and ambient occlusion (occlusion.c),
 * opaque colours, multisampled (particles.c, lines.c, mesh.c, solids.c), transparent surfaces
 * (peel.c). Lighting is linear; the framebuffer converts to sRGB.
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
/* Requires the context of its creation to be current. NULL is allowed. */
void mo_renderer_destroy(mo_renderer *renderer);

/* Draws into the renderer's target. */
mote_status mo_renderer_draw(mo_renderer *renderer, const mo_picture *picture,
                             const mo_camera *camera, const mo_look *look, int width, int height,
                             mote_error *error);

/* Blends an image over the target, its upper left corner at (left, top), in pixels from the
 * upper left. */
mote_status mo_renderer_overlay(mo_renderer *renderer, const mo_image *image, int left, int top,
                                mote_error *error);

/* Reads the target. image->pixels is the caller's, 4 * width * height bytes, and image->width
 * and image->height must be those of the draw. Opacity is 255 everywhere. */
mote_status mo_renderer_read(mo_renderer *renderer, mo_image *image, mote_error *error);

/* Copies the target to a framebuffer of the current context (0: the window), scaled to width x
 * height. */
mote_status mo_renderer_present(mo_renderer *renderer, unsigned framebuffer, int width, int height,
                                mote_error *error);

/* The largest width and height supported by this context. */
int mo_renderer_largest(const mo_renderer *renderer);

#endif
