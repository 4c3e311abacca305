/*
 * Row data on the graphics card: a texture of floats or integers, 4096 rows per line, read by row
 * index in vertex shaders. It grows and never shrinks.
 */
#ifndef MO_VIEW_GL_ROWS_H
#define MO_VIEW_GL_ROWS_H

#include "base/memory.h"
#include "view/gl/shader.h"

enum { MO_ROWS_SHIFT = 12, MO_ROWS_LINE = 1 << MO_ROWS_SHIFT };

typedef struct mo_rows {
    GLuint texture;
    int64_t lines;  /* allocated */
    int components; /* 1 or 4 */
    bool integers;
} mo_rows;

/* `data` has space for complete lines: mo_rows_padded(count) rows. */
mote_status mo_rows_upload(mo_rows *rows, const void *data, int64_t count, int components,
                           bool integers, const char *what, mote_error *error);
void mo_rows_bind(const mo_rows *rows, mo_texture_unit unit);
void mo_rows_release(mo_rows *rows);

static inline int64_t mo_rows_padded(int64_t count)
{
    return ((count + MO_ROWS_LINE - 1) >> MO_ROWS_SHIFT) << MO_ROWS_SHIFT;
}

#endif
