/*
 * Shader programs, composed from fragments of GLSL ES 3.00.
 *
 * A source is a list of texts that ends with NULL; fragments shared by several programs (glsl.h)
 * precede its own. Samplers have fixed texture units by their names (enum mo_texture_unit), so that
 * textures are bound once and sampler uniforms are not set. The uniform block Frame (glsl.h) has
 * binding 0 everywhere.
 */
#ifndef MO_VIEW_GL_SHADER_H
#define MO_VIEW_GL_SHADER_H

#include "base/error.h"

#include <epoxy/gl.h>

/* The texture units, in the order of the samplers' names in shader.c. */
typedef enum mo_texture_unit {
    MO_UNIT_POSITIONS,
    MO_UNIT_TURNS,
    MO_UNIT_VALUES,
    MO_UNIT_NORMALS,
    MO_UNIT_INDICES,
    MO_UNIT_MAP,
    MO_UNIT_SHADOW,
    MO_UNIT_DEPTH,
    MO_UNIT_OCCLUSION,
    MO_UNIT_DEEPEST,
    MO_UNIT_IMAGE,
    MO_UNIT_MEDIUM,
    MO_UNIT_MEDIUM_LIGHT,
    MO_UNIT_BEHIND,
    MO_UNIT_THICKNESS,
    MO_UNITS
} mo_texture_unit;

/* GLSL in C source without quotes: one line for the compiler; commas are allowed. */
#define MO_GLSL(...) #__VA_ARGS__ "\n"

/* Sets *program to 0 on failure; the text has the compiler's log. */
mote_status mo_program_build(GLuint *program, const char *name, const char *const *vertex,
                             const char *const *fragment, mote_error *error);

void mo_uniform_int(GLuint program, const char *name, int value);
void mo_uniform_float(GLuint program, const char *name, double value);
/* An sRGB colour as linear values, and a fourth component. */
void mo_uniform_color(GLuint program, const char *name, const float color[3], double fourth);

/* From sRGB to linear. */
float mo_uniform_linear(float encoded);

#endif
