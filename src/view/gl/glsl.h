/*
 * GLSL fragments shared by several programs; see shader.h.
 */
#ifndef MO_VIEW_GL_GLSL_H
#define MO_VIEW_GL_GLSL_H

/* The uniform block Frame and derived quantities; for vertex and fragment shaders. */
extern const char mo_glsl_frame[];
/* Row data, quaternions, corners of quads, colours by value; for vertex shaders. */
extern const char mo_glsl_rows[];
/* bool buried(middle, radius): a ball is completely hidden; for vertex shaders. */
extern const char mo_glsl_cull[];
/* vec3 shade(albedo, normal, position, gloss); for fragment shaders. */
extern const char mo_glsl_light[], mo_glsl_clear[];
/* vec4 liquid_shade(tint, material, reach, normal, position, back); after mo_glsl_light. */
extern const char mo_glsl_liquid[];
extern const char mo_glsl_shadow[];
/* float pattern(position): the solid texture, 0 to 1. */
extern const char mo_glsl_texture[];
/* A triangle that covers the screen; a complete vertex shader. */
extern const char mo_glsl_screen[];

#endif
