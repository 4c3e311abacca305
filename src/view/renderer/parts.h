/*
 * The inside of the renderer, for the files that draw one kind of thing each.
 *
 * A part has four functions: build (programs, once), upload (this picture's data), draw (in one of
 * the passes) and release. Parts know the renderer and nothing of each other, except that mo_rows
 * and programs of general use (spheres, boxes, lines) are drawn by the part that owns them on
 * behalf of others.
 */
#ifndef MO_VIEW_RENDERER_PARTS_H
#define MO_VIEW_RENDERER_PARTS_H

#include "view/gl/rows.h"
#include "view/gl/target.h"
#include "view/renderer/renderer.h"

/* Depth passes are drawn by the same vertex shaders with fragment shaders that only place the
 * depth. */
typedef enum mo_pass { MO_PASS_SHADOW, MO_PASS_DEPTH, MO_PASS_COLOR } mo_pass;

/* What all shaders know: the uniform block Frame in glsl.c, std140. Positions and directions are
 * the camera's. */
typedef struct mo_drawing {
    float view[16], projection[16];
    float shadow[16]; /* from the camera to the shadow map, 0 to 1 */
    float light[4];   /* towards the light; how dark shadows are */
    float up[4];      /* the world's up; how dark crevices are */
    /* width, height, pixel's size at depth 1 (parallel: at all), parallel? */
    float size[4];
    float key[4], sky[4], floor[4]; /* the light's colour; from above, lit?; from below */
    float unknown[4];               /* colour of no value; drawn with multisampling? */
    /* a shadow texel in the world; in the map; leave out what is buried?, */
    float shadow_grain[4];
    float range[4]; /* near, far, how far occlusion reaches, */
    float background_top[4], background_bottom[4];
    float fog[4];                   /* strength, depth where it begins, its scale */
    float lights[MO_LIGHTS_MAX][4]; /* towards further lights; on? */
    float light_colors[MO_LIGHTS_MAX][4];
} mo_drawing;

/* A set of things with a place: particles, or the solids of one kind. */
typedef struct mo_things {
    const mo_rows *positions; /* place and radius */
    const mo_rows *turns;     /* NULL: none */
    const mo_rows *values;    /* NULL: one colour */
    const mo_rows *halves;    /* of boxes; NULL: cubes with the volume of the sphere */
    int64_t first, count;
    float color[3];
} mo_things;

typedef struct mo_line_set {
    const mo_rows *positions, *pairs, *values; /* values NULL: one colour */
    int64_t count;
    float color[3];
    double width, opacity;
} mo_line_set;

typedef struct mo_drawn_mesh {
    mo_rows positions, normals, values, triangles;
    int64_t opaque; /* so many triangles; the others are transparent */
} mo_drawn_mesh;

enum { MO_MARK_DISC, MO_MARK_HEXAGON };

typedef struct mo_programs {
    GLuint sphere, sphere_depth, sphere_glass;
    GLuint box, box_depth, box_glass;
    GLuint mark, mark_depth;
    GLuint spot;
    GLuint line, axes;
    GLuint mesh, mesh_depth, mesh_clear;
    GLuint plane, plane_depth;
    GLuint background, overlay, present;
    GLuint occlusion, blur, deepest;
    GLuint layer;
} mo_programs;

/* A framebuffer with one texture. */
typedef struct mo_map {
    GLuint framebuffer, texture;
    int width, height;
} mo_map;

/* The transparent surfaces, layer by layer from the front (peel.c). */
typedef struct mo_peel {
    int width, height;
    GLuint framebuffer[2], depth[2], layer; /* of two successive layers; they share a colour */
    GLuint sum_framebuffer, sum;            /* all layers so far */
    mo_map opaque;                          /* depth of everything that is not transparent */
    GLuint query;
} mo_peel;

struct mo_renderer {
    mo_memory memory;
    mo_target target;
    mo_programs programs;
    GLuint nothing;      /* a vertex array without arrays */
    GLuint frame_buffer; /* the uniform block */
    GLuint map;          /* the colour map */
    GLuint overlay;      /* the image laid over */
    mo_drawing frame;
    mo_map shadow, depth, occlusion, blurred, deepest;
    mo_peel peel;
    /* data of the picture */
    mo_rows positions, turns, values, springs, neighbors;
    mo_drawn_mesh hulls[MO_HULL_KINDS];
    /* `triangles` takes positions and values from the particles */
    mo_drawn_mesh triangles, surface;
    mo_rows balls, ball_paints, boxes, box_turns, box_halves, box_paints, corners, corner_pairs;
    /* glass ones follow the others */
    int64_t ball_count, glass_ball_count, box_count, glass_box_count;
    void *scratch;
    int64_t scratch_bytes;
    /* what is being drawn */
    const mo_picture *picture;
    const mo_camera *camera;
    const mo_look *look;
    mo_vec3 center; /* of the picture: what positions are relative to */
    mo_vec3 low, high;
    double radius; /* of the picture */
};

/* Memory for converting data before it is uploaded; valid until the next call. */
mote_status mo_scratch(mo_renderer *renderer, int64_t bytes, void **block, mote_error *error);

/* Values as places in the colour map, or paints (either may be NULL), and checked indices. */
mote_status mo_values_upload(mo_renderer *renderer, mo_rows *rows, const float *values,
                             const uint8_t *paint, int64_t count, mote_error *error);
mote_status mo_indices_upload(mo_renderer *renderer, mo_rows *rows, const int32_t *indices,
                              int64_t count, int64_t limit, const char *what, mote_error *error);

/* Sends renderer->frame to the graphics card. */
void mo_frame_upload(const mo_renderer *renderer);
void mo_use(GLuint program);
void mo_draw_vertices(GLenum mode, int64_t count);
void mo_draw_screen(GLuint program); /* one triangle over everything */

/* Opaque things get their outlines smoothed by sample coverage; see-through ones are blended. */
void mo_begin_opaque(const mo_renderer *renderer);
void mo_begin_blended(void);
void mo_begin_added(void);

mote_status mo_particles_build(mo_renderer *renderer, mote_error *error);
mote_status mo_particles_upload(mo_renderer *renderer, mote_error *error);
void mo_particles_draw(mo_renderer *renderer, mo_pass pass);
void mo_particles_draw_lights(mo_renderer *renderer);

mote_status mo_spheres_build(mo_renderer *renderer, mote_error *error);
void mo_spheres_draw(mo_renderer *renderer, const mo_things *things, mo_pass pass);
void mo_spheres_draw_glass(mo_renderer *renderer, const mo_things *things, bool back);

mote_status mo_boxes_build(mo_renderer *renderer, mote_error *error);
void mo_boxes_draw(mo_renderer *renderer, const mo_things *things, mo_pass pass);
void mo_boxes_draw_glass(mo_renderer *renderer, const mo_things *things, bool back);

mote_status mo_lines_build(mo_renderer *renderer, mote_error *error);
mote_status mo_lines_upload(mo_renderer *renderer, mote_error *error);
void mo_lines_draw(mo_renderer *renderer);
void mo_lines_draw_set(mo_renderer *renderer, const mo_line_set *set);
void mo_lines_draw_axes(mo_renderer *renderer, const mo_things *things, double width);

mote_status mo_meshes_build(mo_renderer *renderer, mote_error *error);
mote_status mo_meshes_upload(mo_renderer *renderer, mote_error *error);
void mo_meshes_draw(mo_renderer *renderer, mo_pass pass);
void mo_meshes_draw_clear(mo_renderer *renderer);
bool mo_meshes_have_clear(const mo_renderer *renderer);
void mo_meshes_release(mo_renderer *renderer);

mote_status mo_solids_build(mo_renderer *renderer, mote_error *error);
mote_status mo_solids_upload(mo_renderer *renderer, mote_error *error);
void mo_solids_draw(mo_renderer *renderer, mo_pass pass);
void mo_solids_draw_planes(mo_renderer *renderer, mo_pass pass);
void mo_solids_draw_glass(mo_renderer *renderer);
void mo_solids_draw_edges(mo_renderer *renderer);

/* Draws everything that casts shadows, as the light sees it. */
mote_status mo_shadow_draw(mo_renderer *renderer, mo_vec3 light, mo_mat4 view, mote_error *error);

/* The depth of the picture, and how open every place is. */
mote_status mo_depth_draw(mo_renderer *renderer, mote_error *error);
mote_status mo_occlusion_build(mo_renderer *renderer, mote_error *error);
mote_status mo_occlusion_draw(mo_renderer *renderer, mote_error *error);

/* Draws the transparent surfaces over the resolved picture, sorted pixel by pixel. */
mote_status mo_peel_build(mo_renderer *renderer, mote_error *error);
mote_status mo_peel_draw(mo_renderer *renderer, mote_error *error);
void mo_peel_release(mo_renderer *renderer);

mote_status mo_map_resize(mo_map *map, int width, int height, bool depth, mote_error *error);
void mo_map_release(mo_map *map);
void mo_map_bind(const mo_map *map);
void mo_texture_bind(GLuint texture, mo_texture_unit unit);

mote_status mo_overlay_build(mo_renderer *renderer, mote_error *error);

#endif
