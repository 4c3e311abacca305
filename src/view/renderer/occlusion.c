/*
 * Screen-space ambient occlusion: the visibility of the sky, estimated from the depth buffer
 * (estimator of McGuire, Mara, Luebke 2012, "Scalable ambient obscurance", eq. 1, with samples on a
 * spiral). Computed at half resolution, followed by an edge-preserving blur. Its depth pass also
 * provides the occlusion culling of the colour pass (glsl.c, buried), which alone pays for it with
 * many particles.
 */
#include "view/gl/glsl.h"
#include "view/renderer/parts.h"

/* clang-format off */
static const char POSITION[] = MO_GLSL(
    uniform sampler2D depth;
    out vec4 color;
    float z_of(float d)
    {
        float ndc = 2.0 * d - 1.0;
        return (projection[3][2] - ndc * projection[3][3]) / (ndc * projection[2][3] - projection[2][2]);
    }
    /* the position of a pixel in camera coordinates */
    vec3 position_at(ivec2 pixel)
    {
        ivec2 inside = clamp(pixel, ivec2(0), ivec2(size.xy) - 1);
        float z = z_of(texelFetch(depth, inside, 0).r);
        vec2 ndc = (vec2(inside) + 0.5) / size.xy * 2.0 - 1.0;
        float w = projection[2][3] * z + projection[3][3];
        return vec3(ndc * w / vec2(projection[0][0], projection[1][1]), z);
    }
    /* 16 bits of the depth, for the blur */
    vec2 in_two(float z)
    {
        float d = floor(clamp((-z - range.x) / (range.y - range.x), 0.0, 1.0) * 65535.0);
        float high = floor(d / 256.0);
        return vec2(high, d - 256.0 * high) / 255.0;
    }
);

static const char OPEN[] = MO_GLSL(
    /* the shorter of two differences, which does not cross an edge */
    vec3 step_of(vec3 before, vec3 here, vec3 after)
    {
        vec3 a = here - before;
        vec3 b = after - here;
        return abs(a.z) < abs(b.z) ? a : b;
    }
    void main()
    {
        ivec2 pixel = ivec2(gl_FragCoord.xy) * 2;
        pixel = min(pixel, ivec2(size.xy) - 1);
        vec3 here = position_at(pixel);
        vec3 dx = step_of(position_at(pixel - ivec2(1, 0)), here, position_at(pixel + ivec2(1, 0)));
        vec3 dy = step_of(position_at(pixel - ivec2(0, 1)), here, position_at(pixel + ivec2(0, 1)));
        vec3 n = normalize(cross(dx, dy));
        float radius = range.z;
        float reach = min(radius / pixel_at(-here.z), 0.25 * size.y);
        /* interleaved gradient noise (Jimenez 2014) rotates the spiral per pixel */
        float turn = 6.2831853 * fract(52.9829189 * fract(dot(floor(gl_FragCoord.xy), vec2(0.06711056, 0.00583715))));
        float r2 = radius * radius;
        float sum = 0.0;
        const int count = 14;
        for (int k = 0; k < count; ++k) {
            float share = (float(k) + 0.5) / float(count);
            float angle = turn + share * 6.2831853 * 5.0;
            vec2 aside = reach * share * vec2(cos(angle), sin(angle));
            vec3 v = position_at(pixel + ivec2(round(aside))) - here;
            float v2 = dot(v, v);
            float f = max(r2 - v2, 0.0) / r2;
            float rise = dot(v, n) * inversesqrt(v2 + 1e-4 * r2) - 0.08;
            sum += f * max(rise, 0.0);
        }
        float open = clamp(1.0 - 4.2 * sum / float(count), 0.0, 1.0);
        bool empty = texelFetch(depth, pixel, 0).r >= 1.0;
        color = vec4(empty ? 1.0 : open * open, in_two(here.z), 1.0);
    }
);

static const char BLUR[] = MO_GLSL(
    uniform sampler2D image;
    uniform int down;
    out vec4 color;
    float depth_in(vec4 texel) { return (texel.g * 65280.0 + texel.b * 255.0) / 65535.0 * (range.y - range.x); }
    void main()
    {
        ivec2 pixel = ivec2(gl_FragCoord.xy);
        ivec2 last = textureSize(image, 0) - 1;
        vec4 here = texelFetch(image, pixel, 0);
        float at = depth_in(here);
        float sum = 0.0;
        float weights = 0.0;
        for (int k = -4; k <= 4; ++k) {
            ivec2 aside = down > 0 ? ivec2(0, k) : ivec2(k, 0);
            vec4 there = texelFetch(image, clamp(pixel + aside, ivec2(0), last), 0);
            float w = (1.0 - 0.18 * abs(float(k))) * max(0.0, 1.0 - 2.0 * abs(depth_in(there) - at) / range.z);
            sum += w * there.r;
            weights += w;
        }
        color = vec4(sum / max(weights, 1e-6), here.gb, 1.0);
    }
);

/* the maximum depth of 8 x 8 pixels, for occlusion culling */
static const char DEEPEST[] = MO_GLSL(
    uniform sampler2D depth;
    void main()
    {
        ivec2 pixel = ivec2(gl_FragCoord.xy) * 8;
        ivec2 last = textureSize(depth, 0) - 1;
        float most = 0.0;
        for (int k = 0; k < 64; ++k) {
            most = max(most, texelFetch(depth, min(pixel + ivec2(k & 7, k >> 3), last), 0).r);
        }
        gl_FragDepth = most;
    }
);
/* clang-format on */

mote_status mo_occlusion_build(mo_renderer *renderer, mote_error *error)
{
    static const char *const vertex[] = {mo_glsl_screen, NULL};
    static const char *const open[] = {mo_glsl_frame, POSITION, OPEN, NULL};
    static const char *const blur[] = {mo_glsl_frame, BLUR, NULL};
    static const char *const deepest[] = {DEEPEST, NULL};
    MO_TRY(mo_program_build(&renderer->programs.occlusion, "occlusion", vertex, open, error));
    MO_TRY(mo_program_build(&renderer->programs.blur, "blur", vertex, blur, error));
    return mo_program_build(&renderer->programs.deepest, "deepest", vertex, deepest, error);
}

static void draw_depth(mo_renderer *renderer)
{
    mo_map_bind(&renderer->depth);
    glClear(GL_DEPTH_BUFFER_BIT);
    mo_particles_draw(renderer, MO_PASS_DEPTH);
    mo_meshes_draw(renderer, MO_PASS_DEPTH);
    mo_solids_draw(renderer, MO_PASS_DEPTH);
    mo_solids_draw_planes(renderer, MO_PASS_DEPTH);
}

static void draw_deepest(mo_renderer *renderer)
{
    mo_map_bind(&renderer->deepest);
    glDepthFunc(GL_ALWAYS);
    mo_draw_screen(renderer->programs.deepest);
    glDepthFunc(GL_LEQUAL);
}

static void blur(mo_renderer *renderer, const mo_map *from, const mo_map *to, bool down)
{
    mo_map_bind(to);
    mo_texture_bind(from->texture, MO_UNIT_IMAGE);
    mo_use(renderer->programs.blur);
    mo_uniform_int(renderer->programs.blur, "down", down);
    mo_draw_screen(renderer->programs.blur);
}

mote_status mo_depth_draw(mo_renderer *renderer, mote_error *error)
{
    int width = renderer->target.width, height = renderer->target.height;
    MO_TRY(mo_map_resize(&renderer->depth, width, height, true, error));
    MO_TRY(mo_map_resize(&renderer->deepest, (width + 7) / 8, (height + 7) / 8, true, error));
    mo_texture_bind(0, MO_UNIT_DEPTH);
    mo_texture_bind(0, MO_UNIT_DEEPEST);
    draw_depth(renderer);
    mo_texture_bind(renderer->depth.texture, MO_UNIT_DEPTH);
    draw_deepest(renderer);
    mo_texture_bind(renderer->deepest.texture, MO_UNIT_DEEPEST);
    return MOTE_OK;
}

mote_status mo_occlusion_draw(mo_renderer *renderer, mote_error *error)
{
    int width = (renderer->target.width + 1) / 2, height = (renderer->target.height + 1) / 2;
    MO_TRY(mo_map_resize(&renderer->occlusion, width, height, false, error));
    MO_TRY(mo_map_resize(&renderer->blurred, width, height, false, error));
    mo_texture_bind(0, MO_UNIT_OCCLUSION);
    glDisable(GL_DEPTH_TEST);
    mo_map_bind(&renderer->occlusion);
    mo_draw_screen(renderer->programs.occlusion);
    blur(renderer, &renderer->occlusion, &renderer->blurred, false);
    blur(renderer, &renderer->blurred, &renderer->occlusion, true);
    glEnable(GL_DEPTH_TEST);
    mo_texture_bind(renderer->occlusion.texture, MO_UNIT_OCCLUSION);
    return MOTE_OK;
}
