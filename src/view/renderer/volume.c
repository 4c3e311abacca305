/*
 * Particles as a participating medium: emission, absorption and single scattering along each
 * pixel's ray (N. Max 1995, Optical models for direct volume rendering), through the density grid
 * in a texture of three dimensions, up to the nearest opaque surface. Drawn over the opaque picture
 * and under transparent surfaces; it casts no shadows on surfaces.
 */
#include "view/gl/gl_context.h"
#include "view/gl/glsl.h"
#include "view/renderer/parts.h"

/* clang-format off */
static const char MARCH[] = MO_GLSL(
    uniform sampler2D depth;
    uniform sampler3D medium;
    uniform sampler3D medium_light;
    uniform vec4 box;    /* the lower corner; edge of a cell */
    uniform vec4 cells;  /* their numbers; emission */
    out vec4 color;
    /* where a ray is within the box */
    vec2 span(vec3 from, vec3 way)
    {
        vec3 a = (box.xyz - from) / way;
        vec3 b = (box.xyz + cells.xyz * box.w - from) / way;
        vec3 low = min(a, b);
        vec3 high = max(a, b);
        return vec2(max(low.x, max(low.y, low.z)), min(high.x, min(high.y, high.z)));
    }
    void main()
    {
        vec2 at = (gl_FragCoord.xy - 0.5 * size.xy) * size.z;
        vec3 ray = parallel() ? vec3(0.0, 0.0, -1.0) : vec3(at, -1.0);
        vec3 start = parallel() ? vec3(at, 0.0) : vec3(0.0);
        /* z of the opaque surface; rays have unit length along z */
        float d = 2.0 * texelFetch(depth, ivec2(gl_FragCoord.xy), 0).r - 1.0;
        float z = (projection[3][3] * d - projection[3][2]) / (projection[2][2] - projection[2][3] * d);
        mat3 back = transpose(mat3(view));
        vec3 from = back * (start - view[3].xyz);
        vec3 way = back * ray;
        vec2 t = span(from, way + vec3(equal(way, vec3(0.0))) * 1e-9);
        t = vec2(max(t.x, range.x), min(t.y, -z));
        float pace = 0.6 * box.w / length(way);
        float shift = fract(52.9829189 * fract(dot(floor(gl_FragCoord.xy), vec2(0.06711056, 0.00583715))));
        vec3 sum = vec3(0.0);
        float clear = 1.0;
        float s = t.x + shift * pace;
        for (int k = 0; k < 2000 && s < t.y && clear > 0.004; ++k) {
            vec3 where = (from + s * way - box.xyz) / (cells.xyz * box.w);
            vec4 m = textureLod(medium, where, 0.0);
            if (m.a > 0.0) {
                float dense = pattern((view * vec4(from + s * way, 1.0)).xyz);
                float lost = 1.0 - exp(-1.6 * mix(0.625, 1.0, solid.x < 0.5 ? 0.0 : solid.w) * dense * m.a * pace * length(way));
                vec3 albedo = m.rgb / m.a;
                vec3 lit = mix(ground.rgb, sky.rgb, 0.7) + key.rgb * textureLod(medium_light, where, 0.0).r;
                vec3 scattered = sky.w < 0.5 ? vec3(1.0) : lit;
                sum += clear * lost * albedo * mix(scattered, vec3(2.2), cells.w);
                clear *= 1.0 - lost;
            }
            s += pace;
        }
        color = vec4(sum, 1.0 - clear);
    }
);
/* clang-format on */

mote_status mo_volume_build(mo_renderer *renderer, mote_error *error)
{
    static const char *const vertex[] = {mo_glsl_screen, NULL};
    static const char *const march[] = {mo_glsl_frame, mo_glsl_texture, MARCH, NULL};
    renderer->volume.grid.memory = &renderer->memory;
    return mo_program_build(&renderer->programs.volume, "volume", vertex, march, error);
}

void mo_volume_release(mo_renderer *renderer)
{
    mo_volume *v = &renderer->volume;
    glDeleteTextures(2, v->texture);
    if (v->grid.memory) {
        mo_density_grid_release(&v->grid);
    }
}

static void upload(GLuint texture, mo_texture_unit unit, const mo_density_grid *g, GLenum internal,
                   GLenum format, GLenum type, const void *data)
{
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_3D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage3D(GL_TEXTURE_3D, 0, (GLint)internal, g->cells[0], g->cells[1], g->cells[2], 0,
                 format, type, data);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    static const GLenum WRAPS[] = {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R};
    for (int k = 0; k < 3; ++k) {
        glTexParameteri(GL_TEXTURE_3D, WRAPS[k], GL_CLAMP_TO_EDGE);
    }
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

bool mo_volume_wanted(const mo_renderer *renderer)
{
    return renderer->look->particles == MO_PARTICLES_VOLUME && renderer->picture->count > 0;
}

static bool is_filled(const mo_renderer *renderer)
{
    return mo_volume_wanted(renderer) ||
           (renderer->look->particles == MO_PARTICLES_SMOOTH_SPHERES &&
            renderer->picture->count > 0);
}

mote_status mo_volume_upload(mo_renderer *renderer, mo_vec3 light, mote_error *error)
{
    mo_volume *v = &renderer->volume;
    v->grid.cells[0] = 0;
    if (!is_filled(renderer)) {
        return MOTE_OK;
    }
    MO_TRY(mo_density_grid_fill(&v->grid, renderer->picture, renderer->look, light, error));
    if (v->grid.cells[0] == 0) {
        return MOTE_OK;
    }
    if (!v->texture[0]) {
        glGenTextures(2, v->texture);
    }
    upload(v->texture[0], MO_UNIT_MEDIUM, &v->grid, GL_RGBA16F, GL_RGBA, GL_FLOAT, v->grid.medium);
    upload(v->texture[1], MO_UNIT_MEDIUM_LIGHT, &v->grid, GL_R8, GL_RED, GL_UNSIGNED_BYTE,
           v->grid.light);
    return mo_gl_check("rendering: upload of a volume", error);
}

bool mo_volume_bind(const mo_renderer *renderer, GLuint program)
{
    const mo_density_grid *g = &renderer->volume.grid;
    mo_vec3 low = mo_sub(g->low, renderer->center);
    mo_use(program);
    glUniform4f(glGetUniformLocation(program, "box"), (float)low.x, (float)low.y, (float)low.z,
                (float)g->cell);
    glUniform4f(glGetUniformLocation(program, "cells"), (float)g->cells[0], (float)g->cells[1],
                (float)g->cells[2], (float)renderer->look->volume.emission);
    return g->cells[0] > 0;
}

void mo_volume_draw(mo_renderer *renderer)
{
    GLuint program = renderer->programs.volume;
    if (!mo_volume_wanted(renderer) || !mo_volume_bind(renderer, program)) {
        return;
    }
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->target.resolved);
    glViewport(0, 0, renderer->target.width, renderer->target.height);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    mo_texture_bind(renderer->depth.texture, MO_UNIT_DEPTH);
    mo_draw_screen(program);
    mo_texture_bind(0, MO_UNIT_DEPTH);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
}
