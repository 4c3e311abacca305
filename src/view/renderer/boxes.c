/* Boxes: turned, 36 corners each that the vertex shader makes up. Particles as cubes, and
 * solids. */
#include "view/gl/glsl.h"
#include "view/renderer/parts.h"

/* clang-format off */
static const char VERTEX[] = MO_GLSL(
    uniform int first;
    uniform int turning; /* 1: there are turns; 2: there are half edges as well */
    flat out vec4 albedo; /* and the material */
    flat out vec3 normal;
    out vec3 place;
    void main()
    {
        int i = gl_VertexID / 36;
        int k = gl_VertexID - 36 * i;
        int face = k / 6;
        vec2 corner = corner_of(k - 6 * face);
        int axis = face / 2;
        float sign = (face & 1) == 0 ? 1.0 : -1.0;
        vec3 n = sign * vec3(axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0);
        vec3 u = abs(n.zxy);
        vec4 row = row_of(positions, first + i);
        /* (pi / 6)^(1/3): a cube of the sphere's volume */
        vec3 edges = turning == 2 ? row_of(normals, first + i).xyz : vec3(0.80599598 * row.w);
        vec4 q = turning > 0 ? row_of(turns, first + i) : vec4(1.0, 0.0, 0.0, 0.0);
        vec3 at = edges * (n + corner.x * u + corner.y * cross(n, u));
        place = (view * vec4(row.xyz + turned(q, at), 1.0)).xyz;
        normal = (view * vec4(turned(q, n), 0.0)).xyz;
        albedo = paint_of(first + i);
        bool unseen = buried((view * vec4(row.xyz, 1.0)).xyz, length(edges));
        gl_Position = unseen ? vec4(2.0, 2.0, 2.0, 1.0) : projection * vec4(place, 1.0);
    }
);

static const char DEPTH[] = MO_GLSL(
    void main() {}
);

static const char COLOR[] = MO_GLSL(
    flat in vec4 albedo;
    flat in vec3 normal;
    in vec3 place;
    void main()
    {
        color = vec4(shade_as(albedo.rgb, normalize(normal), place, 0.04, albedo.w), 1.0);
    }
);

static const char GLASS[] = MO_GLSL(
    flat in vec4 albedo;
    flat in vec3 normal;
    in vec3 place;
    void main()
    {
        vec3 n = normalize(normal);
        bool back = dot(n, toward_eye(place)) < 0.0;
        peel(gl_FragCoord.z);
        color = clear_shade(albedo.rgb, back ? -n : n, place, max(albedo.w, 3.0), back);
    }
);
/* clang-format on */

mote_status mo_boxes_build(mo_renderer *renderer, mote_error *error)
{
    static const char *const vertex[] = {mo_glsl_frame, mo_glsl_rows, mo_glsl_cull, VERTEX, NULL};
    static const char *const depth[] = {DEPTH, NULL};
    static const char *const color[] = {mo_glsl_frame, mo_glsl_shadow, mo_glsl_light, COLOR, NULL};
    static const char *const glass[] = {mo_glsl_frame, mo_glsl_shadow, mo_glsl_light,
                                        mo_glsl_clear, GLASS,          NULL};
    MO_TRY(mo_program_build(&renderer->programs.box_depth, "depth of boxes", vertex, depth, error));
    MO_TRY(mo_program_build(&renderer->programs.box, "boxes", vertex, color, error));
    return mo_program_build(&renderer->programs.box_glass, "glass boxes", vertex, glass, error);
}

static void draw(const mo_things *things, GLuint program, bool back)
{
    mo_use(program);
    mo_rows_bind(things->positions, MO_UNIT_POSITIONS);
    if (things->turns) {
        mo_rows_bind(things->turns, MO_UNIT_TURNS);
    }
    if (things->halves) {
        mo_rows_bind(things->halves, MO_UNIT_NORMALS);
    }
    if (things->values) {
        mo_rows_bind(things->values, MO_UNIT_VALUES);
    }
    mo_uniform_int(program, "first", (int)things->first);
    mo_uniform_int(program, "turning", things->halves ? 2 : things->turns ? 1 : 0);
    mo_uniform_color(program, "plain", things->color, things->values ? 1 : 0);
    glEnable(GL_CULL_FACE);
    glCullFace(back ? GL_FRONT : GL_BACK);
    mo_draw_vertices(GL_TRIANGLES, 36 * things->count);
    glDisable(GL_CULL_FACE);
}

void mo_boxes_draw(mo_renderer *renderer, const mo_things *things, mo_pass pass)
{
    draw(things, pass == MO_PASS_COLOR ? renderer->programs.box : renderer->programs.box_depth,
         false);
}

void mo_boxes_draw_glass(mo_renderer *renderer, const mo_things *things, bool back)
{
    draw(things, renderer->programs.box_glass, back);
}
