#include "view/gl/target.h"

#include "view/gl/gl_context.h"
#include "view/gl/shader.h"

int mo_target_largest(void)
{
    GLint texture = 0, buffer = 0, viewport[2] = {0};
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &texture);
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &buffer);
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
    GLint view = viewport[0] < viewport[1] ? viewport[0] : viewport[1];
    GLint least = texture < buffer ? texture : buffer;
    return least < view ? least : view;
}

static mote_status check_complete(const char *what, int width, int height, mote_error *error)
{
    GLenum state = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    if (state != GL_FRAMEBUFFER_COMPLETE) {
        return mo_fail(error, MOTE_ERROR_IO,
                       "rendering: the driver cannot draw into %s of %d x %d (state 0x%04x)", what,
                       width, height, state);
    }
    return mo_gl_check(what, error);
}

static void set_filter(GLint filter)
{
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

/* The largest supported number of samples up to the requested one; 1: no multisampling. */
static int possible_samples(int wanted)
{
    GLint most = 0;
    glGetInternalformativ(GL_RENDERBUFFER, GL_SRGB8_ALPHA8, GL_SAMPLES, 1, &most);
    int samples = wanted < most ? wanted : most;
    return samples > 1 ? samples : 1;
}

static void make_buffers(mo_target *t)
{
    int samples = t->samples > 1 ? t->samples : 0;
    glGenFramebuffers(1, &t->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, t->framebuffer);
    glGenRenderbuffers(1, &t->color_buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, t->color_buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_SRGB8_ALPHA8, t->width,
                                     t->height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              t->color_buffer);
    glGenRenderbuffers(1, &t->depth_buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, t->depth_buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, t->width,
                                     t->height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                              t->depth_buffer);
}

static void make_resolved(mo_target *t)
{
    glActiveTexture(GL_TEXTURE0 + MO_UNIT_IMAGE);
    glGenTextures(1, &t->texture);
    glBindTexture(GL_TEXTURE_2D, t->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, t->width, t->height, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, NULL);
    set_filter(GL_LINEAR);
    glGenFramebuffers(1, &t->resolved);
    glBindFramebuffer(GL_FRAMEBUFFER, t->resolved);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t->texture, 0);
    glGenRenderbuffers(1, &t->resolved_depth);
    glBindRenderbuffer(GL_RENDERBUFFER, t->resolved_depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, t->width, t->height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                              t->resolved_depth);
}

mote_status mo_target_resize(mo_target *target, int width, int height, int samples,
                             mote_error *error)
{
    int largest = mo_target_largest();
    if (width < 1 || height < 1 || width > largest || height > largest) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "rendering: an image of %d x %d pixels; allowed: 1 to %d along each axis",
                       width, height, largest);
    }
    samples = possible_samples(samples);
    if (target->width == width && target->height == height && target->samples == samples) {
        return MOTE_OK;
    }
    mo_target_release(target);
    *target = (mo_target){.width = width, .height = height, .samples = samples};
    make_buffers(target);
    mote_status status = check_complete("a picture", width, height, error);
    if (status == MOTE_OK) {
        make_resolved(target);
        status = check_complete("a resolved framebuffer", width, height, error);
    }
    if (status != MOTE_OK) {
        mo_target_release(target);
    }
    return status;
}

void mo_target_release(mo_target *target)
{
    glDeleteFramebuffers(1, &target->framebuffer);
    glDeleteFramebuffers(1, &target->resolved);
    glDeleteRenderbuffers(1, &target->color_buffer);
    glDeleteRenderbuffers(1, &target->depth_buffer);
    glDeleteRenderbuffers(1, &target->resolved_depth);
    glDeleteTextures(1, &target->texture);
    *target = (mo_target){0};
}

void mo_target_bind(const mo_target *target)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glViewport(0, 0, target->width, target->height);
}

void mo_target_resolve(const mo_target *target)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->resolved);
    glBlitFramebuffer(0, 0, target->width, target->height, 0, 0, target->width, target->height,
                      GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, target->resolved);
    glViewport(0, 0, target->width, target->height);
}

/* OpenGL's rows start at the bottom. */
static void flip(mo_image *image)
{
    size_t line = 4 * (size_t)image->width;
    for (int y = 0; y < image->height / 2; ++y) {
        uint8_t *a = image->pixels + line * (size_t)y,
                *b = image->pixels + line * (size_t)(image->height - 1 - y);
        for (size_t k = 0; k < line; ++k) {
            uint8_t kept = a[k];
            a[k] = b[k];
            b[k] = kept;
        }
    }
}

mote_status mo_target_read(const mo_target *target, mo_image *image, mote_error *error)
{
    if (image->width != target->width || image->height != target->height) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "rendering: the image is %d x %d, the framebuffer is %d x %d", image->width,
                       image->height, target->width, target->height);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, target->resolved);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, target->width, target->height, GL_RGBA, GL_UNSIGNED_BYTE, image->pixels);
    flip(image);
    return mo_gl_check("reading pixels", error);
}

mote_status mo_texture_target(GLuint *framebuffer, GLuint *texture, int width, int height,
                              bool depth, mote_error *error)
{
    glActiveTexture(GL_TEXTURE0 + MO_UNIT_IMAGE);
    glGenTextures(1, texture);
    glBindTexture(GL_TEXTURE_2D, *texture);
    if (depth) {
        glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, width, height, 0, GL_DEPTH_COMPONENT,
                     GL_UNSIGNED_INT, NULL);
    } else {
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    }
    set_filter(GL_NEAREST);
    glGenFramebuffers(1, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, depth ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0,
                           GL_TEXTURE_2D, *texture, 0);
    return check_complete(depth ? "a depth map" : "a map", width, height, error);
}
