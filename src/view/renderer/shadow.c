/*
 * The shadow map: the depth of all shadow casters in a parallel projection from the light.
 */
#include "view/renderer/parts.h"

enum { EDGE = 2048 };

/* As in a frame, but from the light; returns the matrix from the world (relative to the centre) to
 * the map. */
static mo_mat4 aim(mo_renderer *renderer, mo_vec3 light)
{
    double reach = 1.02 * renderer->radius;
    mo_vec3 right = mo_perpendicular(light);
    mo_mat4 view = mo_mat4_into(right, mo_cross(light, right), light, mo_scale(2 * reach, light));
    mo_mat4 projection = mo_mat4_parallel(reach, reach, reach, 3 * reach);
    mo_drawing *frame = &renderer->frame;
    mo_mat4_store(frame->view, view);
    mo_mat4_store(frame->projection, projection);
    frame->size[0] = frame->size[1] = EDGE;
    frame->size[2] = (float)(2 * reach / EDGE);
    frame->size[3] = 1;
    mo_mat4 half = {{0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0.5, 0.5, 0.5, 1}};
    return mo_mat4_product(half, mo_mat4_product(projection, view));
}

static void make_comparing(const mo_map *map)
{
    mo_texture_bind(map->texture, MO_UNIT_SHADOW);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

mote_status mo_shadow_draw(mo_renderer *renderer, mo_vec3 light, mo_mat4 view, mote_error *error)
{
    mo_drawing kept = renderer->frame;
    MO_TRY(mo_map_resize(&renderer->shadow, EDGE, EDGE, true, error));
    mo_texture_bind(0, MO_UNIT_SHADOW);
    mo_map_bind(&renderer->shadow);
    mo_mat4 into = aim(renderer, light);
    mo_frame_upload(renderer);
    glClear(GL_DEPTH_BUFFER_BIT);
    /* depth bias against self-shadowing of steep faces */
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 2);
    mo_particles_draw(renderer, MO_PASS_SHADOW);
    mo_meshes_draw(renderer, MO_PASS_SHADOW);
    mo_solids_draw(renderer, MO_PASS_SHADOW);
    glDisable(GL_POLYGON_OFFSET_FILL);
    float grain = renderer->frame.size[2];
    renderer->frame = kept;
    mo_mat4_store(renderer->frame.shadow, mo_mat4_product(into, mo_mat4_rigid_inverse(view)));
    renderer->frame.shadow_grain[0] = 1.5f * grain;
    renderer->frame.shadow_grain[1] = 1.0f / EDGE;
    make_comparing(&renderer->shadow);
    return MOTE_OK;
}
