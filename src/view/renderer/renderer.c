#include "view/renderer/renderer.h"

#include "view/gl/gl_context.h"
#include "view/picture/pick.h"
#include "view/renderer/parts.h"

/* number of particles from which occlusion culling pays for its depth pass */
enum { MANY = 2000 };

mote_status mo_scratch(mo_renderer *renderer, int64_t bytes, void **block, mote_error *error)
{
    MO_TRY(
        mo_grow(&renderer->memory, &renderer->scratch, &renderer->scratch_bytes, bytes, 1, error));
    *block = renderer->scratch;
    return MOTE_OK;
}

void mo_frame_upload(const mo_renderer *renderer)
{
    glBindBuffer(GL_UNIFORM_BUFFER, renderer->frame_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof renderer->frame, &renderer->frame, GL_DYNAMIC_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, renderer->frame_buffer);
}

void mo_use(GLuint program)
{
    glUseProgram(program);
}

void mo_draw_vertices(GLenum mode, int64_t count)
{
    /* largest draw call of all drivers; a multiple of 6, 18 and 36 */
    const int64_t most = INT32_MAX / 36 * 36;
    glDrawArrays(mode, 0, (GLsizei)(count < most ? count : most));
}

void mo_draw_screen(GLuint program)
{
    mo_use(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void mo_texture_bind(GLuint texture, mo_texture_unit unit)
{
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, texture);
}

mote_status mo_map_resize(mo_map *map, int width, int height, bool depth, mote_error *error)
{
    if (map->width == width && map->height == height) {
        return MOTE_OK;
    }
    mo_map_release(map);
    map->width = width;
    map->height = height;
    mote_status status =
        mo_texture_target(&map->framebuffer, &map->texture, width, height, depth, error);
    if (status != MOTE_OK) {
        mo_map_release(map);
    }
    return status;
}

void mo_map_release(mo_map *map)
{
    glDeleteFramebuffers(1, &map->framebuffer);
    glDeleteTextures(1, &map->texture);
    *map = (mo_map){0};
}

void mo_map_bind(const mo_map *map)
{
    glBindFramebuffer(GL_FRAMEBUFFER, map->framebuffer);
    glViewport(0, 0, map->width, map->height);
}

void mo_begin_opaque(const mo_renderer *renderer)
{
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
    if (renderer->target.samples > 1) {
        glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    }
}

void mo_begin_blended(void)
{
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

void mo_begin_added(void)
{
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
}

static mote_status build(mo_renderer *renderer, mote_error *error)
{
    glGenVertexArrays(1, &renderer->nothing);
    glGenBuffers(1, &renderer->frame_buffer);
    glGenTextures(1, &renderer->map);
    MO_TRY(mo_overlay_build(renderer, error));
    MO_TRY(mo_spheres_build(renderer, error));
    MO_TRY(mo_strokes_build(renderer, error));
    MO_TRY(mo_boxes_build(renderer, error));
    MO_TRY(mo_particles_build(renderer, error));
    MO_TRY(mo_lines_build(renderer, error));
    MO_TRY(mo_meshes_build(renderer, error));
    MO_TRY(mo_solids_build(renderer, error));
    MO_TRY(mo_peel_build(renderer, error));
    MO_TRY(mo_volume_build(renderer, error));
    return mo_occlusion_build(renderer, error);
}

mote_status mo_renderer_create(mo_renderer **renderer, mote_error *error)
{
    *renderer = NULL;
    MO_TRY(mo_gl_check_current(error));
    mo_memory memory;
    mo_memory_init(&memory, NULL);
    mo_renderer *made = mo_allocate(&memory, sizeof *made);
    if (!made) {
        return mo_fail_memory(error, sizeof *made);
    }
    made->memory = memory;
    mote_status status = build(made, error);
    if (status != MOTE_OK) {
        mo_renderer_destroy(made);
        return status;
    }
    *renderer = made;
    return MOTE_OK;
}

static void release_programs(mo_programs *programs)
{
    GLuint *all = (GLuint *)programs;
    for (size_t k = 0; k < sizeof *programs / sizeof *all; ++k) {
        glDeleteProgram(all[k]);
    }
}

void mo_renderer_destroy(mo_renderer *renderer)
{
    if (!renderer) {
        return;
    }
    mo_rows *rows[] = {&renderer->positions, &renderer->turns,        &renderer->values,
                       &renderer->springs,   &renderer->neighbors,    &renderer->balls,
                       &renderer->boxes,     &renderer->box_turns,    &renderer->box_halves,
                       &renderer->corners,   &renderer->corner_pairs, &renderer->ball_paints,
                       &renderer->box_paints};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        mo_rows_release(rows[k]);
    }
    mo_map *maps[] = {&renderer->shadow, &renderer->depth, &renderer->occlusion, &renderer->blurred,
                      &renderer->deepest};
    for (size_t k = 0; k < sizeof maps / sizeof *maps; ++k) {
        mo_map_release(maps[k]);
    }
    mo_meshes_release(renderer);
    mo_peel_release(renderer);
    mo_volume_release(renderer);
    release_programs(&renderer->programs);
    mo_target_release(&renderer->target);
    glDeleteVertexArrays(1, &renderer->nothing);
    glDeleteBuffers(1, &renderer->frame_buffer);
    glDeleteTextures(1, &renderer->map);
    glDeleteTextures(1, &renderer->overlay);
    mo_memory memory = renderer->memory;
    mo_release(&memory, renderer->scratch);
    mo_release(&memory, renderer);
}

/* The depth of a liquid's paint as a power of two of the picture's radius, in eighths. */
static uint8_t depth_code(const mo_renderer *renderer, const mo_paint *paint)
{
    const mo_picture *picture = renderer->picture;
    double depth = paint->depth > 0             ? paint->depth
                   : picture->surface.depth > 0 ? picture->surface.depth
                                                : 0.25 * renderer->radius;
    double code = 128 + 8 * log2(depth / renderer->radius);
    return (uint8_t)lrint(fmin(fmax(code, 0), 255));
}

/* A line of 256 colours, a line of the paints with their materials in the fourth channel, and a
 * line of their depths there. */
static void upload_map(const mo_renderer *renderer)
{
    const mo_picture *picture = renderer->picture;
    uint8_t table[3][256][4] = {0};
    for (int k = 0; k < 256; ++k) {
        for (int c = 0; c < 3; ++c) {
            table[0][k][c] = renderer->look->map ? renderer->look->map[3 * k + c] : (uint8_t)k;
        }
        table[0][k][3] = 255;
    }
    for (int k = 0; k < picture->paint_count && k < MO_PAINTS_MAX; ++k) {
        for (int c = 0; c < 3; ++c) {
            float level = fminf(fmaxf(picture->paints[k].color[c], 0), 1);
            table[1][k][c] = (uint8_t)lrintf(255 * level);
        }
        table[1][k][3] = (uint8_t)picture->paints[k].material;
        table[2][k][3] = depth_code(renderer, &picture->paints[k]);
    }
    mo_texture_bind(renderer->map, MO_UNIT_MAP);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, 256, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, table);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

static void set4(float *to, double a, double b, double c, double d)
{
    to[0] = (float)a;
    to[1] = (float)b;
    to[2] = (float)c;
    to[3] = (float)d;
}

/* Towards the light, in the world. */
static mo_vec3 light_direction(const mo_renderer *renderer)
{
    const mo_look *look = renderer->look;
    if (mo_length(look->light) > 0) {
        return mo_unit(look->light, mo_vec3_make(0, 0, 1));
    }
    mo_camera_axes axes = mo_camera_get_axes(renderer->camera);
    mo_vec3 up = mo_unit(renderer->camera->up, mo_vec3_make(0, 1, 0));
    mo_vec3 flat = mo_unit(mo_cross(axes.right, up), axes.back);
    mo_vec3 light = mo_add(mo_scale(1.0, up), mo_scale(-0.55, axes.right));
    return mo_unit(mo_add_scaled(light, 0.45, flat), up);
}

/* Styles that occlude each other. */
static bool is_solid(mo_particle_style style)
{
    return style >= MO_PARTICLES_DISCS;
}

/* The radius of ambient occlusion: a few radii of the most frequent primitives. */
static double occlusion_radius(const mo_renderer *renderer)
{
    const mo_picture *picture = renderer->picture;
    if (renderer->look->occlusion_radius > 0) {
        return renderer->look->occlusion_radius;
    }
    bool round = is_solid(renderer->look->particles) && picture->count > 0;
    double typical = round ? mo_picture_radius(picture, renderer->look, picture->count / 2) : 0;
    double least = 0.03 * renderer->radius, most = 0.4 * renderer->radius;
    double wanted = 3 * typical;
    return wanted < least ? least : wanted > most ? most : wanted;
}

static bool has_planes(const mo_renderer *renderer)
{
    for (int64_t i = 0; renderer->look->solids && i < renderer->picture->solid_count; ++i) {
        if (renderer->picture->solids[i].kind == MO_SOLID_PLANE) {
            return true;
        }
    }
    return false;
}

/* The nearest and farthest depth of the picture. */
static void find_range(const mo_renderer *renderer, double *near, double *far)
{
    const mo_camera *camera = renderer->camera;
    mo_vec3 back = mo_camera_get_axes(camera).back;
    double depth = mo_dot(mo_sub(camera->eye, renderer->center), back);
    double reach = 1.05 * renderer->radius;
    if (has_planes(renderer)) {
        reach *= 12;
    }
    *far = depth + reach;
    *near = depth - reach;
    if (camera->angle > 0) {
        *far = fmax(*far, 1e-3 * renderer->radius);
        *near = fmax(*near, 2e-3 * fmin(*far, mo_camera_distance(camera) + renderer->radius));
        *far = fmax(*far, 1.001 * *near);
    } else {
        /* nothing behind the eye is visible in a parallel projection either */
        *near = fmax(*near, 0);
        *far = fmax(*far, *near + 1e-3 * renderer->radius);
    }
}

static void set_lights(mo_renderer *renderer, mo_mat4 view, mo_vec3 light)
{
    const mo_look *look = renderer->look;
    mo_drawing *frame = &renderer->frame;
    mo_vec3 seen = mo_mat4_direction(view, light);
    mo_vec3 up = mo_mat4_direction(view, mo_unit(renderer->camera->up, mo_vec3_make(0, 1, 0)));
    set4(frame->light, seen.x, seen.y, seen.z, look->lit && look->shadows ? 0.9 : 0);
    set4(frame->up, up.x, up.y, up.z, look->lit && look->occlusion ? 1 : 0);
    const float *key = look->light_color;
    double a = look->ambient;
    set4(frame->key, key[0], key[1], key[2], 0);
    set4(frame->sky, 0.36 * a, 0.39 * a, 0.44 * a, look->lit ? 1 : 0);
    set4(frame->floor, 0.20 * a, 0.19 * a, 0.18 * a, 0);
    for (int k = 0; k < look->light_count && k < MO_LIGHTS_MAX; ++k) {
        mo_vec3 to = mo_mat4_direction(view, mo_unit(look->lights[k].direction, light));
        const float *c = look->lights[k].color;
        set4(frame->lights[k], to.x, to.y, to.z, 1);
        set4(frame->light_colors[k], c[0], c[1], c[2], 0);
    }
}

static void set_texture(mo_renderer *renderer)
{
    const mo_look *look = renderer->look;
    double typical = renderer->picture->typical_radius;
    double scale = look->texture.scale > 0 ? look->texture.scale
                   : typical > 0           ? 8 * typical
                                           : 0.5 * renderer->radius;
    mo_vec3 center = renderer->center;
    set4(renderer->frame.solid, look->texture.kind, 1 / scale,
         look->texture.speed * renderer->picture->time, look->texture.contrast);
    set4(renderer->frame.solid_origin, center.x, center.y, center.z, 0);
}

static void set_frame(mo_renderer *renderer, mo_mat4 view, mo_vec3 light, double near, double far)
{
    const mo_look *look = renderer->look;
    const mo_camera *camera = renderer->camera;
    mo_drawing *frame = &renderer->frame;
    double width = renderer->target.width, height = renderer->target.height;
    bool parallel = !(camera->angle > 0);
    *frame = (mo_drawing){0};
    mo_mat4_store(frame->view, view);
    mo_mat4_store(frame->projection, mo_camera_projection(camera, width / height, near, far));
    set4(frame->size, width, height,
         (parallel ? camera->height : 2 * tan(camera->angle / 2)) / height, parallel);
    set4(frame->range, near, far, occlusion_radius(renderer), mo_camera_distance(camera));
    set4(frame->unknown, mo_uniform_linear(look->unknown_color[0]),
         mo_uniform_linear(look->unknown_color[1]), mo_uniform_linear(look->unknown_color[2]),
         renderer->target.samples > 1);
    const float *top = look->background_top, *bottom = look->background_bottom;
    set4(frame->background_top, top[0], top[1], top[2], 1);
    set4(frame->background_bottom, bottom[0], bottom[1], bottom[2], 1);
    mo_vec3 back = mo_camera_get_axes(camera).back;
    double middle = mo_dot(mo_sub(camera->eye, renderer->center), back);
    set4(frame->fog, look->fog, middle - renderer->radius, 2 * renderer->radius, 0);
    set_texture(renderer);
    set_lights(renderer, view, light);
}

static void draw_colors(mo_renderer *renderer)
{
    mo_target_bind(&renderer->target);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    mo_draw_screen(renderer->programs.background);
    glEnable(GL_DEPTH_TEST);
    /* the target's opacity stays 1; that of fragments is a coverage or a weight */
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
    mo_begin_opaque(renderer);
    mo_particles_draw(renderer, MO_PASS_COLOR);
    mo_meshes_draw(renderer, MO_PASS_COLOR);
    mo_solids_draw(renderer, MO_PASS_COLOR);
    mo_lines_draw(renderer);
    mo_begin_blended();
    mo_solids_draw_planes(renderer, MO_PASS_COLOR);
    glDepthMask(GL_FALSE);
    mo_solids_draw_edges(renderer);
}

static mote_status draw_all(mo_renderer *renderer, mote_error *error)
{
    const mo_look *look = renderer->look;
    MO_TRY(mo_particles_upload(renderer, error));
    MO_TRY(mo_lines_upload(renderer, error));
    MO_TRY(mo_meshes_upload(renderer, error));
    MO_TRY(mo_solids_upload(renderer, error));
    upload_map(renderer);
    double near, far;
    find_range(renderer, &near, &far);
    mo_vec3 light = light_direction(renderer);
    MO_TRY(mo_volume_upload(renderer, light, error));
    mo_mat4 view = mo_camera_view(renderer->camera, renderer->center);
    set_frame(renderer, view, light, near, far);
    glBindVertexArray(renderer->nothing);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    if (look->lit && look->shadows) {
        MO_TRY(mo_shadow_draw(renderer, light, view, error));
    }
    mo_frame_upload(renderer);
    bool occlusion = look->lit && look->occlusion;
    if (occlusion || mo_volume_wanted(renderer) ||
        (is_solid(look->particles) && renderer->picture->count > MANY)) {
        MO_TRY(mo_depth_draw(renderer, error));
        MO_TRY(occlusion ? mo_occlusion_draw(renderer, error) : MOTE_OK);
        renderer->frame.shadow_grain[2] = 1;
        mo_frame_upload(renderer);
    }
    draw_colors(renderer);
    mo_target_resolve(&renderer->target);
    mo_volume_draw(renderer);
    MO_TRY(mo_peel_draw(renderer, error));
    mo_particles_draw_lights(renderer);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
    return mo_gl_check("rendering", error);
}

mote_status mo_renderer_draw(mo_renderer *renderer, const mo_picture *picture,
                             const mo_camera *camera, const mo_look *look, int width, int height,
                             mote_error *error)
{
    MO_TRY(mo_target_resize(&renderer->target, width, height, look->samples, error));
    renderer->picture = picture;
    renderer->camera = camera;
    renderer->look = look;
    mo_picture_bounds(picture, &renderer->low, &renderer->high);
    renderer->center = mo_scale(0.5, mo_add(renderer->low, renderer->high));
    double radius = 0.5 * mo_length(mo_sub(renderer->high, renderer->low));
    renderer->radius = radius > 0 ? radius : 1;
    mote_status status = draw_all(renderer, error);
    renderer->picture = NULL;
    renderer->camera = NULL;
    renderer->look = NULL;
    return status;
}

mote_status mo_renderer_read(mo_renderer *renderer, mo_image *image, mote_error *error)
{
    return mo_target_read(&renderer->target, image, error);
}

int mo_renderer_largest(const mo_renderer *renderer)
{
    (void)renderer;
    return mo_target_largest();
}
