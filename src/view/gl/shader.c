#include "view/gl/shader.h"

#include <math.h>

enum { PIECES_MAX = 16 };

static const char *const SAMPLERS[MO_UNITS] = {
    "positions", "turns",   "values", "normals", "indices",      "map",    "shadow_map", "depth",
    "occlusion", "deepest", "image",  "medium",  "medium_light", "behind", "thickness"};

static const char HEAD[] = "#version 300 es\n"
                           "precision highp float;\n"
                           "precision highp int;\n"
                           "precision highp sampler2D;\n"
                           "precision highp isampler2D;\n"
                           "precision highp sampler3D;\n"
                           "precision highp sampler2DShadow;\n";

static mote_status compile(GLuint shader, const char *name, const char *kind,
                           const char *const *pieces, mote_error *error)
{
    const char *all[PIECES_MAX] = {HEAD};
    GLsizei count = 1;
    for (; *pieces && count < PIECES_MAX; ++pieces) {
        all[count++] = *pieces;
    }
    GLint compiled = 0;
    glShaderSource(shader, count, all, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (!compiled) {
        char log[1024] = "";
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        return mo_fail(error, MOTE_ERROR_IO, "rendering: the %s shader '%s' does not compile:\n%s",
                       kind, name, log);
    }
    return MOTE_OK;
}

static mote_status link_program(GLuint program, const char *name, mote_error *error)
{
    GLint linked = 0;
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked) {
        char log[1024] = "";
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        return mo_fail(error, MOTE_ERROR_IO, "rendering: the shader '%s' does not link:\n%s", name,
                       log);
    }
    GLuint frame = glGetUniformBlockIndex(program, "Frame");
    if (frame != GL_INVALID_INDEX) {
        glUniformBlockBinding(program, frame, 0);
    }
    glUseProgram(program);
    for (int unit = 0; unit < MO_UNITS; ++unit) {
        mo_uniform_int(program, SAMPLERS[unit], unit);
    }
    return MOTE_OK;
}

mote_status mo_program_build(GLuint *program, const char *name, const char *const *vertex,
                             const char *const *fragment, mote_error *error)
{
    GLuint vertex_shader = glCreateShader(GL_VERTEX_SHADER),
           fragment_shader = glCreateShader(GL_FRAGMENT_SHADER);
    *program = glCreateProgram();
    mote_status status = compile(vertex_shader, name, "vertex", vertex, error);
    if (status == MOTE_OK) {
        status = compile(fragment_shader, name, "fragment", fragment, error);
    }
    if (status == MOTE_OK) {
        glAttachShader(*program, vertex_shader);
        glAttachShader(*program, fragment_shader);
        status = link_program(*program, name, error);
    }
    glDeleteShader(vertex_shader);
    glDeleteShader(fragment_shader);
    if (status != MOTE_OK) {
        glDeleteProgram(*program);
        *program = 0;
    }
    return status;
}

void mo_uniform_int(GLuint program, const char *name, int value)
{
    glUniform1i(glGetUniformLocation(program, name), value);
}

void mo_uniform_float(GLuint program, const char *name, double value)
{
    glUniform1f(glGetUniformLocation(program, name), (float)value);
}

float mo_uniform_linear(float encoded)
{
    return encoded <= 0.04045f ? encoded / 12.92f : powf((encoded + 0.055f) / 1.055f, 2.4f);
}

void mo_uniform_color(GLuint program, const char *name, const float color[3], double fourth)
{
    glUniform4f(glGetUniformLocation(program, name), mo_uniform_linear(color[0]),
                mo_uniform_linear(color[1]), mo_uniform_linear(color[2]), (float)fourth);
}
