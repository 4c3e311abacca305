/*
 * Spheres as ray-cast impostors: a triangle around the sphere's silhouette (fewer vertices than a
 * square), and per pixel the exact intersection with its normal and depth. In perspective the
 * silhouette of a sphere of radius r at distance d is that of a disc of radius r d / sqrt(d^2 -
 * r^2) through its centre, facing the eye.
 */
#include "view/gl/glsl.h"
#include "view/renderer/parts.h"

/* clang-format off */
static const char VERTEX[] = MO_GLSL(
    uniform int first;
    uniform float growth; /* in pixels */
    flat out vec4 ball;
    flat out vec4 albedo; /* and the material */
    out vec3 position;
    void main()
    {
        int i = gl_VertexID / 3;
        int k = gl_VertexID - 3 * i;
        vec2 corner = k == 2 ? vec2(0.0, 2.0) : vec2(k == 0 ? -1.7320509 : 1.7320509, -1.0);
        vec4 row = row_of(positions, first + i);
        vec3 c = (view * vec4(row.xyz, 1.0)).xyz;
        float pixel = pixel_at(-c.z);
        float r = max(row.w, 0.6 * pixel);
        float away = dot(c, c);
        ball = vec4(c, r);
        albedo = paint_of(first + i);
        vec3 facing = parallel() ? vec3(0.0, 0.0, 1.0) : -c * inversesqrt(away);
        vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), facing));
        float s = (parallel() ? r : r * sqrt(away / max(away - r * r, 1e-30))) + growth * pixel;
        position = c + s * (right * corner.x + cross(facing, right) * corner.y);
        /* with the eye inside there is no silhouette; negative: not drawn */
        bool inside = !parallel() && away <= r * r;
        bool left_out = inside || row.w < 0.0 || buried(c, r);
        gl_Position = left_out ? vec4(2.0, 2.0, 2.0, 1.0) : projection * vec4(position, 1.0);
    }
);

static const char HIT[] = MO_GLSL(
    flat in vec4 ball;
    flat in vec4 albedo;
    in vec3 position;
    /* position and normal of the intersection; returns the coverage of the pixel */
    float meet(float side, out vec3 p, out vec3 n)
    {
        vec3 from = parallel() ? vec3(position.xy, 0.0) : vec3(0.0);
        vec3 along = parallel() ? vec3(0.0, 0.0, -1.0) : normalize(position);
        float t = dot(ball.xyz - from, along);
        vec3 aside = from + t * along - ball.xyz;
        float h2 = dot(aside, aside);
        float h = sqrt(h2);
        float inward = sqrt(max(ball.w * ball.w - h2, 0.0));
        vec3 offset = aside - side * inward * along;
        p = ball.xyz + offset;
        n = offset / max(ball.w, h);
        return (ball.w - h) / pixel_at(-ball.z) + 0.5;
    }
);

static const char DEPTH[] = MO_GLSL(
    void main()
    {
        vec3 p;
        vec3 n;
        if (meet(1.0, p, n) < 0.5) {
            discard;
        }
        gl_FragDepth = depth_of(p.z);
    }
);

static const char COLOR[] = MO_GLSL(
    void main()
    {
        vec3 p;
        vec3 n;
        float cover = meet(1.0, p, n);
        if (cover < (unknown.w > 0.5 ? 0.1 : 0.5)) {
            discard;
        }
        gl_FragDepth = depth_of(p.z);
        color = vec4(shade_as(albedo.rgb, n, p, 0.10, albedo.w), min(cover, 1.0));
    }
);

/* The normal is opposite to the gradient of the density; where that vanishes, the sphere's. */
static const char SMOOTH[] = MO_GLSL(
    uniform sampler3D medium;
    uniform vec4 box;
    uniform vec4 cells;
    void main()
    {
        vec3 p;
        vec3 n;
        float cover = meet(1.0, p, n);
        if (cover < (unknown.w > 0.5 ? 0.1 : 0.5)) {
            discard;
        }
        gl_FragDepth = depth_of(p.z);
        vec3 at = (transpose(mat3(view)) * (p - view[3].xyz) - box.xyz) / (cells.xyz * box.w);
        vec3 slope = vec3(0.0);
        for (int k = 0; k < 3; ++k) {
            vec3 o = vec3(k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0) / cells.xyz;
            slope[k] = textureLod(medium, at - o, 0.0).a - textureLod(medium, at + o, 0.0).a;
        }
        float here = textureLod(medium, at, 0.0).a;
        n = normalize(mat3(view) * slope + (0.04 * here + 1e-20) * n);
        color = vec4(shade_as(albedo.rgb, n, p, 0.10, albedo.w), min(cover, 1.0));
    }
);

static const char GLASS[] = MO_GLSL(
    uniform float side;
    void main()
    {
        vec3 p;
        vec3 n;
        float cover = meet(side, p, n);
        float z = depth_of(p.z);
        if (cover < 0.1) {
            discard;
        }
        peel(z);
        gl_FragDepth = z;
        color = clear_shade(albedo.rgb, side * n, p, max(albedo.w, 3.0), side < 0.0) * min(cover, 1.0);
    }
);
/* clang-format on */

mote_status mo_spheres_build(mo_renderer *renderer, mote_error *error)
{
    static const char *const vertex[] = {mo_glsl_frame, mo_glsl_rows, mo_glsl_cull, VERTEX, NULL};
    static const char *const depth[] = {mo_glsl_frame, HIT, DEPTH, NULL};
    static const char *const color[] = {mo_glsl_frame, HIT,   mo_glsl_shadow,
                                        mo_glsl_light, COLOR, NULL};
    static const char *const glass[] = {
        mo_glsl_frame, HIT, mo_glsl_shadow, mo_glsl_light, mo_glsl_clear, GLASS, NULL};
    MO_TRY(mo_program_build(&renderer->programs.sphere_depth, "depth of spheres", vertex, depth,
                            error));
    static const char *const smooth[] = {mo_glsl_frame, HIT,    mo_glsl_shadow,
                                         mo_glsl_light, SMOOTH, NULL};
    MO_TRY(mo_program_build(&renderer->programs.sphere_smooth, "smooth spheres", vertex, smooth,
                            error));
    MO_TRY(mo_program_build(&renderer->programs.sphere, "spheres", vertex, color, error));
    return mo_program_build(&renderer->programs.sphere_glass, "glass spheres", vertex, glass,
                            error);
}

static void draw(const mo_things *things, GLuint program, double growth)
{
    mo_use(program);
    mo_rows_bind(things->positions, MO_UNIT_POSITIONS);
    if (things->values) {
        mo_rows_bind(things->values, MO_UNIT_VALUES);
    }
    mo_uniform_int(program, "first", (int)things->first);
    mo_uniform_float(program, "growth", growth);
    mo_uniform_color(program, "plain", things->color, things->values ? 1 : 0);
    mo_draw_vertices(GL_TRIANGLES, 3 * things->count);
}

void mo_spheres_draw(mo_renderer *renderer, const mo_things *things, mo_pass pass)
{
    if (pass == MO_PASS_COLOR) {
        draw(things, renderer->programs.sphere, 1);
    } else {
        draw(things, renderer->programs.sphere_depth, 0);
    }
}

void mo_spheres_draw_smooth(mo_renderer *renderer, const mo_things *things)
{
    bool filled = mo_volume_bind(renderer, renderer->programs.sphere_smooth);
    draw(things, filled ? renderer->programs.sphere_smooth : renderer->programs.sphere, 1);
}

void mo_spheres_draw_glass(mo_renderer *renderer, const mo_things *things, bool back)
{
    mo_use(renderer->programs.sphere_glass);
    mo_uniform_float(renderer->programs.sphere_glass, "side", back ? -1 : 1);
    draw(things, renderer->programs.sphere_glass, 1);
}
