/*
 * Internals of the renderer, for the files that draw one kind of primitive each.
 *
 * A part has four functions: build (programs, once), upload (the picture's data), draw (in one of
 * the passes) and release. Parts depend on the renderer, not on each other, except that rows and
 * programs of general use (spheres, boxes, lines) are drawn by the part that owns them on behalf of
 * others.
 */
#ifndef MO_VIEW_RENDERER_PARTS_H
#define MO_VIEW_RENDERER_PARTS_H

#include "view/gl/rows.h"
#include "view/gl/target.h"
#include "view/picture/density_grid.h"
#include "view/renderer/renderer.h"

/* Depth passes use the same vertex shaders with fragment shaders that only write the depth. */
typedef enum mo_pass { MO_PASS_SHADOW, MO_PASS_DEPTH, MO_PASS_COLOR } mo_pass;

/* The uniform block Frame of all shaders (glsl.c), std140. Positions and directions are in
 * camera coordinates. */
typedef struct mo_drawing {
    float view[16], projection[16];
    float shadow[16]; /* from the camera to the shadow map, 0 to 1 */
    float light[4];   /* towards the light; strength of shadows */
    float up[4];      /* the world's up; strength of ambient occlusion */
    /* width, height, size of a pixel at depth 1 (parallel: at any depth), 1 for parallel */
    float size[4];
    float key[4], sky[4], floor[4]; /* the light's colour; from above, lit?; from below */
    float unknown[4];               /* colour of no value; drawn with multisampling? */
    /* size of a shadow texel in the world; in the map; 1 for occlusion culling, */
    float shadow_grain[4];
    float range[4]; /* near, far, radius of ambient occlusion, */
    float background_top[4], background_bottom[4];
    float fog[4];                   /* strength, start depth, scale */
    float solid[4];                 /* the texture: kind, 1/scale, time, contrast */
    float solid_origin[4];          /* of positions, in the world */
    float lights[MO_LIGHTS_MAX][4]; /* towards further lights; 1 if on */
    float light_colors[MO_LIGHTS_MAX][4];
} mo_drawing;

/* Instances with a position: particles, or the solids of one kind. */
typedef struct mo_things {
    const mo_rows *positions; /* position and radius */
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
    int64_t opaque; /* number of opaque triangles; the others are transparent */
    int64_t dry;    /* of opaque and glass ones; the others are liquids */
} mo_drawn_mesh;

enum { MO_MARK_DISC, MO_MARK_HEXAGON };

typedef struct mo_programs {
    GLuint sphere, sphere_depth, sphere_glass, sphere_smooth;
    GLuint stroke;
    GLuint box, box_depth, box_glass;
    GLuint mark, mark_depth;
    GLuint spot;
    GLuint line, axes;
    GLuint mesh, mesh_depth, mesh_clear, mesh_thickness;
    GLuint plane, plane_depth;
    GLuint background, overlay, present;
    GLuint occlusion, blur, deepest;
    GLuint layer;
    GLuint volume;
} mo_programs;

/* A framebuffer with one texture. */
typedef struct mo_map {
    GLuint framebuffer, texture;
    int width, height;
} mo_map;

/* The transparent surfaces in layers from front to back (peel.c). */
typedef struct mo_peel {
    int width, height;
    /* of two successive layers, which share a colour buffer */
    GLuint framebuffer[2], depth[2], layer;
    GLuint sum_framebuffer, sum; /* all layers so far */
    /* of liquids: the image behind them, and their thickness */
    GLuint behind_framebuffer, behind, thickness_framebuffer, thickness;
    mo_map opaque; /* depth of opaque surfaces */
    GLuint query;
} mo_peel;

/* The particles as a medium: its colour and extinction, and the light in it (volume.c). */
typedef struct mo_volume {
    mo_density_grid grid;
    GLuint texture[2];
} mo_volume;

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
    mo_volume volume;
    /* data of the picture */
    mo_rows positions, turns, values, springs, neighbors;
    mo_drawn_mesh hulls[MO_HULL_KINDS];
    /* `triangles` uses positions and values of the particles */
    mo_drawn_mesh triangles, surface;
    mo_rows balls, ball_paints, boxes, box_turns, box_halves, box_paints, corners, corner_pairs;
    /* glass solids follow the others */
    int64_t ball_count, glass_ball_count, box_count, glass_box_count;
    void *scratch;
    int64_t scratch_bytes;
    /* the current picture */
    const mo_picture *picture;
    const mo_camera *camera;
    const mo_look *look;
    mo_vec3 center; /* of the picture: origin of positions */
    mo_vec3 low, high;
    double radius; /* of the picture */
};

/* Memory for converting data before it is uploaded; valid until the next call. */
mote_status mo_scratch(mo_renderer *renderer, int64_t bytes, void **block, mote_error *error);

/* Values as coordinates in the colour map, or paints (either may be NULL), and validated
 * indices. */
mote_status mo_values_upload(mo_renderer *renderer, mo_rows *rows, const float *values,
                             const uint8_t *paint, int64_t count, mote_error *error);
mote_status mo_indices_upload(mo_renderer *renderer, mo_rows *rows, const int32_t *indices,
                              int64_t count, int64_t limit, const char *what, mote_error *error);

/* Sends renderer->frame to the graphics card. */
void mo_frame_upload(const mo_renderer *renderer);
void mo_use(GLuint program);
void mo_draw_vertices(GLenum mode, int64_t count);
void mo_draw_screen(GLuint program); /* one triangle over the whole screen */

/* Opaque primitives are antialiased by sample coverage; transparent ones are blended. */
void mo_begin_opaque(const mo_renderer *renderer);
void mo_begin_blended(void);
void mo_begin_added(void);

mote_status mo_particles_build(mo_renderer *renderer, mote_error *error);
mote_status mo_particles_upload(mo_renderer *renderer, mote_error *error);
void mo_particles_draw(mo_renderer *renderer, mo_pass pass);
void mo_particles_draw_lights(mo_renderer *renderer);

mote_status mo_spheres_build(mo_renderer *renderer, mote_error *error);
void mo_spheres_draw(mo_renderer *renderer, const mo_things *things, mo_pass pass);
/* Shaded by the gradient of the density grid. */
void mo_spheres_draw_smooth(mo_renderer *renderer, const mo_things *things);
void mo_spheres_draw_glass(mo_renderer *renderer, const mo_things *things, bool back);

mote_status mo_strokes_build(mo_renderer *renderer, mote_error *error);
void mo_strokes_draw(mo_renderer *renderer, const mo_things *things);

mote_status mo_boxes_build(mo_renderer *renderer, mote_error *error);
void mo_boxes_draw(mo_renderer *renderer, const mo_things *things, mo_pass pass);
void mo_boxes_draw_glass(mo_renderer *renderer, const mo_things *things, bool back);

mote_status mo_lines_build(mo_renderer *renderer, mote_error *error);
mote_status mo_lines_upload(mo_renderer *renderer, mote_error *error);
void mo_lines_draw(mo_renderer *renderer);
void mo_lines_draw_set(mo_renderer *renderer, const mo_line_set *set);
void mo_lines_draw_axes(mo_renderer *renderer, const mo_things *things, double width, bool cross);

mote_status mo_meshes_build(mo_renderer *renderer, mote_error *error);
mote_status mo_meshes_upload(mo_renderer *renderer, mote_error *error);
void mo_meshes_draw(mo_renderer *renderer, mo_pass pass);
typedef enum mo_clear_kind { MO_CLEAR_ALL, MO_CLEAR_GLASS, MO_CLEAR_LIQUID } mo_clear_kind;
void mo_meshes_draw_clear(mo_renderer *renderer, mo_clear_kind kind);
bool mo_meshes_have_clear(const mo_renderer *renderer, mo_clear_kind kind);
/* Their depth, or signed distances that add up to their thickness. */
void mo_meshes_draw_liquid(mo_renderer *renderer, bool thickness);
void mo_meshes_release(mo_renderer *renderer);

mote_status mo_solids_build(mo_renderer *renderer, mote_error *error);
mote_status mo_solids_upload(mo_renderer *renderer, mote_error *error);
void mo_solids_draw(mo_renderer *renderer, mo_pass pass);
void mo_solids_draw_planes(mo_renderer *renderer, mo_pass pass);
void mo_solids_draw_glass(mo_renderer *renderer);
void mo_solids_draw_edges(mo_renderer *renderer);

/* Draws all shadow casters from the light. */
mote_status mo_shadow_draw(mo_renderer *renderer, mo_vec3 light, mo_mat4 view, mote_error *error);

/* The depth buffer of the picture, and its ambient occlusion. */
mote_status mo_depth_draw(mo_renderer *renderer, mote_error *error);
mote_status mo_occlusion_build(mo_renderer *renderer, mote_error *error);
mote_status mo_occlusion_draw(mo_renderer *renderer, mote_error *error);

/* Draws the transparent surfaces over the resolved picture, sorted pixel by pixel. */
mote_status mo_peel_build(mo_renderer *renderer, mote_error *error);
mote_status mo_peel_draw(mo_renderer *renderer, mote_error *error);
void mo_peel_release(mo_renderer *renderer);

/* The particles as a medium, over the resolved picture; needs the depth buffer. */
mote_status mo_volume_build(mo_renderer *renderer, mote_error *error);
bool mo_volume_wanted(const mo_renderer *renderer);
mote_status mo_volume_upload(mo_renderer *renderer, mo_vec3 light, mote_error *error);
void mo_volume_draw(mo_renderer *renderer);
/* Sets the uniforms `box` and `cells` of a program; false: the grid is empty. */
bool mo_volume_bind(const mo_renderer *renderer, GLuint program);
void mo_volume_release(mo_renderer *renderer);

mote_status mo_map_resize(mo_map *map, int width, int height, bool depth, mote_error *error);
void mo_map_release(mo_map *map);
void mo_map_bind(const mo_map *map);
void mo_texture_bind(GLuint texture, mo_texture_unit unit);

mote_status mo_overlay_build(mo_renderer *renderer, mote_error *error);

#endif
