/*
 * An OpenGL ES 3.0 context without a window or a display, through EGL: Mesa's surfaceless platform
 * where there is one, otherwise a 1 x 1 pbuffer on the default display. A software driver
 * (llvmpipe) is enough.
 *
 * A window brings its own context; the renderer uses whichever is current in the calling thread. It
 * must be an OpenGL ES context of version 3.0 or later.
 */
#ifndef MO_VIEW_GL_GL_CONTEXT_H
#define MO_VIEW_GL_GL_CONTEXT_H

#include "base/error.h"

typedef struct mo_gl_context mo_gl_context;

/* Makes a context and makes it current. */
mote_status mo_gl_context_create(mo_gl_context **context, mote_error *error);
void mo_gl_context_destroy(mo_gl_context *context);

/* Makes it current in this thread again. */
void mo_gl_context_use(mo_gl_context *context);

/* Says what is wrong if the current context is not good enough, or if there is none. */
mote_status mo_gl_check_current(mote_error *error);

/* The driver of the current context in words: "llvmpipe (...), OpenGL ES 3.2 Mesa 22.3.6". */
void mo_gl_describe(char *text, size_t size);

/* Puts a pending OpenGL error into words; `where` says who asks. */
mote_status mo_gl_check(const char *where, mote_error *error);

#endif
