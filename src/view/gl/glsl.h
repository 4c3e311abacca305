/* Pieces of GLSL that several programs share; see shader.h. */
#ifndef MO_VIEW_GL_GLSL_H
#define MO_VIEW_GL_GLSL_H

/* The uniform block Frame and what follows from it; for both kinds of shader. */
extern const char mo_glsl_frame[];
/* Rows of data, quaternions, corners of quads, colours by value; for vertex shaders. */
extern const char mo_glsl_rows[];
/* bool buried(middle, radius): nothing of a ball can be seen; for vertex shaders. */
extern const char mo_glsl_cull[];
/* vec3 shade(albedo, normal, place, gloss); for fragment shaders. */
extern const char mo_glsl_light[], mo_glsl_clear[];
extern const char mo_glsl_shadow[];
/* A triangle that covers the screen; a whole vertex shader. */
extern const char mo_glsl_screen[];

#endif
