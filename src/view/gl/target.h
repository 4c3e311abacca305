/*
 * What is drawn into: an sRGB picture with depth, multisampled where asked and possible, and the
 * single-sampled picture that it is resolved into.
 */
#ifndef MO_VIEW_GL_TARGET_H
#define MO_VIEW_GL_TARGET_H

#include "base/error.h"
#include "draw/image.h"

#include <epoxy/gl.h>

typedef struct mo_target {
    int width, height, samples; /* samples 1: no multisampling */
    GLuint framebuffer, color_buffer, depth_buffer;
    /* the picture as a texture, and a depth of each pixel */
    GLuint resolved, texture, resolved_depth;
} mo_target;

/* Makes the target fit; does nothing if it fits already. */
mote_status mo_target_resize(mo_target *target, int width, int height, int samples,
                             mote_error *error);
void mo_target_release(mo_target *target);

/* Draw into it from now on. */
void mo_target_bind(const mo_target *target);

/* Makes target->texture and its depth up to date, and binds the framebuffer `resolved`. */
void mo_target_resolve(const mo_target *target);

mote_status mo_target_read(const mo_target *target, mo_image *image, mote_error *error);

/* The largest edge of a target. */
int mo_target_largest(void);

/* A framebuffer of a single texture: depth, or 8-bit colours. */
mote_status mo_texture_target(GLuint *framebuffer, GLuint *texture, int width, int height,
                              bool depth, mote_error *error);

#endif
