/*
 * Solids: balls and boxes, transparent where particles are inside, and planes as a ground with a
 * grid that fades with distance.
 */
#include "view/gl/glsl.h"
#include "view/renderer/parts.h"

/* clang-format off */
static const char PLANE_VERTEX[] = MO_GLSL(
    uniform vec3 middle;
    uniform vec3 across;
    uniform vec3 along;
    uniform float extent;
    out vec3 position;
    out vec2 at;
    void main()
    {
        at = corner_of(gl_VertexID) * extent;
        position = (view * vec4(middle + at.x * across + at.y * along, 1.0)).xyz;
        gl_Position = projection * vec4(position, 1.0);
    }
);

static const char PLANE_DEPTH[] = MO_GLSL(
    uniform float extent;
    in vec3 position;
    in vec2 at;
    void main()
    {
        if (length(at) > 0.9 * extent) {
            discard;
        }
    }
);

static const char PLANE_COLOR[] = MO_GLSL(
    uniform vec4 plain;
    uniform vec3 facing;
    uniform float material;
    uniform float extent;
    uniform vec4 grid; /* origin of the grid; line spacing; 1: draw lines */
    in vec3 position;
    in vec2 at;
    /* 1 on a line; lines closer than a few pixels fade */
    float lines(vec2 c)
    {
        vec2 step = sqrt(dFdx(c) * dFdx(c) + dFdy(c) * dFdy(c));
        vec2 off = abs(fract(c - 0.5) - 0.5) / max(step, vec2(1e-9));
        vec2 on = clamp(1.1 - off, 0.0, 1.0) * clamp(1.5 - 6.0 * step, 0.0, 1.0);
        return max(on.x, on.y);
    }
    void main()
    {
        float away = length(at) / extent;
        vec3 n = normalize((view * vec4(facing, 0.0)).xyz);
        bool above = dot(n, toward_eye(position)) > 0.0;
        vec2 c = (at + grid.xy) / grid.z;
        float drawn = grid.w * max(0.30 * lines(c), 0.16 * lines(c * 10.0));
        float opacity = (1.0 - smoothstep(0.12, 1.0, away)) * (above ? 1.0 : 0.25);
        if (opacity < 0.004) {
            discard;
        }
        vec3 lit = shade_as(plain.rgb, above ? n : -n, position, 0.0, material);
        color = vec4(mix(lit, lit * 0.35, drawn), opacity);
    }
);
/* clang-format on */

mote_status mo_solids_build(mo_renderer *renderer, mote_error *error)
{
    static const char *const vertex[] = {mo_glsl_frame, mo_glsl_rows, PLANE_VERTEX, NULL};
    static const char *const depth[] = {PLANE_DEPTH, NULL};
    static const char *const color[] = {mo_glsl_frame, mo_glsl_shadow, mo_glsl_light, PLANE_COLOR,
                                        NULL};
    MO_TRY(
        mo_program_build(&renderer->programs.plane_depth, "depth of planes", vertex, depth, error));
    return mo_program_build(&renderer->programs.plane, "planes", vertex, color, error);
}

static void put(float *row, mo_vec3 a, double fourth)
{
    row[0] = (float)a.x;
    row[1] = (float)a.y;
    row[2] = (float)a.z;
    row[3] = (float)fourth;
}

static const mo_paint *paint_of(const mo_picture *picture, const mo_solid *solid)
{
    bool painted = solid->paint > 0 && solid->paint <= picture->paint_count;
    return painted ? &picture->paints[solid->paint - 1] : NULL;
}

static bool is_clear(const mo_picture *picture, const mo_solid *solid)
{
    const mo_paint *paint = paint_of(picture, solid);
    return solid->inside || (paint && mo_material_clear(paint->material));
}

static int64_t count_kind(const mo_picture *picture, mo_solid_kind kind, bool clear)
{
    int64_t count = 0;
    for (int64_t i = 0; i < picture->solid_count; ++i) {
        const mo_solid *s = &picture->solids[i];
        count += s->kind == kind && is_clear(picture, s) == clear;
    }
    return count;
}

/* The paints of the solids of a kind, glass ones last. */
static mote_status upload_paints(mo_renderer *renderer, mo_rows *rows, mo_solid_kind kind,
                                 mote_error *error)
{
    const mo_picture *picture = renderer->picture;
    int64_t solid = 0, glass = count_kind(picture, kind, false),
            count = glass + count_kind(picture, kind, true);
    void *block;
    MO_TRY(mo_allocate_array(&renderer->memory, count, 1, &block, error));
    uint8_t *paint = block;
    for (int64_t i = 0; i < picture->solid_count; ++i) {
        const mo_solid *s = picture->solids + i;
        if (s->kind == kind) {
            paint[is_clear(picture, s) ? glass++ : solid++] = paint_of(picture, s) ? s->paint : 0;
        }
    }
    mote_status status = mo_values_upload(renderer, rows, NULL, paint, count, error);
    mo_release(&renderer->memory, block);
    return status;
}

/* One of four components of every solid of a kind, glass ones last, in the order of the solids. */
static mote_status upload_kind(mo_renderer *renderer, mo_rows *rows, mo_solid_kind kind, int what,
                               mote_error *error)
{
    const mo_picture *picture = renderer->picture;
    int64_t solid = 0, glass = count_kind(picture, kind, false),
            count = glass + count_kind(picture, kind, true);
    void *block;
    MO_TRY(mo_scratch(renderer, 16 * mo_rows_padded(count), &block, error));
    for (int64_t i = 0; i < picture->solid_count; ++i) {
        const mo_solid *s = picture->solids + i;
        if (s->kind != kind) {
            continue;
        }
        float *row = (float *)block + 4 * (is_clear(picture, s) ? glass++ : solid++);
        mo_vec3 imaginary = mo_vec3_make(s->turn.x, s->turn.y, s->turn.z);
        if (what == 0) {
            put(row, mo_sub(s->center, renderer->center), s->half.x);
        } else if (what == 1) {
            put(row, s->half, 0);
        } else {
            row[0] = (float)s->turn.w;
            row[1] = (float)imaginary.x;
            row[2] = (float)imaginary.y;
            row[3] = (float)imaginary.z;
        }
    }
    return mo_rows_upload(rows, block, count, 4, false, "solids", error);
}

/* The eight corners of every glass box; corners that differ in one bit share an edge. */
static mote_status upload_corners(mo_renderer *renderer, mote_error *error)
{
    const mo_picture *picture = renderer->picture;
    void *block;
    MO_TRY(mo_scratch(renderer, 16 * mo_rows_padded(8 * renderer->glass_box_count), &block, error));
    float *rows = block;
    for (int64_t i = 0, row = 0; i < picture->solid_count; ++i) {
        const mo_solid *s = picture->solids + i;
        for (int k = 0; k < 8 && s->kind == MO_SOLID_BOX && is_clear(picture, s); ++k, ++row) {
            mo_vec3 sign = mo_vec3_make(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
            mo_vec3 at = mo_add(s->center, mo_quat_rotate(s->turn, mo_multiply(sign, s->half)));
            put(rows + 4 * row, mo_sub(at, renderer->center), 0);
        }
    }
    MO_TRY(mo_rows_upload(&renderer->corners, rows, 8 * renderer->glass_box_count, 4, false,
                          "corners", error));
    MO_TRY(mo_scratch(renderer, 4 * mo_rows_padded(24 * renderer->glass_box_count), &block, error));
    int32_t *pairs = block;
    int64_t count = 0;
    for (int64_t corner = 0; corner < 8 * renderer->glass_box_count; ++corner) {
        for (int bit = 1; bit < 8; bit *= 2) {
            if (!(corner & bit)) {
                pairs[count++] = (int32_t)corner;
                pairs[count++] = (int32_t)(corner | bit);
            }
        }
    }
    return mo_rows_upload(&renderer->corner_pairs, pairs, count, 1, true, "edges", error);
}

mote_status mo_solids_upload(mo_renderer *renderer, mote_error *error)
{
    const mo_picture *picture = renderer->picture;
    bool drawn = renderer->look->solids;
    renderer->ball_count = drawn ? count_kind(picture, MO_SOLID_SPHERE, false) : 0;
    renderer->glass_ball_count = drawn ? count_kind(picture, MO_SOLID_SPHERE, true) : 0;
    renderer->box_count = drawn ? count_kind(picture, MO_SOLID_BOX, false) : 0;
    renderer->glass_box_count = drawn ? count_kind(picture, MO_SOLID_BOX, true) : 0;
    if (renderer->ball_count + renderer->glass_ball_count > 0) {
        MO_TRY(upload_kind(renderer, &renderer->balls, MO_SOLID_SPHERE, 0, error));
        MO_TRY(upload_paints(renderer, &renderer->ball_paints, MO_SOLID_SPHERE, error));
    }
    if (renderer->box_count + renderer->glass_box_count > 0) {
        MO_TRY(upload_kind(renderer, &renderer->boxes, MO_SOLID_BOX, 0, error));
        MO_TRY(upload_kind(renderer, &renderer->box_halves, MO_SOLID_BOX, 1, error));
        MO_TRY(upload_kind(renderer, &renderer->box_turns, MO_SOLID_BOX, 2, error));
        MO_TRY(upload_paints(renderer, &renderer->box_paints, MO_SOLID_BOX, error));
    }
    return renderer->glass_box_count > 0 ? upload_corners(renderer, error) : MOTE_OK;
}

static mo_things balls_of(const mo_renderer *renderer, int64_t first, int64_t count,
                          const float *color)
{
    return (mo_things){.positions = &renderer->balls,
                       .values = &renderer->ball_paints,
                       .first = first,
                       .count = count,
                       .color = {color[0], color[1], color[2]}};
}

static mo_things boxes_of(const mo_renderer *renderer, int64_t first, int64_t count,
                          const float *color)
{
    return (mo_things){.positions = &renderer->boxes,
                       .turns = &renderer->box_turns,
                       .halves = &renderer->box_halves,
                       .values = &renderer->box_paints,
                       .first = first,
                       .count = count,
                       .color = {color[0], color[1], color[2]}};
}

void mo_solids_draw(mo_renderer *renderer, mo_pass pass)
{
    const float *color = renderer->look->solid_color;
    if (renderer->ball_count > 0) {
        mo_things balls = balls_of(renderer, 0, renderer->ball_count, color);
        mo_spheres_draw(renderer, &balls, pass);
    }
    if (renderer->box_count > 0) {
        mo_things boxes = boxes_of(renderer, 0, renderer->box_count, color);
        mo_boxes_draw(renderer, &boxes, pass);
    }
}

static void set_vec3(GLuint program, const char *name, mo_vec3 a)
{
    glUniform3f(glGetUniformLocation(program, name), (float)a.x, (float)a.y, (float)a.z);
}

static void draw_plane(mo_renderer *renderer, const mo_solid *plane, GLuint program)
{
    mo_vec3 normal = mo_quat_rotate(plane->turn, mo_vec3_make(0, 0, 1));
    mo_vec3 across = mo_perpendicular(normal), along = mo_cross(normal, across);
    /* the projection of the picture's centre */
    double height = mo_dot(mo_sub(renderer->center, plane->center), normal);
    mo_vec3 foot = mo_add_scaled(renderer->center, -height, normal);
    double distance = pow(10, round(log10(renderer->radius)));
    set_vec3(program, "middle", mo_scale(-height, normal));
    set_vec3(program, "across", across);
    set_vec3(program, "along", along);
    set_vec3(program, "facing", normal);
    mo_uniform_float(program, "extent", 9 * renderer->radius + fabs(height));
    const mo_paint *paint = paint_of(renderer->picture, plane);
    mo_uniform_color(program, "plain", paint ? paint->color : renderer->look->plane_color, 1);
    mo_uniform_float(program, "material", paint ? (double)paint->material : -1.0);
    glUniform4f(glGetUniformLocation(program, "grid"), (float)fmod(mo_dot(foot, across), distance),
                (float)fmod(mo_dot(foot, along), distance), (float)distance,
                renderer->look->grid ? 1 : 0);
    mo_draw_vertices(GL_TRIANGLES, 6);
}

void mo_solids_draw_planes(mo_renderer *renderer, mo_pass pass)
{
    GLuint program =
        pass == MO_PASS_COLOR ? renderer->programs.plane : renderer->programs.plane_depth;
    mo_use(program);
    for (int64_t i = 0; renderer->look->solids && i < renderer->picture->solid_count; ++i) {
        if (renderer->picture->solids[i].kind == MO_SOLID_PLANE) {
            draw_plane(renderer, renderer->picture->solids + i, program);
        }
    }
}

void mo_solids_draw_glass(mo_renderer *renderer)
{
    const mo_look *look = renderer->look;
    mo_things balls =
        balls_of(renderer, renderer->ball_count, renderer->glass_ball_count, look->glass_color);
    mo_things boxes =
        boxes_of(renderer, renderer->box_count, renderer->glass_box_count, look->glass_color);
    for (int back = 0; back < 2; ++back) {
        if (boxes.count > 0) {
            mo_boxes_draw_glass(renderer, &boxes, back);
        }
        if (balls.count > 0) {
            mo_spheres_draw_glass(renderer, &balls, back);
        }
    }
}

void mo_solids_draw_edges(mo_renderer *renderer)
{
    const mo_look *look = renderer->look;
    if (renderer->glass_box_count > 0) {
        mo_line_set edges = {
            .positions = &renderer->corners,
            .pairs = &renderer->corner_pairs,
            .count = 12 * renderer->glass_box_count,
            .color = {look->glass_color[0], look->glass_color[1], look->glass_color[2]},
            .width = 1.2 * look->line_width,
            .opacity = 0.7};
        mo_lines_draw_set(renderer, &edges);
    }
}
