/*
 * Particles as brush strokes (B. J. Meier 1996, "Painterly rendering for animation"): a stroke is
 * attached to each particle, so that strokes follow the motion, with the particle's colour and
 * normal, and varied in length, angle and tone by its row. Strokes of oriented particles are along
 * the surface and horizontal. Departs from the paper: bristles are procedural instead of scanned,
 * and strokes are sorted by depth instead of blended.
 */
#include "view/gl/glsl.h"
#include "view/renderer/parts.h"

/* clang-format off */
static const char VERTEX[] = MO_GLSL(
    uniform int turning;
    flat out vec3 albedo;
    flat out vec3 normal;
    flat out float seed;
    out vec3 position;
    out vec2 at;
    float random(int row, uint stream)
    {
        uint h = (uint(row) + 1u) * 0x9e3779b1u ^ stream * 0x85ebca77u;
        h = (h ^ (h >> 15)) * 0x2c1b3c6du;
        h = (h ^ (h >> 12)) * 0x297a2d39u;
        return float((h ^ (h >> 15)) >> 8) / 16777216.0;
    }
    void main()
    {
        int i = gl_VertexID / 6;
        at = corner_of(gl_VertexID - 6 * i);
        vec4 row = row_of(positions, i);
        vec4 q = turning > 0 ? row_of(turns, i) : vec4(1.0, 0.0, 0.0, 0.0);
        vec3 c = (view * vec4(row.xyz, 1.0)).xyz;
        vec3 facing = parallel() ? vec3(0.0, 0.0, 1.0) : normalize(-c);
        normal = turning > 0 ? (view * vec4(turned(q, vec3(0.0, 0.0, 1.0)), 0.0)).xyz : facing;
        normal = dot(normal, facing) < 0.0 ? -normal : normal;
        vec3 along = cross(up.xyz, normal);
        along -= facing * dot(along, facing);
        along = dot(along, along) > 1e-4 ? normalize(along) : normalize(cross(vec3(0.0, 1.0, 0.001), facing));
        float angle = 0.7 * (random(i, 1u) - 0.5);
        vec3 u = cos(angle) * along + sin(angle) * cross(facing, along);
        float r = max(row.w, 0.6 * pixel_at(-c.z));
        float size = r * (0.8 + 0.5 * random(i, 2u));
        seed = 64.0 * random(i, 3u);
        position = c + size * (2.4 * at.x * u + 0.8 * at.y * cross(facing, u)) + 0.6 * r * random(i, 4u) * facing;
        albedo = color_of(i) * (0.8 + 0.4 * random(i, 5u));
        gl_Position = row.w < 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : projection * vec4(position, 1.0);
    }
);

static const char COLOR[] = MO_GLSL(
    flat in vec3 albedo;
    flat in vec3 normal;
    flat in float seed;
    in vec3 position;
    in vec2 at;
    float bristle(float x)
    {
        float base = floor(x);
        float f = x - base;
        vec2 ends = fract(sin(vec2(base, base + 1.0) * 12.9898) * 43758.5453);
        return mix(ends.x, ends.y, f * f * (3.0 - 2.0 * f));
    }
    void main()
    {
        float hair = bristle(11.0 * at.y + seed);
        float end = 1.0 - 0.45 * hair * hair - 0.25 * at.y * at.y;
        float side = 1.0 - 0.25 * bristle(3.0 * at.x + 2.0 * seed);
        float inside = min(end - abs(at.x), 2.0 * (side - abs(at.y)));
        float cover = inside / max(fwidth(inside), 1e-6) + 0.5;
        if (cover < (unknown.w > 0.5 ? 0.1 : 0.5)) {
            discard;
        }
        vec3 tint = albedo * (0.82 + 0.36 * hair);
        color = vec4(shade(tint, normalize(normal), position, 0.0), min(cover, 1.0));
    }
);
/* clang-format on */

mote_status mo_strokes_build(mo_renderer *renderer, mote_error *error)
{
    static const char *const vertex[] = {mo_glsl_frame, mo_glsl_rows, VERTEX, NULL};
    static const char *const color[] = {mo_glsl_frame, mo_glsl_shadow, mo_glsl_light, COLOR, NULL};
    return mo_program_build(&renderer->programs.stroke, "strokes", vertex, color, error);
}

void mo_strokes_draw(mo_renderer *renderer, const mo_things *things)
{
    GLuint program = renderer->programs.stroke;
    mo_use(program);
    mo_rows_bind(things->positions, MO_UNIT_POSITIONS);
    if (things->turns) {
        mo_rows_bind(things->turns, MO_UNIT_TURNS);
    }
    if (things->values) {
        mo_rows_bind(things->values, MO_UNIT_VALUES);
    }
    mo_uniform_int(program, "turning", things->turns ? 1 : 0);
    mo_uniform_color(program, "plain", things->color, things->values ? 1 : 0);
    mo_draw_vertices(GL_TRIANGLES, 6 * things->count);
}
