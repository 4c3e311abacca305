/*
 * Transparent surfaces, sorted per pixel by depth peeling (C. Everitt 2001, "Interactive
 * order-independent transparency"). Each pass draws the nearest transparent fragments behind those
 * of the previous pass and blends them under the sum. The passes end with an empty layer. Layers
 * have twice the resolution of the picture where it is multisampled, which antialiases their
 * outlines.
 *
 * Liquids are opaque layers: their shader takes the image behind them, opaque surfaces and glass,
 * and refracts and absorbs it (mo_glsl_liquid), so that it is drawn first, with their thickness.
 *
 * Alternatives rejected: sorting triangles (wrong where they intersect, a glass within a glass);
 * weighted blended transparency (McGuire, Bavoil 2013), which approximates the order.
 */
#include "view/gl/gl_context.h"
#include "view/gl/glsl.h"
#include "view/renderer/parts.h"

enum { LAYERS_MAX = 24 };

/* clang-format off */
static const char LAYER[] = MO_GLSL(
    uniform sampler2D image;
    in vec2 uv;
    out vec4 color;
    void main()
    {
        color = texture(image, uv);
    }
);
/* clang-format on */

mote_status mo_peel_build(mo_renderer *renderer, mote_error *error)
{
    static const char *const vertex[] = {mo_glsl_screen, NULL};
    static const char *const layer[] = {LAYER, NULL};
    glGenQueries(1, &renderer->peel.query);
    return mo_program_build(&renderer->programs.layer, "layers", vertex, layer, error);
}

static void release_layers(mo_peel *p)
{
    glDeleteFramebuffers(2, p->framebuffer);
    glDeleteFramebuffers(1, &p->sum_framebuffer);
    glDeleteTextures(2, p->depth);
    glDeleteTextures(1, &p->layer);
    glDeleteTextures(1, &p->sum);
    glDeleteFramebuffers(1, &p->behind_framebuffer);
    glDeleteFramebuffers(1, &p->thickness_framebuffer);
    glDeleteTextures(1, &p->behind);
    glDeleteTextures(1, &p->thickness);
    mo_map_release(&p->opaque);
    *p = (mo_peel){.query = p->query};
}

void mo_peel_release(mo_renderer *renderer)
{
    release_layers(&renderer->peel);
    glDeleteQueries(1, &renderer->peel.query);
    renderer->peel.query = 0;
}

static void make_texture(GLuint *texture, const mo_peel *p, bool depth)
{
    GLint filter = depth ? GL_NEAREST : GL_LINEAR;
    glActiveTexture(GL_TEXTURE0 + MO_UNIT_IMAGE);
    glGenTextures(1, texture);
    glBindTexture(GL_TEXTURE_2D, *texture);
    if (depth) { /* floats, so that depths equal those of the previous pass */
        glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT32F, p->width, p->height, 0,
                     GL_DEPTH_COMPONENT, GL_FLOAT, NULL);
    } else {
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, p->width, p->height, 0, GL_RGBA, GL_HALF_FLOAT,
                     NULL);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

static mote_status make_framebuffer(GLuint *framebuffer, GLuint color, GLuint depth,
                                    mote_error *error)
{
    glGenFramebuffers(1, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0);
    GLenum state = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    return state == GL_FRAMEBUFFER_COMPLETE
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_IO,
                         "rendering: the driver cannot draw transparent layers (state 0x%04x)",
                         state);
}

static mote_status make_layers(mo_peel *p, mote_error *error)
{
    make_texture(&p->depth[0], p, true);
    make_texture(&p->depth[1], p, true);
    make_texture(&p->layer, p, false);
    make_texture(&p->sum, p, false);
    make_texture(&p->behind, p, false);
    make_texture(&p->thickness, p, false);
    MO_TRY(make_framebuffer(&p->behind_framebuffer, p->behind, 0, error));
    MO_TRY(make_framebuffer(&p->thickness_framebuffer, p->thickness, 0, error));
    MO_TRY(make_framebuffer(&p->framebuffer[0], p->layer, p->depth[0], error));
    MO_TRY(make_framebuffer(&p->framebuffer[1], p->layer, p->depth[1], error));
    return make_framebuffer(&p->sum_framebuffer, p->sum, 0, error);
}

static mote_status resize(mo_renderer *renderer, mote_error *error)
{
    mo_peel *p = &renderer->peel;
    const mo_target *target = &renderer->target;
    int largest = mo_target_largest(),
        longer = target->width > target->height ? target->width : target->height;
    int times = target->samples > 1 && 2 * longer <= largest ? 2 : 1;
    if (p->width == times * target->width && p->height == times * target->height) {
        return MOTE_OK;
    }
    release_layers(p);
    p->width = times * target->width;
    p->height = times * target->height;
    MO_TRY(mo_map_resize(&p->opaque, p->width, p->height, true, error));
    mote_status status = make_layers(p, error);
    if (status != MOTE_OK) {
        release_layers(p);
    }
    return status;
}

/* The depth of opaque surfaces, at the resolution of the layers. */
static void draw_opaque_depth(mo_renderer *renderer)
{
    mo_texture_bind(0, MO_UNIT_DEPTH);
    mo_map_bind(&renderer->peel.opaque);
    glClear(GL_DEPTH_BUFFER_BIT);
    mo_particles_draw(renderer, MO_PASS_DEPTH);
    mo_meshes_draw(renderer, MO_PASS_DEPTH);
    mo_solids_draw(renderer, MO_PASS_DEPTH);
    mo_solids_draw_planes(renderer, MO_PASS_DEPTH);
    mo_texture_bind(renderer->peel.opaque.texture, MO_UNIT_DEPTH);
}

/* Draws the next layer; false: it is empty. */
static bool draw_layer(mo_renderer *renderer, int number, mo_clear_kind kind)
{
    mo_peel *p = &renderer->peel;
    GLuint seen = 0;
    mo_texture_bind(p->depth[(number + 1) % 2], MO_UNIT_DEEPEST);
    glBindFramebuffer(GL_FRAMEBUFFER, p->framebuffer[number % 2]);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, p->query);
    mo_meshes_draw_clear(renderer, kind);
    mo_solids_draw_glass(renderer);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    glGetQueryObjectuiv(p->query, GL_QUERY_RESULT, &seen);
    return seen != 0;
}

/* Blends a premultiplied image under or over the bound framebuffer. */
static void blend(mo_renderer *renderer, GLuint texture, bool under)
{
    glEnable(GL_BLEND);
    if (under) {
        glBlendFunc(GL_ONE_MINUS_DST_ALPHA, GL_ONE);
    } else {
        glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    }
    glDisable(GL_DEPTH_TEST);
    mo_texture_bind(texture, MO_UNIT_IMAGE);
    mo_draw_screen(renderer->programs.layer);
    mo_texture_bind(0, MO_UNIT_IMAGE);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
}

/* The layers behind those of framebuffer[1]. */
static void draw_layers(mo_renderer *renderer, mo_clear_kind kind)
{
    mo_peel *p = &renderer->peel;
    glBindFramebuffer(GL_FRAMEBUFFER, p->sum_framebuffer);
    glClear(GL_COLOR_BUFFER_BIT);
    for (int k = 0; k < LAYERS_MAX && draw_layer(renderer, k, kind); ++k) {
        glBindFramebuffer(GL_FRAMEBUFFER, p->sum_framebuffer);
        blend(renderer, p->layer, true);
    }
}

static void draw_thickness(mo_renderer *renderer)
{
    mo_peel *p = &renderer->peel;
    mo_texture_bind(0, MO_UNIT_THICKNESS);
    glBindFramebuffer(GL_FRAMEBUFFER, p->thickness_framebuffer);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    mo_meshes_draw_liquid(renderer, true);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    mo_texture_bind(p->thickness, MO_UNIT_THICKNESS);
}

/* The opaque image with the glass behind the nearest liquid. */
static void draw_behind(mo_renderer *renderer)
{
    mo_peel *p = &renderer->peel;
    mo_texture_bind(0, MO_UNIT_BEHIND);
    glBindFramebuffer(GL_FRAMEBUFFER, p->framebuffer[1]);
    glClear(GL_DEPTH_BUFFER_BIT);
    mo_meshes_draw_liquid(renderer, false);
    draw_layers(renderer, MO_CLEAR_GLASS);
    glBindFramebuffer(GL_FRAMEBUFFER, p->behind_framebuffer);
    glClear(GL_COLOR_BUFFER_BIT);
    blend(renderer, renderer->target.texture, false);
    blend(renderer, p->sum, false);
    mo_texture_bind(p->behind, MO_UNIT_BEHIND);
}

static void draw_all_layers(mo_renderer *renderer)
{
    mo_peel *p = &renderer->peel;
    glViewport(0, 0, p->width, p->height);
    glDisable(GL_BLEND);
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glClearColor(0, 0, 0, 0);
    if (mo_meshes_have_clear(renderer, MO_CLEAR_LIQUID)) {
        draw_thickness(renderer);
        draw_behind(renderer);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, p->framebuffer[1]);
    glClearDepthf(0); /* there is no layer before the first */
    glClear(GL_DEPTH_BUFFER_BIT);
    glClearDepthf(1);
    draw_layers(renderer, MO_CLEAR_ALL);
    glClearColor(0, 0, 0, 1);
}

mote_status mo_peel_draw(mo_renderer *renderer, mote_error *error)
{
    bool solids = renderer->glass_ball_count + renderer->glass_box_count > 0;
    if (!solids && !mo_meshes_have_clear(renderer, MO_CLEAR_ALL)) {
        return MOTE_OK;
    }
    MO_TRY(resize(renderer, error));
    mo_drawing kept = renderer->frame;
    renderer->frame.size[0] = (float)renderer->peel.width;
    renderer->frame.size[1] = (float)renderer->peel.height;
    renderer->frame.size[2] *= kept.size[1] / renderer->frame.size[1];
    renderer->frame.up[3] = 0; /* ambient occlusion is computed for opaque surfaces */
    /* the map of occlusion culling has another resolution */
    renderer->frame.shadow_grain[2] = 0;
    renderer->frame.unknown[3] = 0;
    mo_frame_upload(renderer);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    draw_opaque_depth(renderer);
    draw_all_layers(renderer);
    renderer->frame = kept;
    mo_frame_upload(renderer);
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->target.resolved);
    glViewport(0, 0, renderer->target.width, renderer->target.height);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
    blend(renderer, renderer->peel.sum, false);
    mo_texture_bind(0, MO_UNIT_DEPTH);
    mo_texture_bind(0, MO_UNIT_DEEPEST);
    mo_texture_bind(0, MO_UNIT_BEHIND);
    mo_texture_bind(0, MO_UNIT_THICKNESS);
    return mo_gl_check("rendering: transparent layers", error);
}
