/*
 * An OpenGL ES 3.0 context without a window or a display, through EGL: Mesa's surfaceless platform
 * where there is one, otherwise a 1 x 1 pbuffer on the default display. A software driver
 * (llvmpipe) is enough.
 *
 * A window has its own context; the renderer uses the current one of the calling thread, which must
 * be OpenGL ES 3.0 or later.
 */
#ifndef MO_VIEW_GL_GL_CONTEXT_H
#define MO_VIEW_GL_GL_CONTEXT_H

#include "base/error.h"

typedef struct mo_gl_context mo_gl_context;

/* Creates a context and makes it current. */
mote_status mo_gl_context_create(mo_gl_context **context, mote_error *error);
void mo_gl_context_destroy(mo_gl_context *context);

/* Makes it current in this thread again. */
void mo_gl_context_use(mo_gl_context *context);

/* An error if there is no current context or it is insufficient. */
mote_status mo_gl_check_current(mote_error *error);

/* A description of the driver of the current context: "llvmpipe (...), OpenGL ES 3.2 Mesa
 * 22.3.6". */
void mo_gl_describe(char *text, size_t size);

/* Converts a pending OpenGL error to an error; `where` names the caller. */
mote_status mo_gl_check(const char *where, mote_error *error);

#endif
