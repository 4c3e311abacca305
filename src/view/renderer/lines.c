/*
 * Lines with a width: OpenGL ES draws lines one pixel wide, so each is a quad in the plane of the
 * screen. Lines through the plane of the eye are clipped at the near plane.
 */
#include "view/gl/glsl.h"
#include "view/renderer/parts.h"

/* clang-format off */
static const char EXTRUDE[] = MO_GLSL(
    uniform float width; /* pixels */
    flat out float halfwidth;
    out vec3 tint;
    /* pixels from the centre line, times w, and w: their ratio is linear on the screen */
    out vec2 aside;
    void extrude(vec3 a, vec3 b, vec2 corner)
    {
        float front = parallel() ? 1e30 : -range.x;
        if (a.z > front && b.z > front) {
            gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
            return;
        }
        vec3 from = a.z > front ? mix(a, b, (a.z - front) / (a.z - b.z)) : a;
        vec3 to = b.z > front ? mix(b, a, (b.z - front) / (b.z - a.z)) : b;
        vec4 p = projection * vec4(from, 1.0);
        vec4 q = projection * vec4(to, 1.0);
        vec2 along = (q.xy / q.w - p.xy / p.w) * size.xy;
        float far = length(along);
        along = far > 1e-6 ? along / far : vec2(1.0, 0.0);
        halfwidth = 0.5 * width;
        float across = corner.y * (halfwidth + 1.0);
        vec4 end = corner.x < 0.0 ? p : q;
        aside = vec2(across, 1.0) * end.w;
        end.xy += vec2(-along.y, along.x) * across * 2.0 / size.xy * end.w;
        gl_Position = end;
    }
);

static const char LINE[] = MO_GLSL(
    void main()
    {
        int i = gl_VertexID / 6;
        vec2 corner = corner_of(gl_VertexID - 6 * i);
        int a = index_of(2 * i);
        int b = index_of(2 * i + 1);
        tint = color_of(corner.x < 0.0 ? a : b);
        extrude((view * vec4(row_of(positions, a).xyz, 1.0)).xyz, (view * vec4(row_of(positions, b).xyz, 1.0)).xyz,
                corner);
    }
);

static const char AXES[] = MO_GLSL(
    uniform int turning;
    uniform int cross_; /* through the centre, in the particle's colour */
    void main()
    {
        int i = gl_VertexID / 18;
        int k = gl_VertexID - 18 * i;
        int axis = k / 6;
        vec4 row = row_of(positions, i);
        vec4 q = turning > 0 ? row_of(turns, i) : vec4(1.0, 0.0, 0.0, 0.0);
        vec3 along = vec3(axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0);
        tint = axis == 0 ? vec3(0.75, 0.06, 0.05) : axis == 1 ? vec3(0.06, 0.50, 0.08) : vec3(0.06, 0.22, 0.90);
        tint = cross_ > 0 ? color_of(i) : tint;
        vec3 arm = row.w * turned(q, along);
        extrude((view * vec4(row.xyz - (cross_ > 0 ? arm : vec3(0.0)), 1.0)).xyz, (view * vec4(row.xyz + arm, 1.0)).xyz,
                corner_of(k - 6 * axis));
    }
);

static const char COLOR[] = MO_GLSL(
    uniform float opacity;
    flat in float halfwidth;
    in vec3 tint;
    in vec2 aside;
    out vec4 color;
    void main()
    {
        float cover = halfwidth - abs(aside.x / aside.y) + 0.5;
        if (cover < (unknown.w > 0.5 ? 0.1 : 0.5)) {
            discard;
        }
        color = vec4(tint, min(cover, 1.0) * opacity);
    }
);
/* clang-format on */

mote_status mo_lines_build(mo_renderer *renderer, mote_error *error)
{
    static const char *const line[] = {mo_glsl_frame, mo_glsl_rows, EXTRUDE, LINE, NULL};
    static const char *const axes[] = {mo_glsl_frame, mo_glsl_rows, EXTRUDE, AXES, NULL};
    static const char *const color[] = {mo_glsl_frame, COLOR, NULL};
    MO_TRY(mo_program_build(&renderer->programs.line, "lines", line, color, error));
    return mo_program_build(&renderer->programs.axes, "axes", axes, color, error);
}

mote_status mo_indices_upload(mo_renderer *renderer, mo_rows *rows, const int32_t *indices,
                              int64_t count, int64_t limit, const char *what, mote_error *error)
{
    void *block;
    MO_TRY(mo_scratch(renderer, 4 * mo_rows_padded(count), &block, error));
    int32_t *copy = block;
    for (int64_t i = 0; i < count; ++i) {
        if (indices[i] < 0 || indices[i] >= limit) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "rendering: %s: row %d does not exist; allowed: 0 to %lld", what,
                           indices[i], (long long)limit - 1);
        }
        copy[i] = indices[i];
    }
    return mo_rows_upload(rows, copy, count, 1, true, what, error);
}

mote_status mo_lines_upload(mo_renderer *renderer, mote_error *error)
{
    const mo_picture *picture = renderer->picture;
    if (renderer->look->springs && picture->spring_count > 0) {
        MO_TRY(mo_indices_upload(renderer, &renderer->springs, picture->springs,
                                 2 * picture->spring_count, picture->count, "springs", error));
    }
    if (renderer->look->neighbors && picture->neighbor_count > 0) {
        MO_TRY(mo_indices_upload(renderer, &renderer->neighbors, picture->neighbors,
                                 2 * picture->neighbor_count, picture->count, "neighbours", error));
    }
    return MOTE_OK;
}

void mo_lines_draw_set(mo_renderer *renderer, const mo_line_set *set)
{
    GLuint program = renderer->programs.line;
    mo_use(program);
    mo_rows_bind(set->positions, MO_UNIT_POSITIONS);
    mo_rows_bind(set->pairs, MO_UNIT_INDICES);
    if (set->values) {
        mo_rows_bind(set->values, MO_UNIT_VALUES);
    }
    mo_uniform_float(program, "width", set->width);
    mo_uniform_float(program, "opacity", set->opacity);
    mo_uniform_color(program, "plain", set->color, set->values ? 1 : 0);
    mo_draw_vertices(GL_TRIANGLES, 6 * set->count);
}

static void draw_pairs(mo_renderer *renderer, const mo_rows *pairs, int64_t count,
                       const float color[3], double width)
{
    bool by_value =
        (renderer->look->lines_by_value && renderer->picture->values) || renderer->picture->paint;
    mo_line_set set = {.positions = &renderer->positions,
                       .pairs = pairs,
                       .values = by_value ? &renderer->values : NULL,
                       .count = count,
                       .color = {color[0], color[1], color[2]},
                       .width = width,
                       .opacity = 1};
    mo_lines_draw_set(renderer, &set);
}

void mo_lines_draw(mo_renderer *renderer)
{
    const mo_look *look = renderer->look;
    const mo_picture *picture = renderer->picture;
    if (look->springs && picture->spring_count > 0) {
        draw_pairs(renderer, &renderer->springs, picture->spring_count, look->spring_color,
                   look->line_width);
    }
    if (look->neighbors && picture->neighbor_count > 0) {
        draw_pairs(renderer, &renderer->neighbors, picture->neighbor_count, look->neighbor_color,
                   0.7 * look->line_width);
    }
}

void mo_lines_draw_axes(mo_renderer *renderer, const mo_things *things, double width, bool cross)
{
    GLuint program = renderer->programs.axes;
    mo_use(program);
    mo_rows_bind(things->positions, MO_UNIT_POSITIONS);
    if (things->turns) {
        mo_rows_bind(things->turns, MO_UNIT_TURNS);
    }
    if (things->values) {
        mo_rows_bind(things->values, MO_UNIT_VALUES);
    }
    mo_uniform_int(program, "turning", things->turns ? 1 : 0);
    mo_uniform_int(program, "cross_", cross);
    mo_uniform_color(program, "plain", things->color, things->values ? 1 : 0);
    mo_uniform_float(program, "width", width);
    mo_uniform_float(program, "opacity", 1);
    mo_draw_vertices(GL_TRIANGLES, 18 * things->count);
}
