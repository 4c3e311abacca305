#include "view/gl/rows.h"

#include "view/gl/gl_context.h"

static void allocate(mo_rows *rows, int64_t lines)
{
    GLenum format = rows->integers ? GL_RED_INTEGER : rows->components == 4 ? GL_RGBA : GL_RED;
    GLenum inner = rows->integers ? GL_R32I : rows->components == 4 ? GL_RGBA32F : GL_R32F;
    if (!rows->texture) {
        glGenTextures(1, &rows->texture);
    }
    glBindTexture(GL_TEXTURE_2D, rows->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)inner, MO_ROWS_LINE, (GLsizei)lines, 0, format,
                 rows->integers ? GL_INT : GL_FLOAT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    rows->lines = lines;
}

mote_status mo_rows_upload(mo_rows *rows, const void *data, int64_t count, int components,
                           bool integers, const char *what, mote_error *error)
{
    GLint most = 0;
    int64_t lines = mo_rows_padded(count) >> MO_ROWS_SHIFT;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    if (lines > most || most < MO_ROWS_LINE) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "rendering: %lld %s exceed the limit of this graphics driver; allowed: "
                       "%lld",
                       (long long)count, what, (long long)most * MO_ROWS_LINE);
    }
    glActiveTexture(GL_TEXTURE0 + MO_UNIT_IMAGE);
    if (lines > rows->lines || components != rows->components || integers != rows->integers) {
        rows->components = components;
        rows->integers = integers;
        allocate(rows, lines + lines / 4 < most ? lines + lines / 4 : lines);
    }
    glBindTexture(GL_TEXTURE_2D, rows->texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, MO_ROWS_LINE, (GLsizei)lines,
                    integers          ? GL_RED_INTEGER
                    : components == 4 ? GL_RGBA
                                      : GL_RED,
                    integers ? GL_INT : GL_FLOAT, data);
    return mo_gl_check(what, error);
}

void mo_rows_bind(const mo_rows *rows, mo_texture_unit unit)
{
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, rows->texture);
}

void mo_rows_release(mo_rows *rows)
{
    glDeleteTextures(1, &rows->texture);
    *rows = (mo_rows){0};
}
