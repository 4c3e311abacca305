#include "view/gl/glsl.h"

#include "view/gl/shader.h"

/* clang-format off */
const char mo_glsl_frame[] = MO_GLSL(
    layout(std140) uniform Frame {
        mat4 view;
        mat4 projection;
        mat4 shadow;
        vec4 light;
        vec4 up;
        vec4 size;
        vec4 key;
        vec4 sky;
        vec4 ground;
        vec4 unknown;
        vec4 shadow_grain;
        vec4 range;
        vec4 background_top;
        vec4 background_bottom;
    };
    bool parallel() { return size.w > 0.5; }
    /* the size of a pixel at a depth in front of the eye */
    float pixel_at(float depth) { return parallel() ? size.z : size.z * depth; }
    vec3 toward_eye(vec3 place) { return parallel() ? vec3(0.0, 0.0, 1.0) : normalize(-place); }
    float depth_of(float z)
    {
        float w = projection[2][3] * z + projection[3][3];
        return 0.5 + 0.5 * (projection[2][2] * z + projection[3][2]) / w;
    }
);

const char mo_glsl_rows[] = MO_GLSL(
    uniform sampler2D positions;
    uniform sampler2D turns;
    uniform sampler2D values;
    uniform sampler2D normals;
    uniform isampler2D indices;
    uniform sampler2D map;
    uniform vec4 plain; /* the colour where there are no values; 1: there are values */
    ivec2 place_of(int row) { return ivec2(row & 4095, row >> 12); }
    vec4 row_of(sampler2D rows, int row) { return texelFetch(rows, place_of(row), 0); }
    int index_of(int row) { return texelFetch(indices, place_of(row), 0).r; }
    vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.yzw, cross(q.yzw, v) + q.x * v); }
    /* two triangles: -1 or 1 each way */
    vec2 corner_of(int k)
    {
        return vec2(k == 1 || k == 2 || k == 4 ? 1.0 : -1.0, k == 2 || k == 4 || k == 5 ? 1.0 : -1.0);
    }
    vec3 mapped(float t) { return textureLod(map, vec2((t * 255.0 + 0.5) / 256.0, 0.5), 0.0).rgb; }
    vec3 color_of(int row)
    {
        if (plain.w < 0.5) {
            return plain.rgb;
        }
        float t = row_of(values, row).r;
        return t < 0.0 ? unknown.rgb : mapped(t);
    }
);

/* Whole things are left out where the depth pass found something nearer all around: fragments that
 * place their own depth cannot be rejected early, and shading them is most of the work. */
const char mo_glsl_cull[] = MO_GLSL(
    uniform sampler2D deepest; /* a texel is the farthest depth in 8 x 8 pixels */
    bool buried(vec3 middle, float r)
    {
        float front = middle.z + r;
        if (shadow_grain.z < 0.5 || (!parallel() && front > -range.x)) {
            return false;
        }
        vec4 p = projection * vec4(middle, 1.0);
        vec2 at = (p.xy / p.w * 0.5 + 0.5) * size.xy;
        float reach = 1.3 * r / pixel_at(-front) + 2.0;
        ivec2 low = ivec2(floor((at - reach) / 8.0));
        ivec2 high = ivec2(floor((at + reach) / 8.0));
        ivec2 last = textureSize(deepest, 0) - 1;
        float depth = depth_of(front) - 1e-6;
        bool covered = max(high.x - low.x, high.y - low.y) < 4;
        for (int k = 0; k < 16 && covered; ++k) {
            ivec2 tile = min(low + ivec2(k & 3, k >> 2), high);
            covered = texelFetch(deepest, clamp(tile, ivec2(0), last), 0).r < depth;
        }
        return covered;
    }
);

/* Percentage-closer filtering (Reeves, Salesin, Cook 1987) with the place moved off the surface
 * first. */
const char mo_glsl_shadow[] = MO_GLSL(
    uniform sampler2DShadow shadow_map;
    float key_seen(vec3 place, vec3 n)
    {
        if (light.w <= 0.0) {
            return 1.0;
        }
        float grazing = 1.0 - clamp(dot(n, light.xyz), 0.0, 1.0);
        vec3 at = (shadow * vec4(place + n * shadow_grain.x * (1.0 + 2.0 * grazing), 1.0)).xyz;
        float sum = 0.0;
        /* four places turned against the grid, each the mean of four texels */
        for (int k = 0; k < 4; ++k) {
            vec2 aside = vec2(k == 0 ? 1.6 : k == 2 ? -1.6 : k == 1 ? -0.6 : 0.6,
                              k == 1 ? 1.6 : k == 3 ? -1.6 : k == 0 ? 0.6 : -0.6);
            /* what is farther than the map reaches is behind everything in it */
            sum += texture(shadow_map, vec3(at.xy + aside * shadow_grain.y, min(at.z, 1.0)));
        }
        vec2 off = abs(at.xy - 0.5);
        bool outside = max(off.x, off.y) > 0.5;
        return outside ? 1.0 : mix(1.0, sum / 4.0, light.w);
    }
);

/* A key light, light from the sky and from the ground by how much the surface faces them, and a
 * little shine. */
const char mo_glsl_light[] = MO_GLSL(
    uniform sampler2D occlusion;
    float openness(float z)
    {
        if (up.w <= 0.0) {
            return 1.0;
        }
        vec2 at = gl_FragCoord.xy * 0.5 - 0.5;
        ivec2 base = ivec2(floor(at));
        vec2 f = at - vec2(base);
        ivec2 last = textureSize(occlusion, 0) - 1;
        float sum = 0.0;
        float weights = 0.0;
        for (int k = 0; k < 4; ++k) {
            ivec2 o = ivec2(k & 1, k >> 1);
            vec4 seen = texelFetch(occlusion, clamp(base + o, ivec2(0), last), 0);
            float depth = range.x + (range.y - range.x) * (seen.g * 65280.0 + seen.b * 255.0) / 65535.0;
            vec2 near = mix(1.0 - f, f, vec2(o));
            float w = (near.x * near.y + 0.02) / (0.05 + abs(depth + z) / range.z);
            sum += w * seen.r;
            weights += w;
        }
        return mix(1.0, sum / weights, up.w);
    }
    vec3 shade(vec3 albedo, vec3 n, vec3 place, float gloss)
    {
        if (sky.w < 0.5) {
            return albedo;
        }
        float open = openness(place.z);
        vec3 ambient = mix(ground.rgb, sky.rgb, 0.5 + 0.5 * dot(n, up.xyz)) * open;
        float seen = key_seen(place, n);
        vec3 direct = key.rgb * max(dot(n, light.xyz), 0.0) * seen * mix(1.0, open, 0.35);
        vec3 halfway = normalize(light.xyz + toward_eye(place));
        float shine = gloss * pow(max(dot(n, halfway), 0.0), 48.0) * seen;
        return albedo * (ambient + direct) + vec3(shine) * key.rgb;
    }
    out vec4 color;
);

const char mo_glsl_screen[] = MO_GLSL(
    out vec2 place;
    void main()
    {
        place = vec2(float((gl_VertexID & 1) * 2), float(gl_VertexID & 2));
        gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);
    }
);
/* clang-format on */
