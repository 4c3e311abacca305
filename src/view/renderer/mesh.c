/*
 * Triangles between particles, and of surfaces with their own vertices. Flat shading takes the
 * normal from screen-space derivatives of the position. Smooth triangles between particles have one
 * normal per corner, averaged over the neighbouring triangles within the crease angle, so that a
 * coarse mesh keeps its edges. Edges are found by barycentric coordinates, so that wires have a
 * width in pixels.
 */
#include "view/gl/glsl.h"
#include "view/renderer/parts.h"

#include <math.h>
#include <string.h>

/* clang-format off */
static const char VERTEX[] = MO_GLSL(
    uniform int smoothness; /* 0: flat; 1: a normal per vertex; 2: per corner */
    out vec3 position;
    out vec3 normal;
    out vec3 share; /* barycentric */
    out vec2 value; /* coordinate in the colour map; 1 if known */
    flat out vec4 painted; /* the colour and material of a paint; material -2: by value */
    uniform float reach_unit;
    flat out float reach; /* of light in a liquid */
    void main()
    {
        int v = index_of(gl_VertexID);
        int k = gl_VertexID % 3;
        position = (view * vec4(row_of(positions, v).xyz, 1.0)).xyz;
        int corner = smoothness == 2 ? gl_VertexID : v;
        normal = smoothness > 0 ? (view * vec4(row_of(normals, corner).xyz, 0.0)).xyz : vec3(0.0);
        share = vec3(k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0);
        float t = plain.w > 0.5 ? row_of(values, v).r : 0.0;
        value = vec2(clamp(t, 0.0, 1.0), t < 0.0 ? 0.0 : 1.0);
        bool by_value = plain.w > 0.5 && t > -1.5 && t < 1.5;
        painted = by_value ? vec4(0.0, 0.0, 0.0, -2.0) : plain.w > 0.5 ? paint_at(t) : vec4(plain.rgb, -1.0);
        float far = t > 1.5 ? texelFetch(map, ivec2(int(t + 0.5) - 2, 2), 0).a : 0.5;
        reach = reach_unit * exp2((floor(far * 255.0 + 0.5) - 128.0) / 8.0);
        gl_Position = projection * vec4(position, 1.0);
    }
);

static const char DEPTH[] = MO_GLSL(
    void main() {}
);

static const char SURFACE[] = MO_GLSL(
    uniform sampler2D map;
    in vec3 position;
    in vec3 normal;
    in vec3 share;
    in vec2 value;
    flat in vec4 painted;
    vec4 albedo_here()
    {
        vec3 by_value = texture(map, vec2((value.x * 255.0 + 0.5) / 256.0, 1.0 / 6.0)).rgb;
        by_value = value.y < 0.999 ? unknown.rgb : by_value;
        return painted.w > -1.5 ? painted : vec4(by_value, -1.0);
    }
    /* towards the visible side of the triangle: a smooth normal may point away from the eye at
     * silhouettes */
    vec3 facing_normal(int smoothness)
    {
        vec3 flatly = normalize(cross(dFdx(position), dFdy(position)));
        vec3 n = smoothness > 0 && dot(normal, normal) > 1e-12 ? normalize(normal) : flatly;
        return dot(n, flatly) < 0.0 ? -n : n;
    }
);

static const char CLEAR[] = MO_GLSL(
    uniform int smoothness;
    flat in float reach;
    void main()
    {
        vec4 albedo = albedo_here();
        vec3 n = facing_normal(smoothness);
        bool back = dot(n, normal) < 0.0;
        peel(gl_FragCoord.z);
        color = albedo.w > 3.5 ? liquid_shade(albedo.rgb, albedo.w, reach, n, position, !gl_FrontFacing)
                               : clear_shade(albedo.rgb, n, position, max(albedo.w, 3.0), back);
    }
);

/* The length of a ray in liquids: the distances of the faces where it leaves them minus those where
 * it enters, up to the nearest opaque surface; and the number of faces where it left minus that of
 * faces where it entered, 1 for an eye in a liquid. Distances are relative to range.w, since half
 * precision has eleven bits. */
static const char THICKNESS[] = MO_GLSL(
    uniform sampler2D depth;
    in vec3 position;
    out vec4 color;
    void main()
    {
        float d = 2.0 * texelFetch(depth, ivec2(gl_FragCoord.xy), 0).r - 1.0;
        float z = (projection[3][3] * d - projection[3][2]) / (projection[2][2] - projection[2][3] * d);
        float way = (parallel() ? -position.z : length(position)) * min(1.0, z / position.z) - range.w;
        color = gl_FrontFacing ? vec4(-way, -1.0, 0.0, 0.0) : vec4(way, 1.0, 0.0, 0.0);
    }
);

static const char COLOR[] = MO_GLSL(
    uniform vec4 edge; /* and the width of wires, 0: none */
    uniform int smoothness;
    uniform int wire;
    uniform float gloss;
    uniform int patterned;
    /* coverage of the pixel by the wire along the nearest edge */
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
        vec3 n = facing_normal(smoothness);
        if (wire > 0 && cover < (unknown.w > 0.5 ? 0.1 : 0.5)) {
            discard;
        }
        vec4 albedo = albedo_here();
        if (wire > 0) {
            color = vec4(albedo.rgb, cover);
            return;
        }
        float f = patterned > 0 ? pattern(position) : 1.0;
        vec3 lit = shade_as(albedo.rgb * (0.2 + 0.8 * f), n, position, gloss, albedo.w);
        color = vec4(mix(lit, edge.rgb, 0.85 * cover), 1.0);
    }
);
/* clang-format on */

mote_status mo_meshes_build(mo_renderer *renderer, mote_error *error)
{
    static const char *const vertex[] = {mo_glsl_frame, mo_glsl_rows, VERTEX, NULL};
    static const char *const depth[] = {DEPTH, NULL};
    static const char *const color[] = {
        mo_glsl_frame, mo_glsl_shadow, mo_glsl_light, mo_glsl_texture, SURFACE, COLOR, NULL};
    static const char *const clear[] = {
        mo_glsl_frame,  mo_glsl_shadow, mo_glsl_light, mo_glsl_clear,
        mo_glsl_liquid, SURFACE,        CLEAR,         NULL};
    static const char *const thickness[] = {mo_glsl_frame, THICKNESS, NULL};
    MO_TRY(mo_program_build(&renderer->programs.mesh_thickness, "thickness of liquids", vertex,
                            thickness, error));
    MO_TRY(mo_program_build(&renderer->programs.mesh_clear, "transparent triangles", vertex, clear,
                            error));
    MO_TRY(mo_program_build(&renderer->programs.mesh_depth, "depth of triangles", vertex, depth,
                            error));
    return mo_program_build(&renderer->programs.mesh, "triangles", vertex, color, error);
}

/* Dihedral angles up to SMOOTH are smoothed, those from SHARP on are edges; the weight is
 * blended in between, so that shading is continuous while a body bends. Cosines of 35 and 55
 * degrees. */
static const double SMOOTH = 0.8191520442889918, SHARP = 0.573576436351046;

/* The triangles around each vertex: those of vertex v are list[start[v]] to list[start[v + 1]]. */
typedef struct fans {
    int32_t *start, *list;
} fans;

static void find_fans(const int32_t *triangles, int64_t triangle_count, int64_t count, fans *f)
{
    memset(f->start, 0, (size_t)(count + 2) * sizeof *f->start);
    for (int64_t c = 0; c < 3 * triangle_count; ++c) {
        f->start[triangles[c] + 2]++;
    }
    for (int64_t v = 0; v < count; ++v) {
        f->start[v + 2] += f->start[v + 1];
    }
    for (int64_t c = 0; c < 3 * triangle_count; ++c) {
        f->list[f->start[triangles[c] + 1]++] = (int32_t)(c / 3);
    }
}

/* Normals of the triangles times twice their areas. */
static mo_vec3 area_normal(const mo_picture *picture, const int32_t *v)
{
    mo_vec3 a = mo_vec3_load(picture->x + 3 * (int64_t)v[0]);
    mo_vec3 ab = mo_sub(mo_vec3_load(picture->x + 3 * (int64_t)v[1]), a);
    mo_vec3 ac = mo_sub(mo_vec3_load(picture->x + 3 * (int64_t)v[2]), a);
    return mo_cross(ab, ac);
}

/* The area-weighted mean of the normals around a corner within the crease angle of the corner's
 * triangle. */
static mo_vec3 corner_normal(const mo_vec3 *normal, const fans *f, int32_t vertex, int64_t triangle)
{
    mo_vec3 own = mo_unit(normal[triangle], mo_vec3_make(0, 0, 0)), sum = {0, 0, 0};
    for (int32_t k = f->start[vertex]; k < f->start[vertex + 1]; ++k) {
        mo_vec3 n = normal[f->list[k]];
        double length = mo_length(n), c = length > 0 ? mo_dot(own, n) / length : 0;
        double w = fmin(fmax((c - SHARP) / (SMOOTH - SHARP), 0), 1);
        sum = mo_add_scaled(sum, w, n);
    }
    return mo_unit(sum, own);
}

/* A normal for each corner of `triangles`. */
static mote_status upload_corner_normals(mo_renderer *renderer, const int32_t *triangles,
                                         mote_error *error)
{
    const mo_picture *picture = renderer->picture;
    int64_t count = picture->triangle_count, rows = 4 * mo_rows_padded(3 * count);
    int64_t bytes = (int64_t)sizeof(float) * rows + (int64_t)sizeof(mo_vec3) * count +
                    (int64_t)sizeof(int32_t) * (picture->count + 2 + 3 * count);
    void *block;
    MO_TRY(mo_allocate_array(&renderer->memory, bytes, 1, &block, error));
    mo_vec3 *normal = block;
    float *out = (float *)(normal + count);
    fans f = {.start = (int32_t *)(out + rows)};
    f.list = f.start + picture->count + 2;
    find_fans(triangles, count, picture->count, &f);
    for (int64_t t = 0; t < count; ++t) {
        normal[t] = area_normal(picture, triangles + 3 * t);
    }
    for (int64_t c = 0; c < 3 * count; ++c) {
        mo_vec3 n = corner_normal(normal, &f, triangles[c], c / 3);
        out[4 * c] = (float)n.x;
        out[4 * c + 1] = (float)n.y;
        out[4 * c + 2] = (float)n.z;
        out[4 * c + 3] = 0;
    }
    mote_status status =
        mo_rows_upload(&renderer->triangles.normals, out, 3 * count, 4, false, "normals", error);
    mo_release(&renderer->memory, block);
    return status;
}

enum { OPAQUE, GLASS, LIQUID, KINDS };

static int kind_of(const mo_picture *picture, const uint8_t *paint, int64_t vertex)
{
    int number = paint ? paint[vertex] : 0;
    if (number <= 0 || number > picture->paint_count) {
        return OPAQUE;
    }
    mo_material material = picture->paints[number - 1].material;
    return mo_material_liquid(material) ? LIQUID : mo_material_clear(material) ? GLASS : OPAQUE;
}

/* Copies the triangles, opaque ones first, then glass, then liquids, with their numbers. */
static void sort_triangles(const mo_picture *picture, const uint8_t *paint, const int32_t *from,
                           int64_t count, int64_t vertices, int32_t *to, mo_drawn_mesh *mesh)
{
    int64_t at = 0, end[KINDS];
    for (int kind = 0; kind < KINDS; ++kind) {
        for (int64_t t = 0; t < count; ++t) {
            int32_t v = from[3 * t];
            bool known = v >= 0 && v < vertices; /* invalid ones are rejected later */
            if ((known ? kind_of(picture, paint, v) : OPAQUE) == kind) {
                memcpy(to + 3 * at++, from + 3 * t, 3 * sizeof *to);
            }
        }
        end[kind] = at;
    }
    mesh->opaque = end[OPAQUE];
    mesh->dry = end[GLASS];
}

static mote_status upload_sorted(mo_renderer *renderer, const uint8_t *paint, const int32_t *from,
                                 int64_t count, int64_t vertices, const char *what,
                                 mo_drawn_mesh *mesh, int32_t **sorted, mote_error *error)
{
    void *block;
    MO_TRY(mo_allocate_array(&renderer->memory, 3 * count, sizeof(int32_t), &block, error));
    sort_triangles(renderer->picture, paint, from, count, vertices, block, mesh);
    mote_status status =
        mo_indices_upload(renderer, &mesh->triangles, block, 3 * count, vertices, what, error);
    *sorted = block;
    return status;
}

static mote_status upload_triangles(mo_renderer *renderer, mote_error *error)
{
    const mo_picture *picture = renderer->picture;
    int32_t *sorted = NULL;
    mote_status status =
        upload_sorted(renderer, picture->paint, picture->triangles, picture->triangle_count,
                      picture->count, "triangles", &renderer->triangles, &sorted, error);
    if (status == MOTE_OK && renderer->look->triangles == MO_MESH_SMOOTH) {
        status = upload_corner_normals(renderer, sorted, error);
    }
    mo_release(&renderer->memory, sorted);
    return status;
}

/* Three components per row become four. */
static mote_status upload_triples(mo_renderer *renderer, mo_rows *rows, const float *from,
                                  int64_t count, mo_vec3 shift, const char *what, mote_error *error)
{
    void *block;
    MO_TRY(mo_scratch(renderer, 16 * mo_rows_padded(count), &block, error));
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
    int32_t *sorted = NULL;
    mote_status status =
        upload_sorted(renderer, surface->paint, surface->triangles, surface->triangle_count,
                      surface->vertex_count, "triangles of the surface", mesh, &sorted, error);
    mo_release(&renderer->memory, sorted);
    MO_TRY(status);
    MO_TRY(upload_triples(renderer, &mesh->positions, surface->vertices, surface->vertex_count,
                          shift, "vertices of the surface", error));
    if (surface->normals) {
        MO_TRY(upload_triples(renderer, &mesh->normals, surface->normals, surface->vertex_count,
                              mo_vec3_make(0, 0, 0), "normals of the surface", error));
    }
    return surface->values || surface->paint
               ? mo_values_upload(renderer, &mesh->values, surface->values, surface->paint,
                                  surface->vertex_count, error)
               : MOTE_OK;
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
    const mo_rows *positions, *normals, *values; /* normals, values: may be NULL */
    const mo_drawn_mesh *mesh;
    int64_t count;
    int smoothness;
    mo_mesh_style style;
    const float *color;
    double gloss;
    bool patterned;    /* with the texture */
    double reach_unit; /* the unit of the depths of paints [m] */
} draw_order;

/* Draws a range of an order's triangles: vertex indices are absolute. */
static void draw_range(const draw_order *order, GLuint program, int64_t first, int64_t count)
{
    mo_use(program);
    mo_rows_bind(order->positions, MO_UNIT_POSITIONS);
    mo_rows_bind(&order->mesh->triangles, MO_UNIT_INDICES);
    if (order->normals) {
        mo_rows_bind(order->normals, MO_UNIT_NORMALS);
    }
    if (order->values) {
        mo_rows_bind(order->values, MO_UNIT_VALUES);
    }
    bool smooth = order->style == MO_MESH_SMOOTH && order->normals;
    mo_uniform_int(program, "smoothness", smooth ? order->smoothness : 0);
    mo_uniform_float(program, "reach_unit", order->reach_unit);
    mo_uniform_color(program, "plain", order->color, order->values ? 1 : 0);
    if (count > 0) {
        glDrawArrays(GL_TRIANGLES, (GLint)(3 * first), (GLsizei)(3 * count));
    }
}

static void draw_opaque(mo_renderer *renderer, const draw_order *order, mo_pass pass)
{
    const mo_look *look = renderer->look;
    bool wire = order->style == MO_MESH_WIRE;
    if (wire && pass != MO_PASS_COLOR) {
        return;
    }
    GLuint program =
        pass == MO_PASS_COLOR ? renderer->programs.mesh : renderer->programs.mesh_depth;
    mo_use(program);
    mo_uniform_int(program, "wire", wire);
    mo_uniform_float(program, "gloss", order->gloss);
    mo_uniform_int(program, "patterned", order->patterned);
    mo_uniform_color(program, "edge", look->edge_color,
                     wire          ? look->line_width
                     : look->edges ? 0.6 * look->line_width
                                   : 0);
    draw_range(order, program, 0, wire ? order->count : order->mesh->opaque);
}

/* The meshes of the picture as orders. */
enum { ORDERS_MAX = MO_HULL_KINDS + 2 };

static draw_order order_of(const mo_surface_view *view, const mo_drawn_mesh *mesh,
                           mo_mesh_style style, const float *color, double gloss)
{
    return (draw_order){&mesh->positions,
                        view->normals ? &mesh->normals : NULL,
                        view->values || view->paint ? &mesh->values : NULL,
                        mesh,
                        view->triangle_count,
                        1,
                        style,
                        color,
                        gloss,
                        true,
                        0};
}

static int list_orders(const mo_renderer *renderer, draw_order *orders)
{
    const mo_picture *picture = renderer->picture;
    const mo_look *look = renderer->look;
    int count = 0;
    for (int k = 0; k < MO_HULL_KINDS; ++k) {
        if (has_hull(renderer, k)) {
            orders[count++] =
                order_of(&picture->hulls[k], &renderer->hulls[k],
                         k == MO_HULL_WIRE ? MO_MESH_WIRE : MO_MESH_SMOOTH, look->solid_color, 0.1);
            orders[count - 1].patterned = false; /* colliders */
        }
    }
    if (has_triangles(renderer)) {
        bool painted = picture->values || picture->paint;
        orders[count++] = (draw_order){&renderer->positions,
                                       &renderer->triangles.normals,
                                       painted ? &renderer->values : NULL,
                                       &renderer->triangles,
                                       picture->triangle_count,
                                       2,
                                       look->triangles,
                                       look->triangle_color,
                                       0.02,
                                       true,
                                       0};
    }
    if (has_surface(renderer)) {
        orders[count++] = order_of(&picture->surface, &renderer->surface, look->surface,
                                   look->surface_color, 0.25);
    }
    for (int k = 0; k < count; ++k) {
        orders[k].reach_unit = renderer->radius;
    }
    return count;
}

void mo_meshes_draw(mo_renderer *renderer, mo_pass pass)
{
    draw_order orders[ORDERS_MAX];
    int count = list_orders(renderer, orders);
    for (int k = 0; k < count; ++k) {
        draw_opaque(renderer, &orders[k], pass);
    }
}

/* The glass, the liquids, or both of an order. */
static int64_t clear_range(const draw_order *order, mo_clear_kind kind, int64_t *count)
{
    int64_t first = kind == MO_CLEAR_LIQUID ? order->mesh->dry : order->mesh->opaque;
    int64_t end = kind == MO_CLEAR_GLASS ? order->mesh->dry : order->count;
    *count = order->style == MO_MESH_WIRE ? 0 : end - first;
    return first;
}

bool mo_meshes_have_clear(const mo_renderer *renderer, mo_clear_kind kind)
{
    draw_order orders[ORDERS_MAX];
    int count = list_orders(renderer, orders);
    bool clear = false;
    for (int k = 0; k < count; ++k) {
        int64_t triangles;
        clear_range(&orders[k], kind, &triangles);
        clear = clear || triangles > 0;
    }
    return clear;
}

static void draw_clear(mo_renderer *renderer, mo_clear_kind kind, GLuint program)
{
    draw_order orders[ORDERS_MAX];
    int count = list_orders(renderer, orders);
    for (int k = 0; k < count; ++k) {
        int64_t triangles, first = clear_range(&orders[k], kind, &triangles);
        if (triangles > 0) {
            draw_range(&orders[k], program, first, triangles);
        }
    }
}

void mo_meshes_draw_clear(mo_renderer *renderer, mo_clear_kind kind)
{
    draw_clear(renderer, kind, renderer->programs.mesh_clear);
}

void mo_meshes_draw_liquid(mo_renderer *renderer, bool thickness)
{
    draw_clear(renderer, MO_CLEAR_LIQUID,
               thickness ? renderer->programs.mesh_thickness : renderer->programs.mesh_depth);
}

void mo_meshes_release(mo_renderer *renderer)
{
    mo_drawn_mesh *meshes[] = {&renderer->triangles, &renderer->surface,
                               &renderer->hulls[MO_HULL_SOLID], &renderer->hulls[MO_HULL_WIRE],
                               &renderer->hulls[MO_HULL_GLASS]};
    for (size_t k = 0; k < sizeof meshes / sizeof *meshes; ++k) {
        mo_rows_release(&meshes[k]->positions);
        mo_rows_release(&meshes[k]->normals);
        mo_rows_release(&meshes[k]->values);
        mo_rows_release(&meshes[k]->triangles);
    }
}
