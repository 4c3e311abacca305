/*
 * Full-screen passes: the background, an image overlay, and presentation in a window.
 */
#include "view/gl/gl_context.h"
#include "view/gl/glsl.h"
#include "view/renderer/parts.h"

/* clang-format off */
/* a gradient in sRGB, dithered against banding */
static const char BACKGROUND[] = MO_GLSL(
    in vec2 uv;
    out vec4 color;
    void main()
    {
        float noise = fract(52.9829189 * fract(dot(floor(gl_FragCoord.xy), vec2(0.06711056, 0.00583715)))) - 0.5;
        vec3 c = mix(background_bottom.rgb, background_top.rgb, clamp(uv.y, 0.0, 1.0)) + noise / 255.0;
        c = clamp(c, 0.0, 1.0);
        color = vec4(mix(pow((c + 0.055) / 1.055, vec3(2.4)), c / 12.92, vec3(lessThanEqual(c, vec3(0.04045)))), 1.0);
    }
);

static const char LAID_OVER[] = MO_GLSL(
    uniform sampler2D image;
    uniform vec4 box; /* left, bottom of the image in the picture; 1 / width, -1 / height */
    out vec4 color;
    void main()
    {
        color = texture(image, (gl_FragCoord.xy - box.xy) * box.zw + vec2(0.0, 1.0));
    }
);

/* a window's framebuffer expects sRGB values */
static const char PRESENT[] = MO_GLSL(
    uniform sampler2D image;
    in vec2 uv;
    out vec4 color;
    void main()
    {
        vec3 c = texture(image, uv).rgb;
        vec3 bright = 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055;
        color = vec4(mix(bright, 12.92 * c, vec3(lessThanEqual(c, vec3(0.0031308)))), 1.0);
    }
);
/* clang-format on */

mote_status mo_overlay_build(mo_renderer *renderer, mote_error *error)
{
    static const char *const vertex[] = {mo_glsl_screen, NULL};
    static const char *const background[] = {mo_glsl_frame, BACKGROUND, NULL};
    static const char *const laid_over[] = {LAID_OVER, NULL};
    static const char *const present[] = {PRESENT, NULL};
    MO_TRY(
        mo_program_build(&renderer->programs.background, "background", vertex, background, error));
    MO_TRY(mo_program_build(&renderer->programs.overlay, "overlay", vertex, laid_over, error));
    return mo_program_build(&renderer->programs.present, "present", vertex, present, error);
}

static void upload(mo_renderer *renderer, const mo_image *image)
{
    if (!renderer->overlay) {
        glGenTextures(1, &renderer->overlay);
    }
    mo_texture_bind(renderer->overlay, MO_UNIT_IMAGE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, image->width, image->height, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, image->pixels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

mote_status mo_renderer_overlay(mo_renderer *renderer, const mo_image *image, int left, int top,
                                mote_error *error)
{
    int largest = mo_target_largest();
    if (image->width < 1 || image->height < 1 || image->width > largest ||
        image->height > largest) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "rendering: an image of %d x %d pixels; allowed: 1 to %d along each axis",
                       image->width, image->height, largest);
    }
    GLuint program = renderer->programs.overlay;
    int bottom = renderer->target.height - top - image->height;
    upload(renderer, image);
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->target.resolved);
    glViewport(0, 0, renderer->target.width, renderer->target.height);
    glBindVertexArray(renderer->nothing);
    mo_begin_blended();
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_SCISSOR_TEST);
    glScissor(left, bottom, image->width, image->height);
    mo_use(program);
    glUniform4f(glGetUniformLocation(program, "box"), (float)left, (float)bottom,
                1.0f / (float)image->width, -1.0f / (float)image->height);
    mo_draw_screen(program);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
    return mo_gl_check("rendering: overlay", error);
}

mote_status mo_renderer_present(mo_renderer *renderer, unsigned framebuffer, int width, int height,
                                mote_error *error)
{
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    glBindVertexArray(renderer->nothing);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    mo_texture_bind(renderer->target.texture, MO_UNIT_IMAGE);
    mo_draw_screen(renderer->programs.present);
    return mo_gl_check("rendering: present", error);
}
