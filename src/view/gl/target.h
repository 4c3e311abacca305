/*
 * Render targets: an sRGB framebuffer with depth, multisampled if requested and supported, and the
 * single-sampled framebuffer it is resolved into.
 */
#ifndef MO_VIEW_GL_TARGET_H
#define MO_VIEW_GL_TARGET_H

#include "base/error.h"
#include "draw/image.h"

#include <epoxy/gl.h>

typedef struct mo_target {
    int width, height, samples; /* samples 1: no multisampling */
    GLuint framebuffer, color_buffer, depth_buffer;
    /* the resolved colours and depths as textures */
    GLuint resolved, texture, resolved_depth;
} mo_target;

/* Resizes the target if necessary. */
mote_status mo_target_resize(mo_target *target, int width, int height, int samples,
                             mote_error *error);
void mo_target_release(mo_target *target);

/* Binds it for drawing. */
void mo_target_bind(const mo_target *target);

/* Resolves into target->texture and its depth, and binds the framebuffer `resolved`. */
void mo_target_resolve(const mo_target *target);

mote_status mo_target_read(const mo_target *target, mo_image *image, mote_error *error);

/* The largest supported width and height. */
int mo_target_largest(void);

/* A framebuffer of a single texture: depth, or 8-bit colours. */
mote_status mo_texture_target(GLuint *framebuffer, GLuint *texture, int width, int height,
                              bool depth, mote_error *error);

#endif
