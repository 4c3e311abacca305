/* Particles in every style; spheres, cubes and axes are drawn by spheres.c, boxes.c and lines.c. */
#include "view/gl/glsl.h"
#include "view/picture/pick.h"
#include "view/renderer/parts.h"

/* clang-format off */
/* a flat marker: a square in the particle's x-y plane, clipped to its shape in the fragment
 * shader */
static const char MARK_VERTEX[] = MO_GLSL(
    uniform int turning;
    flat out vec3 albedo;
    flat out vec3 normal;
    out vec3 position;
    out vec2 at;
    void main()
    {
        int i = gl_VertexID / 6;
        at = corner_of(gl_VertexID - 6 * i) * 1.05;
        vec4 row = row_of(positions, i);
        vec4 q = turning > 0 ? row_of(turns, i) : vec4(1.0, 0.0, 0.0, 0.0);
        vec3 c = (view * vec4(row.xyz, 1.0)).xyz;
        float r = max(row.w, 0.6 * pixel_at(-c.z));
        position = (view * vec4(row.xyz + r * turned(q, vec3(at, 0.0)), 1.0)).xyz;
        normal = (view * vec4(turned(q, vec3(0.0, 0.0, 1.0)), 0.0)).xyz;
        albedo = color_of(i);
        gl_Position = buried(c, 1.05 * r) ? vec4(2.0, 2.0, 2.0, 1.0) : projection * vec4(position, 1.0);
    }
);

static const char MARK_SHAPE[] = MO_GLSL(
    uniform int hexagon;
    uniform int wire;
    flat in vec3 albedo;
    flat in vec3 normal;
    in vec3 position;
    in vec2 at;
    /* coverage of the pixel; the hexagon's first corner is on x */
    float inside()
    {
        vec2 a = abs(at);
        float d = hexagon > 0 ? max(a.y, 0.8660254 * a.x + 0.5 * a.y) / 0.8660254 : length(at);
        float step = length(vec2(dFdx(d), dFdy(d)));
        float cover = (1.0 - d) / max(step, 1e-6) + 0.5;
        /* a rim of a tenth of the radius, at least a pixel and a half */
        float rim = max(0.1, 1.5 * step);
        return wire > 0 ? min(cover, (d - 1.0 + rim) / max(step, 1e-6) + 0.5) : cover;
    }
);

static const char MARK_DEPTH[] = MO_GLSL(
    void main()
    {
        if (inside() < 0.5) {
            discard;
        }
    }
);

static const char MARK_COLOR[] = MO_GLSL(
    void main()
    {
        float cover = inside();
        if (cover < (unknown.w > 0.5 ? 0.1 : 0.5)) {
            discard;
        }
        /* the -z side is paler and darker */
        vec3 tint = gl_FrontFacing ? albedo : 0.45 * mix(albedo, vec3(dot(albedo, vec3(0.3, 0.5, 0.2))), 0.5);
        vec3 n = gl_FrontFacing ? normal : -normal;
        color = vec4(shade(tint, normalize(n), position, 0.06), min(cover, 1.0));
    }
);

/* additive spots: point sprites, slightly larger when nearer */
static const char SPOT_VERTEX[] = MO_GLSL(
    uniform float diameter;
    flat out vec3 albedo;
    void main()
    {
        vec4 row = row_of(positions, gl_VertexID);
        vec3 c = (view * vec4(row.xyz, 1.0)).xyz;
        /* dark ends of colour maps stay visible: light is added, up to a luminance of a quarter */
        vec3 own = color_of(gl_VertexID);
        float light = dot(own, vec3(0.2126, 0.7152, 0.0722));
        albedo = own + max(0.25 - light, 0.0) * vec3(0.8, 0.95, 1.3);
        gl_Position = projection * vec4(c, 1.0);
        gl_PointSize = diameter * (parallel() ? 1.0 : clamp(range.w / max(-c.z, 1e-6), 0.4, 3.0));
    }
);

static const char SPOT_COLOR[] = MO_GLSL(
    uniform float glow;
    uniform int star;
    flat in vec3 albedo;
    out vec4 color;
    void main()
    {
        vec2 at = 2.0 * gl_PointCoord - 1.0;
        float d2 = dot(at, at);
        vec2 a = abs(at);
        float edge = max(1.0 - d2, 0.0);
        float soft = exp(-4.0 * d2);
        float ray = exp(-14.0 * a.x) * (1.0 - a.y) + exp(-14.0 * a.y) * (1.0 - a.x);
        float bright = star > 0 ? (1.5 * exp(-40.0 * d2) + ray) * edge : soft * edge;
        color = vec4(glow * bright * mix(albedo, vec3(1.0), star > 0 ? 0.3 * min(bright, 1.0) : 0.0), 1.0);
    }
);
/* clang-format on */

mote_status mo_particles_build(mo_renderer *renderer, mote_error *error)
{
    static const char *const vertex[] = {mo_glsl_frame, mo_glsl_rows, mo_glsl_cull, MARK_VERTEX,
                                         NULL};
    static const char *const depth[] = {MARK_SHAPE, MARK_DEPTH, NULL};
    static const char *const color[] = {mo_glsl_frame, MARK_SHAPE, mo_glsl_shadow,
                                        mo_glsl_light, MARK_COLOR, NULL};
    static const char *const spot_vertex[] = {mo_glsl_frame, mo_glsl_rows, SPOT_VERTEX, NULL};
    static const char *const spot_color[] = {SPOT_COLOR, NULL};
    MO_TRY(
        mo_program_build(&renderer->programs.mark_depth, "depth of marks", vertex, depth, error));
    MO_TRY(mo_program_build(&renderer->programs.mark, "marks", vertex, color, error));
    return mo_program_build(&renderer->programs.spot, "spots", spot_vertex, spot_color, error);
}

static mote_status upload_positions(mo_renderer *renderer, mote_error *error)
{
    const mo_picture *picture = renderer->picture;
    void *block;
    MO_TRY(mo_scratch(renderer, 16 * mo_rows_padded(picture->count), &block, error));
    float *rows = block;
    for (int64_t i = 0; i < picture->count; ++i) {
        mo_vec3 x = mo_sub(mo_vec3_load(picture->x + 3 * i), renderer->center);
        bool finite = isfinite(x.x + x.y + x.z);
        /* rows that are not finite are moved out of view */
        rows[4 * i] = finite ? (float)x.x : 1e15f;
        rows[4 * i + 1] = finite ? (float)x.y : 1e15f;
        rows[4 * i + 2] = finite ? (float)x.z : 1e15f;
        bool left_out = picture->radius && picture->radius[i] < 0;
        rows[4 * i + 3] = left_out ? -1
                          : finite ? (float)mo_picture_radius(picture, renderer->look, i)
                                   : 0;
    }
    return mo_rows_upload(&renderer->positions, rows, picture->count, 4, false, "particles", error);
}

static mote_status upload_turns(mo_renderer *renderer, mote_error *error)
{
    const mo_picture *picture = renderer->picture;
    void *block;
    MO_TRY(mo_scratch(renderer, 16 * mo_rows_padded(picture->count), &block, error));
    float *rows = block;
    for (int64_t i = 0; i < 4 * picture->count; ++i) {
        rows[i] = (float)picture->q[i];
    }
    return mo_rows_upload(&renderer->turns, rows, picture->count, 4, false, "orientations", error);
}

/* The coordinate in the colour map, 0 to 1; -1: unknown. */
static float map_coordinate(const mo_look *look, float value)
{
    if (isnan(value)) {
        return -1;
    }
    double width = look->map_max - look->map_min;
    double t = width != 0 ? (value - look->map_min) / width : 0.5;
    return (float)(t < 0 ? 0 : t > 1 ? 1 : t);
}

/* Encoding of a row in the texture of values: see paint_at in glsl.c. */
mote_status mo_values_upload(mo_renderer *renderer, mo_rows *rows, const float *values,
                             const uint8_t *paint, int64_t count, mote_error *error)
{
    void *block;
    MO_TRY(mo_scratch(renderer, 4 * mo_rows_padded(count), &block, error));
    float *encoded = block;
    for (int64_t i = 0; i < count; ++i) {
        encoded[i] = paint && paint[i] ? (float)(1 + paint[i])
                     : values          ? map_coordinate(renderer->look, values[i])
                                       : -2;
    }
    return mo_rows_upload(rows, encoded, count, 1, false, "values", error);
}

static bool is_oriented(const mo_renderer *renderer)
{
    return renderer->picture->q && (renderer->look->particles == MO_PARTICLES_AXES ||
                                    renderer->look->particles == MO_PARTICLES_DISCS ||
                                    renderer->look->particles == MO_PARTICLES_CROSSES ||
                                    renderer->look->particles == MO_PARTICLES_STROKES ||
                                    renderer->look->particles == MO_PARTICLES_HEXAGONS ||
                                    renderer->look->particles == MO_PARTICLES_WIRE_DISCS ||
                                    renderer->look->particles == MO_PARTICLES_WIRE_HEXAGONS ||
                                    renderer->look->particles == MO_PARTICLES_CUBES);
}

mote_status mo_particles_upload(mo_renderer *renderer, mote_error *error)
{
    const mo_picture *picture = renderer->picture;
    if (picture->count == 0) {
        return MOTE_OK;
    }
    MO_TRY(upload_positions(renderer, error));
    if (is_oriented(renderer)) {
        MO_TRY(upload_turns(renderer, error));
    }
    if (picture->values || picture->paint) {
        MO_TRY(mo_values_upload(renderer, &renderer->values, picture->values, picture->paint,
                                picture->count, error));
    }
    return MOTE_OK;
}

static mo_things things_of(const mo_renderer *renderer)
{
    const mo_look *look = renderer->look;
    bool painted = renderer->picture->values || renderer->picture->paint;
    return (mo_things){.positions = &renderer->positions,
                       .turns = is_oriented(renderer) ? &renderer->turns : NULL,
                       .values = painted ? &renderer->values : NULL,
                       .count = renderer->picture->count,
                       .color = {look->color[0], look->color[1], look->color[2]}};
}

static void draw_marks(const mo_things *things, GLuint program, bool hexagon, bool wire)
{
    mo_use(program);
    mo_rows_bind(things->positions, MO_UNIT_POSITIONS);
    if (things->turns) {
        mo_rows_bind(things->turns, MO_UNIT_TURNS);
    }
    if (things->values) {
        mo_rows_bind(things->values, MO_UNIT_VALUES);
    }
    mo_uniform_int(program, "turning", things->turns ? 1 : 0);
    mo_uniform_int(program, "hexagon", hexagon);
    mo_uniform_int(program, "wire", wire);
    mo_uniform_color(program, "plain", things->color, things->values ? 1 : 0);
    mo_draw_vertices(GL_TRIANGLES, 6 * things->count);
}

void mo_particles_draw(mo_renderer *renderer, mo_pass pass)
{
    mo_things things = things_of(renderer);
    const mo_programs *programs = &renderer->programs;
    mo_particle_style style = renderer->look->particles;
    if (things.count == 0) {
        return;
    }
    switch (style) {
    case MO_PARTICLES_SPHERES:
        mo_spheres_draw(renderer, &things, pass);
        break;
    case MO_PARTICLES_SMOOTH_SPHERES:
        if (pass == MO_PASS_COLOR) {
            mo_spheres_draw_smooth(renderer, &things);
        } else {
            mo_spheres_draw(renderer, &things, pass);
        }
        break;
    case MO_PARTICLES_STROKES:
        if (pass == MO_PASS_COLOR) {
            mo_strokes_draw(renderer, &things);
        }
        break;
    case MO_PARTICLES_CUBES:
        mo_boxes_draw(renderer, &things, pass);
        break;
    case MO_PARTICLES_DISCS:
    case MO_PARTICLES_HEXAGONS:
    case MO_PARTICLES_WIRE_DISCS:
    case MO_PARTICLES_WIRE_HEXAGONS:
        draw_marks(&things, pass == MO_PASS_COLOR ? programs->mark : programs->mark_depth,
                   style == MO_PARTICLES_HEXAGONS || style == MO_PARTICLES_WIRE_HEXAGONS,
                   style == MO_PARTICLES_WIRE_DISCS || style == MO_PARTICLES_WIRE_HEXAGONS);
        break;
    case MO_PARTICLES_AXES:
    case MO_PARTICLES_CROSSES:
        if (pass == MO_PASS_COLOR) {
            mo_lines_draw_axes(renderer, &things, renderer->look->line_width,
                               style == MO_PARTICLES_CROSSES);
        }
        break;
    default:
        break;
    }
}

void mo_particles_draw_lights(mo_renderer *renderer)
{
    const mo_look *look = renderer->look;
    mo_things things = things_of(renderer);
    if (things.count == 0 ||
        (look->particles != MO_PARTICLES_POINTS && look->particles != MO_PARTICLES_STARS)) {
        return;
    }
    GLuint program = renderer->programs.spot;
    bool star = look->particles == MO_PARTICLES_STARS;
    mo_use(program);
    mo_rows_bind(things.positions, MO_UNIT_POSITIONS);
    if (things.values) {
        mo_rows_bind(things.values, MO_UNIT_VALUES);
    }
    mo_uniform_float(program, "diameter", look->point_size * (star ? 3 : 1));
    mo_uniform_float(program, "glow", look->glow);
    mo_uniform_int(program, "star", star);
    mo_uniform_color(program, "plain", things.color, things.values ? 1 : 0);
    mo_begin_added();
    mo_draw_vertices(GL_POINTS, things.count);
}
