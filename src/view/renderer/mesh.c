/*
 * Triangles: those between particles and those of a surface with its own vertices. Flat ones take
 * their normal from how the place changes from pixel to pixel; smooth ones from the vertices,
 * averaged by area; edges are found by barycentric coordinates, so that wires have a width in
 * pixels.
 */
#include "view/gl/glsl.h"
#include "view/renderer/parts.h"

#include <string.h>

/* clang-format off */
static const char VERTEX[] = MO_GLSL(
    uniform int smoothness;
    out vec3 place;
    out vec3 normal;
    out vec3 share; /* barycentric */
    out vec2 value; /* place in the colour map; known? */
    void main()
    {
        int v = index_of(gl_VertexID);
        int k = gl_VertexID % 3;
        place = (view * vec4(row_of(positions, v).xyz, 1.0)).xyz;
        normal = smoothness > 0 ? (view * vec4(row_of(normals, v).xyz, 0.0)).xyz : vec3(0.0);
        share = vec3(k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0);
        float t = plain.w > 0.5 ? row_of(values, v).r : 0.0;
        value = vec2(max(t, 0.0), t < 0.0 ? 0.0 : 1.0);
        gl_Position = projection * vec4(place, 1.0);
    }
);

static const char DEPTH[] = MO_GLSL(
    void main() {}
);

static const char COLOR[] = MO_GLSL(
    uniform sampler2D map;
    uniform vec4 plain;
    uniform vec4 edge; /* and the wires' width, 0: none */
    uniform int smoothness;
    uniform int wire;
    uniform float gloss;
    in vec3 place;
    in vec3 normal;
    in vec3 share;
    in vec2 value;
    /* how much of the pixel is within the wire along the nearest edge */
    float wired()
    {
        vec3 dx = dFdx(share);
        vec3 dy = dFdy(share);
        vec3 away = share / max(sqrt(dx * dx + dy * dy), vec3(1e-9));
        return clamp(0.5 * edge.w - min(away.x, min(away.y, away.z)) + 0.5, 0.0, 1.0);
    }
    void main()
    {
        float cover = edge.w > 0.0 ? wired() : 0.0;
        vec3 flatly = normalize(cross(dFdx(place), dFdy(place)));
        if (wire > 0 && cover < (unknown.w > 0.5 ? 0.1 : 0.5)) {
            discard;
        }
        vec3 albedo = plain.w < 0.5 ? plain.rgb : texture(map, vec2((value.x * 255.0 + 0.5) / 256.0, 0.5)).rgb;
        albedo = value.y < 0.999 ? unknown.rgb : albedo;
        if (wire > 0) {
            color = vec4(albedo, cover);
            return;
        }
        vec3 n = smoothness > 0 && dot(normal, normal) > 1e-12 ? normalize(normal) : flatly;
        /* to the side that is seen, by the triangle: a smooth normal may lean away behind an
         * edge */
        n = dot(n, flatly) < 0.0 ? -n : n;
        color = vec4(mix(shade(albedo, n, place, gloss), edge.rgb, 0.85 * cover), 1.0);
    }
);
/* clang-format on */

mote_status mo_meshes_build(mo_renderer *renderer, mote_error *error)
{
    static const char *const vertex[] = {mo_glsl_frame, mo_glsl_rows, VERTEX, NULL};
    static const char *const depth[] = {DEPTH, NULL};
    static const char *const color[] = {mo_glsl_frame, mo_glsl_shadow, mo_glsl_light, COLOR, NULL};
    MO_TRY(mo_program_build(&renderer->programs.mesh_depth, "depth of triangles", vertex, depth,
                            error));
    return mo_program_build(&renderer->programs.mesh, "triangles", vertex, color, error);
}

/* Adds each triangle's normal times twice its area to its corners. */
static void add_normals(const mo_picture *picture, float *normals)
{
    for (int64_t t = 0; t < picture->triangle_count; ++t) {
        const int32_t *v = picture->triangles + 3 * t;
        mo_vec3 a = mo_vec3_load(picture->x + 3 * (int64_t)v[0]);
        mo_vec3 ab = mo_sub(mo_vec3_load(picture->x + 3 * (int64_t)v[1]), a);
        mo_vec3 ac = mo_sub(mo_vec3_load(picture->x + 3 * (int64_t)v[2]), a);
        mo_vec3 n = mo_cross(ab, ac);
        for (int k = 0; k < 3; ++k) {
            normals[4 * (int64_t)v[k]] += (float)n.x;
            normals[4 * (int64_t)v[k] + 1] += (float)n.y;
            normals[4 * (int64_t)v[k] + 2] += (float)n.z;
        }
    }
}

static void make_unit(float *normals, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        mo_vec3 n = mo_vec3_make(normals[4 * i], normals[4 * i + 1], normals[4 * i + 2]);
        n = mo_unit(n, mo_vec3_make(0, 0, 0));
        normals[4 * i] = (float)n.x;
        normals[4 * i + 1] = (float)n.y;
        normals[4 * i + 2] = (float)n.z;
    }
}

static mote_status upload_triangles(mo_renderer *renderer, mote_error *error)
{
    const mo_picture *picture = renderer->picture;
    MO_TRY(mo_indices_upload(renderer, &renderer->triangles.triangles, picture->triangles,
                             3 * picture->triangle_count, picture->count, "triangles", error));
    if (renderer->look->triangles != MO_MESH_SMOOTH) {
        return MOTE_OK;
    }
    void *block;
    int64_t room = 16 * mo_rows_room(picture->count);
    MO_TRY(mo_scratch(renderer, room, &block, error));
    memset(block, 0, (size_t)room);
    add_normals(picture, block);
    make_unit(block, picture->count);
    return mo_rows_upload(&renderer->triangles.normals, block, picture->count, 4, false, "normals",
                          error);
}

/* Three numbers a row become four. */
static mote_status upload_triples(mo_renderer *renderer, mo_rows *rows, const float *from,
                                  int64_t count, mo_vec3 shift, const char *what, mote_error *error)
{
    void *block;
    MO_TRY(mo_scratch(renderer, 16 * mo_rows_room(count), &block, error));
    float *to = block;
    for (int64_t i = 0; i < count; ++i) {
        to[4 * i] = (float)(from[3 * i] + shift.x);
        to[4 * i + 1] = (float)(from[3 * i + 1] + shift.y);
        to[4 * i + 2] = (float)(from[3 * i + 2] + shift.z);
        to[4 * i + 3] = 0;
    }
    return mo_rows_upload(rows, to, count, 4, false, what, error);
}

static mote_status upload_surface(mo_renderer *renderer, const mo_surface_view *surface,
                                  mo_drawn_mesh *mesh, mote_error *error)
{
    mo_vec3 shift = mo_sub(surface->origin, renderer->center);
    MO_TRY(mo_indices_upload(renderer, &mesh->triangles, surface->triangles,
                             3 * surface->triangle_count, surface->vertex_count,
                             "triangles of the surface", error));
    MO_TRY(upload_triples(renderer, &mesh->positions, surface->vertices, surface->vertex_count,
                          shift, "vertices of the surface", error));
    if (surface->normals) {
        MO_TRY(upload_triples(renderer, &mesh->normals, surface->normals, surface->vertex_count,
                              mo_vec3_make(0, 0, 0), "normals of the surface", error));
    }
    if (surface->values) {
        MO_TRY(mo_values_upload(renderer, &mesh->values, surface->values, surface->vertex_count,
                                error));
    }
    return MOTE_OK;
}

static bool has_triangles(const mo_renderer *renderer)
{
    return renderer->look->triangles != MO_MESH_NONE && renderer->picture->triangle_count > 0;
}

static bool has_surface(const mo_renderer *renderer)
{
    return renderer->look->surface != MO_MESH_NONE && renderer->picture->surface.triangle_count > 0;
}

static bool has_hull(const mo_renderer *renderer, int kind)
{
    return renderer->look->solids && renderer->picture->hulls[kind].triangle_count > 0;
}

mote_status mo_meshes_upload(mo_renderer *renderer, mote_error *error)
{
    if (has_triangles(renderer)) {
        MO_TRY(upload_triangles(renderer, error));
    }
    for (int k = 0; k < MO_HULL_KINDS; ++k) {
        if (has_hull(renderer, k)) {
            MO_TRY(
                upload_surface(renderer, &renderer->picture->hulls[k], &renderer->hulls[k], error));
        }
    }
    return has_surface(renderer)
               ? upload_surface(renderer, &renderer->picture->surface, &renderer->surface, error)
               : MOTE_OK;
}

/* One mesh to be drawn. */
typedef struct draw_order {
    const mo_rows *positions, *normals, *values, *triangles; /* normals, values: may be NULL */
    int64_t count;
    mo_mesh_style style;
    const float *color;
    double gloss;
} draw_order;

static void draw(mo_renderer *renderer, const draw_order *order, mo_pass pass)
{
    const mo_look *look = renderer->look;
    bool wire = order->style == MO_MESH_WIRE;
    if (wire && pass != MO_PASS_COLOR) {
        return;
    }
    GLuint program =
        pass == MO_PASS_COLOR ? renderer->programs.mesh : renderer->programs.mesh_depth;
    mo_use(program);
    mo_rows_bind(order->positions, MO_UNIT_POSITIONS);
    mo_rows_bind(order->triangles, MO_UNIT_INDICES);
    if (order->normals) {
        mo_rows_bind(order->normals, MO_UNIT_NORMALS);
    }
    if (order->values) {
        mo_rows_bind(order->values, MO_UNIT_VALUES);
    }
    mo_uniform_int(program, "smoothness", order->style == MO_MESH_SMOOTH && order->normals);
    mo_uniform_int(program, "wire", wire);
    mo_uniform_float(program, "gloss", order->gloss);
    mo_uniform_color(program, "plain", order->color, order->values ? 1 : 0);
    mo_uniform_color(program, "edge", look->edge_color,
                     wire          ? look->line_width
                     : look->edges ? 0.6 * look->line_width
                                   : 0);
    mo_draw_vertices(GL_TRIANGLES, 3 * order->count);
}

static void draw_hulls(mo_renderer *renderer, mo_pass pass)
{
    for (int k = 0; k < MO_HULL_KINDS; ++k) {
        if (has_hull(renderer, k)) {
            draw_order order = {&renderer->hulls[k].positions,
                                &renderer->hulls[k].normals,
                                NULL,
                                &renderer->hulls[k].triangles,
                                renderer->picture->hulls[k].triangle_count,
                                k == MO_HULL_SOLID ? MO_MESH_SMOOTH : MO_MESH_WIRE,
                                renderer->look->solid_color,
                                0.1};
            draw(renderer, &order, pass);
        }
    }
}

void mo_meshes_draw(mo_renderer *renderer, mo_pass pass)
{
    const mo_picture *picture = renderer->picture;
    const mo_drawn_mesh *own = &renderer->triangles, *surface = &renderer->surface;
    draw_hulls(renderer, pass);
    if (has_triangles(renderer)) {
        draw_order order = {&renderer->positions,
                            &own->normals,
                            picture->values ? &renderer->values : NULL,
                            &own->triangles,
                            picture->triangle_count,
                            renderer->look->triangles,
                            renderer->look->triangle_color,
                            0.02};
        draw(renderer, &order, pass);
    }
    if (has_surface(renderer)) {
        draw_order order = {&surface->positions,
                            picture->surface.normals ? &surface->normals : NULL,
                            picture->surface.values ? &surface->values : NULL,
                            &surface->triangles,
                            picture->surface.triangle_count,
                            renderer->look->surface,
                            renderer->look->surface_color,
                            0.25};
        draw(renderer, &order, pass);
    }
}

void mo_meshes_release(mo_renderer *renderer)
{
    mo_drawn_mesh *meshes[] = {&renderer->triangles, &renderer->surface,
                               &renderer->hulls[MO_HULL_SOLID], &renderer->hulls[MO_HULL_HOLLOW]};
    for (size_t k = 0; k < sizeof meshes / sizeof *meshes; ++k) {
        mo_rows_release(&meshes[k]->positions);
        mo_rows_release(&meshes[k]->normals);
        mo_rows_release(&meshes[k]->values);
        mo_rows_release(&meshes[k]->triangles);
    }
}
