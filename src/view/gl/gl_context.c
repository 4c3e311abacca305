#include "view/gl/gl_context.h"

#include "base/memory.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mo_gl_context {
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface; /* EGL_NO_SURFACE on the surfaceless platform */
};

/* epoxy aborts the process if a library is missing, so test first; it stays loaded, since
 * unloading leaks memory */
static mote_status check_library(const char *name, const char *package, mote_error *error)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
        return mo_fail(error, MOTE_ERROR_IO,
                       "rendering: %s is missing; Debian has it in %s (scripts/install.sh view)",
                       name, package);
    }
    dlclose(library);
    return MOTE_OK;
}

static EGLDisplay surfaceless_display(void)
{
    const char *extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (!extensions || !strstr(extensions, "EGL_MESA_platform_surfaceless") ||
        !strstr(extensions, "EGL_EXT_platform_base")) {
        return EGL_NO_DISPLAY;
    }
    return eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
}

/* Opens a display and makes a context current on it; on failure `why` is the reason. */
static bool open_on(mo_gl_context *c, EGLDisplay display, bool surfaceless, const char **why)
{
    const EGLint config_wanted[] = {EGL_SURFACE_TYPE, surfaceless ? 0 : EGL_PBUFFER_BIT,
                                    EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    const EGLint context_wanted[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
    const EGLint surface_wanted[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    EGLConfig config = NULL;
    EGLint count = 0;
    *c = (mo_gl_context){display, EGL_NO_CONTEXT, EGL_NO_SURFACE};
    *why = "it cannot be opened";
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) {
        return false;
    }
    *why = "it has no configuration for OpenGL ES 3";
    if (eglBindAPI(EGL_OPENGL_ES_API) &&
        eglChooseConfig(display, config_wanted, &config, 1, &count) && count > 0) {
        c->context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_wanted);
        *why = "it makes no OpenGL ES 3 context";
        if (!surfaceless) {
            c->surface = eglCreatePbufferSurface(display, config, surface_wanted);
        }
    }
    if (c->context != EGL_NO_CONTEXT &&
        eglMakeCurrent(display, c->surface, c->surface, c->context)) {
        return true;
    }
    if (c->context != EGL_NO_CONTEXT) {
        eglDestroyContext(display, c->context);
    }
    return false;
}

mote_status mo_gl_context_create(mo_gl_context **context, mote_error *error)
{
    *context = NULL;
    MO_TRY(check_library("libEGL.so.1", "libegl1", error));
    MO_TRY(check_library("libGLESv2.so.2", "libgles2", error));
    mo_gl_context *c = mo_heap_allocate(1, sizeof *c);
    if (!c) {
        return mo_fail_memory(error, sizeof *c);
    }
    const char *why_surfaceless, *why_default;
    if (!open_on(c, surfaceless_display(), true, &why_surfaceless) &&
        !open_on(c, eglGetDisplay(EGL_DEFAULT_DISPLAY), false, &why_default)) {
        mo_heap_release(c);
        return mo_fail(
            error, MOTE_ERROR_IO,
            "rendering: no OpenGL ES 3.0 here: on EGL's surfaceless display, %s; on its default display, "
            "%s; Mesa's software driver is enough (Debian: libgl1-mesa-dri, scripts/install.sh view)",
            why_surfaceless, why_default);
    }
    *context = c;
    mote_status status = mo_gl_check_current(error);
    if (status != MOTE_OK) {
        mo_gl_context_destroy(c);
        *context = NULL;
    }
    return status;
}

void mo_gl_context_destroy(mo_gl_context *context)
{
    if (!context) {
        return;
    }
    eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(context->display, context->context);
    if (context->surface != EGL_NO_SURFACE) {
        eglDestroySurface(context->display, context->surface);
    }
    /* the display stays open: it is shared by all contexts of the process, and terminating it
     * would invalidate them */
    mo_heap_release(context);
}

void mo_gl_context_use(mo_gl_context *context)
{
    eglMakeCurrent(context->display, context->surface, context->surface, context->context);
}

mote_status mo_gl_check_current(mote_error *error)
{
    /* query EGL first: without a context, epoxy would abort */
    if (eglGetCurrentContext() == EGL_NO_CONTEXT) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "rendering: no EGL context is current in this thread");
    }
    if (epoxy_is_desktop_gl() || epoxy_gl_version() < 30) {
        return mo_fail(error, MOTE_ERROR_IO,
                       "rendering: the current context is %s; needed: OpenGL ES 3.0 or later",
                       (const char *)glGetString(GL_VERSION));
    }
    return MOTE_OK;
}

void mo_gl_describe(char *text, size_t size)
{
    snprintf(text, size, "%s, %s", (const char *)glGetString(GL_RENDERER),
             (const char *)glGetString(GL_VERSION));
}

mote_status mo_gl_check(const char *where, mote_error *error)
{
    GLenum code = glGetError();
    if (code == GL_NO_ERROR) {
        return MOTE_OK;
    }
    while (glGetError() != GL_NO_ERROR) {
    }
    if (code == GL_OUT_OF_MEMORY) {
        return mo_fail(error, MOTE_ERROR_MEMORY, "%s: the graphics driver is out of memory", where);
    }
    return mo_fail(error, MOTE_ERROR_USAGE, "%s: OpenGL error 0x%04x", where, code);
}
